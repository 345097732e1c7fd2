// SPDX-License-Identifier: GPL-2.0
/*
 * Programs of perf events: attaching a program to the event that a perf event has open, and telling
 * users what is attached to what. perf/ has the list of programs of each event (programs.c), and
 * runs them.
 */
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/syscalls.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>

#include "internal.h"
#include "perf/programs.h"
#include "probes/info.h"

/*
 * True if @prog can only be attached by a multi link. Its helpers rely on the run context of such a
 * link. In that of a perf event, which is smaller, they would read memory that is not theirs.
 */
static bool attach_is_for_multi_link(const struct bpf_prog *prog)
{
	return prog->type == BPF_PROG_TYPE_KPROBE &&
	       (trace_bpf_is_kprobe_multi(prog) ||
		prog->expected_attach_type == BPF_TRACE_UPROBE_MULTI);
}

static int attach_prog_to_event(struct perf_event *event, struct bpf_prog *prog, u64 bpf_cookie)
{
	int err = 0;

	if (prog->kprobe_override)
		err = probe_allow_override(event->tp_event);
	return err ?: perf_programs_add(event, prog, bpf_cookie);
}

/**
 * perf_event_attach_bpf_prog - attach a program to the event that a perf event has open
 * @event: the perf event; perf has checked that it can have a program of the type of @prog
 * @prog: the program; the caller's reference is taken over if this succeeds
 * @bpf_cookie: the number that bpf_get_attach_cookie() returns to the program
 *
 * Context: may sleep; the ctx->mutex of @event is held, and released meanwhile; takes events_lock.
 * Return: 0; -EINVAL if the program is for a multi link, or if it calls bpf_override_return() and a
 * kprobe of the event is not at the entry of a function in error_injection/list; or the errno of
 * perf_programs_add().
 */
int perf_event_attach_bpf_prog(struct perf_event *event, struct bpf_prog *prog, u64 bpf_cookie)
{
	struct perf_event_context *ctx = event->ctx;
	int err;

	if (attach_is_for_multi_link(prog))
		return -EINVAL;
	/*
	 * A CPU that goes offline takes the mutex of its context inside of cpus_write_lock(), and
	 * cpus_read_lock() is taken inside of events_lock. The list of programs needs no context.
	 */
	mutex_unlock(&ctx->mutex);
	err = attach_prog_to_event(event, prog, bpf_cookie);
	mutex_lock(&ctx->mutex);
	return err;
}

/**
 * perf_event_detach_bpf_prog - detach and release the program of a perf event
 * @event: the perf event, which nobody else uses any more; it may have no program
 *
 * Context: may sleep; takes events_lock.
 */
void perf_event_detach_bpf_prog(struct perf_event *event)
{
	perf_programs_remove(event);
}

static int attach_copy_prog_ids(struct perf_event *event, struct perf_event_query_bpf __user *user,
				u32 nr)
{
	/* For 0, by which the user asks for the number only, kcalloc() does not return NULL. */
	u32 *ids __free(kfree) = kcalloc(nr, sizeof(*ids), GFP_USER | __GFP_NOWARN);
	struct perf_event_context *ctx = event->ctx;
	u32 count;
	int err;

	if (!ids)
		return -ENOMEM;
	/* See perf_event_attach_bpf_prog(). */
	mutex_unlock(&ctx->mutex);
	err = perf_programs_get_ids(event, ids, nr, &count);
	mutex_lock(&ctx->mutex);
	if (put_user(count, &user->prog_cnt) || copy_to_user(user->ids, ids, nr * sizeof(*ids)))
		return -EFAULT;
	return err;
}

/**
 * perf_event_query_prog_array - tell a user which programs run at the hits of an event
 * @event: a perf event that has the event open
 * @info: a &struct perf_event_query_bpf of the user, with the length of its array; filled in with
 *	the number of programs, and their ids
 *
 * Context: process; may sleep; the ctx->mutex of @event is held, and released meanwhile; takes
 * events_lock.
 * Return: 0; -EPERM; -EINVAL if @event is not of a tracepoint; -E2BIG for a longer array than a
 * list of programs can be; -ENOSPC if the array is too short, and is filled; -EFAULT; -ENOMEM.
 */
int perf_event_query_prog_array(struct perf_event *event, void __user *info)
{
	struct perf_event_query_bpf __user *user = info;
	u32 nr;

	if (!perfmon_capable())
		return -EPERM;
	if (event->attr.type != PERF_TYPE_TRACEPOINT)
		return -EINVAL;
	if (get_user(nr, &user->ids_len))
		return -EFAULT;
	return nr > PERF_PROGRAMS_MAX ? -E2BIG : attach_copy_prog_ids(event, user, nr);
}

/* Describe an event of a tracepoint or of a system call: users see both as tracepoints. */
static int attach_get_tracepoint_info(const struct trace_event_call *call, u32 *fd_type,
				      const char **name, u64 *offset, u64 *addr)
{
	*name = trace_event_name(call);
	if (fd_type)
		*fd_type = BPF_FD_TYPE_TRACEPOINT;
	if (offset)
		*offset = 0;
	if (addr)
		*addr = 0;
	return 0;
}

static u32 attach_get_fd_type(const struct trace_event_call *call, const struct probe_info *info)
{
	if (call->flags & TRACE_EVENT_FL_KPROBE)
		return info->returns ? BPF_FD_TYPE_KRETPROBE : BPF_FD_TYPE_KPROBE;
	return info->returns ? BPF_FD_TYPE_URETPROBE : BPF_FD_TYPE_UPROBE;
}

/**
 * bpf_get_perf_event_info - get what the program of a perf event is attached to
 * @event: the perf event
 * @prog_id: set to the ID of the program
 * @fd_type: set to BPF_FD_TYPE_*; may be NULL if the event is a tracepoint
 * @buf: set to the name of the tracepoint; to the symbol of the kprobe, or NULL if the user gave an
 *	address; or to the path of the file of the uprobe. Valid as long as @event is open
 * @probe_offset: set to the offset in bytes from the symbol, or in the file; 0 for a tracepoint,
 *	for which it may be NULL
 * @probe_addr: set to the address of the kprobe, or to 0 if the current task may not see it; 0 for
 *	a tracepoint, for which it may be NULL
 * @missed: set to the number of hits that a kprobe has missed, and unchanged for other events; may
 *	be NULL
 *
 * Context: may sleep; takes events_lock.
 * Return: 0; -ENOENT if @event has no program; -EOPNOTSUPP if the program is one of
 * BPF_PROG_TYPE_PERF_EVENT, which is attached to @event itself.
 */
int bpf_get_perf_event_info(const struct perf_event *event, u32 *prog_id, u32 *fd_type,
			    const char **buf, u64 *probe_offset, u64 *probe_addr,
			    unsigned long *missed)
{
	const struct bpf_prog *prog = event->prog;
	const struct trace_event_call *call = event->tp_event;
	struct probe_info info;

	if (!prog)
		return -ENOENT;
	if (prog->type == BPF_PROG_TYPE_PERF_EVENT)
		return -EOPNOTSUPP;
	*prog_id = prog->aux->id;
	if (call->flags & TRACE_EVENT_FL_TRACEPOINT || is_syscall_trace_event(event->tp_event))
		return attach_get_tracepoint_info(call, fd_type, buf, probe_offset, probe_addr);
	if (!probe_get_info(call, &info))
		return -EOPNOTSUPP;
	*fd_type = attach_get_fd_type(call, &info);
	*buf = info.name;
	*probe_offset = info.offset;
	*probe_addr = info.addr;
	if (missed && call->flags & TRACE_EVENT_FL_KPROBE)
		*missed = info.missed;
	return 0;
}
