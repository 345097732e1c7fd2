// SPDX-License-Identifier: GPL-2.0
/*
 * The parts of instances: see part.h.
 */
#include <linux/align.h>
#include <linux/lockdep.h>
#include <linux/slab.h>

#include "internal.h"
#include "part.h"

/* In the order in which they are made; complete before the first instance is. */
static LIST_HEAD(parts);
static size_t parts_size;

void __init instance_part_register(struct instance_part *part)
{
	part->offset = parts_size;
	parts_size += ALIGN(part->size, ARCH_KMALLOC_MINALIGN);
	list_add_tail(&part->list, &parts);
	if (part->setup)
		part->setup();
}

static void part_undo(struct trace_array *tr, const struct instance_part *part)
{
	if (part->gone)
		part->gone(tr);
	if (part->exit)
		part->exit(tr);
}

/* Nobody has found the instance: no one has to be waited for. */
static void undo_those_before(struct trace_array *tr, struct instance_part *part)
{
	list_for_each_entry_continue_reverse(part, &parts, list)
		part_undo(tr, part);
	kfree(tr->parts);
}

int instance_parts_init(struct trace_array *tr)
{
	struct instance_part *part;
	int ret;

	/* A size of 0 is no want of memory. */
	tr->parts = kzalloc(parts_size, GFP_KERNEL);
	if (!tr->parts)
		return -ENOMEM;
	list_for_each_entry(part, &parts, list) {
		ret = part->init ? part->init(tr) : 0;
		if (ret) {
			undo_those_before(tr, part);
			return ret;
		}
	}
	return 0;
}

int instance_parts_let_go(struct trace_array *tr)
{
	struct instance_part *part;
	int ret = 0;

	lockdep_assert_held(&trace_lock);
	list_for_each_entry_reverse(part, &parts, list) {
		if (part->let_go)
			ret = part->let_go(tr);
		if (ret)
			return ret;
	}
	return 0;
}

void instance_parts_gone(struct trace_array *tr)
{
	struct instance_part *part;

	list_for_each_entry_reverse(part, &parts, list) {
		if (part->gone)
			part->gone(tr);
	}
}

void instance_parts_exit(struct trace_array *tr)
{
	struct instance_part *part;

	list_for_each_entry_reverse(part, &parts, list) {
		if (part->exit)
			part->exit(tr);
	}
	kfree(tr->parts);
}

void instance_parts_emptied(struct trace_array *tr, int cpu)
{
	struct instance_part *part;

	list_for_each_entry(part, &parts, list) {
		if (part->emptied)
			part->emptied(tr, cpu);
	}
}
