/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers of the tests of probes/: texts that mean the same on all architectures.
 */
#ifndef _KERNEL_TRACE_PROBES_SPELL_KUNIT_H
#define _KERNEL_TRACE_PROBES_SPELL_KUNIT_H

#include <linux/kconfig.h>
#include <linux/seq_buf.h>

/* Name of a register that the architecture has. */
#define SPELL_REGISTER		(IS_ENABLED(CONFIG_X86) ? "sp" : "r29")
/* Name of the default type, for arguments that are written without one. */
#define SPELL_LONG		(IS_ENABLED(CONFIG_64BIT) ? "x64" : "x32")
#define HAS_ARGUMENTS		IS_ENABLED(CONFIG_HAVE_FUNCTION_ARG_ACCESS_API)

/* Copy @text to @s, with the register in place of each ``?``. */
static inline void spell(struct seq_buf *s, const char *text)
{
	for (; *text; text++)
		if (*text == '?')
			seq_buf_printf(s, "%%%s", SPELL_REGISTER);
		else
			seq_buf_putc(s, *text);
	seq_buf_str(s);
}

#endif /* _KERNEL_TRACE_PROBES_SPELL_KUNIT_H */
