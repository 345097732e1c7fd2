// SPDX-License-Identifier: GPL-2.0
/*
 * The registry of types of records, by number.
 *
 * The tracer's own types are never removed and are found without a lock, also by a dump on oops.
 * Functions of any other type are called only under record_types_lock(), so that its removal can
 * wait for them.
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
	/* At offset 0: for common fields .offset is always the offset. */
	{ "unsigned short", "common_type", .size = 2 },
	{ "unsigned char", "common_flags", offsetof(struct trace_entry, flags), 1 },
	{ "unsigned char", "common_preempt_count",
	  offsetof(struct trace_entry, preempt_count), 1 },
	{ "int", "common_pid", offsetof(struct trace_entry, pid), 4, .is_signed = true },
	{ }
};

/* Keeps registered types from being removed. Taken inside all locks of readers. */
static DECLARE_RWSEM(record_types_sem);

static const struct record_type *record_own_types[TRACE_FIRST_EVENT] __ro_after_init;

static DEFINE_XARRAY_ALLOC(record_other_types);

/* Protects the two variables below. Innermost. */
static DEFINE_MUTEX(record_numbers_lock);
static u32 record_next_id = TRACE_FIRST_EVENT;
/* How often the numbers have started again from TRACE_FIRST_EVENT. */
static u32 record_id_rounds;

void record_types_lock(void)
{
	down_read(&record_types_sem);
}

void record_types_unlock(void)
{
	up_read(&record_types_sem);
}

void __init record_type_add(const struct record_type *type)
{
	if (!WARN_ON(type->id >= TRACE_FIRST_EVENT || record_own_types[type->id]))
		record_own_types[type->id] = type;
}

/* Return: the end of the last field, which is the size of the shortest record. */
static unsigned int record_min_size(const struct trace_event_fields *fields)
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

	guard(mutex)(&record_numbers_lock);
	type->size = type->fields ? record_min_size(type->fields) : 0;
	ret = xa_alloc_cyclic(&record_other_types, &type->id, type,
			      XA_LIMIT(TRACE_FIRST_EVENT, TRACE_EVENT_TYPE_MAX),
			      &record_next_id, GFP_KERNEL);
	if (ret < 0)
		return ret;
	/* xa_alloc_cyclic() returns 1 if the numbers have started again. */
	record_id_rounds += ret;
	type->key = record_id_rounds << 16 | type->id;
	return 0;
}

void record_type_unregister(const struct record_type *type)
{
	down_write(&record_types_sem);
	xa_erase(&record_other_types, type->id);
	up_write(&record_types_sem);
}

const struct record_type *record_type_of(unsigned int id)
{
	return id < TRACE_FIRST_EVENT ? record_own_types[id] : xa_load(&record_other_types, id);
}
