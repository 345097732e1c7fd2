/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hooks at the edges of an NMI, for tracers that measure hardware latency.
 * None is offered, so the hooks cost nothing.
 */
#ifndef _LINUX_FTRACE_IRQ_H
#define _LINUX_FTRACE_IRQ_H

static inline void ftrace_nmi_enter(void) { }
static inline void ftrace_nmi_exit(void) { }

#endif /* _LINUX_FTRACE_IRQ_H */
