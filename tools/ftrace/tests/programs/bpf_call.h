/* SPDX-License-Identifier: GPL-2.0 */
/* Calling bpf() for an attachment, and ending with a message if it fails. */
#ifndef BPF_CALL_H
#define BPF_CALL_H

#include <errno.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What is to be attached, and where. */
static const char *kind, *place;

/* The allocation that fails, and the file that says so. */
static const char *failing;
static int fail_nth;

static void print_left(void)
{
	char left[16] = "";

	if (pread(fail_nth, left, sizeof(left) - 1, 0) > 0)
		printf("%s", left);
	pwrite(fail_nth, "0", 1, 0);
	fflush(stdout);
}

static void fail(const char *what)
{
	fprintf(stderr, "%s %s: %s: %s\n", kind, place, what, strerror(errno));
	if (failing)
		print_left();
	exit(1);
}

static int check(int result, const char *what)
{
	if (result < 0)
		fail(what);
	return result;
}

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(__NR_bpf, cmd, attr, sizeof(*attr));
}

static __u64 pointer(const void *to)
{
	return (uintptr_t)to;
}

static bool is(const char *name)
{
	return !strcmp(kind, name);
}

static bool has(const char *word)
{
	return strstr(kind, word);
}

#endif
