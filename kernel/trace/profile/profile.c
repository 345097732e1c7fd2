// SPDX-License-Identifier: GPL-2.0
/*
 * The function profiler (SPEC T6): a user of graph/ that counts calls, and adds up their times.
 * files.c starts and stops it, and shows the numbers. An option of the function_graph tracer
 * selects whether the time of a call includes that of its callees.
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
 * or cleared while they are read. Each CPU counts in its own table without this lock. Taken
 * by module notifiers, inside the locks of the module loader, and before graph_lock and
 * ftrace_lock.
 */
static DEFINE_MUTEX(profile_lock);

/* Table of each CPU. NULL until the profiler is started for the first time. */
static DEFINE_PER_CPU(struct profile_table *, profile_table);

/* True while the profiler is started. */
static bool profile_enabled;

/* Enabled while the times of calls exclude the times of their callees. */
static DEFINE_STATIC_KEY_FALSE(profile_without_callees);

/* ------------------------------------------------------------------ */
/* Callbacks								*/

/*
 * Data that the profiler reserves for a call in graph/: the sum of the times of the call's callees,
 * in ns. On 32 bits, such data are only aligned to a long.
 */
struct profile_callees {
	u64	time;
} __packed __aligned(__alignof__(long));

static noinline void profile_reserve_callees(const struct fgraph_ops *gops)
{
	struct profile_callees *own = fgraph_reserve_data(gops->idx, sizeof(*own));

	if (own)
		own->time = 0;
}

/*
 * Add @time, the time of a call that returns, to that of the callees of the enclosing call. Return:
 * @time without the time of the call's own callees. @own: data of the call; @outer: data of the
 * enclosing call; NULL for a call without data, as it began before the option was set.
 */
static __always_inline u64 profile_account_callees(const struct profile_callees *own,
						   struct profile_callees *outer, u64 time)
{
	if (outer)
		outer->time += time;
	return own ? time - min(time, own->time) : time;
}

/* Account @time, that of the newest call, which returns. Return: it without the callees' time. */
static noinline u64 profile_own_time(const struct fgraph_ops *gops, u64 time)
{
	return profile_account_callees(fgraph_retrieve_data(gops->idx, NULL),
				       graph_outer_data(gops), time);
}

/* profile_own_time() with a fast path that calls no function. @call is the newest call. */
static __always_inline u64 profile_own_time_fast(const struct fgraph_ops *gops,
						 const struct ftrace_ret_stack *call, u64 time)
{
	const struct profile_callees *own = graph_data_of_fast(gops, call, sizeof(*own));
	const struct ftrace_ret_stack *around = graph_outer_call(call);
	struct profile_callees *outer = NULL;

	if (around)
		outer = graph_data_of_fast(gops, around, sizeof(*outer));
	if (unlikely(!own || (around && !outer)))
		return profile_own_time(gops, time);
	return profile_account_callees(own, outer, time);
}

/* Entry function for graph_enter(), the slow path of an entry. */
static __always_inline bool profile_entry(struct fgraph_ops *gops,
					  struct ftrace_ret_stack *call, int depth,
					  struct ftrace_regs *fregs)
{
	/* Also needed if the profiler declines the call: users called later may accept it. */
	if (!call->users)
		call->calltime = graph_clock();
	if (!profile_count(raw_cpu_read(profile_table), call->func, false, 0))
		return false;
	if (static_branch_unlikely(&profile_without_callees))
		profile_reserve_callees(gops);
	return true;
}

/*
 * The following functions are slow paths of profile_call(), which tail-calls them with preemption
 * disabled. They enable it.
 */

/* Count the entry of a call whose return cannot be traced: the task's stack has no room for it. */
static noinline void profile_enter_no_room(unsigned long ip)
{
	profile_count(raw_cpu_read(profile_table), ip, false, 0);
	preempt_enable_notrace();
}

/* Handle an entry by graph_enter(). So far, profile_call() has only disabled preemption. */
static noinline void profile_enter_slow(unsigned long ip, unsigned long parent_ip,
					struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (!graph_enter(graph_user_of(op), ip, fregs, profile_entry))
		return profile_enter_no_room(ip);
	preempt_enable_notrace();
}

/*
 * Count the entry of a call that profile_begin_fast() has pushed, with the profiler as its user. If
 * there is no room in the table, remove the user, so that the return is not counted either.
 */
static noinline void profile_begin_slow(struct fgraph_ops *gops, struct ftrace_ret_stack *call)
{
	call->calltime = graph_clock();
	if (!profile_count(raw_cpu_read(profile_table), call->func, false, 0))
		call->users &= ~gops->user;
	preempt_enable_notrace();
}

/* A time is negative if the CPU of the return has a clock behind that of the CPU of the entry. */
static __always_inline u64 profile_clamp_time(s64 time)
{
	return max(time, 0);
}

static noinline void profile_count_return_slow(const struct ftrace_ret_stack *call, u64 time)
{
	profile_count(raw_cpu_read(profile_table), call->func, true, profile_clamp_time(time));
}

/* The following functions are the hot path: they call no functions but the slow paths above. */

/* Push a call with the profiler as its user. Return: the call; NULL if there is no room. */
static __always_inline struct ftrace_ret_stack *
profile_begin_fast(struct fgraph_ops *gops, const struct ftrace_ret_stack *newest,
		   unsigned long ip, struct ftrace_regs *fregs)
{
	if (static_branch_unlikely(&profile_without_callees))
		return graph_begin_call_with_data(gops, newest, ip, fregs,
						  sizeof(struct profile_callees));
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

	/* profile_return_fast() declines a negative time: as a u64, it is a very long one. */
	if (!profile_return_fast(table, call->func, time))
		return profile_count_return_slow(call, time);
	if (unlikely(profile_has_notes(table)))
		profile_notes_drain(table);
}

/*
 * Count a return with the time of the call without its callees. This is not inlined, because it
 * calls functions: then profile_return() would save registers at each return.
 */
static noinline void profile_count_own_time(struct fgraph_ops *gops,
					    const struct ftrace_ret_stack *call, u64 time)
{
	profile_count_return(call, profile_own_time_fast(gops, call, profile_clamp_time(time)));
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

/* Exchange the tables of all CPUs for those in @tables, while no callback can run. */
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

/* Callbacks see the new tables, because register_ftrace_graph() synchronizes. */
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
	/* Free the tables of the previous start or, if this one has failed, the new ones. */
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
