/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that the control files of the room call: saved_files.c those about saved comms and
 * thread groups, pid_files.c those about pid lists.
 */
#ifndef _KERNEL_TRACE_TASKS_INTERNAL_H
#define _KERNEL_TRACE_TASKS_INTERNAL_H

#include <linux/types.h>

#include "pids.h"

struct saved_comm;
struct trace_array;

/**
 * trace_saved_cmdlines - copy all saved comms (file saved_cmdlines)
 * @nr: set to the number of comms
 *
 * The comms are in no particular order. A task that is saved during the copy may be there twice;
 * during a resize, comms may be missing.
 *
 * Context: may sleep.
 * Return: an array for the caller to kvfree(); ERR_PTR(-ENOMEM).
 */
struct saved_comm *trace_saved_cmdlines(unsigned int *nr);

/**
 * trace_cmdlines_size - the number of comms that the cache can hold
 *
 * Context: any.
 * Return: the number, also before the cache is allocated.
 */
unsigned int trace_cmdlines_size(void);

/**
 * trace_cmdlines_resize - change the number of comms that the cache can hold
 * @nr: the number, at least 1
 *
 * The new cache is empty.
 *
 * Context: may sleep; takes resize_lock.
 * Return: 0; -EINVAL for 0 or more than PID_MAX_DEFAULT; -ENOMEM. After an error nothing has
 * changed.
 */
int trace_cmdlines_resize(unsigned int nr);

/**
 * trace_saved_tgid_next - iterate over the saved thread groups (file saved_tgids)
 * @pid: pid to start at; set to the next pid with a saved thread group
 * @tgid: set to the thread group
 *
 * Context: any; takes no lock. May visit all possible pids.
 * Return: false if there is none at or after @pid.
 */
bool trace_saved_tgid_next(int *pid, int *tgid);

/**
 * trace_pids_write - add the pids that user space has written
 * @tr: the instance
 * @type: the list
 * @ubuf: pids, separated by white space or NULs
 * @cnt: bytes in @ubuf
 *
 * Adds all pids of the accepted bytes, or none. Takes effect on all CPUs before it returns. White
 * space alone adds nothing, and creates no list.
 *
 * Context: may sleep; takes trace_lock.
 * Return: number of accepted bytes: @cnt, or for more than 64 KiB the complete words in the first
 * 64 KiB, and the caller writes the rest again; -EINVAL if a word is not a pid; -EFAULT; -ENOMEM.
 */
ssize_t trace_pids_write(struct trace_array *tr, enum trace_pid_type type,
			 const char __user *ubuf, size_t cnt);

/**
 * trace_pids_clear - remove a list (the file was opened with O_TRUNC)
 * @tr: the instance
 * @type: the list
 *
 * Takes effect on all CPUs before it returns. Waits for an RCU grace period if there was a list.
 *
 * Context: may sleep; takes trace_lock.
 */
void trace_pids_clear(struct trace_array *tr, enum trace_pid_type type);

/**
 * trace_pids_next - iterate over a list in ascending order
 * @tr: the instance
 * @type: the list
 * @pid: pid to start at; set to the next pid in the list, or to a number above all pids
 *
 * Context: any; takes the RCU read lock.
 * Return: false if there is no list, or no pid at or after @pid in it.
 */
bool trace_pids_next(struct trace_array *tr, enum trace_pid_type type, int *pid);

#endif /* _KERNEL_TRACE_TASKS_INTERNAL_H */
