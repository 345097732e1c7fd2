/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What rooms keep with each instance: see instance/part.h.
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

#endif /* _KERNEL_TRACE_BOOT_PARTS_H */
