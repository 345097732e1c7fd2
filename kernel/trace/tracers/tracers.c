// SPDX-License-Identifier: GPL-2.0
/*
 * The table of tracers.  Each tracer has a file of its own, a declaration in tracer_list.h and a
 * row here; files/readme.c names it.  A new kind of records needs a record type: see boot/types.c.
 */
#include <linux/array_size.h>

#include "instance/tracer.h"
#include "tracer_list.h"
#include "tracers.h"

/* The order is the reverse of that in available_tracers. */
static struct tracer * const all_tracers[] __initconst = {
	&nop_tracer,
#ifdef CONFIG_FUNCTION_TRACER
	&function_tracer,
#endif
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	&function_graph_tracer,
#endif
#ifdef CONFIG_SCHED_TRACER
	&wakeup_tracer,
	&wakeup_rt_tracer,
	&wakeup_dl_tracer,
#endif
#ifdef CONFIG_IRQSOFF_TRACER
	&irqsoff_tracer,
#endif
#ifdef CONFIG_PREEMPT_TRACER
	&preemptoff_tracer,
# ifdef CONFIG_IRQSOFF_TRACER
	&preemptirqsoff_tracer,
# endif
#endif
};

int __init register_tracers(void)
{
	int ret = 0;

	for (unsigned int i = 0; !ret && i < ARRAY_SIZE(all_tracers); i++)
		ret = register_tracer(all_tracers[i]);
	return ret;
}
