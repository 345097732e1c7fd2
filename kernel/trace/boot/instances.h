/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instances of the boot parameter trace_instance=.
 */
#ifndef _KERNEL_TRACE_BOOT_INSTANCES_H
#define _KERNEL_TRACE_BOOT_INSTANCES_H

#include <linux/init.h>

/**
 * instances_boot() - create the instances of trace_instance= parameters and enable their events
 *
 * Prints a warning for an instance that cannot be created, and for an event that does not exist.
 *
 * Context: boot, once events are registered; takes trace_lock and the locks of events_switch().
 */
void __init instances_boot(void);

#endif /* _KERNEL_TRACE_BOOT_INSTANCES_H */
