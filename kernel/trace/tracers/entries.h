/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Layouts of the records that the tracers write into the ring buffer.
 *
 * The layouts are an interface: raw pages go to user space as they are, and tools read their
 * description in events/ftrace/<name>/format. A change of a layout needs the same change in
 * its table of fields, in the file that prints the record.
 */
#ifndef _KERNEL_TRACE_TRACERS_ENTRIES_H
#define _KERNEL_TRACE_TRACERS_ENTRIES_H

#include <linux/build_bug.h>
#include <linux/ftrace.h>
#include <linux/trace_events.h>
#include <linux/types.h>

/* A traced function was entered. */
struct function_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	unsigned long		parent_ip;
};

/*
 * Entry of a function whose return function_graph traces.  With option funcgraph-args, @args
 * holds GRAPH_ENT_ARGS registers, otherwise the record ends before @args.
 */
struct graph_ent_entry {
	struct trace_entry		ent;
	struct ftrace_graph_ent		graph_ent;
	unsigned long			args[];
} __packed;

/*
 * Number of argument registers, which are saved for every callback.  On i386 the kernel is
 * built with -mregparm=3; further arguments are on the stack and are not recorded.
 */
#define GRAPH_ENT_ARGS		(IS_ENABLED(CONFIG_X86_32) ? 3 : FTRACE_NR_ARGS)

/* Size of a struct graph_ent_entry with arguments. */
#define GRAPH_ENT_ARGS_SIZE							\
	(sizeof(struct graph_ent_entry) + GRAPH_ENT_ARGS * sizeof(unsigned long))

/* Return of a function whose entry function_graph has recorded. */
struct graph_ret_entry {
	struct trace_entry		ent;
	struct ftrace_graph_ret		ret;
} __packed;

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

static_assert(offsetof(struct function_entry, ip) == 8);
static_assert(offsetof(struct func_repeats_entry, count) ==
	      8 + 2 * sizeof(unsigned long));

#endif /* _KERNEL_TRACE_TRACERS_ENTRIES_H */
