// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of probes/: random fetch programs. The record that fetch_fill() makes is compared with that
 * of a simple interpreter, which evaluates the programs byte by byte: plain_*().
 *
 * Loads read memory of the test, or addresses that certainly are not mapped: memory anywhere else
 * may change meanwhile, or belong to a device.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/minmax.h>
#include <linux/prandom.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/thread_info.h>
#include <linux/trace_events.h>
#include <linux/vmalloc.h>

#include "fetch.h"

/* Size of the memory for loads. The page after it, a guard page of vmalloc, is not mapped. */
#define MEMORY		(2 * PAGE_SIZE)
#define STACK_WORDS	(THREAD_SIZE / sizeof(long))
#define KEPT		16U
#define FETCHES		6U
/*
 * The other event has LOCS words of FETCH_FIELD_DATA_LOC, then LOCS words of FETCH_FIELD_REL_LOC;
 * its record is EVENT bytes long.
 */
#define LOCS		8U
#define EVENT		256U
/* The record is in an area of AREA bytes, with FRONT bytes in front that must not be written. */
#define FRONT		16U
#define HEAD		sizeof(struct trace_entry)
#define AREA		(FETCH_TEXT_MAX + 1024U)

/**
 * struct fetch_test - data to fetch from, and the results
 * @rnd: state of the random numbers
 * @memory: memory that loads read
 * @stack: the stack
 * @sp: stack pointer, into @stack
 * @regs: the registers
 * @kept: arguments saved at the entry
 * @event: record of another event
 * @from: the data above, for fetch_fill()
 * @fetches: the programs
 * @nr: number of programs
 * @area: FRONT bytes, the record of fetch_fill(), and bytes after it
 * @wanted: contents that @area should have
 * @symbol: buffer for the name of a symbol
 */
struct fetch_test {
	struct rnd_state	rnd;
	u8			*memory;
	unsigned long		*stack;
	unsigned long		*sp;
	struct pt_regs		regs;
	unsigned long		kept[KEPT];
	u8			event[EVENT];
	struct fetch_from	from;
	struct fetch		fetches[FETCHES];
	unsigned int		nr;
	u8			area[AREA];
	u8			wanted[AREA];
	char			symbol[KSYM_SYMBOL_LEN];
};

static int make_world(struct kunit *test)
{
	struct fetch_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	if (!t)
		return -ENOMEM;
	test->priv = t;
	/* Aligned to its size, like a stack of the kernel, which finds the end by that. */
	t->stack = kunit_kzalloc(test, THREAD_SIZE, GFP_KERNEL);
	t->memory = vzalloc(MEMORY);
	t->from = (struct fetch_from){
		.regs = &t->regs, .kept = t->kept, .rec = t->event, .base = 0x123456,
	};
	prandom_seed_state(&t->rnd, 31);
	return t->stack && t->memory ? 0 : -ENOMEM;
}

static void free_world(struct kunit *test)
{
	struct fetch_test *t = test->priv;

	if (t)
		vfree(t->memory);
}

static unsigned int pick(struct fetch_test *t, unsigned int n)
{
	return prandom_u32_state(&t->rnd) % n;
}

/* ------------------------------------------------------------------ */
/* The simple interpreter: numbers					*/

static unsigned int byte_of(unsigned int significance, unsigned int size)
{
	return IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? size - 1 - significance : significance;
}

static u64 plain_get(const u8 *at, unsigned int size)
{
	u64 number = 0;

	for (unsigned int i = size; i--;)
		number = number << BITS_PER_BYTE | at[byte_of(i, size)];
	return number;
}

static void plain_put(u8 *at, unsigned int size, u64 number)
{
	for (unsigned int i = 0; i < size; i++, number >>= BITS_PER_BYTE)
		at[byte_of(i, size)] = number;
}

static unsigned long address_of(const void *at)
{
	return (unsigned long)at;
}

static bool is_there(const struct fetch_test *t, unsigned long at, unsigned long size)
{
	return at - address_of(t->memory) <= MEMORY - size;
}

static unsigned long plain_stack(const struct fetch_test *t, unsigned long n)
{
	return t->sp + n < t->stack + STACK_WORDS ? t->sp[n] : 0;
}

static unsigned long plain_register(const struct fetch_test *t, unsigned int offset)
{
	return plain_get((const u8 *)&t->regs + offset, sizeof(long));
}

/* Arguments that are not in registers are on the stack, after the return address. */
static unsigned long plain_argument(const struct fetch_test *t, unsigned int n)
{
	static const char * const wide[] = { "di", "si", "dx", "cx", "r8", "r9" };
	static const char * const narrow[] = { "ax", "dx", "cx" };
	const char * const *names = IS_ENABLED(CONFIG_64BIT) ? wide : narrow;
	unsigned int nr = IS_ENABLED(CONFIG_64BIT) ? ARRAY_SIZE(wide) : ARRAY_SIZE(narrow);

	return n < nr ? plain_register(t, regs_query_register_offset(names[n])) :
			plain_stack(t, n - nr + 1);
}

static u64 plain_field_number(const struct fetch *f, const u8 *at)
{
	unsigned int bits = f->field_size * BITS_PER_BYTE;
	u64 number = plain_get(at, f->field_size);

	if (f->field_signed && number >> (bits - 1) && bits < BITS_PER_LONG_LONG)
		number |= ~0ULL << bits;
	return number;
}

static unsigned long plain_field(const struct fetch_test *t, const struct fetch *f)
{
	const u8 *at = t->event + f->value;

	switch (f->field_kind) {
	case FETCH_FIELD_TEXT:
		return address_of(at);
	case FETCH_FIELD_DATA_LOC:
		return address_of(t->event + plain_get(at, 4) % 65536);
	case FETCH_FIELD_REL_LOC:
		return address_of(at + 4 + plain_get(at, 4) % 65536);
	default:
		return plain_field_number(f, at);
	}
}

static unsigned long plain_source(const struct fetch_test *t, const struct fetch *f)
{
	switch (f->source) {
	case FETCH_REGISTER:
		return plain_register(t, f->value);
	case FETCH_STACK:
		return address_of(t->sp);
	case FETCH_STACK_ENTRY:
		return plain_stack(t, f->value);
	case FETCH_RETVAL:
		return regs_return_value((struct pt_regs *)&t->regs);
	case FETCH_ARG:
		return plain_argument(t, f->value);
	case FETCH_KEPT:
		return t->kept[f->value];
	case FETCH_FILE:
		return 0x123456 + f->value;
	case FETCH_FIELD:
		return plain_field(t, f);
	case FETCH_COMM:
		return address_of(current->comm);
	case FETCH_TEXT:
		return address_of(f->text);
	default:
		return f->value;
	}
}

/* Get the number after @nr loads. Return: false if one of them reads outside of the memory. */
static bool plain_value(const struct fetch_test *t, const struct fetch *f, unsigned int nr,
			unsigned long *value)
{
	*value = plain_source(t, f);
	for (unsigned int i = 0; i < nr; i++) {
		*value += f->loads[i].offset;
		if (!is_there(t, *value, sizeof(long)))
			return false;
		*value = plain_get((const u8 *)*value, sizeof(long));
	}
	return true;
}

static bool plain_last(const struct fetch_test *t, const struct fetch *f, unsigned long *at)
{
	bool there = plain_value(t, f, f->nr_loads - 1, at);

	*at += f->loads[f->nr_loads - 1].offset;
	return there;
}

static void plain_number(struct fetch_test *t, const struct fetch *f)
{
	u8 *to = t->wanted + FRONT + f->offset;
	unsigned int size = f->type->size, bits = size * BITS_PER_BYTE - f->right;
	unsigned long at;
	u64 number;

	if (!f->nr_loads)
		plain_put(to, size, plain_source(t, f));
	else if (plain_last(t, f, &at) && is_there(t, at, f->size))
		memcpy(to, (const void *)at, f->size);
	else
		memset(to, 0, f->size);
	for (unsigned int i = 0; i < f->size; i += size) {
		number = plain_get(to + i, size) >> (f->right - f->left);
		plain_put(to + i, size, number & GENMASK_ULL(bits - 1, 0));
	}
}

/* ------------------------------------------------------------------ */
/* The simple interpreter: texts					*/

/* Return: length of a text with its NUL; 0 if it does not end inside of the memory. */
static unsigned int plain_len(const struct fetch_test *t, unsigned long at)
{
	unsigned int len = 0;

	while (is_there(t, at + len, 1))
		if (!*(const u8 *)(at + len++))
			return len;
	return 0;
}

static bool is_in_field(const struct fetch *f)
{
	return f->source == FETCH_FIELD && !f->nr_loads && f->field_kind != FETCH_FIELD_NUMBER;
}

/* Return: size of the text in a field, which need not have a NUL. */
static unsigned int plain_field_size(const struct fetch_test *t, const struct fetch *f)
{
	return f->field_kind == FETCH_FIELD_TEXT ? f->field_size :
						   plain_get(t->event + f->value, 4) / 65536;
}

static bool plain_place(const struct fetch_test *t, const struct fetch *f, unsigned int i,
			unsigned long *at)
{
	if (f->count) {
		if (!plain_last(t, f, at) || !is_there(t, *at + i * sizeof(long), sizeof(long)))
			return false;
		*at = plain_get((const u8 *)*at + i * sizeof(long), sizeof(long));
		return true;
	}
	if (f->type->kind == FETCH_SYMSTR || !f->nr_loads)
		return plain_value(t, f, f->nr_loads, at);
	return plain_last(t, f, at);
}

/* Find text @i of an argument. Return: its length with a NUL; 0 if it cannot be read. */
static unsigned int plain_text(struct fetch_test *t, const struct fetch *f, unsigned int i,
			       const char **text)
{
	unsigned long at;

	if (!plain_place(t, f, i, &at))
		return 0;
	*text = (const char *)at;
	if (f->type->kind == FETCH_SYMSTR) {
		*text = t->symbol;
		return snprintf(t->symbol, sizeof(t->symbol), "%pS", (void *)at) + 1;
	}
	if (is_in_field(f))
		return strnlen(*text, plain_field_size(t, f)) + 1;
	if (!f->nr_loads && (f->source == FETCH_COMM || f->source == FETCH_TEXT))
		return strlen(*text) + 1;
	return plain_len(t, at);
}

/* Put text @i of an argument at offset @at of the record. Return: offset of the next text. */
static unsigned int plain_put_text(struct fetch_test *t, const struct fetch *f, unsigned int i,
				   unsigned int at, unsigned int end)
{
	u8 *rec = t->wanted + FRONT;
	const char *text;
	unsigned int len = min(plain_text(t, f, i, &text), end - at);

	if (len) {
		memcpy(rec + at, text, len - 1);
		rec[at + len - 1] = '\0';
	}
	plain_put(rec + f->offset + 4 * i, 4, len << 16 | at);
	return at + len;
}

static unsigned int plain_room(struct fetch_test *t)
{
	unsigned int room = 0;
	const char *text;

	for (const struct fetch *f = t->fetches; f < t->fetches + t->nr; f++)
		for (unsigned int i = 0; fetch_type_is_text(f->type) && i < (f->count ?: 1); i++)
			room += plain_text(t, f, i, &text);
	return room;
}

static void plain_fill(struct fetch_test *t, unsigned int at, unsigned int end)
{
	for (const struct fetch *f = t->fetches; f < t->fetches + t->nr; f++) {
		if (!fetch_type_is_text(f->type))
			plain_number(t, f);
		else
			for (unsigned int i = 0; i < (f->count ?: 1); i++)
				at = plain_put_text(t, f, i, at, end);
	}
	memset(t->wanted + FRONT + at, 0, end - at);
}

/* Compare all bytes of the area, as those that are not fetched must not change. */
static void expect_filled(struct kunit *test, unsigned int at, unsigned int end)
{
	struct fetch_test *t = test->priv;
	unsigned int mark = 1 + pick(t, 255), i;

	memset(t->area, mark, AREA);
	memset(t->wanted, mark, AREA);
	plain_fill(t, at, end);
	fetch_fill(t->fetches, t->nr, t->area + FRONT, at, end, &t->from);
	for (i = 0; i < AREA && t->area[i] == t->wanted[i];)
		i++;
	if (i < AREA)
		KUNIT_FAIL_AND_ABORT(test, "at %d there is %02x and not %02x, texts from %u to %u",
				     (int)(i - FRONT), t->area[i], t->wanted[i], at, end);
}

/* ------------------------------------------------------------------ */
/* Random programs							*/

#define TYPE(_type)	{ .name = #_type, .size = sizeof(_type), .kind = FETCH_NUMBER }

static const struct fetch_type numbers[] = {
	TYPE(u8), TYPE(u16), TYPE(u32), TYPE(u64), TYPE(s8), TYPE(s16), TYPE(s32), TYPE(s64),
	TYPE(char), TYPE(long),
};

static const struct fetch_type string = { .name = "string", .size = 4, .kind = FETCH_STRING };
static const struct fetch_type symstr = { .name = "symstr", .size = 4, .kind = FETCH_SYMSTR };

/* Fill the memory with random texts of about 20 bytes. */
static void random_memory(struct fetch_test *t)
{
	prandom_bytes_state(&t->rnd, t->memory, MEMORY);
	for (unsigned int i = pick(t, 40); i < MEMORY; i += 1 + pick(t, 40))
		t->memory[i] = '\0';
}

static void random_event(struct fetch_test *t)
{
	unsigned int len, offset;

	prandom_bytes_state(&t->rnd, t->event, EVENT);
	for (unsigned int i = 0; i < 2 * LOCS; i++) {
		len = pick(t, 32);
		offset = pick(t, EVENT / 2);
		plain_put(t->event + 4 * i, 4, len << 16 | (offset + (i < LOCS ? 64 : 0)));
	}
}

static void random_world(struct fetch_test *t)
{
	random_memory(t);
	random_event(t);
	prandom_bytes_state(&t->rnd, &t->regs, sizeof(t->regs));
	prandom_bytes_state(&t->rnd, t->stack, THREAD_SIZE);
	prandom_bytes_state(&t->rnd, t->kept, sizeof(t->kept));
	t->sp = t->stack + STACK_WORDS - 1 - pick(t, 12);
	user_stack_pointer_set(&t->regs, address_of(t->sp));
}

/* Return: an address that cannot be read: after the memory, near NULL, an errno, not canonical. */
static unsigned long nowhere(struct fetch_test *t)
{
	switch (pick(t, IS_ENABLED(CONFIG_X86_64) ? 4 : 3)) {
	case 0:
		return address_of(t->memory) + MEMORY + pick(t, PAGE_SIZE / 2);
	case 1:
		return pick(t, PAGE_SIZE);
	case 2:
		return address_of(ERR_PTR(-MAX_ERRNO)) + pick(t, PAGE_SIZE / 2);
	default:
		return ULONG_MAX / 2 + pick(t, PAGE_SIZE);
	}
}

static unsigned long random_address(struct fetch_test *t)
{
	switch (pick(t, 12)) {
	case 0:
		return nowhere(t);
	case 1:
		return address_of(t->memory) + MEMORY - 1 - pick(t, 64);
	default:
		return address_of(t->memory) + pick(t, MEMORY);
	}
}

static void random_field(struct fetch_test *t, struct fetch *f)
{
	f->field_kind = pick(t, 4);
	f->field_signed = pick(t, 2);
	switch (f->field_kind) {
	case FETCH_FIELD_DATA_LOC:
		f->value = 4 * pick(t, LOCS);
		break;
	case FETCH_FIELD_REL_LOC:
		f->value = 4 * (LOCS + pick(t, LOCS));
		break;
	default:
		f->value = pick(t, EVENT - 32);
		f->field_size = f->field_kind == FETCH_FIELD_TEXT ? pick(t, 32) : 1 << pick(t, 4);
	}
}

static void random_constant(struct fetch_test *t, struct fetch *f)
{
	/* For a string, the constant is its address; for a symstr, the address of a symbol. */
	f->value = f->type == &string ? random_address(t) :
		   f->type == &symstr ? (unsigned long)vsnprintf + pick(t, 64) :
					prandom_u32_state(&t->rnd) * (ULONG_MAX / U32_MAX);
}

/* Only the first registers of struct pt_regs are used: no architecture treats them specially. */
static void random_source(struct fetch_test *t, struct fetch *f)
{
	static const u8 sources[] = {
		FETCH_REGISTER, FETCH_STACK, FETCH_STACK_ENTRY, FETCH_RETVAL, FETCH_KEPT,
		FETCH_CONSTANT, FETCH_FILE, FETCH_FIELD, FETCH_FIELD, FETCH_COMM, FETCH_TEXT,
		FETCH_ARG,
	};

	f->source = sources[pick(t, ARRAY_SIZE(sources) - !IS_ENABLED(CONFIG_X86))];
	f->value = pick(t, KEPT);
	f->text = "a text of its own";
	if (f->source == FETCH_REGISTER)
		f->value = pick(t, 6) * sizeof(long);
	else if (f->source == FETCH_FIELD)
		random_field(t, f);
	else if (f->source == FETCH_CONSTANT)
		random_constant(t, f);
}

/* A load yields any number: the offset of the next one is chosen so that it reads the memory. */
static void random_loads(struct fetch_test *t, struct fetch *f, unsigned int nr)
{
	unsigned long value;

	for (f->nr_loads = 0; f->nr_loads < nr; f->nr_loads++) {
		if (!plain_value(t, f, f->nr_loads, &value))
			value = 0;
		f->loads[f->nr_loads].offset = random_address(t) - value;
	}
}

/* True if the source is a string, or can be the address of one. */
static bool may_be_string(const struct fetch *f)
{
	return f->source == FETCH_CONSTANT || f->source == FETCH_COMM ||
	       f->source == FETCH_TEXT || is_in_field(f);
}

static void random_bits(struct fetch_test *t, struct fetch *f)
{
	unsigned int of = f->type->size * BITS_PER_BYTE, bits = 1 + pick(t, of);

	f->right = of - bits;
	f->left = of - bits - pick(t, of - bits + 1);
}

/* No arrays of strings, as the addresses in them would be random: fetch_text_kunit.c has those. */
static void random_fetch(struct fetch_test *t, struct fetch *f, unsigned int offset)
{
	const struct fetch_type *text = pick(t, 3) ? &string : &symstr;

	*f = (struct fetch){ .type = pick(t, 3) ? &numbers[pick(t, ARRAY_SIZE(numbers))] : text };
	random_source(t, f);
	random_loads(t, f, pick(t, 5));
	if (f->type == &string && !f->nr_loads && !may_be_string(f))
		random_loads(t, f, 1);
	if (f->nr_loads && f->type != &string && pick(t, 2))
		f->count = 1 + pick(t, 8);
	if (!fetch_type_is_text(f->type) && !pick(t, 3))
		random_bits(t, f);
	f->offset = offset;
	f->size = f->type->size * (f->count ?: 1);
}

/* Make room for all texts, for some of them, or for more. Return: end of the record. */
static unsigned int random_end(struct fetch_test *t, unsigned int at, unsigned int room)
{
	switch (pick(t, 3)) {
	case 0:
		return at + room;
	case 1:
		return at + pick(t, room + 1);
	default:
		return at + room + pick(t, 16);
	}
}

static void fetches_at_random(struct kunit *test)
{
	struct fetch_test *t = test->priv;
	unsigned int at, room;

	for (unsigned int i = 0; i < 10000; i++) {
		if (i % 50 == 0)
			random_world(t);
		t->nr = 1 + pick(t, FETCHES);
		at = HEAD;
		for (unsigned int j = 0; j < t->nr; j++) {
			random_fetch(t, &t->fetches[j], at);
			at += t->fetches[j].size + pick(t, 3);
		}
		room = fetch_room(t->fetches, t->nr, &t->from);
		KUNIT_ASSERT_EQ(test, room, plain_room(t));
		expect_filled(test, at, random_end(t, at, room));
	}
}

static struct kunit_case fetch_cases[] = {
	KUNIT_CASE(fetches_at_random),
	{}
};

static struct kunit_suite fetch_suite = {
	.name		= "ftrace_fetch",
	.init		= make_world,
	.exit		= free_world,
	.test_cases	= fetch_cases,
};

kunit_test_suite(fetch_suite);
