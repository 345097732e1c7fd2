/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracefs tree, as rows of tables, and the directories of instances.
 *
 * Who has something to control writes the functions that show and store it, puts them
 * into a row, and the row into a table:
 *
 *	static const struct trace_file my_files[] = {
 *		{ .name = "my_limit", .mode = TRACE_FILE_RW, .place = IN_TOP,
 *		  .show = my_limit_show, .store = my_limit_store },
 *		{ }
 *	};
 *	TRACE_FILES(my_files);
 */
#ifndef _KERNEL_TRACE_FILES_H
#define _KERNEL_TRACE_FILES_H

#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/seq_file.h>
#include <linux/types.h>

struct dentry;
struct instance_part;
struct trace_array;
struct trace_file;

/* The tree of an instance beside the top one. */
extern struct instance_part trace_files_part;

/**
 * struct trace_tree - what &trace_files_part keeps with each instance
 * @dir: the directory, NULL for the top one and before there is one
 * @nodes: its trace_nodes; under the lock of all of them, or RCU
 */
struct trace_tree {
	struct dentry		*dir;
	struct hlist_head	nodes;
};

/* Permissions: the owner writes, its group may read along. */
#define TRACE_FILE_RW	0640
#define TRACE_FILE_RO	0440
#define TRACE_FILE_WO	0200

/**
 * struct trace_seen - what one open file has seen, of something that is counted
 * @read: how much there was when it was read
 * @polled: when it was read or polled
 * @waits: it has been polled
 */
struct trace_seen {
	u64	read;
	u64	polled;
	bool	waits;
};

/**
 * struct trace_node - one file of one instance
 * @row: what the file does
 * @tr: the instance
 * @cpu: the CPU of a file under per_cpu, RING_BUFFER_ALL_CPUS elsewhere
 * @data: what the maker of the file gave along, or NULL
 * @dentry: its place in the tree, for trace_file_modified()
 * @id: its number
 * @of_tr: among those of @tr
 * @ref: one for being in the tree, one for each open file
 * @rcu: frees it
 * @of: it is what one open file makes of that one, which stands for several files; else NULL
 * @seen: of such a one, what its user has seen, for poll()
 */
struct trace_node {
	const struct trace_file	*row;
	struct trace_array	*tr;
	int			cpu;
	const void		*data;
	struct dentry		*dentry;
	u32			id;
	struct hlist_node	of_tr;
	struct kref		ref;
	struct rcu_head		rcu;
	struct trace_node	*of;
	struct trace_seen	*seen;
};

/**
 * enum trace_file_place - where in the tree a row appears
 * @IN_TOP: in the top directory only
 * @IN_INSTANCE: in the top directory and in that of each instance
 * @IN_CPU: in each per_cpu/cpuN of those
 */
enum trace_file_place {
	IN_TOP		= BIT(0),
	IN_INSTANCE	= BIT(1),
	IN_CPU		= BIT(2),
};

/**
 * struct trace_file - a row: one control file, or a directory of them
 * @name: its name; NULL ends a table
 * @mode: its permissions
 * @place: where it appears, bits of enum trace_file_place
 * @store_max: a write() of so many bytes is too long for @store, and fails with
 *	EINVAL; 0 for TRACE_STORE_MAX
 * @room: bytes that @show is likely to print, where that is much: it prints in vain to a buffer
 *	that is too small; 0 for a page
 * @show: prints the whole file. Returns 0 or an errno. May be NULL: reads as
 *	empty.
 * @store: obeys one write(), given as a string of its own without white space
 *	at its ends, which it may change. Returns 0 or an errno; an error
 *	leaves everything as it was (SPEC B3).
 * @write: obeys one write() as it is, instead of @store. Returns how many bytes
 *	it took, or an errno. Without either, a write() fails with EINVAL.
 * @truncate: called when the file is opened for writing with O_TRUNC. Returns
 *	0 or an errno that fails the open.
 * @fops: for a file that is more than a text: replaces the functions above.
 *	Its open begins with trace_node_get(), its release ends with
 *	trace_node_put().
 * @data: for @fops that several rows share, or NULL
 * @populate: for a directory: makes its files, with trace_file_create(); @mode
 *	and the functions above are not looked at. Returns 0 or an errno. Not
 *	in a row that is IN_CPU.
 * @make: for a directory of eventfs: makes it, in the directory of the instance, which is
 *	NULL for the top one; as @populate else.
 * @unmake: the opposite of @make, before the directory that it is in goes. Also called if
 *	@make has failed, or was not called.
 *
 * All of them may sleep, and run with the instance pinned and no lock of the
 * tracer held.
 */
struct trace_file {
	const char	*name;
	umode_t		mode;
	u8		place;
	unsigned int	store_max;
	unsigned int	room;
	int		(*show)(struct seq_file *m, const struct trace_node *at);
	int		(*store)(const struct trace_node *at, char *text);
	ssize_t		(*write)(const struct trace_node *at,
				 const char __user *ubuf, size_t count);
	int		(*truncate)(const struct trace_node *at);
	const struct file_operations *fops;
	const void	*data;
	int		(*populate)(struct trace_array *tr, struct dentry *dir);
	int		(*make)(struct trace_array *tr, const char *name, struct dentry *parent);
	void		(*unmake)(struct trace_array *tr);
};

#define TRACE_STORE_MAX	PAGE_SIZE

/**
 * struct trace_file_table - what TRACE_FILES() makes of rows
 * @rows: the rows, of which the last is empty
 * @node: among all tables
 */
struct trace_file_table {
	const struct trace_file	*rows;
	struct list_head	node;
};

/**
 * trace_file_table_add - add a table to those that the tree is made of
 * @table: stays for good
 *
 * Context: TRACE_FILES(), before there is a tree.
 */
void __init trace_file_table_add(struct trace_file_table *table);

/**
 * TRACE_FILES - have rows become files
 * @_rows: an array of struct trace_file, of which the last is empty
 *
 * Once for each array, behind it. Nobody else has to know of it.
 */
#define TRACE_FILES(_rows)						\
static struct trace_file_table _rows##_table = { .rows = (_rows) };	\
									\
static int __init _rows##_add(void)					\
{									\
	trace_file_table_add(&_rows##_table);				\
	return 0;							\
}									\
core_initcall(_rows##_add)

/**
 * trace_node_get - begin to use the file behind an inode
 * @inode: the inode being opened
 *
 * Takes a reference on the file and on its instance.
 *
 * Context: process, may sleep; takes trace_lock.
 * Return: the file, or ERR_PTR: -EPERM under lockdown, -ENODEV when its
 * instance is being removed, or could not be made at boot.
 */
struct trace_node *trace_node_get(struct inode *inode);

/**
 * trace_node_of - the file behind an inode that is open
 * @inode: its inode
 *
 * Only between trace_node_get() and trace_node_put() of the same inode.
 *
 * Context: any.
 * Return: what trace_node_get() has returned.
 */
struct trace_node *trace_node_of(struct inode *inode);

/**
 * trace_node_put - end of the use that trace_node_get() began
 * @node: the file, which may be gone afterwards
 *
 * Context: process, may sleep; takes trace_lock.
 */
void trace_node_put(struct trace_node *node);

/**
 * trace_node_add - be known to files that are made when somebody looks for them
 * @tr: the instance
 * @data: for the functions of their rows
 * @id: set to what is to be the private data of their inodes
 *
 * For directories of eventfs: each file has operations of its own, which TRACE_TEXT_FOPS()
 * makes of its row.
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM, -EBUSY when there are too many.
 */
int trace_node_add(struct trace_array *tr, const void *data, u32 *id);

/**
 * trace_node_remove - the end of trace_node_add()
 * @id: from there; one that went with its instance is fine
 *
 * Who has opened a file of it keeps that.
 *
 * Context: may sleep.
 */
void trace_node_remove(u32 id);

/* The operations of rows of show and store, for TRACE_TEXT_FOPS(). */
int trace_text_open(struct inode *inode, struct file *file, const struct trace_file *row);
int trace_text_release(struct inode *inode, struct file *file);
const struct trace_node *trace_text_node(const struct file *file);
ssize_t trace_text_write(struct file *file, const char __user *ubuf, size_t count, loff_t *pos);

/**
 * TRACE_TEXT_FOPS - the file operations of a row, for a file with a node of trace_node_add()
 * @_fops: what to call them
 * @_row: the row
 */
#define TRACE_TEXT_FOPS(_fops, _row)					\
static int _fops##_open(struct inode *inode, struct file *file)	\
{									\
	return trace_text_open(inode, file, &(_row));			\
}									\
									\
static const struct file_operations _fops = {				\
	.open		= _fops##_open,					\
	.read_iter	= seq_read_iter,				\
	.splice_read	= copy_splice_read,				\
	.write		= trace_text_write,				\
	.llseek		= trace_file_llseek,				\
	.release	= trace_text_release,				\
}

/**
 * trace_stream_open - the open of a file that is only written
 * @inode: its inode
 * @file: just opened; its private_data becomes the trace_node
 *
 * Context: as that of a file operation.
 * Return: as trace_node_get().
 */
int trace_stream_open(struct inode *inode, struct file *file);

/**
 * trace_stream_release - the release of a file that is only written
 * @inode: its inode
 * @file: opened with trace_stream_open()
 *
 * Context: as that of a file operation.
 * Return: 0.
 */
int trace_stream_release(struct inode *inode, struct file *file);

/**
 * trace_file_llseek - the llseek of a file that is written, and read by seq_file
 * @file: the file
 * @offset: as in lseek()
 * @whence: as in lseek()
 *
 * Who appends, as tee -a, goes to the end first; a seq_file has none.
 *
 * Context: that of a file operation.
 * Return: the new position, or an errno; 0 if it is open for writing only.
 */
loff_t trace_file_llseek(struct file *file, loff_t offset, int whence);

/**
 * trace_file_allow_pwrite - let a file be written to with pwrite()
 * @file: just opened; seq_open() and what is made of it forbid that
 *
 * For files that take a write for what it says, wherever it is to go.
 *
 * Context: the open of the file.
 */
static inline void trace_file_allow_pwrite(struct file *file)
{
	if (file->f_mode & FMODE_WRITE)
		file->f_mode |= FMODE_PWRITE;
}

/**
 * trace_file_truncates - is a file being opened to be emptied
 * @file: just opened
 *
 * Context: the open of the file.
 */
static inline bool trace_file_truncates(const struct file *file)
{
	return (file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC);
}

/**
 * trace_file_create - put one file into the tree
 * @tr: the instance it belongs to
 * @parent: its directory, NULL for the top one
 * @name: its name, which is copied
 * @row: what it does; @name and @place of the row are not looked at
 * @data: kept in the file's trace_node
 *
 * The file goes away with trace_files_remove() of @tr.
 *
 * Context: process, may sleep; takes no lock of the tracer.
 * Return: 0, -ENOMEM, -EEXIST when tracefs refused the file, -EBUSY when there
 * are too many.
 */
int trace_file_create(struct trace_array *tr, struct dentry *parent,
		      const char *name, const struct trace_file *row,
		      const void *data);

/**
 * trace_file_modified - tell those who watch a file, by inotify, that it reads otherwise
 * @tr: the instance; among trace_arrays
 * @name: a file that each instance has
 *
 * Context: process, may sleep; trace_lock held, so that the instance keeps its files.
 */
void trace_file_modified(struct trace_array *tr, const char *name);

/**
 * trace_files_create - make the tree of an instance
 * @tr: the instance
 * @parent: its directory, NULL for the top level
 *
 * All rows of all tables that belong there, and per_cpu.
 *
 * Context: process, may sleep; takes trace_lock.
 * Return: 0, or an errno as trace_file_create(): then what was made is for
 * trace_files_remove() and tracefs_remove() of @parent to undo.
 */
int trace_files_create(struct trace_array *tr, struct dentry *parent);

/**
 * trace_files_exist - has an instance got its files
 * @tr: the instance, not the top one
 *
 * Context: any.
 */
bool trace_files_exist(const struct trace_array *tr);

/**
 * trace_files_remove - no file of an instance can be opened any more
 * @tr: the instance
 *
 * Called before its directory is removed, when nobody has a file of it open.
 *
 * Context: process, may sleep.
 */
void trace_files_remove(struct trace_array *tr);

#endif
