/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hooks at the entry and exit of an NMI, for tracers that measure hardware latency.
 * There is no such tracer, so the hooks are empty.
 */
#ifndef _LINUX_FTRACE_IRQ_H
#define _LINUX_FTRACE_IRQ_H

static inline void ftrace_nmi_enter(void) { }
static inline void ftrace_nmi_exit(void) { }

#endif /* _LINUX_FTRACE_IRQ_H */
