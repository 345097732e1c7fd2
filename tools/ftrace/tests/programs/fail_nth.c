// SPDX-License-Identifier: GPL-2.0
/*
 * fail_nth N mkdir|insmod|empty PATH: one system call of which the Nth allocation
 * fails. Empty opens a file for reading and writing, with truncation. Prints what
 * is left of N, 0 if there was an Nth; its status is 0, or the errno of the call.
 * A shell can do that for its own writes only, and insmod tries again in another
 * way.
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

static int empty(const char *path, int file)
{
	return open(path, O_RDWR | O_TRUNC) < 0;
}

static const struct {
	const char *name;
	int (*call)(const char *path, int file);
} calls[] = {
	{ "mkdir", make }, { "insmod", load }, { "empty", empty }, { }
};

int main(int argc, char **argv)
{
	int nth, file = -1, err, i = 0;
	char left[16] = "";

	while (argc == 4 && calls[i].name && strcmp(argv[2], calls[i].name))
		i++;
	if (argc != 4 || !calls[i].name)
		give_up("fail_nth N mkdir|insmod|empty PATH");
	if (calls[i].call == load)
		file = open(argv[3], O_RDONLY);
	nth = open("/proc/self/fail-nth", O_RDWR);
	if (nth < 0 || write(nth, argv[1], strlen(argv[1])) < 0)
		give_up("/proc/self/fail-nth");
	err = calls[i].call(argv[3], file) ? errno : 0;
	if (pread(nth, left, sizeof(left) - 1, 0) < 0 || write(nth, "0", 1) < 0)
		give_up("/proc/self/fail-nth");
	fputs(left, stdout);
	return err;
}
