/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A buffer of an instance as text, that reading does not change: what the files trace and
 * snapshot have in common.
 */
#ifndef _KERNEL_TRACE_VIEW_H
#define _KERNEL_TRACE_VIEW_H

#include <linux/fs.h>
#include <linux/types.h>

struct seq_file;
struct trace_node;
struct trace_output;

/**
 * trace_view_open - open a file for reading
 * @file: the file, just being opened
 * @node: what it is
 * @of_snapshot: the snapshot is to be read
 *
 * It is read with seq_read_iter().
 *
 * Context: process, may sleep; takes trace_lock.
 * Return: 0 or -ENOMEM.
 */
int trace_view_open(struct file *file, const struct trace_node *node, bool of_snapshot);

/**
 * trace_view_release - the release of such a file, opened for reading or not
 * @inode: its inode; its trace_node is put
 * @file: the file
 *
 * Context: process, may sleep; takes trace_lock.
 * Return: 0
 */
int trace_view_release(struct inode *inode, struct file *file);

#ifdef CONFIG_TRACER_SNAPSHOT

/**
 * snapshot_header - print what stands above the first record of a snapshot
 * @m: where to
 * @o: an output of it, not yet advanced
 *
 * Of one that is empty, what can be done with it.
 *
 * Context: as output_header().
 */
void snapshot_header(struct seq_file *m, struct trace_output *o);

#else

static inline void snapshot_header(struct seq_file *m, struct trace_output *o) { }

#endif

#endif
