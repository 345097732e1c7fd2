// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers for tests: find the call sites of functions before they are called, in a kernel without
 * a table of call sites; skip a test if a function is traced already.
 */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/ftrace_kunit.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>

#include "discover.h"
#include "internal.h"
#include "sites/names.h"
#include "sites/sites.h"

static int note_match(void *glob, const char *name, unsigned long addr)
{
	if (name_glob_match(glob, name))
		discover_note(addr);
	return 0;
}

int ftrace_find_functions(const char *pattern)
{
	struct name_glob glob;
	int ret;

	if (IS_ENABLED(CONFIG_FTRACE_MCOUNT_RECORD))
		return 0;
	name_glob_parse(&glob, pattern);
	ret = kallsyms_on_each_symbol(note_match, &glob);
	return ret ?: discover_convert();
}

static bool is_traced(unsigned long ip)
{
	const struct site *site;

	guard(mutex)(&ftrace_lock);
	site = ip ? site_at(ip, NULL) : NULL;
	return site && site_set_id(site);
}

void ftrace_skip_if_traced(struct kunit *test, void *func)
{
	if (is_traced(ftrace_location((unsigned long)func)))
		kunit_skip(test, "somebody traces it already");
}
