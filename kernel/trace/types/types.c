// SPDX-License-Identifier: GPL-2.0
/*
 * The types of records that there are, by number.
 *
 * Those of the tracer itself stay for good and are found without any lock, while the
 * kernel dies as well. Another one's functions are called only under
 * record_types_lock(), so that they can be waited for.
 */
#include <linux/bug.h>
#include <linux/cleanup.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/stddef.h>
#include <linux/xarray.h>

#include "types.h"

const struct trace_event_fields record_common_fields[] = {
	/* At 0, which is also said by not saying it. */
	{ "unsigned short", "common_type", .size = 2 },
	{ "unsigned char", "common_flags", offsetof(struct trace_entry, flags), 1 },
	{ "unsigned char", "common_preempt_count",
	  offsetof(struct trace_entry, preempt_count), 1 },
	{ "int", "common_pid", offsetof(struct trace_entry, pid), 4, .is_signed = true },
	{ }
};

/* Keeps given out types in place; taken inside all locks of readers. */
static DECLARE_RWSEM(types_sem);

static const struct record_type *own_types[TRACE_FIRST_EVENT] __ro_after_init;

static DEFINE_XARRAY_ALLOC(other_types);

/* Protects the two below; taken inside of what callers hold. */
static DEFINE_MUTEX(numbers_lock);
static u32 next_id = TRACE_FIRST_EVENT;
/* How often the numbers have begun anew. */
static u32 rounds;

void record_types_lock(void)
{
	down_read(&types_sem);
}

void record_types_unlock(void)
{
	up_read(&types_sem);
}

void __init record_type_add(const struct record_type *type)
{
	if (!WARN_ON(type->id >= TRACE_FIRST_EVENT || own_types[type->id]))
		own_types[type->id] = type;
}

/* Where the last field ends. */
static unsigned int shortest_of(const struct trace_event_fields *fields)
{
	unsigned int at, end = sizeof(struct trace_entry);
	const struct trace_event_fields *f;

	for (f = record_fields_begin(fields, &at); f->type; f = record_field_next(f, &at))
		end = max(end, at + f->size);
	return end;
}

int record_type_register(struct record_type *type)
{
	int ret;

	guard(mutex)(&numbers_lock);
	type->size = type->fields ? shortest_of(type->fields) : 0;
	ret = xa_alloc_cyclic(&other_types, &type->id, type,
			      XA_LIMIT(TRACE_FIRST_EVENT, TRACE_EVENT_TYPE_MAX),
			      &next_id, GFP_KERNEL);
	if (ret < 0)
		return ret;
	/* 1: the numbers began anew. */
	rounds += ret;
	type->key = rounds << 16 | type->id;
	return 0;
}

void record_type_unregister(const struct record_type *type)
{
	down_write(&types_sem);
	xa_erase(&other_types, type->id);
	up_write(&types_sem);
}

const struct record_type *record_type_of(unsigned int id)
{
	return id < TRACE_FIRST_EVENT ? own_types[id] : xa_load(&other_types, id);
}
