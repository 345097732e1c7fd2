// SPDX-License-Identifier: GPL-2.0
/*
 * Call sites on x86: what they are, and writing them.
 *
 * They are written through a mapping of their own: see ftrace_alias.c.
 *
 * An NMI may execute a site while it is written.
 *
 * One that lies within an aligned 8 bytes is written with one store.  Relied upon:
 * that the store of an aligned quadword is one, and that another CPU's instruction
 * fetch sees it as one.  Else an NMI could execute the first bytes of a call with
 * the last ones of a nop, and land anywhere.  No CPU is known where the fetch takes
 * less than 16 aligned bytes at a time; QEMU, with a thread for each CPU, reads an
 * opcode and its offset apart, and has been seen to do just that.  Nothing is
 * relied upon for a store of more than 8 bytes, though CPUs may have one.
 *
 * One that does not ("crossing": rare where functions are aligned, but for
 * CONFIG_X86_KERNEL_IBT, where most have an ENDBR in front) gets a breakpoint as
 * its first byte, then its tail, then its first byte, with all CPUs serialized in
 * between; whoever hits the breakpoint is sent on by ftrace_int3_handler() as if by
 * the new instruction.  Relied upon: that a fetch sees the store of one byte as a
 * whole, and that a CPU which has serialized after a store fetches nothing from
 * before.  Else it could, again, execute the bytes of two instructions as one.
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

static bool site_holds(unsigned long ip, const union site_insn *insn)
{
	return !memcmp((void *)ip, insn->bytes, MCOUNT_INSN_SIZE);
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
	union site_insn call = site_insn(ip, MCOUNT_ADDR);
	union site_insn nop = site_insn(ip, 0);

	if (!site_holds(ip, &call))
		return site_holds(ip, &nop) ? 0 : -EINVAL;
	memcpy((void *)ip, nop.bytes, MCOUNT_INSN_SIZE);
	return 0;
}

void arch_sites_init_done(unsigned long first, unsigned long last)
{
	sync_core();
}

/* ------------------------------------------------------------------ */
/* Writing one site							*/

/* Does the site lie within what one store writes? */
static bool site_within_8(unsigned long ip)
{
	return (ip & 7) + MCOUNT_INSN_SIZE <= 8;
}

static void write_8(unsigned long ip, unsigned int i, const union site_insn *new)
{
	unsigned long block = ip & ~7UL;
	u64 value = *(u64 *)block;

	memcpy((u8 *)&value + (ip - block), new->bytes, MCOUNT_INSN_SIZE);
	store_8(ftrace_alias_of(block, i, ip), value);
}

/* The crossing site under way, for ftrace_int3_handler(). */
static struct {
	unsigned long ip;
	unsigned long target;
} crossing;

/*
 * patch_sync_cpus() returns when every CPU has serialized: none can have
 * fetched one part of the site before and will fetch the other after.  It
 * also orders @crossing before the breakpoint that makes a CPU read it.
 *
 * The last store is done twice for the sake of emulators (QEMU with a thread
 * for each CPU): a CPU that translates the breakpoint at the very moment it is
 * overwritten keeps the translation, and runs it after it has serialized.  By
 * the second store every such translation is known, and thrown away.
 */
static void write_crossing(unsigned long ip, unsigned int i,
			   const union site_insn *new, unsigned long target)
{
	u8 *at = ftrace_alias_of(ip, i, ip);

	WRITE_ONCE(crossing.target, target);
	WRITE_ONCE(crossing.ip, ip);
	patch_sync_cpus();
	store_1(at, INT3_INSN_OPCODE);
	patch_sync_cpus();
	store_4(at + 1, new->offset);
	patch_sync_cpus();
	store_1(at, new->opcode);
	patch_sync_cpus();
	store_1(at, new->opcode);
	patch_sync_cpus();
	WRITE_ONCE(crossing.ip, 0);
}

noinstr bool ftrace_int3_handler(struct pt_regs *regs)
{
	unsigned long ip = regs->ip - INT3_INSN_SIZE;

	if (user_mode(regs) || ip != READ_ONCE(crossing.ip))
		return false;
	regs->ip = ip + MCOUNT_INSN_SIZE;
	if (READ_ONCE(crossing.target)) {
		int3_emulate_push(regs, regs->ip);
		int3_emulate_jmp(regs, crossing.target);
	}
	return true;
}

int arch_patch_site(struct patch_batch *batch, unsigned int i)
{
	struct patch_site *p = &batch->sites[i];
	union site_insn old = site_insn(p->ip, p->old);
	union site_insn new = site_insn(p->ip, p->new);

	if (!site_holds(p->ip, &old))
		return -EINVAL;
	if (site_within_8(p->ip))
		write_8(p->ip, i, &new);
	else
		write_crossing(p->ip, i, &new, p->new);
	return site_holds(p->ip, &new) ? 0 : -EFAULT;
}

void arch_patch_sync(const struct patch_batch *batch, unsigned int from, unsigned int to)
{
	sync_core();
}

bool arch_patch_in_guest(void)
{
	return boot_cpu_has(X86_FEATURE_HYPERVISOR);
}
