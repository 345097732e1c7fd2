/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A part is what another room keeps with each instance: memory, and callbacks for the setup
 * and the removal of an instance. With parts, nobody has to add a member to struct
 * trace_array, and the code that creates instances need not know the rooms above it.
 *
 * A part is one struct instance_part in a file of its room, and a row of the table in
 * boot/parts.c. Example: command/error_log.c keeps the rejected commands of each instance, and
 * frees them with it.
 */
#ifndef _KERNEL_TRACE_PART_H
#define _KERNEL_TRACE_PART_H

#include <linux/init.h>
#include <linux/list.h>
#include <linux/types.h>

#include "instance.h"

/**
 * struct instance_part - a part of each instance
 * @setup: called once, when the part is registered
 * @size: size of its memory in bytes, zero-filled in a new instance; may be 0
 * @init: sets up the part of a new instance, which nobody can find yet; the parts of earlier
 *	rows are set up. Returns 0, or a negative errno after undoing its work: then the
 *	instance is not created. The top instance is set up while the kernel boots, see
 *	early_trace_init()
 * @release: called before an instance is removed, when its tracer is nop and it has no users:
 *	undoes what concerns other instances. Returns 0, or a negative errno: then the instance
 *	stays, and a later attempt to remove it calls @release again. Runs under trace_lock, may
 *	sleep
 * @unlisted: undoes the rest. Nobody can find the instance any more, but readers under RCU may
 *	still use it. May sleep; trace_lock is not held
 * @exit: frees what @init has allocated; no reader uses the instance any more. May sleep;
 *	trace_lock is not held
 * @emptied: the buffer of one CPU, or of all (RING_BUFFER_ALL_CPUS), was emptied; calls are
 *	serialized. May sleep
 * @offset: offset in the memory of all parts; set by instance_part_register()
 * @list: entry in the list of parts
 *
 * Parts are set up in the order of their rows, and undone in the opposite order. Callbacks may
 * be NULL.
 */
struct instance_part {
	void			(*setup)(void);
	size_t			size;
	int			(*init)(struct trace_array *tr);
	int			(*release)(struct trace_array *tr);
	void			(*unlisted)(struct trace_array *tr);
	void			(*exit)(struct trace_array *tr);
	void			(*emptied)(struct trace_array *tr, int cpu);
	size_t			offset;
	struct list_head	list;
};

/**
 * instance_part_register() - register a part of all instances
 * @part: the part; never freed
 *
 * Context: boot, before the first instance is created.
 */
void __init instance_part_register(struct instance_part *part);

/**
 * instance_part() - get the memory of a part
 * @tr: the instance
 * @part: the part, registered
 *
 * Context: any, from @init to @exit of the part.
 * Return: @part->size bytes, aligned as by kmalloc().
 */
static inline void *instance_part(const struct trace_array *tr,
				  const struct instance_part *part)
{
	return tr->parts + part->offset;
}

#endif /* _KERNEL_TRACE_PART_H */
