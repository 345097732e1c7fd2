/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface of trace events for perf and BPF. Include <linux/trace_events.h>, which includes
 * this file.
 */
#ifndef _LINUX_TRACE_EVENTS_ATTACH_H
#define _LINUX_TRACE_EVENTS_ATTACH_H

#include <linux/build_bug.h>
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

/* Maximum size in bytes of a record that perf accepts. */
#define PERF_MAX_TRACE_SIZE	8192

/* Used by the PMU of tracepoints. Documented in kernel/trace/perf/perf.c. */
int perf_trace_init(struct perf_event *event);
void perf_trace_destroy(struct perf_event *event);
int perf_trace_add(struct perf_event *event, int flags);
void perf_trace_del(struct perf_event *event, int flags);
int ftrace_profile_set_filter(struct perf_event *event, int event_id, char *filter_str);
void ftrace_profile_free_filter(struct perf_event *event);
int filter_match_preds(struct event_filter *filter, void *rec);

/* Used by the PMUs of kprobes and uprobes. Documented in kernel/trace/probes/perf.c. */
int perf_kprobe_init(struct perf_event *event, bool is_retprobe);
void perf_kprobe_destroy(struct perf_event *event);
int perf_uprobe_init(struct perf_event *event, unsigned long ref_ctr_offset, bool is_retprobe);
void perf_uprobe_destroy(struct perf_event *event);

/* Nothing to do: the header of a record is filled in when the record is reserved. */
static inline void perf_trace_buf_update(void *record, u16 type) { }

/*
 * Always false: records for perf do not pass through perf_trace_run_bpf_submit(). Programs run
 * before perf gets a record, in kernel/trace/perf/.
 */
static inline bool bpf_prog_array_valid(struct trace_event_call *call)
{
	return false;
}

/**
 * trace_event_get_offsets - get the size of the fixed part of an event's records
 * @call: the event
 *
 * Context: may sleep; takes events_lock.
 * Return: bytes, with the common header, without data behind the fields; 0 for an event that is
 * not registered.
 */
int trace_event_get_offsets(struct trace_event_call *call);

/**
 * struct trace_event_perf_perm - a check of who may open an event in perf
 * @call: the event
 * @check: returns 0 to let perf open @tp_event for @p_event, or an errno
 * @node: node in the list of all checks
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

/*
 * Attach a BPF program to a perf event, and detach it. Defined in kernel/events/core.c, also
 * without trace events.
 */
int perf_event_set_bpf_prog(struct perf_event *event, struct bpf_prog *prog, u64 bpf_cookie);
void perf_event_free_bpf_prog(struct perf_event *event);

/* Never called: see bpf_prog_array_valid(). */
static inline unsigned int trace_call_bpf(struct trace_event_call *call, void *ctx)
{
	return 1;
}

#ifdef CONFIG_BPF_EVENTS

/* Attaching programs to the event that a perf event has open: kernel/trace/bpf/attach.c. */
int perf_event_attach_bpf_prog(struct perf_event *event, struct bpf_prog *prog, u64 bpf_cookie);
void perf_event_detach_bpf_prog(struct perf_event *event);
int perf_event_query_prog_array(struct perf_event *event, void __user *info);
int bpf_get_perf_event_info(const struct perf_event *event, u32 *prog_id, u32 *fd_type,
			    const char **buf, u64 *probe_offset, u64 *probe_addr,
			    unsigned long *missed);

/* Attaching programs to tracepoints: kernel/trace/bpf/raw_tracepoint.c. */
struct bpf_raw_event_map *bpf_get_raw_tracepoint(const char *name);
void bpf_put_raw_tracepoint(struct bpf_raw_event_map *btp);
int bpf_probe_register(struct bpf_raw_event_map *btp, struct bpf_raw_tp_link *link);
int bpf_probe_unregister(struct bpf_raw_event_map *btp, struct bpf_raw_tp_link *link);

/* Multi links: kernel/trace/bpf/kprobe_multi.c, uprobe_multi.c. */
int bpf_kprobe_multi_link_attach(const union bpf_attr *attr, struct bpf_prog *prog);
int bpf_uprobe_multi_link_attach(const union bpf_attr *attr, struct bpf_prog *prog);

/**
 * bpf_probe_get_word - get an argument of a tracepoint as programs read it
 * @from: the argument
 * @size: its size, a constant; another one than 1, 2, 4 or 8 does not compile
 *
 * For <trace/bpf_probe.h>.
 *
 * Context: any.
 * Return: the bytes of the argument, with zeros in front of a shorter number.
 */
static __always_inline u64 bpf_probe_get_word(const void *from, size_t size)
{
	switch (size) {
	case sizeof(u8):
		return *(const u8 *)from;
	case sizeof(u16):
		return *(const u16 *)from;
	case sizeof(u32):
		return *(const u32 *)from;
	default:
		BUILD_BUG_ON(size != sizeof(u64));
		return *(const u64 *)from;
	}
}

/* Run a program with the arguments of a tracepoint. For <trace/bpf_probe.h>. */
void bpf_trace_run1(struct bpf_raw_tp_link *link, u64 a0);
void bpf_trace_run2(struct bpf_raw_tp_link *link, u64 a0, u64 a1);
void bpf_trace_run3(struct bpf_raw_tp_link *link, u64 a0, u64 a1, u64 a2);
void bpf_trace_run4(struct bpf_raw_tp_link *link, u64 a0, u64 a1, u64 a2, u64 a3);
void bpf_trace_run5(struct bpf_raw_tp_link *link, u64 a0, u64 a1, u64 a2, u64 a3, u64 a4);
void bpf_trace_run6(struct bpf_raw_tp_link *link, u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5);
void bpf_trace_run7(struct bpf_raw_tp_link *link, u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		    u64 a6);
void bpf_trace_run8(struct bpf_raw_tp_link *link, u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		    u64 a6, u64 a7);
void bpf_trace_run9(struct bpf_raw_tp_link *link, u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		    u64 a6, u64 a7, u64 a8);
void bpf_trace_run10(struct bpf_raw_tp_link *link, u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		     u64 a6, u64 a7, u64 a8, u64 a9);
void bpf_trace_run11(struct bpf_raw_tp_link *link, u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		     u64 a6, u64 a7, u64 a8, u64 a9, u64 a10);
void bpf_trace_run12(struct bpf_raw_tp_link *link, u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		     u64 a6, u64 a7, u64 a8, u64 a9, u64 a10, u64 a11);

#else

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

#endif /* CONFIG_BPF_EVENTS */

#endif /* _LINUX_TRACE_EVENTS_ATTACH_H */
