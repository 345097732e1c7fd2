/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes of programs: uprobe.c registers them and handles hits, uprobe_text.c parses their lines,
 * and uprobe_files.c has their control files.
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
 * user_probes_same_place - test whether two probes are at the same place
 * @a: one probe
 * @b: the other probe
 *
 * Context: any.
 * Return: true if inode and offset are equal, even if the paths differ.
 */
bool user_probes_same_place(const struct user_probe *a, const struct user_probe *b);

/* &dyn_event_kind.create, &probe_kind.parse and &probe_kind.name of probes of programs. */
int uprobe_create(const char *line);
int uprobe_parse(const struct cmd_text *text, struct probe *p);
char *uprobe_name(const struct probe *p);

#endif /* _KERNEL_TRACE_PROBES_UPROBE_H */
