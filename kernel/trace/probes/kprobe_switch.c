// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of the kernel's own code go on and off. To arm one takes a pass over all that are armed,
 * so those of events that are switched together wait, and are armed in one pass.
 */
#define pr_fmt(fmt) "trace probes: " fmt

#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "events/events.h"
#include "kprobe.h"

/* Probes that wait for kprobes_settle(), and how many. Protected by events_lock. */
static HLIST_HEAD(waiting);
static unsigned int nr_waiting;

static int switch_probe(struct kernel_probe *k, bool on)
{
	struct kprobe *kp = &k->rp.kp;

	if (!kernel_probe_is_there(k))
		return 0;
	return on ? enable_kprobe(kp) : disable_kprobe(kp);
}

static int switch_or_wait(struct kernel_probe *k, bool on)
{
	lockdep_assert_held(&events_lock);
	if (!events_are_many())
		return switch_probe(k, on);
	k->wanted = on;
	if (hlist_unhashed(&k->waiting)) {
		hlist_add_head(&k->waiting, &waiting);
		nr_waiting++;
	}
	return 0;
}

int kprobe_start(struct probe *p)
{
	return switch_or_wait(to_kernel_probe(p), true);
}

void kprobe_stop(struct probe *p)
{
	switch_or_wait(to_kernel_probe(p), false);
}

static bool has_to_change(const struct kernel_probe *k, bool on)
{
	return k->wanted == on && kernel_probe_is_there(k) &&
	       kprobe_disabled((struct kprobe *)&k->rp.kp) == on;
}

static int switch_waiting(struct kprobe **kps, bool on)
{
	struct kernel_probe *k;
	int nr = 0;

	hlist_for_each_entry(k, &waiting, waiting)
		if (has_to_change(k, on))
			kps[nr++] = &k->rp.kp;
	if (!nr)
		return 0;
	return on ? enable_kprobes(kps, nr) : disable_kprobes(kps, nr);
}

static int switch_together(void)
{
	struct kprobe **kps = kvmalloc_array(nr_waiting, sizeof(*kps), GFP_KERNEL);
	int err;

	if (!kps)
		return -ENOMEM;
	err = switch_waiting(kps, false) ?: switch_waiting(kps, true);
	kvfree(kps);
	return err;
}

/* Probes that are as they are wanted stay so. Return: 0, or why one is not. */
static int switch_each(void)
{
	struct kernel_probe *k;
	int ret = 0, err;

	hlist_for_each_entry(k, &waiting, waiting) {
		err = switch_probe(k, k->wanted);
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
	if (!nr_waiting)
		return 0;
	err = switch_together() ? switch_each() : 0;
	hlist_for_each_entry_safe(k, next, &waiting, waiting)
		hlist_del_init(&k->waiting);
	nr_waiting = 0;
	return err;
}
