// SPDX-License-Identifier: GPL-2.0
/*
 * Records beside the buffer: see beside.h.
 *
 * Each CPU has a place for each of the contexts that can nest. Whoever interrupts is done
 * before who is interrupted goes on, so a count that each leaves as it was tells whose
 * place is whose.
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

/* A task, a softirq, an interrupt, an NMI. */
#define CONTEXTS	4U

struct beside {
	unsigned long	room[CONTEXTS][TRACE_BESIDE_MAX / sizeof(unsigned long)];
};

/* Written under beside_lock, read with preemption off; NULL while nobody wants it. */
static struct beside __percpu *places;
static unsigned int users;
static DEFINE_MUTEX(beside_lock);

/* How many of a CPU's places are taken. */
static DEFINE_PER_CPU(unsigned int, taken);

int trace_beside_get(void)
{
	struct beside __percpu *new;

	guard(mutex)(&beside_lock);
	if (!users) {
		new = alloc_percpu(struct beside);
		if (!new)
			return -ENOMEM;
		WRITE_ONCE(places, new);
	}
	users++;
	return 0;
}

void trace_beside_put(void)
{
	struct beside __percpu *old;

	guard(mutex)(&beside_lock);
	if (--users)
		return;
	old = places;
	WRITE_ONCE(places, NULL);
	/* Who has a place has preemption off. */
	synchronize_rcu();
	free_percpu(old);
}

struct trace_entry *trace_beside_start(unsigned int len)
{
	struct beside __percpu *mine = READ_ONCE(places);
	unsigned int level = __this_cpu_read(taken);

	if (!mine || len > TRACE_BESIDE_MAX || level >= CONTEXTS)
		return NULL;
	__this_cpu_write(taken, level + 1);
	/* Pairs with that of trace_beside_end(): a context that nests finds it taken. */
	barrier();
	return (void *)this_cpu_ptr(mine)->room[level];
}

bool trace_beside_keep(struct trace_buffer *buffer, const struct trace_entry *ent,
		       unsigned int len)
{
	struct ring_buffer_event *event;
	struct rb_cpu *cb;

	event = rb_reserve(buffer, len, &cb);
	if (!event)
		return false;
	memcpy(ring_buffer_event_data(event), ent, len);
	rb_commit(cb);
	return true;
}

void trace_beside_end(void)
{
	barrier();
	__this_cpu_dec(taken);
}
