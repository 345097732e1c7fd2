/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registration of the parts of instances (instance/part.h) and of record types (types/types.h).
 */
#ifndef _KERNEL_TRACE_BOOT_PARTS_H
#define _KERNEL_TRACE_BOOT_PARTS_H

#include <linux/init.h>

/**
 * register_parts() - register all parts of instances
 *
 * Context: boot, before the first instance is initialized.
 */
void __init register_parts(void);

/**
 * register_types() - register all record types of the tracer itself
 *
 * Context: boot, before anything is recorded.
 */
void __init register_types(void);

#endif /* _KERNEL_TRACE_BOOT_PARTS_H */
