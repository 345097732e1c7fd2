/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface for BPF, which attaches programs to events of probes: where the probe of an event is,
 * and whether programs may override the return value of the probed function.
 */
#ifndef _KERNEL_TRACE_PROBES_INFO_H
#define _KERNEL_TRACE_PROBES_INFO_H

#include <linux/errno.h>
#include <linux/types.h>

struct probe;
struct probe_event;
struct trace_event_call;

/**
 * struct probe_info - description of a kprobe or uprobe
 * @returns: true if the probe is hit at the return of a function (kretprobe, uretprobe)
 * @name: symbol of a kprobe, or NULL if the user gave an address; path of the file of a uprobe.
 *	Valid as long as the event is in use
 * @offset: offset in bytes from the symbol, or in the file
 * @addr: address of a kprobe, or 0 if the current task may not see it; 0 for a uprobe
 * @missed: number of hits that a kprobe has missed; 0 for a uprobe
 */
struct probe_info {
	bool		returns;
	const char	*name;
	u64		offset;
	u64		addr;
	unsigned long	missed;
};

#if defined(CONFIG_BPF_EVENTS) && defined(CONFIG_PROBE_EVENTS)

/**
 * probe_get_info - describe the first probe of an event
 * @call: an event that is in use
 * @info: set to the description
 *
 * Context: may sleep; takes events_lock.
 * Return: true; false if @call is no event of kprobes or uprobes: @info is unchanged then.
 */
bool probe_get_info(const struct trace_event_call *call, struct probe_info *info);

#else

static inline bool probe_get_info(const struct trace_event_call *call, struct probe_info *info)
{
	return false;
}

#endif

#if defined(CONFIG_BPF_EVENTS) && defined(CONFIG_KPROBE_EVENTS)

/**
 * probe_allow_override - let programs call bpf_override_return() at the kprobes of an event
 * @call: an event of kprobes that is in use
 *
 * Remains in effect until the event is removed, even after the program is detached. Hits of the
 * kprobes take slightly longer while there are programs.
 *
 * Context: may sleep; takes events_lock.
 * Return: 0; -EINVAL if one of the kprobes is not at the entry of a function that is in
 * error_injection/list.
 */
int probe_allow_override(struct trace_event_call *call);

/**
 * probe_join_programs - let the programs of an event run at the hits of a further kprobe
 * @event: an event that is in use; it may have no programs
 * @p: the probe; nobody else knows it yet
 *
 * This is &probe_kind.join of kprobes.
 *
 * Context: events_lock is held.
 * Return: 0; -EBUSY after probe_allow_override() for @event, if @p is not at the entry of a
 * function in error_injection/list.
 */
int probe_join_programs(const struct probe_event *event, struct probe *p);

#else

static inline int probe_allow_override(struct trace_event_call *call) { return -EINVAL; }

#define probe_join_programs NULL

#endif

#endif /* _KERNEL_TRACE_PROBES_INFO_H */
