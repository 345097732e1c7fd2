// SPDX-License-Identifier: GPL-2.0
/*
 * Where the kernel calls the function tracer as it boots, and when its init text goes
 * (SPEC D2). Modules are in modules.c.
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

/* A site that is not what the compiler makes stays as it is, and untraced. */
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
/* Enough for modules that come without a table. */
#define FIRST_PAGES	1

static int __init init_core_sites(void)
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
#define FIRST_PAGES	NOTED_BOOT_PAGES

static int __init init_core_sites(void)
{
	/* Nothing was written, but this opens the entry, too. */
	arch_sites_init_done((unsigned long)_stext, (unsigned long)_stext);
	pr_info("call sites are found while they run\n");
	return 0;
}
#endif

/**
 * ftrace_init - record the kernel's own call sites, and make them nops
 *
 * And prints how many there are (SPEC D2).  If they cannot be recorded, function
 * tracing is off for good.  From here on sites that are in no table are noted when they
 * call (SPEC D14).
 *
 * Context: boot, one CPU, kernel text still writable; takes ftrace_lock.
 */
void __init ftrace_init(void)
{
	int err;

	ftrace_ops_init();
	err = init_core_sites() ?: noted_grow(&noted_sites, FIRST_PAGES);
	if (err) {
		pr_err("cannot set up call sites (%d): tracing is off\n", err);
		ftrace_kill();
		return;
	}
	dispatch_note_sites(true);
	filter_boot();
}

/* ------------------------------------------------------------------ */
/* Text that goes away							*/

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
			dispatch_moved(site_set_id(site), DISPATCH_EMPTY, 1);
			site_point_at(site, DISPATCH_EMPTY);
		}
	}
	filter_text_gone(start, end);
}

void text_forget_text(unsigned long start, unsigned long end)
{
	guard(mutex)(&ftrace_lock);
	text_forget_sites(start, end);
	sites_mark_gone(start, end);
	dispatch_reap();
}

/**
 * ftrace_free_init_mem - the kernel's init text is about to be freed
 *
 * Context: boot, nothing of it runs; takes ftrace_lock.
 */
void __init ftrace_free_init_mem(void)
{
	text_forget_text((unsigned long)__init_begin, (unsigned long)__init_end);
}
