// SPDX-License-Identifier: GPL-2.0
/*
 * fail_nth N mkdir|insmod PATH: one system call of which the Nth allocation
 * fails. Prints what is left of N, 0 if there was an Nth; its status is 0, or
 * the errno of the call. A shell can do that for its own writes only, and
 * insmod tries again in another way.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void give_up(const char *what)
{
	perror(what);
	exit(255);
}

static int make(const char *path, int file)
{
	return mkdir(path, 0700);
}

static int load(const char *path, int file)
{
	return syscall(SYS_finit_module, file, "", 0);
}

int main(int argc, char **argv)
{
	int (*call)(const char *path, int file);
	int nth, file = -1, err;
	char left[16] = "";

	if (argc != 4)
		give_up("fail_nth N mkdir|insmod PATH");
	call = strcmp(argv[2], "mkdir") ? load : make;
	if (call == load)
		file = open(argv[3], O_RDONLY);
	nth = open("/proc/self/fail-nth", O_RDWR);
	if (nth < 0 || write(nth, argv[1], strlen(argv[1])) < 0)
		give_up("/proc/self/fail-nth");
	err = call(argv[3], file) ? errno : 0;
	if (pread(nth, left, sizeof(left) - 1, 0) < 0 || write(nth, "0", 1) < 0)
		give_up("/proc/self/fail-nth");
	fputs(left, stdout);
	return err;
}
