// SPDX-License-Identifier: GPL-2.0
/*
 * write_once FILE: appends all of stdin to a file by one write(), and prints the number of bytes
 * that were written.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char text[1 << 16];

static size_t read_all(void)
{
	size_t len = 0;
	ssize_t n;

	while ((n = read(STDIN_FILENO, text + len, sizeof(text) - len)) > 0)
		len += n;
	return len;
}

int main(int argc, char **argv)
{
	ssize_t taken;
	int fd;

	if (argc != 2)
		errx(EINVAL, "usage: write_once FILE");
	fd = open(argv[1], O_WRONLY | O_APPEND);
	if (fd < 0)
		err(errno, "%s", argv[1]);
	taken = write(fd, text, read_all());
	if (taken < 0)
		err(errno, "%s", argv[1]);
	printf("%zd\n", taken);
	return 0;
}
