// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of programs, on the kernel's uprobes.
 *
 * A hit runs in a task that comes from user space, and may sleep, as memory to fetch from may have
 * to be paged in. A reserved record of a ring buffer must not wait for that. So the record is made
 * in a scratch buffer, once, and is then copied to each place where the event is on.
 */
#include <linux/cleanup.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/hashtable.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/rcupdate_trace.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uprobes.h>

#include "events/events.h"
#include "events/links.h"
#include "perf/programs.h"
#include "uprobe.h"

/* ------------------------------------------------------------------ */
/* Hits									*/

/**
 * struct uprobe_scratch - scratch buffer for one record
 * @lock: held while the record is made; its holder may sleep, and migrate to another CPU
 * @rec: the record
 */
struct uprobe_scratch {
	/* Protects @rec. No other lock of the tracer is held when it is taken. */
	struct mutex	lock;
	u8		rec[PROBE_RECORD_MAX] __aligned(sizeof(long));
};

/* One buffer for each CPU, so that tasks rarely wait. Allocated when the first probe starts. */
static struct uprobe_scratch __percpu *uprobe_scratch;

/*
 * Record a hit; with @perf false, in instances only. @head begins with the address of the probe, or
 * of the function that returns.
 */
static __always_inline void uprobe_record(const struct user_probe *u, struct pt_regs *regs,
					  const unsigned long *head, bool perf)
{
	struct fetch_from from = { .regs = regs, .user = true, .base = head[0] - u->offset };
	struct uprobe_scratch *scratch = raw_cpu_ptr(uprobe_scratch);
	const struct probe *p = &u->probe;
	const struct probe_event *event = p->event;
	unsigned int len = event->len;

	guard(mutex)(&scratch->lock);
	if (event->has_texts)
		len += min(fetch_room(p->args.fetches, p->args.nr, &from), PROBE_RECORD_MAX - len);
	memcpy(scratch->rec + sizeof(struct trace_entry), head, event->nr_head * sizeof(*head));
	fetch_fill(p->args.fetches, p->args.nr, scratch->rec, event->len, len, &from);
	probe_hit_fetched(p, scratch->rec, len, regs, perf);
}

/*
 * Run the programs of the event, if perf counts it in the current task. @at: address of the probe,
 * or of the function that returns. Return: 1 or 0, as perf_programs_run_user(); -ENOENT if no
 * programs were to run.
 */
static noinline int uprobe_run_programs(const struct probe_event *event, unsigned long at,
					struct pt_regs *regs)
{
	int ret = -ENOENT;

	/* bpf_get_func_ip() reads this: kprobe_prog_get_uprobed_func(). */
	current->utask->vaddr = at;
	rcu_read_lock_trace();
	/* Pairs with smp_store_release() in probe_set_programs(). */
	if (smp_load_acquire(&event->has_programs))
		ret = perf_programs_run_user(READ_ONCE(event->programs), regs);
	rcu_read_unlock_trace();
	return ret;
}

/*
 * True if an instance or another consumer wants records of a task with this memory. Other tasks get
 * no breakpoint.
 */
static bool uprobe_is_wanted(struct uprobe_consumer *consumer, struct mm_struct *mm)
{
	const struct user_probe *u = container_of(consumer, struct user_probe, consumer);

	return event_links_want(&u->probe.event->files, mm);
}

/*
 * Handle a hit. Programs get the registers before anything is fetched. Return: false if nobody
 * wants the task to be traced.
 */
static __always_inline bool uprobe_handle_hit(struct uprobe_consumer *consumer,
					      struct pt_regs *regs, const unsigned long *head)
{
	const struct user_probe *u = container_of(consumer, struct user_probe, consumer);
	const struct probe_event *event = u->probe.event;
	int ret = -ENOENT;
	bool perf;

	if (READ_ONCE(event->has_programs))
		ret = uprobe_run_programs(event, head[0], regs);
	if (ret == -ENOENT && !uprobe_is_wanted(consumer, current->mm))
		return false;
	this_cpu_inc(*u->probe.hits);
	/* perf gets a record unless a program has returned 0, and may be the only consumer. */
	perf = ret;
	if (perf || !probe_event_has_one_link(event))
		uprobe_record(u, regs, head, perf);
	return true;
}

static int uprobe_entry(struct uprobe_consumer *consumer, struct pt_regs *regs)
{
	unsigned long ip = instruction_pointer(regs);

	/* A forked child has inherited the breakpoint, but is not traced: remove it. */
	return uprobe_handle_hit(consumer, regs, &ip) ? 0 : UPROBE_HANDLER_REMOVE;
}

/* Entry of a function with a return probe: remove the breakpoint from tasks that are not traced. */
static int uretprobe_entry(struct uprobe_consumer *consumer, struct pt_regs *regs)
{
	return uprobe_is_wanted(consumer, current->mm) ? 0 : UPROBE_HANDLER_REMOVE;
}

static int uretprobe_return(struct uprobe_consumer *consumer, unsigned long func,
			    struct pt_regs *regs)
{
	unsigned long head[] = { func, instruction_pointer(regs) };

	/*
	 * The function may have been called while the task was still traced, or by its parent,
	 * which is traced, before a fork: so nobody may want this hit.
	 */
	uprobe_handle_hit(consumer, regs, head);
	return 0;
}

/* ------------------------------------------------------------------ */
/* On and off								*/

static int uprobe_alloc_scratch(void)
{
	int cpu;

	if (uprobe_scratch)
		return 0;
	uprobe_scratch = alloc_percpu(struct uprobe_scratch);
	if (!uprobe_scratch)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		mutex_init(&per_cpu_ptr(uprobe_scratch, cpu)->lock);
	return 0;
}

int uprobe_update_tasks(struct probe *p, bool more)
{
	struct user_probe *u = to_user_probe(p);

	return u->uprobe ? uprobe_apply(u->uprobe, &u->consumer, more) : 0;
}

int uprobe_start(struct probe *p)
{
	struct user_probe *u = to_user_probe(p);
	struct uprobe *uprobe;
	int err = uprobe_alloc_scratch();

	if (err)
		return err;
	u->consumer.filter = uprobe_is_wanted;
	u->consumer.handler = u->returns ? uretprobe_entry : uprobe_entry;
	u->consumer.ret_handler = u->returns ? uretprobe_return : NULL;
	uprobe = uprobe_register(d_real_inode(u->path.dentry), u->offset, u->counter,
				 &u->consumer);
	if (IS_ERR(uprobe))
		return PTR_ERR(uprobe);
	u->uprobe = uprobe;
	return 0;
}

void uprobe_stop(struct probe *p)
{
	struct user_probe *u = to_user_probe(p);

	uprobe_unregister_nosync(u->uprobe, &u->consumer);
	uprobe_unregister_sync();
	u->uprobe = NULL;
}

void uprobe_free(struct probe *p)
{
	struct user_probe *u = to_user_probe(p);

	/* Only a probe that was added is in the hash, and then dyn_events_lock is held. */
	hash_del(&u->by_place);
	path_put(&u->path);
	probe_exit(p);
	kfree(u->name);
	kfree(u);
}
