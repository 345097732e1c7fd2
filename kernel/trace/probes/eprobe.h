/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes of events: eprobe.c attaches them to another event and handles hits, eprobe_text.c has
 * their kind, and parses and shows their lines.
 */
#ifndef _KERNEL_TRACE_PROBES_EPROBE_H
#define _KERNEL_TRACE_PROBES_EPROBE_H

#include "events/events.h"
#include "events/filter.h"
#include "internal.h"

/**
 * struct event_probe - a probe of another event
 * @probe: common part of all probes
 * @of: the other event, held by event_get()
 * @file: event file of @of that belongs to no instance; this probe is its other consumer
 * @filter: filter on records of the other event, or NULL if all are wanted
 * @filter_text: filter as the user wrote it, or NULL
 */
struct event_probe {
	struct probe		probe;
	struct event		*of;
	struct trace_event_file	file;
	struct event_filter	*filter;
	char			*filter_text;
};

/* A pointer to the probe is one to the whole structure: see &probe_kind.size. */
static_assert(!offsetof(struct event_probe, probe));

static inline struct event_probe *to_event_probe(const struct probe *p)
{
	return container_of(p, struct event_probe, probe);
}

/**
 * eprobe_start - have the other event call a probe: &probe_kind.start
 * @p: the probe
 *
 * Context: may sleep; events_lock held.
 * Return: 0; or an errno of trace_scratch_get() or event_probe_add().
 */
int eprobe_start(struct probe *p);

/**
 * eprobe_stop - undo eprobe_start(), and wait for hits in flight: &probe_kind.stop
 * @p: the probe
 *
 * While events_in_batch(), eprobes_settle() waits.
 *
 * Context: may sleep; events_lock held.
 */
void eprobe_stop(struct probe *p);

/**
 * eprobe_free - free a probe: &probe_kind.free
 * @p: the probe
 *
 * Context: may sleep.
 */
void eprobe_free(struct probe *p);

#endif /* _KERNEL_TRACE_PROBES_EPROBE_H */
