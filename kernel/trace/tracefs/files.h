/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracefs tree, as rows of tables, and the directories of instances.
 *
 * A room that has something to control defines the functions that show and store it,
 * puts them into a row, and the row into a table:
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

/* The part of each instance that holds its tracefs tree. */
extern struct instance_part trace_files_part;

/* Permissions: the owner may write, and its group may read. */
#define TRACE_FILE_RW	0640
#define TRACE_FILE_RO	0440
#define TRACE_FILE_WO	0200

/**
 * struct trace_node - one file of one instance
 * @row: row of the file
 * @tr: the instance
 * @cpu: the CPU of a file in per_cpu, RING_BUFFER_ALL_CPUS for other files
 * @data: data that the creator of the file has passed, or NULL
 * @dentry: dentry of the file, for trace_file_modified()
 * @id: number of the node
 * @of_tr: entry in the list of nodes of @tr
 * @ref: reference count: one for the tree, one for each open file
 * @rcu: for freeing the node
 * @of: the node of the tree, if this one belongs to one open file of several that share that
 *	node; else NULL
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
};

/**
 * enum trace_file_place - directories in which a row appears
 * @IN_TOP: the top directory only
 * @IN_INSTANCE: the top directory and that of each instance
 * @IN_CPU: per_cpu/cpuN in the top directory and in that of each instance
 */
enum trace_file_place {
	IN_TOP		= BIT(0),
	IN_INSTANCE	= BIT(1),
	IN_CPU		= BIT(2),
};

/**
 * struct trace_file - a row: one control file, or a directory of them
 * @name: name of the file; NULL ends a table
 * @mode: permissions
 * @place: directories in which it appears, bits of enum trace_file_place; in the directories of
 *	events bits of enum event_file_place
 * @store_max: a write() of this many bytes is too long for @store, and fails with EINVAL; 0
 *	for TRACE_STORE_MAX
 * @room: bytes that @show usually prints, if more than a page: output to a buffer that is too
 *	small is discarded and repeated; 0 for a page
 * @show: prints the whole file. Returns 0 or an errno. May be NULL: the file is empty
 * @store: carries out one write(), given as a string without white space at its ends, which it
 *	may modify. Returns 0 or an errno; an error leaves everything unchanged (SPEC B3)
 * @write: carries out one write() instead of @store, given as the user's buffer. Returns the
 *	number of bytes consumed, or an errno. Without @store and @write, a write() fails with
 *	EINVAL
 * @truncate: called when the file is opened for writing with O_TRUNC. Returns 0, or an errno
 *	that fails the open
 * @fops: replaces the functions above, for a file with other operations. Its open begins with
 *	trace_node_get(), its release ends with trace_node_put()
 * @data: for @fops that several rows share, or NULL
 * @populate: for a directory: creates its files with trace_file_create(); @mode and the
 *	functions above are unused. Returns 0 or an errno. Not for a row that is IN_CPU
 * @make: for a directory of eventfs: creates it in the directory of the instance, which is
 *	NULL for the top one. Returns 0 or an errno
 * @unmake: undoes @make, before the parent directory is removed. Also called if @make has
 *	failed, or was not called
 *
 * All functions may sleep. They run with a reference to the instance, and with no lock of the
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
 * struct trace_file_table - a table of files, defined by TRACE_FILES()
 * @rows: the rows; the last one is empty
 * @node: entry in the list of tables
 */
struct trace_file_table {
	const struct trace_file	*rows;
	struct list_head	node;
};

/**
 * trace_file_table_add() - register a table of files
 * @table: the table; never freed
 *
 * Context: TRACE_FILES(), before the first tree is created.
 */
void __init trace_file_table_add(struct trace_file_table *table);

/**
 * TRACE_FILES() - define and register the table for an array of rows
 * @_rows: an array of struct trace_file, whose last element is empty
 *
 * To be placed once behind each array. No other code needs to refer to the array.
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
 * trace_node_get() - get the node of a file that is being opened
 * @inode: inode of the file
 *
 * Takes a reference to the node and to its instance.
 *
 * Context: process, may sleep; takes trace_lock.
 * Return: the node, or ERR_PTR: -EPERM under lockdown; -ENODEV if the instance is being
 * removed, or if the tracer could not be set up at boot.
 */
struct trace_node *trace_node_get(struct inode *inode);

/**
 * trace_node_of() - get the node of an open file
 * @inode: inode of the file
 *
 * Only between trace_node_get() and trace_node_put() of the same inode.
 *
 * Context: any.
 * Return: the return value of trace_node_get().
 */
struct trace_node *trace_node_of(struct inode *inode);

/**
 * trace_node_put() - release the references that trace_node_get() has taken
 * @node: the node, which may be freed
 *
 * Context: process, may sleep; takes trace_lock.
 */
void trace_node_put(struct trace_node *node);

/**
 * trace_node_add() - create a node for files that eventfs creates on lookup
 * @tr: the instance
 * @data: data for the functions of their rows
 * @id: receives the private data for their inodes
 *
 * The node stands for all files of a directory, whose open operations know their rows, and pass
 * them to trace_text_open().
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM; -EBUSY if there are too many nodes.
 */
int trace_node_add(struct trace_array *tr, const void *data, u32 *id);

/**
 * trace_node_remove() - remove a node, undoing trace_node_add()
 * @id: from trace_node_add(); ignored if the node was removed with its instance
 *
 * Open files of the node keep it until their release.
 *
 * Context: may sleep.
 */
void trace_node_remove(u32 id);

/**
 * trace_text_open() - open operation of a file with show and store
 * @inode: inode of the file
 * @file: the file that is being opened
 * @row: row of the file; NULL if its node has the row
 *
 * Context: as a file operation.
 * Return: 0; -ENOMEM; the error of trace_node_get(), or of @truncate of the row.
 */
int trace_text_open(struct inode *inode, struct file *file, const struct trace_file *row);

/**
 * trace_text_release() - release operation of a file with show and store
 * @inode: inode of the file
 * @file: the file, opened by trace_text_open()
 *
 * Context: as a file operation.
 * Return: 0.
 */
int trace_text_release(struct inode *inode, struct file *file);

/**
 * trace_text_node() - get the node that the show and store functions of an open file get
 * @file: the file, opened by trace_text_open()
 *
 * Context: any, while the file is open.
 * Return: the node.
 */
const struct trace_node *trace_text_node(const struct file *file);

/**
 * trace_text_write() - write operation of a file with show and store
 * @file: the file, opened by trace_text_open()
 * @ubuf: the user's buffer
 * @count: its length in bytes
 * @pos: unused
 *
 * Context: as a file operation.
 * Return: @count, or what @write of the row has consumed; -EINVAL if the text is too long, or if
 *	the row has neither @write nor @store; else an error of the row's function.
 */
ssize_t trace_text_write(struct file *file, const char __user *ubuf, size_t count, loff_t *pos);

/**
 * trace_stream_open() - open operation of a file that is only written
 * @inode: inode of the file
 * @file: the file that is being opened; its private_data is set to the trace_node
 *
 * Context: as a file operation.
 * Return: 0; else the error of trace_node_get().
 */
int trace_stream_open(struct inode *inode, struct file *file);

/**
 * trace_stream_release() - release operation of a file that is only written
 * @inode: inode of the file
 * @file: the file, opened by trace_stream_open()
 *
 * Context: as a file operation.
 * Return: 0.
 */
int trace_stream_release(struct inode *inode, struct file *file);

/**
 * trace_file_llseek() - llseek operation of a file that is written, and read through seq_file
 * @file: the file
 * @offset: as in lseek()
 * @whence: as in lseek()
 *
 * Accepts a seek to the end by a program that appends, for example tee -a, though a seq_file
 * has no end.
 *
 * Context: as a file operation.
 * Return: the new position, or an errno; 0 if the file is open for writing only.
 */
loff_t trace_file_llseek(struct file *file, loff_t offset, int whence);

/**
 * trace_file_allow_pwrite() - allow pwrite() on a file
 * @file: the file that is being opened, after seq_open(), which forbids pwrite()
 *
 * For files whose writes do not depend on the position.
 *
 * Context: the open operation of the file.
 */
static inline void trace_file_allow_pwrite(struct file *file)
{
	if (file->f_mode & FMODE_WRITE)
		file->f_mode |= FMODE_PWRITE;
}

/**
 * trace_file_truncates() - true if a file is opened for writing with O_TRUNC
 * @file: the file that is being opened
 *
 * Context: the open operation of the file.
 */
static inline bool trace_file_truncates(const struct file *file)
{
	return (file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC);
}

/**
 * trace_file_create() - create one file in the tree
 * @tr: instance of the file
 * @parent: its directory, NULL for the top one
 * @name: its name, which is copied
 * @row: its functions; @name and @place of the row are unused
 * @data: stored in the trace_node of the file
 *
 * The file is removed by trace_files_remove() of @tr.
 *
 * Context: process, may sleep; takes no lock of the tracer.
 * Return: 0; -ENOMEM; -EEXIST if tracefs has refused the file; -EBUSY if there are too many.
 */
int trace_file_create(struct trace_array *tr, struct dentry *parent,
		      const char *name, const struct trace_file *row,
		      const void *data);

/**
 * trace_file_modified() - notify inotify watchers of a file that its content has changed
 * @tr: the instance, in trace_arrays
 * @name: name of a file that each instance has
 *
 * Context: process, may sleep; trace_lock held, so that the files of the instance stay.
 */
void trace_file_modified(struct trace_array *tr, const char *name);

/**
 * trace_files_exist() - true if the files of an instance were created
 * @tr: the instance, not the top one
 *
 * Context: any.
 */
bool trace_files_exist(const struct trace_array *tr);

#endif
