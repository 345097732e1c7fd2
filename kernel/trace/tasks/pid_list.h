/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of pids: a bitmap of all possible pids, in pieces that are allocated with the first pid in
 * them.
 *
 * Adding and removing a pid are atomic bit operations without locks or allocation, once the piece
 * is there; this suits the hooks at fork and exit. Readers need no lock, because a piece is kept
 * until its list is freed.
 */
#ifndef _KERNEL_TRACE_TASKS_PID_LIST_H
#define _KERNEL_TRACE_TASKS_PID_LIST_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/math.h>
#include <linux/mm.h>
#include <linux/threads.h>

/* Pids of a piece, and pieces of a list. */
#define PID_PIECE_BITS	((unsigned int)(PAGE_SIZE * BITS_PER_BYTE))
#define NR_PID_PIECES	DIV_ROUND_UP(PID_MAX_LIMIT, PID_PIECE_BITS)

/**
 * struct pid_list - a set of pids
 * @pieces: bitmaps of a page each; NULL for a piece that has not been allocated yet
 */
struct pid_list {
	unsigned long *pieces[NR_PID_PIECES];
};

/* Return: the piece of @pid, or NULL. */
static inline unsigned long *pid_list_piece(const struct pid_list *list, unsigned int pid)
{
	/* Pairs with smp_store_release() in pid_list_provide(): a piece is found zeroed. */
	return READ_ONCE(list->pieces[pid / PID_PIECE_BITS]);
}

/**
 * pid_list_has - check whether a pid is in a list
 * @list: the list
 * @pid: the pid, below PID_MAX_LIMIT
 *
 * Context: any, NMI included.
 * Return: true if it is.
 */
static inline bool pid_list_has(const struct pid_list *list, unsigned int pid)
{
	const unsigned long *piece = pid_list_piece(list, pid);

	return piece && test_bit(pid % PID_PIECE_BITS, piece);
}

/**
 * pid_list_add - add a pid, if its piece is allocated
 * @list: the list
 * @pid: the pid, below PID_MAX_LIMIT
 *
 * Context: any.
 */
static inline void pid_list_add(struct pid_list *list, unsigned int pid)
{
	unsigned long *piece = pid_list_piece(list, pid);

	if (piece)
		set_bit(pid % PID_PIECE_BITS, piece);
}

/**
 * pid_list_remove - remove a pid
 * @list: the list
 * @pid: the pid, below PID_MAX_LIMIT
 *
 * Context: any.
 */
static inline void pid_list_remove(struct pid_list *list, unsigned int pid)
{
	unsigned long *piece = pid_list_piece(list, pid);

	if (piece)
		clear_bit(pid % PID_PIECE_BITS, piece);
}

/**
 * pid_list_next - iterate over a list in ascending order
 * @list: the list
 * @pid: pid to start at
 *
 * Context: any.
 * Return: the first pid at or after @pid; PID_MAX_LIMIT if there is none.
 */
unsigned int pid_list_next(const struct pid_list *list, unsigned int pid);

/**
 * pid_list_provide - allocate the piece of a pid, unless there is one
 * @list: the list
 * @pid: the pid, below PID_MAX_LIMIT
 *
 * Context: may sleep; callers exclude each other.
 * Return: 0 or -ENOMEM.
 */
int pid_list_provide(struct pid_list *list, unsigned int pid);

/**
 * pid_list_provide_all - allocate all pieces, so that any pid can be added
 * @list: the list
 *
 * Context: may sleep; callers exclude each other.
 * Return: 0 or -ENOMEM.
 */
int pid_list_provide_all(struct pid_list *list);

/**
 * pid_list_alloc - allocate an empty list
 *
 * Context: may sleep.
 * Return: the list, for pid_list_free(); NULL if there is no memory.
 */
struct pid_list *pid_list_alloc(void);

/**
 * pid_list_free - free a list
 * @list: the list, which has no readers any more
 *
 * Context: any in which kfree() may be called.
 */
void pid_list_free(struct pid_list *list);

#endif /* _KERNEL_TRACE_TASKS_PID_LIST_H */
