// SPDX-License-Identifier: GPL-2.0
/*
 * Queries about call sites for the rest of the kernel: ftrace_location() and its like, and
 * whether functions of a module may appear.
 */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/ftrace_arch.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/preempt.h>

#include "sites.h"
#include "sites_internal.h"

static unsigned long location_first_in(unsigned long start, unsigned long end)
{
	guard(preempt_notrace)();
	return sites_first_in(start, end);
}

/*
 * Check whether there is a site that calls or may be made to call. A retired site is none. A failed
 * site is never changed again; if it held a set when it failed, it may still call, and the ops of
 * that set must find it.
 */
static bool location_may_call(unsigned long ip)
{
	const struct site *site;

	guard(preempt_notrace)();
	site = site_at(ip, NULL);
	return site && !site_has(site, SITE_RETIRED) &&
	       (!site_has(site, SITE_FAILED) || site_set_id(site));
}

/**
 * ftrace_location_range() - find the first call site in a range
 * @start: first address
 * @end: last address, inclusive
 *
 * Context: any.
 *
 * Return: address of the site, 0 if there is none that can be traced.
 */
unsigned long ftrace_location_range(unsigned long start, unsigned long end)
{
	unsigned long ip = location_first_in(start, end);

	while (ip && !location_may_call(ip))
		ip = location_first_in(ip + 1, end);
	return ip;
}

/**
 * ftrace_location() - find the call site of a function
 * @ip: first address of the function, or address of the site
 *
 * Context: any.
 *
 * Return: address of the site, 0 if the function cannot be traced.
 */
unsigned long ftrace_location(unsigned long ip)
{
	unsigned long size, offset;

	if (location_may_call(ip))
		return ip;
	if (!kallsyms_lookup_size_offset(ip, &size, &offset) || offset)
		return 0;
	return ftrace_location_range(ip, ip + size - 1);
}

/**
 * ftrace_text_reserved() - check whether a range of text overlaps a call site
 * @start: first byte
 * @end: last byte, inclusive
 *
 * Context: any.
 *
 * Return: 1 if it overlaps a site, even a failed one, whose bytes other code must not write;
 * else 0.
 */
int ftrace_text_reserved(const void *start, const void *end)
{
	unsigned long from = (unsigned long)start, to = (unsigned long)end;
	unsigned long ip = location_first_in(from - (ARCH_SITE_SPAN_MAX - 1), to);

	/* Skip sites that start before the range and also end before it. */
	while (ip && ip + arch_site_span(ip) <= from)
		ip = location_first_in(ip + 1, to);
	return !!ip;
}

#ifdef CONFIG_MODULES

static bool module_has_site_table(const struct module *mod)
{
#ifdef CONFIG_FTRACE_MCOUNT_RECORD
	return mod->num_ftrace_callsites;
#else
	return false;
#endif
}

bool module_may_be_loaded(const char *name)
{
	const struct module *mod;

	guard(preempt)();
	mod = find_module(name);
	return !mod || !module_has_site_table(mod);
}

#endif
