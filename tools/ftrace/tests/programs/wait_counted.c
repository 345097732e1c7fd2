// SPDX-License-Identifier: GPL-2.0
/*
 * wait_counted in|pri FILE MILLISECONDS: waits in poll() of a file hist, for anything that has
 * not been read, or for something new, and says which there is.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	struct pollfd file = { };
	int nr;

	if (argc != 4) {
		fprintf(stderr, "usage: %s in|pri FILE MILLISECONDS\n", argv[0]);
		return 2;
	}
	file.events = strcmp(argv[1], "pri") ? POLLIN : POLLPRI;
	file.fd = open(argv[2], O_RDONLY);
	if (file.fd < 0) {
		perror(argv[2]);
		return 1;
	}
	nr = poll(&file, 1, atoi(argv[3]));
	if (nr < 0) {
		perror("poll");
		return 1;
	}
	printf("%s%s%s\n", nr ? "" : "nothing", file.revents & POLLIN ? "in" : "",
	       file.revents & POLLPRI ? "pri" : "");
	return 0;
}
