// SPDX-License-Identifier: GPL-2.0
/*
 * For tests in a kernel without a table of call sites: functions that are not called
 * before the test wants them.
 */
#include <linux/ftrace_kunit.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>

#include "discover.h"
#include "sites/names.h"

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
