// SPDX-License-Identifier: GPL-2.0
/*
 * Printing of system call records as text.
 */
#include <linux/bitops.h>
#include <linux/hex.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "events/events.h"
#include "instance/options.h"
#include "internal.h"
#include "output/output.h"
#include "types/types.h"

/*
 * Lines are written in place and without format strings, because there may be millions of them,
 * and each has only a few words and numbers. SYSCALL_LINE_MAX is longer than any line.
 * SYSCALL_BETWEEN_MAX is the space reserved for all numbers and separators of a line.
 */
#define SYSCALL_LINE_MAX	1024
#define SYSCALL_BETWEEN_MAX	(6 * (2 * sizeof(long) + 5) + 8)

static char *syscall_put_hex(char *p, unsigned long value)
{
	unsigned int digits = value ? __fls(value) / 4 + 1 : 1;

	for (unsigned int i = digits; i--; value >>= 4)
		p[i] = hex_asc_lo(value);
	return p + digits;
}

/* A word that does not fit is left out. */
static char *syscall_put_word(char *p, const char *end, const char *word)
{
	size_t len = strlen(word);

	if (p + len + SYSCALL_BETWEEN_MAX > end)
		return p;
	memcpy(p, word, len);
	return p + len;
}

static char *syscall_put_args(char *p, const char *end, const struct trace_output *o,
			      const struct syscall_metadata *call, const unsigned long *args)
{
	for (int i = 0; i < call->nb_args; i++) {
		if (i) {
			*p++ = ',';
			*p++ = ' ';
		}
		if (o->options & TRACE_OPT_VERBOSE) {
			p = syscall_put_word(p, end, call->types[i]);
			*p++ = ' ';
		}
		p = syscall_put_word(p, end, call->args[i]);
		*p++ = ':';
		*p++ = ' ';
		p = syscall_put_hex(p, args[i]);
	}
	return p;
}

/* Uses the event of the record: the number in the record may be forged by a writer. */
static const struct syscall_metadata *syscall_metadata_of(const struct trace_output *o)
{
	return container_of(o->type, struct event, type)->call->data;
}

static enum print_line_t syscall_enter_text(struct trace_output *o)
{
	const struct syscall_trace_enter *entry = (void *)o->r.ent;
	const struct syscall_metadata *call = syscall_metadata_of(o);
	char *p = output_reserve(&o->seq, SYSCALL_LINE_MAX), *end = p + SYSCALL_LINE_MAX;

	if (p) {
		p = syscall_put_word(p, end, call->name);
		*p++ = '(';
		p = syscall_put_args(p, end, o, call, entry->args);
		*p++ = ')';
		*p++ = '\n';
		output_commit(&o->seq, p);
	}
	return output_done(&o->seq);
}

static enum print_line_t syscall_exit_text(struct trace_output *o)
{
	static const char gives[] = " -> 0x";
	const struct syscall_trace_exit *entry = (void *)o->r.ent;
	char *p = output_reserve(&o->seq, SYSCALL_LINE_MAX), *end = p + SYSCALL_LINE_MAX;

	if (p) {
		p = syscall_put_word(p, end, syscall_metadata_of(o)->name);
		memcpy(p, gives, sizeof(gives) - 1);
		p = syscall_put_hex(p + sizeof(gives) - 1, entry->ret);
		*p++ = '\n';
		output_commit(&o->seq, p);
	}
	return output_done(&o->seq);
}

const struct record_class syscall_enter_lines = { .text = syscall_enter_text };
const struct record_class syscall_exit_lines = { .text = syscall_exit_text };

/* The print format in the format file, by which programs print binary records. */
void syscall_enter_fmt(struct seq_file *m, const struct trace_event_call *event)
{
	const struct syscall_metadata *call = event->data;

	seq_putc(m, '"');
	for (int i = 0; i < call->nb_args; i++)
		seq_printf(m, "%s%s: 0x%%0%zulx", i ? ", " : "", call->args[i],
			   sizeof(unsigned long));
	seq_putc(m, '"');
	for (int i = 0; i < call->nb_args; i++)
		seq_printf(m, ", ((unsigned long)(REC->%s))", call->args[i]);
}

void syscall_exit_fmt(struct seq_file *m, const struct trace_event_call *event)
{
	seq_puts(m, "\"0x%lx\", REC->ret");
}
