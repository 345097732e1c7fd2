// SPDX-License-Identifier: GPL-2.0
/*
 * Records beside the buffer, of which the room comes and goes: see beside.h.
 */
#include <linux/build_bug.h>
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "beside.h"
#include "record.h"
#include "ring_buffer/write.h"

static_assert(TRACE_BESIDE_MAX % sizeof(u64) == 0);

static const unsigned int places_for[TRACE_BESIDE_USES] = {
	[TRACE_BESIDE_LOOK]	= TRACE_BESIDE_PLACES_LOOK,
	[TRACE_BESIDE_PROBE]	= TRACE_BESIDE_PLACES_PROBE,
	[TRACE_BESIDE_SYNTH]	= TRACE_BESIDE_PLACES_SYNTH,
};

/* @room and @places are written under beside_lock, and read by the CPU with preemption off. */
DEFINE_PER_CPU(struct trace_beside, trace_beside);
/* A room that is not in use yet, or not any more. */
static DEFINE_PER_CPU(void *, spares);
/* CPUs that are to come up, are up, or were and are not gone yet. */
static struct cpumask living;
static unsigned int users[TRACE_BESIDE_USES];
/* How many places each CPU has. */
static unsigned int places;
/* Protects all of these. Innermost; a CPU that comes or goes takes it, too. */
static DEFINE_MUTEX(beside_lock);

/* Each is larger than what may be allocated for all CPUs at once. Return: NULL without memory. */
static void *make_room(int cpu, unsigned int nr)
{
	return vzalloc_node(nr * TRACE_BESIDE_MAX, cpu_to_node(cpu));
}

/* The boot CPU is up before cpu_comes() is called for it. */
static bool is_living(int cpu)
{
	return cpumask_test_cpu(cpu, &living) || cpu_online(cpu);
}

/* Return: 0 or -ENOMEM. */
static int make_spares(unsigned int nr)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (!is_living(cpu))
			continue;
		per_cpu(spares, cpu) = make_room(cpu, nr);
		if (!per_cpu(spares, cpu))
			return -ENOMEM;
	}
	return 0;
}

static void free_spares(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		vfree(per_cpu(spares, cpu));
		per_cpu(spares, cpu) = NULL;
	}
}

static void swap_rooms(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		void *old = per_cpu(trace_beside.room, cpu);

		WRITE_ONCE(per_cpu(trace_beside.room, cpu), per_cpu(spares, cpu));
		per_cpu(spares, cpu) = old;
	}
}

static void set_places(unsigned int nr)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(trace_beside.places, cpu), nr);
	places = nr;
}

/*
 * A CPU may read @places, and then take the room of before. So the number grows when no CPU does
 * any more; at once if there was no room.
 */
static int grow_rooms(unsigned int nr)
{
	if (make_spares(nr)) {
		free_spares();
		return -ENOMEM;
	}
	swap_rooms();
	/* A record in the room of before has preemption off until it is done. */
	if (places)
		synchronize_rcu();
	set_places(nr);
	free_spares();
	return 0;
}

/* No CPU reads the number of now when there is the next room: see grow_rooms(). */
static void take_rooms(void)
{
	swap_rooms();
	set_places(0);
	synchronize_rcu();
	free_spares();
}

int trace_beside_get(enum trace_beside_use use)
{
	int err = 0;

	guard(mutex)(&beside_lock);
	if (places < places_for[use])
		err = grow_rooms(places_for[use]);
	if (!err)
		users[use]++;
	return err;
}

static bool has_users(void)
{
	for (unsigned int use = 0; use < TRACE_BESIDE_USES; use++)
		if (users[use])
			return true;
	return false;
}

void trace_beside_put(enum trace_beside_use use)
{
	guard(mutex)(&beside_lock);
	users[use]--;
	if (!has_users())
		take_rooms();
}

/* Without memory the CPU comes up all the same: its records go into the buffer at once. */
static int cpu_comes(unsigned int cpu)
{
	guard(mutex)(&beside_lock);
	cpumask_set_cpu(cpu, &living);
	if (places && !per_cpu(trace_beside.room, cpu))
		per_cpu(trace_beside.room, cpu) = make_room(cpu, places);
	return 0;
}

/* The CPU records nothing any more. */
static int cpu_has_gone(unsigned int cpu)
{
	guard(mutex)(&beside_lock);
	cpumask_clear_cpu(cpu, &living);
	vfree(per_cpu(trace_beside.room, cpu));
	per_cpu(trace_beside.room, cpu) = NULL;
	return 0;
}

/* Before the second CPU comes. */
static int __init beside_watch_cpus(void)
{
	int ret = cpuhp_setup_state(CPUHP_BP_PREPARE_DYN, "trace/beside:prepare", cpu_comes,
				    cpu_has_gone);

	return min(ret, 0);
}
early_initcall(beside_watch_cpus);

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
