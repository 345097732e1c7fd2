/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes of programs: uprobe.c registers them and handles hits, uprobe_text.c has their kind, and
 * parses and shows their lines, and uprobe_files.c has their control files.
 */
#ifndef _KERNEL_TRACE_PROBES_UPROBE_H
#define _KERNEL_TRACE_PROBES_UPROBE_H

#include <linux/path.h>
#include <linux/uprobes.h>

#include "internal.h"

/**
 * struct user_probe - a probe of a program
 * @probe: common part of all probes
 * @consumer: handlers for the kernel's uprobes
 * @uprobe: the registered uprobe while the probe is on, or NULL
 * @path: file of the program
 * @by_place: entry in a hash of all probes that were added, by place; dyn_events_lock
 * @name: path of the file as the user wrote it
 * @offset: offset of the place in the file
 * @counter: offset in the file of a counter that is incremented while the probe is on, or 0
 * @returns: the probe is hit when the function that begins at the place returns
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

/* A pointer to the probe is one to the whole structure: see &probe_kind.size. */
static_assert(!offsetof(struct user_probe, probe));

static inline struct user_probe *to_user_probe(const struct probe *p)
{
	return container_of(p, struct user_probe, probe);
}

/**
 * uprobe_start - register a probe: &probe_kind.start
 * @p: the probe
 *
 * Context: may sleep; events_lock held.
 * Return: 0; -ENOMEM; or an errno of uprobe_register().
 */
int uprobe_start(struct probe *p);

/**
 * uprobe_stop - unregister a probe, and wait for hits in flight: &probe_kind.stop
 * @p: the probe
 *
 * Context: may sleep; events_lock held.
 */
void uprobe_stop(struct probe *p);

/**
 * uprobe_update_tasks - add or remove breakpoints of tasks: &probe_kind.update_tasks
 * @p: the probe
 * @more: true if more tasks want the event, false for fewer
 *
 * Context: may sleep; events_lock held.
 * Return: 0; or an errno of uprobe_apply().
 */
int uprobe_update_tasks(struct probe *p, bool more);

/**
 * uprobe_free - free a probe: &probe_kind.free
 * @p: the probe
 *
 * Context: may sleep; dyn_events_lock held if the probe was added.
 */
void uprobe_free(struct probe *p);

#endif /* _KERNEL_TRACE_PROBES_UPROBE_H */
