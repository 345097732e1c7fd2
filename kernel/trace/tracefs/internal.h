/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tree of an instance: files.c creates and removes its files, instances.c its directory.
 */
#ifndef _KERNEL_TRACE_TRACEFS_INTERNAL_H
#define _KERNEL_TRACE_TRACEFS_INTERNAL_H

#include <linux/types.h>

struct dentry;
struct trace_array;

/**
 * struct trace_tree - the memory of &trace_files_part for one instance
 * @dir: directory of the instance; NULL for the top one, and before the directory exists
 * @nodes: trace_nodes of the instance; changed under the lock of the nodes, read under RCU
 */
struct trace_tree {
	struct dentry		*dir;
	struct hlist_head	nodes;
};

/**
 * trace_files_create() - create the tree of an instance
 * @tr: the instance
 * @parent: its directory, NULL for the top level
 *
 * Creates per_cpu, and the files of all rows that belong to the directory.
 *
 * Context: process, may sleep; takes trace_lock.
 * Return: 0; or an errno as for trace_file_create(): then the caller removes what was created,
 * by trace_files_remove() and tracefs_remove() of @parent.
 */
int trace_files_create(struct trace_array *tr, struct dentry *parent);

/**
 * trace_files_remove() - remove the nodes of an instance, so that none of its files can be
 * opened
 * @tr: the instance
 *
 * Called before the directory of the instance is removed, when none of its files is open.
 *
 * Context: process, may sleep.
 */
void trace_files_remove(struct trace_array *tr);

#endif /* _KERNEL_TRACE_TRACEFS_INTERNAL_H */
