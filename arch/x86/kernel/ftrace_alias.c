// SPDX-License-Identifier: GPL-2.0
/*
 * The second mapping of kernel text, through which x86 writes it.
 *
 * Kernel text is read-only.  The pages of a batch are mapped a second time,
 * writable, into poking_mm, a user address space of the kernel's own that only
 * the CPU doing the writing loads, and only while interrupts are off: no other
 * CPU ever has a writable mapping of text.
 */
#include <linux/ftrace_arch.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/mmu_context.h>
#include <linux/vmalloc.h>
#include <asm/debugreg.h>
#include <asm/text-patching.h>
#include <asm/tlbflush.h>

#include "ftrace_alias.h"

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
	/* All CPUs have serialized since the last breakpoint, outside of NMIs. */
	ftrace_group_end();
	alias_unmap();
}

void ftrace_alias_open(void)
{
	lockdep_assert_irqs_disabled();
	if (text_is_writable())
		return;
	if (this_cpu_read(cpu_tlbstate_shared.is_lazy))
		leave_mm();
	alias.previous = this_cpu_read(cpu_tlbstate.loaded_mm);
	switch_mm_irqs_off(NULL, poking_mm, current);
	/* User space may watch addresses that mean something else in here. */
	if (hw_breakpoint_active())
		hw_breakpoint_disable();
}

void ftrace_alias_close(void)
{
	if (text_is_writable())
		return;
	/* Loading the page tables also serializes this CPU. */
	switch_mm_irqs_off(NULL, alias.previous, current);
	if (hw_breakpoint_active())
		hw_breakpoint_restore();
}

void ftrace_alias_flush(void)
{
	if (!text_is_writable())
		write_cr3(__read_cr3());
}

void *ftrace_alias_of(unsigned long ip, unsigned int i)
{
	if (text_is_writable())
		return (void *)ip;
	return (void *)(alias.base + alias.page_of[i] * PAGE_SIZE + offset_in_page(ip));
}
