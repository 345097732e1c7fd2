/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The longest time of some kind that a tracer has seen in an instance, and what was
 * recorded meanwhile: in the snapshot, with a description of it here (SPEC T4, T5).
 *
 * Tracers differ in where such a time begins and where it ends. When one is over that is
 * worth keeping, they call here, and the records change places with those of the one
 * before: nothing is copied.
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
 * struct trace_latency - one such time
 * @ns: how long it was, in units of the instance's clock; 0 for none
 * @since: when it began
 * @cpu: where
 * @of_one_cpu: only the records of that CPU belong to it
 * @start_ip: the code that it began in, 0 if that does not matter
 * @end_ip: the code that it ended in
 * @pid: the task that it is about
 * @uid: whose that is
 * @nice: its nice value
 * @policy: its scheduling policy
 * @rt_priority: its real-time priority
 * @comm: its name
 */
struct trace_latency {
	u64		ns;
	u64		since;
	int		cpu;
	bool		of_one_cpu;
	unsigned long	start_ip;
	unsigned long	end_ip;
	pid_t		pid;
	kuid_t		uid;
	int		nice;
	unsigned int	policy;
	unsigned int	rt_priority;
	char		comm[TASK_COMM_LEN];
};

/* Nanoseconds; what takes less is not kept, or not recorded. 0 for no limit. */
extern unsigned long tracing_thresh;

#ifdef CONFIG_TRACER_MAX_TRACE

/**
 * latency_is_worth - is a time to be kept
 * @tr: the instance
 * @ns: how long it was
 *
 * If it is longer than what is kept, or with tracing_thresh as long as that. On 32 bits
 * times of more than four seconds may be taken for it here, and looked at by who keeps
 * them.
 *
 * Context: any.
 */
bool latency_is_worth(struct trace_array *tr, u64 ns);

/**
 * latency_keep_cpu - keep a time, and what this CPU has recorded meanwhile
 * @tr: the instance
 * @new: the time; what is about the task is filled in here
 * @task: the task
 *
 * If it is still worth it. Without the records, which somebody may just be reading, it is
 * not kept either.
 *
 * Context: any but NMI, interrupts off, the lock of a run queue may be held.
 * Return: true if it was kept.
 */
bool latency_keep_cpu(struct trace_array *tr, struct trace_latency *new,
		      struct task_struct *task);

/**
 * latency_keep_all - keep a time, and what all CPUs have recorded meanwhile
 * @tr: the instance
 * @new: as above
 * @task: as above
 *
 * Context and return: as above.
 */
bool latency_keep_all(struct trace_array *tr, struct trace_latency *new,
		      struct task_struct *task);

/**
 * latency_listen - have somebody told of what is kept
 * @work: queued each time; the instance has latency_news, which who is told clears by
 *	xchg() before he looks
 *
 * Context: once, while the kernel boots.
 */
void __init latency_listen(struct irq_work *work);

/**
 * latency_kept - what is kept
 * @tr: the instance
 * @to: set to it
 *
 * Both stay what they are while recording is suspended: see trace_array_stop(). Else another
 * time may come in their place at any moment.
 *
 * Context: any but NMI.
 * Return: the buffer with the records of it.
 */
struct trace_buffer *latency_kept(struct trace_array *tr, struct trace_latency *to);

/**
 * latency_longest - how long a time must be longer than to be kept
 * @tr: the instance
 *
 * Context: any but NMI.
 * Return: nanoseconds: of what is kept, or what somebody has written to
 * tracing_max_latency.
 */
u64 latency_longest(struct trace_array *tr);

/**
 * latency_forget - nothing is kept
 * @tr: the instance
 *
 * Context: any but NMI.
 */
void latency_forget(struct trace_array *tr);

#else

/* There is no tracer that keeps anything. */
static inline struct trace_buffer *latency_kept(struct trace_array *tr,
						struct trace_latency *to)
{
	return NULL;
}

static inline u64 latency_longest(struct trace_array *tr)
{
	return 0;
}

static inline void latency_forget(struct trace_array *tr)
{
}

#endif

#endif /* _KERNEL_TRACE_LATENCY_H */
