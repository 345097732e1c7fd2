/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What perf and BPF ask of trace events. The end of <linux/trace_events.h>, which is what to
 * include.
 */
#ifndef _LINUX_TRACE_EVENTS_ATTACH_H
#define _LINUX_TRACE_EVENTS_ATTACH_H

#include <linux/errno.h>
#include <linux/init.h>
#include <linux/types.h>

struct bpf_prog;
struct bpf_raw_event_map;
struct bpf_raw_tp_link;
struct event_filter;
struct hlist_head;
struct perf_event;
struct pt_regs;
struct task_struct;
struct trace_event_call;
union bpf_attr;

#if defined(CONFIG_PERF_EVENTS) && defined(CONFIG_EVENT_TRACING)

/* The longest record that perf takes. */
#define PERF_MAX_TRACE_SIZE	8192

/*
 * What the PMU of tracepoints asks for: see kernel/trace/perf/perf.c.
 */
int perf_trace_init(struct perf_event *event);
void perf_trace_destroy(struct perf_event *event);
int perf_trace_add(struct perf_event *event, int flags);
void perf_trace_del(struct perf_event *event, int flags);
int ftrace_profile_set_filter(struct perf_event *event, int event_id, char *filter_str);
void ftrace_profile_free_filter(struct perf_event *event);
int filter_match_preds(struct event_filter *filter, void *rec);

/*
 * Likewise those of kprobes and uprobes: see kernel/trace/probes/perf.c.
 */
int perf_kprobe_init(struct perf_event *event, bool is_retprobe);
void perf_kprobe_destroy(struct perf_event *event);
int perf_uprobe_init(struct perf_event *event, unsigned long ref_ctr_offset, bool is_retprobe);
void perf_uprobe_destroy(struct perf_event *event);

/* A record has its header from the beginning on. */
static inline void perf_trace_buf_update(void *record, u16 type) { }

/* No BPF program can be attached yet. */
static inline bool bpf_prog_array_valid(struct trace_event_call *call)
{
	return false;
}

/**
 * trace_event_get_offsets - how long the records of an event are, without what is behind
 * @call: the event
 *
 * Context: may sleep; takes events_lock.
 * Return: bytes, with the common header; 0 for an event that is not known.
 */
int trace_event_get_offsets(struct trace_event_call *call);

/**
 * struct trace_event_perf_perm - what an event asks of those who want it from perf
 * @call: the event
 * @check: returns 0, or the errno that they get
 * @node: among all of these
 */
struct trace_event_perf_perm {
	struct trace_event_call	*call;
	int			(*check)(struct trace_event_call *tp_event,
					 struct perf_event *p_event);
	struct list_head	node;
};

/* For TRACE_EVENT_PERF_PERM(). */
void __init __trace_event_perf_perm(struct trace_event_perf_perm *perm);

void perf_trace_run_bpf_submit(void *raw_data, int size, int rctx,
			       struct trace_event_call *call, u64 count,
			       struct pt_regs *regs, struct hlist_head *head,
			       struct task_struct *task);

#endif

/* kernel/events/core.c has them with perf, where there are no events, too: a BPF program on one. */
int perf_event_set_bpf_prog(struct perf_event *event, struct bpf_prog *prog, u64 bpf_cookie);
void perf_event_free_bpf_prog(struct perf_event *event);

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

#endif /* _LINUX_TRACE_EVENTS_ATTACH_H */
