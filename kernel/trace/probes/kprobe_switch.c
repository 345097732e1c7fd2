// SPDX-License-Identifier: GPL-2.0
/*
 * Arming and disarming of probes of kernel code. Arming one probe takes a pass over all armed
 * probes. So while many events are switched together, their probes wait, and kprobes_settle() arms
 * or disarms them in one pass.
 */
#define pr_fmt(fmt) "trace probes: " fmt

#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "events/events.h"
#include "kprobe.h"

/* Probes that wait for kprobes_settle(), and their number. Protected by events_lock. */
static HLIST_HEAD(kprobes_waiting);
static unsigned int nr_kprobes_waiting;

static int kprobe_switch(struct kernel_probe *k, bool on)
{
	struct kprobe *kp = &k->rp.kp;

	if (!kernel_probe_is_alive(k))
		return 0;
	return on ? enable_kprobe(kp) : disable_kprobe(kp);
}

static int kprobe_switch_or_defer(struct kernel_probe *k, bool on)
{
	lockdep_assert_held(&events_lock);
	if (!events_in_batch())
		return kprobe_switch(k, on);
	k->wanted = on;
	if (hlist_unhashed(&k->waiting)) {
		hlist_add_head(&k->waiting, &kprobes_waiting);
		nr_kprobes_waiting++;
	}
	return 0;
}

int kprobe_start(struct probe *p)
{
	return kprobe_switch_or_defer(to_kernel_probe(p), true);
}

void kprobe_stop(struct probe *p)
{
	kprobe_switch_or_defer(to_kernel_probe(p), false);
}

static bool kprobe_needs_switch(const struct kernel_probe *k, bool on)
{
	return k->wanted == on && kernel_probe_is_alive(k) &&
	       kprobe_disabled((struct kprobe *)&k->rp.kp) == on;
}

static int kprobes_switch_waiting(struct kprobe **kps, bool on)
{
	struct kernel_probe *k;
	int nr = 0;

	hlist_for_each_entry(k, &kprobes_waiting, waiting)
		if (kprobe_needs_switch(k, on))
			kps[nr++] = &k->rp.kp;
	if (!nr)
		return 0;
	return on ? enable_kprobes(kps, nr) : disable_kprobes(kps, nr);
}

static int kprobes_switch_together(void)
{
	struct kprobe **kps = kvmalloc_array(nr_kprobes_waiting, sizeof(*kps), GFP_KERNEL);
	int err;

	if (!kps)
		return -ENOMEM;
	err = kprobes_switch_waiting(kps, false) ?: kprobes_switch_waiting(kps, true);
	kvfree(kps);
	return err;
}

/* Switch the waiting probes one by one. Return: 0, or the errno of the first that failed. */
static int kprobes_switch_each(void)
{
	struct kernel_probe *k;
	int ret = 0, err;

	hlist_for_each_entry(k, &kprobes_waiting, waiting) {
		err = kprobe_switch(k, k->wanted);
		if (err)
			pr_warn("%s/%s cannot be switched (%d)\n", k->probe.event->class.system,
				k->probe.event->call.name, err);
		ret = ret ?: err;
	}
	return ret;
}

int kprobes_settle(void)
{
	struct kernel_probe *k;
	struct hlist_node *next;
	int err;

	lockdep_assert_held(&events_lock);
	if (!nr_kprobes_waiting)
		return 0;
	err = kprobes_switch_together() ? kprobes_switch_each() : 0;
	hlist_for_each_entry_safe(k, next, &kprobes_waiting, waiting)
		hlist_del_init(&k->waiting);
	nr_kprobes_waiting = 0;
	return err;
}
