// SPDX-License-Identifier: GPL-2.0
/*
 * The function profiler (SPEC T6): a user of graph/ that counts calls and adds up their times.
 * profile/files.c starts and stops it and shows the numbers; an option of the function_graph
 * tracer selects whether times include callees.
 *
 * Callbacks, and all functions that they call, must not sleep, lock, allocate or print.
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

/* Minimum of spare rows in a table, for functions that appear while the profiler is on. */
#define PROFILE_SPARE_ROWS	4096

/*
 * Protects profile_enabled, the per-CPU pointers to tables, and the tables against being freed
 * or cleared while they are read. Each CPU writes to its own table without this lock. Taken
 * inside the module loader's notifiers, before graph_lock and ftrace_lock.
 */
static DEFINE_MUTEX(profile_lock);

/* Table of each CPU. NULL until the profiler is started for the first time. */
static DEFINE_PER_CPU(struct profile_table *, profile_table);

static bool profile_enabled;

/* Enabled while the times of calls exclude the times of their callees. */
static DEFINE_STATIC_KEY_FALSE(profile_without_callees);

/* ------------------------------------------------------------------ */
/* Callbacks								*/

/* Data of a call on the return stack. On 32 bits the u64 may only be aligned to a long. */
struct callees {
	u64	time;
} __packed __aligned(__alignof__(long));

static noinline void profile_callees_begin(const struct fgraph_ops *gops)
{
	struct callees *own = fgraph_reserve_data(gops->idx, sizeof(*own));

	if (own)
		own->time = 0;
}

/*
 * Add @time of a call to the callees' time in its caller, and return @time without the time of
 * its own callees. A call that began before the option was changed has no data: @own or @outer
 * is NULL.
 */
static __always_inline u64 profile_callees_settle(const struct callees *own, struct callees *outer,
						  u64 time)
{
	if (outer)
		outer->time += time;
	return own ? time - min(time, own->time) : time;
}

static noinline u64 profile_callees_end(const struct fgraph_ops *gops, u64 time)
{
	return profile_callees_settle(fgraph_retrieve_data(gops->idx, NULL), graph_outer_data(gops),
				      time);
}

/* Fast path of profile_callees_end(), without function calls; @call is the newest call. */
static __always_inline u64 profile_callees_end_fast(const struct fgraph_ops *gops,
						    const struct ftrace_ret_stack *call, u64 time)
{
	const struct callees *own = graph_data_of_fast(gops, call, sizeof(*own));
	const struct ftrace_ret_stack *around = graph_outer_call(call);
	struct callees *outer = NULL;

	if (around)
		outer = graph_data_of_fast(gops, around, sizeof(*outer));
	if (unlikely(!own || (around && !outer)))
		return profile_callees_end(gops, time);
	return profile_callees_settle(own, outer, time);
}

/* Entry function of the user of graph/, for the slow path. */
static __always_inline bool profile_entry(struct fgraph_ops *gops,
					  struct ftrace_ret_stack *call, int depth,
					  struct ftrace_regs *fregs)
{
	/* Set even if the profiler declines the call, because other users may accept it. */
	if (!call->users)
		call->calltime = graph_clock();
	if (!profile_count(raw_cpu_read(profile_table), call->func, false, 0))
		return false;
	if (static_branch_unlikely(&profile_without_callees))
		profile_callees_begin(gops);
	return true;
}

/*
 * Slow paths of profile_call(). Each is entered by a tail call with preemption disabled, and
 * enables it.
 */

/* The return stack has no room: count the call, but do not wait for its return. */
static noinline void profile_enter_no_room(unsigned long ip)
{
	profile_count(raw_cpu_read(profile_table), ip, false, 0);
	preempt_enable_notrace();
}

/* Handle the call from the beginning: profile_call() has not changed anything yet. */
static noinline void profile_enter_slow(unsigned long ip, unsigned long parent_ip,
					struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (!graph_enter(graph_user_of(op), ip, fregs, profile_entry))
		return profile_enter_no_room(ip);
	preempt_enable_notrace();
}

/*
 * Count a call that profile_begin_fast() has pushed on the return stack, with the user's bit set.
 * If it cannot be counted, clear the bit, so that the return is not counted either.
 */
static noinline void profile_begin_slow(struct fgraph_ops *gops, struct ftrace_ret_stack *call)
{
	call->calltime = graph_clock();
	if (!profile_count(raw_cpu_read(profile_table), call->func, false, 0))
		call->users &= ~gops->user;
	preempt_enable_notrace();
}

/* The clock of the CPU of the return may be behind that of the CPU of the entry. */
static __always_inline u64 profile_clamp_time(s64 time)
{
	return max(time, 0);
}

static noinline void profile_count_return_slow(const struct ftrace_ret_stack *call, u64 time)
{
	profile_count(raw_cpu_read(profile_table), call->func, true, profile_clamp_time(time));
}

/* The hot path: no function calls, except of the slow paths above. */

static __always_inline struct ftrace_ret_stack *
profile_begin_fast(struct fgraph_ops *gops, const struct ftrace_ret_stack *newest,
		   unsigned long ip, struct ftrace_regs *fregs)
{
	if (static_branch_unlikely(&profile_without_callees))
		return graph_begin_call_with_data(gops, newest, ip, fregs, sizeof(struct callees));
	return graph_begin_call_fast(gops, newest, ip, fregs);
}

static void profile_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			 struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = graph_user_of(op);
	struct ftrace_ret_stack *newest, *call;

	preempt_disable_notrace();
	newest = graph_return_is_traced(fregs) ? NULL : graph_newest_call_fast(fregs);
	if (unlikely(!newest))
		return profile_enter_slow(ip, parent_ip, op, fregs);
	call = profile_begin_fast(gops, newest, ip, fregs);
	if (unlikely(!call))
		return profile_enter_no_room(ip);
	if (!static_branch_likely(&graph_clock_fast) ||
	    !profile_hit_fast(raw_cpu_read(profile_table), ip))
		return profile_begin_slow(gops, call);
	call->calltime = arch_trace_clock();
	preempt_enable_notrace();
}

static __always_inline void profile_count_return(const struct ftrace_ret_stack *call, u64 time)
{
	struct profile_table *table = raw_cpu_read(profile_table);

	/* The fast path declines a negative time, which looks like a very long one. */
	if (!profile_return_fast(table, call->func, time))
		return profile_count_return_slow(call, time);
	if (unlikely(profile_has_notes(table)))
		profile_notes_drain(table);
}

/* Not inlined: its function calls would make profile_return() save registers on each return. */
static noinline void profile_count_own_time(struct fgraph_ops *gops,
					    const struct ftrace_ret_stack *call, u64 time)
{
	profile_count_return(call, profile_callees_end_fast(gops, call, profile_clamp_time(time)));
}

static void profile_return(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			   const struct ftrace_return *r, u64 now)
{
	u64 time = now - call->calltime;

	if (static_branch_unlikely(&profile_without_callees))
		return profile_count_own_time(gops, call, time);
	profile_count_return(call, time);
}

static struct fgraph_ops profiler = {
	.notify		= profile_return,
	.ops.func	= profile_call,
	.ops.flags	= FTRACE_OPS_FL_ARGS_ONLY,
};

void profile_exclude_callees(bool unwanted)
{
	if (unwanted)
		static_branch_inc(&profile_without_callees);
	else
		static_branch_dec(&profile_without_callees);
}

/* ------------------------------------------------------------------ */
/* Start and stop							*/

/* Free an array of tables, indexed by CPU number, with one table for each possible CPU. */
static void profile_tables_free(struct profile_table **tables)
{
	int cpu;

	for_each_possible_cpu(cpu)
		profile_table_free(tables[cpu]);
	kfree(tables);
}

static struct profile_table **profile_tables_alloc(unsigned int room)
{
	struct profile_table **tables = kcalloc(nr_cpu_ids, sizeof(*tables), GFP_KERNEL);
	int cpu;

	if (!tables)
		return NULL;
	for_each_possible_cpu(cpu) {
		tables[cpu] = profile_table_alloc(room, cpu_to_node(cpu));
		if (!tables[cpu]) {
			profile_tables_free(tables);
			return NULL;
		}
	}
	return tables;
}

/* Exchange the tables of all CPUs for @tables, while no callback can run. */
static void profile_tables_exchange(struct profile_table **tables)
{
	int cpu;

	lockdep_assert_held(&profile_lock);
	for_each_possible_cpu(cpu)
		swap(per_cpu(profile_table, cpu), tables[cpu]);
}

static unsigned int profile_rows_wanted(void)
{
	unsigned long functions;

	guard(mutex)(&ftrace_lock);
	functions = sites_total();
	return functions + max(functions / 4, PROFILE_SPARE_ROWS);
}

/* register_ftrace_graph() synchronizes: callbacks see the tables that are set before it. */
static int profile_start(void)
{
	struct profile_table **tables = profile_tables_alloc(profile_rows_wanted());
	int ret;

	if (!tables)
		return -ENOMEM;
	profile_tables_exchange(tables);
	ftrace_ops_set_global_filter(&profiler.ops);
	ret = register_ftrace_graph(&profiler);
	if (ret) {
		/* Callbacks may have run before the registration failed. */
		dispatch_synchronize();
		profile_tables_exchange(tables);
	} else {
		WRITE_ONCE(profile_enabled, true);
	}
	/* These are the tables of the previous run, or the new ones if the start failed. */
	profile_tables_free(tables);
	return ret;
}

static int profile_stop(void)
{
	int ret = graph_unregister(&profiler);
	int cpu;

	if (ret)
		return ret;
	/* Unregistering an ops in static memory does not wait for its callbacks. */
	dispatch_synchronize();
	for_each_possible_cpu(cpu)
		profile_table_trim(per_cpu(profile_table, cpu));
	WRITE_ONCE(profile_enabled, false);
	return 0;
}

int profile_switch(bool on)
{
	guard(mutex)(&profile_lock);
	if (on == profile_enabled)
		return 0;
	return on ? profile_start() : profile_stop();
}

bool profile_is_on(void)
{
	return READ_ONCE(profile_enabled);
}

/* ------------------------------------------------------------------ */
/* Reading								*/

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

void profile_clear_text(unsigned long start, size_t size)
{
	int cpu;

	guard(mutex)(&profile_lock);
	for_each_possible_cpu(cpu)
		profile_table_clear_text(per_cpu(profile_table, cpu), start, size);
}
