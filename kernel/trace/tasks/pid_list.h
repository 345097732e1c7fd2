/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Some pids: a bitmap of all that there can be, in pieces that come with the first pid of
 * theirs.
 *
 * Adding and taking away are single bit operations that need no lock, and no memory where
 * the piece is there, which suits the hooks at fork and exit. Who looks at a list needs
 * no lock either: pieces stay as long as the list.
 */
#ifndef _KERNEL_TRACE_TASKS_PID_LIST_H
#define _KERNEL_TRACE_TASKS_PID_LIST_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/math.h>
#include <linux/mm.h>
#include <linux/threads.h>

#define PID_PIECE_BITS	((unsigned int)(PAGE_SIZE * BITS_PER_BYTE))
#define NR_PID_PIECES	DIV_ROUND_UP(PID_MAX_LIMIT, PID_PIECE_BITS)

/**
 * struct pid_list - some pids
 * @pieces: bitmaps of a page each; NULL for one that no pid was ever in
 */
struct pid_list {
	unsigned long *pieces[NR_PID_PIECES];
};

static inline unsigned long *pid_list_piece(const struct pid_list *list, unsigned int pid)
{
	/* Pairs with pid_list_provide(): a piece that is found is empty at least. */
	return READ_ONCE(list->pieces[pid / PID_PIECE_BITS]);
}

/**
 * pid_list_has - is a pid in a list
 * @list: the list
 * @pid: below PID_MAX_LIMIT
 *
 * Context: any, NMI included.
 */
static inline bool pid_list_has(const struct pid_list *list, unsigned int pid)
{
	const unsigned long *piece = pid_list_piece(list, pid);

	return piece && test_bit(pid % PID_PIECE_BITS, piece);
}

/**
 * pid_list_add - a pid comes, if its piece is there
 * @list: the list
 * @pid: below PID_MAX_LIMIT
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
 * pid_list_remove - a pid goes
 * @list: the list
 * @pid: below PID_MAX_LIMIT
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
 * pid_list_next - walk a list in ascending order
 * @list: the list
 * @pid: where to start
 *
 * Context: any.
 * Return: the first pid at or after @pid; PID_MAX_LIMIT if there is none.
 */
unsigned int pid_list_next(const struct pid_list *list, unsigned int pid);

/**
 * pid_list_provide - have the piece that a pid belongs to
 * @list: the list
 * @pid: below PID_MAX_LIMIT
 *
 * Context: may sleep; two callers exclude each other.
 * Return: 0 or -ENOMEM.
 */
int pid_list_provide(struct pid_list *list, unsigned int pid);

/**
 * pid_list_provide_all - have all pieces, so that any pid may come
 * @list: the list
 *
 * Context and return: as for pid_list_provide().
 */
int pid_list_provide_all(struct pid_list *list);

/**
 * pid_list_alloc - a list without pids
 *
 * Context: may sleep.
 * Return: the list, for pid_list_free(); NULL without memory.
 */
struct pid_list *pid_list_alloc(void);

/**
 * pid_list_free - a list goes
 * @list: the list; nobody looks at it any more
 *
 * Context: any that kfree() may be called in.
 */
void pid_list_free(struct pid_list *list);

#endif /* _KERNEL_TRACE_TASKS_PID_LIST_H */
