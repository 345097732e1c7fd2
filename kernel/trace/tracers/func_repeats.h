/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Layout of the record that counts repeated calls of a function. A change of it needs what
 * entries.h says.
 */
#ifndef _KERNEL_TRACE_FUNC_REPEATS_H
#define _KERNEL_TRACE_FUNC_REPEATS_H

#include <linux/build_bug.h>
#include <linux/stddef.h>
#include <linux/trace_events.h>
#include <linux/types.h>

/* Option func-no-repeats: the call recorded last was repeated @count more times. */
struct func_repeats_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	unsigned long		parent_ip;
	u16			count;
	u16			top_delta_ts;
	u32			bottom_delta_ts;
};

/**
 * func_repeats_delta() - time between the last repeated call and the record that counts it
 * @entry: the record
 *
 * Return: the time, in units of the instance's clock.
 */
static inline u64 func_repeats_delta(const struct func_repeats_entry *entry)
{
	return (u64)entry->top_delta_ts << 32 | entry->bottom_delta_ts;
}

static_assert(offsetof(struct func_repeats_entry, count) ==
	      8 + 2 * sizeof(unsigned long));

#endif /* _KERNEL_TRACE_FUNC_REPEATS_H */
