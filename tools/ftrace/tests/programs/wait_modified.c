// SPDX-License-Identifier: GPL-2.0
/*
 * wait_modified FILE: prints "watching", and ends when inotify reports that the file was modified.
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct inotify_event event;
	int watcher = inotify_init();

	if (argc != 2)
		errx(EINVAL, "usage: wait_modified FILE");
	if (watcher < 0 || inotify_add_watch(watcher, argv[1], IN_MODIFY) < 0)
		err(errno, "%s", argv[1]);
	fprintf(stderr, "watching\n");
	if (read(watcher, &event, sizeof(event)) != sizeof(event))
		err(errno, "read");
	return event.mask != IN_MODIFY;
}
