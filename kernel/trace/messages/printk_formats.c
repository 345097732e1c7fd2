// SPDX-License-Identifier: GPL-2.0
/*
 * The strings that records of trace_printk() point to.
 *
 * The strings have three sources, and are numbered consecutively: the formats in the kernel
 * image, the strings marked with tracepoint_string(), and copies of the formats of modules.
 * The first two never change. A copy is made before the first function of its module runs. It
 * is shared by all modules that have an equal format, and is never freed: records that point to
 * it may be anywhere, even in files.
 */
#include <linux/cleanup.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/string_helpers.h>
#include <linux/trace.h>

#include "printk_formats.h"

/**
 * struct kept_format - copy of a format of a module
 * @list: entry of the list of copies
 * @str: address of @text, as printk_formats_nth() returns the place where it is stored
 * @text: the copy
 */
struct kept_format {
	struct list_head	list;
	const char		*str;
	char			text[];
};

/*
 * Serializes additions to kept_formats, as modules may be loaded concurrently. The list only grows,
 * so readers need no lock. No other lock is taken inside.
 */
static DEFINE_MUTEX(kept_formats_lock);
/* The copies of formats of modules. */
static LIST_HEAD(kept_formats);

bool printk_formats_in_kernel(void)
{
	return &__start___trace_bprintk_fmt[0] != &__stop___trace_bprintk_fmt[0];
}

/* Return: the place where the address of string number @n is stored; NULL if there is none. */
static const char * const *printk_formats_nth(loff_t n)
{
	const loff_t nr_core = __stop___trace_bprintk_fmt - __start___trace_bprintk_fmt;
	const loff_t nr_tracepoint = __stop___tracepoint_str - __start___tracepoint_str;
	struct kept_format *kept;

	if (n < nr_core)
		return &__start___trace_bprintk_fmt[n];
	n -= nr_core;
	if (n < nr_tracepoint)
		return &__start___tracepoint_str[n];
	n -= nr_tracepoint;
	list_for_each_entry_lockless(kept, &kept_formats, list)
		if (!n--)
			return &kept->str;

	return NULL;
}

bool printk_formats_has(const char *str)
{
	const char * const *place;
	loff_t n = 0;

	if (!str)
		return false;

	while ((place = printk_formats_nth(n)) && *place != str)
		n++;

	return place;
}

static void *printk_formats_start(struct seq_file *m, loff_t *pos)
{
	return (void *)printk_formats_nth(*pos);
}

static void *printk_formats_next(struct seq_file *m, void *v, loff_t *pos)
{
	return (void *)printk_formats_nth(++*pos);
}

static void printk_formats_stop(struct seq_file *m, void *v)
{
}

/* An address may be NULL, for a format that the compiler has found not to be constant. */
static int printk_formats_show(struct seq_file *m, void *v)
{
	const char *str = *(const char **)v;

	if (!str)
		return 0;

	seq_printf(m, "0x%lx : \"", (unsigned long)str);
	seq_escape_str(m, str, ESCAPE_SPACE | ESCAPE_SPECIAL, "\n\t\"");
	seq_puts(m, "\"\n");

	return 0;
}

const struct seq_operations printk_formats_sops = {
	.start	= printk_formats_start,
	.next	= printk_formats_next,
	.stop	= printk_formats_stop,
	.show	= printk_formats_show,
};

const char *printk_formats_keep(const char *str)
{
	size_t size = strlen(str) + 1;
	struct kept_format *kept;

	guard(mutex)(&kept_formats_lock);
	list_for_each_entry(kept, &kept_formats, list)
		if (!strcmp(kept->str, str))
			return kept->str;

	kept = kmalloc(struct_size(kept, text, size), GFP_KERNEL);
	if (!kept)
		return NULL;
	kept->str = memcpy(kept->text, str, size);
	list_add_tail_rcu(&kept->list, &kept_formats);

	return kept->str;
}
