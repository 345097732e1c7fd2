/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The longest latency that a tracer has seen in an instance: its description is stored here,
 * the records of that time in the snapshot (SPEC T4, T5).
 *
 * Tracers differ in where a latency begins and where it ends. At the end of one that is worth
 * keeping they call the functions here, which exchange its records with those of the previous
 * one. No record is copied.
 */
#ifndef _KERNEL_TRACE_LATENCY_H
#define _KERNEL_TRACE_LATENCY_H

#include <linux/init.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct irq_work;
struct trace_array;
struct trace_buffer;

/**
 * struct trace_latency - description of a latency
 * @ns: length in units of the instance's clock; 0 for none
 * @since: time of its start
 * @cpu: CPU on which it was measured
 * @single_cpu: only the records of @cpu belong to it
 * @start_ip: address of the code in which it started; 0 if not used
 * @end_ip: address of the code in which it ended
 * @pid: pid of the task that was delayed or that caused the delay, depending on the tracer
 * @uid: user of that task
 * @nice: nice value of that task
 * @policy: scheduling policy of that task
 * @rt_priority: real-time priority of that task
 * @comm: name of that task
 */
struct trace_latency {
	u64		ns;
	u64		since;
	int		cpu;
	bool		single_cpu;
	unsigned long	start_ip;
	unsigned long	end_ip;
	pid_t		pid;
	kuid_t		uid;
	int		nice;
	unsigned int	policy;
	unsigned int	rt_priority;
	char		comm[TASK_COMM_LEN];
};

/* Threshold in nanoseconds: shorter durations are not kept, or not recorded. 0 for no threshold. */
extern unsigned long tracing_thresh;

#ifdef CONFIG_TRACER_MAX_TRACE

/**
 * latency_should_keep() - true if a latency is to be kept
 * @tr: the instance
 * @ns: length of the latency
 *
 * True if it is longer than the kept one, or with tracing_thresh set, if it is at least that
 * long. On 32-bit systems this may be true for any latency of more than four seconds;
 * latency_keep_cpu() and latency_keep_all() compare the full value.
 *
 * Context: any.
 */
bool latency_should_keep(struct trace_array *tr, u64 ns);

/**
 * latency_keep_cpu() - keep a latency, with the records of this CPU
 * @tr: the instance
 * @new: the latency; the members about the task are filled in here
 * @task: the task
 *
 * The latency is compared again. If its records cannot be kept, as they are being read, the
 * latency is not kept either.
 *
 * Context: any but NMI, interrupts off, the lock of a run queue may be held.
 * Return: true if it was kept.
 */
bool latency_keep_cpu(struct trace_array *tr, struct trace_latency *new,
		      struct task_struct *task);

/**
 * latency_keep_all() - keep a latency, with the records of all CPUs
 * @tr: the instance
 * @new: the latency; the members about the task are filled in here
 * @task: the task
 *
 * The latency is compared again. If its records cannot be kept, the latency is not kept
 * either.
 *
 * Context: any but NMI, interrupts off, the lock of a run queue may be held.
 * Return: true if it was kept.
 */
bool latency_keep_all(struct trace_array *tr, struct trace_latency *new,
		      struct task_struct *task);

/**
 * latency_set_listener() - set the work that is queued when a latency was kept
 * @work: queued each time. The instance has latency_changed set then, which the work clears by
 *	xchg() before it reads the latency
 *
 * Context: once, while the kernel boots.
 */
void __init latency_set_listener(struct irq_work *work);

/**
 * latency_get() - get the kept latency
 * @tr: the instance
 * @to: receives its description
 *
 * The latency and its buffer are stable while recording is suspended, see trace_array_stop().
 * Otherwise another latency may replace them at any moment.
 *
 * Context: any but NMI.
 * Return: the buffer with its records.
 */
struct trace_buffer *latency_get(struct trace_array *tr, struct trace_latency *to);

/**
 * latency_longest() - get the length that a latency must exceed to be kept
 * @tr: the instance
 *
 * Context: any but NMI.
 * Return: nanoseconds: the length of the kept latency, or the number that was written to
 * tracing_max_latency.
 */
u64 latency_longest(struct trace_array *tr);

/**
 * latency_reset() - discard the kept latency
 * @tr: the instance
 *
 * Context: any but NMI.
 */
void latency_reset(struct trace_array *tr);

#else

/* Without CONFIG_TRACER_MAX_TRACE no tracer keeps a latency. */
static inline struct trace_buffer *latency_get(struct trace_array *tr,
					       struct trace_latency *to)
{
	return NULL;
}

static inline u64 latency_longest(struct trace_array *tr)
{
	return 0;
}

static inline void latency_reset(struct trace_array *tr)
{
}

#endif

#endif /* _KERNEL_TRACE_LATENCY_H */
