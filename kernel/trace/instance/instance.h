/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An instance: a buffer for records and one for snapshots, a current tracer, options, a clock,
 * a CPU mask, filters and pid lists. The top level is the first instance; others can be added
 * to the list.
 *
 * All control goes through the functions here. The files in tracefs only parse what user space
 * wrote, and call them. The data that other rooms keep for an instance is a part, see part.h.
 *
 * Documentation/trace/design.rst has the order of the locks.
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

/* The second buffer holds snapshots, see snapshot.h. */
#define NR_TRACE_BUFFERS	(IS_ENABLED(CONFIG_TRACER_MAX_TRACE) ? 2 : 1)

/**
 * struct trace_cpu_stopped - reasons for the probe of an event not to record on a CPU
 * @off: the instance is not recording, as in &struct trace_cpu
 * @masked: the CPU is not in tracing_cpumask, as in &struct trace_cpu
 * @ignored: the task running on the CPU is excluded by set_event_pid or set_event_notrace_pid
 * @any: all reasons as one word; a long for the same reason as &trace_cpu.skip
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
 * struct trace_cpu - state of an instance for one CPU
 * @off: the instance is not recording, see tracer_tracing_off()
 * @masked: the CPU is not in tracing_cpumask
 * @ignore_task: the task running on the CPU is excluded by the pid lists
 * @begins: the tracer is starting, and the records of this time will be discarded
 * @skip: all of the above as one word: the first test of the function tracer. A long, as gcc
 *	compares a long in memory but loads an int first
 * @ignore_checked_for: the task for which @ignore_task was computed, NULL without pid lists. Only
 *	compared, never dereferenced: see trace_pids_allow() (tasks/pids.h)
 * @events: reasons for events not to record
 * @events_two_tasks: reasons for events that concern a second task as well: @ignored is not set
 *	before that task is known (events/pids.c)
 * @is_on: not 0 while the instance is switched on or is being switched on: traceon triggers do
 *	nothing then. A long for the same reason as @skip (triggers/kind.h)
 * @is_off: not 0 while the instance is switched off or is being switched off: traceoff
 *	triggers do nothing then. A long for the same reason as @skip (triggers/kind.h)
 * @ignored_stack: a stack of bits, one for each event in progress that concerns two tasks, the
 *	newest one lowest: the value that @events.ignored gets when that event ends
 *	(tasks/pids.c)
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
	const struct task_struct *ignore_checked_for;
	struct trace_cpu_stopped events;
	struct trace_cpu_stopped events_two_tasks;
	unsigned long is_on;
	unsigned long is_off;
	unsigned int ignored_stack;
};

/**
 * struct trace_array - an instance
 * @buffer: the buffer that records are written to, one of @buffers. A snapshot may exchange it
 *	at any moment and in any context: a user that needs it twice reads it once
 * @cpus: per-CPU state; never changes
 * @flags: options, TRACE_OPT_*; written under trace_lock, read in any context
 * @buffers: the ring buffers; never change. Switching on and off, clocks and CPU masks apply
 *	to both
 * @has_snapshot: the other buffer has the size of @buffer, so that snapshots can be taken;
 *	written under trace_lock, read in any context
 * @condition: decides whether a snapshot is taken, or NULL; written under both trace_lock and
 *	condition_lock (messages/snapshot.c), stable under either of them
 * @snapshot_users: number of users that may take snapshots, see snapshot_use()
 * @mapped: number of mappings of @buffer, which prevent snapshots (snapshot.h)
 * @max_latency: in units of the clock; a latency must be longer for its records to be kept.
 *	The length of @latency, unless another number was written to tracing_max_latency.
 *	Written by tracers under latency_lock (latency.c), by the file without a lock, read in
 *	any context
 * @latency: the longest latency of the current tracer (latency.h); protected by latency_lock
 * @latency_changed: @latency was replaced since the listener last cleared this; set under
 *	latency_lock
 * @saved_flags: options as they were before a latency tracer set its own
 * @clock_id: index in trace_clocks[]
 * @current_tracer: never NULL; nop when nothing is traced
 * @tracer_opts: option word of each tracer, by its index
 * @gops: attached by function_graph. Its ops holds the filters of the instance, and is
 *	attached by the function tracer
 * @tracing_cpumask: CPUs that record
 * @expanded: the buffer has its proper size
 * @buf_size: bytes per CPU that the buffer expands to
 * @time_start: time by the clock of the buffer when it was last emptied
 * @start_cpu: CPU on which the function tracer was last started, for the header of option
 *	latency-format
 * @name: NULL for the top instance
 * @systems: systems whose events the instance has, separated by commas or white space; NULL
 *	for all systems; never changes
 * @buffer_percent: how full the buffer of a CPU must be to wake sleeping readers of raw pages;
 *	set by the file of that name
 * @parts: memory of the parts (part.h); never changes
 * @ref: number of users that keep the instance from being removed
 * @trace_ref: number of open trace_pipe and trace_pipe_raw files, which keep the tracer from
 *	being switched
 * @list: entry in trace_arrays
 *
 * All members except for the first four, and for those with their own rule above, are
 * protected by trace_lock.
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
	unsigned int			latency_changed;
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

/* The definition says what trace_lock protects. Documentation/trace/design.rst has its order. */
extern struct mutex trace_lock;

/* All instances, the top one last. Changed under trace_lock, read under RCU. */
extern struct list_head trace_arrays;

extern struct trace_array global_trace;

#define for_each_trace_array(tr)	list_for_each_entry(tr, &trace_arrays, list)

/**
 * trace_array_is_top() - true if @tr is the top instance
 * @tr: the instance
 *
 * Context: any.
 */
static inline bool trace_array_is_top(const struct trace_array *tr)
{
	return tr == &global_trace;
}

/**
 * trace_array_opt() - true if an option is set
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
 * trace_array_get() - take a reference that keeps an instance from being removed
 * @tr: an instance, or a pointer to a former one
 *
 * trace_array_put() of <linux/trace.h> releases the reference.
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0; -ENODEV if @tr is not an instance, or no longer.
 */
int trace_array_get(struct trace_array *tr);

/**
 * trace_array_find_get() - find an instance and take a reference to it
 * @name: name of the instance
 *
 * Context: may sleep; takes the mutex of instances, and trace_lock inside it.
 * Return: the instance, for trace_array_put(); NULL if there is none.
 */
struct trace_array *trace_array_find_get(const char *name);

/**
 * tracing_initialized() - true if the boot of the tracer succeeded
 *
 * If false, no file may be created and nothing may be recorded.
 *
 * Context: any.
 */
bool tracing_initialized(void);

/**
 * tracing_set_tracer() - switch to another tracer (SPEC T1)
 * @tr: the instance
 * @name: name of the tracer
 *
 * The buffer is emptied for a tracer that records; nop leaves it as it is.
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0, also if the tracer is current already; -EINVAL if there is no such tracer, or it
 * is not for this instance; -EBUSY while a trace_pipe is open, or while another instance uses
 * what only one instance can have. -ENOMEM, or another error that kept the old tracer from
 * stopping: then the old tracer and the snapshot are unchanged. An error of the new tracer's
 * init(): then nop is current.
 */
int tracing_set_tracer(struct trace_array *tr, const char *name);

/**
 * tracer_tracing_on() - switch recording on in an instance
 * @tr: the instance
 *
 * Context: any, NMI included.
 */
void tracer_tracing_on(struct trace_array *tr);

/**
 * tracer_tracing_off() - switch recording off in an instance
 * @tr: the instance
 *
 * Entries that other CPUs are writing are completed.
 *
 * Context: any, NMI included.
 */
void tracer_tracing_off(struct trace_array *tr);

/**
 * tracer_tracing_is_on() - true if recording is switched on in an instance
 * @tr: the instance
 *
 * Context: any.
 */
static inline bool tracer_tracing_is_on(const struct trace_array *tr)
{
	return ring_buffer_record_is_set_on(tr->buffers[0]);
}

/**
 * trace_is_off_here() - true if an instance records nothing on this CPU, for any task
 * @tr: the instance
 *
 * For records that do not concern the running task: pid lists make no difference.
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
 * tracing_set_on() - carry out a write to the file tracing_on
 * @tr: the instance
 * @on: the new state
 *
 * Notifies the tracer, and wakes readers when recording is switched off.
 *
 * Context: may sleep; takes trace_lock.
 */
void tracing_set_on(struct trace_array *tr, bool on);

/**
 * trace_array_stop() - suspend recording until the matching trace_array_start()
 * @tr: the instance
 *
 * Calls nest. Unlike tracer_tracing_off(), this leaves the file tracing_on unchanged.
 *
 * Context: any, NMI included.
 */
static inline void trace_array_stop(struct trace_array *tr)
{
	for (int i = 0; i < NR_TRACE_BUFFERS; i++)
		ring_buffer_record_disable(tr->buffers[i]);
}

/**
 * trace_array_start() - end one trace_array_stop()
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
 * tracing_set_clock() - choose the clock for time stamps, by name
 * @tr: the instance
 * @name: name of the clock
 *
 * Empties the buffer and the snapshot: old and new stamps cannot be compared.
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0; -EINVAL if there is no such clock.
 */
int tracing_set_clock(struct trace_array *tr, const char *name);

/**
 * tracing_change_clock() - choose the clock for time stamps, by index
 * @tr: the instance
 * @id: index of the clock in trace_clocks[]
 *
 * Empties the buffer and the snapshot, as tracing_set_clock() does.
 *
 * Context: may sleep; trace_lock held.
 */
void tracing_change_clock(struct trace_array *tr, int id);

/**
 * tracing_set_cpumask() - choose the CPUs that record
 * @tr: the instance
 * @mask: the CPUs
 *
 * Context: may sleep; takes trace_lock.
 */
void tracing_set_cpumask(struct trace_array *tr, const struct cpumask *mask);

/**
 * tracing_resize() - change the size of the buffer
 * @tr: the instance
 * @size: bytes per CPU; the ring buffer rounds up, 0 means the minimum
 * @cpu: the CPU whose buffer is resized, or RING_BUFFER_ALL_CPUS
 *
 * Keeps the records that fit, and gives a snapshot the same size. Counts as use of the buffer:
 * it is not expanded afterwards.
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0; -EINVAL for an impossible CPU; -ENOMEM. After an error the buffer is unchanged,
 * but the snapshot may have been dropped if memory is that short.
 */
int tracing_resize(struct trace_array *tr, unsigned long size, int cpu);

/**
 * tracing_expand() - give the buffer its proper size, if it does not have it yet
 * @tr: the instance
 *
 * Called before the first use of the buffer.
 *
 * Context: may sleep; caller holds trace_lock.
 * Return: 0 or -ENOMEM.
 */
int tracing_expand(struct trace_array *tr);

/**
 * tracing_set_subbuf_order() - change the size of the buffer's pages
 * @tr: the instance
 * @order: 2^@order pages of memory for each page of the buffer
 *
 * Empties the buffer and the snapshot.
 *
 * Context: may sleep; takes trace_lock and consume_lock().
 * Return: 0, also if the pages have that size already; -EINVAL; -EBUSY while the pages are being
 * read; -ENOMEM. After an error the buffer is unchanged, but the snapshot may have been dropped if
 * memory is that short.
 */
int tracing_set_subbuf_order(struct trace_array *tr, int order);

/**
 * tracing_use_clock() - set the clock of the instance in its ring buffers
 * @tr: the instance
 *
 * Called again when a faster way to read the same clock has become available.
 *
 * Context: caller holds trace_lock.
 */
void tracing_use_clock(struct trace_array *tr);

/**
 * tracing_shrink() - undo tracing_expand(), for the self-tests at boot
 * @tr: an instance that has no user yet
 *
 * Context: may sleep; takes trace_lock.
 */
void __init tracing_shrink(struct trace_array *tr);

/**
 * tracing_note_boot_parameter() - report a boot parameter that starts tracing
 * @name: the parameter, for example "trace_event="; a string that is never freed
 *
 * With such a parameter no self-tests run at boot: they would empty the buffer, and fail
 * because of the additional records.
 *
 * Context: boot, one CPU, also before there are instances.
 */
void __init tracing_note_boot_parameter(const char *name);

/**
 * tracing_boot_user() - find out what uses the buffer of the top instance during boot
 *
 * Context: boot, after the top instance was set up.
 * Return: the first boot parameter that starts tracing; another text if something was recorded
 * without such a parameter, by trace_printk() for example; NULL if the buffer is unused.
 */
const char * __init tracing_boot_user(void);

/**
 * tracing_reset() - empty the buffer, for example when trace is opened with O_TRUNC
 * @tr: the instance
 * @cpu: the CPU whose buffer is emptied, or RING_BUFFER_ALL_CPUS
 *
 * Context: may sleep; takes consume_lock(), may be called under trace_lock.
 */
void tracing_reset(struct trace_array *tr, int cpu);

/**
 * trace_array_init() - set up an instance for recording, with its parts
 * @tr: an instance, zero-filled except for its name
 *
 * The buffer has the minimum size until tracing_expand(). Nobody can find the instance until
 * trace_array_publish().
 *
 * Context: may sleep, once that is possible.
 * Return: 0; -ENOMEM, or the error of a part: then everything was undone.
 */
int trace_array_init(struct trace_array *tr);

/**
 * trace_array_publish() - add an instance to the list
 * @tr: the instance
 *
 * Context: may sleep; takes trace_lock.
 */
void trace_array_publish(struct trace_array *tr);

/**
 * trace_array_exit() - clean up an instance, undoing trace_array_init()
 * @tr: an instance that was removed from the list; readers under RCU may still use it
 *
 * Context: may sleep; takes trace_lock, waits for an RCU grace period.
 */
void trace_array_exit(struct trace_array *tr);

/**
 * trace_instance_make() - create an instance
 * @name: its name, not NULL
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0; -EEXIST; -ENOMEM; or the error of a part, for example of its files.
 */
int trace_instance_make(const char *name);

/**
 * trace_instance_remove() - remove an instance
 * @name: its name
 *
 * Context: may sleep; takes trace_lock.
 * Return: 0; -ENODEV if there is none of that name; -EBUSY while one of its files is open or a
 * module uses it; or the error of a part that refuses.
 */
int trace_instance_remove(const char *name);

/**
 * trace_instances_visit() - call a function for each instance
 * @visit: the function; may sleep, and takes trace_lock if it needs it
 *
 * No instance is created or removed meanwhile.
 *
 * Context: boot, may sleep.
 */
void __init trace_instances_visit(void (*visit)(struct trace_array *tr));

/* Bytes per CPU that a new instance expands to; set by the boot parameter trace_buf_size=. */
extern unsigned long trace_buf_size;

#endif /* _KERNEL_TRACE_INSTANCE_H */
