// SPDX-License-Identifier: GPL-2.0
/*
 * A module with traceable functions and an event, like a driver. many.c loads it many times,
 * each time with another number in the names of the module and of the event.
 */
#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "ftrace_grow_events.h"

#define GROW_FUNCTION(n)						\
	static noinline __used void grow_function_##n(void)		\
	{								\
		asm volatile("# " #n : : : "memory");			\
	}

GROW_FUNCTION(0) GROW_FUNCTION(1) GROW_FUNCTION(2) GROW_FUNCTION(3) GROW_FUNCTION(4)
GROW_FUNCTION(5) GROW_FUNCTION(6) GROW_FUNCTION(7) GROW_FUNCTION(8) GROW_FUNCTION(9)

static int __init grow_init(void)
{
	trace_grow_00000(0);
	return 0;
}
module_init(grow_init);

static void __exit grow_exit(void)
{
}
module_exit(grow_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Cost of a module with functions and an event");
