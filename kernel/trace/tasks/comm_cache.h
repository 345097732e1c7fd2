/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Comms of tasks by pid: a cache, and a backlog of a CPU for comms that are still to be saved in
 * the cache. Plain data without locks: the caller, cmdlines.c, serializes all accesses.
 */
#ifndef _KERNEL_TRACE_COMM_CACHE_H
#define _KERNEL_TRACE_COMM_CACHE_H

#include <linux/sched.h>
#include <linux/types.h>

/* End of a chain of slots. */
#define COMM_NO_SLOT	(-1)

/**
 * struct saved_comm - the saved comm of a task
 * @pid: pid of the task; 0 in an unused slot of the cache
 * @comm: name of the task, NUL-terminated
 */
struct saved_comm {
	int	pid;
	char	comm[TASK_COMM_LEN];
};

/**
 * struct comm_slot - a slot of the cache
 * @saved: the saved comm
 * @next: index of the next slot with the same hash, or COMM_NO_SLOT
 */
struct comm_slot {
	struct saved_comm	saved;
	int			next;
};

/**
 * struct comm_cache - a cache of the latest saved comms
 * @size: number of @slots
 * @hand: index of the slot to be reused next; slots are reused round robin, so it is the oldest
 * @bits: bits of a hash of a pid
 * @heads: index of the first slot in the chain of each hash, or COMM_NO_SLOT
 * @slots: the comms; the pid of an unused slot is 0, as idle tasks are not saved
 */
struct comm_cache {
	unsigned int		size;
	unsigned int		hand;
	unsigned int		bits;
	int			*heads;
	struct comm_slot	slots[] __counted_by(size);
};

/* Number of comms that a CPU can keep while the cache is locked. */
#define COMM_BACKLOG	16U

/**
 * struct comm_backlog_entry - a comm that could not be saved when its task left the CPU
 * @saved: the comm
 * @final: true if the task was exiting, so the comm is its last one. Other tasks may have changed
 *	their comm since, and another CPU may have saved the new one
 */
struct comm_backlog_entry {
	struct saved_comm	saved;
	bool			final;
};

/**
 * struct comm_backlog - the comms that a CPU still has to save
 * @nr: number of comms
 * @left: the comms, the oldest first
 */
struct comm_backlog {
	unsigned int		nr;
	struct comm_backlog_entry	left[COMM_BACKLOG];
};

/**
 * comm_cache_alloc - allocate an empty cache
 * @size: number of slots, at least 1
 *
 * Context: may sleep.
 * Return: the cache, for comm_cache_free(); NULL if there is no memory.
 */
struct comm_cache *comm_cache_alloc(unsigned int size);

/**
 * comm_cache_free - free a cache
 * @c: the cache, or NULL
 *
 * Context: may sleep.
 */
void comm_cache_free(struct comm_cache *c);

/**
 * comm_cache_find - find the comm of a task
 * @c: the cache
 * @pid: pid of the task, not 0
 *
 * Context: any; the caller excludes changes of @c.
 * Return: the comm, or NULL if none is saved.
 */
const char *comm_cache_find(const struct comm_cache *c, int pid);

/**
 * comm_cache_put - save the comm of a task
 * @c: the cache
 * @pid: pid of the task, not 0
 * @comm: comm of the task
 * @newest: true to replace a comm that is saved for @pid
 *
 * A new task replaces the oldest one.
 *
 * Context: any; the caller excludes other accesses to @c.
 */
void comm_cache_put(struct comm_cache *c, int pid, const char comm[TASK_COMM_LEN], bool newest);

/**
 * comm_backlog_add - add the comm of a task to a backlog
 * @b: the backlog
 * @pid: pid of the task, not 0
 * @comm: comm of the task
 * @final: true if the task is exiting
 *
 * A full backlog drops the oldest comm of a task that was not exiting, because that task may be
 * switched again; if there is none, the oldest comm.
 *
 * Context: any; the caller excludes other accesses to @b.
 */
void comm_backlog_add(struct comm_backlog *b, int pid, const char comm[TASK_COMM_LEN],
		      bool final);

/**
 * comm_backlog_flush - save a backlog in the cache
 * @b: the backlog, empty afterwards
 * @c: the cache
 *
 * Context: any; the caller excludes other accesses to @b and @c.
 */
void comm_backlog_flush(struct comm_backlog *b, struct comm_cache *c);

#endif /* _KERNEL_TRACE_COMM_CACHE_H */
