// SPDX-License-Identifier: GPL-2.0
/*
 * Sets of pids: the functions that are not inline in pid_list.h.
 */
#include <linux/bitmap.h>
#include <linux/slab.h>

#include "pid_list.h"

unsigned int pid_list_next(const struct pid_list *list, unsigned int pid)
{
	const unsigned long *piece;
	unsigned int begin, bit;

	while (pid < PID_MAX_LIMIT) {
		begin = round_down(pid, PID_PIECE_BITS);
		piece = pid_list_piece(list, pid);
		if (piece) {
			bit = find_next_bit(piece, PID_PIECE_BITS, pid - begin);
			if (bit < PID_PIECE_BITS)
				return begin + bit;
		}
		pid = begin + PID_PIECE_BITS;
	}
	return PID_MAX_LIMIT;
}

int pid_list_provide(struct pid_list *list, unsigned int pid)
{
	unsigned long **at = &list->pieces[pid / PID_PIECE_BITS];
	unsigned long *piece;

	if (*at)
		return 0;
	piece = kzalloc(PAGE_SIZE, GFP_KERNEL);
	if (!piece)
		return -ENOMEM;
	/* Pairs with READ_ONCE() in pid_list_piece(): the piece is zeroed before it is found. */
	smp_store_release(at, piece);
	return 0;
}

int pid_list_provide_all(struct pid_list *list)
{
	int err = 0;

	for (unsigned int i = 0; i < NR_PID_PIECES && !err; i++)
		err = pid_list_provide(list, i * PID_PIECE_BITS);
	return err;
}

struct pid_list *pid_list_alloc(void)
{
	return kzalloc(sizeof(struct pid_list), GFP_KERNEL);
}

void pid_list_free(struct pid_list *list)
{
	for (unsigned int i = 0; i < NR_PID_PIECES; i++)
		kfree(list->pieces[i]);
	kfree(list);
}
