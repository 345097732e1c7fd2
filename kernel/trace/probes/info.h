/* SPDX-License-Identifier: GPL-2.0 */
/* Description of the probe of an event, to which BPF attaches a program. */
#ifndef _KERNEL_TRACE_PROBES_INFO_H
#define _KERNEL_TRACE_PROBES_INFO_H

#include <linux/errno.h>
#include <linux/types.h>

struct trace_event_call;

/**
 * struct probe_info - a kprobe or uprobe
 * @returns: it is hit when functions return
 * @name: symbol of a kprobe, or NULL if the user wrote an address; path of the file of a uprobe.
 *	Valid as long as the event is in use
 * @offset: offset from the symbol, or in the file
 * @addr: address of a kprobe, if the current task may see it, or 0
 * @missed: number of hits that a kprobe has missed
 */
struct probe_info {
	bool		returns;
	const char	*name;
	u64		offset;
	u64		addr;
	unsigned long	missed;
};

#ifdef CONFIG_PROBE_EVENTS

/**
 * probe_get_info - describe the first probe of an event
 * @call: an event that is in use
 * @info: filled in
 *
 * Context: may sleep; takes events_lock.
 * Return: false if it is no event of kprobes or uprobes.
 */
bool probe_get_info(const struct trace_event_call *call, struct probe_info *info);

#else

static inline bool probe_get_info(const struct trace_event_call *call, struct probe_info *info)
{
	return false;
}

#endif

#ifdef CONFIG_KPROBE_EVENTS

/**
 * probe_allow_override - let a program change what the function with a kprobe returns
 * @call: an event of kprobes that is in use
 *
 * Nothing undoes this: it makes a hit of the kprobes only slightly slower.
 *
 * Context: may sleep; takes events_lock.
 * Return: 0; -EINVAL if the kprobe is not at the entry of a function of the list
 * error_injection/list.
 */
int probe_allow_override(struct trace_event_call *call);

#else

static inline int probe_allow_override(struct trace_event_call *call) { return -EINVAL; }

#endif

#endif /* _KERNEL_TRACE_PROBES_INFO_H */
