// SPDX-License-Identifier: GPL-2.0
/*
 * Comms of tasks by pid, see comm_cache.h. Called inside the scheduler: nothing here may sleep or
 * lock, except comm_cache_alloc() and comm_cache_free().
 */
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "comm_cache.h"

struct comm_cache *comm_cache_alloc(unsigned int size)
{
	unsigned int bits = ilog2(roundup_pow_of_two(size)) + 1;
	struct comm_cache *c;

	c = kvzalloc(struct_size(c, slots, size), GFP_KERNEL);
	if (!c)
		return NULL;
	c->size = size;
	c->bits = bits;
	c->heads = kvmalloc_array(1U << bits, sizeof(*c->heads), GFP_KERNEL);
	if (!c->heads) {
		kvfree(c);
		return NULL;
	}
	for (unsigned int i = 0; i < 1U << bits; i++)
		c->heads[i] = COMM_NO_SLOT;
	return c;
}

void comm_cache_free(struct comm_cache *c)
{
	if (!c)
		return;
	kvfree(c->heads);
	kvfree(c);
}

static int *comm_cache_chain(const struct comm_cache *c, int pid)
{
	return &c->heads[hash_32(pid, c->bits)];
}

static int comm_cache_find_slot(const struct comm_cache *c, int pid)
{
	int i = *comm_cache_chain(c, pid);

	while (i != COMM_NO_SLOT && c->slots[i].saved.pid != pid)
		i = c->slots[i].next;
	return i;
}

const char *comm_cache_find(const struct comm_cache *c, int pid)
{
	int i = comm_cache_find_slot(c, pid);

	return i == COMM_NO_SLOT ? NULL : c->slots[i].saved.comm;
}

static void comm_cache_unlink_slot(struct comm_cache *c, struct comm_slot *slot)
{
	int *link = comm_cache_chain(c, slot->saved.pid);

	while (&c->slots[*link] != slot)
		link = &c->slots[*link].next;
	*link = slot->next;
}

/* Return: index of the oldest slot, which now belongs to @pid. */
static int comm_cache_claim_slot(struct comm_cache *c, int pid)
{
	int *chain, i = c->hand;
	struct comm_slot *slot = &c->slots[i];

	if (slot->saved.pid)
		comm_cache_unlink_slot(c, slot);

	chain = comm_cache_chain(c, pid);
	slot->saved.pid = pid;
	slot->next = *chain;
	*chain = i;
	c->hand = c->hand + 1 < c->size ? c->hand + 1 : 0;
	return i;
}

/*
 * Copy a comm. The constant size compiles to two moves, for the sake of task switches. The copy
 * may race with a change of the comm, and then be a mixture; it always ends by a NUL.
 */
static void comm_cache_copy_comm(char *to, const char *comm)
{
	memcpy(to, comm, TASK_COMM_LEN);
	to[TASK_COMM_LEN - 1] = '\0';
}

void comm_cache_put(struct comm_cache *c, int pid, const char comm[TASK_COMM_LEN], bool newest)
{
	int i = comm_cache_find_slot(c, pid);

	if (i != COMM_NO_SLOT && !newest)
		return;
	if (i == COMM_NO_SLOT)
		i = comm_cache_claim_slot(c, pid);
	comm_cache_copy_comm(c->slots[i].saved.comm, comm);
}

static void comm_backlog_drop(struct comm_backlog *b, unsigned int i)
{
	b->nr--;
	memmove(&b->left[i], &b->left[i + 1], (b->nr - i) * sizeof(b->left[0]));
}

static void comm_backlog_make_room(struct comm_backlog *b, int pid)
{
	unsigned int i;

	for (i = 0; i < b->nr; i++) {
		if (b->left[i].saved.pid == pid) {
			comm_backlog_drop(b, i);
			return;
		}
	}
	if (b->nr < COMM_BACKLOG)
		return;
	for (i = 0; i < b->nr && b->left[i].final; i++)
		;
	comm_backlog_drop(b, i < b->nr ? i : 0);
}

void comm_backlog_add(struct comm_backlog *b, int pid, const char comm[TASK_COMM_LEN],
		      bool final)
{
	struct comm_backlog_entry *left;

	comm_backlog_make_room(b, pid);
	left = &b->left[b->nr++];
	left->saved.pid = pid;
	left->final = final;
	comm_cache_copy_comm(left->saved.comm, comm);
}

void comm_backlog_flush(struct comm_backlog *b, struct comm_cache *c)
{
	for (unsigned int i = 0; i < b->nr; i++)
		comm_cache_put(c, b->left[i].saved.pid, b->left[i].saved.comm,
			       b->left[i].final);
	b->nr = 0;
}
