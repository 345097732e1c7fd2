/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User events: a program registers an event, its fields, and a bit in its memory through the
 * file user_events_data. The bit is set while the event is on; the program then writes records
 * to the same file (Documentation/trace/user_events.rst).
 */
#ifndef _KERNEL_TRACE_USER_EVENTS_H
#define _KERNEL_TRACE_USER_EVENTS_H

struct instance_part;

/* Registers user events as a kind of dynamic events; keeps no memory per instance. */
extern struct instance_part user_events_part;

#endif /* _KERNEL_TRACE_USER_EVENTS_H */
