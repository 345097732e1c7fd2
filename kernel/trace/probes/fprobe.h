/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes of functions: fprobe.c handles their hits, and fprobe_text.c has their kind, and parses
 * and shows their lines; tprobe.c has the kind of probes of tracepoints, which probe the stub
 * function of a tracepoint. For both kinds, fprobe_switch.c starts and stops probes, many of them
 * together, fprobe_modules.c follows modules that are loaded and unloaded, and fprobe_files.c has
 * the control file.
 */
#ifndef _KERNEL_TRACE_PROBES_FPROBE_H
#define _KERNEL_TRACE_PROBES_FPROBE_H

#include <linux/fprobe.h>

#include "internal.h"

struct function_finder;
struct module;
struct tracepoint;

/**
 * struct function_probe - a probe of a function or of a tracepoint
 * @probe: common part of all probes
 * @fp: the fprobe
 * @symbol: ``[MODULE:]FUNCTION``, or the name of the tracepoint
 * @to_come: the module of @symbol was not loaded when the line was parsed
 * @returns: the probe is hit when the function returns
 * @instances: number of calls that can be in flight (maxactive), or 0 for the default
 * @nr_kept: number of arguments to save at the entry
 * @kept: indices of these arguments
 * @missed: hits missed in earlier registrations of @fp; events_lock
 * @tp: the tracepoint while its stub is probed; otherwise, and for functions, NULL
 * @finder: callbacks of the kind of probe; valid while the event is on
 * @in: module in which the probe is hit, or NULL
 * @at: address of the function for which @fp is registered, or will be
 * @starting: entry in the list of probes that wait for function_probes_settle() to be registered
 * @ending: the probe is in function_probes_stopping
 * @on: entry in function_probes_stopping or function_probes_on
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

/* A pointer to the probe is one to the whole structure: see &probe_kind.size. */
static_assert(!offsetof(struct function_probe, probe));

static inline struct function_probe *to_function_probe(const struct probe *p)
{
	return container_of(p, struct function_probe, probe);
}

/**
 * function_probe_start - start a probe at a function
 * @f: the probe
 * @at: address of the function
 *
 * Context: may sleep; events_lock held.
 * Return: 0; -EPERM if the kernel is locked down; -ENOENT if the symbol of an argument does not
 * exist; or an errno of function_probe_register().
 */
int function_probe_start(struct function_probe *f, unsigned long at);

/**
 * function_probe_stop - stop a probe, if it was started, and wait for hits in flight
 * @f: the probe
 *
 * Context: may sleep; events_lock held.
 */
void function_probe_stop(struct function_probe *f);

/**
 * function_probe_missed - get the number of hits that a probe has missed
 * @f: the probe
 *
 * Context: may sleep; takes events_lock.
 * Return: number of missed hits.
 */
unsigned long function_probe_missed(const struct function_probe *f);

/**
 * struct function_finder - callbacks that find and start the probes of functions or of tracepoints
 * @find: return the address of the function or of the tracepoint of a probe, but not one in module
 *	@except; or 0 if it does not exist
 * @start: start the probe at the address from @find; returns 0 or an errno
 * @stop: stop the probe, if it was started
 *
 * Context: may sleep; events_lock held; also called by module notifiers.
 */
struct function_finder {
	unsigned long	(*find)(const struct function_probe *f, const struct module *except);
	int		(*start)(struct function_probe *f, unsigned long at);
	void		(*stop)(struct function_probe *f);
};

/* Probes whose event is on, whether they are hit or wait for a module. events_lock. */
extern struct list_head function_probes_on;

/* Probes that wait for function_probes_settle() to be unregistered. events_lock. */
extern struct list_head function_probes_stopping;

/**
 * function_probe_follow - start a probe now, or when the module with its function is loaded
 * @f: the probe
 * @finder: callbacks of the kind of probe
 *
 * When the module is unloaded, the probe stops, and starts again when it is loaded again.
 *
 * Context: may sleep; events_lock held.
 * Return: 0; or an errno of @finder->start(), after which the probe is not followed.
 */
int function_probe_follow(struct function_probe *f, const struct function_finder *finder);

/**
 * function_probe_unfollow - undo function_probe_follow()
 * @f: the probe
 *
 * While events_in_batch(), function_probes_settle() stops the probe, otherwise this function does.
 *
 * Context: may sleep; events_lock held.
 */
void function_probe_unfollow(struct function_probe *f);

/**
 * function_probe_attach - start a probe at the function or tracepoint at which it is to be hit
 * @f: the probe, whose &function_probe.finder is set
 * @at: address of the function or of the tracepoint
 *
 * Context: may sleep; events_lock held.
 * Return: 0; or an errno of &function_finder.start.
 */
int function_probe_attach(struct function_probe *f, unsigned long at);

/**
 * function_probe_detach - stop a probe at the function or tracepoint at which it is hit
 * @f: the probe, which stays in its list
 *
 * Context: may sleep; events_lock held.
 */
void function_probe_detach(struct function_probe *f);

/**
 * function_probe_register - register the fprobe of a probe
 * @f: the probe
 * @at: address of the function
 *
 * While events_in_batch(), function_probes_settle() registers the fprobe later.
 *
 * Context: may sleep; events_lock held.
 * Return: 0; or an errno of register_fprobe_ips().
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
 * function_find - find the address of a function, but not in a module that is being unloaded
 * @symbol: ``FUNCTION`` or ``MODULE:FUNCTION``
 * @except: another module to leave out, or NULL
 *
 * Context: may sleep; takes module_mutex.
 * Return: the address, or 0.
 */
unsigned long function_find(const char *symbol, const struct module *except);

/**
 * fprobe_start - start a probe of a function, now or when its module is loaded: &probe_kind.start
 * @p: the probe
 *
 * Context: may sleep; events_lock held.
 * Return: 0; or an errno of function_probe_follow().
 */
int fprobe_start(struct probe *p);

/**
 * fprobe_stop - undo fprobe_start(): &probe_kind.stop
 * @p: the probe
 *
 * Context: may sleep; events_lock held.
 */
void fprobe_stop(struct probe *p);

/*
 * The next four functions are &probe_kind.place, .same_place, .instances and .free of probes of
 * functions and of tracepoints. See there for their parameters and results.
 */
void function_probe_place(struct seq_buf *s, const struct probe *p);
bool function_probe_same_place(const struct probe *a, const struct probe *b);
unsigned int function_probe_instances(const struct probe *p);
void function_probe_free(struct probe *p);

/**
 * function_probe_create - create a probe of a function or of a tracepoint
 * @whole: the line
 * @kind: kind of the probe
 * @parse_place: parses the word with the place of the probe: a function or a tracepoint
 *
 * Context: may sleep; takes dyn_events_lock.
 * Return: 0; -ECANCELED if the line does not begin with the letter of the kind; -EINVAL or another
 * errno, logged; -ENOMEM; or an errno of probe_add().
 */
int function_probe_create(const char *whole, const struct probe_kind *kind,
			  int (*parse_place)(const struct cmd_text *text, char *word,
					     struct function_probe *f,
					     struct probe_place *place));

#endif /* _KERNEL_TRACE_PROBES_FPROBE_H */
