// SPDX-License-Identifier: GPL-2.0
/* Sections with nothing but a weak function, whose symbol is no anchor. */
#define weak	__attribute__((weak, noinline, noclone))

int strong(int x)
{
	return x + 1;
}

weak int weak_one(int x)
{
	return strong(x) + 1;
}

weak int weak_two(int x)
{
	return weak_one(x) * 2;
}

int caller(int x)
{
	return weak_one(x) + weak_two(x);
}
