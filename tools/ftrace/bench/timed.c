// SPDX-License-Identifier: GPL-2.0
/*
 * timed write FILE TEXTFILE: opens FILE as the shell's > does, writes all of
 * TEXTFILE's content into it, closes it.
 * timed read FILE: opens FILE, reads it to its end, closes it.
 *
 * Prints the nanoseconds from open to close, and for a read the number of
 * lines that do not start with #.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

/* Counting lines costs time of its own: it is done in a second pass. */
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
	fprintf(stderr, "usage: timed write FILE TEXTFILE | timed read FILE\n");
	return 2;
}
