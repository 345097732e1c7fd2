// SPDX-License-Identifier: GPL-2.0
/*
 * Average and variance of the times of a function's calls, computed when they are printed.
 *
 * A variance is a small difference of large numbers. So nothing is rounded before the end, and
 * 128 bits are used where 64 bits may overflow.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>

#include "numbers.h"

static struct profile_wide profile_wide_mul(u64 a, u64 b)
{
	return (struct profile_wide) {
		.high = mul_u64_u64_shr(a, b, 64), .low = a * b,
	};
}

/* Return: a - b, or 0 if @b is larger. */
static struct profile_wide profile_wide_sub(struct profile_wide a, struct profile_wide b)
{
	if (a.high < b.high || (a.high == b.high && a.low < b.low))
		return (struct profile_wide) { };
	return (struct profile_wide) {
		.high = a.high - b.high - (a.low < b.low), .low = a.low - b.low,
	};
}

/*
 * Return: @n / @by, rounded down; *@rest is set to the remainder. The quotient must fit into 64
 * bits: @n.high < @by. Each step of the loop computes one bit of it.
 */
static u64 profile_wide_div(struct profile_wide n, u64 by, u64 *rest)
{
	for (int i = 0; i < 64; i++) {
		bool carry = n.high >> 63;

		n.high = n.high << 1 | n.low >> 63;
		n.low <<= 1;
		if (carry || n.high >= by) {
			n.high -= by;
			n.low |= 1;
		}
	}
	*rest = n.high;
	return n.low;
}

/*
 * Return: time^2 / n, rounded up. With time = quotient * n + rest, that is
 * time * quotient + time * rest / n.
 */
static struct profile_wide profile_square_of_sum(u64 time, u64 n)
{
	u64 rest, last, quotient = div64_u64_rem(time, n, &rest);
	struct profile_wide square = profile_wide_mul(time, quotient);
	u64 more = profile_wide_div(profile_wide_mul(time, rest), n, &last);

	more += !!last;
	square.low += more;
	square.high += square.low < more;
	return square;
}

u64 profile_average(const struct profile_numbers *n)
{
	return n->returns ? div64_u64(n->time, n->returns) : 0;
}

/* The formula is (sum of squares - square of sum / n) / (n - 1). */
u64 profile_variance(const struct profile_numbers *n)
{
	struct profile_wide sum;
	u64 rest;

	if (n->returns < 2)
		return 0;
	sum = profile_wide_sub(n->squares, profile_square_of_sum(n->time, n->returns));
	sum.high = div64_u64_rem(sum.high, 1000, &rest);
	sum.low = profile_wide_div((struct profile_wide) { rest, sum.low }, 1000, &rest);
	if (sum.high >= n->returns - 1)
		return U64_MAX;
	return profile_wide_div(sum, n->returns - 1, &rest);
}
