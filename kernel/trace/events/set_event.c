// SPDX-License-Identifier: GPL-2.0
/* Events by name: set_event, available_events, trace_event= at boot. */
#define pr_fmt(fmt) "trace events: " fmt

#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/setup.h>

#include "boot.h"
#include "command/words.h"
#include "events.h"
#include "instance/instance.h"
#include "switch.h"
#include "tracefs/files.h"

/* Without seq_printf(), which is slower: there are thousands of events. */
static void event_print_name(struct seq_file *m, const struct event *event)
{
	seq_puts(m, event_system_name(event));
	seq_putc(m, ':');
	seq_puts(m, event->type.name);
	seq_putc(m, '\n');
}

static int available_events_show(struct seq_file *m, const struct trace_node *at)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	list_for_each_entry(file, &events_of(at->tr)->files, node)
		event_print_name(m, file->event);
	return 0;
}

static int set_event_show(struct seq_file *m, const struct trace_node *at)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	list_for_each_entry(file, &events_of(at->tr)->files, node)
		if (file->on)
			event_print_name(m, file->event);
	return 0;
}

/*
 * True if any of these words switches on. words_next() leaves NULs between words, which separate
 * the words in the next pass.
 */
static bool set_event_switches_on(char *text, size_t len)
{
	struct words words;
	char *word;

	words_begin(&words, text, len);
	while ((word = words_next(&words)))
		if (*word != '!')
			return true;
	return false;
}

static int set_event_switch_words(struct trace_array *tr, char *text, size_t len)
{
	struct words words;
	int err = 0, no_room = set_event_switches_on(text, len) ? event_expand(tr) : 0;
	char *word;

	words_begin(&words, text, len);
	guard(mutex)(&events_lock);
	while (!err && (word = words_next(&words)))
		err = (*word == '!' ? 0 : no_room) ?: events_switch_word_later(tr, word);
	return events_settle_after(err);
}

/* Takes at most a page of whole words; user space writes the rest again. */
static ssize_t set_event_write(const struct trace_node *at, const char __user *ubuf,
			       size_t count)
{
	size_t len = min(count, PAGE_SIZE - 1);
	char *text = memdup_user_nul(ubuf, len);
	int err;

	if (IS_ERR(text))
		return PTR_ERR(text);
	if (len < count)
		len = words_whole(text, len);
	err = len || !count ? set_event_switch_words(at->tr, text, len) : -EINVAL;
	kfree(text);
	return err ?: len;
}

static int set_event_truncate(const struct trace_node *at)
{
	int err = events_switch(at->tr, NULL, NULL, false);

	/* -EINVAL: there are no events. */
	return err == -EINVAL ? 0 : err;
}

static const struct trace_file set_event_files[] = {
	{
		.name		= "available_events",
		.mode		= TRACE_FILE_RO,
		.place		= IN_TOP,
		.room		= SZ_64K,
		.show		= available_events_show,
	}, {
		.name		= "set_event",
		.mode		= TRACE_FILE_RW,
		.place		= IN_INSTANCE,
		.show		= set_event_show,
		.write		= set_event_write,
		.truncate	= set_event_truncate,
	},
	{ }
};

TRACE_FILES(set_event_files);

/* ------------------------------------------------------------------ */
/* The command line							*/

static char boot_events[COMMAND_LINE_SIZE] __initdata;

/* Each trace_event= adds to those before it. */
static int __init trace_event_setup(char *str)
{
	tracing_note_boot_parameter("trace_event=");
	words_add_boot(boot_events, sizeof(boot_events), str);
	return 1;
}
__setup("trace_event=", trace_event_setup);

static int __init event_switch_boot_word(struct trace_array *tr, char *word)
{
	int err = *word == '!' ? 0 : event_expand(tr);

	if (err)
		return err;
	guard(mutex)(&events_lock);
	return events_settle_after(events_switch_word_later(tr, word));
}

void __init event_words_switch(struct trace_array *tr, const char *text, bool on)
{
	static char copy[COMMAND_LINE_SIZE + 1] __initdata;
	char *word, *words = copy + 1;

	strscpy(words, text, COMMAND_LINE_SIZE);
	while ((word = strsep(&words, ","))) {
		if (!*word)
			continue;
		/* Overwrites the comma before the word, or the spare byte before the text. */
		if (!on && *word != '!')
			*--word = '!';
		if (event_switch_boot_word(tr, word) && on)
			pr_warn("%s: no such event, no memory, or its probe cannot be armed\n",
				word);
	}
}

void __init event_words_reapply(struct trace_array *tr, const char *text)
{
	event_words_switch(tr, text, false);
	event_words_switch(tr, text, true);
}

void __init event_words_boot(void)
{
	event_words_switch(&global_trace, boot_events, true);
}

static int __init event_reapply_boot_words(void)
{
	if (*boot_events && tracing_initialized())
		event_words_reapply(&global_trace, boot_events);
	return 0;
}
early_initcall(event_reapply_boot_words);
