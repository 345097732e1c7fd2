/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes of functions: fprobe.c has them hit, fprobe_text.c understands what is written, and
 * tprobe.c does both for those of tracepoints, which are functions as well.
 */
#ifndef _KERNEL_TRACE_PROBES_FPROBE_H
#define _KERNEL_TRACE_PROBES_FPROBE_H

#include <linux/fprobe.h>

#include "internal.h"

struct tracepoint;

/**
 * struct function_probe - a probe of a function
 * @probe: the probe
 * @fp: what the kernel knows of it
 * @symbol: the function, or the tracepoint
 * @returns: it is hit when the function returns
 * @instances: how many calls can be under way, or 0
 * @nr_kept: how many arguments are kept at the entry
 * @kept: which ones
 * @tp: of one of a tracepoint, that one while it is hit there, or NULL
 * @on: in a list of those of tracepoints that are on
 */
struct function_probe {
	struct probe		probe;
	struct fprobe		fp;
	char			*symbol;
	bool			returns;
	unsigned int		instances;
	unsigned int		nr_kept;
	u8			kept[PROBE_KEPT_MAX];
	struct tracepoint	*tp;
	struct list_head	on;
};

/* It begins with it: &probe_kind.size. */
static_assert(!offsetof(struct function_probe, probe));

static inline struct function_probe *to_function_probe(const struct probe *p)
{
	return container_of(p, struct function_probe, probe);
}

/**
 * function_probe_start - have a probe hit
 * @f: the probe
 * @at: the function
 *
 * Context: may sleep; events_lock held.
 * Return: 0; -EPERM if the kernel is locked down; or as register_fprobe_ips().
 */
int function_probe_start(struct function_probe *f, unsigned long at);

/* No more, nor is it under way. Context: likewise. */
void function_probe_stop(struct function_probe *f);

/* &probe_kind.place, .instances and .free */
void function_probe_place(struct seq_buf *s, const struct probe *p);
unsigned int function_probe_instances(const struct probe *p);
void function_probe_free(struct probe *p);

/**
 * function_probe_parse - understand a line behind its letter
 * @text: the text
 * @kind: what kind of probe
 * @f: filled in
 * @parse_place: understands where
 *
 * Context: may sleep; takes dyn_events_lock.
 * Return: as probe_add().
 */
int function_probe_parse(const struct probe_text *text, const struct probe_kind *kind,
			 struct function_probe *f,
			 int (*parse_place)(const struct probe_text *text, char *word,
					    struct function_probe *f,
					    struct probe_place *place));

/* Is it a line of a kind with that letter? */
bool function_probe_is(const char *line, char letter);

/* &dyn_event_kind.create, &probe_kind.parse and .name */
int fprobe_create(const char *line);
int fprobe_parse(const struct probe_text *text, struct probe *p);
char *fprobe_name(const struct probe *p);

#endif /* _KERNEL_TRACE_PROBES_FPROBE_H */
