/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one hook of the recording side into task switches, for the rooms that
 * need to know: saved comms (cmdlines.h) and pid lists (pids.h).
 */
#ifndef _KERNEL_TRACE_SWITCH_PROBE_H
#define _KERNEL_TRACE_SWITCH_PROBE_H

/**
 * switch_probe_get - task switches are to be reported
 *
 * From now on trace_save_at_switch() and trace_pids_at_switch() are called.
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int switch_probe_get(void);

/**
 * switch_probe_put - they are not needed any more
 *
 * They may be reported for some seconds yet.
 *
 * Context: may sleep.
 */
void switch_probe_put(void);

#endif /* _KERNEL_TRACE_SWITCH_PROBE_H */
