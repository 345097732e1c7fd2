// SPDX-License-Identifier: GPL-2.0
/*
 * Copies the trace_printk() formats of a module when it is loaded. The records of the module point
 * to the copies, as they may be read after the module was unloaded. Only in a kernel with modules.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/trace.h>

#include "printk_formats.h"

/*
 * The module's calls of trace_printk() load the addresses of their formats from an array, in which
 * each address is replaced here by that of a copy. Without memory for a copy it is replaced by
 * NULL, and the call records nothing, since the original address would become invalid.
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
