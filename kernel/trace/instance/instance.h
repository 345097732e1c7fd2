/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An instance: one buffer and one for snapshots, one current tracer, its options, clock, CPU mask,
 * filters and pid lists.  The top level is the first; others can be added to
 * the list beside it.
 *
 * Everything that is controlled is controlled through the functions here; the
 * files only parse what user space wrote and call them. What other rooms keep with an
 * instance is a part of it, see part.h.
 *
 * Locks: Documentation/trace/design.rst has their order.
 */
#ifndef _KERNEL_TRACE_INSTANCE_H
#define _KERNEL_TRACE_INSTANCE_H

#include <linux/cpumask.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/ring_buffer.h>
#include <linux/types.h>

#include "latency.h"
#include "options.h"
#include "tracer.h"

struct snapshot_condition;

/* Bytes per CPU that a buffer grows to when it is first used. */
#define TRACE_BUF_SIZE_DEFAULT	1441792UL
/* Bytes per CPU until then: the least a ring buffer can be. */
#define TRACE_BUF_SIZE_BOOT	1UL

/* The second one is where snapshots are: see snapshot.h. */
#define NR_TRACE_BUFFERS	(IS_ENABLED(CONFIG_TRACER_MAX_TRACE) ? 2 : 1)

/**
 * struct trace_cpu_stopped - what an event's probe looks at first
 * @off: as in &struct trace_cpu
 * @masked: likewise
 * @ignored: the task running here is excluded by set_event_pid or set_event_notrace_pid
 * @any: all of these; a long for the same reason as &trace_cpu.skip
 */
struct trace_cpu_stopped {
	union {
		struct {
			u8	off;
			u8	masked;
			u8	ignored;
		};
		unsigned long	any;
	};
};

/**
 * struct trace_cpu - what an instance keeps per CPU
 * @off: the instance is not recording, see tracer_tracing_off()
 * @masked: the CPU is not in tracing_cpumask
 * @ignore_task: the task running here is excluded by the pid lists
 * @begins: the tracer is just beginning, and what is recorded by now will be emptied
 * @skip: all of these: a call need not be looked at, the function tracer's
 *	first test. A long, which gcc compares where it is; an int it loads first.
 * @ignore_is_for: the task that @ignore_task was found out for; NULL without pid
 *	lists. Only compared: see trace_pids_fit() (tasks/pids.h).
 * @events: for events
 * @events_of_two: for those about another task as well, where nobody is ignored before it
 *	is known which (events/pids.c)
 * @is_on: the instance is switched on, or is just being, and
 * @is_off: likewise: who would have it on, or off, has nothing to do. Longs for the same
 *	reason as @skip: an event's probe may look at one (triggers/kind.h)
 * @ignored_again: of each event of two tasks that is under way, the last one lowest, whether
 *	@events.ignored is set when it ends (tasks/pids.c)
 */
struct trace_cpu {
	union {
		struct {
			u8	off;
			u8	masked;
			u8	ignore_task;
			u8	begins;
		};
		unsigned long	skip;
	};
	const struct task_struct *ignore_is_for;
	struct trace_cpu_stopped events;
	struct trace_cpu_stopped events_of_two;
	unsigned long is_on;
	unsigned long is_off;
	unsigned int ignored_again;
};

/**
 * struct trace_array - an instance
 * @buffer: where records go: one of @buffers. A snapshot makes it the other one, at any
 *	moment and in any context: who needs it twice reads it once.
 * @cpus: per-CPU state; never changes
 * @flags: the options, TRACE_OPT_*; written under @trace_lock, read anywhere
 * @buffers: its ring buffers; never change. All that is switched on or off, all clocks
 *	and CPU masks are those of both.
 * @has_snapshot: the other buffer has the size of @buffer, so that snapshots can be taken;
 *	written under @trace_lock, read anywhere
 * @condition: decides whether they are, or NULL; written under @trace_lock and
 *	condition_lock (messages/snapshot.c), either of which keeps it
 * @snapshot_users: those who are going to take snapshots, and
 * @mapped: mappings of @buffer, which have to go before any is taken (snapshot.h)
 * @max_latency: in units of the clock: what a tracer keeps must be longer; what it keeps,
 *	unless somebody wrote another number to tracing_max_latency. Written by tracers
 *	under latency_lock (latency.c), by the file without, read anywhere.
 * @latency: what such a tracer keeps (latency.h); protected by latency_lock
 * @latency_news: that is another one since somebody was last told; set with latency_lock
 * @saved_flags: options as they were before such a tracer brought its own
 * @clock_id: index in trace_clocks[]
 * @current_tracer: never NULL; nop when nothing is traced
 * @tracer_opts: option word of each tracer, by its index
 * @gops: what function_graph attaches; its ops carries the instance's filters, and is
 *	what the function tracer attaches
 * @tracing_cpumask: CPUs that record
 * @expanded: the buffer has its proper size
 * @buf_size: bytes per CPU that it expands to
 * @time_start: clock when the buffer was last emptied
 * @start_cpu: where the function tracer was last started, for the header of
 *	option latency-format
 * @name: NULL for the top instance
 * @systems: whose events it has, with commas or white space between them; NULL for those of
 *	all; never changes
 * @buffer_percent: how full a CPU's buffer is when its sleeping readers of raw
 *	pages are woken; set by the file of that name
 * @parts: what other rooms keep with it (part.h); never changes
 * @ref: users that keep it from being removed
 * @trace_ref: open trace_pipes and files of raw pages, which keep the tracer from being switched
 * @list: in trace_arrays
 *
 * All but the first four fields, and what is marked otherwise, are protected
 * by trace_lock.
 */
struct trace_array {
	struct trace_buffer		*buffer;
	struct trace_cpu __percpu	*cpus;
	u32				flags;
	struct trace_buffer		*buffers[NR_TRACE_BUFFERS];
	bool				has_snapshot;
	struct snapshot_condition	*condition;
	unsigned int			snapshot_users;
	unsigned int			mapped;
	unsigned long			max_latency;
	struct trace_latency		latency;
	unsigned int			latency_news;
	u32				saved_flags;
	int				clock_id;
	struct tracer			*current_tracer;
	u32				tracer_opts[TRACERS_MAX];
	struct fgraph_ops		gops;
	cpumask_var_t			tracing_cpumask;
	bool				expanded;
	unsigned long			buf_size;
	u64				time_start;
	int				start_cpu;
	char				*name;
	const char			*systems;
	unsigned int			buffer_percent;
	void				*parts;
	int				ref;
	int				trace_ref;
	struct list_head		list;
};

/* What it protects is said where it is defined; its order, in Documentation/trace/design.rst. */
extern struct mutex trace_lock;

/* All instances, the top one last.  Changed under trace_lock, read with RCU. */
extern struct list_head trace_arrays;

extern struct trace_array global_trace;

#define for_each_trace_array(tr)	list_for_each_entry(tr, &trace_arrays, list)

/* With preemption off: an instance is freed after an RCU grace period. */
#define for_each_trace_array_rcu(tr) \
	list_for_each_entry_rcu(tr, &trace_arrays, list, true)

/**
 * trace_array_is_top - is @tr the top instance
 */
static inline bool trace_array_is_top(const struct trace_array *tr)
{
	return tr == &global_trace;
}

/**
 * trace_array_opt - is an option set
 * @tr: the instance
 * @mask: TRACE_OPT_*
 *
 * Context: any.
 */
static __always_inline bool trace_array_opt(const struct trace_array *tr, u32 mask)
{
	return READ_ONCE(tr->flags) & mask;
}

/**
 * trace_array_get - keep an instance from being removed
 * @tr: what may be an instance
 *
 * trace_array_put() of <linux/trace.h> is the counterpart.
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0, -ENODEV when @tr is not (or no longer) an instance.
 */
int trace_array_get(struct trace_array *tr);

/**
 * trace_array_find_get - find an instance, and keep it
 * @name: its name
 *
 * Context: may sleep; takes the lock of instances, inside it trace_lock.
 * Return: the instance, for trace_array_put(); NULL if there is none.
 */
struct trace_array *trace_array_find_get(const char *name);

/**
 * tracing_initialized - did the boot of the tracer succeed
 *
 * False: no file may be created, nothing may be recorded.
 */
bool tracing_initialized(void);

/**
 * tracing_set_tracer - switch to another tracer (SPEC T1)
 * @tr: the instance
 * @name: of the tracer
 *
 * The buffer is emptied for a tracer that records; nop leaves it as it is.
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0, also when it is the current one; -EINVAL when there is no such
 * tracer or it is not for this instance; -EBUSY while a trace_pipe is open, or
 * another instance has what only one can have; -ENOMEM or what else kept the old
 * one from stopping: then it goes on, and a snapshot is what it was; what the new
 * one's init() said: then nop is current.
 */
int tracing_set_tracer(struct trace_array *tr, const char *name);

/**
 * tracer_tracing_on - let an instance record
 * @tr: the instance
 *
 * Context: any, NMI included.
 */
void tracer_tracing_on(struct trace_array *tr);

/**
 * tracer_tracing_off - keep an instance from recording
 * @tr: the instance
 *
 * Entries being written on other CPUs are completed.  Context: any, NMI
 * included.
 */
void tracer_tracing_off(struct trace_array *tr);

/**
 * tracer_tracing_is_on - whether an instance records
 * @tr: the instance
 *
 * Context: any.
 */
static inline bool tracer_tracing_is_on(const struct trace_array *tr)
{
	return ring_buffer_record_is_set_on(tr->buffers[0]);
}

/**
 * trace_is_off_here - does an instance record nothing on this CPU, whoever runs there
 * @tr: the instance
 *
 * For what is not about the task that runs: pid lists make no difference.
 *
 * Context: any, preemption off.
 */
static __always_inline bool trace_is_off_here(const struct trace_array *tr)
{
	struct trace_cpu __percpu *cpus = tr->cpus;

	return raw_cpu_read(cpus->skip) && (raw_cpu_read(cpus->off) ||
					    raw_cpu_read(cpus->masked) ||
					    raw_cpu_read(cpus->begins));
}

/**
 * tracing_set_on - what the file tracing_on does
 * @tr: the instance
 * @on: the new state
 *
 * Tells the tracer, and wakes readers when recording stops.
 *
 * Context: may sleep; takes trace_lock.
 */
void tracing_set_on(struct trace_array *tr, bool on);

/**
 * trace_array_stop - suspend recording, counted
 * @tr: the instance
 *
 * Unlike tracer_tracing_off() it does not show in tracing_on.  Each needs its
 * trace_array_start().
 *
 * Context: any, NMI included.
 */
static inline void trace_array_stop(struct trace_array *tr)
{
	for (int i = 0; i < NR_TRACE_BUFFERS; i++)
		ring_buffer_record_disable(tr->buffers[i]);
}

/**
 * trace_array_start - end a trace_array_stop()
 * @tr: the instance
 *
 * Context: any, NMI included.
 */
static inline void trace_array_start(struct trace_array *tr)
{
	for (int i = 0; i < NR_TRACE_BUFFERS; i++)
		ring_buffer_record_enable(tr->buffers[i]);
}

/**
 * tracing_set_clock - take time stamps from another clock
 * @tr: the instance
 * @name: of the clock
 *
 * Empties the buffer and the snapshot: old and new stamps cannot be compared.
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0, -EINVAL when there is no such clock.
 */
int tracing_set_clock(struct trace_array *tr, const char *name);

/* The same by its index in trace_clocks[]. Context: may sleep; trace_lock held. */
void tracing_change_clock(struct trace_array *tr, int id);

/**
 * tracing_set_cpumask - choose the CPUs that record
 * @tr: the instance
 * @mask: these
 *
 * Context: may sleep; takes trace_lock.
 */
void tracing_set_cpumask(struct trace_array *tr, const struct cpumask *mask);

/**
 * tracing_resize - change the size of the buffer
 * @tr: the instance
 * @size: bytes per CPU; the ring buffer rounds up, 0 means the least possible
 * @cpu: whose, or RING_BUFFER_ALL_CPUS
 *
 * Keeps what fits, and a snapshot gets the same size.  Counts as use: the buffer
 * is not expanded afterwards.
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0; -EINVAL for a CPU that cannot be, -ENOMEM: nothing was changed, but
 * that the snapshot may be gone when memory is that short.
 */
int tracing_resize(struct trace_array *tr, unsigned long size, int cpu);

/**
 * tracing_expand - give the buffer its proper size, if it has not got it yet
 * @tr: the instance
 *
 * Called before the first use.
 * Context: may sleep; caller holds trace_lock.
 * Return: 0 or -ENOMEM.
 */
int tracing_expand(struct trace_array *tr);

/**
 * tracing_set_subbuf_order - change the size of the buffer's pages
 * @tr: the instance
 * @order: each shall be 2^order pages of memory
 *
 * Empties the buffer and the snapshot.
 *
 * Context: may sleep; takes trace_lock and consume_lock().
 * Return: 0, also when it is so already; -EINVAL, -EBUSY while somebody looks at
 * them, or -ENOMEM: nothing was changed, but for the snapshot as above.
 */
int tracing_set_subbuf_order(struct trace_array *tr, int order);

/**
 * tracing_use_clock - have the ring buffers take the clock of the instance
 * @tr: the instance
 *
 * Again, when there is a faster way to read the same clock.
 *
 * Context: caller holds trace_lock.
 */
void tracing_use_clock(struct trace_array *tr);

/**
 * tracing_shrink - the opposite of tracing_expand(), for the boot's self-tests
 * @tr: an instance that nobody uses yet
 *
 * Context: may sleep; takes trace_lock.
 */
void __init tracing_shrink(struct trace_array *tr);

/**
 * tracing_note_boot_parameter - the command line has the boot traced
 * @name: the parameter, as "trace_event="; a string that stays
 *
 * Self-tests at boot are left out then, for they would empty the buffer, and fail over
 * what is recorded beside them.
 *
 * Context: boot, one CPU, also before there are instances.
 */
void __init tracing_note_boot_parameter(const char *name);

/**
 * tracing_boot_user - who needs the top buffer while the kernel comes up
 *
 * Context: boot; the top instance has been made.
 * Return: the first parameter that has the boot traced, another text if something has been
 * recorded without one (by trace_printk(), for example), or NULL.
 */
const char * __init tracing_boot_user(void);

/**
 * tracing_reset - empty the buffer (trace was opened with O_TRUNC)
 * @tr: the instance
 * @cpu: whose, or RING_BUFFER_ALL_CPUS
 *
 * Context: may sleep; takes consume_lock(), may be called under trace_lock.
 */
void tracing_reset(struct trace_array *tr, int cpu);

/**
 * trace_array_init - make what is needed to record, and the parts
 * @tr: an instance, zero-filled but for its name
 *
 * The buffer is as small as can be until tracing_expand().  Nobody can find the
 * instance until trace_array_publish().
 *
 * Context: may sleep, once that is possible.
 * Return: 0, -ENOMEM or what a part refused, then nothing is left behind.
 */
int trace_array_init(struct trace_array *tr);

/**
 * trace_array_publish - put an instance on the list
 * @tr: the instance
 *
 * Context: may sleep; takes trace_lock.
 */
void trace_array_publish(struct trace_array *tr);

/**
 * trace_array_exit - free what trace_array_init() has made, and what became of it
 * @tr: an instance off the list; who found it before may still be on his way
 *
 * Context: may sleep; takes trace_lock, waits for a grace period of RCU.
 */
void trace_array_exit(struct trace_array *tr);

/**
 * trace_instance_make - make an instance beside the top one
 * @name: not NULL
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0, -EEXIST, -ENOMEM, or why a part could not be made, its files among them.
 */
int trace_instance_make(const char *name);

/**
 * trace_instance_remove - remove an instance
 * @name: of it
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0, -ENODEV when there is none, -EBUSY while a file of it is open or
 * a module uses it, or why a part has to stay.
 */
int trace_instance_remove(const char *name);

/**
 * trace_instances_visit - call a function for each instance
 * @visit: the function; may sleep, and takes trace_lock if it needs it
 *
 * None is made or removed meanwhile.
 *
 * Context: boot, may sleep.
 */
void __init trace_instances_visit(void (*visit)(struct trace_array *tr));

/**
 * tracing_stop_tracer - make nop the current tracer
 * @tr: the instance
 *
 * Context: may sleep; caller holds trace_lock.
 * Return: 0, or why the tracer could not be stopped: then it goes on.
 */
int tracing_stop_tracer(struct trace_array *tr);

/**
 * trace_buf_size - bytes per CPU that a new instance expands to
 *
 * Set by the parameter trace_buf_size=.
 */
extern unsigned long trace_buf_size;

#endif /* _KERNEL_TRACE_INSTANCE_H */
