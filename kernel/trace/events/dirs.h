/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_TRACE_EVENTS_DIRS_H
#define _KERNEL_TRACE_EVENTS_DIRS_H

/* What is in the directories of events: files.c says it, dirs.c makes them. */

#include <linux/fs.h>

struct eventfs_entry;
struct trace_event_file;
struct trace_node;

/**
 * struct event_dir_files - the files of a directory
 * @entries: as eventfs wants them; read as long as the directory is there
 * @nr: how many
 */
struct event_dir_files {
	const struct eventfs_entry	*entries;
	int				nr;
};

/* Of events/, of a system's directory, and of an event's. */
extern const struct event_dir_files event_files_of_all;
extern const struct event_dir_files event_files_of_system;
extern const struct event_dir_files event_files_of_event;

/* Of the tracer's own events: of what is written to trace_marker, and of the others. */
extern const struct event_dir_files event_files_of_print;
extern const struct event_dir_files event_files_of_own;
extern const struct event_dir_files event_files_of_own_without_id;

/* The event that a file belongs to, or NULL if it has gone. Context: any; events_lock held. */
struct trace_event_file *event_file_at(const struct trace_node *at);

/* Operations of an event's file hist; hist_file.c has them. */
extern const struct file_operations event_hist_fops;

#endif /* _KERNEL_TRACE_EVENTS_DIRS_H */
