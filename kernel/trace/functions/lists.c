// SPDX-License-Identifier: GPL-2.0
/*
 * Files that list functions: functions that can be traced, that are traced, and
 * that were ever traced (SPEC D6).
 *
 * A list of all functions has 20,000 lines and more. An open file remembers the
 * address of its next line, so each line costs one step from site to site, and
 * prints names that were decoded once. ftrace_lock is held while text is printed,
 * but not while it is copied to the user; sites may be added and removed in between.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "dispatch/death.h"
#include "dispatch/dispatch.h"
#include "lists.h"
#include "ops/ops.h"
#include "sites/names.h"
#include "sites/sites.h"
#include "tracefs/files.h"

/* Size of the buffer of an open file in bytes. */
#define LIST_ROOM	SZ_64K

/* Kinds of lists. */
enum list_kind {
	LIST_AVAILABLE,		/* available_filter_functions */
	LIST_ADDRESSES,		/* available_filter_functions_addrs */
	LIST_ENABLED,		/* enabled_functions */
	LIST_TOUCHED,		/* touched_functions */
};

/**
 * struct function_list - an open file
 * @kind: kind of the list, which selects functions and the format of lines
 * @pos: position of the current line
 * @ip: address of the site of the current line, 0 after the last line
 * @region: region of the site; valid while ftrace_lock is held
 * @site: the site; valid while ftrace_lock is held
 * @name: name of the function; valid while ftrace_lock is held
 */
struct function_list {
	enum list_kind		kind;
	loff_t			pos;
	unsigned long		ip;
	struct site_region	*region;
	struct site		*site;
	const char		*name;
};

/* One line */

static void function_list_put(struct seq_file *m, const struct site_region *r,
			      const char *name)
{
	seq_puts(m, name);
	if (r->mod)
		seq_printf(m, " [%s]", module_name(r->mod));
}

int function_line_show(struct seq_file *m, unsigned long ip)
{
	struct site_region *r;
	const char *name;
	struct site *s;
	int err;

	guard(mutex)(&ftrace_lock);
	s = site_at(ip, &r);
	if (!s || !site_usable(s))
		return SEQ_SKIP;
	err = names_get(r);
	if (err)
		return err == -EAGAIN ? SEQ_SKIP : err;
	name = site_name(r, site_index(r, s));
	if (!name)
		return SEQ_SKIP;
	function_list_put(m, r, name);
	seq_putc(m, '\n');
	return 0;
}

/*
 * Print the number of ops, flags, and the callbacks with the code that calls them.  The column of
 * ops pointers in front of functions (O) is blank: this tracer has none.
 */
static void function_list_put_ops(struct seq_file *m, const struct site *s, unsigned long ip)
{
	u32 id = site_set_id(s);
	struct dispatch_set *set = id == DISPATCH_EMPTY ? NULL : dispatch_set_by_id(id);
	unsigned long flags = set ? set->flags : 0;
	unsigned int i;

	seq_printf(m, " (%u)%s%s%s  %s", set ? set->nr_ops + !!set->direct : 0,
		   flags & FTRACE_OPS_FL_SAVE_REGS ? " R" : "  ",
		   flags & FTRACE_OPS_FL_IPMODIFY ? " I" : "  ",
		   set && set->direct ? " D" : "  ",
		   site_has(s, SITE_MODIFIED) ? " M " : "   ");
	if (!set)
		return;
	/* When the tracer is dead, a set may still contain ops that were unregistered and freed. */
	for (i = 0; i < set->nr_ops && !ftrace_is_dead(); i++)
		seq_printf(m, "\ttramp: %pS (%pS) ->%pS", (void *)dispatch_target(id, ip),
			   set->ops[i]->func, set->ops[i]->func);
	if (set->direct)
		seq_printf(m, "\n\tdirect-->%pS", (void *)set->direct);
}

static int function_list_show(struct seq_file *m, void *item)
{
	struct function_list *l = item;

	if (l->kind == LIST_ADDRESSES)
		seq_printf(m, "%lx ", l->ip);
	function_list_put(m, l->region, l->name);
	if (l->kind == LIST_ENABLED || l->kind == LIST_TOUCHED)
		function_list_put_ops(m, l->site, l->ip);
	seq_putc(m, '\n');
	return 0;
}

/* Walking the lines */

static bool function_list_wants(const struct function_list *l, const struct site *s)
{
	if (!site_usable(s))
		return false;
	if (l->kind == LIST_ENABLED)
		return site_set_id(s) != DISPATCH_EMPTY;
	return l->kind != LIST_TOUCHED || site_has(s, SITE_TOUCHED);
}

/* Make @s the site of the current line if it is listed. Return: true if it is. */
static bool function_list_set_site(struct function_list *l, struct site *s)
{
	const char *name;

	if (!function_list_wants(l, s))
		return false;
	name = site_name(l->region, site_index(l->region, s));
	if (!name)
		return false;
	l->site = s;
	l->name = name;
	l->ip = site_ip(l->region, s);
	return true;
}

/* Find the first listed site of @l->region from @s on. */
static void *function_list_scan_region(struct function_list *l, struct site *s)
{
	for (; s < sites_end(l->region); s++) {
		if (function_list_set_site(l, s))
			return l;
	}
	return NULL;
}

/* Find the first listed site at or after @ip in all regions. */
static void *function_list_scan_from(struct function_list *l, unsigned long ip)
{
	struct site_region *r;
	struct site *s;
	void *item;
	int err;

	for_each_site_region(r) {
		if (r->last < ip)
			continue;
		err = names_get(r);
		if (err == -EAGAIN)
			continue;
		if (err)
			return ERR_PTR(err);
		l->region = r;
		s = r->base < ip ? site_at(ip, NULL) : NULL;
		for (s = s ?: r->sites; site_ip(r, s) < ip; s++)
			;
		item = function_list_scan_region(l, s);
		if (item)
			return item;
	}
	l->ip = 0;
	return NULL;
}

static void *function_list_next(struct seq_file *m, void *item, loff_t *pos)
{
	struct function_list *l = m->private;

	l->pos = ++*pos;
	item = function_list_scan_region(l, l->site + 1);
	return item ?: function_list_scan_from(l, l->region->last + 1);
}

static void *function_list_start(struct seq_file *m, loff_t *pos)
{
	struct function_list *l = m->private;
	loff_t n = 0;
	void *item;

	mutex_lock(&ftrace_lock);
	if (*pos && *pos == l->pos)
		return l->ip ? function_list_scan_from(l, l->ip) : NULL;
	l->pos = 0;
	item = function_list_scan_from(l, 0);
	while (item && !IS_ERR(item) && n < *pos)
		item = function_list_next(m, item, &n);
	return item;
}

static void function_list_stop(struct seq_file *m, void *item)
{
	mutex_unlock(&ftrace_lock);
}

static const struct seq_operations function_list_sops = {
	.start	= function_list_start,
	.next	= function_list_next,
	.stop	= function_list_stop,
	.show	= function_list_show,
};

static int function_list_open(struct inode *inode, struct file *file, enum list_kind kind)
{
	struct trace_node *node = trace_node_get(inode);
	struct function_list *l = NULL;
	struct seq_file *m;

	if (IS_ERR(node))
		return PTR_ERR(node);
	if (!ftrace_is_dead() || kind == LIST_ENABLED || kind == LIST_TOUCHED)
		l = __seq_open_private(file, &function_list_sops, sizeof(*l));
	if (!l) {
		trace_node_put(node);
		return ftrace_is_dead() ? -ENODEV : -ENOMEM;
	}
	l->kind = kind;
	/* Only an optimization: without memory, seq_file allocates a smaller buffer itself. */
	m = file->private_data;
	m->buf = kvmalloc(LIST_ROOM, GFP_KERNEL | __GFP_NOWARN);
	m->size = m->buf ? LIST_ROOM : 0;
	return 0;
}

static int function_list_release(struct inode *inode, struct file *file)
{
	seq_release_private(inode, file);
	trace_node_put(trace_node_of(inode));
	return 0;
}

#define DEFINE_LIST_FOPS(what, which)					\
static int what##_open(struct inode *inode, struct file *file)		\
{									\
	return function_list_open(inode, file, which);				\
}									\
									\
static const struct file_operations what##_fops = {			\
	.open		= what##_open,					\
	.read_iter	= seq_read_iter,				\
	.splice_read	= copy_splice_read,				\
	.llseek		= seq_lseek,					\
	.release	= function_list_release,					\
}

DEFINE_LIST_FOPS(available_functions, LIST_AVAILABLE);
DEFINE_LIST_FOPS(function_addresses, LIST_ADDRESSES);
DEFINE_LIST_FOPS(enabled_functions, LIST_ENABLED);
DEFINE_LIST_FOPS(touched_functions, LIST_TOUCHED);

static const struct trace_file function_files[] = {
	{
		.name	= "available_filter_functions",
		.mode	= TRACE_FILE_RO,
		.place	= IN_TOP,
		.fops	= &available_functions_fops,
	}, {
		.name	= "available_filter_functions_addrs",
		.mode	= TRACE_FILE_RO,
		.place	= IN_TOP,
		.fops	= &function_addresses_fops,
	}, {
		.name	= "enabled_functions",
		.mode	= TRACE_FILE_RO,
		.place	= IN_TOP,
		.fops	= &enabled_functions_fops,
	}, {
		.name	= "touched_functions",
		.mode	= TRACE_FILE_RO,
		.place	= IN_TOP,
		.fops	= &touched_functions_fops,
	},
	{ }
};

TRACE_FILES(function_files);
