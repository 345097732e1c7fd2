// SPDX-License-Identifier: GPL-2.0
/*
 * Hits of kprobe_multi links: calls of the functions of a link, in which its program runs.
 *
 * A link of a program that is called at the entry only is an ftrace_ops; any other is a user of
 * graph/. Both have callbacks of their own, instead of an fprobe, as each instruction of a hit
 * counts. Until perf_program_enter() has succeeded, they call no function that can be traced, whose
 * hit would recurse.
 *
 * Functions with a run context on their stack have no stack protector: only helpers of programs
 * access it.
 */
#include <linux/bpf.h>
#include <linux/compiler.h>
#include <linux/filter.h>
#include <linux/ftrace.h>
#include <linux/ftrace_arch_return.h>
#include <linux/kernel.h>
#include <linux/llist.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "dispatch/call.h"
#include "graph/caller.h"
#include "graph/graph.h"
#include "guard/guard.h"
#include "internal.h"
#include "multi.h"
#include "ops/ops.h"
#include "perf/run.h"

/* ------------------------------------------------------------------ */
/* Calls of the program							*/

/* Preemption is off, which is a read section of RCU, too: only lockdep has to be notified. */
static __always_inline u32 kprobe_multi_run_prog(const struct kprobe_multi_link *link,
						 struct kprobe_multi_run_ctx *run,
						 struct pt_regs *regs)
{
	struct bpf_run_ctx *outer;
	u32 ret;

	cant_sleep();
	rcu_lock_acquire(&rcu_lock_map);
	outer = bpf_set_run_ctx(&run->run_ctx);
	ret = perf_program_run(link->link.prog, regs);
	bpf_reset_run_ctx(outer);
	rcu_lock_release(&rcu_lock_map);
	return ret;
}

/*
 * Run the program, or count that it has missed the hit. A session has set its members of @run.
 * Return: what the program returns; 0 if it was not run.
 */
static __always_inline u32 kprobe_multi_run(const struct kprobe_multi_link *link,
					    struct kprobe_multi_run_ctx *run, unsigned long site,
					    struct pt_regs *regs)
{
	u32 ret = 0;

	run->link = link;
	run->site = site;
	if (perf_program_enter())
		ret = kprobe_multi_run_prog(link, run, regs);
	else
		bpf_prog_inc_misses_counter(link->link.prog);
	perf_program_exit();
	return ret;
}

/* The increment is not atomic: a race between two CPUs only makes the statistic inexact. */
static void kprobe_multi_count_missed(struct kprobe_multi_link *link)
{
	WRITE_ONCE(link->missed, READ_ONCE(link->missed) + 1);
}

static __always_inline struct kprobe_multi_link *kprobe_multi_of(struct fgraph_ops *gops)
{
	return container_of(gops, struct kprobe_multi_link, gops);
}

/* True if the program is called at the entry of the functions. */
static __always_inline bool kprobe_multi_runs_at_entry(const struct kprobe_multi_link *link)
{
	return !(link->flags & BPF_F_KPROBE_MULTI_RETURN);
}

/* True if the program may be called at the return, too, with data that it has kept. */
static bool kprobe_multi_is_session(const struct kprobe_multi_link *link)
{
	return trace_bpf_is_kprobe_session(link->link.prog);
}

/* Callback of a link whose program is called at the entry only. */
static __no_stack_protector void kprobe_multi_enter_run(unsigned long ip, unsigned long parent_ip,
							struct ftrace_ops *op,
							struct ftrace_regs *fregs)
{
	struct kprobe_multi_link *link = kprobe_multi_of(graph_user_of(op));
	struct kprobe_multi_run_ctx run __uninitialized;

	preempt_disable_notrace();
	if (trace_rcu_is_watching())
		kprobe_multi_run(link, &run, ip, ftrace_get_regs(fregs));
	else
		kprobe_multi_count_missed(link);
	preempt_enable_notrace();
}

/* ------------------------------------------------------------------ */
/* Links whose program is called at the return				*/

/* Bytes of bpf_session_cookie(), which a session keeps for each call. */
#define SESSION_DATA_SIZE	sizeof(u64)

/* Call the program of a session at the entry. Return: true if it is to be called at the return. */
static __no_stack_protector bool
kprobe_multi_enter_run_session(const struct kprobe_multi_link *link, unsigned long ip,
			       struct ftrace_regs *fregs, void *data)
{
	struct kprobe_multi_run_ctx run __uninitialized;

	if (!kprobe_multi_runs_at_entry(link))
		return true;
	run.data = data;
	run.is_return = false;
	return !kprobe_multi_run(link, &run, ip, ftrace_get_regs(fregs));
}

/* Reserve the data of a session for a call. Return: false if the task's stack has no room. */
static bool kprobe_multi_reserve_data(struct kprobe_multi_link *link, u64 **data)
{
	*data = NULL;
	if (!kprobe_multi_is_session(link))
		return true;
	*data = fgraph_reserve_data(link->gops.idx, SESSION_DATA_SIZE);
	if (*data)
		**data = 0;
	return *data;
}

/* Entry function for graph_enter_or_paused(). Return: true to be notified of the return. */
static bool kprobe_multi_await_return(struct fgraph_ops *gops, struct ftrace_ret_stack *call,
				      int depth, struct ftrace_regs *fregs)
{
	struct kprobe_multi_link *link = kprobe_multi_of(gops);
	u64 *data;

	if (!call->users)
		call->calltime = graph_clock();
	if (kprobe_multi_reserve_data(link, &data) && graph_ensure_room_for_user(gops, call))
		return kprobe_multi_enter_run_session(link, call->func, fregs, data);
	kprobe_multi_count_missed(link);
	return false;
}

/*
 * Handle an entry in any case. Calls that belong to the tracer's own work are never to be traced,
 * so they are not counted as missed.
 */
static __always_inline void kprobe_multi_enter_slow(struct fgraph_ops *gops, unsigned long ip,
						    struct ftrace_regs *fregs)
{
	if (likely(trace_rcu_is_watching() &&
		   graph_enter_or_paused(gops, ip, fregs, kprobe_multi_await_return, false)))
		return;
	if (!trace_is_own(trace_preempt_word()))
		kprobe_multi_count_missed(kprobe_multi_of(gops));
}

static noinline void kprobe_multi_enter_slow_outline(struct fgraph_ops *gops, unsigned long ip,
						     struct ftrace_regs *fregs)
{
	kprobe_multi_enter_slow(gops, ip, fregs);
}

/*
 * Return: the newest call of the task, if the usual case holds, in which no other user traces the
 * return of the call that is entered; otherwise NULL.
 */
static __always_inline struct ftrace_ret_stack *
kprobe_multi_newest_call(const struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	if (unlikely(graph_return_is_traced(fregs) || !trace_rcu_is_watching() ||
		     gops->idx >= GRAPH_SHARED_BIT))
		return NULL;
	return graph_newest_call_fast(fregs);
}

/* Callback of a link whose program is called at the return only. */
static void kprobe_multi_enter_await_return(unsigned long ip, unsigned long parent_ip,
					    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = graph_user_of(op);
	struct ftrace_ret_stack *newest, *call;

	preempt_disable_notrace();
	newest = kprobe_multi_newest_call(gops, fregs);
	if (unlikely(!newest)) {
		kprobe_multi_enter_slow_outline(gops, ip, fregs);
	} else {
		call = graph_begin_call_fast(gops, newest, ip, fregs);
		if (likely(call))
			call->calltime = graph_clock();
		else
			kprobe_multi_count_missed(kprobe_multi_of(gops));
	}
	preempt_enable_notrace();
}

/*
 * Callback of a session. Its program runs before the return address is replaced, which it may read.
 */
static void kprobe_multi_enter_session(unsigned long ip, unsigned long parent_ip,
				       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	preempt_disable_notrace();
	kprobe_multi_enter_slow(graph_user_of(op), ip, fregs);
	preempt_enable_notrace();
}

static __always_inline void kprobe_multi_run_at_return(const struct kprobe_multi_link *link,
						       const struct ftrace_ret_stack *call,
						       const struct ftrace_return *r,
						       struct kprobe_multi_run_ctx *run)
{
	struct pt_regs regs __uninitialized;

	arch_return_regs(r, &regs);
	/* The program may unwind the stack from these registers, beginning in the caller. */
	instruction_pointer_set(&regs, graph_caller(call->ret, call->retp, 1));
	kprobe_multi_run(link, run, call->func, &regs);
	/* bpf_override_return() changes what the function returns. */
	ftrace_return_set_value(r, regs_return_value(&regs));
}

/* Called by graph/ at the return, for a link whose program is called at the return only. */
static __no_stack_protector void kprobe_multi_return(struct fgraph_ops *gops,
						     const struct ftrace_ret_stack *call,
						     const struct ftrace_return *r, u64 now)
{
	struct kprobe_multi_run_ctx run __uninitialized;

	kprobe_multi_run_at_return(kprobe_multi_of(gops), call, r, &run);
}

/* The data of a session are usually the only ones of the call. */
static __no_stack_protector void kprobe_multi_return_session(struct fgraph_ops *gops,
							     const struct ftrace_ret_stack *call,
							     const struct ftrace_return *r,
							     u64 now)
{
	struct kprobe_multi_run_ctx run __uninitialized;

	run.data = graph_data_of_fast(gops, call, SESSION_DATA_SIZE) ?: graph_data_of(call, gops);
	run.is_return = true;
	kprobe_multi_run_at_return(kprobe_multi_of(gops), call, r, &run);
}

/* ------------------------------------------------------------------ */
/* Registration								*/

static bool kprobe_multi_runs_at_entry_only(const struct kprobe_multi_link *link)
{
	return kprobe_multi_runs_at_entry(link) && !kprobe_multi_is_session(link);
}

/* A program that is not called at the entry needs no registers from there. */
static void kprobe_multi_set_callbacks(struct kprobe_multi_link *link)
{
	struct fgraph_ops *gops = &link->gops;

	gops->many = true;
	gops->notify = kprobe_multi_return;
	gops->ops.flags = kprobe_multi_runs_at_entry(link) ? FTRACE_OPS_FL_SAVE_REGS :
							     FTRACE_OPS_FL_ARGS_ONLY;
	if (kprobe_multi_runs_at_entry_only(link)) {
		gops->ops.func = kprobe_multi_enter_run;
	} else if (kprobe_multi_is_session(link)) {
		gops->ops.func = kprobe_multi_enter_session;
		gops->notify = kprobe_multi_return_session;
	} else {
		gops->ops.func = kprobe_multi_enter_await_return;
	}
}

int kprobe_multi_register(struct kprobe_multi_link *link)
{
	struct ftrace_ops *ops = &link->gops.ops;
	int err;

	kprobe_multi_set_callbacks(link);
	err = ftrace_set_filter_ips(ops, link->funcs.addrs, link->funcs.nr, 0, 0);
	if (!err)
		err = kprobe_multi_runs_at_entry_only(link) ? register_ftrace_function(ops) :
							      register_ftrace_graph(&link->gops);
	if (err)
		ftrace_free_filter(ops);
	return err;
}

static int kprobe_multi_try_unregister(struct kprobe_multi_link *link)
{
	return kprobe_multi_runs_at_entry_only(link) ? ops_unregister_later(&link->gops.ops) :
						       graph_unregister_later(&link->gops);
}

/* Nobody could do anything about -ENOMEM. After any other errno a fault has shut ftrace down. */
void kprobe_multi_unregister(struct kprobe_multi_link *link)
{
	while (kprobe_multi_try_unregister(link) == -ENOMEM)
		schedule_timeout_uninterruptible(1);
}

/*
 * Links that are unregistered, but may still have hits in flight. A worker waits for these, a tenth
 * of a second or more, and then frees all links of the list.
 */
static LLIST_HEAD(kprobe_multi_unregistered);

static void kprobe_multi_free_unregistered(struct work_struct *work)
{
	struct llist_node *links = llist_del_all(&kprobe_multi_unregistered);
	struct kprobe_multi_link *link, *next;

	dispatch_synchronize();
	llist_for_each_entry_safe(link, next, links, unregistered) {
		ftrace_free_filter(&link->gops.ops);
		bpf_prog_put(link->link.prog);
		kprobe_multi_free_link(link);
	}
}

static DECLARE_WORK(kprobe_multi_free_work, kprobe_multi_free_unregistered);

void kprobe_multi_free_later(struct kprobe_multi_link *link)
{
	/* Whoever finds the list empty starts the worker: it takes all that is added meanwhile. */
	if (llist_add(&link->unregistered, &kprobe_multi_unregistered))
		queue_work(system_unbound_wq, &kprobe_multi_free_work);
}
