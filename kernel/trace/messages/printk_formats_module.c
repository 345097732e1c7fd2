// SPDX-License-Identifier: GPL-2.0
/*
 * Copies the trace_printk() formats of a module when it is loaded: its records may be read
 * after it was unloaded, so they point to the copies. Only in a kernel with modules.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/trace.h>

#include "printk_formats.h"

/*
 * The module's calls of trace_printk() load the address of their format from the array that is
 * rewritten here. Without memory for a copy the entry becomes NULL, and the call records
 * nothing, rather than an address that will become invalid.
 */
static int printk_formats_module_notify(struct notifier_block *nb, unsigned long state, void *data)
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

static struct notifier_block printk_formats_module_nb = {
	.notifier_call = printk_formats_module_notify,
};

static int __init printk_formats_module_init(void)
{
	return register_module_notifier(&printk_formats_module_nb);
}
early_initcall(printk_formats_module_init);
