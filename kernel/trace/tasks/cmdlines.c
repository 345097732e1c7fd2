// SPDX-License-Identifier: GPL-2.0
/*
 * Saved comms and thread groups of traced tasks.
 *
 * A record has only the pid of its task. A recorder marks its CPU (trace_taskinfo_mark(), one
 * store), and the next task switch on that CPU saves the comms of both tasks in a cache of the
 * latest tasks. Readers look up the pids while they format lines.
 *
 * The probe runs inside the scheduler, and must not wait for long. If it does not get the lock
 * within a microsecond or two, it keeps the mark for the next switch on its CPU, and puts the
 * comm of the previous task into a backlog: a task that is exiting never returns, and its parent
 * is often woken on another CPU, which then switches at the same time. The next switches may
 * fail as well, for long if the lock is held by a virtual CPU that the host has stopped; so the
 * backlog has room for several comms (comm_cache.h). The backlog is flushed when the probe is
 * detached, because pids are reused.
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
#include "internal.h"
#include "ring_buffer/panic_read.h"
#include "switch_probe.h"

/* Number of comms saved, unless saved_cmdlines_size is written. */
#define SAVED_CMDLINES_DEFAULT	4096

DEFINE_PER_CPU(bool, trace_taskinfo_save);

/*
 * Protects the cache and the pointer to it. Taken with interrupts off. Innermost lock, even inside
 * the run queue locks: the holder must not call anything that locks or traces.
 */
static DEFINE_RAW_SPINLOCK(comm_lock);
static struct comm_cache *comms;

/* Attempts to take comm_lock. One takes at most 150 cycles; so does saving a comm. */
#define COMM_LOCK_TRIES	32
/* Slots that a reader of all comms copies each time that it takes comm_lock. */
#define COMM_COLLECT_SLOTS	32U

/* Slots of the cache, also before it is allocated. Protected by resize_lock. */
static unsigned int comms_size = SAVED_CMDLINES_DEFAULT;

/* Serializes allocating and resizing the cache. Taken inside trace_lock. */
static DEFINE_MUTEX(resize_lock);

/* Take comm_lock with a bounded number of attempts: the scheduler must not wait. */
static bool comm_trylock(unsigned long *flags)
{
	for (unsigned int tries = COMM_LOCK_TRIES; tries; tries--) {
		if (raw_spin_trylock_irqsave(&comm_lock, *flags)) {
			/* For sparse, which does not understand a conditional lock. */
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

/* Save the comm of @task, unless it is idle: the pid 0 of the idle tasks prints as "<idle>". */
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
	/* The lock operations below may be traced. */
	trace_own_begin(&own);
	saved = comm_save(task);
	trace_own_end(&own);
	return saved;
}

/* While the probe is attached, accessed only by the scheduler of the CPU. */
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

/* Save the backlog after the last user of saved comms is gone. Return: false if still busy. */
static bool comm_save_backlog(void)
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

	/* A copy of constant size compiles to two moves. */
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
	if (in_nmi() || READ_ONCE(ring_buffer_panic_read)) {
		/* This context may have interrupted the holder of the lock. */
		if (!raw_spin_trylock_irqsave(&comm_lock, flags))
			return;
	} else {
		raw_spin_lock_irqsave(&comm_lock, flags);
	}
	comm_copy(pid, comm);
	raw_spin_unlock_irqrestore(&comm_lock, flags);
}

/* Copy the used slots from @from up to, not including, @to. Return: number of copied comms. */
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
	for (unsigned int i = 0; i < room; i += COMM_COLLECT_SLOTS)
		n += comm_collect(out + n, i, min(i + COMM_COLLECT_SLOTS, room));
	*nr = n;
	return out;
}

unsigned int trace_cmdlines_size(void)
{
	return READ_ONCE(comms_size);
}

static int comm_cache_replace(unsigned int nr)
{
	struct comm_cache *c = comm_cache_alloc(nr), *old;
	unsigned long flags;

	if (!c)
		return -ENOMEM;

	raw_spin_lock_irqsave(&comm_lock, flags);
	old = comms;
	/* Pairs with READ_ONCE() in trace_cmdlines_prepare(). */
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
	ret = comm_cache_replace(nr);
	if (!ret)
		WRITE_ONCE(comms_size, nr);
	return ret;
}

int trace_cmdlines_prepare(void)
{
	/* Never NULL again. The lockless check spares writers of trace_marker the mutex. */
	if (READ_ONCE(comms))
		return 0;
	guard(mutex)(&resize_lock);
	return comms ? 0 : comm_cache_replace(comms_size);
}

/**
 * struct tgid_map - the thread group of each pid
 * @nr: number of elements of @tgid
 * @tgid: thread group by pid, 0 if none is saved
 *
 * Allocated at the first use and never freed, so readers need no lock.
 */
struct tgid_map {
	int	nr;
	int	tgid[] __counted_by(nr);
};

static struct tgid_map *tgid_map;

static int tgid_map_alloc(void)
{
	/*
	 * Early in the boot the kernel may still raise pid_max up to this value. Higher pids, after
	 * an administrator raises it later, are not saved.
	 */
	int nr = max_t(int, pid_max, PIDS_PER_CPU_DEFAULT * num_possible_cpus()) + 1;
	struct tgid_map *map;

	if (tgid_map)
		return 0;
	map = kvzalloc(struct_size(map, tgid, nr), GFP_KERNEL);
	if (!map)
		return -ENOMEM;
	map->nr = nr;
	/* Pairs with the smp_load_acquire() in tgid_slot(). */
	smp_store_release(&tgid_map, map);
	return 0;
}

static int *tgid_slot(int pid)
{
	/* Pairs with the smp_store_release() in tgid_map_alloc(). */
	struct tgid_map *map = smp_load_acquire(&tgid_map);

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

/* Protects writing the numbers of users below. Taken inside trace_lock. */
static DEFINE_MUTEX(users_lock);
/* Number of users that need comms saved at task switches. */
static unsigned int comm_users;
/* Number of users that need thread groups saved at task switches. */
static unsigned int tgid_users;

static bool taskinfo_save_both(struct task_struct *prev, struct task_struct *next)
{
	if (READ_ONCE(tgid_users)) {
		tgid_save(prev);
		tgid_save(next);
	}
	return READ_ONCE(comm_users) ? comm_save_switch(prev, next) : comm_save_backlog();
}

void trace_save_at_switch(struct task_struct *prev, struct task_struct *next)
{
	struct trace_own own;

	if (!__this_cpu_read(trace_taskinfo_save))
		return;
	/* The lock operations below may be traced. */
	trace_own_begin(&own);
	if (taskinfo_save_both(prev, next))
		__this_cpu_write(trace_taskinfo_save, false);
	trace_own_end(&own);
}

void trace_save_backlogs(void)
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

static int taskinfo_add_user(unsigned int *users)
{
	int ret = switch_probe_get();

	if (!ret)
		WRITE_ONCE(*users, *users + 1);
	return ret;
}

static void taskinfo_drop_user(unsigned int *users)
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
	return taskinfo_add_user(&comm_users);
}

void trace_cmdlines_stop(void)
{
	guard(mutex)(&users_lock);
	taskinfo_drop_user(&comm_users);
}

/*
 * Apply option record-tgid. The map is allocated when the option is first set, for the pids up to
 * the pid_max of that moment. The map and the saved thread groups are kept for good.
 */
static int record_tgid_set(struct trace_array *tr, bool on)
{
	int ret;

	guard(mutex)(&users_lock);
	if (!on) {
		taskinfo_drop_user(&tgid_users);
		return 0;
	}
	ret = tgid_map_alloc();
	return ret ?: taskinfo_add_user(&tgid_users);
}

static void cmdlines_setup(void)
{
	trace_option_register_bound(TRACE_OPT_RECORD_TGID_BIT, record_tgid_set);
}

/* A new instance inherits option record-tgid from the top one. */
static int cmdlines_init_instance(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);
	return trace_option_force(tr, TRACE_OPT_RECORD_TGID_BIT,
				  trace_array_opt(&global_trace, TRACE_OPT_RECORD_TGID));
}

static void cmdlines_end_instance(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);
	trace_option_force(tr, TRACE_OPT_RECORD_TGID_BIT, false);
}

struct instance_part trace_cmdlines_part = {
	.setup	= cmdlines_setup,
	.init	= cmdlines_init_instance,
	.unlisted	= cmdlines_end_instance,
};

/* ------------------------------------------------------------------ */
/* Interface for recorders outside the tracer				*/

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
