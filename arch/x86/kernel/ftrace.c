// SPDX-License-Identifier: GPL-2.0
/*
 * Call sites on x86: what they are, and writing them.
 *
 * They are written through a mapping of their own: see ftrace_alias.c.
 *
 * An NMI may execute any site while it is written.  So each gets a breakpoint as
 * its first byte, then its tail, then its first byte, with all CPUs serialized in
 * between; whoever hits the breakpoint is sent on by ftrace_int3_handler() as if by
 * the new instruction.  Relied upon: that an instruction fetch sees the store of one
 * byte as a whole, and that a CPU which has serialized after a store fetches nothing
 * from before.  Else it could execute the first bytes of a call with the last ones
 * of a nop, and land anywhere.
 *
 * That a fetch sees an aligned store of five bytes and more as one is not relied
 * upon, though most sites could be written so: QEMU, with a thread for each CPU,
 * reads an opcode and its offset apart, and an NMI has been seen to execute the two
 * halves of different instructions.
 *
 * Waiting for every CPU is what takes time, so sites go through this in groups.
 */
#include <linux/cpufeature.h>
#include <linux/ftrace_arch.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/sync_core.h>
#include <linux/uaccess.h>
#include <asm/text-patching.h>

#include "ftrace_alias.h"

/* ------------------------------------------------------------------ */
/* Instructions								*/

union site_insn {
	u8 bytes[MCOUNT_INSN_SIZE];
	struct {
		u8 opcode;
		s32 offset;
	} __packed;
};

static_assert(sizeof(union site_insn) == MCOUNT_INSN_SIZE);
static_assert(CALL_INSN_SIZE == JMP32_INSN_SIZE);

static union site_insn site_insn(unsigned long ip, unsigned long target)
{
	union site_insn insn;

	if (!target) {
		memcpy(insn.bytes, x86_nops[MCOUNT_INSN_SIZE], MCOUNT_INSN_SIZE);
		return insn;
	}
	if (target == PATCH_AS_COMPILED)
		target = MCOUNT_ADDR;
	insn.opcode = CALL_INSN_OPCODE;
	insn.offset = target - (ip + MCOUNT_INSN_SIZE);
	return insn;
}

/* Does the site call that, 0 for the nop? */
static bool site_calls(unsigned long ip, unsigned long target)
{
	union site_insn insn = site_insn(ip, target);

	return !memcmp((void *)ip, insn.bytes, MCOUNT_INSN_SIZE);
}

bool arch_site_insn(unsigned long ip, unsigned long target,
		    u8 found[MCOUNT_INSN_SIZE], u8 expected[MCOUNT_INSN_SIZE])
{
	union site_insn insn = site_insn(ip, target);

	memcpy(expected, insn.bytes, MCOUNT_INSN_SIZE);
	return !copy_from_kernel_nofault(found, (void *)ip, MCOUNT_INSN_SIZE);
}

unsigned long arch_compiled_site(unsigned long ip)
{
	u8 found[MCOUNT_INSN_SIZE], expected[MCOUNT_INSN_SIZE];

	if (!arch_site_insn(ip, PATCH_AS_COMPILED, found, expected))
		return 0;
	return memcmp(found, expected, MCOUNT_INSN_SIZE) ? 0 : ip;
}

bool arch_site_is_split(unsigned long ip)
{
	return false;
}

unsigned int arch_site_span(unsigned long ip)
{
	return MCOUNT_INSN_SIZE;
}

/* ------------------------------------------------------------------ */
/* Before the text is read-only, or executed				*/

int arch_site_init(unsigned long ip)
{
	union site_insn nop = site_insn(ip, 0);

	if (!site_calls(ip, MCOUNT_ADDR))
		return site_calls(ip, 0) ? 0 : -EINVAL;
	memcpy((void *)ip, nop.bytes, MCOUNT_INSN_SIZE);
	return 0;
}

void arch_sites_init_done(unsigned long first, unsigned long last)
{
	sync_core();
}

/* ------------------------------------------------------------------ */
/* The sites under way							*/

/*
 * The sites under way, for ftrace_int3_handler(): @first to in front of @end, which
 * is NULL when there are none.  All of them held their old instruction when they
 * came in here, and whoever else places breakpoints needs text_mutex: one that is
 * hit is ours.  They stay until no CPU can be in the stop in which they were
 * written: see arch_patch_finish().
 */
static struct {
	const struct patch_site *first;
	const struct patch_site *end;
} group;

static void group_begin(const struct patch_site *first, const struct patch_site *end)
{
	WRITE_ONCE(group.first, first);
	/* Pairs with group_find(): no end without its beginning. */
	smp_store_release(&group.end, end);
	/* Pairs with ftrace_int3_handler(): no breakpoint without its group. */
	smp_wmb();
}

void ftrace_group_end(void)
{
	WRITE_ONCE(group.end, NULL);
}

/* Some cache lines to go through, of one stop; in no order to rely upon. */
static __always_inline const struct patch_site *group_find(unsigned long ip)
{
	/* Pairs with group_begin(). */
	const struct patch_site *end = smp_load_acquire(&group.end);
	const struct patch_site *p;

	for (p = READ_ONCE(group.first); p < end; p++)
		if (p->ip == ip)
			return p;
	return NULL;
}

static __always_inline bool group_emulate(struct pt_regs *regs, unsigned long ip)
{
	const struct patch_site *p = group_find(ip);

	if (!p)
		return false;
	regs->ip = ip + MCOUNT_INSN_SIZE;
	if (p->new) {
		int3_emulate_push(regs, regs->ip);
		int3_emulate_jmp(regs, p->new);
	}
	return true;
}

static __always_inline bool is_nop(const u8 *insn, unsigned int len)
{
	for (unsigned int i = 0; i < len; i++)
		if (READ_ONCE(insn[i]) != x86_nops[len][i])
			return false;
	return true;
}

/*
 * An emulator that translated a breakpoint at the moment when it went keeps it, and comes
 * back to it when whoever has placed it knows it no more: so those of text_poke_bp(), by
 * which the tracepoints of a tracer are switched, and trampolines disarmed.  What stands in
 * memory by then is what is to be executed.  A breakpoint that is meant stands there itself.
 */
static __always_inline bool gone_emulate(struct pt_regs *regs, unsigned long ip)
{
	const u8 *insn = (const u8 *)ip;

	switch (READ_ONCE(*insn)) {
	case CALL_INSN_OPCODE:
		int3_emulate_push(regs, ip + CALL_INSN_SIZE);
		fallthrough;
	case JMP32_INSN_OPCODE:
		int3_emulate_jmp(regs, ip + JMP32_INSN_SIZE + *(const s32 *)(insn + 1));
		return true;
	case JMP8_INSN_OPCODE:
		int3_emulate_jmp(regs, ip + JMP8_INSN_SIZE + *(const s8 *)(insn + 1));
		return true;
	case RET_INSN_OPCODE:
		int3_emulate_ret(regs);
		return true;
	}
	for (unsigned int len = JMP8_INSN_SIZE; len <= JMP32_INSN_SIZE; len++) {
		if (!is_nop(insn, len))
			continue;
		int3_emulate_jmp(regs, ip + len);
		return true;
	}
	return false;
}

noinstr bool ftrace_int3_handler(struct pt_regs *regs)
{
	unsigned long ip = regs->ip - INT3_INSN_SIZE;

	if (user_mode(regs))
		return false;
	/* Pairs with group_begin(): the breakpoint has been seen. */
	smp_rmb();
	return group_emulate(regs, ip) || gone_emulate(regs, ip);
}

/* ------------------------------------------------------------------ */
/* Writing a group							*/

/* What is written to each site of a batch, and where.  Protected by text_mutex. */
static struct site_write {
	u8		*at;
	union site_insn	new;
} writes[PATCH_BATCH];

static void write_breakpoint(const struct site_write *w)
{
	store_1(w->at, INT3_INSN_OPCODE);
}

static void write_tail(const struct site_write *w)
{
	store_4(w->at + 1, w->new.offset);
}

static void write_opcode(const struct site_write *w)
{
	store_1(w->at, w->new.opcode);
}

/* One step for the sites from @from to in front of @to. */
static __always_inline void group_step(unsigned int from, unsigned int to,
				       void (*write)(const struct site_write *w))
{
	for (unsigned int i = from; i < to; i++)
		write(&writes[i]);
}

/* Where those behind @from end that hold what they should, at @to or before. */
static unsigned int group_prepare(const struct patch_batch *batch, unsigned int from,
				  unsigned int to)
{
	unsigned int i;

	for (i = from; i < to; i++) {
		const struct patch_site *p = &batch->sites[i];

		if (!site_calls(p->ip, p->old))
			break;
		writes[i].at = ftrace_alias_of(p->ip, i);
		writes[i].new = site_insn(p->ip, p->new);
	}
	return i;
}

/*
 * patch_sync_cpus() returns when every CPU has serialized: none can have fetched
 * one part of a site before and will fetch the other after.  Behind the last step
 * that is for the end of the stop.
 */
static void group_write(unsigned int from, unsigned int to)
{
	group_step(from, to, write_breakpoint);
	patch_sync_cpus();
	group_step(from, to, write_tail);
	patch_sync_cpus();
	group_step(from, to, write_opcode);
}

/* Raises @batch->done. False at one that has not changed, though it was written. */
static bool group_verify(struct patch_batch *batch, unsigned int end)
{
	for (; batch->done < end; batch->done++) {
		const struct patch_site *p = &batch->sites[batch->done];

		if (!site_calls(p->ip, p->new))
			return false;
	}
	return true;
}

/* The first site that is written in this stop. */
static unsigned int stop_first;

int arch_patch_sites(struct patch_batch *batch, unsigned int to)
{
	unsigned int from = batch->done;
	unsigned int end = group_prepare(batch, from, to);

	if (end == from)
		return -EINVAL;
	group_begin(batch->sites + stop_first, batch->sites + end);
	group_write(from, end);
	if (!group_verify(batch, end))
		return -EFAULT;
	return end < to ? -EINVAL : 0;
}

void arch_patch_open(struct patch_batch *batch)
{
	stop_first = batch->done;
	ftrace_alias_open();
}

/*
 * The last step is done twice for the sake of emulators (QEMU with a thread
 * for each CPU).  A CPU that translates an instruction at the very moment it is
 * overwritten keeps the translation, and runs it after it has serialized; and the
 * one that overwrites it may take note, in its TLB, that nothing on the page is
 * translated.  By the second store every such translation is known, and it is
 * thrown away, as that store looks at the page anew.  An emulator that hides what
 * it is goes without.
 */
void arch_patch_close(struct patch_batch *batch)
{
	if (arch_patch_in_guest()) {
		patch_sync_cpus();
		ftrace_alias_flush();
		group_step(stop_first, batch->done, write_opcode);
	}
	ftrace_alias_close();
}

void arch_patch_sync(const struct patch_batch *batch, unsigned int from, unsigned int to)
{
	sync_core();
}

bool arch_patch_in_guest(void)
{
	return boot_cpu_has(X86_FEATURE_HYPERVISOR);
}
