/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Layouts of the records of messages: trace_printk() and the files trace_marker and
 * trace_marker_raw. The layouts are an interface, see tracers/entries.h.
 */
#ifndef _KERNEL_TRACE_MESSAGES_ENTRIES_H
#define _KERNEL_TRACE_MESSAGES_ENTRIES_H

#include <linux/build_bug.h>
#include <linux/trace_events.h>
#include <linux/types.h>

/*
 * Text written to trace_marker, or recorded by trace_printk() with a variable format. @buf ends
 * with a NUL; the text of a marker may have further NULs.
 */
struct print_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	char			buf[];
};

/* Record of trace_printk() with a constant format. @buf: its arguments, packed by vbin_printf(). */
struct bprint_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	const char		*fmt;
	u32			buf[];
};

/* Record of trace_puts() of a constant string. */
struct bputs_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	const char		*str;
};

/* Data written to trace_marker_raw: a tag, @id, which user space has chosen, and any bytes. */
struct raw_data_entry {
	struct trace_entry	ent;
	unsigned int		id;
	char			buf[];
};

static_assert(offsetof(struct raw_data_entry, buf) == 12);

#endif /* _KERNEL_TRACE_MESSAGES_ENTRIES_H */
