// SPDX-License-Identifier: GPL-2.0
/*
 * Interface for BPF, which attaches programs to events of probes. BPF knows an event only by its
 * &struct trace_event_call: probes are private to this room.
 */
#include <linux/cleanup.h>
#include <linux/cred.h>
#include <linux/error-injection.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/lockdep.h>

#include "events/events.h"
#include "info.h"
#include "internal.h"
#include "kprobe.h"
#include "uprobe.h"

#ifdef CONFIG_KPROBE_EVENTS

static void kernel_probe_get_info(const struct kernel_probe *k, struct probe_info *info)
{
	*info = (struct probe_info) {
		.returns	= k->returns,
		.name		= k->symbol,
		.offset		= k->rp.kp.offset,
		.addr		= kallsyms_show_value(current_cred()) ?
				  (unsigned long)k->rp.kp.addr : 0,
		.missed		= kernel_probe_missed(k),
	};
}

/* True at the entry of a function whose callers are ready for any error: error_injection/list. */
static bool kernel_probe_can_override(struct kernel_probe *k)
{
	kprobe_opcode_t *addr = k->rp.kp.addr;

	/* kprobe_on_func_entry() returns 0 if it is. @addr is NULL if the module is not loaded. */
	return addr && !kprobe_on_func_entry(addr, NULL, 0) &&
	       within_error_injection_list((unsigned long)addr);
}

int probe_allow_override(struct trace_event_call *call)
{
	struct probe_event *event = probe_event_of(call);
	struct probe *p;

	guard(mutex)(&events_lock);
	list_for_each_entry(p, &event->probes, node)
		if (!kernel_probe_can_override(to_kernel_probe(p)))
			return -EINVAL;
	/* probe_set_programs() chooses the handlers when the program is attached. */
	event->overridable = true;
	return 0;
}

int probe_join_programs(const struct probe_event *event, struct probe *p)
{
	lockdep_assert_held(&events_lock);
	if (event->overridable && !kernel_probe_can_override(to_kernel_probe(p)))
		return -EBUSY;
	kprobe_set_handlers(p);
	return 0;
}

#else

static void kernel_probe_get_info(const struct kernel_probe *k, struct probe_info *info) { }

#endif

#ifdef CONFIG_UPROBE_EVENTS

static void user_probe_get_info(const struct user_probe *u, struct probe_info *info)
{
	*info = (struct probe_info) {
		.returns	= u->returns,
		.name		= u->name,
		.offset		= u->offset,
	};
}

#else

static void user_probe_get_info(const struct user_probe *u, struct probe_info *info) { }

#endif

bool probe_get_info(const struct trace_event_call *call, struct probe_info *info)
{
	const struct probe *p;

	if (!(call->flags & (TRACE_EVENT_FL_KPROBE | TRACE_EVENT_FL_UPROBE)))
		return false;
	guard(mutex)(&events_lock);
	p = list_first_entry(&probe_event_of(call)->probes, struct probe, node);
	if (call->flags & TRACE_EVENT_FL_KPROBE)
		kernel_probe_get_info(to_kernel_probe(p), info);
	else
		user_probe_get_info(to_user_probe(p), info);
	return true;
}
