// SPDX-License-Identifier: GPL-2.0
/*
 * The second buffer of an instance: its size, and its exchange with the first one.
 *
 * Called by the files, at boot, and by whatever takes a snapshot: in the middle of the traced
 * code, so taking one neither locks nor waits.
 */
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/jiffies.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "internal.h"
#include "ring_buffer/resize_like.h"
#include "ring_buffer/consume.h"
#include "snapshot.h"
#include "snapshot_size.h"

/* How often a CPU that is writing records is asked to exchange its buffer, one jiffy apart. */
#define SWAP_TRIES	10

static int snapshot_shrink_buffer(struct trace_buffer *buffer)
{
	int ret = ring_buffer_resize(buffer, TRACE_BUF_SIZE_BOOT, RING_BUFFER_ALL_CPUS);

	if (ret < 0)
		return ret;
	consume_reset(buffer, RING_BUFFER_ALL_CPUS);
	/*
	 * Make the pages of the buffer small again, unless they are being read. Resize once
	 * more then, as the minimum is two pages.
	 */
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
		snapshot_shrink_buffer(other);
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
	/*
	 * From here on the buffers are not exchanged any more, and nobody writes to the other
	 * one.
	 */
	synchronize_rcu();
	ret = snapshot_shrink_buffer(trace_array_snapshot(tr));
	if (ret < 0)
		smp_store_release(&tr->has_snapshot, true);	/* pairs with snapshot_is_ready() */
	return ret;
}

void snapshot_restore_size(struct trace_array *tr, struct trace_buffer *other,
			   struct trace_buffer *buffer)
{
	if (!other || !ring_buffer_resize_like(other, buffer))
		return;
	/* Without the memory to shrink it, the other buffer may have another size: no snapshots. */
	if (snapshot_free(tr))
		WRITE_ONCE(tr->has_snapshot, false);
}

void snapshot_clear(struct trace_array *tr, int cpu)
{
	consume_reset(trace_array_snapshot(tr), cpu);
}

/* Protects snapshot_users and mapped of all instances. Innermost lock. */
static DEFINE_MUTEX(snapshot_use_lock);

int snapshot_use(struct trace_array *tr)
{
	guard(mutex)(&snapshot_use_lock);
	if (tr->mapped)
		return -EBUSY;
	tr->snapshot_users++;
	return 0;
}

void snapshot_unuse(struct trace_array *tr)
{
	guard(mutex)(&snapshot_use_lock);
	tr->snapshot_users--;
}

static int snapshot_count_mapping(struct trace_array *tr)
{
	guard(mutex)(&snapshot_use_lock);
	if (tr->snapshot_users || tr->mapped == UINT_MAX)
		return -EBUSY;
	WRITE_ONCE(tr->mapped, tr->mapped + 1);
	return 0;
}

int snapshot_block(struct trace_array *tr)
{
	int ret = snapshot_count_mapping(tr);

	/*
	 * Wait for snapshots that began before they could see the count; none begins from here
	 * on.
	 */
	if (!ret)
		synchronize_rcu();
	return ret;
}

void snapshot_block_again(struct trace_array *tr)
{
	WARN_ON(snapshot_count_mapping(tr));
}

void snapshot_unblock(struct trace_array *tr)
{
	guard(mutex)(&snapshot_use_lock);
	WRITE_ONCE(tr->mapped, tr->mapped - 1);
}

static void snapshot_wake_waiters(struct trace_array *tr)
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
	 * The exchange is a full barrier before the wakeup: a reader that starts to wait on
	 * either buffer sees the exchange, or is woken. If another snapshot was faster, it has
	 * saved the records up to this moment for both.
	 */
	if (cmpxchg(&tr->buffer, live, trace_array_other(tr, live)) == live)
		snapshot_wake_waiters(tr);
	return true;
}

static int snapshot_swap_cpu(struct trace_array *tr, int cpu)
{
	if (!snapshot_is_ready(tr))
		return -ENODEV;
	return ring_buffer_swap_cpu(tr->buffers[0], tr->buffers[1], cpu);
}

int snapshot_take_here(struct trace_array *tr)
{
	return snapshot_swap_cpu(tr, raw_smp_processor_id());
}

/**
 * struct snapshot_cpu_request - request to another CPU for a snapshot of its records
 * @tr: the instance
 * @ret: result of snapshot_take_here()
 */
struct snapshot_cpu_request {
	struct trace_array	*tr;
	int			ret;
};

static void snapshot_take_on_cpu(void *data)
{
	struct snapshot_cpu_request *take = data;

	take->ret = snapshot_take_here(take->tr);
}

static int snapshot_try_take_cpu(struct trace_array *tr, int cpu)
{
	struct snapshot_cpu_request take = { .tr = tr };

	guard(cpus_read_lock)();
	if (!cpu_online(cpu))
		return snapshot_swap_cpu(tr, cpu);
	return smp_call_function_single(cpu, snapshot_take_on_cpu, &take, 1) ?: take.ret;
}

int snapshot_take_cpu(struct trace_array *tr, int cpu)
{
	int ret, tries = SWAP_TRIES;

	lockdep_assert_held(&trace_lock);
	for (;;) {
		ret = snapshot_try_take_cpu(tr, cpu);
		if (ret != -EBUSY || !--tries)
			return ret;
		schedule_timeout_uninterruptible(1);
	}
}
