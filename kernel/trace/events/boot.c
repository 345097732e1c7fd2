// SPDX-License-Identifier: GPL-2.0
/* Registering events at boot. */
#include <linux/cleanup.h>
#include <linux/init.h>

#include "boot.h"
#include "events.h"
#include "instance/instance.h"

void __init events_boot(void)
{
	if (!tracing_initialized())
		return;
	event_evals_add_kernel();
	events_add_own();
	event_printk_boot();
	event_export_boot();
	event_words_boot();
}
