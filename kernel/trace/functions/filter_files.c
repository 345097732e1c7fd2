// SPDX-License-Identifier: GPL-2.0
/*
 * The files set_ftrace_filter and set_ftrace_notrace (SPEC D5).
 *
 * An open file has an edit, a private copy of the filter, which begins empty with
 * O_TRUNC. Written words change the edit; closing the file commits
 * it. An invalid word fails its write(), earlier words stay in the edit.
 * Function commands (func:traceoff) are not part of the filter: they take
 * effect at once, even if the edit is not committed.
 *
 * This file splits text at white space and colons; ops/edit.c and actions/func_command.c
 * interpret the words.
 */
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "actions/func_command.h"
#include "command/words.h"
#include "dispatch/death.h"
#include "filter_files.h"
#include "instance/instance.h"
#include "lists.h"
#include "ops/edit.h"
#include "ops/ops.h"
#include "sites/ip_set.h"
#include "tracefs/files.h"

/* Maximum size of a word in bytes, including its NUL. */
#define WORD_MAX	(KSYM_SYMBOL_LEN + 64)

/* Kinds of lines that are read from a filter file, in their order. */
enum line_kind {
	LINE_ALL,	/* the text for an empty side */
	LINE_SITE,	/* a function */
	LINE_PENDING,	/* a word that waits for functions and has named none yet */
	LINE_COMMAND,	/* a function command */
};

/**
 * struct filter_file - an open filter file
 * @tr: the instance
 * @list: description of the file
 * @lock: protects the members below; taken before func_command_lock and ftrace_lock
 * @edit: the edit of the filter
 * @kind: kind of the line that is read
 * @n: index of the line among those of its kind
 * @applied: a word has been applied to @edit, or a command run
 * @failed: a write has failed
 * @len: number of bytes in @part
 * @part: beginning of a word whose end has not been written yet
 */
struct filter_file {
	struct trace_array	*tr;
	const struct filter_list *list;
	struct mutex		lock;	/* of this open file */
	struct filter_edit	*edit;
	enum line_kind		kind;
	loff_t			n;
	bool			applied;
	bool			failed;
	size_t			len;
	char			part[WORD_MAX];
};

/* Reading */

static struct filter_pending *filter_nth_pending(const struct filter_side *side, loff_t n)
{
	struct filter_pending *p;

	list_for_each_entry(p, &side->pending, node) {
		if (!p->named && !n--)
			return p;
	}
	return NULL;
}

static loff_t filter_count_pending(const struct filter_side *side)
{
	struct filter_pending *p;
	loff_t n = 0;

	list_for_each_entry(p, &side->pending, node)
		n += !p->named;
	return n;
}

static void filter_put_pending(struct seq_file *m, const struct filter_pending *p)
{
	seq_puts(m, p->pattern);
	if (p->module)
		seq_printf(m, ":mod:%s", p->module);
	seq_putc(m, '\n');
}

/* Set @f->kind and @f->n to the line at position @n. Return: false after the last line. */
static bool filter_find_line(struct filter_file *f, loff_t n)
{
	const struct filter_side *side = filter_edit_side(f->edit);
	const loff_t lines[] = {
		[LINE_ALL]	= !side->set,
		[LINE_SITE]	= ip_set_size(side->sites),
		[LINE_PENDING]	= filter_count_pending(side),
	};

	for (f->kind = LINE_ALL; f->kind < LINE_COMMAND; f->kind++) {
		if (n < lines[f->kind])
			break;
		n -= lines[f->kind];
	}
	f->n = n;
	if (f->kind < LINE_COMMAND)
		return true;
	return f->list->commands && func_command_show(NULL, f->tr, n);
}

static void *filter_line_start(struct seq_file *m, loff_t *pos)
{
	struct filter_file *f = m->private;
	int ret;

	mutex_lock(&f->lock);
	ret = filter_edit_merge(f->edit);
	if (ret)
		return ERR_PTR(ret);
	return filter_find_line(f, *pos) ? f : NULL;
}

static void *filter_line_next(struct seq_file *m, void *item, loff_t *pos)
{
	return filter_find_line(item, ++*pos) ? item : NULL;
}

static void filter_line_stop(struct seq_file *m, void *item)
{
	struct filter_file *f = m->private;

	mutex_unlock(&f->lock);
}

static int filter_line_show(struct seq_file *m, void *item)
{
	struct filter_file *f = item;
	const struct filter_side *side = filter_edit_side(f->edit);

	switch (f->kind) {
	case LINE_ALL:
		seq_puts(m, f->list->when_empty);
		return 0;
	case LINE_SITE:
		return function_line_show(m, side->sites->ips[f->n]);
	case LINE_PENDING:
		filter_put_pending(m, filter_nth_pending(side, f->n));
		return 0;
	case LINE_COMMAND:
		/* The command may have been removed since filter_find_line(). */
		return func_command_show(m, f->tr, f->n) ? 0 : SEQ_SKIP;
	}
	return 0;
}

static const struct seq_operations filter_line_sops = {
	.start	= filter_line_start,
	.next	= filter_line_next,
	.stop	= filter_line_stop,
	.show	= filter_line_show,
};

/* Writing */

/* Check for "function:command:parameter". ":mod:" is part of a filter word, not a command. */
static bool word_is_command(const char *word)
{
	const char *colon = strchr(word, ':');

	return colon && !str_has_prefix(colon, ":mod:");
}

static int filter_file_run_command(struct filter_file *f, char *word)
{
	char *glob, *command;

	if (!f->list->commands)
		return -EINVAL;
	glob = strsep(&word, ":");
	command = strsep(&word, ":");
	return func_command_write(f->tr, glob, command, word);
}

static int filter_file_apply_word(struct filter_file *f, char *word)
{
	int err;

	if (strlen(word) >= WORD_MAX)
		return -EINVAL;
	err = word_is_command(word) ? filter_file_run_command(f, word) :
				      filter_edit_word(f->edit, word);
	f->applied |= !err;
	return err;
}

static int filter_file_apply_words(struct filter_file *f, char *text, size_t len)
{
	struct words words;
	char *word;
	int err;

	words_begin(&words, text, len);
	while ((word = words_next(&words))) {
		/* Each word may need a pass over all names. */
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
		err = filter_file_apply_word(f, word);
		if (err)
			return err;
	}
	return 0;
}

/* Keep the beginning of a word whose end has not been written yet. */
static int filter_file_keep_part(struct filter_file *f, const char *part, size_t len)
{
	if (len >= WORD_MAX)
		return -EINVAL;
	memcpy(f->part, part, len);
	f->len = len;
	return 0;
}

/* Apply the complete words of @text, which begins with the kept part, and keep the rest. */
static int filter_file_apply_text(struct filter_file *f, char *text, size_t len)
{
	size_t whole = words_whole(text, len);
	int err;

	f->len = 0;
	err = filter_file_apply_words(f, text, whole);
	return err ?: filter_file_keep_part(f, text + whole, len - whole);
}

static struct filter_file *filter_file_of(struct file *file)
{
	struct seq_file *m = file->private_data;

	return m->private;
}

static int filter_file_apply_user_text(struct filter_file *f, const char __user *ubuf, size_t len)
{
	char *text = kvmalloc(f->len + len + 1, GFP_KERNEL);
	int err = -EFAULT;

	if (!text)
		return -ENOMEM;
	memcpy(text, f->part, f->len);
	if (!copy_from_user(text + f->len, ubuf, len))
		err = filter_file_apply_text(f, text, f->len + len);
	kvfree(text);
	return err;
}

static ssize_t filter_file_write(struct file *file, const char __user *ubuf,
				 size_t count, loff_t *pos)
{
	struct filter_file *f = filter_file_of(file);
	size_t len = min_t(size_t, count, SZ_64K);
	int err;

	if (ftrace_is_dead())
		return -ENODEV;
	guard(mutex)(&f->lock);
	err = filter_file_apply_user_text(f, ubuf, len);
	f->failed |= !!err;
	return err ?: len;
}

/* Opening and closing */

static int filter_file_set_up(struct filter_file *f, struct file *file,
			      const struct trace_node *node)
{
	const struct filter_list *list = node->row->data;
	unsigned int flags = list->except ? FILTER_EDIT_NOTRACE : 0;

	if ((file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC))
		flags |= FILTER_EDIT_RESET;
	mutex_init(&f->lock);
	f->tr = node->tr;
	f->list = list;
	f->edit = filter_edit_begin(list->ops(node->tr), flags);
	return PTR_ERR_OR_ZERO(f->edit);
}

static int filter_file_open(struct inode *inode, struct file *file)
{
	struct trace_node *node = trace_node_get(inode);
	struct filter_file *f;
	int err;

	if (IS_ERR(node))
		return PTR_ERR(node);
	err = -ENODEV;
	if (ftrace_is_dead())
		goto out_node;
	err = -ENOMEM;
	f = __seq_open_private(file, &filter_line_sops, sizeof(*f));
	if (!f)
		goto out_node;
	trace_file_allow_pwrite(file);
	err = filter_file_set_up(f, file, node);
	if (!err)
		return 0;
	seq_release_private(inode, file);
out_node:
	trace_node_put(node);
	return err;
}

/* Check whether to commit the edit: not if the file was written and all writes failed. */
static bool filter_file_changed(struct filter_file *f, struct file *file)
{
	return (file->f_mode & FMODE_WRITE) && (f->applied || !f->failed);
}

static void filter_file_commit(struct filter_file *f)
{
	/* An error can be ignored: filter_edit_commit() tries again and fails in turn. */
	filter_edit_merge(f->edit);
	if (f->list->begin)
		f->list->begin(!filter_edit_side(f->edit)->set);
	filter_edit_commit(f->edit);
	if (f->list->end)
		f->list->end();
}

static int filter_file_release(struct inode *inode, struct file *file)
{
	struct filter_file *f = filter_file_of(file);

	f->failed |= !!filter_file_apply_words(f, f->part, f->len);
	/* close() cannot report an error: if the commit fails, the old filter stays. */
	if (filter_file_changed(f, file))
		filter_file_commit(f);
	else
		filter_edit_abort(f->edit);
	mutex_destroy(&f->lock);
	seq_release_private(inode, file);
	trace_node_put(trace_node_of(inode));
	return 0;
}

const struct file_operations filter_file_fops = {
	.open		= filter_file_open,
	.read_iter	= seq_read_iter,
	.splice_read	= copy_splice_read,
	.write		= filter_file_write,
	.llseek		= trace_file_llseek,
	.release	= filter_file_release,
};

static struct ftrace_ops *filter_instance_ops(struct trace_array *tr)
{
	return &tr->gops.ops;
}

static const struct filter_list filter_list = {
	.ops		= filter_instance_ops,
	.commands	= true,
	.when_empty	= "#### all functions enabled ####\n",
};

static const struct filter_list notrace_list = {
	.ops		= filter_instance_ops,
	.except		= true,
	.when_empty	= "#### no functions disabled ####\n",
};

static const struct trace_file filter_files[] = {
	{
		.name	= "set_ftrace_filter",
		.mode	= TRACE_FILE_RW,
		.place	= IN_INSTANCE,
		.fops	= &filter_file_fops,
		.data	= &filter_list,
	}, {
		.name	= "set_ftrace_notrace",
		.mode	= TRACE_FILE_RW,
		.place	= IN_INSTANCE,
		.fops	= &filter_file_fops,
		.data	= &notrace_list,
	},
	{ }
};

TRACE_FILES(filter_files);
