// SPDX-License-Identifier: GPL-2.0
/*
 * The function profiler (SPEC T6): a user of graph/ that counts. profile/files.c switches
 * it and shows the numbers, and function_graph has an option for it.
 *
 * The callbacks, and what they call, must not sleep, lock, allocate or print.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <asm/trace_clock_inline.h>

#include "dispatch/call.h"
#include "graph/graph.h"
#include "internal.h"
#include "profile.h"
#include "sites/sites.h"
#include "table.h"

/* For functions that come while it is on. */
#define ROOM_MORE	4096

/*
 * Protects who is counted where: the tables of CPUs, as far as their own CPUs do not write
 * to them, and whether it is on. Inside of the module loader's notifiers, outside of
 * graph_lock and ftrace_lock.
 */
static DEFINE_MUTEX(profile_lock);

/* Never NULL again once it was on. */
static DEFINE_PER_CPU(struct profile_table *, profile_table);

static bool is_on;

/* Somebody wants a call's time without that of the calls in it. */
static DEFINE_STATIC_KEY_FALSE(without_callees);

/* ------------------------------------------------------------------ */
/* Callbacks								*/

/* What is kept for a call: on 32 bits it may stand in the middle of an u64. */
struct callees {
	u64	time;
} __packed __aligned(__alignof__(long));

static noinline void callees_begin(const struct fgraph_ops *gops)
{
	struct callees *own = fgraph_reserve_data(gops->idx, sizeof(*own));

	if (own)
		own->time = 0;
}

/*
 * What of its time a call was not in others. These add theirs when they return; one that
 * was under way when the option was changed has no place for it.
 */
static __always_inline u64 callees_settle(const struct callees *own, struct callees *outer,
					  u64 time)
{
	if (outer)
		outer->time += time;
	return own ? time - min(time, own->time) : time;
}

static noinline u64 callees_end(const struct fgraph_ops *gops, u64 time)
{
	return callees_settle(fgraph_retrieve_data(gops->idx, NULL), graph_outer_data(gops),
			      time);
}

/* The same in a straight line; @call is the newest one. */
static __always_inline u64 callees_end_straight(const struct fgraph_ops *gops,
						const struct ftrace_ret_stack *call, u64 time)
{
	const struct callees *own = graph_plain_data(gops, call, sizeof(*own));
	const struct ftrace_ret_stack *around = graph_around(call);
	struct callees *outer = NULL;

	if (around)
		outer = graph_plain_data(gops, around, sizeof(*outer));
	if (unlikely(!own || (around && !outer)))
		return callees_end(gops, time);
	return callees_settle(own, outer, time);
}

/* Whatever that takes. */
static __always_inline bool profile_entry(struct fgraph_ops *gops,
					  struct ftrace_ret_stack *call, int depth,
					  struct ftrace_regs *fregs)
{
	/* Also for a call that is declined: others may join it all the same. */
	if (!call->users)
		call->calltime = graph_clock();
	if (!profile_count(raw_cpu_read(profile_table), call->func, false, 0))
		return false;
	if (static_branch_unlikely(&without_callees))
		callees_begin(gops);
	return true;
}

/*
 * Where profile_call() goes in the end if something is unusual: with preemption disabled,
 * which is enabled here.
 */

/* It was called, that much is known: nobody waits for its return. */
static noinline void enter_without_room(unsigned long ip)
{
	profile_count(raw_cpu_read(profile_table), ip, false, 0);
	preempt_enable_notrace();
}

/* Nothing has happened yet. */
static noinline void enter_unusual(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (!graph_enter(graph_user_of(op), ip, fregs, profile_entry))
		return enter_without_room(ip);
	preempt_enable_notrace();
}

/* graph_begin_keeping() has put the user's bit into the call, and made a place for callees. */
static noinline void begin_general(struct fgraph_ops *gops, struct ftrace_ret_stack *call)
{
	call->calltime = graph_clock();
	if (!profile_count(raw_cpu_read(profile_table), call->func, false, 0))
		call->users &= ~gops->user;
	preempt_enable_notrace();
}

/* On another CPU it may be earlier than it was on the first one. */
static __always_inline u64 not_negative(s64 time)
{
	return max(time, 0);
}

static noinline void told_general(const struct ftrace_ret_stack *call, u64 time)
{
	profile_count(raw_cpu_read(profile_table), call->func, true, not_negative(time));
}

/* The hot path: straight lines. Whatever is unusual is called, and done above. */

static __always_inline struct ftrace_ret_stack *
begin_straight(struct fgraph_ops *gops, const struct ftrace_ret_stack *newest,
	       unsigned long ip, struct ftrace_regs *fregs)
{
	if (static_branch_unlikely(&without_callees))
		return graph_begin_keeping(gops, newest, ip, fregs, sizeof(struct callees));
	return graph_begin_plain(gops, newest, ip, fregs);
}

static void profile_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			 struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = graph_user_of(op);
	struct ftrace_ret_stack *newest, *call;

	preempt_disable_notrace();
	newest = graph_is_joined(fregs) ? NULL : graph_newest_plain(fregs);
	if (unlikely(!newest))
		return enter_unusual(ip, parent_ip, op, fregs);
	call = begin_straight(gops, newest, ip, fregs);
	if (unlikely(!call))
		return enter_without_room(ip);
	if (!static_branch_likely(&graph_clock_fast) ||
	    !profile_hit_straight(raw_cpu_read(profile_table), ip))
		return begin_general(gops, call);
	call->calltime = arch_trace_clock();
	preempt_enable_notrace();
}

static __always_inline void told_straight(const struct ftrace_ret_stack *call, u64 time)
{
	struct profile_table *table = raw_cpu_read(profile_table);

	/* A time below 0 is declined as a very long one. */
	if (!profile_return_straight(table, call->func, time))
		return told_general(call, time);
	if (unlikely(profile_has_notes(table)))
		profile_notes_take(table);
}

/* On its own, for this one has to keep registers over a call that is seldom made. */
static noinline void told_without_callees(struct fgraph_ops *gops,
					  const struct ftrace_ret_stack *call, u64 time)
{
	told_straight(call, callees_end_straight(gops, call, not_negative(time)));
}

static void profile_told(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			 const struct ftrace_return *r, u64 now)
{
	u64 time = now - call->calltime;

	if (static_branch_unlikely(&without_callees))
		return told_without_callees(gops, call, time);
	told_straight(call, time);
}

static struct fgraph_ops profiler = {
	.told		= profile_told,
	.ops.func	= profile_call,
	.ops.flags	= FTRACE_OPS_FL_ARGS_ONLY,
};

void profile_callees_unwanted(bool unwanted)
{
	if (unwanted)
		static_branch_inc(&without_callees);
	else
		static_branch_dec(&without_callees);
}

/* ------------------------------------------------------------------ */
/* On and off								*/

/* A table for each possible CPU, by their numbers. */
static void tables_free(struct profile_table **tables)
{
	int cpu;

	for_each_possible_cpu(cpu)
		profile_table_free(tables[cpu]);
	kfree(tables);
}

static struct profile_table **tables_alloc(unsigned int room)
{
	struct profile_table **tables = kcalloc(nr_cpu_ids, sizeof(*tables), GFP_KERNEL);
	int cpu;

	if (!tables)
		return NULL;
	for_each_possible_cpu(cpu) {
		tables[cpu] = profile_table_alloc(room, cpu_to_node(cpu));
		if (!tables[cpu]) {
			tables_free(tables);
			return NULL;
		}
	}
	return tables;
}

/* Those of the CPUs for @tables; nobody counts. */
static void tables_exchange(struct profile_table **tables)
{
	int cpu;

	lockdep_assert_held(&profile_lock);
	for_each_possible_cpu(cpu)
		swap(per_cpu(profile_table, cpu), tables[cpu]);
}

static unsigned int room_wanted(void)
{
	unsigned long functions;

	guard(mutex)(&ftrace_lock);
	functions = sites_total();
	return functions + max(functions / 4, ROOM_MORE);
}

/* Registering synchronizes: who is called sees its table. */
static int switch_on(void)
{
	struct profile_table **tables = tables_alloc(room_wanted());
	int ret;

	if (!tables)
		return -ENOMEM;
	tables_exchange(tables);
	ftrace_ops_set_global_filter(&profiler.ops);
	ret = register_ftrace_graph(&profiler);
	if (ret) {
		/* Some may have been called before it failed. */
		dispatch_synchronize();
		tables_exchange(tables);
	} else {
		WRITE_ONCE(is_on, true);
	}
	/* The old ones, or those that were in vain. */
	tables_free(tables);
	return ret;
}

static int switch_off(void)
{
	int cpu;

	unregister_ftrace_graph(&profiler);
	if (profiler.ops.flags & FTRACE_OPS_FL_ENABLED)
		return -ENOMEM;
	/* In static memory, it was not waited for. */
	dispatch_synchronize();
	for_each_possible_cpu(cpu)
		profile_table_trim(per_cpu(profile_table, cpu));
	WRITE_ONCE(is_on, false);
	return 0;
}

int profile_switch(bool on)
{
	guard(mutex)(&profile_lock);
	if (on == is_on)
		return 0;
	return on ? switch_on() : switch_off();
}

bool profile_is_on(void)
{
	return READ_ONCE(is_on);
}

/* ------------------------------------------------------------------ */
/* The numbers								*/

struct profile_list *profile_read(int cpu)
{
	guard(mutex)(&profile_lock);
	return profile_table_list(per_cpu(profile_table, cpu));
}

u64 profile_lost(void)
{
	const struct profile_table *t;
	u64 lost = 0;
	int cpu;

	guard(mutex)(&profile_lock);
	for_each_possible_cpu(cpu) {
		t = per_cpu(profile_table, cpu);
		lost += t ? profile_table_lost(t) : 0;
	}
	return lost;
}

void profile_forget_text(unsigned long start, size_t size)
{
	int cpu;

	guard(mutex)(&profile_lock);
	for_each_possible_cpu(cpu)
		profile_table_forget(per_cpu(profile_table, cpu), start, size);
}
