// SPDX-License-Identifier: GPL-2.0
/*
 * The log of refused commands.
 *
 * A parser calls tracing_log_err() before it returns its errno. The file error_log
 * (command/error_log_file.c) shows the last few commands, each with a caret under the wrong word.
 * The log is in this low room because parsers are in many rooms above it. An entry is formatted
 * when it is logged: it does not point to the parser, its texts or a module.
 *
 * A log must never make a command fail: without memory the command is not logged.
 */
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "error_log.h"
#include "instance/instance.h"
#include "instance/part.h"
#include "internal.h"

#define COMMAND_INDENT	"  Command: "

struct logged_error {
	struct list_head	node;
	struct trace_array	*tr;
	char			*text;
};

/* Protects logged_errors. Innermost: taken under any lock of a parser. */
static DEFINE_MUTEX(error_log_lock);

/* Entries of all instances, oldest first. */
static LIST_HEAD(logged_errors);

static void error_log_free_entry(struct logged_error *err)
{
	list_del(&err->node);
	kfree(err->text);
	kfree(err);
}

static void error_log_make_room(struct trace_array *tr)
{
	struct logged_error *err, *oldest = NULL;
	unsigned int nr = 0;

	list_for_each_entry_reverse(err, &logged_errors, node) {
		if (err->tr != tr)
			continue;
		oldest = err;
		nr++;
	}
	if (nr >= ERROR_LOG_MAX)
		error_log_free_entry(oldest);
}

static char *error_log_format_entry(const char *loc, const char *cmd, const char *text, u16 pos)
{
	u64 usecs = div_u64(local_clock(), NSEC_PER_USEC);
	u32 rest;
	u64 secs = div_u64_rem(usecs, USEC_PER_SEC, &rest);
	int caret = strlen(COMMAND_INDENT) + pos;

	return kasprintf(GFP_KERNEL,
			 "[%5llu.%06u] %s: error: %s\n" COMMAND_INDENT "%s\n%*s^\n",
			 secs, rest, loc, text, cmd, caret, "");
}

void tracing_log_err(struct trace_array *tr, const char *loc, const char *cmd,
		     const char *error, u16 pos)
{
	struct logged_error *err = kmalloc(sizeof(*err), GFP_KERNEL);

	if (!err)
		return;
	err->tr = tr ?: &global_trace;
	err->text = error_log_format_entry(loc, cmd, error, pos);
	if (!err->text) {
		kfree(err);
		return;
	}
	guard(mutex)(&error_log_lock);
	error_log_make_room(err->tr);
	list_add_tail(&err->node, &logged_errors);
}

void error_log_clear(struct trace_array *tr)
{
	struct logged_error *err, *next;

	guard(mutex)(&error_log_lock);
	list_for_each_entry_safe(err, next, &logged_errors, node) {
		if (err->tr == tr)
			error_log_free_entry(err);
	}
}

struct instance_part error_log_part = {
	.unlisted	= error_log_clear,
};

int error_log_show(struct seq_file *m, struct trace_array *tr)
{
	struct logged_error *err;

	guard(mutex)(&error_log_lock);
	list_for_each_entry(err, &logged_errors, node) {
		if (err->tr == tr)
			seq_puts(m, err->text);
	}
	return 0;
}
