// SPDX-License-Identifier: GPL-2.0
/*
 * The tracer that traces nothing.  It is current when no other tracer is.  Its two
 * options are for tests of tracer options: one accepts any change, one refuses it.
 */
#include <linux/errno.h>

#include "instance/tracer.h"
#include "tracer_list.h"

#define NOP_OPT_ACCEPT	0x1
#define NOP_OPT_REFUSE	0x2

static const struct tracer_option nop_options[] = {
	{ "test_nop_accept", NOP_OPT_ACCEPT },
	{ "test_nop_refuse", NOP_OPT_REFUSE },
	{ }
};

static int nop_set_option(struct trace_array *tr, u32 mask, bool on)
{
	return mask == NOP_OPT_REFUSE ? -EINVAL : 0;
}

struct tracer nop_tracer = {
	.name			= "nop",
	.set_option		= nop_set_option,
	.options		= nop_options,
	.allow_instances	= true,
};
