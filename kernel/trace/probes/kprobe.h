/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes of kernel code: kprobe.c registers them and handles hits, kprobe_programs.c handles hits
 * of those with BPF programs, kprobe_switch.c arms and disarms them, kprobe_text.c has their kind,
 * and parses and shows their lines, kprobe_files.c has their control files, and kprobe_api.c has
 * the interface for modules.
 */
#ifndef _KERNEL_TRACE_PROBES_KPROBE_H
#define _KERNEL_TRACE_PROBES_KPROBE_H

#include <linux/kprobes.h>

#include "internal.h"

/**
 * struct kernel_probe - a probe of kernel code
 * @probe: common part of all probes
 * @rp: the kretprobe; a probe that is not hit at returns uses only the kprobe @rp.kp
 * @symbol: ``[MODULE:]SYMBOL``, or NULL for an address
 * @start: address of a symbol of the kernel itself, so that it is looked up only once; or 0
 * @returns: the probe is hit when the function returns
 * @registered: @rp, or @rp.kp, is registered
 * @instances: number of calls that can be in flight (maxactive), or 0 for the default
 * @nr_kept: number of arguments to save at the entry
 * @kept: indices of these arguments
 * @module_node: entry in the list of probes in modules, of kprobe.c; events_lock
 * @waiting: entry in the list of probes that wait for kprobes_settle(); events_lock
 * @wanted: true to arm the probe in kprobes_settle(), false to disarm it
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
	struct hlist_node	module_node;
	struct hlist_node	waiting;
	bool			wanted;
};

/* A pointer to the probe is one to the whole structure: see &probe_kind.size. */
static_assert(!offsetof(struct kernel_probe, probe));

static inline struct kernel_probe *to_kernel_probe(const struct probe *p)
{
	return container_of(p, struct kernel_probe, probe);
}

/**
 * kernel_probe_register - register the kprobe or kretprobe of a probe
 * @k: the probe
 * @armed: true to arm it, so that it is hit; false to register it disarmed
 *
 * Context: may sleep; events_lock held, unless only the caller knows the probe.
 * Return: 0; -EILSEQ for an address inside of an instruction; -ENOENT if the symbol of the probe,
 * or of an argument, does not exist; -EINVAL if the place must not be probed; -EPERM if the kernel
 * is locked down; or another errno of register_kprobe() or register_kretprobe().
 */
int kernel_probe_register(struct kernel_probe *k, bool armed);

/* The probe that has a kretprobe. */
static __always_inline const struct kernel_probe *kernel_probe_of(const struct kretprobe *rp)
{
	return container_of(rp, struct kernel_probe, rp);
}

/**
 * kprobe_set_handlers - choose what is called at hits of a probe: &probe_kind.set_handlers
 * @p: the probe
 *
 * Context: any; events_lock held, unless only the caller knows the probe.
 */
void kprobe_set_handlers(struct probe *p);

/*
 * These functions are called at hits of a probe to whose event BPF programs are attached: the
 * first at the entry, the second at the entry if a program may change where the task goes on, and
 * the third at the return.
 */
int kprobe_entry_programs(struct kprobe *kp, struct pt_regs *regs);
int kprobe_entry_overridable(struct kprobe *kp, struct pt_regs *regs);
int kretprobe_return_programs(struct kretprobe_instance *ri, struct pt_regs *regs);

/**
 * kernel_probe_unregister - undo kernel_probe_register(), if that was called, and wait for hits
 * @k: the probe, which can be registered again
 *
 * Context: may sleep; events_lock held, unless only the caller knows the probe.
 */
void kernel_probe_unregister(struct kernel_probe *k);

/**
 * kernel_probe_follow - register a probe in a module whenever that module is loaded
 * @k: the probe, after probe_add(); followed until &probe_kind.finish
 *
 * Does nothing for a probe that is in the kernel itself.
 *
 * Context: may sleep; takes events_lock.
 */
void kernel_probe_follow(struct kernel_probe *k);

/**
 * kprobe_set_symbol - set the place of a probe to a symbol
 * @k: the probe, which is not registered
 * @symbol: ``[MODULE:]SYMBOL``, which is copied
 * @len: length of @symbol in bytes
 *
 * Context: may sleep.
 * Return: number of symbols of that name: only a unique one can be probed; 1 if the module is not
 * loaded; or -ENOMEM.
 */
int kprobe_set_symbol(struct kernel_probe *k, const char *symbol, size_t len);

/**
 * kprobe_start - arm a probe, now or in kprobes_settle(): &probe_kind.start
 * @p: the probe
 *
 * Context: may sleep; events_lock held.
 * Return: 0 or an errno.
 */
int kprobe_start(struct probe *p);

/**
 * kprobe_stop - disarm a probe, now or in kprobes_settle(): &probe_kind.stop
 * @p: the probe
 *
 * Context: may sleep; events_lock held.
 */
void kprobe_stop(struct probe *p);

/**
 * kprobe_finish - unregister a probe that was removed: &probe_kind.finish
 * @p: the probe
 *
 * Context: may sleep; takes events_lock.
 */
void kprobe_finish(struct probe *p);

/**
 * kprobe_free - free a probe: &probe_kind.free
 * @p: the probe, which is unregistered if it is registered
 *
 * Context: may sleep.
 */
void kprobe_free(struct probe *p);

/**
 * kernel_probe_is_alive - test whether a probe can be armed
 * @k: the probe
 *
 * Context: events_lock held.
 * Return: true if it is registered, and its module was not unloaded.
 */
bool kernel_probe_is_alive(const struct kernel_probe *k);

/**
 * kernel_probe_missed - get the number of hits that a probe has missed
 * @k: the probe
 *
 * Context: any.
 * Return: number of missed hits.
 */
unsigned long kernel_probe_missed(const struct kernel_probe *k);

#endif /* _KERNEL_TRACE_PROBES_KPROBE_H */
