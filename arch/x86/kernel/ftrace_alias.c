// SPDX-License-Identifier: GPL-2.0
/*
 * The second, writable mapping of kernel text on x86.
 *
 * Kernel text is read-only.  The pages of a batch are mapped a second time, writable, into
 * poking_mm, a user address space that belongs to the kernel.  Only the CPU that writes loads it,
 * and only while interrupts are off: no other CPU ever has a writable mapping of text.
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

/* Maximum number of pages mapped at once: they share one page table. */
#define ALIAS_PAGES	PTRS_PER_PTE

/* State of the mapping.  Protected by text_mutex. */
static struct {
	unsigned long	base;			/* address of the mapping in poking_mm, or 0 */
	unsigned int	pages;			/* number of pages mapped */
	struct mm_struct *previous;		/* address space to restore, while open */
	u16		page_of[PATCH_BATCH];	/* index of a site's first page */
} text_alias;

/* During boot only one CPU runs and text is still writable: no second mapping is needed. */
#define alias_text_is_writable()	(system_state == SYSTEM_BOOTING)

static struct page *alias_text_page(unsigned long addr)
{
	if (is_kernel_text(addr) || is_kernel_inittext(addr))
		return virt_to_page((void *)addr);
	return vmalloc_to_page((void *)addr);
}

/* Choose a range of poking_mm that text_poke() does not use and that one page table covers. */
static unsigned long alias_choose_base(void)
{
	unsigned long base = round_up(poking_addr + 2 * PAGE_SIZE, PMD_SIZE);

	return base + PMD_SIZE <= TASK_SIZE ? base : base - 4 * PMD_SIZE;
}

static int alias_map_page(pte_t *ptep, unsigned int i, unsigned long addr)
{
	pgprot_t prot = __pgprot(pgprot_val(PAGE_KERNEL) & ~_PAGE_GLOBAL);
	struct page *page = alias_text_page(addr);

	if (!page)
		return -EFAULT;
	set_pte_at(poking_mm, text_alias.base + i * PAGE_SIZE, ptep + i,
		   mk_pte(page, prot));
	return 0;
}

/* Map the page of @addr, unless it was mapped last. */
static int alias_map_addr(pte_t *ptep, unsigned long addr, unsigned long *last)
{
	int ret = 0;

	addr &= PAGE_MASK;
	if (addr != *last)
		ret = alias_map_page(ptep, text_alias.pages++, addr);
	*last = addr;
	return ret;
}

/* Map the pages of the next sites of a batch, up to the limit of ALIAS_PAGES. */
static int alias_map(struct patch_batch *batch, pte_t *ptep)
{
	unsigned long last = 0;
	unsigned int i;
	int ret = 0;

	if (alias_text_is_writable()) {
		batch->ready = batch->nr;
		return 0;
	}
	/* A site may lie across two pages. */
	for (i = batch->done; i < batch->nr && text_alias.pages + 2 <= ALIAS_PAGES; i++) {
		unsigned long ip = batch->sites[i].ip;

		ret = alias_map_addr(ptep, ip, &last);
		text_alias.page_of[i] = text_alias.pages - 1;
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

	for (i = 0; i < text_alias.pages; i++)
		pte_clear(poking_mm, text_alias.base + i * PAGE_SIZE, ptep + i);
	flush_tlb_mm_range(poking_mm, text_alias.base,
			   text_alias.base + text_alias.pages * PAGE_SIZE, PAGE_SHIFT, false);
	text_alias.pages = 0;
}

static void alias_unmap(void)
{
	spinlock_t *ptl;	/* lock of the page table */
	pte_t *ptep = get_locked_pte(poking_mm, text_alias.base, &ptl);

	/* The page table exists: arch_patch_prepare() has used it. */
	if (WARN_ON_ONCE(!ptep))
		return;
	alias_clear(ptep);
	pte_unmap_unlock(ptep, ptl);
}

int arch_patch_prepare(struct patch_batch *batch)
{
	spinlock_t *ptl;	/* lock of the page table */
	pte_t *ptep;
	int ret;

	lockdep_assert_held(&text_mutex);
	if (!text_alias.base)
		text_alias.base = alias_choose_base();
	ptep = get_locked_pte(poking_mm, text_alias.base, &ptl);
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
	if (alias_text_is_writable())
		return;
	if (this_cpu_read(cpu_tlbstate_shared.is_lazy))
		leave_mm();
	text_alias.previous = this_cpu_read(cpu_tlbstate.loaded_mm);
	switch_mm_irqs_off(NULL, poking_mm, current);
	/* Breakpoints of user space are for addresses that have another meaning in poking_mm. */
	if (hw_breakpoint_active())
		hw_breakpoint_disable();
}

void ftrace_alias_close(void)
{
	if (alias_text_is_writable())
		return;
	/* Loading the page tables also serializes this CPU. */
	switch_mm_irqs_off(NULL, text_alias.previous, current);
	if (hw_breakpoint_active())
		hw_breakpoint_restore();
}

void ftrace_alias_flush(void)
{
	if (!alias_text_is_writable())
		write_cr3(__read_cr3());
}

void *ftrace_alias_of(unsigned long ip, unsigned int i)
{
	if (alias_text_is_writable())
		return (void *)ip;
	return (void *)(text_alias.base + text_alias.page_of[i] * PAGE_SIZE + offset_in_page(ip));
}
