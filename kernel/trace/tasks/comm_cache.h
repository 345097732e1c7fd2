/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Comms of tasks by pid: the cache that is looked up, and what a CPU keeps until
 * it can put it there. Plain data: who may touch it when is for cmdlines.c to say.
 */
#ifndef _KERNEL_TRACE_COMM_CACHE_H
#define _KERNEL_TRACE_COMM_CACHE_H

#include <linux/types.h>

#include "cmdlines.h"

#define COMM_NO_SLOT	(-1)

/* A saved comm, and the next one in its chain. */
struct comm_slot {
	struct saved_comm	saved;
	int			next;
};

/**
 * struct comm_cache - the comms saved latest
 * @size: how many there can be
 * @hand: the slot to be used next: round robin, so the oldest
 * @bits: of a hash
 * @heads: per hash of a pid, the first slot of its chain
 * @slots: one whose pid is 0 was never used: idle tasks are not saved
 */
struct comm_cache {
	unsigned int		size;
	unsigned int		hand;
	unsigned int		bits;
	int			*heads;
	struct comm_slot	slots[] __counted_by(size);
};

/* Tasks that may end on a CPU while others keep it from the cache. */
#define COMM_BACKLOG	16U

/**
 * struct comm_left - a comm that could not be saved when its task left the CPU
 * @saved: the comm
 * @final: the task was ending. Another may have got another comm since, and have
 *	it saved on another CPU
 */
struct comm_left {
	struct saved_comm	saved;
	bool			final;
};

/**
 * struct comm_backlog - the comms that a CPU has still to save, oldest first
 * @nr: how many
 * @left: they
 */
struct comm_backlog {
	unsigned int		nr;
	struct comm_left	left[COMM_BACKLOG];
};

/**
 * comm_cache_alloc - make an empty cache
 * @size: of how many comms, at least 1
 *
 * Context: may sleep.
 * Return: the cache, for comm_cache_free(); NULL if there is no memory.
 */
struct comm_cache *comm_cache_alloc(unsigned int size);

/**
 * comm_cache_free - the end of a cache
 * @c: the cache, or NULL
 *
 * Context: may sleep.
 */
void comm_cache_free(struct comm_cache *c);

/**
 * comm_cache_find - the comm of a task
 * @c: the cache
 * @pid: its pid, not 0
 *
 * Context: any, while nobody changes @c.
 * Return: the comm, NULL when it is not there.
 */
const char *comm_cache_find(const struct comm_cache *c, int pid);

/**
 * comm_cache_put - save the comm of a task
 * @c: the cache
 * @pid: its pid, not 0
 * @comm: its comm
 * @newest: replace what is there
 *
 * The oldest comm makes room for a new one.
 *
 * Context: any, while nobody else looks at @c.
 */
void comm_cache_put(struct comm_cache *c, int pid, const char comm[TASK_COMM_LEN], bool newest);

/**
 * comm_backlog_add - keep the comm of a task for later
 * @b: the backlog
 * @pid: its pid, not 0
 * @comm: its comm
 * @final: the task is ending
 *
 * When it is full, one of a task that goes on is dropped before one of a task that
 * has ended: the former may come back. Of several, the oldest.
 *
 * Context: any, while nobody else looks at @b.
 */
void comm_backlog_add(struct comm_backlog *b, int pid, const char comm[TASK_COMM_LEN],
		      bool final);

/**
 * comm_backlog_flush - put what was kept into the cache
 * @b: the backlog, empty afterwards
 * @c: the cache
 *
 * Context: as comm_cache_put() and comm_backlog_add().
 */
void comm_backlog_flush(struct comm_backlog *b, struct comm_cache *c);

#endif /* _KERNEL_TRACE_COMM_CACHE_H */
