/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface of a tracer: callbacks that an instance calls when its tracer is switched.
 *
 * A tracer is one small file with one struct tracer, and a row in the table of tracers, from
 * which it is registered at boot. It starts recording in init(), and has stopped when reset()
 * returns; only a task that was preempted on its way into recording may write one more record.
 * It never touches tracefs: its options appear there from its table, and each kind of its
 * entries is described by a record type (types/types.h).
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

/* Maximum number of tracers. */
#define TRACERS_MAX	16

/**
 * struct tracer_option - an option of one tracer
 * @name: name in trace_options, and of the file in options/
 * @mask: its bit in the tracer's word of trace_array::tracer_opts
 */
struct tracer_option {
	const char	*name;
	u32		mask;
};

/**
 * struct tracer - one way of tracing, selected by current_tracer
 * @name: name in current_tracer (SPEC T1)
 * @options: options of this tracer, terminated by a NULL name; NULL if there are none
 * @default_options: masks of the options that are set in a new instance
 * @uses_snapshot: the tracer keeps records in the snapshot, which nobody else may use while
 *	the tracer is current
 * @allow_instances: the tracer can be used in instances other than the top one, which show its
 *	options then
 * @index: index of this tracer's option word in an instance; set at registration
 * @list: entry in the list of tracers
 * @setup: called once, when the tracer is registered. May be NULL
 * @can_start: returns 0 if @tr can have the tracer, or a negative errno, for example as only
 *	one instance at a time can have it; then the current tracer is kept. NULL if @tr always
 *	can
 * @init: starts tracing for @tr. Returns 0, or a negative errno with nothing changed
 * @reset: stops tracing for @tr. Returns 0, and no later call is recorded; or a negative
 *	errno, and the tracer traces as before
 * @set_option: called before option @mask of @options becomes @on, whether or not the tracer
 *	is current. Returns 0, or a negative errno to refuse. NULL if nothing is refused
 * @flag_changing: called before an option of the instance, TRACE_OPT_*, becomes @on while the
 *	tracer is current. Returns 0, or a negative errno to refuse. NULL if nothing is refused
 * @start: called when recording was switched on (tracing_on). May be NULL
 * @stop: called when recording was switched off. May be NULL
 * @print_line: prints the whole line of a record while the tracer is current, in place of the
 *	columns and of the formats that options select (raw, hex, binary, fields); returns
 *	TRACE_TYPE_UNHANDLED for records with the usual line. NULL if all have the usual line. To
 *	change only the text behind the columns, use the text function of the type of the
 *	record, which can test &trace_output.tracer
 * @print_header: prints the header above the first record; NULL for the usual header
 * @graph_opts: columns of function_graph entries while the tracer is current, as GRAPH_OPT_*
 *	(tracers/graph_lines.h); 0 for those selected by the options of function_graph
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
	int				(*can_start)(struct trace_array *tr);
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
 * Registered tracers. The first one registered is current where nothing is traced. Protected
 * by trace_lock.
 */
extern struct list_head tracers;

#define for_each_tracer(t)	list_for_each_entry(t, &tracers, list)

/**
 * register_tracer() - register a tracer
 * @t: the tracer; never freed
 *
 * The options of the tracer get their default values in all existing instances.
 *
 * Context: boot; takes trace_lock.
 * Return: 0; -EEXIST if the name is taken; -ENOSPC beyond TRACERS_MAX.
 */
int __init register_tracer(struct tracer *t);

#endif /* _KERNEL_TRACE_TRACER_H */
