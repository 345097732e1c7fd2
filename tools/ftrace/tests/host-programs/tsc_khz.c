// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the rate of this machine's time stamp counter in kHz, or nothing without one. The counter
 * of a guest in QEMU has the same rate.
 */
#include <stdio.h>
#include <time.h>

#if __has_builtin(__builtin_ia32_rdtsc)

#define PERIOD_NS	100000000L

static long long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

int main(void)
{
	long long begin = now(), end;
	unsigned long long ticks = __builtin_ia32_rdtsc();

	do
		end = now();
	while (end - begin < PERIOD_NS);
	ticks = __builtin_ia32_rdtsc() - ticks;
	printf("%llu\n", ticks * 1000000 / (end - begin));
	return 0;
}

#else

int main(void)
{
	return 0;
}

#endif
