/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What another room keeps with each instance: memory of its own, and its hand in the
 * making and the end of an instance. So nobody has to add a field to struct trace_array,
 * and making an instance knows of none of them.
 *
 * A part is one struct instance_part in a file of its room, and a row of the table in
 * boot/parts.c. An example: the words that were refused (command/error_log.c) are kept
 * with each instance, and go with it.
 */
#ifndef _KERNEL_TRACE_PART_H
#define _KERNEL_TRACE_PART_H

#include <linux/init.h>
#include <linux/list.h>
#include <linux/types.h>

#include "instance.h"

/**
 * struct instance_part - what a room keeps with each instance
 * @setup: called once, when the part is made known
 * @size: bytes of it, zero-filled in a new instance; may be 0
 * @init: the instance is being made, and nobody can find it yet; parts of rows above are
 *	there. 0 or a negative errno: then nothing of this part is left, and there is no
 *	instance. The top one is made while the kernel boots, see early_trace_init().
 * @let_go: the instance is to be removed, its tracer is nop and nobody uses it: undo what
 *	concerns others. 0 or a negative errno: then the instance stays, and a later
 *	attempt comes here again. Runs under trace_lock, may sleep.
 * @gone: nobody can find the instance any more, but who found it before may still be on
 *	his way: undo what is left. May sleep; trace_lock is not held.
 * @exit: nobody is on his way any more: free what @init has made. Likewise.
 * @emptied: the buffer was emptied, of a CPU or of all of them (RING_BUFFER_ALL_CPUS), one
 *	at a time. May sleep.
 * @offset: where it is in the memory of all; set by instance_part_register()
 * @list: among all parts
 *
 * Parts are made in the order of their rows and unmade in the opposite one. Callbacks may
 * be NULL.
 */
struct instance_part {
	void			(*setup)(void);
	size_t			size;
	int			(*init)(struct trace_array *tr);
	int			(*let_go)(struct trace_array *tr);
	void			(*gone)(struct trace_array *tr);
	void			(*exit)(struct trace_array *tr);
	void			(*emptied)(struct trace_array *tr, int cpu);
	size_t			offset;
	struct list_head	list;
};

/**
 * instance_part_register - have each instance get a part
 * @part: stays for good
 *
 * Context: boot, no instance is made yet.
 */
void __init instance_part_register(struct instance_part *part);

/**
 * instance_part - the memory of a part
 * @tr: the instance
 * @part: which part, registered
 *
 * Context: any, from @init to @exit of the part.
 * Return: @part->size bytes, as aligned as kmalloc() does it.
 */
static inline void *instance_part(const struct trace_array *tr,
				  const struct instance_part *part)
{
	return tr->parts + part->offset;
}

#endif /* _KERNEL_TRACE_PART_H */
