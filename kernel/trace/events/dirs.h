/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_TRACE_EVENTS_DIRS_H
#define _KERNEL_TRACE_EVENTS_DIRS_H

/* The files in the directories of events: files.c defines them, dirs.c makes the directories. */

#include <linux/fs.h>

struct event_system;
struct eventfs_entry;
struct trace_event_file;
struct trace_node;

/**
 * struct event_dir_files - the files of a directory
 * @entries: table for eventfs, which reads it as long as the directory exists
 * @nr: number of @entries
 */
struct event_dir_files {
	const struct eventfs_entry	*entries;
	int				nr;
};

/* Files of events/, of the directory of a system, and of that of an event. */
extern const struct event_dir_files event_files_of_all;
extern const struct event_dir_files event_files_of_system;
extern const struct event_dir_files event_files_of_event;

/*
 * Files of events in events/ftrace/: of ftrace:print, of other types of records, and of types of
 * records without a file id.
 */
extern const struct event_dir_files event_files_of_print;
extern const struct event_dir_files event_files_of_own;
extern const struct event_dir_files event_files_of_own_without_id;

/**
 * event_file_at - the event that a file belongs to
 * @at: the file
 *
 * Context: any; events_lock held.
 * Return: the event, or NULL if it has been removed.
 */
struct trace_event_file *event_file_at(const struct trace_node *at);

/**
 * event_dir_create - make events/SYSTEM/EVENT of an instance
 * @file: the event in the instance
 *
 * Context: may sleep; events_lock held.
 * Return: 0, or the errno of eventfs.
 */
int event_dir_create(struct trace_event_file *file);

/**
 * event_dir_remove - remove events/SYSTEM/EVENT of an instance, if it is there
 * @file: the event in the instance
 *
 * Context: may sleep; events_lock held.
 */
void event_dir_remove(struct trace_event_file *file);

/**
 * event_system_dir_remove - remove events/SYSTEM of an instance, if it is there
 * @system: the system in the instance; the directories of its events are removed
 *
 * Context: may sleep; events_lock held.
 */
void event_system_dir_remove(struct event_system *system);

/* Operations of the file hist of an event (hist_file.c). */
extern const struct file_operations event_hist_fops;

#endif /* _KERNEL_TRACE_EVENTS_DIRS_H */
