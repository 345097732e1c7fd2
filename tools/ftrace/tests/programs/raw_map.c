// SPDX-License-Identifier: GPL-2.0
/*
 * Maps DIR/per_cpu/cpuN/trace_pipe_raw.
 *
 * raw_map storm DIR CPU RECORDS: a child writes this many records on the CPU while the parent
 * consumes pages by the ioctl. Each record contains its number, and shows whether it is complete.
 * Statistics go to stdout. The exit status is 0 if each record was read once, or counted as lost.
 *
 * raw_map errors DIR CPU: prints a line with the errno for each of several requests.
 *
 * raw_map wait DIR CPU: waits for a page, and prints its number of records.
 *
 * raw_map hold DIR CPU: maps all pages until stdin ends.
 */
#define _GNU_SOURCE
/* __u64 is unsigned long long on all architectures. */
#define __SANE_USERSPACE_TYPES__
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/trace_mmap.h>

#define MISSED_EVENTS	0x80000000UL
#define MISSED_STORED	0x40000000UL

struct event {
	uint32_t type_len:5, time_delta:27;
	uint32_t array[];
};

struct data_page {
	uint64_t	time;
	unsigned long	commit;
	char		data[];
};

struct map {
	int				file;
	struct trace_buffer_meta	*meta;
	char				*subbufs;
	size_t				size;
};

struct seen {
	unsigned long	read;
	unsigned long	lost;
	unsigned long	bad;
	long		last;
};

static char path[4096];

static int open_raw(const char *dir, const char *cpu, int flags)
{
	int file;

	snprintf(path, sizeof(path), "%s/per_cpu/cpu%s/trace_pipe_raw", dir, cpu);
	file = open(path, flags | O_NONBLOCK);
	if (file < 0)
		err(errno, "%s", path);
	return file;
}

static void *map_it(int file, size_t len, off_t from)
{
	void *start = mmap(NULL, len, PROT_READ, MAP_SHARED, file, from);

	if (start == MAP_FAILED)
		err(errno, "mmap");
	return start;
}

static struct map map_all(const char *dir, const char *cpu)
{
	struct map map = { .file = open_raw(dir, cpu, O_RDONLY) };
	size_t page;

	map.meta = map_it(map.file, getpagesize(), 0);
	page = map.meta->meta_page_size;
	map.size = (size_t)map.meta->subbuf_size * map.meta->nr_subbufs;
	map.subbufs = map_it(map.file, map.size, page);
	return map;
}

/* -- storm -- */

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(errno, "CPU %d", cpu);
}

/* Fills in a record: its number in front and at the end, between them text that depends on it. */
static int put_record(char *text, long n)
{
	int len = sprintf(text, "<%ld:", n);

	memset(text + len, 'a' + n % 26, n % 57);
	len += n % 57;
	return len + sprintf(text + len, ":%ld>", n);
}

static void write_all(const char *dir, int cpu, long records)
{
	char text[256];
	int file;

	pin(cpu);
	snprintf(path, sizeof(path), "%s/trace_marker", dir);
	file = open(path, O_WRONLY);
	if (file < 0)
		err(errno, "%s", path);
	for (long n = 0; n < records; n++) {
		int len = put_record(text, n);

		if (write(file, text, len) != len)
			err(errno, "write");
	}
	exit(0);
}

/* The record of trace_marker in front of its text. Any byte may be a '<'. */
struct marker_head {
	uint16_t	type;
	uint8_t		flags;
	uint8_t		preempt_count;
	int32_t		pid;
	unsigned long	ip;
};

static void look_at(struct seen *seen, const char *data, size_t len)
{
	const char *start = data + sizeof(struct marker_head);
	long n = len > sizeof(struct marker_head) && *start == '<' ? atol(start + 1) : -1;
	char text[256];
	int size = n < 0 ? 0 : put_record(text, n);

	if (n < 0 || start + size > data + len || memcmp(start, text, size) || n <= seen->last) {
		fprintf(stderr, "record %ld after %ld: %.*s\n", n, seen->last, (int)len, data);
		seen->bad++;
		return;
	}
	seen->last = n;
	seen->read++;
}

static size_t event_size(const struct event *event)
{
	switch (event->type_len) {
	case 29:
		return event->time_delta ? 4 + event->array[0] : 0;
	case 30 ... 31:
		return 8;
	case 0:
		return 4 + event->array[0];
	default:
		return 4 + 4 * event->type_len;
	}
}

static void read_page(struct seen *seen, const struct data_page *page, unsigned long lost)
{
	unsigned long size = page->commit & ~(MISSED_EVENTS | MISSED_STORED), pos = 0;

	if (!(page->commit & MISSED_EVENTS) != !lost)
		seen->bad++;
	seen->lost += lost;
	while (pos < size) {
		const struct event *event = (const void *)&page->data[pos];
		size_t len = event_size(event), head = event->type_len ? 4 : 8;

		if (!len)
			break;
		if (event->type_len <= 28)
			look_at(seen, page->data + pos + head, len - head);
		pos += len;
	}
}

static bool next_page(struct map *map, struct seen *seen)
{
	unsigned int before = map->meta->reader.id, id;

	if (ioctl(map->file, TRACE_MMAP_IOCTL_GET_READER))
		err(errno, "TRACE_MMAP_IOCTL_GET_READER");
	id = map->meta->reader.id;
	if (id == before)
		return false;
	read_page(seen, (void *)(map->subbufs + (size_t)id * map->meta->subbuf_size),
		  map->meta->reader.lost_events);
	return true;
}

static int storm(const char *dir, const char *cpu, long records)
{
	struct map map = map_all(dir, cpu);
	struct seen seen = { .last = -1 };
	pid_t writer = fork();
	int status;

	if (!writer)
		write_all(dir, atoi(cpu), records);
	while (!waitpid(writer, &status, WNOHANG)) {
		while (next_page(&map, &seen))
			;
		usleep(seen.read % 3000);
	}
	while (next_page(&map, &seen))
		;
	printf("read %lu lost %lu bad %lu entries %llu overrun %llu read %llu\n", seen.read,
	       seen.lost, seen.bad, map.meta->entries, map.meta->overrun, map.meta->read);
	return status || seen.bad || (long)(seen.read + seen.lost) != records ||
	       map.meta->entries != (unsigned long)records ||
	       map.meta->read != seen.read || map.meta->overrun != seen.lost;
}

/* -- errors -- */

static void tell(const char *what, bool done)
{
	printf("%s %d\n", what, done ? 0 : errno);
}

static void try_map(const char *what, int file, int prot, int flags, size_t len, off_t from)
{
	void *start = mmap(NULL, len, prot, flags, file, from);

	tell(what, start != MAP_FAILED);
	if (start != MAP_FAILED)
		munmap(start, len);
}

/* Returns true if a child can access the mapping. */
static bool is_inherited(const char *start)
{
	int status, ends[2];
	pid_t child;

	if (pipe(ends))
		err(errno, "pipe");
	child = fork();
	if (!child)
		_exit(write(ends[1], start, 1) != 1);
	waitpid(child, &status, 0);
	return !status;
}

static int errors(const char *dir, const char *cpu)
{
	int file = open_raw(dir, cpu, O_RDWR);
	size_t page = getpagesize();
	struct map map;

	tell("unmapped", !ioctl(file, TRACE_MMAP_IOCTL_GET_READER));
	try_map("writable", file, PROT_READ | PROT_WRITE, MAP_SHARED, page, 0);
	try_map("write-only", file, PROT_WRITE, MAP_SHARED, page, 0);
	try_map("private", file, PROT_READ, MAP_PRIVATE, page, 0);
	try_map("executable", file, PROT_READ | PROT_EXEC, MAP_SHARED, page, 0);
	map = map_all(dir, cpu);
	page = map.meta->meta_page_size;
	try_map("again", file, PROT_READ, MAP_SHARED, page, 0);
	try_map("last", file, PROT_READ, MAP_SHARED, map.meta->subbuf_size, map.size);
	try_map("behind", file, PROT_READ, MAP_SHARED, page, map.size + page);
	try_map("far", file, PROT_READ, MAP_SHARED, page, 4 * (off_t)map.size);
	try_map("long", file, PROT_READ, MAP_SHARED, map.size + page, page);
	tell("ioctl", !ioctl(map.file, _IO('R', 0x21)));
	tell("mprotect", !mprotect(map.subbufs, page, PROT_READ | PROT_WRITE));
	tell("grow", mremap(map.meta, page, 2 * page, MREMAP_MAYMOVE) != MAP_FAILED);
	tell("split", !munmap(map.subbufs + page, page));
	tell("rest", !ioctl(map.file, TRACE_MMAP_IOCTL_GET_READER));
	printf("inherited %d\n", is_inherited(map.subbufs));
	tell("dofork", !madvise(map.subbufs, page, MADV_DOFORK));
	printf("inherited-after-all %d\n", is_inherited(map.subbufs));
	return 0;
}

/* -- wait -- */

static int wait_for_page(const char *dir, const char *cpu)
{
	struct map map = map_all(dir, cpu);

	if (fcntl(map.file, F_SETFL, 0) || ioctl(map.file, TRACE_MMAP_IOCTL_GET_READER))
		err(errno, "TRACE_MMAP_IOCTL_GET_READER");
	printf("%llu\n", map.meta->read);
	return 0;
}

/* -- hold -- */

static int hold(const char *dir, const char *cpu)
{
	struct map map = map_all(dir, cpu);
	unsigned long sum = 0;

	for (size_t i = 0; i < map.size; i += 64)
		sum += map.subbufs[i];
	fprintf(stderr, "held %lu\n", sum);
	while (getchar() != EOF)
		;
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 5 && !strcmp(argv[1], "storm"))
		return storm(argv[2], argv[3], atol(argv[4]));
	if (argc == 4 && !strcmp(argv[1], "errors"))
		return errors(argv[2], argv[3]);
	if (argc == 4 && !strcmp(argv[1], "wait"))
		return wait_for_page(argv[2], argv[3]);
	if (argc == 4 && !strcmp(argv[1], "hold"))
		return hold(argv[2], argv[3]);
	errx(EINVAL, "usage: raw_map storm DIR CPU RECORDS | errors|wait|hold DIR CPU");
}
