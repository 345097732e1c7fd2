// SPDX-License-Identifier: GPL-2.0
/*
 * chrt -f PRIORITY PROGRAM [ARGUMENT...]: runs a program as a real-time task, like chrt of
 * util-linux. Debian's BusyBox has no chrt.
 *
 * chrt -d PERIOD PROGRAM [ARGUMENT...]: runs a program as a deadline task, for a tenth of each
 * period, which is in nanoseconds.
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DEADLINE	6

/* The kernel's struct sched_attr, which not every libc defines. */
struct attr {
	uint32_t	size;
	uint32_t	policy;
	uint64_t	flags;
	int32_t		nice;
	uint32_t	priority;
	uint64_t	runtime;
	uint64_t	deadline;
	uint64_t	period;
};

static int set_priority(const char *priority)
{
	struct sched_param param = { .sched_priority = atoi(priority) };

	return sched_setscheduler(0, SCHED_FIFO, &param);
}

static int set_deadline(const char *period)
{
	struct attr attr = { .size = sizeof(attr), .policy = DEADLINE };

	attr.period = strtoull(period, NULL, 10);
	attr.deadline = attr.period;
	attr.runtime = attr.period / 10;
	return syscall(SYS_sched_setattr, 0, &attr, 0);
}

int main(int argc, char **argv)
{
	int fifo = argc > 3 && !strcmp(argv[1], "-f");

	if (!fifo && (argc < 4 || strcmp(argv[1], "-d"))) {
		fprintf(stderr, "usage: chrt -f PRIORITY | -d PERIOD PROGRAM [ARGUMENT...]\n");
		return 1;
	}
	if (fifo ? set_priority(argv[2]) : set_deadline(argv[2])) {
		perror("chrt");
		return 1;
	}
	execvp(argv[3], &argv[3]);
	perror(argv[3]);
	return 127;
}
