// SPDX-License-Identifier: GPL-2.0
/*
 * Records of events for perf, which samples them at once: so each context that can nest on
 * a CPU has room for one.
 */
#include <linux/build_bug.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/once_lite.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include <linux/trace_events.h>

#include "guard/guard.h"
#include "internal.h"
#include "record/record.h"
#include "record/stack.h"

/* As perf's recursion contexts: a task, a softirq, an interrupt, an NMI. */
#define NR_ROOMS	ARRAY_SIZE(((typeof(__perf_regs) *)NULL)[0])

struct perf_room {
	u64	words[PERF_MAX_TRACE_SIZE / sizeof(u64)];
};

static struct perf_room __percpu *rooms[NR_ROOMS];
static unsigned int rooms_users;

static void free_rooms(void)
{
	for (unsigned int i = 0; i < NR_ROOMS; i++) {
		free_percpu(rooms[i]);
		rooms[i] = NULL;
	}
}

int perf_records_get(void)
{
	lockdep_assert_held(&events_lock);
	for (unsigned int i = 0; !rooms_users && i < NR_ROOMS; i++) {
		rooms[i] = alloc_percpu(struct perf_room);
		if (!rooms[i]) {
			free_rooms();
			return -ENOMEM;
		}
	}
	rooms_users++;
	return 0;
}

void perf_records_put(void)
{
	lockdep_assert_held(&events_lock);
	if (!--rooms_users)
		free_rooms();
}

/* ------------------------------------------------------------------ */

/*
 * No event counts here, nor is the record for another task: from now on the probe shall ask
 * for none. An interrupt may bring an event, an NMI cannot; if it finds the list empty, it
 * sets the same. Nobody is told of it: that would be traced.
 */
static void rest(struct perf_tp_cpu *cpu)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	if (hlist_empty(&cpu->events))
		WRITE_ONCE(cpu->stopped, 1);
	raw_local_irq_restore(flags);
}

static void *start(struct trace_event_buffer *b)
{
	int context = perf_swevent_get_recursion_context();
	void *room;

	if (context < 0)
		return NULL;
	room = this_cpu_ptr(rooms[context]);
	trace_entry_fill(room, b->trace_file->type, trace_ctx_full(trace_callers_word()),
			 current);
	b->ctx = context;
	b->event = room;
	return room;
}

static noinline void tell_too_long(const struct perf_tp *tp)
{
	struct trace_own own;

	trace_own_begin(&own);
	DO_ONCE_LITE(printk_deferred, KERN_WARNING "trace: %s is too long for perf\n",
		     tp->file.event->type.name);
	trace_own_end(&own);
}

static void *perf_reserve(struct trace_event_buffer *b)
{
	struct perf_tp *tp = container_of(b->trace_file, struct perf_tp, file);
	struct perf_tp_cpu *cpu = this_cpu_ptr(tp->cpus);

	if (hlist_empty(&cpu->events) && !b->task) {
		rest(cpu);
		return NULL;
	}
	if (unlikely(b->len > sizeof(struct perf_room))) {
		tell_too_long(tp);
		return NULL;
	}
	return start(b);
}

/*
 * Does anybody want to know where? Walking the stack costs more than counting. An event of
 * another task is not active, and is counted alone (perf_swevent_event()).
 */
static bool may_be_sampled(const struct hlist_head *events)
{
	struct perf_event *event;

	hlist_for_each_entry_rcu(event, events, hlist_entry, true)
		if (is_sampling_event(event))
			return true;
	return false;
}

/* The event is where the probe was called, and so is the stack. */
static struct pt_regs *regs_of(struct trace_event_buffer *b,
			       const struct hlist_head *events, unsigned long probe)
{
	struct pt_regs *regs = this_cpu_ptr(&__perf_regs[b->ctx]);
	unsigned long ip;

	if (b->hit.regs)
		return b->hit.regs;
	ip = may_be_sampled(events) ? trace_stack_caller(probe) : probe;

	perf_arch_fetch_caller_regs(regs, ip);
	/* The buffer is in the frame of the probe. */
	arch_perf_frames_above(regs, (unsigned long)b);
	return regs;
}

static void perf_commit(struct trace_event_buffer *b, unsigned long probe)
{
	struct perf_tp *tp = container_of(b->trace_file, struct perf_tp, file);
	struct hlist_head *events = &this_cpu_ptr(tp->cpus)->events;

	perf_trace_run_bpf_submit(b->event, b->len, b->ctx, tp->file.event->call, b->count,
				  regs_of(b, events, probe), events, b->task);
}

const struct event_elsewhere perf_records = {
	.reserve	= perf_reserve,
	.commit		= perf_commit,
	.wants		= perf_wants,
	.is_perf	= true,
};
