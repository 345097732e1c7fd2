// SPDX-License-Identifier: GPL-2.0
/*
 * Writes call sites, a slice at a time (SPEC D3, D4, D8, D9).
 *
 * Called by ops/ under ftrace_lock with the sites whose dispatch set changes.
 * The sites are collected in one static batch, which is written when it is full and at the
 * end of a change.  The architecture maps the text of the batch, then the machine is stopped
 * as often as needed: each stop writes sites until its time is used up.
 *
 * Inside a stop every CPU runs patch_stop() with interrupts off.  The first CPU to
 * arrive writes; the others wait, and serialize on request.  Only NMIs run
 * besides, and arch_patch_sites() is safe for those.  It gets a group of
 * sites at once, since each group may need several rounds of serializing on all CPUs.
 *
 * This file never decides what a site should call, and never touches a site
 * again that has failed.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/kallsyms.h>
#include <linux/memory.h>
#include <linux/preempt.h>
#include <linux/processor.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/stop_machine.h>

#include "dispatch.h"
#include "patch.h"
#include "patch_test.h"
#include "sites/sites.h"

/*
 * Writing ends some time before the budget is used up: the last group of sites and the end
 * of the stop take time as well.
 */
#define PATCH_SLICE_NS	(PATCH_BUDGET_NS / 2)

/*
 * Assumed upper limit of the time to write a site with cold caches.  It does not include the
 * time that CPUs wait for each other at each step of a group, which is small for few CPUs,
 * but grows with their number, as the time to stop them does.
 */
#define PATCH_SITE_NS	390

static_assert(PATCH_SLICE_NS + PATCH_GROUP * PATCH_SITE_NS < PATCH_BUDGET_NS);

/*
 * In a guest with more CPUs than its host runs at a time, stopping all CPUs takes
 * milliseconds with interrupts off, so the budget is exceeded
 * before anything is written.  Fewer stops then take less time
 * in all, so a slice may take as long as stopping the CPUs did; and since CPUs wait
 * for each other at each step of a group, groups are larger.
 */
#define PATCH_GATHER_LONG_NS	NSEC_PER_MSEC
#define PATCH_SLICE_MAX_NS	(10 * NSEC_PER_MSEC)

/*
 * Number of sites (at least one group) that are written in a stop if the clock does not
 * advance during it, because it counts ticks.
 */
#define PATCH_UNTIMED_SITES	128

static_assert(PATCH_UNTIMED_SITES * PATCH_SITE_NS <= PATCH_BUDGET_NS);

static struct patch_batch batch;	/* under ftrace_lock */
static struct patch_stats stats;	/* under ftrace_lock; the writer in a stop holds that */

/**
 * struct patch_test - a test of patching, which affects changes by its own task only
 * @task: the task of the test; NULL if there is none
 * @clock: the clock that measures stops, or NULL for the usual one
 * @look: called between the steps of writing a group, or NULL
 * @stats: stops and sites of @task, which are counted in stats as well, except for the longest
 *	stop
 */
struct patch_test {
	struct task_struct	*task;
	u64			(*clock)(void);
	void			(*look)(void);
	struct patch_stats	stats;
};

static struct patch_test patch_test;	/* under ftrace_lock */
static bool patch_is_test;		/* patch_test.task runs this change; under ftrace_lock */

const struct patch_stats *patch_stats(void)
{
	return &stats;
}

/* Not local_clock(), which is traced: each reading would be recorded. Preemption is off. */
static u64 patch_clock(void)
{
	return unlikely(patch_is_test && patch_test.clock) ? patch_test.clock() :
							     local_clock_noinstr();
}

/* Read patch_clock() where preemption is on. */
static u64 patch_clock_now(void)
{
	guard(preempt_notrace)();
	return patch_clock();
}

void patch_test_clock(u64 (*clock)(void))
{
	guard(mutex)(&ftrace_lock);
	patch_test = (struct patch_test) { .task = clock ? current : NULL, .clock = clock };
}

void patch_test_between(void (*look)(void))
{
	guard(mutex)(&ftrace_lock);
	patch_test = (struct patch_test) { .task = look ? current : NULL, .look = look };
}

const struct patch_stats *patch_test_stats(void)
{
	return &patch_test.stats;
}

static void patch_count_stop(u64 ns)
{
	struct patch_stats *timed = patch_is_test ? &patch_test.stats : &stats;

	timed->worst_ns = max(timed->worst_ns, ns);
	stats.stops++;
	if (patch_is_test)
		patch_test.stats.stops++;
}

static void patch_count_sites(unsigned int nr)
{
	stats.patched += nr;
	if (patch_is_test)
		patch_test.stats.patched += nr;
}

/* ------------------------------------------------------------------ */
/* Inside the stop							*/

/**
 * struct patch_stop - one stop of the machine
 * @called: time when the stop was requested, by patch_clock()
 * @first: index in the batch of the first site that this stop writes
 * @end: index after the last site that the writer has begun to write
 * @arrived: number of CPUs in the stop; the first one is the writer
 * @round: incremented by the writer to make the other CPUs serialize
 * @acks: number of other CPUs that have serialized in this round
 * @finished: the writer has finished
 * @error: 0, or the error of the writer
 */
struct patch_stop {
	u64		called;
	unsigned int	first;
	unsigned int	end;
	atomic_t	arrived;
	unsigned int	round;
	atomic_t	acks;
	bool		finished;
	int		error;
};

static struct patch_stop *patch_current_stop;

/* @stop->end is stable: the writer begins no other group while other CPUs are in here. */
static void patch_sync(const struct patch_stop *stop)
{
	arch_patch_sync(&batch, stop->first, stop->end);
}

void patch_sync_cpus(void)
{
	struct patch_stop *stop = patch_current_stop;

	atomic_set(&stop->acks, 0);
	/* Pairs with the acquire in patch_wait(): the other CPUs see the patched text. */
	smp_store_release(&stop->round, stop->round + 1);
	patch_sync(stop);
	while (atomic_read_acquire(&stop->acks) < num_online_cpus() - 1)
		cpu_relax();
	if (unlikely(patch_is_test && patch_test.look))
		patch_test.look();
}

/* Wait on a CPU that does not write until the writer has finished; serialize on request. */
static void patch_wait(struct patch_stop *stop)
{
	unsigned int seen = 0;

	/* Pairs with the release in patch_write(): the sites are written. */
	while (!smp_load_acquire(&stop->finished)) {
		/* Pairs with the release in patch_sync_cpus(). */
		unsigned int round = smp_load_acquire(&stop->round);

		if (round != seen) {
			seen = round;
			patch_sync(stop);
			atomic_inc_return_release(&stop->acks);
		}
		cpu_relax();
	}
}

/*
 * Choose the time for writing by the time that it took to stop the CPUs. @gathered may be
 * negative, since the clocks of two CPUs were read. It says nothing if there is only one CPU,
 * which waits for no other.
 */
static u64 patch_slice_ns(s64 gathered)
{
	if (gathered < PATCH_GATHER_LONG_NS || !arch_patch_in_guest() ||
	    num_online_cpus() == 1)
		return PATCH_SLICE_NS;
	return min_t(s64, gathered, PATCH_SLICE_MAX_NS);
}

static int patch_write_group(struct patch_stop *stop, unsigned int nr)
{
	unsigned int i = batch.done;
	int ret;

	stop->end = min(i + nr, batch.ready);
	ret = arch_patch_sites(&batch, stop->end);
	for (; i < batch.done; i++)
		site_point_at(batch.sites[i].site, batch.sites[i].set);
	return ret;
}

static int patch_write_slice(struct patch_stop *stop, u64 start, u64 slice)
{
	unsigned int nr = slice > PATCH_SLICE_NS ? PATCH_GROUP_MAX : PATCH_GROUP;
	u64 spent;
	int ret;

	do {
		ret = patch_write_group(stop, nr);
		if (ret)
			return ret;
		spent = patch_clock() - start;
		if (!spent && batch.done - stop->first >= PATCH_UNTIMED_SITES)
			break;
	} while (batch.done < batch.ready && spent < slice);
	return 0;
}

static void patch_write(struct patch_stop *stop)
{
	u64 start = patch_clock();

	patch_current_stop = stop;
	arch_patch_open(&batch);
	stop->error = patch_write_slice(stop, start, patch_slice_ns(start - stop->called));
	arch_patch_close(&batch);
	patch_count_stop(patch_clock() - start);
	/* Pairs with the acquire of @finished in patch_wait(): the sites are written. */
	smp_store_release(&stop->finished, true);
}

static int patch_stop(void *data)
{
	struct patch_stop *stop = data;

	if (atomic_inc_return(&stop->arrived) == 1)
		patch_write(stop);
	else
		patch_wait(stop);
	patch_sync(stop);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Outside the stop							*/

/* Report a failed site. Printed once: the tracer is dead afterwards and writes no more. */
static void patch_report(const struct patch_site *p, int error)
{
	u8 found[MCOUNT_INSN_SIZE], expected[MCOUNT_INSN_SIZE];
	bool readable = arch_site_insn(p->ip, p->old, found, expected);

	pr_err("cannot change the call site at 0x%lx (%pS), error %d\n",
	       p->ip, (void *)p->ip, error);
	if (readable)
		pr_err(" expected %*ph, found %*ph\n", MCOUNT_INSN_SIZE, expected,
		       MCOUNT_INSN_SIZE, found);
	else
		pr_err(" the site cannot be read\n");
	pr_err(" tracing is off until the next boot\n");
}

static void patch_fail(const struct patch_site *p, int error)
{
	patch_report(p, error);
	site_mark(p->site, SITE_FAILED);
	ftrace_kill();
}

static int patch_write_stops(void)
{
	int ret = 0;

	while (!ret && batch.done < batch.ready) {
		struct patch_stop stop = {
			.called = patch_clock_now(),
			.first = batch.done,
		};

		ret = stop_machine_cpuslocked(patch_stop, &stop, cpu_online_mask);
		ret = ret ?: stop.error;
	}
	return ret;
}

/* Mark sites as modified (SITE_MODIFIED) whose set has an IPMODIFY ops. */
static void patch_mark_modified(const struct patch_site *p, unsigned int nr)
{
	const struct dispatch_set *set = dispatch_set_by_id(p->set);

	if (set && (set->flags & FTRACE_OPS_FL_IPMODIFY))
		while (nr--)
			site_mark(p++->site, SITE_MODIFIED);
}

/* Account the written sites, in runs of neighbours that have the same old and new set. */
static void patch_account(void)
{
	const struct patch_site *p = batch.sites;
	unsigned int i, run = 0;

	for (i = 0; i < batch.done; i++) {
		run++;
		if (i + 1 < batch.done && p[i + 1].was == p[i].was && p[i + 1].set == p[i].set)
			continue;
		dispatch_count_moved(p[i].was, p[i].set, run);
		patch_mark_modified(&p[i + 1 - run], run);
		run = 0;
	}
	patch_count_sites(batch.done);
}

/*
 * Skip a site that was found but holds other code now, such as a breakpoint. This is no
 * anomaly: no user relies on the site yet, so it is marked failed and the tracer continues.
 */
static bool patch_skip_unusable(const struct patch_site *p, int error)
{
	if (p->old != PATCH_AS_COMPILED || error != -EINVAL)
		return false;
	site_mark(p->site, SITE_FAILED);
	batch.done++;
	return true;
}

/* Write as much of the batch as the architecture can prepare at once. */
static int patch_write_part(void)
{
	int ret = arch_patch_prepare(&batch);

	if (ret == -ENOMEM && !stats.patched && !batch.done)
		return ret;
	if (ret == -ENOMEM) {
		/* Half of a change cannot be undone: see arch_patch_prepare(). */
		batch.ready = batch.done;
		ret = -EFAULT;
	}
	if (ret) {
		patch_fail(&batch.sites[batch.ready], ret);
		return ret;
	}
	do
		ret = patch_write_stops();
	while (ret && patch_skip_unusable(&batch.sites[batch.done], ret));
	arch_patch_finish(&batch);
	if (ret)
		patch_fail(&batch.sites[batch.done], ret);
	return ret;
}

void patch_drop(void)
{
	lockdep_assert_held(&ftrace_lock);
	batch.nr = 0;
	batch.done = 0;
}

int patch_run(void)
{
	int ret = 0;

	lockdep_assert_held(&ftrace_lock);
	if (!batch.nr)
		return 0;

	patch_is_test = current == patch_test.task;
	cpus_read_lock();
	mutex_lock(&text_mutex);
	while (!ret && batch.done < batch.nr)
		ret = patch_write_part();
	mutex_unlock(&text_mutex);
	cpus_read_unlock();

	patch_account();
	patch_drop();
	return ret;
}

int patch_add(struct site *site, unsigned long ip, u32 set)
{
	struct patch_site *p = &batch.sites[batch.nr++];

	lockdep_assert_held(&ftrace_lock);
	p->site = site;
	p->ip = ip;
	p->was = site_set_id(site);
	p->set = set;
	p->old = site_has(site, SITE_NEW) ? PATCH_AS_COMPILED : dispatch_target(p->was, ip);
	p->new = dispatch_target(set, ip);
	return batch.nr == PATCH_BATCH ? patch_run() : 0;
}
