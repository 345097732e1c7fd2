/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes of events: eprobe.c has them hit, eprobe_text.c understands what is written.
 */
#ifndef _KERNEL_TRACE_PROBES_EPROBE_H
#define _KERNEL_TRACE_PROBES_EPROBE_H

#include "events/events.h"
#include "events/filter.h"
#include "internal.h"

/**
 * struct event_probe - a probe of an event
 * @probe: the probe
 * @of: the other event, which stays: event_get()
 * @file: what the probe of that one is called with
 * @filter: which of its records it is about, or NULL for all
 * @filter_text: as it was written, or NULL
 */
struct event_probe {
	struct probe		probe;
	struct event		*of;
	struct trace_event_file	file;
	struct event_filter	*filter;
	char			*filter_text;
};

static inline struct event_probe *to_event_probe(const struct probe *p)
{
	return container_of(p, struct event_probe, probe);
}

/* All that belongs to it; it is not on. Context: may sleep. */
void event_probe_free(struct event_probe *e);

/* &dyn_event_kind.create */
int eprobe_create(const char *line);

#endif /* _KERNEL_TRACE_PROBES_EPROBE_H */
