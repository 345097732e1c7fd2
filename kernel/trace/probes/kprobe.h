/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes of the kernel's own code: kprobe.c has them hit, kprobe_text.c understands what is
 * written.
 */
#ifndef _KERNEL_TRACE_PROBES_KPROBE_H
#define _KERNEL_TRACE_PROBES_KPROBE_H

#include <linux/kprobes.h>

#include "internal.h"

/**
 * struct kernel_probe - a probe of the kernel's own code
 * @probe: the probe
 * @rp: what the kernel knows of it; of one that is not hit at returns only @rp.kp
 * @symbol: ``[MODULE:]SYMBOL``, or NULL for an address
 * @start: where a symbol of the kernel itself begins, so that it is looked up once; or 0
 * @returns: it is hit when the function returns
 * @registered: the kernel knows of it
 * @instances: how many calls can be under way, or 0
 * @nr_kept: how many arguments are kept at the entry
 * @kept: which ones
 * @of_module: among those in modules, which are told when one comes; events_lock
 * @waiting: among those that are to be armed or disarmed; events_lock
 * @wanted: which of both
 */
struct kernel_probe {
	struct probe		probe;
	struct kretprobe	rp;
	char			*symbol;
	unsigned long		start;
	bool			returns;
	bool			registered;
	unsigned int		instances;
	unsigned int		nr_kept;
	u8			kept[PROBE_KEPT_MAX];
	struct hlist_node	of_module;
	struct hlist_node	waiting;
	bool			wanted;
};

/* It begins with it: &probe_kind.size. */
static_assert(!offsetof(struct kernel_probe, probe));

static inline struct kernel_probe *to_kernel_probe(const struct probe *p)
{
	return container_of(p, struct kernel_probe, probe);
}

/**
 * kernel_probe_register - have the kernel know of a probe
 * @k: the probe
 * @armed: it is hit from now on
 *
 * Context: may sleep; nobody else knows of it yet, or events_lock held.
 * Return: 0; -EILSEQ in the middle of an instruction; -ENOENT if what it is about is not there;
 * -EPERM if the kernel is locked down; or why the kernel refuses it.
 */
int kernel_probe_register(struct kernel_probe *k, bool armed);

/* It is not hit any more, nor under way. Context: likewise, or nobody any more. */
void kernel_probe_unregister(struct kernel_probe *k);

/**
 * kernel_probe_follow - whenever the module comes that a probe is in, it is hit there
 * @k: the probe, which is among all events; until &probe_kind.finish
 *
 * Context: may sleep; takes events_lock.
 */
void kernel_probe_follow(struct kernel_probe *k);

/**
 * kprobe_set_symbol - say where a probe is
 * @k: the probe, which is not registered
 * @symbol: ``[MODULE:]SYMBOL``, of which the probe has a copy from now on
 * @len: how long that is
 *
 * Context: may sleep.
 * Return: how many there are, and only one can be probed; 1 in a module to come; -ENOMEM.
 */
int kprobe_set_symbol(struct kernel_probe *k, const char *symbol, size_t len);

/* &probe_kind.start and .stop */
int kprobe_start(struct probe *p);
void kprobe_stop(struct probe *p);

/* Is what it is about there? Context: events_lock held. */
bool kernel_probe_is_there(const struct kernel_probe *k);

/* How often it was not hit, though it should have been. Context: any. */
unsigned long kernel_probe_missed(const struct kernel_probe *k);

/* &dyn_event_kind.create, &probe_kind.parse and .name */
int kprobe_create(const char *line);
int kprobe_parse(const struct probe_text *text, struct probe *p);
char *kprobe_name(const struct probe *p);

#endif /* _KERNEL_TRACE_PROBES_KPROBE_H */
