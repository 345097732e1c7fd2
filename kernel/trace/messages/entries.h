/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel and programs say in a trace, as it lies in the ring buffer: see
 * tracers/entries.h for what that means.
 */
#ifndef _KERNEL_TRACE_MESSAGES_ENTRIES_H
#define _KERNEL_TRACE_MESSAGES_ENTRIES_H

#include <linux/build_bug.h>
#include <linux/trace_events.h>
#include <linux/types.h>

/*
 * Text of trace_marker, or of trace_printk() without a format. It ends with a NUL; in a marker
 * there may be more bytes behind it.
 */
struct print_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	char			buf[];
};

/* trace_printk(): the arguments in @buf as vbin_printf() stores them. */
struct bprint_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	const char		*fmt;
	u32			buf[];
};

/* trace_puts() of a constant string. */
struct bputs_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	const char		*str;
};

/* What user space wrote to trace_marker_raw: a tag, then bytes. */
struct raw_data_entry {
	struct trace_entry	ent;
	unsigned int		id;
	char			buf[];
};

static_assert(offsetof(struct raw_data_entry, buf) == 12);

#endif /* _KERNEL_TRACE_MESSAGES_ENTRIES_H */
