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
 * upon, though most sites could be written so, and twice as fast: Intel calls it
 * specific to the model, and has listed errata; QEMU, with a thread for each CPU,
 * reads an opcode and its offset apart.
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

static union site_insn site_insn(unsigned long ip, unsigned long target)
{
	union site_insn insn;

	if (!target) {
		memcpy(insn.bytes, x86_nops[MCOUNT_INSN_SIZE], MCOUNT_INSN_SIZE);
		return insn;
	}
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
 * The sites of a batch that are under way, for ftrace_int3_handler(): @first
 * to in front of @end, which is NULL when there are none.  All of them held their
 * old instruction when they came in here, and whoever else places breakpoints
 * needs text_mutex: one that is hit is ours.
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

/*
 * All CPUs have serialized since the last breakpoint was overwritten.  They did
 * so outside of NMIs, so whoever hit one has left the handler; and before the stop
 * has ended nobody touches the batch.
 */
static void group_end(void)
{
	WRITE_ONCE(group.end, NULL);
}

/* A few cache lines to go through, in no order that could be relied upon. */
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

noinstr bool ftrace_int3_handler(struct pt_regs *regs)
{
	unsigned long ip = regs->ip - INT3_INSN_SIZE;
	const struct patch_site *p;

	if (user_mode(regs))
		return false;
	/* Pairs with group_begin(): the breakpoint has been seen. */
	smp_rmb();
	p = group_find(ip);
	if (!p)
		return false;
	regs->ip = ip + MCOUNT_INSN_SIZE;
	if (p->new) {
		int3_emulate_push(regs, regs->ip);
		int3_emulate_jmp(regs, p->new);
	}
	return true;
}

/* ------------------------------------------------------------------ */
/* Writing a group							*/

/* What is written, and where. */
struct site_write {
	u8		*at;
	union site_insn	new;
};

static struct site_write writes[PATCH_GROUP_MAX];	/* text_mutex */

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

/*
 * One step for all sites of a group.  patch_sync_cpus() returns when every CPU has
 * serialized: none can have fetched one part of a site before and will fetch the
 * other after.
 */
static __always_inline void group_step(const struct site_write *w, unsigned int nr,
				       void (*write)(const struct site_write *w))
{
	for (const struct site_write *end = w + nr; w < end; w++)
		write(w);
	patch_sync_cpus();
}

/*
 * The last store is done twice for the sake of emulators (QEMU with a thread
 * for each CPU).  A CPU that translates an instruction at the very moment it is
 * overwritten keeps the translation, and runs it after it has serialized; and the
 * one that overwrites it may take note, in its TLB, that nothing on the page is
 * translated.  By the second store every such translation is known, and it is
 * thrown away, as that store looks at the page anew.
 */
static void group_write(const struct site_write *w, unsigned int nr)
{
	group_step(w, nr, write_breakpoint);
	group_step(w, nr, write_tail);
	group_step(w, nr, write_opcode);
	if (arch_patch_in_guest()) {
		ftrace_alias_reload();
		group_step(w, nr, write_opcode);
	}
}

/* What is to be done to the sites in front of @to. Ends before one that is damaged. */
static unsigned int group_prepare(const struct patch_batch *batch, unsigned int to,
				  struct site_write *w)
{
	unsigned int i;

	for (i = batch->done; i < to; i++, w++) {
		const struct patch_site *p = &batch->sites[i];

		if (!site_calls(p->ip, p->old))
			break;
		w->at = ftrace_alias_of(p->ip, i);
		w->new = site_insn(p->ip, p->new);
	}
	return i - batch->done;
}

int arch_patch_sites(struct patch_batch *batch, unsigned int to)
{
	const struct patch_site *p = &batch->sites[batch->done];
	unsigned int nr = group_prepare(batch, to, writes);

	if (!nr)
		return -EINVAL;
	group_begin(p, p + nr);
	group_write(writes, nr);
	group_end();
	for (const struct patch_site *end = p + nr; p < end; p++, batch->done++)
		if (!site_calls(p->ip, p->new))
			return -EFAULT;
	return batch->done < to ? -EINVAL : 0;
}

void arch_patch_sync(const struct patch_batch *batch, unsigned int from, unsigned int to)
{
	sync_core();
}

bool arch_patch_in_guest(void)
{
	return boot_cpu_has(X86_FEATURE_HYPERVISOR);
}
