// SPDX-License-Identifier: GPL-2.0
/*
 * Records beside the buffer, of which the room comes and goes: see beside.h.
 */
#include <linux/build_bug.h>
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "beside.h"
#include "record.h"
#include "ring_buffer/write.h"

#define ROOM	(TRACE_BESIDE_PLACES * TRACE_BESIDE_MAX)

static_assert(TRACE_BESIDE_MAX % sizeof(u64) == 0);

/* Its @room is written under beside_lock, and read by the CPU with preemption off. */
DEFINE_PER_CPU(struct trace_beside, trace_beside);
/* The memory of @room, until no record is in that any more. */
static DEFINE_PER_CPU(void *, rooms);
static unsigned int users;
static DEFINE_MUTEX(beside_lock);

/* Each is larger than what may be allocated for all CPUs at once. Return: 0 or -ENOMEM. */
static int make_rooms(void)
{
	int cpu, err = 0;

	for_each_possible_cpu(cpu) {
		per_cpu(rooms, cpu) = vzalloc_node(ROOM, cpu_to_node(cpu));
		if (!per_cpu(rooms, cpu))
			err = -ENOMEM;
	}
	return err;
}

static void free_rooms(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		vfree(per_cpu(rooms, cpu));
}

static void publish_rooms(bool on)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(trace_beside.room, cpu), on ? per_cpu(rooms, cpu) : NULL);
}

int trace_beside_get(void)
{
	guard(mutex)(&beside_lock);
	if (!users) {
		if (make_rooms()) {
			free_rooms();
			return -ENOMEM;
		}
		publish_rooms(true);
	}
	users++;
	return 0;
}

void trace_beside_put(void)
{
	guard(mutex)(&beside_lock);
	if (--users)
		return;
	publish_rooms(false);
	/* Who has a record there has preemption off. */
	synchronize_rcu();
	free_rooms();
}

bool trace_beside_keep(struct trace_buffer *buffer, const struct trace_entry *ent,
		       unsigned int len, u64 *time)
{
	struct ring_buffer_event *event;
	struct rb_cpu *cb;

	event = rb_reserve(buffer, len, &cb);
	if (!event)
		return false;
	memcpy(ring_buffer_event_data(event), ent, len);
	if (time)
		*time = rb_time_of(cb, event);
	rb_commit(cb);
	return true;
}
