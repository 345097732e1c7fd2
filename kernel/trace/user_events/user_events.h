/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of programs: a program says in user_events_data what they are called and which fields
 * they have, and where in its memory a bit is to tell whether somebody wants them; while the
 * bit is set it writes records to the same file (Documentation/trace/user_events.rst).
 */
#ifndef _KERNEL_TRACE_USER_EVENTS_H
#define _KERNEL_TRACE_USER_EVENTS_H

struct instance_part;

/* What instances keep of them: nothing; it makes them known. */
extern struct instance_part user_events_part;

#endif /* _KERNEL_TRACE_USER_EVENTS_H */
