// SPDX-License-Identifier: GPL-2.0
/*
 * The trace options that change what is recorded.
 */
#include <linux/errno.h>
#include <linux/init.h>

#include "cmdlines.h"
#include "instance/instance.h"
#include "instance/options.h"
#include "pids.h"
#include "record.h"
#include "trace_printk.h"

static int set_record_tgid(struct trace_array *tr, bool on)
{
	if (on)
		return trace_tgids_start();
	trace_tgids_stop();
	return 0;
}

/*
 * Exactly one instance has the option.  Setting it elsewhere takes it away
 * from the one that has it; clearing it gives it back to the top.
 */
static int set_printk_dest(struct trace_array *tr, bool on)
{
	struct trace_array *old = trace_printk_dest();

	if (on) {
		WRITE_ONCE(old->flags, old->flags & ~TRACE_OPT_PRINTK_DEST);
		trace_printk_dest_set(tr);
		return 0;
	}
	if (trace_array_is_top(tr))
		return -EINVAL;
	WRITE_ONCE(global_trace.flags, global_trace.flags | TRACE_OPT_PRINTK_DEST);
	trace_printk_dest_set(&global_trace);
	return 0;
}

void __init trace_record_options_init(void)
{
	trace_option_carry_out(TRACE_OPT_RECORD_TGID_BIT, set_record_tgid);
	trace_option_carry_out(TRACE_OPT_PRINTK_DEST_BIT, set_printk_dest);
	trace_pids_options_init();
}
