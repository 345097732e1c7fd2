/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Layout of the records of switches and wakeups of tasks. A change of it needs what entries.h
 * says.
 */
#ifndef _KERNEL_TRACE_SWITCH_ENTRY_H
#define _KERNEL_TRACE_SWITCH_ENTRY_H

#include <linux/trace_events.h>

/* A task was switched to (TRACE_CTX) or woken (TRACE_WAKE). */
struct ctx_switch_entry {
	struct trace_entry	ent;
	unsigned int		prev_pid;
	unsigned int		next_pid;
	unsigned int		next_cpu;
	unsigned char		prev_prio;
	unsigned char		prev_state;
	unsigned char		next_prio;
	unsigned char		next_state;
};

#endif /* _KERNEL_TRACE_SWITCH_ENTRY_H */
