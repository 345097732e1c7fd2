// SPDX-License-Identifier: GPL-2.0
/*
 * watch_writes FILE WORD...: sets a hardware watchpoint for a variable on each CPU, and writes each
 * word to FILE. After each of them it writes the variable on each CPU. The exit status is 1 if a
 * watchpoint has not counted a write.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_CPUS 64

static int watched;

static void check(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

/* A watchpoint of the CPU, not of the task: it is not set again at a task switch. */
static int watch(int cpu)
{
	struct perf_event_attr attr = {
		.type		= PERF_TYPE_BREAKPOINT,
		.size		= sizeof(attr),
		.bp_type	= HW_BREAKPOINT_W,
		.bp_addr	= (uintptr_t)&watched,
		.bp_len		= HW_BREAKPOINT_LEN_4,
		.pinned		= 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);

	check(fd >= 0, "perf_event_open");
	return fd;
}

static uint64_t seen(int fd)
{
	uint64_t count;

	check(read(fd, &count, sizeof(count)) == sizeof(count), "read");
	return count;
}

static void go_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	check(!sched_setaffinity(0, sizeof(set), &set), "sched_setaffinity");
}

static int is_seen(int cpu, int fd)
{
	uint64_t before;

	go_to(cpu);
	before = seen(fd);
	__atomic_fetch_add(&watched, 1, __ATOMIC_RELAXED);
	if (seen(fd) == before + 1)
		return 1;
	fprintf(stderr, "CPU %d has not counted the write\n", cpu);
	return 0;
}

static void put(const char *file, const char *word)
{
	int fd = open(file, O_WRONLY);

	check(fd >= 0, file);
	check(write(fd, word, strlen(word)) == (ssize_t)strlen(word), word);
	close(fd);
}

int main(int argc, char **argv)
{
	int fds[MAX_CPUS], cpus = sysconf(_SC_NPROCESSORS_ONLN), ok = 1;

	if (argc < 3 || cpus > MAX_CPUS) {
		fprintf(stderr, "usage: watch_writes FILE WORD...\n");
		return 1;
	}
	for (int cpu = 0; cpu < cpus; cpu++) {
		fds[cpu] = watch(cpu);
		ok &= is_seen(cpu, fds[cpu]);
	}
	for (int i = 2; i < argc; i++) {
		put(argv[1], argv[i]);
		for (int cpu = 0; cpu < cpus; cpu++)
			ok &= is_seen(cpu, fds[cpu]);
	}
	return !ok;
}
