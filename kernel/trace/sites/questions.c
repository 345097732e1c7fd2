// SPDX-License-Identifier: GPL-2.0
/*
 * What the rest of the kernel asks about call sites, and whether more of them may come.
 */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/ftrace_arch.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/preempt.h>

#include "sites.h"

static unsigned long first_site(unsigned long start, unsigned long end)
{
	guard(preempt_notrace)();
	return sites_first_in(start, end);
}

/*
 * A site that has failed is never called from again. One that held a set when it did may
 * call still, and who is in that set has to find it.
 */
static bool site_may_call(unsigned long ip)
{
	const struct site *site;

	guard(preempt_notrace)();
	site = site_at(ip, NULL);
	return site && (!site_has(site, SITE_FAILED) || site_set_id(site));
}

/**
 * ftrace_location_range - the first call site in a range
 * @start: first address
 * @end: last address
 *
 * Context: any.
 *
 * Return: the address of the site, 0 if there is none that can be traced.
 */
unsigned long ftrace_location_range(unsigned long start, unsigned long end)
{
	unsigned long ip = first_site(start, end);

	while (ip && !site_may_call(ip))
		ip = first_site(ip + 1, end);
	return ip;
}

/**
 * ftrace_location - the call site of a function
 * @ip: its first address, or that of the site
 *
 * Context: any.
 *
 * Return: the address of the site, 0 if the function cannot be traced.
 */
unsigned long ftrace_location(unsigned long ip)
{
	unsigned long size, offset;

	if (ftrace_location_range(ip, ip))
		return ip;
	if (!kallsyms_lookup_size_offset(ip, &size, &offset) || offset)
		return 0;
	return ftrace_location_range(ip, ip + size - 1);
}

/**
 * ftrace_text_reserved - does a range of text touch a call site
 * @start: first byte
 * @end: last byte
 *
 * Context: any.
 *
 * Return: 1 if so, also if it has failed: nobody else may write there; else 0.
 */
int ftrace_text_reserved(const void *start, const void *end)
{
	unsigned long from = (unsigned long)start, to = (unsigned long)end;
	unsigned long ip = first_site(from - (ARCH_SITE_SPAN_MAX - 1), to);

	/* Those in front of the range may end in front of it. */
	while (ip && ip + arch_site_span(ip) <= from)
		ip = first_site(ip + 1, to);
	return !!ip;
}

#ifdef CONFIG_MODULES

static bool has_table(const struct module *mod)
{
#ifdef CONFIG_FTRACE_MCOUNT_RECORD
	return mod->num_ftrace_callsites;
#else
	return false;
#endif
}

bool module_may_come(const char *name)
{
	const struct module *mod;

	guard(preempt)();
	mod = find_module(name);
	return !mod || !has_table(mod);
}

#endif
