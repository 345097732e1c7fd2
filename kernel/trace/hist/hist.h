/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histograms: events are counted by their fields, and numbers in them added up, while they
 * come (SPEC E2).
 *
 *	# echo 'hist:keys=call_site.sym:vals=bytes_req:sort=bytes_req.descending' \
 *		> events/kmem/kmalloc/trigger
 *	# cat events/kmem/kmalloc/hist
 *
 * A histogram is a trigger of its event. What it counts is in a table (table/), which
 * triggers that have the same name share.
 */
#ifndef _KERNEL_TRACE_HIST_H
#define _KERNEL_TRACE_HIST_H

struct instance_part;

/* Makes "hist" a kind of triggers. */
extern struct instance_part hist_part;

#endif /* _KERNEL_TRACE_HIST_H */
