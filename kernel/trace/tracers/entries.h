/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tracers record: what lies in the ring buffer, byte by byte.
 *
 * The layouts are an interface: raw pages go to user space as they are, and readers find
 * them described in events/ftrace/<name>/format. None may change without its row of
 * fields, which stands where it is printed.
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
 * A function that function_graph waits for was entered.  With option funcgraph-args the
 * entry goes on with what it was given in registers, else it ends before that.
 */
struct graph_ent_entry {
	struct trace_entry		ent;
	struct ftrace_graph_ent		graph_ent;
	unsigned long			args[];
} __packed;

/*
 * So many longs are passed in registers, and saved for every callback.  On i386 that is
 * what -mregparm=3 says, and the rest would have to be looked for on the stack.
 */
#define GRAPH_ENT_ARGS		(IS_ENABLED(CONFIG_X86_32) ? 3 : FTRACE_NR_ARGS)

/* The size of the longer one. */
#define GRAPH_ENT_ARGS_SIZE							\
	(sizeof(struct graph_ent_entry) + GRAPH_ENT_ARGS * sizeof(unsigned long))

/* It returned. */
struct graph_ret_entry {
	struct trace_entry		ent;
	struct ftrace_graph_ret		ret;
} __packed;

/* The previous function entry happened @count more times. */
struct func_repeats_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	unsigned long		parent_ip;
	u16			count;
	u16			top_delta_ts;
	u32			bottom_delta_ts;
};

/**
 * func_repeats_delta - time from the last repeat to the entry that tells of it
 * @entry: the entry
 *
 * Return: units of the instance's clock.
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
