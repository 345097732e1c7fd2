// SPDX-License-Identifier: GPL-2.0
/*
 * Records beside the buffer, of which the room comes and goes: see beside.h.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "beside.h"
#include "record.h"
#include "ring_buffer/write.h"

#define ROOM	(TRACE_BESIDE_CONTEXTS * TRACE_BESIDE_MAX)

/* Its @room is written under beside_lock, and read by the CPU with preemption off. */
DEFINE_PER_CPU(struct trace_beside, trace_beside);
static void __percpu *rooms;
static unsigned int users;
static DEFINE_MUTEX(beside_lock);

static void set_rooms(void __percpu *new)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(trace_beside.room, cpu),
			   new ? per_cpu_ptr(new, cpu) : NULL);
}

int trace_beside_get(void)
{
	guard(mutex)(&beside_lock);
	if (!users) {
		rooms = __alloc_percpu(ROOM, sizeof(u64));
		if (!rooms)
			return -ENOMEM;
		set_rooms(rooms);
	}
	users++;
	return 0;
}

void trace_beside_put(void)
{
	guard(mutex)(&beside_lock);
	if (--users)
		return;
	set_rooms(NULL);
	/* Who has a record there has preemption off. */
	synchronize_rcu();
	free_percpu(rooms);
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
