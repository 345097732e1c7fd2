/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The records of a trace, as far as they concern code outside kernel/trace:
 * what each record begins with, how printing a record can end, and what perf
 * and BPF may ask of trace events.
 */
#ifndef _LINUX_TRACE_EVENT_H
#define _LINUX_TRACE_EVENT_H

#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/hardirq.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/ring_buffer.h>
#include <linux/trace_seq.h>
#include <linux/tracepoint.h>

struct bpf_prog;
struct bpf_raw_event_map;
struct bpf_raw_tp_link;
struct trace_array;
struct trace_event_call;
union bpf_attr;

/**
 * struct trace_entry - what each record of a trace begins with
 * @type: which kind of record it is: the ID that its format file shows
 * @flags: enum trace_flag_type, how things stood when it was recorded
 * @preempt_count: low four bits the depth of preempt_disable(), high four the
 *	depth of migrate_disable()
 * @pid: of the task that was running; 0 is an idle task
 *
 * User space reads it as the common_* fields of every format file, so neither
 * the order nor the sizes can change.
 */
struct trace_entry {
	unsigned short	type;
	unsigned char	flags;
	unsigned char	preempt_count;
	int		pid;
};

/* The highest ID that fits into struct trace_entry.type. */
#define TRACE_EVENT_TYPE_MAX	U16_MAX

/**
 * enum trace_flag_type - the bits of struct trace_entry.flags
 * @TRACE_FLAG_IRQS_OFF: interrupts were disabled
 * @TRACE_FLAG_IRQS_NOSUPPORT: the architecture cannot tell
 * @TRACE_FLAG_NEED_RESCHED: the task was asked to give up the CPU
 * @TRACE_FLAG_HARDIRQ: an interrupt was being handled
 * @TRACE_FLAG_SOFTIRQ: a softirq was being handled
 * @TRACE_FLAG_PREEMPT_RESCHED: so was the preemption count
 * @TRACE_FLAG_NMI: an NMI was being handled
 * @TRACE_FLAG_BH_OFF: softirqs were disabled
 *
 * They are the letters in the columns of a printed line. Tools know them.
 */
enum trace_flag_type {
	TRACE_FLAG_IRQS_OFF		= BIT(0),
	TRACE_FLAG_IRQS_NOSUPPORT	= BIT(1),
	TRACE_FLAG_NEED_RESCHED		= BIT(2),
	TRACE_FLAG_HARDIRQ		= BIT(3),
	TRACE_FLAG_SOFTIRQ		= BIT(4),
	TRACE_FLAG_PREEMPT_RESCHED	= BIT(5),
	TRACE_FLAG_NMI			= BIT(6),
	TRACE_FLAG_BH_OFF		= BIT(7),
};

/**
 * enum print_line_t - how printing one record ended
 * @TRACE_TYPE_PARTIAL_LINE: the text did not fit; empty the sequence and ask
 *	again
 * @TRACE_TYPE_HANDLED: the text is there
 * @TRACE_TYPE_UNHANDLED: somebody else should print this record
 * @TRACE_TYPE_NO_CONSUME: the text is there, but the record must stay
 */
enum print_line_t {
	TRACE_TYPE_PARTIAL_LINE	= 0,
	TRACE_TYPE_HANDLED	= 1,
	TRACE_TYPE_UNHANDLED	= 2,
	TRACE_TYPE_NO_CONSUME	= 3,
};

/* The longest string that a filter on an event can look at, with its NUL. */
#define MAX_FILTER_STR_VAL	256U

/**
 * trace_array_set_clr_event - let an instance record events, or stop it
 * @tr: the instance
 * @system: of the events, or NULL
 * @event: name of one, or NULL
 * @enable: which of both
 *
 * There are no events yet that an instance could record, whatever their name.
 *
 * Context: process, may sleep.
 * Return: -EINVAL as long as that is so; -ENOENT if @tr is NULL.
 */
static inline int trace_array_set_clr_event(struct trace_array *tr, const char *system,
					    const char *event, bool enable)
{
	return tr ? -EINVAL : -ENOENT;
}

/**
 * tracing_record_cmdline - remember the name of a task that recorded something
 * @task: the task, which is running
 *
 * For code outside the tracer that records by itself. Nothing happens while
 * nobody traces, and for an idle task. It gives up rather than wait.
 *
 * Context: any, NMI included.
 */
void tracing_record_cmdline(struct task_struct *task);

/**
 * tracing_record_tgid - remember the thread group of a task, likewise
 * @task: the task, which is running
 *
 * Nothing happens unless option record-tgid is set in some instance.
 *
 * Context: any, NMI included.
 */
void tracing_record_tgid(struct task_struct *task);

#ifdef CONFIG_PERF_EVENTS

/* kernel/events/core.c: a BPF program on a perf event. */
int perf_event_set_bpf_prog(struct perf_event *event, struct bpf_prog *prog, u64 bpf_cookie);
void perf_event_free_bpf_prog(struct perf_event *event);

#endif

/*
 * Attaching BPF programs to events needs the events. Nobody can have attached
 * one, so there is nothing to run, to take away or to look up.
 */

static inline unsigned int trace_call_bpf(struct trace_event_call *call, void *ctx)
{
	return 1;
}

static inline void perf_event_detach_bpf_prog(struct perf_event *event) { }

static inline int perf_event_attach_bpf_prog(struct perf_event *event, struct bpf_prog *prog,
					     u64 bpf_cookie)
{
	return -EOPNOTSUPP;
}

static inline int perf_event_query_prog_array(struct perf_event *event, void __user *info)
{
	return -EOPNOTSUPP;
}

static inline int bpf_get_perf_event_info(const struct perf_event *event, u32 *prog_id,
					  u32 *fd_type, const char **buf, u64 *probe_offset,
					  u64 *probe_addr, unsigned long *missed)
{
	return -EOPNOTSUPP;
}

static inline void bpf_put_raw_tracepoint(struct bpf_raw_event_map *btp) { }

static inline struct bpf_raw_event_map *bpf_get_raw_tracepoint(const char *name)
{
	return NULL;
}

static inline int bpf_probe_unregister(struct bpf_raw_event_map *btp,
				       struct bpf_raw_tp_link *link)
{
	return -EOPNOTSUPP;
}

static inline int bpf_probe_register(struct bpf_raw_event_map *btp, struct bpf_raw_tp_link *link)
{
	return -EOPNOTSUPP;
}

static inline int bpf_uprobe_multi_link_attach(const union bpf_attr *attr, struct bpf_prog *prog)
{
	return -EOPNOTSUPP;
}

static inline int bpf_kprobe_multi_link_attach(const union bpf_attr *attr, struct bpf_prog *prog)
{
	return -EOPNOTSUPP;
}

#endif /* _LINUX_TRACE_EVENT_H */
