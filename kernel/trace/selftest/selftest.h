/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of boot-time self-tests have in common.
 */
#ifndef _KERNEL_TRACE_SELFTEST_H
#define _KERNEL_TRACE_SELFTEST_H

#include <linux/types.h>

#include "targets.h"

/* A test returns NULL, or why it failed. */
typedef const char *(*selftest_fn)(void);

/**
 * struct selftest - one of them
 * @name: what it tests; its line begins with that
 * @run: the test
 */
struct selftest {
	const char	*name;
	selftest_fn	run;
};

/* Of call sites and their users: each table ends with one that has no name. */
extern const struct selftest ops_selftests[];
/* Of tracers that keep the longest time; likewise. */
extern const struct selftest latency_selftests[];
/* Of events; likewise. */
extern const struct selftest event_selftests[];

/* Where call sites are found while they run, those of the targets have to run first. */
void find_targets(void);

/* Has the top instance a filter? */
bool boot_is_filtered(void);

/* Have the top instance trace the first target and nothing else, or all; if it can. */
void filter_one(bool only);

/* To be chained: `return expect(...) ?: expect(...);` ends at the first that fails. */
static inline const char *expect(bool ok, const char *reason)
{
	return ok ? NULL : reason;
}

static inline bool call_one(void)
{
	return ftrace_selftest_one(1, 2, 3, 4, 5, 6) == 91;
}

static inline bool call_two(void)
{
	return ftrace_selftest_two() == 2;
}

#endif /* _KERNEL_TRACE_SELFTEST_H */
