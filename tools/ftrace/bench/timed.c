// SPDX-License-Identifier: GPL-2.0
/*
 * timed write FILE TEXTFILE: opens FILE like the shell's >, writes the content of TEXTFILE, and
 *	closes it. Prints the nanoseconds.
 * timed read FILE: opens FILE, reads it to its end, and closes it. Prints the nanoseconds, and
 *	the number of lines that do not begin with #.
 * timed call: makes a cheap system call many times. Prints thousandths of a nanosecond per call.
 * timed function: calls an empty function many times. Prints thousandths of a nanosecond per call.
 * timed place: prints the file offset of that function.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CALLS	1000
#define RUNS	20

static char buffer[64 << 10];
static long lines;

static long long now(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC_RAW, &ts))
		err(1, "clock_gettime");
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static size_t load(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "r");
	size_t len;

	if (!file)
		err(1, "%s", path);
	len = fread(text, 1, size, file);
	if (len == size)
		errx(1, "%s: longer than %zu bytes", path, size);
	fclose(file);
	return len;
}

static long long timed_write(const char *path, const char *text, size_t len)
{
	long long start = now();
	int fd = open(path, O_WRONLY | O_TRUNC);
	ssize_t done;

	if (fd < 0)
		err(1, "%s", path);
	for (; len; text += done, len -= done) {
		done = write(fd, text, len);
		if (done <= 0)
			err(1, "%s: write", path);
	}
	if (close(fd))
		err(1, "%s: close", path);
	return now() - start;
}

/* Lines are counted in a second pass, because that takes time. */
static long long timed_read(const char *path, int count)
{
	long long start = now();
	int fd = open(path, O_RDONLY);
	int begin = 1;
	ssize_t got, i;

	if (fd < 0)
		err(1, "%s", path);
	while ((got = read(fd, buffer, sizeof(buffer))) > 0) {
		for (i = 0; count && i < got; i++) {
			lines += begin && buffer[i] != '#';
			begin = buffer[i] == '\n';
		}
	}
	if (got < 0)
		err(1, "%s: read", path);
	close(fd);
	return now() - start;
}

static void call(void)
{
	syscall(SYS_getppid);
}

/* The function for a probe. */
static __attribute__((noipa)) void function(void)
{
	__asm__ volatile("");
}

/* Returns the minimum of many runs, because interrupts make some of them longer. */
static long long timed_calls(void (*what)(void))
{
	long long least = -1, start, time;
	int run, i;

	for (run = 0; run < RUNS; run++) {
		start = now();
		for (i = 0; i < CALLS; i++)
			what();
		time = now() - start;
		if (least < 0 || time < least)
			least = time;
	}
	return least * 1000 / CALLS;
}

static int print_place(struct dl_phdr_info *info, size_t size, void *data)
{
	unsigned long at = (unsigned long)function - info->dlpi_addr, from;
	int i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		from = info->dlpi_phdr[i].p_vaddr;
		if (info->dlpi_phdr[i].p_type == PT_LOAD && at >= from &&
		    at - from < info->dlpi_phdr[i].p_filesz)
			printf("0x%lx\n", at - from + (unsigned long)info->dlpi_phdr[i].p_offset);
	}
	return 1;
}

int main(int argc, char **argv)
{
	static char text[256 << 10];
	long long time;
	size_t len;

	if (argc == 4 && !strcmp(argv[1], "write")) {
		len = load(argv[3], text, sizeof(text));
		printf("%lld\n", timed_write(argv[2], text, len));
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "read")) {
		time = timed_read(argv[2], 0);
		timed_read(argv[2], 1);
		printf("%lld %ld\n", time, lines);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "call")) {
		printf("%lld\n", timed_calls(call));
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "function")) {
		printf("%lld\n", timed_calls(function));
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "place"))
		return dl_iterate_phdr(print_place, NULL) != 1;
	fprintf(stderr, "usage: timed write FILE TEXTFILE | read FILE | call | function | place\n");
	return 2;
}
