// SPDX-License-Identifier: GPL-2.0
/*
 * read_often FILE N: reads a page N times without blocking, and prints each result: the number of
 * bytes, or "again".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char page[65536];
	ssize_t len;
	int fd;

	if (argc != 3) {
		fprintf(stderr, "usage: %s FILE N\n", argv[0]);
		return 2;
	}
	fd = open(argv[1], O_RDONLY | O_NONBLOCK);
	if (fd < 0) {
		perror(argv[1]);
		return 1;
	}
	for (int i = 0; i < atoi(argv[2]); i++) {
		len = read(fd, page, sizeof(page));
		if (i)
			putchar(' ');
		if (len >= 0)
			printf("%zd", len);
		else
			printf("%s", errno == EAGAIN ? "again" : strerror(errno));
	}
	putchar('\n');
	return 0;
}
