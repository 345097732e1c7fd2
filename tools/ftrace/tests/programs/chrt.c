// SPDX-License-Identifier: GPL-2.0
/*
 * chrt -f PRIORITY PROGRAM [ARGUMENT...]: runs a program as a real-time task, as the one of
 * util-linux does; BusyBox of Debian has none.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sched_param param = {};

	if (argc < 4 || strcmp(argv[1], "-f")) {
		fprintf(stderr, "usage: chrt -f PRIORITY PROGRAM [ARGUMENT...]\n");
		return 1;
	}
	param.sched_priority = atoi(argv[2]);
	if (sched_setscheduler(0, SCHED_FIFO, &param)) {
		perror("chrt");
		return 1;
	}
	execvp(argv[3], &argv[3]);
	perror(argv[3]);
	return 127;
}
