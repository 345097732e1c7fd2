// SPDX-License-Identifier: GPL-2.0
/* Takes the place of a weak function, longer than it and elsewhere. */
extern int strong(int x);

int padding(int x)
{
	return strong(x) * strong(x + 1);
}

int weak_one(int x)
{
	return strong(x) + padding(x) * 5;
}

int _start(void)
{
	return weak_one(3);
}
