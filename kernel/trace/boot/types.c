// SPDX-License-Identifier: GPL-2.0
/*
 * The table of the record types of the tracer itself. To add a type, give it a number in enum
 * trace_type (types/types.h), write its file, declare it in a header of its room, and add its row
 * here.
 */
#include <linux/array_size.h>

#include "messages/print.h"
#include "parts.h"
#include "record/stack.h"
#include "tracers/tracers.h"
#include "types/types.h"

static const struct record_type * const boot_types[] __initconst = {
	&print_type,
	&bprint_type,
	&bputs_type,
	&raw_data_type,
	&stack_type,
	&user_stack_type,
	&function_type,
	&func_repeats_type,
	&ctx_switch_type,
	&wakeup_type,
	&graph_ent_type,
	&graph_ret_type,
};

void __init register_types(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(boot_types); i++)
		record_type_add(boot_types[i]);
}
