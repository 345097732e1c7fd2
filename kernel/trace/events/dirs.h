/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to events/: the directories of events, which dirs.c makes, and the tables of their
 * files in dir_files.c.
 */
#ifndef _KERNEL_TRACE_EVENTS_DIRS_H
#define _KERNEL_TRACE_EVENTS_DIRS_H

#include <linux/types.h>

#include "dir_files.h"

struct dentry;
struct event_system;
struct eventfs_inode;
struct trace_event_file;

/**
 * event_dir_has_file - test whether a directory has a file
 * @place: the directory: one bit
 * @name: name of the file
 *
 * Context: any.
 * Return: true if it has.
 */
bool event_dir_has_file(enum event_file_place place, const char *name);

/**
 * event_dir_make - make a directory with its files
 * @place: the directory: one bit, but not IN_EVENTS
 * @name: its name
 * @parent: its parent directory
 * @data: data of its files
 *
 * Context: may sleep.
 * Return: the directory, or the errno of eventfs.
 */
struct eventfs_inode *event_dir_make(enum event_file_place place, const char *name,
				     struct eventfs_inode *parent, void *data);

/**
 * event_top_dir_make - make events/ of an instance with its files
 * @name: its name
 * @parent: directory of the instance; NULL for the top one
 * @data: data of its files
 *
 * Context: may sleep.
 * Return: the directory, or the errno of eventfs.
 */
struct eventfs_inode *event_top_dir_make(const char *name, struct dentry *parent, void *data);

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

#endif /* _KERNEL_TRACE_EVENTS_DIRS_H */
