// SPDX-License-Identifier: GPL-2.0
/*
 * A table that counts the hits of keys without a lock: see table.h.
 *
 * The slots are a hash table with linear probing, whose entries are numbers of rows. A row is
 * complete before its number is stored in a slot, and a slot keeps its number until table_clear().
 * So a reader that finds a number finds a complete row, and a reader that comes to an empty slot
 * knows that the key is in no slot behind. The key is added by a compare and exchange of that slot.
 * If another CPU was faster, the search goes on at the slot. All searches for a key stop at the
 * same slot, so no key gets two rows.
 *
 * A CPU keeps a row that lost such a race as a spare, and takes a row that nobody has used only if
 * it has no spare. So it holds at most one unused row per nested context, and the table has that
 * many rows more than keys.
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

#include "internal.h"
#include "table.h"

static struct table_row *get_row(const struct table *t, unsigned int number)
{
	return t->rows + (size_t)(number - 1) * t->row_size;
}

/* ------------------------------------------------------------------ */
/* Allocation								*/

static bool alloc_table_parts(struct table *t)
{
	t->spares = alloc_percpu(struct table_spares);
	t->slots = kvcalloc(t->mask + 1, sizeof(*t->slots), GFP_KERNEL);
	/* Hits in an NMI write to the rows, and must not fault. */
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
	/* At least half of the slots stay empty, or searches for missing keys would get long. */
	t->mask = roundup_pow_of_two(nr_rows) * 2 - 1;
	t->shift = 32 - ilog2(t->mask + 1);
	if (!alloc_table_parts(t)) {
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
/* New rows								*/

/* Reserve one of the keys that the table may have. Return: false if there is none left. */
static bool reserve_key(struct table *t)
{
	return atomic_add_unless(&t->keys, 1, t->nr_rows);
}

static void release_key(struct table *t)
{
	atomic_dec(&t->keys);
}

/*
 * Take a spare row of the CPU, or one that has never been used.
 *
 * Return: number of the row; 0 if there is none, which happens only if contexts nest deeper than
 * TABLE_LEVELS.
 */
static unsigned int take_free_row(struct table *t)
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

/* Keep a row as a spare of the CPU. A context that interrupts this may take or keep one as well. */
static void keep_spare_row(struct table *t, unsigned int number)
{
	for (unsigned int i = 0; i < TABLE_LEVELS; i++)
		if (!this_cpu_cmpxchg(t->spares->row[i], 0, number))
			return;
}

/* Fill in a new row, which is in no slot yet. Return: number of the row; 0 if there is none. */
static unsigned int fill_new_row(struct table *t, u32 hash, const void *key)
{
	struct table_row *row;
	unsigned int number;

	if (!reserve_key(t))
		return 0;
	number = take_free_row(t);
	if (!number) {
		release_key(t);
		return 0;
	}
	row = get_row(t, number);
	row->hash = hash;
	memcpy(table_key(t, row), key, t->key_size + t->note_size);
	return number;
}

/* ------------------------------------------------------------------ */
/* Search								*/

/*
 * Number of 64 bit words of a key. Callers of find_row() pass 1 and 2 as constants, for which the
 * compiler emits no loop: most keys are so short.
 */
static __always_inline unsigned int get_key_words(const struct table *t)
{
	return t->key_size / sizeof(u64);
}

/* Compare a row's key. The hash is compared first only if this saves comparing many words. */
static __always_inline bool is_row_of_key(const struct table *t, const struct table_row *row,
					  u32 hash, const u64 *key, unsigned int words)
{
	const u64 *other = table_key(t, row);

	if (!(__builtin_constant_p(words) && words <= 2) && row->hash != hash)
		return false;
	for (unsigned int i = 0; i < words; i++)
		if (other[i] != key[i])
			return false;
	return true;
}

static __always_inline unsigned int read_slot(const struct table *t, unsigned int at)
{
	/* The row is read after its number. Pairs with the release in insert_row(). */
	return atomic_read_acquire(&t->slots[at]);
}

/*
 * Find the slot of a key from slot @at on, or the first empty slot, and set @number to its
 * contents. The search ends at an empty slot at the latest: at least half of them are.
 */
static unsigned int find_slot(struct table *t, u32 hash, const void *key, unsigned int at,
			      unsigned int *number)
{
	for (;; at = (at + 1) & t->mask) {
		*number = read_slot(t, at);
		if (!*number || is_row_of_key(t, get_row(t, *number), hash, key, get_key_words(t)))
			return at;
	}
}

/*
 * The highest bits of a product depend on all bits of its factors. They are mixed into the lower
 * ones for the next word, and the highest bits of the result select the slot.
 */
static __always_inline u32 hash_table_key(const u64 *key, unsigned int words)
{
	u64 hash = 0;

	for (unsigned int i = 0; i < words; i++) {
		hash = (hash ^ key[i]) * GOLDEN_RATIO_64;
		hash ^= hash >> 32;
	}
	return hash >> 32;
}

static __always_inline unsigned int hash_to_slot(const struct table *t, u32 hash)
{
	return hash >> t->shift;
}

/*
 * Store a complete row in slot @at, which was empty, or in one behind it.
 *
 * Return: the row; or that of another CPU which has added the key meanwhile.
 */
static struct table_row *insert_row(struct table *t, u32 hash, const void *key, unsigned int at,
				    unsigned int mine)
{
	unsigned int number;

	do {
		/* The row is filled in before. Pairs with the acquire in read_slot(). */
		if (!atomic_cmpxchg_release(&t->slots[at], 0, mine))
			return get_row(t, mine);
		at = find_slot(t, hash, key, at, &number);
	} while (!number);
	keep_spare_row(t, mine);
	release_key(t);
	return get_row(t, number);
}

/* Add a row for a key that is in no slot; slot @at is the first empty one. */
static struct table_row *add_row(struct table *t, u32 hash, const void *key, unsigned int at)
{
	unsigned int number, mine = fill_new_row(t, hash, key);

	if (mine)
		return insert_row(t, hash, key, at, mine);
	/*
	 * Another CPU may have got the last row for the same key. If it has stored the row in a
	 * slot by now, use it. Otherwise drop the hit, as a hit never waits.
	 */
	find_slot(t, hash, key, at, &number);
	if (number)
		return get_row(t, number);
	atomic64_inc(&t->dropped);
	return NULL;
}

/* Find a key that is not in the slot of its hash, but may be behind it. Add it if @make. */
static noinline struct table_row *find_row_further(struct table *t, u32 hash, const void *key,
						   bool make)
{
	unsigned int number, at = find_slot(t, hash, key, hash_to_slot(t, hash), &number);

	if (number)
		return get_row(t, number);
	return make ? add_row(t, hash, key, at) : NULL;
}

/* Fast path: most keys are in the slot of their hash, or this slot is empty. */
static __always_inline struct table_row *find_row(struct table *t, const void *key,
						  unsigned int words, bool make)
{
	u32 hash = hash_table_key(key, words);
	unsigned int number = read_slot(t, hash_to_slot(t, hash));

	if (likely(number && is_row_of_key(t, get_row(t, number), hash, key, words)))
		return get_row(t, number);
	if (!number && !make)
		return NULL;
	return find_row_further(t, hash, key, make);
}

static noinline struct table_row *find_long_key_row(struct table *t, const void *key, bool make)
{
	unsigned int words = get_key_words(t);

	return likely(words == 2) ? find_row(t, key, 2, make) : find_row(t, key, words, make);
}

struct table_row *table_find(struct table *t, const void *key)
{
	return likely(get_key_words(t) == 1) ? find_row(t, key, 1, false) :
					       find_long_key_row(t, key, false);
}

struct table_row *table_row(struct table *t, const void *key)
{
	return likely(get_key_words(t) == 1) ? find_row(t, key, 1, true) :
					       find_long_key_row(t, key, true);
}

u64 table_hits(const struct table *t)
{
	u64 hits = atomic64_read(&t->dropped);
	unsigned int number;

	for (unsigned int at = 0; at <= t->mask; at++) {
		number = atomic_read_acquire(&t->slots[at]);
		if (number)
			hits += atomic64_read(&get_row(t, number)->hits);
	}
	return hits;
}

/* ------------------------------------------------------------------ */
/* Copies								*/

static void copy_table_row(const struct table *t, struct table_row *to,
			   const struct table_row *from)
{
	to->hash = from->hash;
	atomic64_set(&to->hits, atomic64_read(&from->hits));
	for (unsigned int i = 0; i < t->nr_sums; i++)
		atomic64_set(&to->sums[i], atomic64_read(&from->sums[i]));
	memcpy(table_key(t, to), table_key(t, from), t->key_size + t->note_size);
}

/* Room in a copy for keys that are added while its memory is allocated. */
#define COPY_SPARE	64U

static bool alloc_table_copy(const struct table *t, struct table_copy *copy, unsigned int most)
{
	copy->nr = 0;
	copy->rows = kvmalloc_array(most, sizeof(*copy->rows), GFP_KERNEL);
	copy->memory = kvmalloc(array_size(most, t->row_size), GFP_KERNEL);
	return copy->rows && copy->memory;
}

/* Return: false if the copy has no room for all rows. */
static bool copy_table_rows(struct table *t, struct table_copy *copy, unsigned int most)
{
	unsigned int number;

	for (unsigned int at = 0; at <= t->mask; at++) {
		number = atomic_read_acquire(&t->slots[at]);
		if (!number)
			continue;
		if (copy->nr == most)
			return false;
		copy->rows[copy->nr] = copy->memory + (size_t)copy->nr * t->row_size;
		copy_table_row(t, copy->rows[copy->nr++], get_row(t, number));
	}
	return true;
}

int table_copy(struct table *t, struct table_copy *copy)
{
	unsigned int most;

	for (;;) {
		most = min(atomic_read(&t->keys) + COPY_SPARE, t->nr_rows);
		if (!alloc_table_copy(t, copy, most)) {
			table_copy_free(copy);
			return -ENOMEM;
		}
		if (copy_table_rows(t, copy, most))
			return 0;
		table_copy_free(copy);
	}
}

void table_copy_free(struct table_copy *copy)
{
	kvfree(copy->rows);
	kvfree(copy->memory);
}
