/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes of functions: fprobe.c has them hit, fprobe_text.c understands what is written, and
 * tprobe.c does both for those of tracepoints, which are functions as well. fprobe_modules.c has
 * both kinds follow modules that come and go, fprobe_switch.c switches many of them together.
 */
#ifndef _KERNEL_TRACE_PROBES_FPROBE_H
#define _KERNEL_TRACE_PROBES_FPROBE_H

#include <linux/fprobe.h>

#include "internal.h"

struct function_finder;
struct module;
struct tracepoint;

/**
 * struct function_probe - a probe of a function
 * @probe: the probe
 * @fp: what the kernel knows of it
 * @symbol: the function, which may be ``MODULE:FUNCTION``, or the tracepoint
 * @to_come: that was in a module that was not there when the line was understood
 * @returns: it is hit when the function returns
 * @instances: how many calls can be under way, or 0
 * @nr_kept: how many arguments are kept at the entry
 * @kept: which ones
 * @missed: what @fp had missed by the times that it went; events_lock
 * @tp: of one of a tracepoint, that one while it is hit there, or NULL
 * @finder: how its function is found, while it is on
 * @in: the module that it is hit in, or NULL
 * @at: where it is hit, or will be
 * @starting: it waits for function_probes_settle() to be hit
 * @ending: it is in function_probes_ending
 * @on: in that, or in function_probes_on
 */
struct function_probe {
	struct probe		probe;
	struct fprobe		fp;
	char			*symbol;
	bool			to_come;
	bool			returns;
	unsigned int		instances;
	unsigned int		nr_kept;
	u8			kept[PROBE_KEPT_MAX];
	unsigned long		missed;
	struct tracepoint	*tp;
	const struct function_finder	*finder;
	const struct module	*in;
	unsigned long		at;
	struct list_head	starting;
	bool			ending;
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
 * Return: 0; -EPERM if the kernel is locked down; -ENOENT if a symbol that it fetches from is not
 * there; or as function_probe_register().
 */
int function_probe_start(struct function_probe *f, unsigned long at);

/* No more, nor is it under way. Context: likewise. */
void function_probe_stop(struct function_probe *f);

/* How often it was not hit, though it should have been. Context: may sleep; takes events_lock. */
unsigned long function_probe_missed(const struct function_probe *f);

/**
 * struct function_finder - how a kind of probes finds the functions, and has them hit
 * @find: where it is what a probe is about, unless that is in module @but. Return: an address,
 *	or 0
 * @start: have it hit there. Return: 0 or an errno
 * @stop: no more, if it is
 *
 * Context of all: may sleep; events_lock held; may be in the notifiers of modules.
 */
struct function_finder {
	unsigned long	(*find)(const struct function_probe *f, const struct module *but);
	int		(*start)(struct function_probe *f, unsigned long at);
	void		(*stop)(struct function_probe *f);
};

/* The probes that are on, whether they are hit or wait for a module; events_lock. */
extern struct list_head function_probes_on;

/* The probes that wait for function_probes_settle() to be hit no more; events_lock. */
extern struct list_head function_probes_ending;

/**
 * function_probe_follow - have a probe hit as long as what it is about is there
 * @f: the probe
 * @finder: of its kind
 *
 * The probe is hit from now on, or from when a module comes that has its function, until that
 * module goes.
 *
 * Context: may sleep; events_lock held.
 * Return: 0; or as @finder->start(): then it is not hit later either.
 */
int function_probe_follow(struct function_probe *f, const struct function_finder *finder);

/* Undo function_probe_follow(), in the same context; while events_are_many(), for later. */
void function_probe_unfollow(struct function_probe *f);

/* Have it hit no more where it is. Context: as function_probe_follow(). */
void function_probe_leave(struct function_probe *f);

/**
 * function_probe_register - have the handlers of a probe called
 * @f: the probe
 * @at: the function
 *
 * While events_are_many() they are called from function_probes_settle() on.
 *
 * Context: may sleep; events_lock held.
 * Return: 0; or as register_fprobe_ips().
 */
int function_probe_register(struct function_probe *f, unsigned long at);

/**
 * function_probe_unregister - undo function_probe_register(), if that was called
 * @f: the probe
 *
 * Context: may sleep; events_lock held.
 */
void function_probe_unregister(struct function_probe *f);

/**
 * function_probe_end_later - have a probe wait to be hit no more, if many are switched
 * @f: the probe, in function_probes_on
 *
 * Context: events_lock held.
 * Return: false if it is not hit, or is to leave at once.
 */
bool function_probe_end_later(struct function_probe *f);

/**
 * function_probe_keep - undo function_probe_end_later()
 * @f: the probe
 *
 * Context: events_lock held.
 * Return: false if it does not wait to be hit no more.
 */
bool function_probe_keep(struct function_probe *f);

/**
 * function_find - where a function is
 * @symbol: its name, or ``MODULE:FUNCTION``
 * @but: not in this module, or NULL; nor in another one that goes
 *
 * Context: may sleep; takes module_mutex.
 * Return: its address, or 0.
 */
unsigned long function_find(const char *symbol, const struct module *but);

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
