// SPDX-License-Identifier: GPL-2.0
/*
 * parse_formats FILE: prints the event formats that libtraceevent does not understand.
 *
 * The file contains formats, each below a line "== PLACE SYSTEM EVENT". For each format that is
 * not understood a line with place, system, event and the library's message goes to stdout; the
 * last line has the number of formats that are understood. A format is understood if it can be
 * parsed and a record of zeros can be printed: only printing looks up the fields that a print
 * format names.
 */
#include <err.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#define SEPARATOR	"== "

/* The first message of the library about the current format. */
static char said[1000];

/* Replaces the function of the library that prints its messages. */
int tep_vprint(const char *name, enum tep_loglevel level, bool print_err, const char *fmt,
	       va_list ap)
{
	(void)name;
	(void)level;
	(void)print_err;
	if (!*said)
		vsnprintf(said, sizeof(said), fmt, ap);
	return 0;
}

static sigjmp_buf no_value;

static char *content_of(const char *path)
{
	FILE *file = fopen(path, "r");
	char *content;
	long size;

	if (!file || fseek(file, 0, SEEK_END))
		err(1, "%s", path);
	size = ftell(file);
	rewind(file);
	content = calloc(1, size + 1);
	if (!content || fread(content, 1, size, file) != (size_t)size)
		err(1, "%s", path);
	fclose(file);
	return content;
}

static struct tep_handle *open_parser(void)
{
	struct tep_handle *tep = tep_alloc();

	if (!tep)
		errx(1, "no memory for a parser");
	tep_set_loglevel(TEP_LOG_INFO);
	tep_set_long_size(tep, sizeof(long));
	return tep;
}

/*
 * A print format may divide by a field that is 0, or use an element of an empty array. The library
 * does not check for that, and raises a signal; it has found the field by then.
 */
static void leave_print(int signal)
{
	(void)signal;
	siglongjmp(no_value, 1);
}

static void print_empty(struct tep_handle *tep, struct tep_event *event)
{
	static struct { unsigned short id; char rest[1 << 17]; } entry;
	struct tep_record record = { .data = &entry, .size = sizeof(entry) };
	struct trace_seq line;

	entry.id = event->id;
	trace_seq_init(&line);
	if (!sigsetjmp(no_value, 1))
		tep_print_event(tep, &line, &record, "%s", TEP_PRINT_INFO);
	trace_seq_destroy(&line);
}

/* Returns true if the format is understood; otherwise @said has the reason. */
static bool is_understood(const char *format, const char *system)
{
	struct tep_handle *tep = open_parser();
	enum tep_errno failed = tep_parse_event(tep, format, strlen(format), system);

	if (!failed)
		print_empty(tep, tep_get_first_event(tep));
	else if (!*said)
		tep_strerror(tep, failed, said, sizeof(said));
	tep_free(tep);
	return !*said;
}

/* Prints the first line of @said, without the name of the event that may precede it. */
static void print_reason(const char *event)
{
	const char *behind = *said == '[' ? strstr(said, "] ") : NULL;
	const char *why = behind ? behind + 2 : said;

	printf("%s: %.*s\n", event, (int)strcspn(why, "\n"), why);
}

/* Tries the format in @text, which begins after a separator. Counts it if it is understood. */
static void try_format(char *text, unsigned int *understood)
{
	char *format = strchr(text, '\n');
	char system[100];

	if (!format || sscanf(text, "%*s %99s", system) != 1)
		errx(1, "no place, system, event and format: %s", text);
	*format++ = 0;
	*said = 0;
	if (is_understood(format, system))
		(*understood)++;
	else
		print_reason(text);
}

int main(int argc, char **argv)
{
	unsigned int understood = 0;
	char *text, *next;

	if (argc != 2)
		errx(1, "usage: parse_formats FILE");
	signal(SIGFPE, leave_print);
	signal(SIGSEGV, leave_print);
	next = content_of(argv[1]);
	if (strncmp(next, SEPARATOR, strlen(SEPARATOR)))
		errx(1, "%s does not begin with \"%s\"", argv[1], SEPARATOR);
	while (next) {
		text = next + strlen(SEPARATOR);
		next = strstr(text, "\n" SEPARATOR);
		if (next)
			*next++ = 0;
		try_format(text, &understood);
	}
	printf("%u understood\n", understood);
	return 0;
}
