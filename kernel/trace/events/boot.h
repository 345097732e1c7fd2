/* SPDX-License-Identifier: GPL-2.0 */
/* Private to events/: the steps of events_boot(), in their order. */
#ifndef _KERNEL_TRACE_EVENTS_BOOT_H
#define _KERNEL_TRACE_EVENTS_BOOT_H

#include <linux/init.h>

/**
 * event_evals_add_kernel - add the eval maps of the kernel itself
 *
 * Context: boot; takes events_lock.
 */
void __init event_evals_add_kernel(void);

/**
 * events_add_own - register the kernel's own events
 *
 * Context: boot, once RCU is up; takes events_lock.
 */
void __init events_add_own(void);

/**
 * event_printk_boot - set up tp_printk
 *
 * Context: boot, when events are registered, before any is on.
 */
void __init event_printk_boot(void);

/**
 * event_export_boot - have events exported once there is an exporter
 *
 * Context: boot, before any event is on.
 */
void __init event_export_boot(void);

/**
 * event_words_boot - apply trace_event= to the top instance
 *
 * Context: boot, once events are registered; takes the locks of events_switch().
 */
void __init event_words_boot(void);

#endif /* _KERNEL_TRACE_EVENTS_BOOT_H */
