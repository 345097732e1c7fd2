// SPDX-License-Identifier: GPL-2.0
/*
 * Completion of what probes defer while many events are switched together.
 */
#include <linux/init.h>

#include "events/events.h"
#include "internal.h"

static int probes_settle(void)
{
	int functions = function_probes_settle(), kprobes = kprobes_settle();

	eprobes_settle();
	return functions ?: kprobes;
}

static int __init probes_settle_init(void)
{
	events_settle_probes = probes_settle;
	return 0;
}
core_initcall(probes_settle_init);
