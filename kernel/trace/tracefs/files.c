// SPDX-License-Identifier: GPL-2.0
/*
 * The tracefs tree.
 *
 * Each control file is a row of a table. A room that has something to control defines tables,
 * one for each topic, and this file turns the rows into files: at boot for the top level, and
 * whenever an instance is created. Most rows are a pair of show and store functions; the file
 * operations for all of those are here.
 *
 * An inode does not point to a trace_node but holds its number. tracefs allows an open to race
 * with the removal of the file, so the target of a pointer might be freed when the open
 * begins; a number is looked up.
 *
 * Nothing here knows what the files control.
 */
#include <linux/fs.h>
#include <linux/fsnotify.h>
#include <linux/init.h>
#include <linux/rcupdate.h>
#include <linux/ring_buffer.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/tracefs.h>
#include <linux/uaccess.h>
#include <linux/xarray.h>

#include "files.h"
#include "instance/instance.h"
#include "instance/part.h"
#include "internal.h"

/* Registered tables of files. Complete before the first tree is created. */
static LIST_HEAD(trace_file_tables);

void __init trace_file_table_add(struct trace_file_table *table)
{
	list_add_tail(&table->node, &trace_file_tables);
}

/*
 * All trace_nodes by number. The lock of the xarray makes the lookup of a node and the
 * reference to it atomic. Numbers are not reused soon, so that an inode of a removed instance
 * finds no node, rather than that of another file.
 */
static DEFINE_XARRAY_ALLOC1(trace_nodes);
static u32 trace_node_next_id;

static void trace_node_free(struct kref *ref)
{
	struct trace_node *node = container_of(ref, struct trace_node, ref);

	/* trace_file_find_dentry() may be reading the node under RCU. */
	kfree_rcu(node, rcu);
}

struct trace_node *trace_node_of(struct inode *inode)
{
	return xa_load(&trace_nodes, (unsigned long)inode->i_private);
}

static struct trace_node *trace_node_pin(struct inode *inode)
{
	struct trace_node *node;

	xa_lock(&trace_nodes);
	node = trace_node_of(inode);
	if (node)
		kref_get(&node->ref);
	xa_unlock(&trace_nodes);
	return node;
}

/*
 * Take a reference to the instance of a node. The address of the instance may meanwhile be
 * that of a new instance: then the node was removed before.
 */
static int trace_node_pin_instance(struct inode *inode, struct trace_node *node)
{
	int err = trace_array_get(node->tr);

	if (err || trace_node_of(inode) == node)
		return err;
	trace_array_put(node->tr);
	return -ENODEV;
}

struct trace_node *trace_node_get(struct inode *inode)
{
	int err = security_locked_down(LOCKDOWN_TRACEFS);
	struct trace_node *node;

	if (err)
		return ERR_PTR(err);
	if (!tracing_initialized())
		return ERR_PTR(-ENODEV);
	node = trace_node_pin(inode);
	if (!node)
		return ERR_PTR(-ENODEV);
	err = trace_node_pin_instance(inode, node);
	if (err) {
		kref_put(&node->ref, trace_node_free);
		return ERR_PTR(err);
	}
	return node;
}

void trace_node_put(struct trace_node *node)
{
	trace_array_put(node->tr);
	kref_put(&node->ref, trace_node_free);
}

/* File operations of rows with show and store */

static int text_show(struct seq_file *m, void *unused)
{
	const struct trace_node *node = m->private;

	return node->row->show ? node->row->show(m, node) : 0;
}

static int text_truncate(const struct trace_node *node, struct file *file)
{
	if (!trace_file_truncates(file) || !node->row->truncate)
		return 0;
	return node->row->truncate(node);
}

/* Open a text file. Truncation comes last: nothing may have changed if memory is short. */
static int text_file_begin(struct trace_node *node, struct inode *inode,
			   struct file *file)
{
	size_t room = node->row->room;
	int err = room ? single_open_size(file, text_show, node, room) :
			 single_open(file, text_show, node);

	if (err)
		return err;
	err = text_truncate(node, file);
	if (err)
		single_release(inode, file);
	else
		trace_file_allow_pwrite(file);
	return err;
}

/*
 * Get the node for an open file: @node itself for a file with a node of its own; if one node
 * stands for several files, a new one that refers to @node and has the row of the file.
 */
static struct trace_node *text_node_for_open(struct trace_node *node, const struct trace_file *row)
{
	struct trace_node *view;

	if (!row)
		return node;
	view = kmalloc(sizeof(*view), GFP_KERNEL);
	if (view)
		*view = (struct trace_node) {
			.row = row, .tr = node->tr, .cpu = node->cpu, .data = node->data,
			.of = node,
		};
	return view;
}

static void text_file_end(struct trace_node *view)
{
	struct trace_node *node = view->of ?: view;

	if (view->of)
		kfree(view);
	trace_node_put(node);
}

int trace_text_open(struct inode *inode, struct file *file, const struct trace_file *row)
{
	struct trace_node *view, *node = trace_node_get(inode);
	int err;

	if (IS_ERR(node))
		return PTR_ERR(node);
	view = text_node_for_open(node, row);
	if (!view) {
		trace_node_put(node);
		return -ENOMEM;
	}
	err = text_file_begin(view, inode, file);
	if (err)
		text_file_end(view);
	return err;
}

static int text_open(struct inode *inode, struct file *file)
{
	return trace_text_open(inode, file, NULL);
}

static struct trace_node *text_node(const struct file *file)
{
	const struct seq_file *m = file->private_data;

	return m->private;
}

const struct trace_node *trace_text_node(const struct file *file)
{
	return text_node(file);
}

int trace_text_release(struct inode *inode, struct file *file)
{
	struct trace_node *node = text_node(file);

	single_release(inode, file);
	text_file_end(node);
	return 0;
}

static ssize_t text_store(const struct trace_node *node,
			  const char __user *ubuf, size_t count)
{
	size_t max = node->row->store_max ?: TRACE_STORE_MAX;
	char *text;
	int err;

	if (count >= max)
		return -EINVAL;
	text = memdup_user_nul(ubuf, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	err = node->row->store(node, strim(text));
	kfree(text);
	return err ?: count;
}

ssize_t trace_text_write(struct file *file, const char __user *ubuf, size_t count, loff_t *pos)
{
	const struct trace_node *node = text_node(file);

	if (node->row->write)
		return node->row->write(node, ubuf, count);
	if (node->row->store)
		return text_store(node, ubuf, count);
	return -EINVAL;
}

loff_t trace_file_llseek(struct file *file, loff_t offset, int whence)
{
	if (file->f_mode & FMODE_READ)
		return seq_lseek(file, offset, whence);
	file->f_pos = 0;
	return 0;
}

static const struct file_operations text_fops = {
	.open		= text_open,
	.read_iter	= seq_read_iter,
	.splice_read	= copy_splice_read,
	.write		= trace_text_write,
	.llseek		= trace_file_llseek,
	.release	= trace_text_release,
};

/* Open and release of files that are only written */

int trace_stream_open(struct inode *inode, struct file *file)
{
	struct trace_node *node = trace_node_get(inode);

	if (IS_ERR(node))
		return PTR_ERR(node);
	file->private_data = node;
	return stream_open(inode, file);
}

int trace_stream_release(struct inode *inode, struct file *file)
{
	trace_node_put(file->private_data);
	return 0;
}

/* Creating and removing files */

static struct hlist_head *trace_nodes_of_instance(const struct trace_array *tr)
{
	struct trace_tree *tree = instance_part(tr, &trace_files_part);

	return &tree->nodes;
}

static void trace_node_link(struct trace_node *node)
{
	xa_lock(&trace_nodes);
	hlist_add_head_rcu(&node->of_tr, trace_nodes_of_instance(node->tr));
	xa_unlock(&trace_nodes);
}

static int trace_node_insert(u32 *id, struct trace_array *tr,
			     const struct trace_file *row, int cpu, const void *data)
{
	struct trace_node *node = kmalloc(sizeof(*node), GFP_KERNEL);
	int err;

	if (!node)
		return -ENOMEM;
	*node = (struct trace_node) {
		.row = row, .tr = tr, .cpu = cpu, .data = data,
	};
	kref_init(&node->ref);
	err = xa_alloc_cyclic(&trace_nodes, id, node, xa_limit_31b, &trace_node_next_id,
			      GFP_KERNEL);
	if (err < 0) {
		kfree(node);
		return err;
	}
	node->id = *id;
	trace_node_link(node);
	return 0;
}

int trace_node_add(struct trace_array *tr, const void *data, u32 *id)
{
	static const struct trace_file none;

	return trace_node_insert(id, tr, &none, RING_BUFFER_ALL_CPUS, data);
}

void trace_node_remove(u32 id)
{
	struct trace_node *node;

	xa_lock(&trace_nodes);
	node = __xa_erase(&trace_nodes, id);
	if (node)
		hlist_del_rcu(&node->of_tr);
	xa_unlock(&trace_nodes);
	/* If the instance was removed first, the node was removed with it. */
	if (node)
		kref_put(&node->ref, trace_node_free);
}

/* The file may have been opened already, but it cannot have been removed. */
static void trace_node_set_dentry(u32 id, struct dentry *dentry)
{
	struct trace_node *node = xa_load(&trace_nodes, id);

	/* Pairs with the acquire in trace_file_find_dentry(), whose caller uses the dentry. */
	smp_store_release(&node->dentry, dentry);
}

static int trace_file_create_node(struct trace_array *tr, struct dentry *parent,
				  const char *name, const struct trace_file *row, int cpu,
				  const void *data)
{
	struct dentry *dentry;
	u32 id;
	int err = trace_node_insert(&id, tr, row, cpu, data);

	if (err)
		return err;
	dentry = tracefs_create_file(name, row->mode, parent,
				     (void *)(unsigned long)id,
				     row->fops ?: &text_fops);
	if (!IS_ERR_OR_NULL(dentry)) {
		trace_node_set_dentry(id, dentry);
		return 0;
	}
	trace_node_remove(id);
	pr_warn("tracefs: no file '%s'\n", name);
	return -EEXIST;
}

int trace_file_create(struct trace_array *tr, struct dentry *parent,
		      const char *name, const struct trace_file *row,
		      const void *data)
{
	return trace_file_create_node(tr, parent, name, row, RING_BUFFER_ALL_CPUS, data);
}

static int trace_file_create_row(struct trace_array *tr, struct dentry *parent,
				 const struct trace_file *row, int cpu)
{
	struct dentry *dir;

	if (row->make)
		return row->make(tr, row->name, parent);
	if (!row->populate)
		return trace_file_create_node(tr, parent, row->name, row, cpu, NULL);
	dir = tracefs_create_dir(row->name, parent);
	return dir ? row->populate(tr, dir) : -EEXIST;
}

/* Create the files of all rows that belong to @place. */
static int trace_file_create_rows(struct trace_array *tr, struct dentry *parent,
				  unsigned int place, int cpu)
{
	const struct trace_file_table *table;
	const struct trace_file *row;
	int err;

	list_for_each_entry(table, &trace_file_tables, node) {
		for (row = table->rows; row->name; row++) {
			if (!(row->place & place))
				continue;
			err = trace_file_create_row(tr, parent, row, cpu);
			if (err)
				return err;
		}
	}
	return 0;
}

static int trace_file_create_per_cpu(struct trace_array *tr, struct dentry *all)
{
	struct dentry *dir;
	char name[16];
	int cpu, err;

	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "cpu%d", cpu);
		dir = tracefs_create_dir(name, all);
		if (!dir)
			return -EEXIST;
		err = trace_file_create_rows(tr, dir, IN_CPU, cpu);
		if (err)
			return err;
	}
	return 0;
}

static const struct trace_file cpu_files[] = {
	{
		.name		= "per_cpu",
		.place		= IN_INSTANCE,
		.populate	= trace_file_create_per_cpu,
	},
	{ }
};

TRACE_FILES(cpu_files);

int trace_files_create(struct trace_array *tr, struct dentry *parent)
{
	unsigned int place = parent ? IN_INSTANCE : IN_INSTANCE | IN_TOP;

	return trace_file_create_rows(tr, parent, place, RING_BUFFER_ALL_CPUS);
}

static void trace_file_unmake_rows(struct trace_array *tr)
{
	const struct trace_file_table *table;
	const struct trace_file *row;

	list_for_each_entry(table, &trace_file_tables, node)
		for (row = table->rows; row->name; row++)
			if (row->unmake)
				row->unmake(tr);
}

/* Number of any node of an instance; 0 if there is none, as numbers start with 1. */
static u32 trace_node_any_id(const struct trace_array *tr)
{
	struct hlist_head *all = trace_nodes_of_instance(tr);
	u32 id = 0;

	xa_lock(&trace_nodes);
	if (!hlist_empty(all))
		id = hlist_entry(all->first, struct trace_node, of_tr)->id;
	xa_unlock(&trace_nodes);
	return id;
}

void trace_files_remove(struct trace_array *tr)
{
	u32 id;

	trace_file_unmake_rows(tr);
	while ((id = trace_node_any_id(tr)))
		trace_node_remove(id);
}

static struct dentry *trace_file_find_dentry(struct trace_array *tr, const char *name)
{
	struct trace_node *node;

	guard(rcu)();
	hlist_for_each_entry_rcu(node, trace_nodes_of_instance(tr), of_tr) {
		if (!node->row->name || strcmp(node->row->name, name))
			continue;
		/* Pairs with the release in trace_node_set_dentry(). */
		return smp_load_acquire(&node->dentry);
	}
	return NULL;
}

void trace_file_modified(struct trace_array *tr, const char *name)
{
	struct dentry *dentry;

	lockdep_assert_held(&trace_lock);
	dentry = trace_file_find_dentry(tr, name);
	if (dentry)
		fsnotify_dentry(dentry, FS_MODIFY);
}
