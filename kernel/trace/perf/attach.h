/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that perf alone has: whoever makes one (event_init_unlisted()) has a perf event count
 * it. What perf calls meanwhile is that of any event: perf_trace_add(), perf_trace_del(), and
 * what has to do with filters.
 */
#ifndef _KERNEL_TRACE_PERF_ATTACH_H
#define _KERNEL_TRACE_PERF_ATTACH_H

struct event;
struct perf_event;

/**
 * perf_attach - have a perf event count an event
 * @event: the perf event
 * @of: the event, which stays until perf_detach()
 *
 * Context: may sleep; in fork() with perf's ctx->mutex held; takes events_lock.
 * Return: 0; -EPERM or -EACCES for who may not have it; -ENOMEM, or why its maker refuses.
 */
int perf_attach(struct perf_event *event, struct event *of);

/* What it counts. Context: any, between perf_attach() and perf_detach(). */
struct event *perf_attached(const struct perf_event *event);

/**
 * perf_detach - the end of a perf_attach() that succeeded
 * @event: which counts nowhere any more
 *
 * Context: may sleep, and waits for probes that run; takes events_lock.
 */
void perf_detach(struct perf_event *event);

#endif /* _KERNEL_TRACE_PERF_ATTACH_H */
