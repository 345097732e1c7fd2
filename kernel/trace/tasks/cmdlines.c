// SPDX-License-Identifier: GPL-2.0
/*
 * Saved comms and thread groups of traced tasks.
 *
 * An entry tells a pid only.  Whatever records one leaves a mark on its CPU
 * (trace_taskinfo_mark(), one store), and the next task switch there saves the
 * comms of both tasks in a cache of the latest @size tasks, found by a small
 * hash.  Readers look pids up in it while lines are formatted.
 *
 * The probe runs inside the scheduler: it must not wait for long.  When it does
 * not get the lock within a microsecond or two it leaves the mark for the next
 * switch on its CPU, and a copy of the comm of the task that goes: one that ends
 * never comes back, and two CPUs often switch at the same time just then, as the
 * parent is woken. The next switch may fail as well, and more of them where the
 * holder of the lock is a CPU of a guest that its host has stopped: so several
 * comms are kept (comm_cache.h). None is kept for longer than the probe is attached:
 * some day its pid is another task's.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid_namespace.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/threads.h>
#include <linux/trace_events.h>

#include "cmdlines.h"
#include "comm_cache.h"
#include "guard/guard.h"
#include "instance/instance.h"
#include "instance/part.h"
#include "ring_buffer/dying.h"
#include "switch_probe.h"

DEFINE_PER_CPU(bool, trace_taskinfo_save);

/*
 * Protects the cache, the pointer to it included.  Taken with interrupts off;
 * innermost, inside the run queue locks even: nothing may be called under it.
 */
static DEFINE_RAW_SPINLOCK(comm_lock);
static struct comm_cache *comms;

/* A look at the lock takes 150 cycles or less, and saving a comm about as much. */
#define LOCK_TRIES	32
/* A reader of all comms holds the lock for so many at a time. */
#define COLLECT_SLOTS	32U

/* The size of the cache, also before it is there; under resize_lock. */
static unsigned int comms_size = SAVED_CMDLINES_DEFAULT;

/* One change of size at a time.  Inside trace_lock. */
static DEFINE_MUTEX(resize_lock);

/* Nobody may be waited for inside the scheduler. */
static bool comm_trylock(unsigned long *flags)
{
	for (unsigned int tries = LOCK_TRIES; tries; tries--) {
		if (raw_spin_trylock_irqsave(&comm_lock, *flags)) {
			/* For sparse, which cannot follow a lock that is taken or not. */
			__release(&comm_lock);
			return true;
		}
		cpu_relax();
	}
	return false;
}

/* Undo comm_trylock(). */
static void comm_unlock(unsigned long flags)
{
	__acquire(&comm_lock);
	raw_spin_unlock_irqrestore(&comm_lock, flags);
}

/* An idle task has a comm that is not its own. */
static void comm_put(struct task_struct *task)
{
	if (task->pid)
		comm_cache_put(comms, task->pid, task->comm, true);
}

static bool comm_save(struct task_struct *task)
{
	unsigned long flags;

	if (!comm_trylock(&flags))
		return false;
	if (comms)
		comm_put(task);
	comm_unlock(flags);
	return true;
}

bool trace_save_cmdline(struct task_struct *task)
{
	struct trace_own own;
	bool saved;

	if (!task->pid)
		return true;
	/* Locks may be traced. */
	trace_own_begin(&own);
	saved = comm_save(task);
	trace_own_end(&own);
	return saved;
}

/* Touched by its own CPU's scheduler only, while the probe is attached. */
static DEFINE_PER_CPU(struct comm_backlog, comm_backlog);

static bool comm_save_switch(struct task_struct *prev, struct task_struct *next)
{
	struct comm_backlog *backlog = this_cpu_ptr(&comm_backlog);
	unsigned long flags;

	if (!comm_trylock(&flags)) {
		if (prev->pid)
			comm_backlog_add(backlog, prev->pid, prev->comm,
					 prev->flags & PF_EXITING);
		return false;
	}
	if (comms) {
		comm_backlog_flush(backlog, comms);
		comm_put(prev);
		comm_put(next);
	}
	comm_unlock(flags);
	return true;
}

/* Nobody wants more of them, but some are left. */
static bool comm_save_left(void)
{
	struct comm_backlog *backlog = this_cpu_ptr(&comm_backlog);
	unsigned long flags;

	if (!backlog->nr)
		return true;
	if (!comm_trylock(&flags))
		return false;
	comm_backlog_flush(backlog, comms);
	comm_unlock(flags);
	return true;
}

static void comm_copy(int pid, char *comm)
{
	const char *saved = comms ? comm_cache_find(comms, pid) : NULL;

	/* As long as it can be: copied in two moves. */
	if (saved)
		memcpy(comm, saved, TASK_COMM_LEN);
}

void trace_find_cmdline(int pid, char comm[TASK_COMM_LEN])
{
	static const char idle[TASK_COMM_LEN] = "<idle>", unknown[TASK_COMM_LEN] = "<...>";
	unsigned long flags;

	memcpy(comm, pid ? unknown : idle, TASK_COMM_LEN);
	if (!pid)
		return;
	if (in_nmi() || READ_ONCE(ring_buffer_dying)) {
		/* The holder may be what was interrupted. */
		if (!raw_spin_trylock_irqsave(&comm_lock, flags))
			return;
	} else {
		raw_spin_lock_irqsave(&comm_lock, flags);
	}
	comm_copy(pid, comm);
	raw_spin_unlock_irqrestore(&comm_lock, flags);
}

/* Copy the comms of slots @from up to @to.  Returns how many there are. */
static unsigned int comm_collect(struct saved_comm *out, unsigned int from,
				 unsigned int to)
{
	unsigned int n = 0;
	unsigned long flags;

	raw_spin_lock_irqsave(&comm_lock, flags);
	for (unsigned int i = from; comms && i < min(comms->size, to); i++) {
		if (comms->slots[i].saved.pid)
			out[n++] = comms->slots[i].saved;
	}
	raw_spin_unlock_irqrestore(&comm_lock, flags);
	return n;
}

struct saved_comm *trace_saved_cmdlines(unsigned int *nr)
{
	unsigned int room = trace_cmdlines_size();
	struct saved_comm *out;
	unsigned int n = 0;

	out = kvmalloc_array(room, sizeof(*out), GFP_KERNEL);
	if (!out)
		return ERR_PTR(-ENOMEM);
	for (unsigned int i = 0; i < room; i += COLLECT_SLOTS)
		n += comm_collect(out + n, i, min(i + COLLECT_SLOTS, room));
	*nr = n;
	return out;
}

unsigned int trace_cmdlines_size(void)
{
	return READ_ONCE(comms_size);
}

static int replace_cache(unsigned int nr)
{
	struct comm_cache *c = comm_cache_alloc(nr), *old;
	unsigned long flags;

	if (!c)
		return -ENOMEM;

	raw_spin_lock_irqsave(&comm_lock, flags);
	old = comms;
	/* Pairs with trace_cmdlines_prepare(). */
	WRITE_ONCE(comms, c);
	raw_spin_unlock_irqrestore(&comm_lock, flags);
	comm_cache_free(old);
	return 0;
}

int trace_cmdlines_resize(unsigned int nr)
{
	int ret;

	if (!nr || nr > PID_MAX_DEFAULT)
		return -EINVAL;

	guard(mutex)(&resize_lock);
	ret = replace_cache(nr);
	if (!ret)
		WRITE_ONCE(comms_size, nr);
	return ret;
}

int trace_cmdlines_prepare(void)
{
	/* Never NULL again: who writes to trace_marker does not wait for others who do. */
	if (READ_ONCE(comms))
		return 0;
	guard(mutex)(&resize_lock);
	return comms ? 0 : replace_cache(comms_size);
}

/*
 * Thread groups, by pid: one int for each pid there can be, allocated at the
 * first use and never freed, so that readers need no lock.
 */
struct tgid_map {
	int	nr;
	int	tgid[] __counted_by(nr);
};

static struct tgid_map *tgids;

static int tgids_alloc(void)
{
	/*
	 * The kernel itself may still raise pid_max to that, early in the boot.
	 * Should somebody raise it later, what is beyond is not saved.
	 */
	int nr = max_t(int, pid_max, PIDS_PER_CPU_DEFAULT * num_possible_cpus()) + 1;
	struct tgid_map *map;

	if (tgids)
		return 0;
	map = kvzalloc(struct_size(map, tgid, nr), GFP_KERNEL);
	if (!map)
		return -ENOMEM;
	map->nr = nr;
	/* Pairs with the smp_load_acquire() in tgid_slot(). */
	smp_store_release(&tgids, map);
	return 0;
}

static int *tgid_slot(int pid)
{
	/* Pairs with the smp_store_release() in tgids_alloc(). */
	struct tgid_map *map = smp_load_acquire(&tgids);

	if (!map || pid < 0 || pid >= map->nr)
		return NULL;
	return &map->tgid[pid];
}

static void tgid_save(struct task_struct *task)
{
	int *slot = task->pid ? tgid_slot(task->pid) : NULL;

	if (slot)
		WRITE_ONCE(*slot, task->tgid);
}

int trace_find_tgid(int pid)
{
	int *slot = tgid_slot(pid);

	return slot ? READ_ONCE(*slot) : 0;
}

bool trace_saved_tgid_next(int *pid, int *tgid)
{
	int *slot;

	for (int p = *pid; (slot = tgid_slot(p)); p++) {
		*tgid = READ_ONCE(*slot);
		if (*tgid) {
			*pid = p;
			return true;
		}
	}
	return false;
}

/*
 * Who wants what to be saved at task switches.  Written with the lock held; it
 * nests inside trace_lock.
 */
static DEFINE_MUTEX(users_lock);
static unsigned int comm_users;
static unsigned int tgid_users;

static bool save_both(struct task_struct *prev, struct task_struct *next)
{
	if (READ_ONCE(tgid_users)) {
		tgid_save(prev);
		tgid_save(next);
	}
	return READ_ONCE(comm_users) ? comm_save_switch(prev, next) : comm_save_left();
}

void trace_save_at_switch(struct task_struct *prev, struct task_struct *next)
{
	struct trace_own own;

	if (!__this_cpu_read(trace_taskinfo_save))
		return;
	/* Locks may be traced. */
	trace_own_begin(&own);
	if (save_both(prev, next))
		__this_cpu_write(trace_taskinfo_save, false);
	trace_own_end(&own);
}

void trace_save_left(void)
{
	unsigned long flags;
	int cpu;

	for_each_possible_cpu(cpu) {
		raw_spin_lock_irqsave(&comm_lock, flags);
		if (comms)
			comm_backlog_flush(per_cpu_ptr(&comm_backlog, cpu), comms);
		raw_spin_unlock_irqrestore(&comm_lock, flags);
	}
}

static int add_user(unsigned int *users)
{
	int ret = switch_probe_get();

	if (!ret)
		WRITE_ONCE(*users, *users + 1);
	return ret;
}

static void drop_user(unsigned int *users)
{
	WRITE_ONCE(*users, *users - 1);
	switch_probe_put();
}

int trace_cmdlines_start(void)
{
	int ret = trace_cmdlines_prepare();

	if (ret)
		return ret;
	guard(mutex)(&users_lock);
	return add_user(&comm_users);
}

void trace_cmdlines_stop(void)
{
	guard(mutex)(&users_lock);
	drop_user(&comm_users);
}

/*
 * Option record-tgid. The map that the first one allocates stays for good, for the pids
 * up to the pid_max of that moment, and so does what is saved.
 */
static int record_tgids(struct trace_array *tr, bool on)
{
	int ret;

	guard(mutex)(&users_lock);
	if (!on) {
		drop_user(&tgid_users);
		return 0;
	}
	ret = tgids_alloc();
	return ret ?: add_user(&tgid_users);
}

static void setup(void)
{
	trace_option_carry_out(TRACE_OPT_RECORD_TGID_BIT, record_tgids);
}

/* A new instance has what the top one has. */
static int begin(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);
	return trace_option_impose(tr, TRACE_OPT_RECORD_TGID_BIT,
				   trace_array_opt(&global_trace, TRACE_OPT_RECORD_TGID));
}

static void end(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);
	trace_option_impose(tr, TRACE_OPT_RECORD_TGID_BIT, false);
}

struct instance_part trace_cmdlines_part = {
	.setup	= setup,
	.init	= begin,
	.gone	= end,
};

/* For code outside the tracer that records by itself. */

void tracing_record_cmdline(struct task_struct *task)
{
	guard(preempt_notrace)();
	if (READ_ONCE(comm_users))
		trace_save_cmdline(task);
}

void tracing_record_tgid(struct task_struct *task)
{
	if (READ_ONCE(tgid_users))
		tgid_save(task);
}
