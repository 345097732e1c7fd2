// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of the files in the directories of events, for eventfs.
 *
 * A file of an event has the record_type_key() of its type as its data, a file of a system
 * &event_system.number. Each show and store looks that up under events_lock, because the event
 * may be removed with its module while the file is open.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/bug.h>
#include <linux/cache.h>
#include <linux/cleanup.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/tracefs.h>

#include "dir_files.h"
#include "dirs.h"
#include "events.h"

/* Number of different directories: bits of enum event_file_place. */
#define EVENT_DIRS	6

/* The most files that a directory can have. */
#define EVENT_DIR_FILES_MAX	16

/**
 * struct event_dir_files - the files of a directory
 * @entries: table for eventfs
 * @rows: the row of each of @entries
 * @nr: number of @entries
 */
struct event_dir_files {
	struct eventfs_entry	entries[EVENT_DIR_FILES_MAX];
	const struct trace_file	*rows[EVENT_DIR_FILES_MAX];
	int			nr;
};

/* By the number of the bit of enum event_file_place. Complete before the first tree is created. */
static struct event_dir_files event_dirs[EVENT_DIRS] __ro_after_init;

static const struct event_dir_files *event_dir_files_in(enum event_file_place place)
{
	return &event_dirs[__ffs(place)];
}

static const struct trace_file *event_dir_find_row(enum event_file_place place, const char *name)
{
	const struct event_dir_files *dir = event_dir_files_in(place);

	for (int i = 0; i < dir->nr; i++)
		if (!strcmp(dir->entries[i].name, name))
			return dir->rows[i];
	return NULL;
}

bool event_dir_has_file(enum event_file_place place, const char *name)
{
	return event_dir_find_row(place, name);
}

/* The row is found by the name of the file: tracefs does not rename files. */
static int event_dir_open_file(enum event_file_place place, struct inode *inode,
			       struct file *opened)
{
	const char *name = opened->f_path.dentry->d_name.name;

	return trace_text_open(inode, opened, event_dir_find_row(place, name));
}

/* Answers eventfs, which asks for a file by its name: 1 if there is one, else 0. */
static int event_dir_describe_file(enum event_file_place place, const char *name, umode_t *mode,
				   const struct file_operations **fops,
				   const struct file_operations *text_fops)
{
	const struct trace_file *row = event_dir_find_row(place, name);

	if (!row)
		return 0;
	*mode = row->mode;
	*fops = row->fops ?: text_fops;
	return 1;
}

/*
 * Neither eventfs nor an open operation passes on the directory, so each has functions of its own:
 * _callback() for eventfs.
 */
#define EVENT_DIR_FUNCTIONS(_callback, _place)						\
static const enum event_file_place _callback##_place = _place;				\
											\
static int _callback##_open(struct inode *inode, struct file *opened)			\
{											\
	return event_dir_open_file(_callback##_place, inode, opened);			\
}											\
											\
static const struct file_operations _callback##_fops = {				\
	.open		= _callback##_open,						\
	.read_iter	= seq_read_iter,						\
	.splice_read	= copy_splice_read,						\
	.write		= trace_text_write,						\
	.llseek		= trace_file_llseek,						\
	.release	= trace_text_release,						\
};											\
											\
static int _callback(const char *name, umode_t *mode, void **data,			\
		     const struct file_operations **fops)				\
{											\
	return event_dir_describe_file(_callback##_place, name, mode, fops,		\
				       &_callback##_fops);				\
}

EVENT_DIR_FUNCTIONS(event_describe_event_file, IN_EVENT)
EVENT_DIR_FUNCTIONS(event_describe_print_file, IN_PRINT_EVENT)
EVENT_DIR_FUNCTIONS(event_describe_own_file, IN_OWN_EVENT)
EVENT_DIR_FUNCTIONS(event_describe_own_file_without_id, IN_OWN_EVENT_WITHOUT_ID)
EVENT_DIR_FUNCTIONS(event_describe_system_file, IN_SYSTEM)
EVENT_DIR_FUNCTIONS(event_describe_top_file, IN_EVENTS)

/* By the number of the bit of enum event_file_place. */
static const eventfs_callback event_dir_callbacks[EVENT_DIRS] __initconst = {
	event_describe_event_file,
	event_describe_print_file,
	event_describe_own_file,
	event_describe_own_file_without_id,
	event_describe_system_file,
	event_describe_top_file,
};

struct eventfs_inode *event_dir_make(enum event_file_place place, const char *name,
				     struct eventfs_inode *parent, void *data)
{
	const struct event_dir_files *dir = event_dir_files_in(place);

	return eventfs_create_dir(name, parent, dir->entries, dir->nr, data);
}

struct eventfs_inode *event_top_dir_make(const char *name, struct dentry *parent, void *data)
{
	const struct event_dir_files *dir = event_dir_files_in(IN_EVENTS);

	return eventfs_create_events_dir(name, parent, dir->entries, dir->nr, data);
}

/* ------------------------------------------------------------------ */
/* Tables								*/

static void __init event_dir_add_row(unsigned int number, const struct trace_file *row)
{
	struct event_dir_files *dir = &event_dirs[number];

	if (WARN_ON(dir->nr == EVENT_DIR_FILES_MAX))
		return;
	dir->entries[dir->nr] = (struct eventfs_entry) {
		.name = row->name, .callback = event_dir_callbacks[number],
	};
	dir->rows[dir->nr++] = row;
}

void __init event_dir_files_add(const struct trace_file *rows)
{
	for (; rows->name; rows++)
		for (unsigned int number = 0; number < EVENT_DIRS; number++)
			if (rows->place & BIT(number))
				event_dir_add_row(number, rows);
}

/* ------------------------------------------------------------------ */
/* The event of a file							*/

u32 event_key_at(const struct trace_node *at)
{
	return (unsigned long)at->data;
}

struct trace_event_file *event_file_at(const struct trace_node *at)
{
	return event_file_by_key(at->tr, event_key_at(at));
}

int event_show_with(struct seq_file *m, const struct trace_node *at,
		    void (*show)(struct seq_file *m, struct trace_event_file *file))
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	file = event_file_at(at);
	if (!file)
		return -ENODEV;
	show(m, file);
	return 0;
}
