// SPDX-License-Identifier: GPL-2.0
/*
 * Choosing functions from inside the kernel: what modules call
 * for their ops, and the parameters ftrace_filter= and ftrace_notrace=.
 *
 * All of it is edits (edit.h) that begin and end in one call.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/err.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/setup.h>

#include "edit.h"

/*
 * Two edits of one filter at a time would lose what the first to be committed
 * has changed.  Outside of ftrace_lock.
 */
static DEFINE_MUTEX(edit_lock);

static int edit_end(struct ftrace_ops *ops, struct filter_edit *edit, int ret)
{
	lockdep_assert_held(&edit_lock);
	if (ret)
		filter_edit_abort(edit);
	else
		ret = filter_edit_commit(edit);
	/* Live patching takes its function away, and frees the ops: no more. */
	filter_trim(ops);
	return ret;
}

static int edit_buffer(struct filter_edit *edit, const char *buf, int len)
{
	char *word = kmemdup_nul(buf, len, GFP_KERNEL);
	int ret = word ? filter_edit_word(edit, strim(word)) : -ENOMEM;

	kfree(word);
	return ret;
}

static int set_words(struct ftrace_ops *ops, const char *buf, int len,
		     unsigned int flags)
{
	struct filter_edit *edit;

	guard(mutex)(&edit_lock);
	edit = filter_edit_begin(ops, flags);
	if (IS_ERR(edit))
		return PTR_ERR(edit);
	return edit_end(ops, edit, buf ? edit_buffer(edit, buf, len) : 0);
}

/* Set once, while the kernel comes up. */
void (*filter_find_function)(unsigned long addr);

/* By address they need not have run. */
static void find_functions(const unsigned long *ips, unsigned int nr)
{
	for (unsigned int i = 0; filter_find_function && i < nr; i++)
		/* One that has failed has a record as well. */
		if (!ftrace_location(ips[i]) &&
		    !ftrace_text_reserved((void *)ips[i], (void *)ips[i]))
			filter_find_function(ips[i]);
}

static int set_ips(struct ftrace_ops *ops, const unsigned long *ips,
		   unsigned int nr, bool remove, unsigned int flags)
{
	struct filter_edit *edit;

	/*
	 * Before edit_lock: it takes kprobe_mutex, and kprobes call us with that held, so
	 * that is outside of edit_lock. They come only with sites that have a record, for
	 * which find_functions() does nothing.
	 */
	if (!remove)
		find_functions(ips, nr);
	guard(mutex)(&edit_lock);
	edit = filter_edit_begin(ops, flags);
	if (IS_ERR(edit))
		return PTR_ERR(edit);
	return edit_end(ops, edit, filter_edit_ips(edit, ips, nr, remove));
}

/**
 * ftrace_set_filter - choose the functions of an ops by name
 * @ops: the ops, registered or not
 * @buf: a word as in set_ftrace_filter, or NULL
 * @len: its length
 * @reset: forget what was chosen before
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if nothing matches, as nothing does an empty word, or if an ops with
 * FTRACE_OPS_FL_IPMODIFY would want all while it is registered; -ENOMEM; -EBUSY; -ENODEV.
 */
int ftrace_set_filter(struct ftrace_ops *ops, unsigned char *buf, int len, int reset)
{
	return set_words(ops, buf, len, reset ? FILTER_EDIT_RESET : 0);
}
EXPORT_SYMBOL_GPL(ftrace_set_filter);

/**
 * ftrace_set_notrace - choose the functions that an ops must not see
 * @ops: the ops, registered or not
 * @buf: a word as in set_ftrace_notrace, or NULL
 * @len: its length
 * @reset: forget what was chosen before
 *
 * Context, Return: as ftrace_set_filter(); -EINVAL also with FTRACE_OPS_FL_IPMODIFY.
 */
int ftrace_set_notrace(struct ftrace_ops *ops, unsigned char *buf, int len, int reset)
{
	return set_words(ops, buf, len,
			 FILTER_EDIT_NOTRACE | (reset ? FILTER_EDIT_RESET : 0));
}
EXPORT_SYMBOL_GPL(ftrace_set_notrace);

/**
 * ftrace_set_filter_ips - choose the functions of an ops by address
 * @ops: the ops, registered or not
 * @ips: addresses of functions or of their call sites
 * @cnt: how many
 * @remove: take them away instead
 * @reset: forget what was chosen before
 *
 * An ops for which none is chosen any more wants all; but none, if some were chosen that
 * went with their module.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL for an address that cannot be traced, or if an ops with
 * FTRACE_OPS_FL_IPMODIFY would want all while it is registered; -ENOENT for one to
 * remove that was not chosen; -ENOMEM; -EBUSY; -ENODEV.
 */
int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips,
			  unsigned int cnt, int remove, int reset)
{
	return set_ips(ops, ips, cnt, remove, reset ? FILTER_EDIT_RESET : 0);
}
EXPORT_SYMBOL_GPL(ftrace_set_filter_ips);

int filter_remove_ips(struct ftrace_ops *ops, const unsigned long *ips,
		      unsigned int nr)
{
	return set_ips(ops, ips, nr, true, FILTER_EDIT_TO_NONE);
}

/**
 * ftrace_set_filter_ip - ftrace_set_filter_ips() for one address
 * @ops: the ops, registered or not
 * @ip: address of a function or of its call site
 * @remove: take it away instead
 * @reset: forget what was chosen before
 *
 * Context, Return: as ftrace_set_filter_ips().
 */
int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip, int remove, int reset)
{
	return ftrace_set_filter_ips(ops, &ip, 1, remove, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_filter_ip);

/* The global filter has no ops of its own; this stands for it. */
static struct ftrace_ops global_handle = { .filter = &global_filter };

/**
 * ftrace_set_global_filter - write a word to the top-level set_ftrace_filter
 * @buf: the word, or NULL
 * @len: its length
 * @reset: forget what was chosen before
 *
 * All ops that follow the global filter do so from now on.  Nobody is told of
 * an error.
 *
 * Context: may sleep.
 */
void ftrace_set_global_filter(unsigned char *buf, int len, int reset)
{
	ftrace_set_filter(&global_handle, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_global_filter);

/**
 * ftrace_set_global_notrace - write a word to the top-level set_ftrace_notrace
 * @buf: the word, or NULL
 * @len: its length
 * @reset: forget what was chosen before
 *
 * As ftrace_set_global_filter().
 *
 * Context: may sleep.
 */
void ftrace_set_global_notrace(unsigned char *buf, int len, int reset)
{
	ftrace_set_notrace(&global_handle, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_global_notrace);

/* ------------------------------------------------------------------ */
/* Boot									*/

static char boot_filter[COMMAND_LINE_SIZE] __initdata;
static char boot_notrace[COMMAND_LINE_SIZE] __initdata;

static int __init ftrace_filter_setup(char *str)
{
	strscpy(boot_filter, str, sizeof(boot_filter));
	return 1;
}
__setup("ftrace_filter=", ftrace_filter_setup);

static int __init ftrace_notrace_setup(char *str)
{
	strscpy(boot_notrace, str, sizeof(boot_notrace));
	return 1;
}
__setup("ftrace_notrace=", ftrace_notrace_setup);

static void __init boot_words(char *list, const char *what, unsigned int flags)
{
	char *word;

	while ((word = strsep(&list, ","))) {
		if (*word && set_words(&global_handle, word, strlen(word), flags))
			pr_warn("%s=: no function %s\n", what, word);
	}
}

void __init filter_boot(void)
{
	boot_words(boot_filter, "ftrace_filter", 0);
	boot_words(boot_notrace, "ftrace_notrace", FILTER_EDIT_NOTRACE);
}
