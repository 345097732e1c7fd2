// SPDX-License-Identifier: GPL-2.0
/*
 * fail_nth N mkdir|insmod|empty|perf PATH: executes one system call, whose Nth allocation fails.
 * "empty" opens the file for reading and writing, with truncation; "perf" opens the event whose id
 * is in the file. Prints what is left of N: 0 if there was an Nth allocation. The exit status is 0,
 * or the errno of the call. A shell can do this only for its own writes, and insmod repeats a
 * failed call in another way.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
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

static struct perf_event_attr attr = {
	.type		= PERF_TYPE_TRACEPOINT,
	.size		= sizeof(attr),
	.disabled	= 1,
};

static int perf(const char *path, int file)
{
	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) < 0;
}

static void read_id(const char *path)
{
	FILE *f = fopen(path, "r");

	if (!f || fscanf(f, "%llu", (unsigned long long *)&attr.config) != 1)
		give_up(path);
	fclose(f);
}

static const struct {
	const char *name;
	int (*call)(const char *path, int file);
} calls[] = {
	{ "mkdir", make }, { "insmod", load }, { "empty", empty }, { "perf", perf }, { }
};

int main(int argc, char **argv)
{
	int nth, file = -1, err, i = 0;
	char left[16] = "";

	while (argc == 4 && calls[i].name && strcmp(argv[2], calls[i].name))
		i++;
	if (argc != 4 || !calls[i].name)
		give_up("usage: fail_nth N mkdir|insmod|empty|perf PATH");
	if (calls[i].call == load)
		file = open(argv[3], O_RDONLY);
	if (calls[i].call == perf)
		read_id(argv[3]);
	nth = open("/proc/self/fail-nth", O_RDWR);
	if (nth < 0 || write(nth, argv[1], strlen(argv[1])) < 0)
		give_up("/proc/self/fail-nth");
	err = calls[i].call(argv[3], file) ? errno : 0;
	if (pread(nth, left, sizeof(left) - 1, 0) < 0 || write(nth, "0", 1) < 0)
		give_up("/proc/self/fail-nth");
	fputs(left, stdout);
	return err;
}
