/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes of programs: uprobe.c has them hit, uprobe_text.c understands what is written.
 */
#ifndef _KERNEL_TRACE_PROBES_UPROBE_H
#define _KERNEL_TRACE_PROBES_UPROBE_H

#include <linux/path.h>
#include <linux/uprobes.h>

#include "internal.h"

/**
 * struct user_probe - a probe of a program
 * @probe: the probe
 * @consumer: what the kernel calls
 * @uprobe: what the kernel knows of it while it is on, or NULL
 * @path: the file
 * @by_place: among those of which events are made, by place; dyn_events_lock
 * @name: as it was written
 * @offset: where in the file
 * @counter: where in the file a counter is that is higher while the probe is on, or 0
 * @returns: it is hit when the function returns that begins there
 */
struct user_probe {
	struct probe		probe;
	struct uprobe_consumer	consumer;
	struct uprobe		*uprobe;
	struct path		path;
	struct hlist_node	by_place;
	char			*name;
	unsigned long		offset;
	unsigned long		counter;
	bool			returns;
};

/* It begins with it: &probe_kind.size. */
static_assert(!offsetof(struct user_probe, probe));

static inline struct user_probe *to_user_probe(const struct probe *p)
{
	return container_of(p, struct user_probe, probe);
}

/* Are they at the same place of a file, by whatever name it has? */
bool user_probes_meet(const struct user_probe *a, const struct user_probe *b);

/* &dyn_event_kind.create, &probe_kind.parse and .name */
int uprobe_create(const char *line);
int uprobe_parse(const struct probe_text *text, struct probe *p);
char *uprobe_name(const struct probe *p);

#endif /* _KERNEL_TRACE_PROBES_UPROBE_H */
