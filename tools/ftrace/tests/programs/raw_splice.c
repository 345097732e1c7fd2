// SPDX-License-Identifier: GPL-2.0
/*
 * raw_splice FILE LENGTH [nonblock|children]: calls splice() once from FILE to a pipe, and copies
 * the result to stdout. The exit status is 0, or the errno of splice(). With "children" two
 * children have the file open as well: one ends before the splice(), one during it. BusyBox has no
 * such program.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIPE_SIZE (1024 * 1024)

static void check(int ret, const char *what)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(errno);
}

static void pour(int from, ssize_t len)
{
	static char text[4096];

	while (len > 0) {
		ssize_t n = read(from, text, sizeof(text));

		check(n, "read");
		check(write(STDOUT_FILENO, text, n) == n ? 0 : -1, "write");
		len -= n;
	}
}

static void have_children(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	check(pid, "fork");
	check(waitpid(pid, NULL, 0), "waitpid");
	pid = fork();
	if (!pid) {
		sleep(1);
		_exit(0);
	}
	check(pid, "fork");
}

int main(int argc, char **argv)
{
	const char *how = argc > 3 ? argv[3] : "";
	unsigned int flags = strcmp(how, "nonblock") ? 0 : SPLICE_F_NONBLOCK;
	int file, ends[2];
	ssize_t n;

	if (argc < 3) {
		errno = EINVAL;
		check(-1, "usage: raw_splice FILE LENGTH [nonblock|children]");
	}
	file = open(argv[1], O_RDONLY);
	check(file, argv[1]);
	if (!strcmp(how, "children"))
		have_children();
	check(pipe(ends), "pipe");
	check(fcntl(ends[1], F_SETPIPE_SZ, PIPE_SIZE), "F_SETPIPE_SZ");
	n = splice(file, NULL, ends[1], NULL, atol(argv[2]), flags);
	check(n, "splice");
	pour(ends[0], n);
	return 0;
}
