/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshots of the boot parameters alloc_snapshot and ftrace_boot_snapshot.
 */
#ifndef _KERNEL_TRACE_BOOT_SNAPSHOT_H
#define _KERNEL_TRACE_BOOT_SNAPSHOT_H

#include <linux/init.h>

#ifdef CONFIG_TRACER_SNAPSHOT

/**
 * snapshot_boot() - allocate the snapshot of the top instance, if a boot parameter asks for it
 *
 * Context: boot; takes trace_lock.
 */
void __init snapshot_boot(void);

/**
 * snapshot_boot_named() - allocate the snapshots of the instances that boot parameters name
 *
 * Context: boot, after the instances of trace_instance= are created; takes trace_lock.
 */
void __init snapshot_boot_named(void);

/**
 * snapshot_boot_take() - take the snapshots that ftrace_boot_snapshot asks for
 *
 * Context: end of the boot; may sleep.
 */
void __init snapshot_boot_take(void);

#else

static inline void snapshot_boot(void) { }
static inline void snapshot_boot_named(void) { }
static inline void snapshot_boot_take(void) { }

#endif

#endif
