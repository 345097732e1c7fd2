// SPDX-License-Identifier: GPL-2.0
/*
 * The function tracer on x86: writing call sites, generating trampolines.
 *
 * Writing.  Kernel text is read-only.  The pages of a batch are mapped a second
 * time, writable, into poking_mm, a user address space of the kernel's own
 * that only the CPU doing the writing loads, and only while interrupts are
 * off: no other CPU ever has a writable mapping of text.
 *
 * An NMI may execute a site while it is written.  A site that lies within an
 * aligned 8 bytes is written with one store, so it is always the old instruction
 * or the new.  AMD promises that: a store of an aligned quadword may change an
 * instruction that others execute (APM, volume 2, on cross-modifying code).
 * Intel promises that the store is one (SDM, volume 3, on guaranteed atomic
 * operations) and calls the fetch model-specific; no model is known to fetch less
 * than 16 aligned bytes at a time.  For more than 8 bytes there is no promise by
 * anybody, though a CPU may have such a store.
 *
 * So a site that does not lie within 8 bytes ("crossing": rare where functions
 * are aligned, but for CONFIG_X86_KERNEL_IBT, where each has an ENDBR in front)
 * gets a breakpoint as its first byte, then its tail, then its first byte, with
 * all CPUs serialized in between; whoever hits the breakpoint is sent on by
 * ftrace_int3_handler() as if by the new instruction.  Both vendors promise that.
 *
 * Trampolines.  [copy of the entry's prologue][per ops: arguments, call]
 * [copy of the epilogue][return], see ftrace_64.S.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/execmem.h>
#include <linux/ftrace_arch.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/mmu_context.h>
#include <linux/module.h>
#include <linux/set_memory.h>
#include <linux/stop_machine.h>
#include <linux/sync_core.h>
#include <linux/vmalloc.h>
#include <asm/debugreg.h>
#include <asm/nospec-branch.h>
#include <asm/text-patching.h>
#include <asm/tlbflush.h>

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
/* The writable second mapping						*/

/* One page table covers what is mapped at once. */
#define ALIAS_PAGES	PTRS_PER_PTE

/* All of it is protected by text_mutex. */
static struct {
	unsigned long	base;			/* in poking_mm */
	unsigned int	pages;
	struct mm_struct *previous;		/* while open */
	u16		page_of[PATCH_BATCH];	/* index of a site's first page */
} alias;

/* One CPU, before mark_rodata_ro(): a second mapping would only be in the way. */
#define text_is_writable()	(system_state == SYSTEM_BOOTING)

static struct page *text_page(unsigned long addr)
{
	if (is_kernel_text(addr) || is_kernel_inittext(addr))
		return virt_to_page((void *)addr);
	return vmalloc_to_page((void *)addr);
}

/* A part of poking_mm that text_poke() does not use, one page table large. */
static unsigned long alias_choose_base(void)
{
	unsigned long base = round_up(poking_addr + 2 * PAGE_SIZE, PMD_SIZE);

	return base + PMD_SIZE <= TASK_SIZE ? base : base - 4 * PMD_SIZE;
}

static int alias_map_page(pte_t *ptep, unsigned int i, unsigned long addr)
{
	pgprot_t prot = __pgprot(pgprot_val(PAGE_KERNEL) & ~_PAGE_GLOBAL);
	struct page *page = text_page(addr);

	if (!page)
		return -EFAULT;
	set_pte_at(poking_mm, alias.base + i * PAGE_SIZE, ptep + i,
		   mk_pte(page, prot));
	return 0;
}

/* Map @addr's page, unless it is that of the site before. */
static int alias_map_addr(pte_t *ptep, unsigned long addr, unsigned long *last)
{
	int ret = 0;

	addr &= PAGE_MASK;
	if (addr != *last)
		ret = alias_map_page(ptep, alias.pages++, addr);
	*last = addr;
	return ret;
}

/* Map what the next sites of a batch touch, as many as there is room for. */
static int alias_map(struct patch_batch *batch, pte_t *ptep)
{
	unsigned long last = 0;
	unsigned int i;
	int ret = 0;

	if (text_is_writable()) {
		batch->ready = batch->nr;
		return 0;
	}
	/* A site may lie across two pages. */
	for (i = batch->done; i < batch->nr && alias.pages + 2 <= ALIAS_PAGES; i++) {
		unsigned long ip = batch->sites[i].ip;

		ret = alias_map_addr(ptep, ip, &last);
		alias.page_of[i] = alias.pages - 1;
		ret = ret ?: alias_map_addr(ptep, ip + MCOUNT_INSN_SIZE - 1, &last);
		if (ret)
			break;
	}
	batch->ready = i;
	return ret;
}

static void alias_clear(pte_t *ptep)
{
	unsigned int i;

	for (i = 0; i < alias.pages; i++)
		pte_clear(poking_mm, alias.base + i * PAGE_SIZE, ptep + i);
	flush_tlb_mm_range(poking_mm, alias.base,
			   alias.base + alias.pages * PAGE_SIZE, PAGE_SHIFT, false);
	alias.pages = 0;
}

static void alias_unmap(void)
{
	spinlock_t *ptl;	/* of the one page table */
	pte_t *ptep = get_locked_pte(poking_mm, alias.base, &ptl);

	/* Whoever mapped something has left the page table there. */
	if (WARN_ON_ONCE(!ptep))
		return;
	alias_clear(ptep);
	pte_unmap_unlock(ptep, ptl);
}

/* Nothing is mapped before the first site is written, nor is any trampoline called. */
static bool alias_exists(void)
{
	return alias.base;
}

/* Map the page of one address, outside of batches. */
static int alias_map_one(unsigned long addr)
{
	spinlock_t *ptl;	/* of the one page table */
	pte_t *ptep = get_locked_pte(poking_mm, alias.base, &ptl);
	int ret;

	/* The page table has been there since alias_exists(). */
	if (WARN_ON_ONCE(!ptep))
		return -ENOMEM;
	ret = alias_map_page(ptep, 0, addr);
	alias.pages = !ret;
	pte_unmap_unlock(ptep, ptl);
	return ret;
}

static void *alias_of_one(unsigned long addr)
{
	return (void *)(alias.base + offset_in_page(addr));
}

int arch_patch_prepare(struct patch_batch *batch)
{
	spinlock_t *ptl;	/* of the one page table */
	pte_t *ptep;
	int ret;

	lockdep_assert_held(&text_mutex);
	if (!alias.base)
		alias.base = alias_choose_base();
	ptep = get_locked_pte(poking_mm, alias.base, &ptl);
	if (!ptep)
		return -ENOMEM;
	ret = alias_map(batch, ptep);
	pte_unmap_unlock(ptep, ptl);
	if (ret)
		alias_unmap();
	return ret;
}

void arch_patch_finish(struct patch_batch *batch)
{
	alias_unmap();
}

static void alias_open(void)
{
	lockdep_assert_irqs_disabled();
	if (this_cpu_read(cpu_tlbstate_shared.is_lazy))
		leave_mm();
	alias.previous = this_cpu_read(cpu_tlbstate.loaded_mm);
	switch_mm_irqs_off(NULL, poking_mm, current);
	/* User space may watch addresses that mean something else in here. */
	if (hw_breakpoint_active())
		hw_breakpoint_disable();
}

static void alias_close(void)
{
	/* Loading the page tables also serializes this CPU. */
	switch_mm_irqs_off(NULL, alias.previous, current);
	if (hw_breakpoint_active())
		hw_breakpoint_restore();
}

void arch_patch_open(struct patch_batch *batch)
{
	if (!text_is_writable())
		alias_open();
}

void arch_patch_close(struct patch_batch *batch)
{
	if (!text_is_writable())
		alias_close();
}

static void *alias_of(unsigned long addr, unsigned int i, unsigned long ip)
{
	unsigned long offset = addr - (ip & PAGE_MASK);

	if (text_is_writable())
		return (void *)addr;
	return (void *)(alias.base + alias.page_of[i] * PAGE_SIZE + offset);
}

/* ------------------------------------------------------------------ */
/* Writing one site							*/

/*
 * The stores are assembly: they go to a user address, which KASAN must not
 * look up, and each has to be one instruction.
 */
static void store_1(u8 *where, u8 value)
{
	asm volatile("movb %1, %0" : "=m" (*where) : "q" (value));
}

static void store_4(void *where, u32 value)
{
	asm volatile("movl %1, %0" : "=m" (*(u32 *)where) : "r" (value));
}

static void store_8(u64 *where, u64 value)
{
	asm volatile("movq %1, %0" : "=m" (*where) : "r" (value));
}

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
	store_8(alias_of(block, i, ip), value);
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
	u8 *at = alias_of(ip, i, ip);

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

/* ------------------------------------------------------------------ */
/* Trampolines								*/

struct entry_code {
	const u8 *start, *body, *tail, *end;
};

static const struct entry_code args_entry = {
	(const u8 *)ftrace_caller, ftrace_caller_body,
	ftrace_caller_tail, ftrace_caller_end,
};

static const struct entry_code regs_entry = {
	(const u8 *)ftrace_regs_caller, ftrace_regs_caller_body,
	ftrace_regs_caller_tail, ftrace_regs_caller_end,
};

static const struct entry_code *entry_of(const struct dispatch_set *set)
{
	return dispatch_set_needs_regs(set) ? &regs_entry : &args_entry;
}

/* Code under construction: written at @at. */
struct emitter {
	u8 *at;
	const u8 *end;
	bool overflow;
};

static void emit(struct emitter *e, const void *code, size_t len)
{
	if (len > e->end - e->at) {
		e->overflow = true;
		return;
	}
	memcpy(e->at, code, len);
	e->at += len;
}

#define emit_bytes(e, ...) \
	emit(e, (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }))

static void emit_branch(struct emitter *e, u8 opcode, const void *target)
{
	s64 offset = (const u8 *)target - (e->at + CALL_INSN_SIZE);
	s32 rel = offset;

	if (rel != offset)
		e->overflow = true;
	emit(e, &opcode, 1);
	emit(e, &rel, 4);
}

/* Either way, as the choice may change after code of the early boot was made. */
#define RETURN_SIZE	JMP32_INSN_SIZE

static void emit_return(struct emitter *e)
{
	if (cpu_feature_enabled(X86_FEATURE_RETHUNK))
		emit_branch(e, JMP32_INSN_OPCODE, x86_return_thunk);
	else
		emit_bytes(e, RET_INSN_OPCODE, 0xcc, 0xcc, 0xcc, 0xcc);
}

/* Slots of the frame, as ftrace_64.S lays it out. */
#define FRAME_IP	offsetof(struct pt_regs, r11)
#define FRAME_COPY	(sizeof(struct pt_regs) + FTRACE_FRAME_PARENT)
#define FRAME_PARENT	(sizeof(struct pt_regs) + FTRACE_FRAME_EXTRA + 8)

#define LOAD_RSI	0x8b	/* mov offset(%rsp), %rsi */
#define STORE_RSI	0x89	/* mov %rsi, offset(%rsp) */

static void emit_rsi(struct emitter *e, u8 opcode, u32 offset)
{
	emit_bytes(e, 0x48, opcode, 0xb4, 0x24);
	emit(e, &offset, sizeof(offset));
}

/*
 * The first one finds its ip in %rdi, and reads the parent where a callback may
 * change it; those that follow are given what it was at first.
 */
static void emit_first_args(struct emitter *e, bool more)
{
	emit_rsi(e, LOAD_RSI, FRAME_PARENT);
	if (more)
		emit_rsi(e, STORE_RSI, FRAME_COPY);
}

static void emit_next_args(struct emitter *e)
{
	emit_bytes(e, 0x48, 0x8b, 0x7c, 0x24, FRAME_IP);	/* mov FRAME_IP(%rsp), %rdi */
	emit_rsi(e, LOAD_RSI, FRAME_COPY);
}

/* func(ip, parent_ip, ops, fregs), with the first two in place */
static void emit_ops_call(struct emitter *e, struct ftrace_ops *ops)
{
	emit_bytes(e, 0x48, 0xba);				/* movabs $ops, %rdx */
	emit(e, &ops, 8);
	emit_bytes(e, 0x48, 0x89, 0xe1);			/* mov %rsp, %rcx */
	emit_branch(e, CALL_INSN_OPCODE, dispatch_func(ops));
}

static void emit_body(struct emitter *e, const struct dispatch_set *set)
{
	unsigned int i;

	emit_first_args(e, set->nr_ops > 1);
	emit_ops_call(e, set->ops[0]);
	for (i = 1; i < set->nr_ops; i++) {
		emit_next_args(e);
		emit_ops_call(e, set->ops[i]);
	}
}

/*
 * The pages are execmem of the tracer's own, near enough to kernel text for a
 * call.  Written once, they become read-only and executable together.
 */
int arch_trampoline_build(struct dispatch_set *set)
{
	const struct entry_code *entry = entry_of(set);
	struct emitter e;
	u8 *code, *start;

	code = execmem_alloc(EXECMEM_FTRACE, PAGE_SIZE);
	if (!code)
		return -ENOMEM;
	/* The body begins at a multiple of 8: see arch_trampoline_disarm(). */
	start = code + (-(entry->body - entry->start) & 7);
	e = (struct emitter) { .at = start, .end = code + PAGE_SIZE };

	emit(&e, entry->start, entry->body - entry->start);
	emit_body(&e, set);
	emit(&e, entry->tail, entry->end - entry->tail);
	emit_return(&e);

	if (e.overflow || set_memory_rox((unsigned long)code, 1)) {
		execmem_free(code);
		return -ENOMEM;
	}
	set_vm_flush_reset_perms(code);
	set->trampoline = (unsigned long)start;
	set->size = e.at - start;
	return 0;
}

void arch_trampoline_free(struct dispatch_set *set)
{
	execmem_free((void *)(set->trampoline & PAGE_MASK));
}

/* Where in the trampoline the copy of the entry's epilogue begins. */
static size_t tail_offset(const struct dispatch_set *set)
{
	const struct entry_code *entry = entry_of(set);

	return set->size - RETURN_SIZE - (entry->end - entry->tail);
}

/* What is stored over the head of a trampoline's body, in one piece. */
struct disarm {
	unsigned long	body;
	u64		code;
};

/*
 * The first instruction for the first ops is no shorter than a jump: whoever
 * stands behind it finds the rest as it was.
 */
static struct disarm disarm_of(const struct dispatch_set *set)
{
	const struct entry_code *entry = entry_of(set);
	unsigned long body = set->trampoline + (entry->body - entry->start);
	struct disarm d = { .body = body, .code = *(u64 *)body };

	memcpy(&d.code, text_gen_insn(JMP32_INSN_OPCODE, (void *)body,
				      (void *)set->trampoline + tail_offset(set)),
	       JMP32_INSN_SIZE);
	return d;
}

/* All CPUs stand still but for NMIs. Generated code is read-only from the first. */
static int disarm_stopped(void *data)
{
	struct disarm *d = data;

	alias_open();
	store_8(alias_of_one(d->body), d->code);
	alias_close();
	return 0;
}

void arch_trampoline_disarm(const struct dispatch_set *set)
{
	struct disarm d = disarm_of(set);

	lockdep_assert_held(&text_mutex);
	if (!alias_exists() || WARN_ON_ONCE(alias_map_one(d.body)))
		return;
	stop_machine_cpuslocked(disarm_stopped, &d, NULL);
	alias_unmap();
	text_poke_sync();
}

unsigned long arch_trampoline_twin(const struct dispatch_set *set, unsigned long ip)
{
	const struct entry_code *entry = entry_of(set);
	unsigned long offset = ip - set->trampoline;
	size_t head = entry->body - entry->start;
	size_t tail = entry->end - entry->tail;
	size_t tail_at = tail_offset(set);

	if (offset < head)
		return (unsigned long)entry->start + offset;
	if (offset < tail_at)
		return (unsigned long)entry->body;
	if (offset < tail_at + tail)
		return (unsigned long)entry->tail + (offset - tail_at);
	return (unsigned long)entry->end;
}
