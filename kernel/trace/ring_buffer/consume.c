// SPDX-License-Identifier: GPL-2.0
/*
 * The lock that serializes consumers. A consumer of all CPUs takes consume_rwsem for
 * writing; a consumer of one CPU takes consume_rwsem for reading, and then the mutex
 * of that CPU.
 */
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/ring_buffer.h>
#include <linux/rwsem.h>

#include "consume.h"
#include "internal.h"

/* Held for writing by a consumer of all CPUs, and for reading by each consumer of a single CPU. */
static DECLARE_RWSEM(consume_rwsem);
/* Held by a consumer of this CPU alone. Taken after consume_rwsem. */
static DEFINE_PER_CPU(struct mutex, consume_cpu_mutex);

/* True while consume_rwsem is held for writing; changed only by the holder. */
static bool consuming_all;

void consume_lock(int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS) {
		down_write(&consume_rwsem);
		WRITE_ONCE(consuming_all, true);
		return;
	}
	down_read(&consume_rwsem);
	mutex_lock(per_cpu_ptr(&consume_cpu_mutex, cpu));
}

bool consume_trylock(int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS) {
		if (!down_write_trylock(&consume_rwsem))
			return false;
		WRITE_ONCE(consuming_all, true);
		return true;
	}
	if (!down_read_trylock(&consume_rwsem))
		return false;
	if (mutex_trylock(per_cpu_ptr(&consume_cpu_mutex, cpu)))
		return true;
	up_read(&consume_rwsem);
	return false;
}

void consume_unlock(int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS) {
		WRITE_ONCE(consuming_all, false);
		up_write(&consume_rwsem);
		return;
	}
	mutex_unlock(per_cpu_ptr(&consume_cpu_mutex, cpu));
	up_read(&consume_rwsem);
}

bool consume_busy(int cpu)
{
	return READ_ONCE(consuming_all) || mutex_is_locked(per_cpu_ptr(&consume_cpu_mutex, cpu));
}

void consume_reset(struct trace_buffer *buffer, int cpu)
{
	consume_lock(cpu);
	if (cpu == RING_BUFFER_ALL_CPUS)
		ring_buffer_reset(buffer);
	else
		ring_buffer_reset_cpu(buffer, cpu);
	consume_unlock(cpu);
}

int consume_set_order(struct trace_buffer *buffer, int order)
{
	int ret;

	consume_lock(RING_BUFFER_ALL_CPUS);
	ret = ring_buffer_subbuf_order_set(buffer, order);
	consume_unlock(RING_BUFFER_ALL_CPUS);
	return ret;
}

static int __init consume_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		mutex_init(per_cpu_ptr(&consume_cpu_mutex, cpu));
	return 0;
}
early_initcall(consume_init);
