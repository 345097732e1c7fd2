/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers for the KUnit tests of the function tracer, including those of an architecture.
 */
#ifndef _LINUX_FTRACE_KUNIT_H
#define _LINUX_FTRACE_KUNIT_H

/**
 * ftrace_find_functions - find the sites of functions that have not been called yet
 * @pattern: glob pattern for the names of the functions
 *
 * Without a table of call sites, a site is found when it runs first.  The suite_init of a suite
 * calls this for the functions that the suite traces.  With a table of call sites it does
 * nothing.  Only with CONFIG_FTRACE_KUNIT_TEST.
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: 0, or an errno.
 */
int ftrace_find_functions(const char *pattern);

struct kunit;

/**
 * ftrace_skip_if_traced - skip a test unless it would be the only user that traces a function
 * @test: the test
 * @func: the function
 *
 * A kernel whose command line makes it trace all functions during boot runs its tests, too.
 *
 * Context: the test, or its init; takes ftrace_lock.
 */
void ftrace_skip_if_traced(struct kunit *test, void *func);

#endif /* _LINUX_FTRACE_KUNIT_H */
