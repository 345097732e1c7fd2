/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histograms: triggers that count the hits of an event by the values of its fields, and add up
 * numbers of the record, at each hit (SPEC E2).
 *
 *	# echo 'hist:keys=call_site.sym:vals=bytes_req:sort=bytes_req.descending' \
 *		> events/kmem/kmalloc/trigger
 *	# cat events/kmem/kmalloc/hist
 *
 * The counts of a histogram are in a table (table/). Triggers that have the same name share one.
 */
#ifndef _KERNEL_TRACE_HIST_H
#define _KERNEL_TRACE_HIST_H

struct instance_part;

/* Registers "hist" as a kind of triggers at boot. */
extern struct instance_part hist_part;

#endif /* _KERNEL_TRACE_HIST_H */
