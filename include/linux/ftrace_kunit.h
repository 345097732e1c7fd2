/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the KUnit tests of the function tracer share, those of an architecture included.
 */
#ifndef _LINUX_FTRACE_KUNIT_H
#define _LINUX_FTRACE_KUNIT_H

/**
 * ftrace_find_functions - find functions without their being called
 * @pattern: a glob of their names
 *
 * Where sites are found as they run, those of the functions that a suite is about have
 * not run yet: call this from its suite_init.  With a table of call sites it does nothing.
 * Only with CONFIG_FTRACE_KUNIT_TEST.
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: 0, or an errno.
 */
int ftrace_find_functions(const char *pattern);

struct kunit;

/**
 * ftrace_skip_if_traced - skip a test that has to be the only one to trace a function
 * @test: the test
 * @func: the function
 *
 * A kernel that has been told to trace all functions from its first moment on runs its
 * tests all the same.
 *
 * Context: the test, or its init; takes ftrace_lock.
 */
void ftrace_skip_if_traced(struct kunit *test, void *func);

#endif /* _LINUX_FTRACE_KUNIT_H */
