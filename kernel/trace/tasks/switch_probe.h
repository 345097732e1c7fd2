/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hook into task switches that saved comms (cmdlines.h) and pid lists (pids.h) share.
 */
#ifndef _KERNEL_TRACE_SWITCH_PROBE_H
#define _KERNEL_TRACE_SWITCH_PROBE_H

/**
 * switch_probe_get - attach the hook into task switches
 *
 * Each task switch then calls trace_save_at_switch() and trace_pids_at_switch(). Counted: each
 * successful call needs a switch_probe_put().
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int switch_probe_get(void);

/**
 * switch_probe_put - undo switch_probe_get()
 *
 * The hook may stay attached for some seconds.
 *
 * Context: may sleep.
 */
void switch_probe_put(void);

#endif /* _KERNEL_TRACE_SWITCH_PROBE_H */
