// SPDX-License-Identifier: GPL-2.0
/*
 * Does an operation with many items, and prints the nanoseconds that it takes.
 *
 * many write FILE TEXTFILE: writes the content of TEXTFILE to FILE, opened like the shell's >.
 * many append FILE TEXTFILE: writes the content of TEXTFILE, opened like the shell's >>.
 * many lines FILE TEXTFILE: writes each line with a write() of its own, opened like >>.
 * many read FILE: reads FILE to its end.
 * many mkdir DIR N, many rmdir DIR N: creates or removes the directories DIR/0 to DIR/N-1.
 * many load FILE N: loads N copies of a module; in each copy another number replaces the digits
 *	after "grow_".
 * many unload NAME N: removes the modules NAME00000 and so on.
 * many perf ID N: opens N perf events of a tracepoint, and closes them; prints a number for each.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TEXT_MAX	(4 << 20)
#define DIGITS		5

static char text[TEXT_MAX];

static long long now(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC_RAW, &ts))
		err(1, "clock_gettime");
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static size_t load_text(const char *path)
{
	FILE *file = fopen(path, "r");
	size_t len;

	if (!file)
		err(1, "%s", path);
	len = fread(text, 1, sizeof(text), file);
	if (len == sizeof(text))
		errx(1, "%s: longer than %zu bytes", path, sizeof(text));
	fclose(file);
	return len;
}

static void write_all(int fd, const char *from, size_t len, const char *path)
{
	ssize_t done;

	for (; len; from += done, len -= done) {
		done = write(fd, from, len);
		if (done <= 0)
			err(1, "%s: write", path);
	}
}

static void write_lines(int fd, size_t len, const char *path)
{
	char *line = text, *end;

	while ((end = memchr(line, '\n', text + len - line))) {
		write_all(fd, line, end + 1 - line, path);
		line = end + 1;
	}
}

static long long put_text(const char *how, const char *path, const char *from)
{
	size_t len = load_text(from);
	long long start = now();
	int fd = open(path, O_WRONLY | (strcmp(how, "write") ? O_APPEND : O_TRUNC));

	if (fd < 0)
		err(1, "%s", path);
	if (strcmp(how, "lines"))
		write_all(fd, text, len, path);
	else
		write_lines(fd, len, path);
	if (close(fd))
		err(1, "%s: close", path);
	return now() - start;
}

static long long read_file(const char *path)
{
	long long start = now();
	int fd = open(path, O_RDONLY);
	ssize_t got;

	if (fd < 0)
		err(1, "%s", path);
	while ((got = read(fd, text, 64 << 10)) > 0)
		;
	if (got < 0)
		err(1, "%s: read", path);
	close(fd);
	return now() - start;
}

static long long make_dirs(const char *how, const char *path, int nr)
{
	int makes = !strcmp(how, "mkdir"), i;
	long long start = now();
	char name[256];

	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "%s/%d", path, i);
		if (makes ? mkdir(name, 0755) : rmdir(name))
			err(1, "%s %s", how, name);
	}
	return now() - start;
}

/* Writes the number into the names of the module, of its event and of its symbols. */
static void number_module(size_t len, int nr)
{
	char *at = text, digits[DIGITS + 1];

	snprintf(digits, sizeof(digits), "%05d", nr % 100000);
	while ((at = memmem(at, text + len - at, "grow_", 5))) {
		at += 5;
		if (strspn(at, "0123456789") >= DIGITS)
			memcpy(at, digits, DIGITS);
	}
}

static long long load_modules(const char *path, int nr)
{
	size_t len = load_text(path);
	long long start, time = 0;
	int i;

	for (i = 0; i < nr; i++) {
		number_module(len, i);
		start = now();
		if (syscall(SYS_init_module, text, len, ""))
			err(1, "module %d", i);
		time += now() - start;
	}
	return time;
}

static long long unload_modules(const char *name, int nr)
{
	long long start = now();
	char whole[64];
	int i;

	for (i = 0; i < nr; i++) {
		snprintf(whole, sizeof(whole), "%s%05d", name, i);
		if (syscall(SYS_delete_module, whole, O_NONBLOCK))
			err(1, "%s", whole);
	}
	return now() - start;
}

static void open_events(int id, int nr, long long *times)
{
	struct rlimit all = { nr + 100, nr + 100 };
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .config = id,
	};
	long long start;
	int *fds, i;

	fds = calloc(nr, sizeof(*fds));
	if (!fds || setrlimit(RLIMIT_NOFILE, &all))
		err(1, "%d files", nr);
	start = now();
	for (i = 0; i < nr; i++) {
		fds[i] = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
		if (fds[i] < 0)
			err(1, "perf event %d", i);
	}
	times[0] = now() - start;
	start = now();
	for (i = 0; i < nr; i++)
		close(fds[i]);
	times[1] = now() - start;
}

static int is(const char *word, const char *words)
{
	size_t len = strlen(word);
	const char *at = strstr(words, word);

	return at && len && (at == words || at[-1] == ' ') && (!at[len] || at[len] == ' ');
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[1] : "", *what = argc > 2 ? argv[2] : NULL;
	int nr = argc > 3 ? atoi(argv[3]) : 0;
	long long times[2] = { -1, -1 };

	if (argc == 3 && is(how, "read"))
		times[0] = read_file(what);
	else if (argc == 4 && is(how, "write append lines"))
		times[0] = put_text(how, what, argv[3]);
	else if (argc == 4 && is(how, "mkdir rmdir"))
		times[0] = make_dirs(how, what, nr);
	else if (argc == 4 && is(how, "load"))
		times[0] = load_modules(what, nr);
	else if (argc == 4 && is(how, "unload"))
		times[0] = unload_modules(what, nr);
	else if (argc == 4 && is(how, "perf"))
		open_events(atoi(what), nr, times);
	else
		errx(2, "usage: see the head of tools/ftrace/bench/many.c");
	printf(times[1] < 0 ? "%lld\n" : "%lld %lld\n", times[0], times[1]);
	return 0;
}
