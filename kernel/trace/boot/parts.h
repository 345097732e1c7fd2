/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What rooms keep with each instance (instance/part.h), and what they record
 * (types/types.h).
 */
#ifndef _KERNEL_TRACE_BOOT_PARTS_H
#define _KERNEL_TRACE_BOOT_PARTS_H

#include <linux/init.h>

/**
 * register_parts - make all parts known
 *
 * Context: boot, no instance is made yet.
 */
void __init register_parts(void);

/**
 * register_types - make all types of records of the tracer's own known
 *
 * Context: boot, nothing was recorded yet.
 */
void __init register_types(void);

#endif /* _KERNEL_TRACE_BOOT_PARTS_H */
