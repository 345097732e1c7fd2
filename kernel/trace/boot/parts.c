// SPDX-License-Identifier: GPL-2.0
/*
 * The table of the parts of an instance: data that a directory of the tracer keeps with each
 * instance. To add a part, add its row here.
 */
#include <linux/array_size.h>

#include "actions/func_command.h"
#include "command/error_log.h"
#include "events/events.h"
#include "hist/hist.h"
#include "instance/part.h"
#include "messages/trace_printk.h"
#include "parts.h"
#include "syscalls/syscalls.h"
#include "tasks/cmdlines.h"
#include "tasks/pids.h"
#include "tracefs/files.h"
#include "tracers/left_out.h"
#include "tracers/tracers.h"
#include "triggers/triggers.h"

/* In the order of initialization. Files are created last and removed first. */
static struct instance_part * const boot_parts[] __initconst = {
	&error_log_part,
	&trace_cmdlines_part,
	&trace_pids_part,
	&trace_printk_part,
	&events_part,
	&triggers_part,
#ifdef CONFIG_HIST_TRIGGERS
	&hist_part,
#endif
#ifdef CONFIG_FTRACE_SYSCALLS
	&syscalls_part,
#endif
#ifdef CONFIG_DYNAMIC_FTRACE
	&func_command_part,
#endif
#ifdef CONFIG_FUNCTION_TRACER
	&function_part,
#endif
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	&left_out_part,
#endif
	&trace_files_part,
};

void __init register_parts(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(boot_parts); i++)
		instance_part_register(boot_parts[i]);
}
