// SPDX-License-Identifier: GPL-2.0
/*
 * trace_pages DIRECTORY little|big 4|8: prints pages of trace_pipe_raw with libtraceevent. They
 * come from a machine with this byte order and word size.
 *
 * The directory contains files of that machine: pages, header_page, format (of function entries)
 * and kallsyms. A line for each call goes to stdout: pid, time in microseconds, function, caller.
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/kbuffer.h>

static const char *directory;

struct content {
	char	*start;
	size_t	size;
};

/* Returns the content of a file, with a terminating null byte. */
static struct content content_of(const char *name)
{
	struct content content;
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "r");
	if (!file || fseek(file, 0, SEEK_END))
		err(1, "%s", path);
	content.size = ftell(file);
	rewind(file);
	content.start = calloc(1, content.size + 1);
	if (!content.start || fread(content.start, 1, content.size, file) != content.size)
		err(1, "%s", path);
	fclose(file);
	return content;
}

static struct tep_handle *open_parser(bool big, int word)
{
	struct content page = content_of("header_page");
	struct content format = content_of("format");
	struct tep_handle *tep = tep_alloc();

	if (!tep)
		errx(1, "no memory for a parser");
	tep_set_long_size(tep, word);
	tep_set_file_bigendian(tep, big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	if (tep_parse_header_page(tep, page.start, page.size, word))
		errx(1, "header_page is not understood");
	if (tep_parse_event(tep, format.start, format.size, "ftrace"))
		errx(1, "format is not understood");
	if (tep_parse_kallsyms(tep, content_of("kallsyms").start))
		errx(1, "kallsyms is not understood");
	return tep;
}

static const char *name_of(struct tep_handle *tep, unsigned long long address)
{
	const char *name = tep_find_function(tep, address);

	return name ?: "unknown";
}

static unsigned long long field_of(struct tep_event *event, struct tep_record *record,
				   const char *name)
{
	unsigned long long value;

	if (tep_get_any_field_val(NULL, event, name, record, &value, 1))
		errx(1, "an entry has no field %s", name);
	return value;
}

static void print_call(struct tep_handle *tep, struct tep_record *record)
{
	struct tep_event *event = tep_find_event_by_record(tep, record);

	if (!event)
		errx(1, "an entry has an unknown type");
	printf("%llu %llu %s %s\n", field_of(event, record, "common_pid"),
	       (record->ts + 500) / 1000, name_of(tep, field_of(event, record, "ip")),
	       name_of(tep, field_of(event, record, "parent_ip")));
}

static void print_page(struct tep_handle *tep, struct kbuffer *buffer, void *page)
{
	struct tep_record record = { };

	if (kbuffer_load_subbuffer(buffer, page))
		errx(1, "a page is not understood");
	for (record.data = kbuffer_read_event(buffer, &record.ts); record.data;
	     record.data = kbuffer_next_event(buffer, &record.ts)) {
		record.size = kbuffer_event_size(buffer);
		print_call(tep, &record);
	}
}

static void print_pages(struct tep_handle *tep, bool big, int word)
{
	struct kbuffer *buffer =
		kbuffer_alloc(word == 4 ? KBUFFER_LSIZE_4 : KBUFFER_LSIZE_8,
			      big ? KBUFFER_ENDIAN_BIG : KBUFFER_ENDIAN_LITTLE);
	struct content pages = content_of("pages");
	size_t step = tep_get_sub_buffer_size(tep);

	if (!buffer || !step || pages.size % step)
		errx(1, "%zu bytes are not a multiple of the page size %zu", pages.size, step);
	for (size_t at = 0; at < pages.size; at += step)
		print_page(tep, buffer, pages.start + at);
}

int main(int argc, char **argv)
{
	bool big;
	int word;

	if (argc != 4)
		errx(1, "usage: trace_pages DIRECTORY little|big 4|8");
	directory = argv[1];
	big = !strcmp(argv[2], "big");
	word = atoi(argv[3]);
	print_pages(open_parser(big, word), big, word);
	return 0;
}
