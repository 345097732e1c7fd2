// SPDX-License-Identifier: GPL-2.0
/*
 * The kinds of probes that there are.
 */
#include "instance/part.h"
#include "internal.h"

static void setup(void)
{
#ifdef CONFIG_KPROBE_EVENTS
	kprobe_kind_setup();
#endif
}

struct instance_part probes_part = {
	.setup	= setup,
};
