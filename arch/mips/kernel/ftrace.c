// SPDX-License-Identifier: GPL-2.0
/*
 * Call sites on MIPS: their instructions, and how they are written.  asm/ftrace.h shows the code
 * of the compiler.
 *
 * A *short* site, in the kernel, is `jal trampoline` or a nop.  The instruction behind it is the
 * delay slot of the `jal`.  It is executed behind the nop as well, unless the nop prevents that.
 *
 *   On n64 the slot is harmless.  The nop is `move ra, at`, which restores ra after a `jal`: after
 *   an exception in a delay slot the jump is executed again, and if that exception was an
 *   interrupt, and the task was preempted, the site may have become the nop meanwhile.
 *
 *   On o32 the slot moves the stack pointer, and the callee moves it back.  So the nop is a "branch
 *   likely" that is never taken: it annuls its slot.  It cannot restore ra as well, so that is done
 *   when a task is preempted: see ftrace_leave_slot().  Release 6 has no such branches: the nop is
 *   a branch without a slot over the one instruction.
 *
 * A *long* site, in a module, is a sequence that loads the address of the trampoline in two halves.
 * Its nop is a branch over the sequence, in place of the `lui`.  The slot of the branch loads the
 * lower half of an address into v1, which holds no value there.  The upper half is always that of
 * the window, see ftrace_trampoline.c; so the lower half selects the trampoline.  A nop keeps the
 * last lower half, which is changed before the `lui` replaces the branch.
 *
 * So each step is a store of one word, and a task that was preempted at any instruction of a site
 * continues correctly, whatever was written meanwhile, and how often:
 *
 *   in front of the `lui`, or at it: the task executes the new sequence completely;
 *   behind the `lui`: the task calls the target of the new lower half.  That is the target of the
 *   site or, if the site is a nop, its last target;
 *   behind the lower half: the task calls the target that the site had when the task was there.
 *
 * The last target of a site is not freed while a task is preempted in the site: Tasks RCU waits for
 * the task (SPEC D11), which has not scheduled voluntarily since.
 *
 * Instructions are fetched as words, and a store of a word is seen as a whole.  The memory of text
 * is always writable.
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
/* Indices of words in a long site. */
#define LONG_LOW	1
#define LONG_MOVE	2
#define LONG_JUMP	(FTRACE_LONG_BACK / 4 - 2)

static_assert(FTRACE_LONG_BACK <= ARCH_SITE_SPAN_MAX);

enum site_kind { SITE_SHORT, SITE_LONG, SITE_KINDS };

/**
 * struct site_code - the code of sites with one target
 * @target: the target, 0 for the nop
 * @first: first word of a site of each kind
 * @low: lower half of the address, in the second word of a long site; unused for the nop
 */
struct site_code {
	unsigned long	target;
	u32		first[SITE_KINDS];
	u16		low;
};

/* Only a long site has the `move` in its third word: a short site has it in front. */
static enum site_kind site_get_kind(const u32 *insn)
{
	return insn[LONG_MOVE] == INSN_MOVE_AT_RA ? SITE_LONG : SITE_SHORT;
}

static bool site_is_long(const u32 *insn)
{
	return site_get_kind(insn) == SITE_LONG;
}

static const struct site_code site_nop_code = {
	.first[SITE_SHORT]	= SHORT_NOP,
	.first[SITE_LONG]	= LONG_NOP,
};

/* The code that the compiler, the linker and the module loader have made. */
static struct site_code site_compiled_code(void)
{
	return (struct site_code) {
		.target			= PATCH_AS_COMPILED,
		.first[SITE_SHORT]	= INSN_JAL(MCOUNT_ADDR),
		.first[SITE_LONG]	= INSN_LUI(GPR_V1, insn_high(MCOUNT_ADDR)),
		.low			= insn_low(MCOUNT_ADDR),
	};
}

static struct site_code site_call_code(unsigned long target)
{
	if (target == PATCH_AS_COMPILED)
		return site_compiled_code();
	return (struct site_code) {
		.target			= target,
		.first[SITE_SHORT]	= INSN_JAL(ftrace_short_entry(target)),
		.first[SITE_LONG]	= INSN_LUI(GPR_V1, ftrace_window_high()),
		.low			= insn_low(ftrace_long_entry(target)),
	};
}

/* Set @code for @target. Most sites that change together have one target: @code is reused then. */
static __always_inline void site_find_code(struct site_code *code, unsigned long target)
{
	if (code->target != target)
		*code = target ? site_call_code(target) : site_nop_code;
}

static u32 long_low_insn(u16 low)
{
	return INSN_IMM(OP_ADDIU, GPR_V1, GPR_V1, low);
}

static bool long_low_is(const u32 *insn, u16 low)
{
	return insn[LONG_LOW] == long_low_insn(low);
}

/* True if the site holds @code. */
static bool site_holds(const u32 *insn, const struct site_code *code)
{
	if (!site_is_long(insn) || !code->target)
		return insn[0] == code->first[site_get_kind(insn)];
	return insn[0] == code->first[SITE_LONG] && long_low_is(insn, code->low);
}

static void site_write_insn(u32 *insn, u32 value)
{
	WRITE_ONCE(*insn, value);
}

static void site_write_low(u32 *insn, u16 low)
{
	site_write_insn(&insn[LONG_LOW], long_low_insn(low));
}

bool arch_site_insn(unsigned long ip, unsigned long target,
		    u8 found[MCOUNT_INSN_SIZE], u8 expected[MCOUNT_INSN_SIZE])
{
	u32 insn[LONG_MOVE + 1] = { };
	struct site_code code = site_nop_code;
	bool readable;
	u32 is, want;

	readable = !copy_from_kernel_nofault(insn, (void *)ip, sizeof(insn));
	site_find_code(&code, target);
	is = insn[0];
	want = code.first[site_get_kind(insn)];
	if (is == want && target && site_is_long(insn)) {
		is = insn[LONG_LOW];
		want = long_low_insn(code.low);
	}
	memcpy(found, &is, MCOUNT_INSN_SIZE);
	memcpy(expected, &want, MCOUNT_INSN_SIZE);
	return readable;
}

/*
 * The slot belongs to the span: while the site is a call, an exception in the slot reports the
 * address of the jump, so a breakpoint there would not be found by its address.
 */
unsigned int arch_site_span(unsigned long ip)
{
	return site_is_long((u32 *)ip) ? FTRACE_LONG_BACK : FTRACE_SHORT_BACK;
}

/* ------------------------------------------------------------------ */
/* Sites as the compiler left them					*/

/* Check the whole long site: the words behind the second one are checked here only. */
static bool site_is_long_call(const u32 *insn)
{
	return site_is_long(insn) && insn[LONG_JUMP] == INSN_JALR(GPR_V1) &&
	       insn[0] == INSN_LUI(GPR_V1, insn_high(MCOUNT_ADDR)) &&
	       long_low_is(insn, insn_low(MCOUNT_ADDR));
}

/* An instruction that sets register 12 may be between the `move` and the `jal`. */
static bool site_is_compiled_short(const u32 *insn)
{
	return insn[0] == INSN_JAL(MCOUNT_ADDR) &&
	       (insn[-1] == INSN_MOVE_AT_RA || insn[-2] == INSN_MOVE_AT_RA);
}

/*
 * @ip comes from the entry, which computes it as for a short site, 8 bytes in front of ra.  A long
 * site begins at a lower address.
 */
unsigned long arch_compiled_site(unsigned long ip)
{
	unsigned long behind = ip + FTRACE_SHORT_BACK, from = behind - FTRACE_LONG_BACK;
	u32 insn[FTRACE_LONG_BACK / sizeof(u32)];
	const u32 *at = insn + ARRAY_SIZE(insn) - FTRACE_SHORT_BACK / sizeof(u32);

	if (!IS_ALIGNED(ip, sizeof(u32)) ||
	    copy_from_kernel_nofault(insn, (void *)from, sizeof(insn)))
		return 0;
	if (site_is_long_call(insn))
		return from;
	return site_is_compiled_short(at) ? ip : 0;
}

bool arch_site_is_split(unsigned long ip)
{
	return site_is_long((u32 *)ip);
}

/* ------------------------------------------------------------------ */
/* Before the text is executed						*/

static int site_init_long(u32 *insn)
{
	if (!site_is_long_call(insn))
		return insn[0] == LONG_NOP ? 0 : -EINVAL;
	site_write_low(insn, insn_low(ftrace_long_entry(MCOUNT_ADDR)));
	site_write_insn(insn, LONG_NOP);
	return 0;
}

int arch_site_init(unsigned long ip)
{
	u32 *insn = (u32 *)ip;

	if (site_is_long(insn))
		return site_init_long(insn);
	if (insn[0] != INSN_JAL(MCOUNT_ADDR))
		return insn[0] == SHORT_NOP ? 0 : -EINVAL;
	site_write_insn(insn, SHORT_NOP);
	return 0;
}

/* The first call, at boot, lets _mcount call the ops of sites; before, it only returns. */
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

/* True if the site is mapped; text of the kernel itself always is. */
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

/* The CPU that writes in this stop.  Set before other CPUs call arch_patch_sync(). */
static int patch_writer;

void arch_patch_open(struct patch_batch *batch)
{
	WRITE_ONCE(patch_writer, raw_smp_processor_id());
}

void arch_patch_close(struct patch_batch *batch)
{
}

/* Flush sites from the data cache and the instruction cache of this CPU. */
static void patch_flush_sites(const struct patch_batch *batch, unsigned int from,
			      unsigned int to)
{
	for (unsigned int i = from; i < to; i++) {
		unsigned long ip = batch->sites[i].ip;

		local_flush_icache_range(ip, ip + (LONG_LOW + 1) * sizeof(u32));
	}
	instruction_hazard();
}

/* Return: index of the first site from @from on that does not hold its old code, or @to. */
static unsigned int mips_group_check(const struct patch_batch *batch, unsigned int from,
				     unsigned int to)
{
	struct site_code code = site_nop_code;
	unsigned int i;

	for (i = from; i < to; i++) {
		const struct patch_site *p = &batch->sites[i];

		site_find_code(&code, p->old);
		if (!site_holds((u32 *)p->ip, &code))
			break;
	}
	return i;
}

/* Return: true if the lower half of any site was changed. */
static bool mips_group_write_lows(const struct patch_batch *batch, unsigned int from,
				  unsigned int to)
{
	struct site_code code = site_nop_code;
	bool any = false;

	for (unsigned int i = from; i < to; i++) {
		const struct patch_site *p = &batch->sites[i];
		u32 *insn = (u32 *)p->ip;

		if (!p->new || !site_is_long(insn))
			continue;
		site_find_code(&code, p->new);
		if (long_low_is(insn, code.low))
			continue;
		site_write_low(insn, code.low);
		any = true;
	}
	return any;
}

/*
 * The slot of a jump is stored again, unchanged.  QEMU translates a slot that is the first word of
 * a page separately from its jump, and the translation jumps to the target that the jump had then.
 * A store to the jump does not discard that translation; a store to the slot does.
 */
static void site_write_first(u32 *insn, u32 value)
{
	site_write_insn(insn, value);
	if (!site_is_long(insn))
		site_write_insn(&insn[1], insn[1]);
}

static void mips_group_write_firsts(const struct patch_batch *batch, unsigned int from,
				    unsigned int to)
{
	struct site_code code = site_nop_code;

	for (unsigned int i = from; i < to; i++) {
		const struct patch_site *p = &batch->sites[i];
		u32 *insn = (u32 *)p->ip;
		u32 first;

		site_find_code(&code, p->new);
		first = code.first[site_get_kind(insn)];
		if (insn[0] != first)
			site_write_first(insn, first);
	}
}

/*
 * A new lower half has to be in memory, and visible to the instruction fetch of every CPU, before
 * the `lui` that belongs to it: an NMI could combine that `lui` with a lower half that has not been
 * in use for long.
 *
 * The stores of this CPU are in memory once it has flushed them.  The other CPUs read them there
 * once they have flushed their caches, which they do later: patch_sync_cpus(), and the end of the
 * stop, release them.
 */
static void mips_group_write(const struct patch_batch *batch, unsigned int from,
			     unsigned int to)
{
	if (mips_group_write_lows(batch, from, to)) {
		patch_flush_sites(batch, from, to);
		patch_sync_cpus();
	}
	mips_group_write_firsts(batch, from, to);
	patch_flush_sites(batch, from, to);
}

/* Raise @batch->done.  Return: false if a site has not changed, although it was written. */
static bool mips_group_verify(struct patch_batch *batch, unsigned int end)
{
	struct site_code code = site_nop_code;

	for (; batch->done < end; batch->done++) {
		const struct patch_site *p = &batch->sites[batch->done];

		site_find_code(&code, p->new);
		if (!site_holds((u32 *)p->ip, &code))
			return false;
	}
	return true;
}

int arch_patch_sites(struct patch_batch *batch, unsigned int to)
{
	unsigned int from = batch->done;
	unsigned int end = mips_group_check(batch, from, to);

	if (end == from)
		return -EINVAL;
	mips_group_write(batch, from, end);
	if (!mips_group_verify(batch, end))
		return -EFAULT;
	return end < to ? -EINVAL : 0;
}

/*
 * The threads of a core share their caches: the first of them flushes for all.  In the core of the
 * CPU that writes, that CPU has flushed after it has written.
 */
static bool patch_must_flush(void)
{
	int cpu = raw_smp_processor_id();
	const struct cpumask *core = topology_sibling_cpumask(cpu);

	return !cpumask_test_cpu(READ_ONCE(patch_writer), core) &&
	       cpumask_first_and(core, cpu_online_mask) == cpu;
}

/*
 * The other threads do not run ahead of the first one of their core: no CPU leaves the stop, and
 * patch_sync_cpus() does not return, before all CPUs have called this.
 */
void arch_patch_sync(const struct patch_batch *batch, unsigned int from, unsigned int to)
{
	if (patch_must_flush())
		patch_flush_sites(batch, from, to);
	else
		instruction_hazard();
}

static bool machine_is_malta __ro_after_init;

static int __init malta_detect(void)
{
	machine_is_malta = of_machine_is_compatible("mti,malta");
	return 0;
}
early_initcall(malta_detect);

/*
 * No register identifies an emulator.  But emulators emulate the Malta board, of which few were
 * made, long ago and for developers.
 */
bool arch_patch_in_guest(void)
{
	return machine_is_malta;
}

/* ------------------------------------------------------------------ */
/* Preemption								*/

/*
 * True for the jump of a short site: no other jump has this slot.  The `move` in front is not
 * checked, because a function may begin with it, and a probe may have replaced it.
 */
static bool site_is_short_call(const u32 *insn)
{
	return insn_is_jal(insn[0]) && insn[1] == SLOT_INSN;
}

/*
 * The jump is executed again when the task continues.  If it is a call site of an o32 kernel, it
 * may be a nop by then, and ra must have its value from before the jump, which is still in at.
 */
void ftrace_leave_slot(struct pt_regs *regs)
{
	if (FTRACE_SLOT_SIZE && site_is_short_call((u32 *)regs->cp0_epc))
		regs->regs[31] = regs->regs[1];
}
