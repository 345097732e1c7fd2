/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a tracer is: a row of callbacks that an instance switches between.
 *
 * A tracer is one small file with one struct tracer and a row in the table of
 * tracers, from which it is registered at boot.  It
 * starts recording in init() and has stopped when reset() returns; only a task
 * that was preempted on its way into recording may still do so once.  It never
 * touches tracefs: its options appear there from the table it names, its
 * entries are described by a record type each (types/types.h).
 */
#ifndef _KERNEL_TRACE_TRACER_H
#define _KERNEL_TRACE_TRACER_H

#include <linux/init.h>
#include <linux/list.h>
#include <linux/trace_events.h>
#include <linux/types.h>

struct seq_file;
struct trace_array;
struct trace_output;

/* The number of tracers that can be registered. */
#define TRACERS_MAX	16

/**
 * struct tracer_option - an option that only one tracer knows
 * @name: in trace_options and as a file under options/
 * @mask: its one bit in the tracer's word of trace_array::tracer_opts
 */
struct tracer_option {
	const char	*name;
	u32		mask;
};

/**
 * struct tracer - one way of tracing, as current_tracer names it
 * @name: what is written to current_tracer (SPEC T1)
 * @options: the own options, ended by a NULL name; NULL when there are none
 * @default_options: their values in a new instance, as masks
 * @uses_snapshot: keeps records in the snapshot, which nobody else may touch while it is
 *	current
 * @allow_instances: may be used in an instance other than the top one (which
 *	shows its options then)
 * @index: which option word of an instance is this tracer's; set at registration
 * @list: among the registered tracers
 * @setup: called once, when the tracer is made known; may be NULL
 * @may_begin: whether it is free for @tr, if only one instance at a time can have it; 0 or
 *	a negative errno, and then the tracer that is current goes on. May be NULL: always.
 * @init: start tracing for @tr; 0 or a negative errno, then nothing was changed
 * @reset: stop tracing for @tr; 0, and no call from then on is recorded, or a
 *	negative errno, then it is tracing as before
 * @set_option: @mask of the own options is about to become @on; returns 0 to
 *	agree or a negative errno to refuse.  Called also while another tracer
 *	is current.  May be NULL: always agreed.
 * @flag_changing: an option of the instance, TRACE_OPT_*, is about to become @on while the
 *	tracer is current; returns 0 to agree or a negative errno. May be NULL.
 * @start: recording was switched on (tracing_on), may be NULL
 * @stop: recording was switched off, may be NULL
 * @print_line: makes the lines of records while the tracer is current, as a record_print_fn
 *	does (types/types.h), or returns TRACE_TYPE_UNHANDLED for those that are
 *	printed as always; NULL for all
 * @print_header: prints what stands above the first record; NULL for what always does
 * @graph_opts: what blocks of functions come with while the tracer is current, as
 *	GRAPH_OPT_* (tracers/graph_lines.h); 0 leaves that to the options of function_graph
 *
 * All callbacks but the printing ones run under trace_lock and may sleep.
 */
struct tracer {
	const char			*name;
	const struct tracer_option	*options;
	u32				default_options;
	bool				allow_instances;
	bool				uses_snapshot;
	unsigned int			index;
	struct list_head		list;
	void				(*setup)(void);
	int				(*may_begin)(struct trace_array *tr);
	int				(*init)(struct trace_array *tr);
	int				(*reset)(struct trace_array *tr);
	int				(*set_option)(struct trace_array *tr,
						      u32 mask, bool on);
	int				(*flag_changing)(struct trace_array *tr,
							 u32 mask, bool on);
	void				(*start)(struct trace_array *tr);
	void				(*stop)(struct trace_array *tr);
	enum print_line_t		(*print_line)(struct trace_output *o);
	void				(*print_header)(struct seq_file *m,
							struct trace_output *o);
	u32				graph_opts;
};

/*
 * Registered tracers, the first registered first: that one is current where
 * nothing is traced.  Protected by trace_lock.
 */
extern struct list_head tracers;

#define for_each_tracer(t)	list_for_each_entry(t, &tracers, list)

/**
 * register_tracer - make a tracer known
 * @t: the tracer; must stay for good
 *
 * Its options are at their defaults in the instances that there are.
 *
 * Context: boot; takes trace_lock.
 * Return: 0, -EEXIST when the name is taken, -ENOSPC beyond TRACERS_MAX.
 */
int __init register_tracer(struct tracer *t);

#endif /* _KERNEL_TRACE_TRACER_H */
