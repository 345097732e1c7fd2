// SPDX-License-Identifier: GPL-2.0
/* Scratch records: allocating and freeing the per-CPU memory for them. See scratch.h. */
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

#include "internal.h"
#include "record.h"
#include "ring_buffer/write.h"
#include "scratch.h"

static_assert(TRACE_SCRATCH_MAX % sizeof(u64) == 0);

static const unsigned int scratch_places_for[TRACE_SCRATCH_USES] = {
	[TRACE_SCRATCH_READ]	= TRACE_SCRATCH_PLACES_READ,
	[TRACE_SCRATCH_PROBE]	= TRACE_SCRATCH_PLACES_PROBE,
	[TRACE_SCRATCH_SYNTH]	= TRACE_SCRATCH_PLACES_SYNTH,
};

/*
 * Scratch memory of each CPU. @room and @places are written under scratch_lock, and read by their
 * CPU with preemption off; only that CPU uses @taken.
 */
DEFINE_PER_CPU(struct trace_scratch, trace_scratch);
/* Memory to be stored in trace_scratch.room of each CPU, or that was there before, to be freed. */
static DEFINE_PER_CPU(void *, scratch_spare_rooms);
/* CPUs between scratch_cpu_prepare() and scratch_cpu_dead(). */
static struct cpumask scratch_cpus;
/* Number of users of each enum trace_scratch_use. */
static unsigned int scratch_users[TRACE_SCRATCH_USES];
/* trace_scratch.places of all CPUs; 0 while there is no user. */
static unsigned int scratch_places;
/* Protects the variables above. Innermost; taken by CPU hotplug callbacks, too. */
static DEFINE_MUTEX(scratch_lock);

/*
 * Allocate the memory of a CPU for @nr scratch records. That is more than alloc_percpu() can
 * allocate. Return: NULL without memory.
 */
static void *scratch_alloc_room(int cpu, unsigned int nr)
{
	return vzalloc_node(nr * TRACE_SCRATCH_MAX, cpu_to_node(cpu));
}

/*
 * True if @cpu is up or coming up, so that it needs memory. scratch_cpus is not enough: the boot
 * CPU is up before scratch_cpu_prepare() is called for it.
 */
static bool scratch_cpu_is_present(int cpu)
{
	return cpumask_test_cpu(cpu, &scratch_cpus) || cpu_online(cpu);
}

/* Allocate memory for @nr records in scratch_spare_rooms of all CPUs. Return: 0 or -ENOMEM. */
static int scratch_alloc_spare_rooms(unsigned int nr)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (!scratch_cpu_is_present(cpu))
			continue;
		per_cpu(scratch_spare_rooms, cpu) = scratch_alloc_room(cpu, nr);
		if (!per_cpu(scratch_spare_rooms, cpu))
			return -ENOMEM;
	}
	return 0;
}

static void scratch_free_spare_rooms(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		vfree(per_cpu(scratch_spare_rooms, cpu));
		per_cpu(scratch_spare_rooms, cpu) = NULL;
	}
}

static void scratch_swap_rooms(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		void *old = per_cpu(trace_scratch.room, cpu);

		WRITE_ONCE(per_cpu(trace_scratch.room, cpu), per_cpu(scratch_spare_rooms, cpu));
		per_cpu(scratch_spare_rooms, cpu) = old;
	}
}

static void scratch_set_places(unsigned int nr)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(trace_scratch.places, cpu), nr);
	scratch_places = nr;
}

/*
 * Give each CPU memory for @nr scratch records in place of what it has. A CPU reads
 * trace_scratch.places first, and then takes a place in trace_scratch.room. So first @room is
 * replaced, then the old memory goes out of use, and only then @places is set to @nr: a CPU never
 * takes a place behind the end of its memory.
 */
static int scratch_grow_rooms(unsigned int nr)
{
	if (scratch_alloc_spare_rooms(nr)) {
		scratch_free_spare_rooms();
		return -ENOMEM;
	}
	scratch_swap_rooms();
	/* Wait until no CPU uses the old memory: preemption is off while a scratch record is. */
	if (scratch_places)
		synchronize_rcu();
	scratch_set_places(nr);
	scratch_free_spare_rooms();
	return 0;
}

/*
 * Free the memory of all CPUs. The grace period waits for CPUs that use it. It also waits for CPUs
 * that have read the old trace_scratch.places: scratch_grow_rooms() may give them less memory next.
 */
static void scratch_free_rooms(void)
{
	scratch_swap_rooms();
	scratch_set_places(0);
	synchronize_rcu();
	scratch_free_spare_rooms();
}

int trace_scratch_get(enum trace_scratch_use use)
{
	int err = 0;

	guard(mutex)(&scratch_lock);
	if (scratch_places < scratch_places_for[use])
		err = scratch_grow_rooms(scratch_places_for[use]);
	if (!err)
		scratch_users[use]++;
	return err;
}

static bool scratch_has_users(void)
{
	for (unsigned int use = 0; use < TRACE_SCRATCH_USES; use++)
		if (scratch_users[use])
			return true;
	return false;
}

void trace_scratch_put(enum trace_scratch_use use)
{
	guard(mutex)(&scratch_lock);
	scratch_users[use]--;
	if (!scratch_has_users())
		scratch_free_rooms();
}

/*
 * A CPU for which there is no memory comes up, too. Its records are built in the ring
 * buffer, and discarded there if they are not wanted.
 */
static int scratch_cpu_prepare(unsigned int cpu)
{
	guard(mutex)(&scratch_lock);
	cpumask_set_cpu(cpu, &scratch_cpus);
	if (scratch_places && !per_cpu(trace_scratch.room, cpu))
		per_cpu(trace_scratch.room, cpu) = scratch_alloc_room(cpu, scratch_places);
	return 0;
}

/* The CPU is down and records nothing any more: its memory can be freed at once. */
static int scratch_cpu_dead(unsigned int cpu)
{
	guard(mutex)(&scratch_lock);
	cpumask_clear_cpu(cpu, &scratch_cpus);
	vfree(per_cpu(trace_scratch.room, cpu));
	per_cpu(trace_scratch.room, cpu) = NULL;
	return 0;
}

/* An early_initcall() is called before the second CPU comes up. */
static int __init scratch_register_cpuhp(void)
{
	int ret = cpuhp_setup_state(CPUHP_BP_PREPARE_DYN, "trace/scratch:prepare",
				    scratch_cpu_prepare, scratch_cpu_dead);

	return min(ret, 0);
}
early_initcall(scratch_register_cpuhp);

bool trace_scratch_keep(struct trace_buffer *buffer, const struct trace_entry *ent,
			unsigned int len, u64 *time)
{
	struct ring_buffer_event *event;
	struct rb_cpu *cb;

	event = rb_reserve(buffer, len, &cb);
	if (!event)
		return false;
	memcpy(ring_buffer_event_data(event), ent, len);
	if (time)
		*time = rb_event_time(cb, event);
	rb_commit(cb);
	return true;
}
