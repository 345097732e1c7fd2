// SPDX-License-Identifier: GPL-2.0
/*
 * Trampolines on MIPS: the code that calls the ops of a set.
 *
 * [entry for long sites][entry for short ones][copy of the static caller's prologue]
 * [arguments and a call, for each][copy of its epilogue], see mcount.S, and behind that what
 * is loaded for calls that `jal` does not reach, or in 64 bits.
 *
 * They are all in the window: 64 KB of the kernel's own memory whose addresses are made
 * by adding 16 bits with a sign to one constant.  So the kernel's text reaches them by
 * `jal`, and in the modules' sites nothing but a lower half is different for each.  At
 * its beginning the window has an entry for long sites that leads to the static caller.
 *
 * A set that finds no room left makes do with the static caller.
 */
#include <linux/bitmap.h>
#include <linux/cacheflush.h>
#include <linux/cleanup.h>
#include <linux/ftrace_arch.h>
#include <linux/kernel.h>
#include <linux/memory.h>
#include <linux/mutex.h>
#include <linux/sizes.h>

#include "ftrace.h"

/* ------------------------------------------------------------------ */
/* The window								*/

#define WINDOW_SIZE	SZ_64K
/* What is given out: a common multiple of lines of most caches. */
#define UNIT_SIZE	64
#define NR_UNITS	(WINDOW_SIZE / UNIT_SIZE)

/* A third of it is spare, for the window to begin at an odd multiple of 32 KB. */
static u8 window_memory[WINDOW_SIZE + SZ_32K] __aligned(SZ_32K);

/* Protects window_used.  The innermost lock. */
static DEFINE_MUTEX(window_lock);
static DECLARE_BITMAP(window_used, NR_UNITS);

static unsigned long window_start(void)
{
	return (unsigned long)window_memory | SZ_32K;
}

u16 ftrace_window_high(void)
{
	return insn_high(window_start());
}

static unsigned long units_of(size_t size)
{
	return DIV_ROUND_UP(size, UNIT_SIZE);
}

static void *window_alloc(size_t size)
{
	unsigned long at;

	guard(mutex)(&window_lock);
	at = bitmap_find_next_zero_area(window_used, NR_UNITS, 0, units_of(size), 0);
	if (at >= NR_UNITS)
		return NULL;
	bitmap_set(window_used, at, units_of(size));
	return (void *)(window_start() + at * UNIT_SIZE);
}

static void window_free(unsigned long address, size_t size)
{
	guard(mutex)(&window_lock);
	bitmap_clear(window_used, (address - window_start()) / UNIT_SIZE, units_of(size));
}

/* ------------------------------------------------------------------ */
/* Entries								*/

/* What a trampoline has in front of the copy: the two entries. */
#define LONG_ENTRY_WORDS	3
#define ENTRY_WORDS		(LONG_ENTRY_WORDS + 2)
/* From the long entry over the short one, counted from the branch's delay slot. */
#define ENTRY_BRANCH		INSN_BRANCH(ENTRY_WORDS - 2)

static bool is_static(unsigned long target)
{
	return target == (unsigned long)ftrace_caller;
}

unsigned long ftrace_short_entry(unsigned long target)
{
	return is_static(target) ? target : target + LONG_ENTRY_WORDS * sizeof(u32);
}

/* The static caller's is what ftrace_window_open() has made first. */
unsigned long ftrace_long_entry(unsigned long target)
{
	return is_static(target) ? window_start() : target;
}

/* The first instruction of an entry. */
#define INSN_TAKE_STACK	INSN_IMM(OP_ADDIU, GPR_SP, GPR_SP, -FTRACE_REGS_SIZE)
/* The second one: where the site is. */
#define INSN_FIND_SITE(back)	INSN_IMM(OP_ADDIU, GPR_V0, GPR_RA, -(back))

void ftrace_window_open(void)
{
	unsigned long main = (unsigned long)ftrace_caller_main;
	u32 *insn = window_alloc(UNIT_SIZE);
	u32 *first = (u32 *)ftrace_caller;

	/* It may be in another segment than the window, out of reach of `j`. */
	insn[0] = INSN_LUI(GPR_V1, insn_high(main));
	insn[1] = INSN_IMM(OP_ADDIU, GPR_V1, GPR_V1, insn_low(main));
	insn[2] = INSN_TAKE_STACK;
	insn[3] = INSN_JALR_ZERO(GPR_V1);
	insn[4] = INSN_FIND_SITE(FTRACE_LONG_BACK);
	flush_icache_range((unsigned long)insn, (unsigned long)(insn + 5));
	*first = INSN_TAKE_STACK;
	flush_icache_range((unsigned long)first, (unsigned long)(first + 1));
}

/* ------------------------------------------------------------------ */
/* Code under construction						*/

/**
 * struct emitter - where code is written
 * @at: the next word
 * @value: where the last value is that the code loads, below which the next one goes
 */
struct emitter {
	u32		*at;
	unsigned long	*value;
};

static void emit(struct emitter *e, u32 insn)
{
	*e->at++ = insn;
}

static void emit_copy(struct emitter *e, const u32 *from, const u32 *to)
{
	while (from < to)
		emit(e, *from++);
}

/* Does `lui` with an addition make it, which on 64 bit extends a sign? */
static bool is_narrow(unsigned long value)
{
	return (long)value == (int)value;
}

static void emit_narrow(struct emitter *e, unsigned int reg, unsigned long value)
{
	emit(e, INSN_LUI(reg, insn_high(value)));
	emit(e, INSN_IMM(OP_ADDIU, reg, reg, insn_low(value)));
}

/* From behind the code.  All of the window has the upper half that @base has. */
static void emit_far(struct emitter *e, unsigned int reg, unsigned int base,
		     unsigned long value)
{
	*--e->value = value;
	emit(e, INSN_IMM(OP_LOAD, reg, base, insn_low((unsigned long)e->value)));
}

static void emit_value(struct emitter *e, unsigned int reg, unsigned long value)
{
	if (is_narrow(value)) {
		emit_narrow(e, reg, value);
		return;
	}
	emit(e, INSN_LUI(reg, ftrace_window_high()));
	emit_far(e, reg, reg, value);
}

static void emit_load(struct emitter *e, unsigned int reg, unsigned int offset)
{
	emit(e, INSN_IMM(OP_LOAD, reg, GPR_SP, offset));
}

/* In the segment that `jal` stays in? */
static bool jal_reaches(const u32 *from, unsigned long target)
{
	return !(((unsigned long)(from + 1) ^ target) & ~GENMASK(27, 0));
}

/* From sites in the kernel's text: a randomized address may have a border in between. */
static bool window_is_reached(void)
{
	return jal_reaches((u32 *)ftrace_caller, window_start());
}

/* Words, and values, that a call may take; there are as many as ops at most. */
#define OPS_WORDS	7
#define OPS_VALUES	2

/*
 * func(ip, parent_ip, op, fregs), with the first two in place.  Two values from behind
 * the code, with one upper half, are an instruction less than two of two halves each.
 */
static void emit_call(struct emitter *e, const struct dispatch_call *call)
{
	unsigned long func = (unsigned long)call->func, op = (unsigned long)call->op;

	/* The jump is behind two instructions, and in the same segment as these. */
	if (jal_reaches(e->at, func)) {
		emit_value(e, GPR_A2, op);
		emit(e, INSN_JAL(func));
	} else {
		emit(e, INSN_LUI(GPR_V1, ftrace_window_high()));
		emit_far(e, GPR_A2, GPR_V1, op);
		emit_far(e, GPR_T9, GPR_V1, func);
		emit(e, INSN_JALR(GPR_T9));
	}
	emit(e, INSN_MOVE_A3_SP);
}

/*
 * The first call is given what the prologue has found; those two instructions are also
 * what arch_trampoline_disarm() needs, see there.
 */
static void emit_body(struct emitter *e, const struct dispatch_set *set)
{
	struct dispatch_call call;
	unsigned int next = dispatch_call(set, 0, &call);

	emit(e, INSN_MOVE_A0_V0);
	emit(e, INSN_MOVE_A1_AT);
	emit_call(e, &call);
	while (next < set->nr_ops) {
		next = dispatch_call(set, next, &call);
		emit_load(e, GPR_A0, FTRACE_REGS_SITE);
		emit_load(e, GPR_A1, FTRACE_REGS_RA);
		emit_call(e, &call);
	}
}

static void emit_entries(struct emitter *e)
{
	emit(e, INSN_TAKE_STACK);
	emit(e, ENTRY_BRANCH);
	emit(e, INSN_FIND_SITE(FTRACE_LONG_BACK));
	emit(e, INSN_TAKE_STACK);
	emit(e, INSN_FIND_SITE(FTRACE_SHORT_BACK));
}

/* ------------------------------------------------------------------ */
/* A trampoline								*/

static size_t head_words(void)
{
	return ENTRY_WORDS + (ftrace_caller_body - ftrace_caller_main);
}

static size_t tail_words(void)
{
	return ftrace_caller_end - ftrace_caller_tail;
}

/* What is taken out of the window for it. */
static size_t room_for(const struct dispatch_set *set)
{
	size_t words = head_words() + set->nr_ops * OPS_WORDS + tail_words();

	return ALIGN(words * sizeof(u32), sizeof(long)) +
	       set->nr_ops * OPS_VALUES * sizeof(long);
}

int arch_trampoline_build(struct dispatch_set *set)
{
	size_t room = room_for(set);
	u32 *code = window_is_reached() ? window_alloc(room) : NULL;
	struct emitter e = { .at = code };

	if (!code)
		return -ENOMEM;
	e.value = (void *)code + room;
	emit_entries(&e);
	emit_copy(&e, ftrace_caller_main, ftrace_caller_body);
	emit_body(&e, set);
	emit_copy(&e, ftrace_caller_tail, ftrace_caller_end);
	flush_icache_range((unsigned long)code, (unsigned long)code + room);
	set->trampoline = (unsigned long)code;
	set->size = (void *)e.at - (void *)code;
	return 0;
}

void arch_trampoline_free(struct dispatch_set *set)
{
	window_free(set->trampoline, room_for(set));
}

/*
 * A branch to the epilogue takes the place of the first instruction behind the
 * prologue, and has the next one in its slot, which only moves a register.  Whoever is
 * behind these finds the rest as it was.
 */
void arch_trampoline_disarm(const struct dispatch_set *set)
{
	u32 *body = (u32 *)set->trampoline + head_words();
	u32 *tail = (u32 *)(set->trampoline + set->size) - tail_words();

	lockdep_assert_held(&text_mutex);
	WRITE_ONCE(*body, INSN_BRANCH(tail - (body + 1)));
	flush_icache_range((unsigned long)body, (unsigned long)(body + 1));
}

/* Both entries take the stack first. */
static const u32 *entry_twin(size_t word)
{
	const u32 *entry = (u32 *)ftrace_caller;

	if (word >= LONG_ENTRY_WORDS)
		word -= LONG_ENTRY_WORDS;
	return word ? entry + 1 : entry;
}

unsigned long arch_trampoline_twin(const struct dispatch_set *set, unsigned long ip)
{
	size_t word = (ip - set->trampoline) / sizeof(u32);
	size_t tail = set->size / sizeof(u32) - tail_words();
	const u32 *twin = ftrace_caller_body;

	if (word < ENTRY_WORDS)
		twin = entry_twin(word);
	else if (word < head_words())
		twin = ftrace_caller_main + (word - ENTRY_WORDS);
	else if (word >= tail)
		twin = ftrace_caller_tail + (word - tail);
	return (unsigned long)twin;
}
