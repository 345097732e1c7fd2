// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that the kernel calls at boot, and before it frees its init text (SPEC D2). Those for
 * modules are in modules.c.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/ftrace.h>
#include <linux/init.h>
#include <asm/sections.h>

#include "dispatch/dispatch.h"
#include "ops/edit.h"
#include "ops/ops.h"
#include "sites/noted.h"
#include "sites/sites.h"
#include "text.h"

/* ------------------------------------------------------------------ */
/* New text								*/

/* A site that does not look as the compiler emits it is left alone, and never traced. */
void text_nop_region(struct site_region *r)
{
	unsigned int bad = 0;
	struct site *site;

	for (site = r->sites; site < sites_end(r); site++) {
		if (!arch_site_init(site_ip(r, site)))
			continue;
		site_mark(site, SITE_FAILED);
		if (!bad++)
			pr_warn("%pS is not a call site, left alone\n",
				(void *)site_ip(r, site));
	}
	arch_sites_init_done(r->base, r->last);
}

#ifdef CONFIG_FTRACE_MCOUNT_RECORD
/* Pages for notes of call sites: enough for modules that are built without a table. */
#define TEXT_NOTED_PAGES	1

static int __init text_init_core_sites(void)
{
	struct site_region *r;
	int nr = sites_init_core(__start_mcount_loc, __stop_mcount_loc);

	if (nr <= 0)
		return nr ?: -ENOENT;
	guard(mutex)(&ftrace_lock);
	for_each_site_region(r)
		text_nop_region(r);
	pr_info("%d call sites, %zu bytes of records\n", nr, sites_bytes());
	return 0;
}
#else
#define TEXT_NOTED_PAGES	NOTED_BOOT_PAGES

static int __init text_init_core_sites(void)
{
	/* No site was patched, but this call also enables the tracer's entry code. */
	arch_sites_init_done((unsigned long)_stext, (unsigned long)_stext);
	pr_info("call sites are found while they run\n");
	return 0;
}
#endif

/**
 * ftrace_init() - record the kernel's own call sites and make them nops (SPEC D2)
 *
 * Prints the number of sites. If they cannot be recorded, function tracing is disabled for good.
 * From here on, sites that are in no table are noted when they are called (SPEC D14).
 *
 * Context: boot, one CPU, kernel text still writable; takes ftrace_lock.
 */
void __init ftrace_init(void)
{
	int err;

	ftrace_ops_init();
	err = text_init_core_sites() ?: noted_grow(&noted_sites, TEXT_NOTED_PAGES);
	if (err) {
		pr_err("cannot set up call sites (%d): tracing is off\n", err);
		ftrace_kill();
		return;
	}
	dispatch_note_sites(true);
	filter_boot();
}

/* ------------------------------------------------------------------ */
/* Freed text								*/

void text_forget_sites(unsigned long start, unsigned long end)
{
	struct site_region *r;
	struct site *site;

	for_each_site_region(r) {
		if (r->last < start || r->base >= end)
			continue;
		for (site = r->sites; site < sites_end(r); site++) {
			if (site_ip(r, site) < start || site_ip(r, site) >= end)
				continue;
			dispatch_count_moved(site_set_id(site), DISPATCH_EMPTY, 1);
			site_point_at(site, DISPATCH_EMPTY);
		}
	}
	filter_remove_text(start, end);
}

void text_forget_text(unsigned long start, unsigned long end)
{
	guard(mutex)(&ftrace_lock);
	text_forget_sites(start, end);
	sites_retire_range(start, end);
	dispatch_reap();
}

/**
 * ftrace_free_init_mem() - release the call sites of the kernel's init text before it is freed
 *
 * Context: boot; takes ftrace_lock. None of the init text is running.
 */
void __init ftrace_free_init_mem(void)
{
	text_forget_text((unsigned long)__init_begin, (unsigned long)__init_end);
}
