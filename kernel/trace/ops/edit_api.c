// SPDX-License-Identifier: GPL-2.0
/*
 * Filters set from inside the kernel: ftrace_set_filter() and its like for
 * ops of modules, and the boot parameters ftrace_filter= and ftrace_notrace=.
 *
 * Each call begins, applies and commits one edit (edit.h).
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
#include "internal.h"

/*
 * Serializes the edits of this file: of two concurrent edits of one filter, the later
 * commit would undo the earlier one.  Taken before ftrace_lock.
 */
static DEFINE_MUTEX(edit_lock);

static int edit_finish(struct ftrace_ops *ops, struct filter_edit *edit, int ret)
{
	lockdep_assert_held(&edit_lock);
	if (ret)
		filter_edit_abort(edit);
	else
		ret = filter_edit_commit(edit);
	/* Live patching removes its function and frees the ops without ftrace_free_filter(). */
	filter_trim(ops);
	return ret;
}

static int edit_apply_buffer(struct filter_edit *edit, const char *buf, int len)
{
	char *word = kmemdup_nul(buf, len, GFP_KERNEL);
	int ret = word ? filter_edit_word(edit, strim(word)) : -ENOMEM;

	kfree(word);
	return ret;
}

static int edit_set_words(struct ftrace_ops *ops, const char *buf, int len,
			  unsigned int flags)
{
	struct filter_edit *edit;

	guard(mutex)(&edit_lock);
	edit = filter_edit_begin(ops, flags);
	if (IS_ERR(edit))
		return PTR_ERR(edit);
	return edit_finish(ops, edit, buf ? edit_apply_buffer(edit, buf, len) : 0);
}

/* Set once, during boot, by discover/. */
void (*filter_find_function)(unsigned long addr);

/*
 * Make functions traceable whose sites are in no table, even if they have never run. Return: true
 * if there were such functions.
 */
static bool edit_find_functions(const unsigned long *ips, unsigned int nr)
{
	bool any = false;

	for (unsigned int i = 0; filter_find_function && i < nr; i++) {
		/* A site that has failed has a record but no ftrace_location(). */
		if (ftrace_location(ips[i]) ||
		    ftrace_text_reserved((void *)ips[i], (void *)ips[i]))
			continue;
		filter_find_function(ips[i]);
		any = true;
	}
	return any;
}

static int edit_try_ips(struct ftrace_ops *ops, const unsigned long *ips,
			unsigned int nr, bool remove, unsigned int flags)
{
	struct filter_edit *edit;

	guard(mutex)(&edit_lock);
	edit = filter_edit_begin(ops, flags);
	if (IS_ERR(edit))
		return PTR_ERR(edit);
	return edit_finish(ops, edit, filter_edit_ips(edit, ips, nr, remove));
}

static int edit_set_ips(struct ftrace_ops *ops, const unsigned long *ips,
			unsigned int nr, bool remove, unsigned int flags)
{
	int err = edit_try_ips(ops, ips, nr, remove, flags);

	/*
	 * edit_find_functions() takes kprobe_mutex, which is taken before edit_lock, so
	 * edit_lock is not held here. Kprobes hold kprobe_mutex when they call this, but only
	 * for sites that have a record, for which edit_find_functions() does nothing.
	 */
	if (err == -EINVAL && !remove && edit_find_functions(ips, nr))
		err = edit_try_ips(ops, ips, nr, remove, flags);
	return err;
}

/**
 * ftrace_set_filter() - choose the functions of an ops by name
 * @ops: the ops, registered or not
 * @buf: a word as in set_ftrace_filter, or NULL
 * @len: length of @buf in bytes
 * @reset: true to clear the filter first
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if no function matches (an empty word matches none), or if an ops with
 * FTRACE_OPS_FL_IPMODIFY would want all functions while it is registered; -ENOMEM; -EBUSY;
 * -ENODEV.
 */
int ftrace_set_filter(struct ftrace_ops *ops, unsigned char *buf, int len, int reset)
{
	return edit_set_words(ops, buf, len, reset ? FILTER_EDIT_RESET : 0);
}
EXPORT_SYMBOL_GPL(ftrace_set_filter);

/**
 * ftrace_set_notrace() - choose the functions that an ops is not called from, by name
 * @ops: the ops, registered or not
 * @buf: a word as in set_ftrace_notrace, or NULL
 * @len: length of @buf in bytes
 * @reset: true to clear the "except" side of the filter first
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if no function matches, or for an ops with FTRACE_OPS_FL_IPMODIFY;
 * -ENOMEM; -EBUSY; -ENODEV.
 */
int ftrace_set_notrace(struct ftrace_ops *ops, unsigned char *buf, int len, int reset)
{
	return edit_set_words(ops, buf, len,
			      FILTER_EDIT_NOTRACE | (reset ? FILTER_EDIT_RESET : 0));
}
EXPORT_SYMBOL_GPL(ftrace_set_notrace);

/**
 * ftrace_set_filter_ips() - choose the functions of an ops by address
 * @ops: the ops, registered or not
 * @ips: addresses of functions or of their call sites
 * @cnt: number of addresses
 * @remove: true to remove the functions instead
 * @reset: true to clear the filter first
 *
 * After the last chosen function is removed, the ops wants all functions; it wants none
 * if other chosen functions have vanished with their module.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL for an address that cannot be traced, or if an ops with
 * FTRACE_OPS_FL_IPMODIFY would want all functions while it is registered; -ENOENT for an
 * address to remove that was not chosen; -ENOMEM; -EBUSY; -ENODEV.
 */
int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips,
			  unsigned int cnt, int remove, int reset)
{
	return edit_set_ips(ops, ips, cnt, remove, reset ? FILTER_EDIT_RESET : 0);
}
EXPORT_SYMBOL_GPL(ftrace_set_filter_ips);

int filter_remove_ips(struct ftrace_ops *ops, const unsigned long *ips,
		      unsigned int nr)
{
	return edit_set_ips(ops, ips, nr, true, FILTER_EDIT_TO_NONE);
}

/**
 * ftrace_set_filter_ip() - choose one function of an ops by address
 * @ops: the ops, registered or not
 * @ip: address of the function or of its call site
 * @remove: true to remove the function instead
 * @reset: true to clear the filter first
 *
 * Context: may sleep.
 *
 * Return: as of ftrace_set_filter_ips().
 */
int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip, int remove, int reset)
{
	return ftrace_set_filter_ips(ops, &ip, 1, remove, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_filter_ip);

/* A handle for edits of the global filter, which belongs to no single ops. */
static struct ftrace_ops global_filter_ops = { .filter = &global_filter };

/**
 * ftrace_set_global_filter() - apply a word to the top-level set_ftrace_filter
 * @buf: the word, or NULL
 * @len: length of @buf in bytes
 * @reset: true to clear the filter first
 *
 * Takes effect for all ops that follow the global filter.  Errors are ignored.
 *
 * Context: may sleep.
 */
void ftrace_set_global_filter(unsigned char *buf, int len, int reset)
{
	ftrace_set_filter(&global_filter_ops, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_global_filter);

/**
 * ftrace_set_global_notrace() - apply a word to the top-level set_ftrace_notrace
 * @buf: the word, or NULL
 * @len: length of @buf in bytes
 * @reset: true to clear the "except" side of the filter first
 *
 * Takes effect for all ops that follow the global filter.  Errors are ignored.
 *
 * Context: may sleep.
 */
void ftrace_set_global_notrace(unsigned char *buf, int len, int reset)
{
	ftrace_set_notrace(&global_filter_ops, buf, len, reset);
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

static void __init filter_boot_words(char *list, const char *what, unsigned int flags)
{
	char *word;

	while ((word = strsep(&list, ","))) {
		if (*word && edit_set_words(&global_filter_ops, word, strlen(word), flags))
			pr_warn("%s=: no function %s\n", what, word);
	}
}

void __init filter_boot(void)
{
	filter_boot_words(boot_filter, "ftrace_filter", 0);
	filter_boot_words(boot_notrace, "ftrace_notrace", FILTER_EDIT_NOTRACE);
}
