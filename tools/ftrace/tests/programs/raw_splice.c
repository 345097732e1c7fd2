// SPDX-License-Identifier: GPL-2.0
/*
 * raw_splice FILE LENGTH [nonblock]: one splice() from FILE to a pipe, what
 * came out of it to stdout. Its status is 0, or the errno of the splice().
 * BusyBox has nothing that splices.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

int main(int argc, char **argv)
{
	unsigned int flags = argc > 3 ? SPLICE_F_NONBLOCK : 0;
	int file, ends[2];
	ssize_t n;

	if (argc < 3) {
		errno = EINVAL;
		check(-1, "raw_splice FILE LENGTH [nonblock]");
	}
	file = open(argv[1], O_RDONLY);
	check(file, argv[1]);
	check(pipe(ends), "pipe");
	check(fcntl(ends[1], F_SETPIPE_SZ, PIPE_SIZE), "F_SETPIPE_SZ");
	n = splice(file, NULL, ends[1], NULL, atol(argv[2]), flags);
	check(n, "splice");
	pour(ends[0], n);
	return 0;
}
