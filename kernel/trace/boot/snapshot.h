/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshots that the command line asks for.
 */
#ifndef _KERNEL_TRACE_BOOT_SNAPSHOT_H
#define _KERNEL_TRACE_BOOT_SNAPSHOT_H

#include <linux/init.h>

#ifdef CONFIG_TRACER_SNAPSHOT

/**
 * snapshot_boot - have room for snapshots of the top instance, if so asked
 *
 * Context: boot; takes trace_lock.
 */
void __init snapshot_boot(void);

/**
 * snapshot_boot_named - likewise for those instances that are named
 *
 * Context: boot, when the instances of trace_instance= are made; takes trace_lock.
 */
void __init snapshot_boot_named(void);

/**
 * snapshot_boot_take - take a snapshot of each instance of which one is asked for
 *
 * Context: the end of the boot.
 */
void __init snapshot_boot_take(void);

#else

static inline void snapshot_boot(void) { }
static inline void snapshot_boot_named(void) { }
static inline void snapshot_boot_take(void) { }

#endif

#endif
