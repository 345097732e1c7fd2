// SPDX-License-Identifier: GPL-2.0
/* No call to a profiling function, but symbols that come near one. */
static int mcount_like;
int __fentry;

int plain(int x)
{
	return x + mcount_like++ + __fentry;
}
