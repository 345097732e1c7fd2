// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of probes/: fetching texts that begin, end, or do not end, at any place in memory, into
 * records with any room; and fetching from user memory.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/prandom.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>
#include <linux/vmalloc.h>

#include "fetch.h"

/* Size of the memory for texts. The page after it, a guard page of vmalloc, is not mapped. */
#define MEMORY		(2 * PAGE_SIZE)
#define LONGEST		40U
/* The record has BESIDE bytes in front and after it that must not be written. */
#define BESIDE		64U
#define MARK		0xa5
#define HEAD		sizeof(struct trace_entry)
#define WORDS		4U
#define TEXTS		(HEAD + WORDS * sizeof(u32))
#define RECORD		(TEXTS + FETCH_TEXT_MAX + 64U)

static const struct fetch_type string = { .size = 4, .kind = FETCH_STRING };
static const struct fetch_type ustring = { .size = 4, .kind = FETCH_USTRING };
static const struct fetch_type word32 = { .size = 4, .kind = FETCH_NUMBER };

/**
 * struct text_test - texts to fetch, and the record
 * @rnd: state of the random numbers
 * @memory: kernel memory with the texts
 * @regs: the registers
 * @from: the data to fetch from
 * @f: the fetch program
 * @text: copy of a text in user memory
 * @area: BESIDE bytes, the record, and BESIDE bytes more
 */
struct text_test {
	struct rnd_state	rnd;
	u8			*memory;
	struct pt_regs		regs;
	struct fetch_from	from;
	struct fetch		f;
	u8			text[LONGEST + 1];
	u8			area[BESIDE + RECORD + BESIDE];
};

static int make_memory(struct kunit *test)
{
	struct text_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	if (!t)
		return -ENOMEM;
	test->priv = t;
	t->from.regs = &t->regs;
	prandom_seed_state(&t->rnd, 37);
	t->memory = vzalloc(MEMORY);
	return t->memory ? 0 : -ENOMEM;
}

static void free_memory(struct kunit *test)
{
	struct text_test *t = test->priv;

	if (t)
		vfree(t->memory);
}

static unsigned long address_of(const void *at)
{
	return (unsigned long)at;
}

static u8 *record(struct text_test *t)
{
	return t->area + BESIDE;
}

/* Set the program to one that fetches what is at an address. */
static void fetch_at(struct text_test *t, const struct fetch_type *type, unsigned long at)
{
	t->f = (struct fetch){
		.type = type, .source = FETCH_CONSTANT, .value = at - 24, .nr_loads = 1,
		.loads = { { .offset = 24 } }, .offset = HEAD, .size = 4,
	};
}

/* Put a text of @len random bytes, none of them 0, and a NUL. */
static void put_text(struct text_test *t, u8 *at, unsigned int len)
{
	prandom_bytes_state(&t->rnd, at, len);
	for (unsigned int i = 0; i < len; i++)
		at[i] = at[i] ?: 0x80;
	at[len] = '\0';
}

/* ------------------------------------------------------------------ */
/* Expected records							*/

static void fill(struct kunit *test, unsigned int room)
{
	struct text_test *t = test->priv;
	u8 *rec = record(t), *end = rec + TEXTS + room;

	memset(t->area, MARK, end + BESIDE - t->area);
	fetch_fill(&t->f, 1, rec, TEXTS, TEXTS + room, &t->from);
	KUNIT_ASSERT_NULL(test, memchr_inv(t->area, MARK, BESIDE + HEAD));
	KUNIT_ASSERT_NULL(test, memchr_inv(end, MARK, BESIDE));
}

static u32 word(struct text_test *t, unsigned int i)
{
	return get_unaligned((u32 *)(record(t) + HEAD + i * sizeof(u32)));
}

/* Fetch a text into @room bytes. @len counts its NUL, and is 0 if it cannot be read. */
static void expect_in(struct kunit *test, const void *text, unsigned int len, unsigned int room)
{
	struct text_test *t = test->priv;
	unsigned int fits = min(len, room);
	const u8 *at = record(t) + TEXTS;

	fill(test, room);
	KUNIT_ASSERT_EQ_MSG(test, word(t, 0), fits << 16 | TEXTS, "%u in %u", len, room);
	KUNIT_ASSERT_EQ(test, word(t, 1), MARK * 0x01010101U);
	if (fits)
		KUNIT_ASSERT_MEMEQ(test, at, text, fits - 1);
	/* The NUL, and the rest of the room, which must be cleared. */
	if (room)
		KUNIT_ASSERT_NULL(test, memchr_inv(at + fits - !!fits, 0, room - fits + !!fits));
}

static void expect_text(struct kunit *test, const void *text, unsigned int len)
{
	struct text_test *t = test->priv;

	KUNIT_ASSERT_EQ(test, fetch_room(&t->f, 1, &t->from), len);
	for (unsigned int room = 0; room <= len + 2; room++)
		expect_in(test, text, len, room);
}

static void expect_none(struct kunit *test)
{
	expect_text(test, NULL, 0);
	expect_in(test, NULL, 0, LONGEST + 8);
}

/* ------------------------------------------------------------------ */
/* Strings								*/

static void begin_and_end_between(struct kunit *test, u8 front, u8 behind)
{
	struct text_test *t = test->priv;
	unsigned int len;
	u8 *at;

	for (unsigned int i = 0; i < 9 * (LONGEST + 1); i++) {
		len = i / 9;
		at = t->memory + 64 + i % 9;
		memset(t->memory, front, at - t->memory);
		memset(at, behind, 128);
		put_text(t, at, len);
		fetch_at(t, &string, address_of(at));
		expect_text(test, at, len + 1);
	}
}

/* Bytes in front of the string, NUL or not, and bytes after its NUL must not matter. */
static void begin_and_end_anywhere(struct kunit *test)
{
	static const u8 others[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };

	for (unsigned int i = 0; i < ARRAY_SIZE(others); i++) {
		begin_and_end_between(test, 0x00, others[i]);
		begin_and_end_between(test, others[i], 0x01);
	}
}

static void end_with_the_memory(struct kunit *test)
{
	struct text_test *t = test->priv;
	u8 *end = t->memory + MEMORY, *at;

	memset(t->memory, 0, MEMORY);
	for (unsigned int len = 0; len <= LONGEST; len++) {
		at = end - 1 - len;
		put_text(t, at, len);
		fetch_at(t, &string, address_of(at));
		expect_text(test, at, len + 1);
		/* A text without a NUL before the end of the memory cannot be read. */
		end[-1] = 'x';
		expect_none(test);
	}
	fetch_at(t, &string, address_of(end));
	expect_none(test);
}

static void go_on_in_another_page(struct kunit *test)
{
	struct text_test *t = test->priv;
	u8 *at;

	for (unsigned int i = 0; i <= LONGEST; i++) {
		memset(t->memory, 0, MEMORY);
		at = t->memory + PAGE_SIZE - i;
		put_text(t, at, LONGEST);
		fetch_at(t, &string, address_of(at));
		expect_text(test, at, LONGEST + 1);
	}
}

/* A text of the maximum length is cut off there, even if the next page cannot be read. */
static void are_not_endless(struct kunit *test)
{
	struct text_test *t = test->priv;
	u8 *at = t->memory + MEMORY - FETCH_TEXT_MAX;

	memset(t->memory, 'x', MEMORY);
	fetch_at(t, &string, address_of(at));
	KUNIT_EXPECT_EQ(test, fetch_room(&t->f, 1, &t->from), FETCH_TEXT_MAX);
	expect_in(test, at, FETCH_TEXT_MAX, FETCH_TEXT_MAX);
	expect_in(test, at, FETCH_TEXT_MAX, FETCH_TEXT_MAX - 1);
	expect_in(test, at, FETCH_TEXT_MAX, FETCH_TEXT_MAX + 64);
}

/* ------------------------------------------------------------------ */
/* Arrays of strings							*/

static void put_pointer(void *table, unsigned int i, const void *to)
{
	put_unaligned(address_of(to), (unsigned long *)(table + i * sizeof(long)));
}

/* Strings that cannot be read take no room, and those after them are fetched nevertheless. */
static void stand_in_arrays(struct kunit *test)
{
	static const char expected[] = "one\0\0four";
	static const u32 lens[WORDS] = { 4, 0, 1, 5 };
	struct text_test *t = test->priv;
	u8 *table = t->memory + 3, *end = t->memory + MEMORY;
	unsigned int at = TEXTS;

	memcpy(end - 6, "\0four", 6);
	put_pointer(table, 0, "one");
	put_pointer(table, 1, end);
	put_pointer(table, 2, end - 6);
	put_pointer(table, 3, end - 5);
	fetch_at(t, &string, address_of(table));
	t->f.count = WORDS;
	KUNIT_ASSERT_EQ(test, fetch_room(&t->f, 1, &t->from), sizeof(expected));
	fill(test, sizeof(expected));
	for (unsigned int i = 0; i < WORDS; at += lens[i++])
		KUNIT_EXPECT_EQ(test, word(t, i), lens[i] << 16 | at);
	KUNIT_EXPECT_MEMEQ(test, record(t) + TEXTS, expected, sizeof(expected));
}

static void stand_in_arrays_that_end(struct kunit *test)
{
	struct text_test *t = test->priv;
	u8 *table = t->memory + MEMORY - 2 * sizeof(long);

	put_pointer(table, 0, "one");
	put_pointer(table, 1, "two");
	fetch_at(t, &string, address_of(table));
	t->f.count = WORDS;
	/* Room for half of the second string; the others cannot be read. */
	fill(test, 6);
	KUNIT_EXPECT_EQ(test, word(t, 0), 4 << 16 | TEXTS);
	KUNIT_EXPECT_EQ(test, word(t, 1), 2 << 16 | (TEXTS + 4));
	KUNIT_EXPECT_EQ(test, word(t, 2), TEXTS + 6);
	KUNIT_EXPECT_EQ(test, word(t, 3), TEXTS + 6);
	KUNIT_EXPECT_MEMEQ(test, record(t) + TEXTS, "one\0t", 6);
}

/* ------------------------------------------------------------------ */
/* User memory								*/

/* Return: end of a page of user memory, after which nothing is mapped. */
static unsigned long user_page_end(struct kunit *test)
{
	unsigned long at = kunit_vm_mmap(test, NULL, 0, 2 * PAGE_SIZE, PROT_READ | PROT_WRITE,
					 MAP_ANONYMOUS | MAP_PRIVATE, 0);

	KUNIT_ASSERT_NE(test, at, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(at));
	KUNIT_ASSERT_EQ(test, vm_munmap(at + PAGE_SIZE, PAGE_SIZE), 0);
	return at + PAGE_SIZE;
}

static void put_user_bytes(struct kunit *test, unsigned long at, const void *bytes, size_t size)
{
	KUNIT_ASSERT_EQ(test, copy_to_user((void __user *)at, bytes, size), 0);
}

/* Fetch texts from user memory, by each combination that selects it. */
static void are_of_the_task(struct kunit *test)
{
	static const struct {
		const struct fetch_type	*type;
		bool			load, all;
	} ways[] = {
		{ &ustring }, { &string, .load = true }, { &ustring, .load = true },
		{ &string, .all = true }, { &ustring, .all = true },
		{ &string, .load = true, .all = true }, { &string },
	};
	struct text_test *t = test->priv;
	unsigned long end = user_page_end(test), at;
	unsigned int nr = ARRAY_SIZE(ways), len;

	/* The last way, without any mark, needs user addresses that differ from kernel ones. */
	nr -= !IS_ENABLED(CONFIG_ARCH_HAS_NON_OVERLAPPING_ADDRESS_SPACE);
	for (unsigned int i = 0; i < nr * (LONGEST + 1); i++) {
		len = i / nr;
		at = end - 1 - len;
		put_text(t, t->text, len);
		put_user_bytes(test, at, t->text, len + 1);
		fetch_at(t, ways[i % nr].type, at);
		t->f.loads[0].user = ways[i % nr].load;
		t->from.user = ways[i % nr].all;
		expect_text(test, t->text, len + 1);
		/* The text now has no NUL. With less room, it would be cut before that shows. */
		put_user_bytes(test, end - 1, "x", 1);
		KUNIT_ASSERT_EQ(test, fetch_room(&t->f, 1, &t->from), 0);
		expect_in(test, NULL, 0, len + 2);
	}
}

static void expect_number(struct kunit *test, u32 number)
{
	struct text_test *t = test->priv;

	fill(test, 0);
	KUNIT_EXPECT_EQ(test, word(t, 0), number);
	KUNIT_EXPECT_EQ(test, word(t, 1), MARK * 0x01010101U);
}

static void numbers_of_the_task(struct kunit *test)
{
	struct text_test *t = test->priv;
	unsigned long end = user_page_end(test);
	u32 number = 0x12345678;

	put_user_bytes(test, end - 4, &number, 4);
	for (unsigned int way = 1; way < 4; way++) {
		t->from.user = way & 1;
		fetch_at(t, &word32, end - 4);
		t->f.loads[0].user = way & 2;
		expect_number(test, number);
		/* A number whose last byte is not mapped. */
		t->f.value++;
		expect_number(test, 0);
		/* An address of kernel memory cannot be read as one of user memory. */
		put_unaligned(number, (u32 *)t->memory);
		fetch_at(t, &word32, address_of(t->memory));
		t->f.loads[0].user = way & 2;
		expect_number(test, 0);
	}
}

static void stack_of_the_task(struct kunit *test)
{
	struct text_test *t = test->priv;
	unsigned long end = user_page_end(test), words[2] = { 0x12345678, ULONG_MAX };

	put_user_bytes(test, end - sizeof(words), words, sizeof(words));
	user_stack_pointer_set(&t->regs, end - sizeof(words));
	t->from.user = true;
	t->f = (struct fetch){
		.type = &word32, .source = FETCH_STACK_ENTRY, .offset = HEAD, .size = 4,
	};
	for (t->f.value = 0; t->f.value < 3; t->f.value++)
		expect_number(test, t->f.value < 2 ? (u32)words[t->f.value] : 0);
	/* A word whose second half is not mapped. */
	user_stack_pointer_set(&t->regs, end - sizeof(long) / 2);
	put_user_bytes(test, end - sizeof(long) / 2, &words[1], sizeof(long) / 2);
	t->f.value = 0;
	expect_number(test, 0);
}

static struct kunit_case text_cases[] = {
	KUNIT_CASE(begin_and_end_anywhere),
	KUNIT_CASE(end_with_the_memory),
	KUNIT_CASE(go_on_in_another_page),
	KUNIT_CASE(are_not_endless),
	KUNIT_CASE(stand_in_arrays),
	KUNIT_CASE(stand_in_arrays_that_end),
	KUNIT_CASE(are_of_the_task),
	KUNIT_CASE(numbers_of_the_task),
	KUNIT_CASE(stack_of_the_task),
	{}
};

static struct kunit_suite text_suite = {
	.name		= "ftrace_fetch_text",
	.init		= make_memory,
	.exit		= free_memory,
	.test_cases	= text_cases,
};

kunit_test_suite(text_suite);
