// SPDX-License-Identifier: GPL-2.0
/*
 * Call sites on x86: their instructions, and how they are written.
 *
 * Sites are written through a separate mapping: see ftrace_alias.c.
 *
 * An NMI may execute any site while it is written.  So a site is written in three steps: a
 * breakpoint as its first byte, then its tail, then its first byte, with all CPUs serialized in
 * between.  A CPU that hits the breakpoint continues in ftrace_int3_handler() as if it had
 * executed the new instruction.  This relies on two facts: an instruction fetch sees the store of
 * one byte as a whole, and a CPU that has serialized after a store fetches nothing older.
 * Otherwise a CPU could execute the first bytes of a call with the last bytes of a nop, and
 * continue at a random address.
 *
 * Most sites could be written by one aligned store of eight bytes, but the code does not rely on
 * a fetch seeing such a store as a whole: QEMU, with a thread for each CPU, reads an opcode and
 * its offset separately, and an NMI was seen to execute halves of two different instructions.
 *
 * Waiting for every CPU takes most of the time, so sites are written in groups.
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

static union site_insn site_make_insn(unsigned long ip, unsigned long target)
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

/* True if the site calls @target; for @target 0, if it is the nop. */
static bool site_calls(unsigned long ip, unsigned long target)
{
	union site_insn insn = site_make_insn(ip, target);

	return !memcmp((void *)ip, insn.bytes, MCOUNT_INSN_SIZE);
}

bool arch_site_insn(unsigned long ip, unsigned long target,
		    u8 found[MCOUNT_INSN_SIZE], u8 expected[MCOUNT_INSN_SIZE])
{
	union site_insn insn = site_make_insn(ip, target);

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
	union site_insn nop = site_make_insn(ip, 0);

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
/* Breakpoints								*/

/*
 * The sites that are being written, for ftrace_int3_handler(): from @first to in front of @end,
 * which is NULL if there are none.  All of them held their old instruction when they were
 * entered, and other code that places breakpoints takes text_mutex, so a breakpoint at one of
 * them is ours.  They stay until no CPU can be in the stop in which they were written: see
 * arch_patch_finish().
 */
static struct {
	const struct patch_site *first;
	const struct patch_site *end;
} site_group;

static void site_group_begin(const struct patch_site *first, const struct patch_site *end)
{
	WRITE_ONCE(site_group.first, first);
	/* Pairs with the acquire in site_group_find(): a CPU that sees @end sees @first as well. */
	smp_store_release(&site_group.end, end);
	/* Pairs with smp_rmb() in ftrace_int3_handler(): a breakpoint follows its group. */
	smp_wmb();
}

void ftrace_group_end(void)
{
	WRITE_ONCE(site_group.end, NULL);
}

/* A linear search: the sites of a stop occupy few cache lines, and may be in any order. */
static __always_inline const struct patch_site *site_group_find(unsigned long ip)
{
	/* Pairs with the release in site_group_begin(). */
	const struct patch_site *end = smp_load_acquire(&site_group.end);
	const struct patch_site *p;

	for (p = READ_ONCE(site_group.first); p < end; p++)
		if (p->ip == ip)
			return p;
	return NULL;
}

static __always_inline bool site_group_emulate(struct pt_regs *regs, unsigned long ip)
{
	const struct patch_site *p = site_group_find(ip);

	if (!p)
		return false;
	regs->ip = ip + MCOUNT_INSN_SIZE;
	if (p->new) {
		int3_emulate_push(regs, regs->ip);
		int3_emulate_jmp(regs, p->new);
	}
	return true;
}

static __always_inline bool text_is_nop(const u8 *insn, unsigned int len)
{
	for (unsigned int i = 0; i < len; i++)
		if (READ_ONCE(insn[i]) != x86_nops[len][i])
			return false;
	return true;
}

/*
 * Execute the instruction that has replaced a breakpoint.  An emulator that translates a
 * breakpoint at the moment when it is removed keeps the translation, and hits the breakpoint
 * again when the code that has placed it does not know it any more.  That happens with the
 * breakpoints of text_poke_bp(), which switches tracepoints and disarms trampolines.  The
 * instruction in memory is the one to execute then.  A breakpoint that is still in memory is left
 * to its owner.
 */
static __always_inline bool int3_emulate_stale(struct pt_regs *regs, unsigned long ip)
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
		if (!text_is_nop(insn, len))
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
	/* Pairs with smp_wmb() in site_group_begin(): the breakpoint has been seen. */
	smp_rmb();
	return site_group_emulate(regs, ip) || int3_emulate_stale(regs, ip);
}

/* ------------------------------------------------------------------ */
/* Writing a group							*/

/* The address to write to and the new instruction of each site of a batch.  Under text_mutex. */
static struct site_write {
	u8		*at;
	union site_insn	new;
} site_writes[PATCH_BATCH];

static void site_write_breakpoint(const struct site_write *w)
{
	text_store_u8(w->at, INT3_INSN_OPCODE);
}

static void site_write_tail(const struct site_write *w)
{
	text_store_u32(w->at + 1, w->new.offset);
}

static void site_write_opcode(const struct site_write *w)
{
	text_store_u8(w->at, w->new.opcode);
}

/* Perform one step for the sites from @from to in front of @to. */
static __always_inline void site_group_step(unsigned int from, unsigned int to,
					    void (*write)(const struct site_write *w))
{
	for (unsigned int i = from; i < to; i++)
		write(&site_writes[i]);
}

/* Return: index behind the sites from @from on that hold their old instruction, @to at most. */
static unsigned int site_group_prepare(const struct patch_batch *batch, unsigned int from,
				       unsigned int to)
{
	unsigned int i;

	for (i = from; i < to; i++) {
		const struct patch_site *p = &batch->sites[i];

		if (!site_calls(p->ip, p->old))
			break;
		site_writes[i].at = ftrace_alias_of(p->ip, i);
		site_writes[i].new = site_make_insn(p->ip, p->new);
	}
	return i;
}

/*
 * patch_sync_cpus() returns when every CPU has serialized: no CPU can have fetched one part of a
 * site before a step and fetch the other part after it.  After the last step, the end of the stop
 * serializes all CPUs.
 */
static void site_group_write(unsigned int from, unsigned int to)
{
	site_group_step(from, to, site_write_breakpoint);
	patch_sync_cpus();
	site_group_step(from, to, site_write_tail);
	patch_sync_cpus();
	site_group_step(from, to, site_write_opcode);
}

/* Raise @batch->done.  Return: false if a site has not changed, although it was written. */
static bool site_group_verify(struct patch_batch *batch, unsigned int end)
{
	for (; batch->done < end; batch->done++) {
		const struct patch_site *p = &batch->sites[batch->done];

		if (!site_calls(p->ip, p->new))
			return false;
	}
	return true;
}

/* Index of the first site that is written in this stop. */
static unsigned int patch_stop_first;

int arch_patch_sites(struct patch_batch *batch, unsigned int to)
{
	unsigned int from = batch->done;
	unsigned int end = site_group_prepare(batch, from, to);

	if (end == from)
		return -EINVAL;
	site_group_begin(batch->sites + patch_stop_first, batch->sites + end);
	site_group_write(from, end);
	if (!site_group_verify(batch, end))
		return -EFAULT;
	return end < to ? -EINVAL : 0;
}

void arch_patch_open(struct patch_batch *batch)
{
	patch_stop_first = batch->done;
	ftrace_alias_open();
}

/*
 * Repeat the last step in emulators (QEMU with a thread for each CPU).  An emulated CPU that
 * translates an instruction at the moment when it is overwritten keeps the translation, and
 * executes it after it has serialized; and the CPU that overwrites it may note in its TLB that
 * nothing on the page is translated.  At the second store every such translation is known, and
 * because that store looks up the page again, the translation is discarded.  An emulator that
 * cannot be recognized does not get the second store.
 */
void arch_patch_close(struct patch_batch *batch)
{
	if (arch_patch_in_guest()) {
		patch_sync_cpus();
		ftrace_alias_flush();
		site_group_step(patch_stop_first, batch->done, site_write_opcode);
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
