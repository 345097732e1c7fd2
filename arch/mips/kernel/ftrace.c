// SPDX-License-Identifier: GPL-2.0
/*
 * Call sites on MIPS: what they are, and writing them.  asm/ftrace.h shows what the
 * compiler makes.
 *
 * A *short* site, in the kernel, is `jal trampoline` or a nop.  What is behind it, its
 * delay slot, is executed as part of both, or would be.
 *
 *   On n64 the slot is harmless.  The nop is `move ra, at`, which undoes what `jal` has
 *   done to ra.  For an exception in a delay slot has the jump executed once more, when
 *   it is over; and if that was an interrupt, and the task was preempted, there may be
 *   the nop by then.
 *
 *   On o32 the slot moves the stack pointer, for the callee to move it back.  So the
 *   nop is a branch that is likely to be taken, and never is: it annuls its slot.  It
 *   cannot put back ra as well, so that is done when a task is preempted: see
 *   ftrace_leave_slot().  From release 6 on, which has no such branches, there is one
 *   without a slot, over the one instruction.
 *
 * A *long* site, in a module, is a sequence in which the address of the trampoline is
 * loaded in two halves.  Its nop is a branch over all of it, in place of the `lui`.  The
 * slot of the branch loads the lower half of an address into v1, where nobody has
 * anything.  The upper half is that of the window, see ftrace_trampoline.c, always; so
 * another trampoline is another lower half.  There is a lower half also while the site
 * is a nop: it stays as it was, and is changed before the branch gives way to `lui`.
 *
 * So each step is a store of one word, and a task that was preempted at any instruction
 * of a site goes on correctly, whatever was written meanwhile, and how often:
 *
 *   in front of the `lui`, or at it: with what is there now, as a whole;
 *   behind it: it calls what the lower half says now.  That is what the site calls or,
 *   if that is nobody, what it called last;
 *   behind the lower half: it calls what the site called when it was there.
 *
 * What a site called last lives as long as there is such a task, for Tasks RCU waits
 * for it (SPEC D11): it has not scheduled of its own will since.
 *
 * All of this is fetched as words, and a store of a word is seen as a whole.  Text is in
 * memory that can always be written.
 */
#include <linux/cacheflush.h>
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/ftrace_arch.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/of.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/topology.h>
#include <linux/uaccess.h>
#include <asm/hazards.h>
#include <asm/mipsregs.h>

#include "ftrace.h"

static_assert(offsetof(struct __arch_ftrace_regs, site) == FTRACE_REGS_SITE);
static_assert(offsetof(struct __arch_ftrace_regs, ip) == FTRACE_REGS_IP);
static_assert(offsetof(struct __arch_ftrace_regs, ra) == FTRACE_REGS_RA);
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
static_assert(offsetof(struct __arch_ftrace_regs, ra_at) == FTRACE_REGS_RA_AT);
static_assert(offsetof(struct __arch_ftrace_regs, back) == FTRACE_REGS_BACK);
#endif
static_assert(sizeof(struct __arch_ftrace_regs) == FTRACE_REGS_SIZE);
static_assert(offsetof(struct __arch_ftrace_regs, args) == FTRACE_REGS_ARGS);

/* ------------------------------------------------------------------ */
/* Instructions								*/

#define LONG_NOP	INSN_BRANCH(FTRACE_LONG_BACK / 4 - 1)
/* The words of a long site. */
#define LONG_LOW	1
#define LONG_MOVE	2
#define LONG_JUMP	(FTRACE_LONG_BACK / 4 - 2)

static_assert(FTRACE_LONG_BACK <= ARCH_SITE_SPAN_MAX);

enum site_kind { SITE_SHORT, SITE_LONG, SITE_KINDS };

/**
 * struct site_code - what sites hold that call a target
 * @target: 0 for the nop
 * @first: the word of a site
 * @low: the lower half of an address, in the next word of a long one; for a nop it may
 *	be any
 */
struct site_code {
	unsigned long	target;
	u32		first[SITE_KINDS];
	u16		low;
};

/* A short site has its `move` in front. */
static enum site_kind site_kind(const u32 *insn)
{
	return insn[LONG_MOVE] == INSN_MOVE_AT_RA ? SITE_LONG : SITE_SHORT;
}

static bool site_is_long(const u32 *insn)
{
	return site_kind(insn) == SITE_LONG;
}

static const struct site_code nop_code = {
	.first[SITE_SHORT]	= SHORT_NOP,
	.first[SITE_LONG]	= LONG_NOP,
};

/* What the compiler has made, with the linker and the loader of modules. */
static struct site_code compiled_code(void)
{
	return (struct site_code) {
		.target			= PATCH_AS_COMPILED,
		.first[SITE_SHORT]	= INSN_JAL(MCOUNT_ADDR),
		.first[SITE_LONG]	= INSN_LUI(GPR_V1, insn_high(MCOUNT_ADDR)),
		.low			= insn_low(MCOUNT_ADDR),
	};
}

static struct site_code call_code(unsigned long target)
{
	if (target == PATCH_AS_COMPILED)
		return compiled_code();
	return (struct site_code) {
		.target			= target,
		.first[SITE_SHORT]	= INSN_JAL(ftrace_short_entry(target)),
		.first[SITE_LONG]	= INSN_LUI(GPR_V1, ftrace_window_high()),
		.low			= insn_low(ftrace_long_entry(target)),
	};
}

/* Sites that change together mostly call the same: then there is nothing to be done. */
static __always_inline void find_code(struct site_code *code, unsigned long target)
{
	if (code->target != target)
		*code = target ? call_code(target) : nop_code;
}

static u32 low_insn(u16 low)
{
	return INSN_IMM(OP_ADDIU, GPR_V1, GPR_V1, low);
}

static bool low_is(const u32 *insn, u16 low)
{
	return insn[LONG_LOW] == low_insn(low);
}

/* Does the site hold that? */
static bool site_holds(const u32 *insn, const struct site_code *code)
{
	if (!site_is_long(insn) || !code->target)
		return insn[0] == code->first[site_kind(insn)];
	return insn[0] == code->first[SITE_LONG] && low_is(insn, code->low);
}

static void write_insn(u32 *insn, u32 value)
{
	WRITE_ONCE(*insn, value);
}

static void write_low(u32 *insn, u16 low)
{
	write_insn(&insn[LONG_LOW], low_insn(low));
}

bool arch_site_insn(unsigned long ip, unsigned long target,
		    u8 found[MCOUNT_INSN_SIZE], u8 expected[MCOUNT_INSN_SIZE])
{
	u32 insn[LONG_MOVE + 1] = { };
	struct site_code code = nop_code;
	bool readable;
	u32 is, want;

	readable = !copy_from_kernel_nofault(insn, (void *)ip, sizeof(insn));
	find_code(&code, target);
	is = insn[0];
	want = code.first[site_kind(insn)];
	if (is == want && target && site_is_long(insn)) {
		is = insn[LONG_LOW];
		want = low_insn(code.low);
	}
	memcpy(found, &is, MCOUNT_INSN_SIZE);
	memcpy(expected, &want, MCOUNT_INSN_SIZE);
	return readable;
}

/* A breakpoint in the slot would not be found by its address when the site is a call. */
unsigned int arch_site_span(unsigned long ip)
{
	return site_is_long((u32 *)ip) ? FTRACE_LONG_BACK : FTRACE_SHORT_BACK;
}

/* ------------------------------------------------------------------ */
/* As the compiler left it						*/

/* The rest of a long site never changes, so it is looked at here only. */
static bool is_long_call(const u32 *insn)
{
	return site_is_long(insn) && insn[LONG_JUMP] == INSN_JALR(GPR_V1) &&
	       insn[0] == INSN_LUI(GPR_V1, insn_high(MCOUNT_ADDR)) &&
	       low_is(insn, insn_low(MCOUNT_ADDR));
}

/* Register 12 may be set in between. */
static bool is_compiled_short(const u32 *insn)
{
	return insn[0] == INSN_JAL(MCOUNT_ADDR) &&
	       (insn[-1] == INSN_MOVE_AT_RA || insn[-2] == INSN_MOVE_AT_RA);
}

/*
 * The entry computes @ip as for a short site, 8 bytes in front of ra; a long one begins
 * further back.
 */
unsigned long arch_compiled_site(unsigned long ip)
{
	unsigned long behind = ip + FTRACE_SHORT_BACK, from = behind - FTRACE_LONG_BACK;
	u32 insn[FTRACE_LONG_BACK / sizeof(u32)];
	const u32 *at = insn + ARRAY_SIZE(insn) - FTRACE_SHORT_BACK / sizeof(u32);

	if (!IS_ALIGNED(ip, sizeof(u32)) ||
	    copy_from_kernel_nofault(insn, (void *)from, sizeof(insn)))
		return 0;
	if (is_long_call(insn))
		return from;
	return is_compiled_short(at) ? ip : 0;
}

bool arch_site_is_split(unsigned long ip)
{
	return site_is_long((u32 *)ip);
}

/* ------------------------------------------------------------------ */
/* Before the text is executed						*/

static int long_site_init(u32 *insn)
{
	if (!is_long_call(insn))
		return insn[0] == LONG_NOP ? 0 : -EINVAL;
	write_low(insn, insn_low(ftrace_long_entry(MCOUNT_ADDR)));
	write_insn(insn, LONG_NOP);
	return 0;
}

int arch_site_init(unsigned long ip)
{
	u32 *insn = (u32 *)ip;

	if (site_is_long(insn))
		return long_site_init(insn);
	if (insn[0] != INSN_JAL(MCOUNT_ADDR))
		return insn[0] == SHORT_NOP ? 0 : -EINVAL;
	write_insn(insn, SHORT_NOP);
	return 0;
}

/* At boot this is where _mcount begins to be more than a way back. */
void arch_sites_init_done(unsigned long first, unsigned long last)
{
	static bool open;

	if (!open) {
		ftrace_window_open();
		open = true;
	}
	flush_icache_range(first, last + FTRACE_LONG_BACK);
}

/* ------------------------------------------------------------------ */
/* Writing								*/

/* The kernel's own text always is. */
static bool site_is_in_memory(unsigned long ip)
{
	u32 insn[LONG_MOVE + 1];

	return core_kernel_text(ip) ||
	       !copy_from_kernel_nofault(insn, (void *)ip, sizeof(insn));
}

int arch_patch_prepare(struct patch_batch *batch)
{
	for (batch->ready = batch->done; batch->ready < batch->nr; batch->ready++)
		if (!site_is_in_memory(batch->sites[batch->ready].ip))
			break;
	return batch->ready > batch->done ? 0 : -EFAULT;
}

void arch_patch_finish(struct patch_batch *batch)
{
}

/* The CPU that writes in this stop.  Set before any other is let into arch_patch_sync(). */
static int patch_writer;

void arch_patch_open(struct patch_batch *batch)
{
	WRITE_ONCE(patch_writer, raw_smp_processor_id());
}

void arch_patch_close(struct patch_batch *batch)
{
}

/* Flush what this CPU has of some sites, data and instructions. */
static void flush_sites(const struct patch_batch *batch, unsigned int from,
			unsigned int to)
{
	for (unsigned int i = from; i < to; i++) {
		unsigned long ip = batch->sites[i].ip;

		local_flush_icache_range(ip, ip + (LONG_LOW + 1) * sizeof(u32));
	}
	instruction_hazard();
}

/* Returns the first from @from on that does not hold what it should, or @to. */
static unsigned int group_check(const struct patch_batch *batch, unsigned int from,
				unsigned int to)
{
	struct site_code code = nop_code;
	unsigned int i;

	for (i = from; i < to; i++) {
		const struct patch_site *p = &batch->sites[i];

		find_code(&code, p->old);
		if (!site_holds((u32 *)p->ip, &code))
			break;
	}
	return i;
}

/* Returns whether any has got another lower half. */
static bool group_write_lows(const struct patch_batch *batch, unsigned int from,
			     unsigned int to)
{
	struct site_code code = nop_code;
	bool any = false;

	for (unsigned int i = from; i < to; i++) {
		const struct patch_site *p = &batch->sites[i];
		u32 *insn = (u32 *)p->ip;

		if (!p->new || !site_is_long(insn))
			continue;
		find_code(&code, p->new);
		if (low_is(insn, code.low))
			continue;
		write_low(insn, code.low);
		any = true;
	}
	return any;
}

/*
 * The slot of a jump is stored once more, as it is.  An emulator that translates it for
 * itself, as QEMU does where it is the first word of a page, makes it jump to where the
 * jump led at that time; and what is in front of it being written does not change that.
 */
static void write_first(u32 *insn, u32 value)
{
	write_insn(insn, value);
	if (!site_is_long(insn))
		write_insn(&insn[1], insn[1]);
}

static void group_write_firsts(const struct patch_batch *batch, unsigned int from,
			       unsigned int to)
{
	struct site_code code = nop_code;

	for (unsigned int i = from; i < to; i++) {
		const struct patch_site *p = &batch->sites[i];
		u32 *insn = (u32 *)p->ip;
		u32 first;

		find_code(&code, p->new);
		first = code.first[site_kind(insn)];
		if (insn[0] != first)
			write_first(insn, first);
	}
}

/*
 * A lower half has to be in every CPU's instruction cache, and memory, before the `lui`
 * that goes with it is: an NMI could combine that with one that is long out of use.
 *
 * This CPU's stores are in memory when it has flushed them.  The others look there when
 * they have flushed what they had, and they do so after that: patch_sync_cpus(), and
 * the end of the stop, release them.
 */
static void group_write(const struct patch_batch *batch, unsigned int from,
			unsigned int to)
{
	if (group_write_lows(batch, from, to)) {
		flush_sites(batch, from, to);
		patch_sync_cpus();
	}
	group_write_firsts(batch, from, to);
	flush_sites(batch, from, to);
}

/* Raises @batch->done. False at one that has not changed, though it was written. */
static bool group_verify(struct patch_batch *batch, unsigned int end)
{
	struct site_code code = nop_code;

	for (; batch->done < end; batch->done++) {
		const struct patch_site *p = &batch->sites[batch->done];

		find_code(&code, p->new);
		if (!site_holds((u32 *)p->ip, &code))
			return false;
	}
	return true;
}

int arch_patch_sites(struct patch_batch *batch, unsigned int to)
{
	unsigned int from = batch->done;
	unsigned int end = group_check(batch, from, to);

	if (end == from)
		return -EINVAL;
	group_write(batch, from, end);
	if (!group_verify(batch, end))
		return -EFAULT;
	return end < to ? -EINVAL : 0;
}

/*
 * Threads of a core have their caches in common: the first of them flushes for all.  In
 * the writer's core the writer has done so, when it had written.
 */
static bool must_flush(void)
{
	int cpu = raw_smp_processor_id();
	const struct cpumask *core = topology_sibling_cpumask(cpu);

	return !cpumask_test_cpu(READ_ONCE(patch_writer), core) &&
	       cpumask_first_and(core, cpu_online_mask) == cpu;
}

/*
 * The others do not run ahead of the first of their core: nobody leaves the stop, and
 * patch_sync_cpus() does not return, before all have been here.
 */
void arch_patch_sync(const struct patch_batch *batch, unsigned int from, unsigned int to)
{
	if (must_flush())
		flush_sites(batch, from, to);
	else
		instruction_hazard();
}

static bool on_malta __ro_after_init;

static int __init find_malta(void)
{
	on_malta = of_machine_is_compatible("mti,malta");
	return 0;
}
early_initcall(find_malta);

/*
 * No register tells of an emulator.  But what is emulated is this board, of which few
 * have been made, for developers, and that was long ago.
 */
bool arch_patch_in_guest(void)
{
	return on_malta;
}

/* ------------------------------------------------------------------ */
/* Preemption								*/

/*
 * Is it the jump of a short site?  No other has its slot.  The `move` in front is not
 * asked for: a function may begin with it, and a probe have taken its place.
 */
static bool is_short_call(const u32 *insn)
{
	return insn_is_jal(insn[0]) && insn[1] == SLOT_INSN;
}

/*
 * The jump is executed once more when the task goes on.  If it is the call site of an
 * o32 kernel, it may be a nop by then, and ra has to be what it was before the jump.
 * at still has that.
 */
void ftrace_leave_slot(struct pt_regs *regs)
{
	if (FTRACE_SLOT_SIZE && is_short_call((u32 *)regs->cp0_epc))
		regs->regs[31] = regs->regs[1];
}
