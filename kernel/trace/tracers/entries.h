/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Layouts of the records that function and function_graph write into the ring buffer.
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

static_assert(offsetof(struct function_entry, ip) == 8);

#endif /* _KERNEL_TRACE_TRACERS_ENTRIES_H */
