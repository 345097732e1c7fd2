/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files of the boot-time self-tests.
 */
#ifndef _KERNEL_TRACE_SELFTEST_H
#define _KERNEL_TRACE_SELFTEST_H

#include <linux/types.h>

#include "targets.h"

/* Function of a test. Return: NULL, or the reason why the test failed. */
typedef const char *(*selftest_fn)(void);

/**
 * struct selftest - a self-test
 * @name: name of the test, printed in its line of the log
 * @run: function of the test
 */
struct selftest {
	const char	*name;
	selftest_fn	run;
};

/* Tables of tests; each ends with an entry without a name. */

/* Tests of call sites and ops. */
extern const struct selftest ops_selftests[];
/* Tests of tracers that keep the longest latency. */
extern const struct selftest latency_selftests[];
/* Tests of events. */
extern const struct selftest event_selftests[];

/* Call the targets once, so that their call sites are discovered if there is no table of sites. */
void find_targets(void);

/* True if the filter of the top instance is set, which only boot parameters do before the tests. */
bool boot_is_filtered(void);

/* Set the filter of the top instance to the first target, or clear it if @only is false. */
void filter_one(bool only);

/*
 * Return @reason if @ok is false, else NULL. Calls can be chained: `return expect_true(...) ?:
 * expect_true(...);` stops at the first failure.
 */
static inline const char *expect_true(bool ok, const char *reason)
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
