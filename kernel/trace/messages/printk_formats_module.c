// SPDX-License-Identifier: GPL-2.0
/*
 * The formats of a module that is loaded: its records may be read when it is gone,
 * so they point to copies. Only in a kernel that has modules.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/trace.h>

#include "printk_formats.h"

/*
 * The module's trace_printk()s read their format's address from the places
 * that are rewritten here. Without memory the place is emptied, and they record
 * nothing, rather than an address that will be gone.
 */
static int keep_module_formats(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *mod = data;
	unsigned int i;

	if (state != MODULE_STATE_COMING || !mod->num_trace_bprintk_fmt)
		return NOTIFY_DONE;

	trace_printk_init_buffers();

	for (i = 0; i < mod->num_trace_bprintk_fmt; i++) {
		const char **place = &mod->trace_bprintk_fmt_start[i];

		if (*place)
			*place = printk_formats_keep(*place);
	}

	return NOTIFY_OK;
}

static struct notifier_block module_formats_nb = {
	.notifier_call = keep_module_formats,
};

static int __init printk_formats_init(void)
{
	return register_module_notifier(&module_formats_nb);
}
early_initcall(printk_formats_init);
