/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that are visible to perf only: their maker (event_init_unlisted()) attaches a perf event
 * to them. Scheduling and filters are those of any other event: perf_trace_add(),
 * perf_trace_del(), ftrace_profile_set_filter().
 */
#ifndef _KERNEL_TRACE_PERF_ATTACH_H
#define _KERNEL_TRACE_PERF_ATTACH_H

struct event;
struct perf_event;

/**
 * perf_attach - attach a perf event to an event
 * @event: the perf event
 * @of: the event, which the caller keeps until perf_detach()
 *
 * Context: may sleep; in fork() with perf's ctx->mutex held; takes events_lock.
 * Return: 0; -EPERM or -EACCES without permission; -ENOMEM; or an errno of the probe of @of.
 */
int perf_attach(struct perf_event *event, struct event *of);

/**
 * perf_attached - get the event that a perf event is attached to
 * @event: the perf event
 *
 * Context: any, between perf_attach() and perf_detach().
 * Return: the event.
 */
struct event *perf_attached(const struct perf_event *event);

/**
 * perf_detach - undo perf_attach()
 * @event: the perf event, which does not count on any CPU any more
 *
 * Context: may sleep; waits for running probes; takes events_lock.
 */
void perf_detach(struct perf_event *event);

#endif /* _KERNEL_TRACE_PERF_ATTACH_H */
