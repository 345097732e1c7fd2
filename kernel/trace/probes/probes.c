// SPDX-License-Identifier: GPL-2.0
/*
 * Registration of all kinds of probes.
 */
#include "events/events.h"
#include "instance/part.h"
#include "internal.h"

static int probes_settle(void)
{
	int functions = function_probes_settle(), kprobes = kprobes_settle();

	eprobes_settle();
	return functions ?: kprobes;
}

static void probes_setup(void)
{
	events_settle_probes = probes_settle;
#ifdef CONFIG_KPROBE_EVENTS
	kprobe_kind_setup();
#endif
#ifdef CONFIG_UPROBE_EVENTS
	dyn_event_kind_add(&uprobe_kind.dyn);
#endif
#ifdef CONFIG_FPROBE_EVENTS
	dyn_event_kind_add(&fprobe_kind.dyn);
	dyn_event_kind_add(&tprobe_kind.dyn);
	function_probes_follow_modules();
#endif
	dyn_event_kind_add(&eprobe_kind.dyn);
}

struct instance_part probes_part = {
	.setup	= probes_setup,
};
