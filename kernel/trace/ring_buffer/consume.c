// SPDX-License-Identifier: GPL-2.0
/*
 * Who may consume: a consumer of all CPUs takes consume_all for writing; one of
 * one CPU takes it for reading, and then the mutex of that CPU.
 */
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/ring_buffer.h>
#include <linux/rwsem.h>

#include "consume.h"

static DECLARE_RWSEM(consume_all);
static DEFINE_PER_CPU(struct mutex, consume_cpu);

void consume_lock(int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS) {
		down_write(&consume_all);
		return;
	}
	down_read(&consume_all);
	mutex_lock(per_cpu_ptr(&consume_cpu, cpu));
}

bool consume_trylock(int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS)
		return down_write_trylock(&consume_all);
	if (!down_read_trylock(&consume_all))
		return false;
	if (mutex_trylock(per_cpu_ptr(&consume_cpu, cpu)))
		return true;
	up_read(&consume_all);
	return false;
}

void consume_unlock(int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS) {
		up_write(&consume_all);
		return;
	}
	mutex_unlock(per_cpu_ptr(&consume_cpu, cpu));
	up_read(&consume_all);
}

static int __init consume_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		mutex_init(per_cpu_ptr(&consume_cpu, cpu));
	return 0;
}
early_initcall(consume_init);
