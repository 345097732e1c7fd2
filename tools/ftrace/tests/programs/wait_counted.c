// SPDX-License-Identifier: GPL-2.0
/*
 * wait_counted in|pri FILE MILLISECONDS: waits in poll() of a file hist for unread hits (in) or for
 * new hits (pri). Prints the result of poll(), "error" if the event was removed, and then the
 * result of a second poll() that does not wait.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *wait_for(struct pollfd *file, int ms)
{
	if (poll(file, 1, ms) < 0 || file->revents & POLLERR)
		return "error";
	if (file->revents & POLLPRI)
		return "pri";
	return file->revents & POLLIN ? "in" : "nothing";
}

int main(int argc, char **argv)
{
	struct pollfd file = { };

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
	printf("%s", wait_for(&file, atoi(argv[3])));
	printf(" %s\n", wait_for(&file, 0));
	return 0;
}
