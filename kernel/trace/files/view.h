/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Display of a buffer as text, without consuming its records: shared by the files trace and
 * snapshot.
 */
#ifndef _KERNEL_TRACE_VIEW_H
#define _KERNEL_TRACE_VIEW_H

#include <linux/fs.h>
#include <linux/types.h>

struct seq_file;
struct trace_node;
struct trace_output;

/**
 * trace_view_open() - open a file for reading
 * @file: the file that is being opened
 * @node: the node of the file
 * @of_snapshot: true to read the snapshot, false for the buffer
 *
 * The file must have seq_read_iter() as its read_iter operation.
 *
 * Context: process, may sleep; takes trace_lock.
 * Return: 0 or -ENOMEM.
 */
int trace_view_open(struct file *file, const struct trace_node *node, bool of_snapshot);

/**
 * trace_view_release() - release operation of a file for which trace_view_open() may have been
 * called
 * @inode: inode of the file, whose trace_node is released
 * @file: the file, whether or not it was opened for reading
 *
 * Context: process, may sleep; takes trace_lock.
 * Return: 0.
 */
int trace_view_release(struct inode *inode, struct file *file);

#ifdef CONFIG_TRACER_SNAPSHOT

/**
 * snapshot_header() - print the lines above the first record of a snapshot
 * @m: the file to print to
 * @o: output for the snapshot, not yet advanced
 *
 * For an empty snapshot, the lines explain what can be written to the file.
 *
 * Context: as output_header().
 */
void snapshot_header(struct seq_file *m, struct trace_output *o);

#else

static inline void snapshot_header(struct seq_file *m, struct trace_output *o) { }

#endif

#endif
