// SPDX-License-Identifier: GPL-2.0
/* The parts of instances, see part.h. */
#include <linux/align.h>
#include <linux/lockdep.h>
#include <linux/slab.h>

#include "internal.h"
#include "part.h"

/* Registered parts, in the order of their setup. Complete before the first instance is created. */
static LIST_HEAD(instance_parts);
static size_t instance_parts_size;

void __init instance_part_register(struct instance_part *part)
{
	part->offset = instance_parts_size;
	instance_parts_size += ALIGN(part->size, ARCH_KMALLOC_MINALIGN);
	list_add_tail(&part->list, &instance_parts);
	if (part->setup)
		part->setup();
}

static void instance_part_undo(struct trace_array *tr, const struct instance_part *part)
{
	if (part->unlisted)
		part->unlisted(tr);
	if (part->exit)
		part->exit(tr);
}

/* Undo the parts before @part. Nobody has found the instance yet, so no grace period is needed. */
static void instance_parts_undo_before(struct trace_array *tr, struct instance_part *part)
{
	list_for_each_entry_continue_reverse(part, &instance_parts, list)
		instance_part_undo(tr, part);
	kfree(tr->parts);
}

int instance_parts_init(struct trace_array *tr)
{
	struct instance_part *part;
	int ret;

	/* kzalloc(0) does not return NULL: a size of 0 is no failure. */
	tr->parts = kzalloc(instance_parts_size, GFP_KERNEL);
	if (!tr->parts)
		return -ENOMEM;
	list_for_each_entry(part, &instance_parts, list) {
		ret = part->init ? part->init(tr) : 0;
		if (ret) {
			instance_parts_undo_before(tr, part);
			return ret;
		}
	}
	return 0;
}

int instance_parts_release(struct trace_array *tr)
{
	struct instance_part *part;
	int ret = 0;

	lockdep_assert_held(&trace_lock);
	list_for_each_entry_reverse(part, &instance_parts, list) {
		if (part->release)
			ret = part->release(tr);
		if (ret)
			return ret;
	}
	return 0;
}

void instance_parts_unlisted(struct trace_array *tr)
{
	struct instance_part *part;

	list_for_each_entry_reverse(part, &instance_parts, list) {
		if (part->unlisted)
			part->unlisted(tr);
	}
}

void instance_parts_exit(struct trace_array *tr)
{
	struct instance_part *part;

	list_for_each_entry_reverse(part, &instance_parts, list) {
		if (part->exit)
			part->exit(tr);
	}
	kfree(tr->parts);
}

void instance_parts_emptied(struct trace_array *tr, int cpu)
{
	struct instance_part *part;

	list_for_each_entry(part, &instance_parts, list) {
		if (part->emptied)
			part->emptied(tr, cpu);
	}
}
