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

/* It begins with it: &probe_kind.size. */
static_assert(!offsetof(struct event_probe, probe));

static inline struct event_probe *to_event_probe(const struct probe *p)
{
	return container_of(p, struct event_probe, probe);
}

/* &dyn_event_kind.create, &probe_kind.parse and .name */
int eprobe_create(const char *line);
int eprobe_parse(const struct probe_text *text, struct probe *p);
char *eprobe_name(const struct probe *p);

#endif /* _KERNEL_TRACE_PROBES_EPROBE_H */
