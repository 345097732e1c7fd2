// SPDX-License-Identifier: GPL-2.0
/*
 * A table that counts, without a lock.
 *
 * Slots are an array of numbers of rows, found by the hash of a key, and by going on to the
 * next one while another key is there. A row is filled in before its number is put into a
 * slot, and a slot that has a number keeps it. So who finds a number finds a complete row,
 * and who finds none knows that the key is nowhere behind: he may put it there, by
 * compare and exchange, and if somebody else was there first, he looks whose key it is. For
 * one key all stop at the same slot, so no two rows have the same.
 *
 * A row that was filled in vain is kept for the next one that its CPU needs. Only a CPU that
 * has kept none is handed out another row, so it has as many at most as contexts can nest:
 * so many more than there can be keys are made.
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "table.h"

static struct table_row *row_at(const struct table *t, unsigned int number)
{
	return t->rows + (size_t)(number - 1) * t->row_size;
}

/* ------------------------------------------------------------------ */
/* Made and forgotten							*/

static bool alloc_parts(struct table *t)
{
	t->spares = alloc_percpu(struct table_spares);
	t->slots = kvcalloc(t->mask + 1, sizeof(*t->slots), GFP_KERNEL);
	/* What is added to in an NMI may not fault. */
	t->rows = vzalloc(array_size(t->nr_all, t->row_size));
	return t->spares && t->slots && t->rows;
}

struct table *table_alloc(unsigned int nr_rows, unsigned int key_size, unsigned int note_size,
			  unsigned int nr_sums)
{
	struct table *t;

	if (!nr_rows || nr_rows > TABLE_ROWS_MAX)
		return NULL;
	t = kzalloc(sizeof(*t), GFP_KERNEL);
	if (!t)
		return NULL;
	t->nr_rows = nr_rows;
	t->nr_all = nr_rows + num_possible_cpus() * TABLE_LEVELS;
	t->key_size = key_size;
	t->note_size = note_size;
	t->nr_sums = nr_sums;
	t->row_size = ALIGN(struct_size((struct table_row *)NULL, sums, nr_sums) + key_size +
			    note_size, sizeof(u64));
	/* Half of them stay empty, or to look for a key that is not there would take long. */
	t->mask = roundup_pow_of_two(nr_rows) * 2 - 1;
	t->shift = 32 - ilog2(t->mask + 1);
	if (!alloc_parts(t)) {
		table_free(t);
		return NULL;
	}
	return t;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	vfree(t->rows);
	kvfree(t->slots);
	free_percpu(t->spares);
	kfree(t);
}

void table_clear(struct table *t)
{
	unsigned int cpu;

	memset(t->slots, 0, (t->mask + 1) * sizeof(*t->slots));
	memset(t->rows, 0, (size_t)t->nr_all * t->row_size);
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(t->spares, cpu), 0, sizeof(*t->spares));
	atomic_set(&t->used, 0);
	atomic_set(&t->keys, 0);
	atomic64_set(&t->dropped, 0);
}

/* ------------------------------------------------------------------ */
/* Rows handed out							*/

/* Whoever gets a row with a key gets one of these first: so there are never more. */
static bool may_have_key(struct table *t)
{
	return atomic_add_unless(&t->keys, 1, t->nr_rows);
}

static void has_no_key(struct table *t)
{
	atomic_dec(&t->keys);
}

/* Return: a number, or 0 if all are handed out, which only too deep a nesting can do. */
static unsigned int take_row(struct table *t)
{
	unsigned int number;

	for (unsigned int i = 0; i < TABLE_LEVELS; i++) {
		number = this_cpu_xchg(t->spares->row[i], 0);
		if (number)
			return number;
	}
	number = atomic_fetch_add_unless(&t->used, 1, t->nr_all) + 1;
	return number <= t->nr_all ? number : 0;
}

/* Whoever interrupts this may do the same. */
static void keep_row(struct table *t, unsigned int number)
{
	for (unsigned int i = 0; i < TABLE_LEVELS; i++)
		if (!this_cpu_cmpxchg(t->spares->row[i], 0, number))
			return;
}

static unsigned int fill_row(struct table *t, u32 hash, const void *key)
{
	struct table_row *row;
	unsigned int number;

	if (!may_have_key(t))
		return 0;
	number = take_row(t);
	if (!number) {
		has_no_key(t);
		return 0;
	}
	row = row_at(t, number);
	row->hash = hash;
	memcpy(table_key(t, row), key, t->key_size + t->note_size);
	return number;
}

/* ------------------------------------------------------------------ */
/* A key									*/

/*
 * A key is words, one or two of them most of the time: for those who say so as they call, the
 * compiler makes no loop.
 */
static __always_inline unsigned int words_of(const struct table *t)
{
	return t->key_size / sizeof(u64);
}

/* That @hash is another one only spares who would have to compare many words. */
static __always_inline bool is_key(const struct table *t, const struct table_row *row, u32 hash,
				   const u64 *key, unsigned int words)
{
	const u64 *other = table_key(t, row);

	if (!(__builtin_constant_p(words) && words <= 2) && row->hash != hash)
		return false;
	for (unsigned int i = 0; i < words; i++)
		if (other[i] != key[i])
			return false;
	return true;
}

static __always_inline unsigned int number_in(const struct table *t, unsigned int at)
{
	/* Pairs with the release in put(). */
	return atomic_read_acquire(&t->slots[at]);
}

/*
 * The slot of a key from @at on, or the first empty one; @number is what is in it. There is
 * always an empty one.
 */
static unsigned int look(struct table *t, u32 hash, const void *key, unsigned int at,
			 unsigned int *number)
{
	for (;; at = (at + 1) & t->mask) {
		*number = number_in(t, at);
		if (!*number || is_key(t, row_at(t, *number), hash, key, words_of(t)))
			return at;
	}
}

/*
 * A product's highest bits know of all bits of its factors: they are brought down for the next
 * word, and a slot is looked for by the highest of the last.
 */
static __always_inline u32 hash_of(const u64 *key, unsigned int words)
{
	u64 hash = 0;

	for (unsigned int i = 0; i < words; i++) {
		hash = (hash ^ key[i]) * GOLDEN_RATIO_64;
		hash ^= hash >> 32;
	}
	return hash >> 32;
}

static __always_inline unsigned int slot_of(const struct table *t, u32 hash)
{
	return hash >> t->shift;
}

/* Put a row that is filled in into the slot, which is empty, or one behind it. */
static struct table_row *put(struct table *t, u32 hash, const void *key, unsigned int at,
			     unsigned int mine)
{
	unsigned int number;

	do {
		/* The row is complete: pairs with the acquire in number_in(). */
		if (!atomic_cmpxchg_release(&t->slots[at], 0, mine))
			return row_at(t, mine);
		at = look(t, hash, key, at, &number);
	} while (!number);
	keep_row(t, mine);
	has_no_key(t);
	return row_at(t, number);
}

/* There was none for the key from that slot on. */
static struct table_row *new_row(struct table *t, u32 hash, const void *key, unsigned int at)
{
	unsigned int number, mine = fill_row(t, hash, key);

	if (mine)
		return put(t, hash, key, at, mine);
	/*
	 * Somebody else may have had the last one for the same key. Nobody waits for who has it
	 * and is about to put it into its slot: until then the key has no row, and this hit is
	 * dropped, and counted so.
	 */
	look(t, hash, key, at, &number);
	if (number)
		return row_at(t, number);
	atomic64_inc(&t->dropped);
	return NULL;
}

/* It is not in the slot of its hash: behind it, or nowhere. */
static noinline struct table_row *further(struct table *t, u32 hash, const void *key, bool make)
{
	unsigned int number, at = look(t, hash, key, slot_of(t, hash), &number);

	if (number)
		return row_at(t, number);
	return make ? new_row(t, hash, key, at) : NULL;
}

/* Most keys are in the very slot of their hash, or it is empty. */
static __always_inline struct table_row *find(struct table *t, const void *key,
					      unsigned int words, bool make)
{
	u32 hash = hash_of(key, words);
	unsigned int number = number_in(t, slot_of(t, hash));

	if (likely(number && is_key(t, row_at(t, number), hash, key, words)))
		return row_at(t, number);
	if (!number && !make)
		return NULL;
	return further(t, hash, key, make);
}

static noinline struct table_row *find_words(struct table *t, const void *key, bool make)
{
	unsigned int words = words_of(t);

	return likely(words == 2) ? find(t, key, 2, make) : find(t, key, words, make);
}

struct table_row *table_find(struct table *t, const void *key)
{
	return likely(words_of(t) == 1) ? find(t, key, 1, false) : find_words(t, key, false);
}

struct table_row *table_row(struct table *t, const void *key)
{
	return likely(words_of(t) == 1) ? find(t, key, 1, true) : find_words(t, key, true);
}

u64 table_hits(const struct table *t)
{
	u64 hits = atomic64_read(&t->dropped);
	unsigned int number;

	for (unsigned int at = 0; at <= t->mask; at++) {
		number = atomic_read_acquire(&t->slots[at]);
		if (number)
			hits += atomic64_read(&row_at(t, number)->hits);
	}
	return hits;
}

/* ------------------------------------------------------------------ */
/* Copies								*/

static void copy_row(const struct table *t, struct table_row *to, const struct table_row *from)
{
	to->hash = from->hash;
	atomic64_set(&to->hits, atomic64_read(&from->hits));
	for (unsigned int i = 0; i < t->nr_sums; i++)
		atomic64_set(&to->sums[i], atomic64_read(&from->sums[i]));
	memcpy(table_key(t, to), table_key(t, from), t->key_size + t->note_size);
}

/* What came while there was memory to be found has room. */
#define COPY_SPARE	64U

static bool alloc_copy(const struct table *t, struct table_copy *copy, unsigned int most)
{
	copy->nr = 0;
	copy->rows = kvmalloc_array(most, sizeof(*copy->rows), GFP_KERNEL);
	copy->memory = kvmalloc(array_size(most, t->row_size), GFP_KERNEL);
	return copy->rows && copy->memory;
}

/* Return: false if there was no room for all. */
static bool copy_rows(struct table *t, struct table_copy *copy, unsigned int most)
{
	unsigned int number;

	for (unsigned int at = 0; at <= t->mask; at++) {
		number = atomic_read_acquire(&t->slots[at]);
		if (!number)
			continue;
		if (copy->nr == most)
			return false;
		copy->rows[copy->nr] = copy->memory + (size_t)copy->nr * t->row_size;
		copy_row(t, copy->rows[copy->nr++], row_at(t, number));
	}
	return true;
}

int table_copy(struct table *t, struct table_copy *copy)
{
	unsigned int most;

	for (;;) {
		most = min(atomic_read(&t->keys) + COPY_SPARE, t->nr_rows);
		if (!alloc_copy(t, copy, most)) {
			table_copy_free(copy);
			return -ENOMEM;
		}
		if (copy_rows(t, copy, most))
			return 0;
		table_copy_free(copy);
	}
}

void table_copy_free(struct table_copy *copy)
{
	kvfree(copy->rows);
	kvfree(copy->memory);
}
