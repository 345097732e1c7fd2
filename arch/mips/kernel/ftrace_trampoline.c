// SPDX-License-Identifier: GPL-2.0
/*
 * Trampolines on MIPS: generated code that calls the ops of a set.
 *
 * A trampoline consists of an entry for long sites, an entry for short sites, a copy of the
 * prologue of ftrace_caller (see mcount.S), the arguments and the call for each call of the set, a
 * copy of the epilogue of ftrace_caller, and values that the code loads: addresses that `jal` does
 * not reach, and 64-bit values.
 *
 * All trampolines are in the window: 64 KB of memory in the kernel image.  The address of each is
 * the sum of one constant, the upper half, and a signed 16-bit number, the lower half.  So the
 * kernel's text reaches them by `jal`, and the sites in modules differ in the lower half only.  The
 * window begins with an entry for long sites that leads to ftrace_caller.
 *
 * A set for which there is no room uses ftrace_caller.
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
/* Unit of allocation in bytes: a multiple of the line size of most caches. */
#define UNIT_SIZE	64
#define NR_UNITS	(WINDOW_SIZE / UNIT_SIZE)

/* One third is padding, so that the window can begin at an odd multiple of 32 KB. */
static u8 window_memory[WINDOW_SIZE + SZ_32K] __aligned(SZ_32K);

/* Protects window_used.  No other lock is taken inside. */
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

static unsigned long window_units(size_t size)
{
	return DIV_ROUND_UP(size, UNIT_SIZE);
}

static void *window_alloc(size_t size)
{
	unsigned long at;

	guard(mutex)(&window_lock);
	at = bitmap_find_next_zero_area(window_used, NR_UNITS, 0, window_units(size), 0);
	if (at >= NR_UNITS)
		return NULL;
	bitmap_set(window_used, at, window_units(size));
	return (void *)(window_start() + at * UNIT_SIZE);
}

static void window_free(unsigned long address, size_t size)
{
	guard(mutex)(&window_lock);
	bitmap_clear(window_used, (address - window_start()) / UNIT_SIZE, window_units(size));
}

/* ------------------------------------------------------------------ */
/* Entries								*/

/* Sizes in words of the entry for long sites, and of both entries, in front of the prologue. */
#define LONG_ENTRY_WORDS	3
#define ENTRY_WORDS		(LONG_ENTRY_WORDS + 2)
/* The branch of the long entry over the short entry; the offset counts from its delay slot. */
#define ENTRY_BRANCH		INSN_BRANCH(ENTRY_WORDS - 2)

static bool entry_is_static(unsigned long target)
{
	return target == (unsigned long)ftrace_caller;
}

unsigned long ftrace_short_entry(unsigned long target)
{
	return entry_is_static(target) ? target : target + LONG_ENTRY_WORDS * sizeof(u32);
}

/* The long entry of ftrace_caller is at the start of the window: see ftrace_window_open(). */
unsigned long ftrace_long_entry(unsigned long target)
{
	return entry_is_static(target) ? window_start() : target;
}

/* The first instruction of an entry: allocates the frame. */
#define INSN_TAKE_STACK	INSN_IMM(OP_ADDIU, GPR_SP, GPR_SP, -FTRACE_REGS_SIZE)
/* The second instruction of an entry: computes the address of the site. */
#define INSN_FIND_SITE(back)	INSN_IMM(OP_ADDIU, GPR_V0, GPR_RA, -(back))

void ftrace_window_open(void)
{
	unsigned long main = (unsigned long)ftrace_caller_main;
	u32 *insn = window_alloc(UNIT_SIZE);
	u32 *first = (u32 *)ftrace_caller;

	/* Not `j`: ftrace_caller may be in another segment than the window. */
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
/* Generating code							*/

/**
 * struct emitter - code that is being generated
 * @at: address of the next instruction
 * @value: address of the value stored last; values are stored from the end of the room downwards
 */
struct emitter {
	u32		*at;
	unsigned long	*value;
};

static void emit_insn(struct emitter *e, u32 insn)
{
	*e->at++ = insn;
}

static void emit_copy(struct emitter *e, const u32 *from, const u32 *to)
{
	while (from < to)
		emit_insn(e, *from++);
}

/* True if `lui` and an addition, which extend the sign on 64 bit, can produce the value. */
static bool value_is_narrow(unsigned long value)
{
	return (long)value == (int)value;
}

static void emit_narrow(struct emitter *e, unsigned int reg, unsigned long value)
{
	emit_insn(e, INSN_LUI(reg, insn_high(value)));
	emit_insn(e, INSN_IMM(OP_ADDIU, reg, reg, insn_low(value)));
}

/* Load a value that is stored behind the code.  @base holds the upper half of the window. */
static void emit_far(struct emitter *e, unsigned int reg, unsigned int base,
		     unsigned long value)
{
	*--e->value = value;
	emit_insn(e, INSN_IMM(OP_LOAD, reg, base, insn_low((unsigned long)e->value)));
}

static void emit_value(struct emitter *e, unsigned int reg, unsigned long value)
{
	if (value_is_narrow(value)) {
		emit_narrow(e, reg, value);
		return;
	}
	emit_insn(e, INSN_LUI(reg, ftrace_window_high()));
	emit_far(e, reg, reg, value);
}

static void emit_load(struct emitter *e, unsigned int reg, unsigned int offset)
{
	emit_insn(e, INSN_IMM(OP_LOAD, reg, GPR_SP, offset));
}

/* True if @target is in the segment of 256 MB that `jal` at @from reaches. */
static bool jal_reaches(const u32 *from, unsigned long target)
{
	return !(((unsigned long)(from + 1) ^ target) & ~GENMASK(27, 0));
}

/*
 * True if sites in the kernel's text reach the window: with a randomized address, a border between
 * segments may be in between.
 */
static bool window_is_reached(void)
{
	return jal_reaches((u32 *)ftrace_caller, window_start());
}

/* Maximum number of words and of values for a call.  There is at most one call for each ops. */
#define OPS_WORDS	7
#define OPS_VALUES	2

/*
 * Call func(ip, parent_ip, op, fregs); ip and parent_ip are in their registers already.  Loading
 * @op and @func from behind the code, with one upper half for both, takes one instruction less than
 * building them from two halves each.
 */
static void emit_set_call(struct emitter *e, const struct dispatch_call *call)
{
	unsigned long func = (unsigned long)call->func, op = (unsigned long)call->op;

	/* The jump follows two instructions, and is in the same segment. */
	if (jal_reaches(e->at, func)) {
		emit_value(e, GPR_A2, op);
		emit_insn(e, INSN_JAL(func));
	} else {
		emit_insn(e, INSN_LUI(GPR_V1, ftrace_window_high()));
		emit_far(e, GPR_A2, GPR_V1, op);
		emit_far(e, GPR_T9, GPR_V1, func);
		emit_insn(e, INSN_JALR(GPR_T9));
	}
	emit_insn(e, INSN_MOVE_A3_SP);
}

/*
 * The first call gets ip and parent_ip from the registers of the prologue.  The two instructions
 * that move them are also those that arch_trampoline_disarm() relies on.
 */
static void emit_set_calls(struct emitter *e, const struct dispatch_set *set)
{
	struct dispatch_call call;
	unsigned int next = dispatch_call(set, 0, &call);

	emit_insn(e, INSN_MOVE_A0_V0);
	emit_insn(e, INSN_MOVE_A1_AT);
	emit_set_call(e, &call);
	while (next < set->nr_ops) {
		next = dispatch_call(set, next, &call);
		emit_load(e, GPR_A0, FTRACE_REGS_SITE);
		emit_load(e, GPR_A1, FTRACE_REGS_RA);
		emit_set_call(e, &call);
	}
}

static void emit_entries(struct emitter *e)
{
	emit_insn(e, INSN_TAKE_STACK);
	emit_insn(e, ENTRY_BRANCH);
	emit_insn(e, INSN_FIND_SITE(FTRACE_LONG_BACK));
	emit_insn(e, INSN_TAKE_STACK);
	emit_insn(e, INSN_FIND_SITE(FTRACE_SHORT_BACK));
}

/* ------------------------------------------------------------------ */
/* A trampoline								*/

static size_t trampoline_head_words(void)
{
	return ENTRY_WORDS + (ftrace_caller_body - ftrace_caller_main);
}

static size_t trampoline_tail_words(void)
{
	return ftrace_caller_end - ftrace_caller_tail;
}

/* Return: bytes of the window that the trampoline of @set needs at most. */
static size_t trampoline_room(const struct dispatch_set *set)
{
	size_t words = trampoline_head_words() + set->nr_ops * OPS_WORDS + trampoline_tail_words();

	return ALIGN(words * sizeof(u32), sizeof(long)) +
	       set->nr_ops * OPS_VALUES * sizeof(long);
}

int arch_trampoline_build(struct dispatch_set *set)
{
	size_t room = trampoline_room(set);
	u32 *code = window_is_reached() ? window_alloc(room) : NULL;
	struct emitter e = { .at = code };

	if (!code)
		return -ENOMEM;
	e.value = (void *)code + room;
	emit_entries(&e);
	emit_copy(&e, ftrace_caller_main, ftrace_caller_body);
	emit_set_calls(&e, set);
	emit_copy(&e, ftrace_caller_tail, ftrace_caller_end);
	flush_icache_range((unsigned long)code, (unsigned long)code + room);
	set->trampoline = (unsigned long)code;
	set->size = (void *)e.at - (void *)code;
	return 0;
}

void arch_trampoline_free(struct dispatch_set *set)
{
	window_free(set->trampoline, trampoline_room(set));
}

/*
 * A branch to the epilogue replaces the first instruction behind the prologue.  The next
 * instruction, which only moves a register, is in its slot.  A task behind these two finds the rest
 * of the code unchanged.
 */
void arch_trampoline_disarm(const struct dispatch_set *set)
{
	u32 *body = (u32 *)set->trampoline + trampoline_head_words();
	u32 *tail = (u32 *)(set->trampoline + set->size) - trampoline_tail_words();

	lockdep_assert_held(&text_mutex);
	WRITE_ONCE(*body, INSN_BRANCH(tail - (body + 1)));
	flush_icache_range((unsigned long)body, (unsigned long)(body + 1));
}

/*
 * Both entries allocate the frame by their first instruction, as ftrace_caller does: map the word
 * of an entry to the address in ftrace_caller with the same frame.
 */
static const u32 *entry_static_ip(size_t word)
{
	const u32 *entry = (u32 *)ftrace_caller;

	if (word >= LONG_ENTRY_WORDS)
		word -= LONG_ENTRY_WORDS;
	return word ? entry + 1 : entry;
}

unsigned long arch_trampoline_static_ip(const struct dispatch_set *set, unsigned long ip)
{
	size_t word = (ip - set->trampoline) / sizeof(u32);
	size_t tail = set->size / sizeof(u32) - trampoline_tail_words();
	const u32 *static_ip = ftrace_caller_body;

	if (word < ENTRY_WORDS)
		static_ip = entry_static_ip(word);
	else if (word < trampoline_head_words())
		static_ip = ftrace_caller_main + (word - ENTRY_WORDS);
	else if (word >= tail)
		static_ip = ftrace_caller_tail + (word - tail);
	return (unsigned long)static_ip;
}
