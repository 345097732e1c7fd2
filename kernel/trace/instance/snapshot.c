// SPDX-License-Identifier: GPL-2.0
/*
 * The second buffer of an instance: making room in it, and changing places with it.
 *
 * Called by the files, by the boot, and from wherever somebody asks for a snapshot: in
 * the middle of what is traced, which is why taking one neither locks nor waits.
 */
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/jiffies.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "ring_buffer/alike.h"
#include "ring_buffer/consume.h"
#include "snapshot.h"

/* How often a CPU is asked for its records if it is at work on them, a jiffy apart. */
#define SWAP_TRIES	10

static int shrink(struct trace_buffer *buffer)
{
	int ret = ring_buffer_resize(buffer, TRACE_BUF_SIZE_BOOT, RING_BUFFER_ALL_CPUS);

	if (ret < 0)
		return ret;
	consume_reset(buffer, RING_BUFFER_ALL_CPUS);
	/* Large pages become smaller, unless somebody looks at them; two of those will do. */
	if (!consume_set_order(buffer, 0))
		ring_buffer_resize(buffer, TRACE_BUF_SIZE_BOOT, RING_BUFFER_ALL_CPUS);
	return 0;
}

int snapshot_alloc(struct trace_array *tr)
{
	struct trace_buffer *live, *other;
	int ret = tracing_expand(tr);

	lockdep_assert_held(&trace_lock);
	if (ret || tr->has_snapshot)
		return ret;
	live = READ_ONCE(tr->buffer);
	other = trace_array_other(tr, live);
	ret = ring_buffer_resize_like(other, live);
	if (ret < 0) {
		shrink(other);
		return ret;
	}
	/* Pairs with the acquire in snapshot_is_ready(). */
	smp_store_release(&tr->has_snapshot, true);
	return 0;
}

int snapshot_free(struct trace_array *tr)
{
	int ret;

	lockdep_assert_held(&trace_lock);
	if (!tr->has_snapshot)
		return 0;
	WRITE_ONCE(tr->has_snapshot, false);
	/* From here on the buffers stay where they are, and only one is written to. */
	synchronize_rcu();
	ret = shrink(trace_array_snapshot(tr));
	if (ret < 0)
		smp_store_release(&tr->has_snapshot, true);	/* as in snapshot_alloc() */
	return ret;
}

void snapshot_follow(struct trace_array *tr, struct trace_buffer *other,
		     struct trace_buffer *buffer)
{
	if (!other || !ring_buffer_resize_like(other, buffer))
		return;
	/* Without memory for giving back memory, it may be of another size: no more of it. */
	if (snapshot_free(tr))
		WRITE_ONCE(tr->has_snapshot, false);
}

void snapshot_clear(struct trace_array *tr, int cpu)
{
	consume_reset(trace_array_snapshot(tr), cpu);
}

/* Protects snapshot_users and mapped of all instances. Innermost. */
static DEFINE_MUTEX(use_lock);

int snapshot_use(struct trace_array *tr)
{
	guard(mutex)(&use_lock);
	if (tr->mapped)
		return -EBUSY;
	tr->snapshot_users++;
	return 0;
}

void snapshot_unuse(struct trace_array *tr)
{
	guard(mutex)(&use_lock);
	tr->snapshot_users--;
}

static int count_map(struct trace_array *tr)
{
	guard(mutex)(&use_lock);
	if (tr->snapshot_users || tr->mapped == UINT_MAX)
		return -EBUSY;
	WRITE_ONCE(tr->mapped, tr->mapped + 1);
	return 0;
}

int snapshot_exclude(struct trace_array *tr)
{
	int ret = count_map(tr);

	/* A snapshot that began before it could know is taken; none is from here on. */
	if (!ret)
		synchronize_rcu();
	return ret;
}

void snapshot_exclude_again(struct trace_array *tr)
{
	WARN_ON(count_map(tr));
}

void snapshot_admit(struct trace_array *tr)
{
	guard(mutex)(&use_lock);
	WRITE_ONCE(tr->mapped, tr->mapped - 1);
}

static void wake_all(struct trace_array *tr)
{
	for (int i = 0; i < NR_TRACE_BUFFERS; i++)
		ring_buffer_wake_waiters(tr->buffers[i], RING_BUFFER_ALL_CPUS);
}

bool snapshot_take(struct trace_array *tr)
{
	struct trace_buffer *live;

	guard(preempt_notrace)();
	if (!snapshot_is_ready(tr) || READ_ONCE(tr->mapped))
		return false;
	live = READ_ONCE(tr->buffer);
	/*
	 * A full barrier before they are woken: who begins to wait at the one or the other
	 * sees that they changed places, or is woken. If somebody was faster, this is the
	 * moment of his snapshot.
	 */
	if (cmpxchg(&tr->buffer, live, trace_array_other(tr, live)) == live)
		wake_all(tr);
	return true;
}

static int swap_stream(struct trace_array *tr, int cpu)
{
	if (!snapshot_is_ready(tr))
		return -ENODEV;
	return ring_buffer_swap_cpu(tr->buffers[0], tr->buffers[1], cpu);
}

int snapshot_take_here(struct trace_array *tr)
{
	return swap_stream(tr, raw_smp_processor_id());
}

/**
 * struct take_on_cpu - what is asked of another CPU
 * @tr: the instance
 * @ret: what came of it
 */
struct take_on_cpu {
	struct trace_array	*tr;
	int			ret;
};

static void take_on_cpu(void *data)
{
	struct take_on_cpu *take = data;

	take->ret = snapshot_take_here(take->tr);
}

static int try_take_cpu(struct trace_array *tr, int cpu)
{
	struct take_on_cpu take = { .tr = tr };

	guard(cpus_read_lock)();
	if (!cpu_online(cpu))
		return swap_stream(tr, cpu);
	return smp_call_function_single(cpu, take_on_cpu, &take, 1) ?: take.ret;
}

int snapshot_take_cpu(struct trace_array *tr, int cpu)
{
	int ret, tries = SWAP_TRIES;

	lockdep_assert_held(&trace_lock);
	for (;;) {
		ret = try_take_cpu(tr, cpu);
		if (ret != -EBUSY || !--tries)
			return ret;
		schedule_timeout_uninterruptible(1);
	}
}
