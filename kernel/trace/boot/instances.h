/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instances that the command line asks for.
 */
#ifndef _KERNEL_TRACE_BOOT_INSTANCES_H
#define _KERNEL_TRACE_BOOT_INSTANCES_H

#include <linux/init.h>

/**
 * instances_boot - make the instances of trace_instance=, and switch their events on
 *
 * One that cannot be made is told of, as is an event that is not there, and the boot goes on.
 *
 * Context: boot, once events are known; takes trace_lock, and the locks of events_switch().
 */
void __init instances_boot(void);

#endif /* _KERNEL_TRACE_BOOT_INSTANCES_H */
