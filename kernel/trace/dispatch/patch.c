// SPDX-License-Identifier: GPL-2.0
/*
 * Writes call sites, a slice at a time (SPEC D3, D4, D8, D9).
 *
 * Called by ops/ops.c under ftrace_lock with the sites whose dispatch set changes.
 * They gather in one static batch; a full batch, or the last, is written.  The
 * architecture maps what the batch touches, then the machine is stopped as
 * often as it takes: each stop writes sites until its time is used up.
 *
 * Inside a stop every CPU runs patch_stop() with interrupts off.  The first to
 * arrive writes; the others wait, and serialize when they are asked to.  So
 * only NMIs execute anything, and the architecture's writes are safe for those.
 * It is given some sites at once, for it may have to ask the others several times.
 *
 * Nothing here decides what a site should call, or touches a site
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
#include "sites/sites.h"

/*
 * A stop ends a little before its budget: the last group of sites and the way out
 * take their time as well.
 */
#define PATCH_SLICE_NS	(PATCH_BUDGET_NS / 2)

/*
 * What a site is taken to need at the most, when no cache knows it.  Not in it is
 * what CPUs take to wait for each other at each step of a group: little with a few
 * of them, but it grows with their number, as the gathering itself does.
 */
#define PATCH_SITE_NS	390

static_assert(PATCH_SLICE_NS + PATCH_GROUP * PATCH_SITE_NS < PATCH_BUDGET_NS);

/*
 * A guest with more CPUs than its host gives it waits for milliseconds until
 * they have all come together, with interrupts off: the budget is broken
 * before anything is written.  There, fewer stops hold the CPUs for less time
 * in all, so writing may take as long as the gathering did; and as they come
 * together once more for each step of a group, there are fewer groups.
 */
#define PATCH_GATHER_LONG_NS	NSEC_PER_MSEC
#define PATCH_SLICE_MAX_NS	(10 * NSEC_PER_MSEC)

/*
 * Where the clock does not get on in a stop, because it counts ticks, this many
 * sites are written, or one group.
 */
#define PATCH_BLIND_SITES	128

static_assert(PATCH_BLIND_SITES * PATCH_SITE_NS <= PATCH_BUDGET_NS);

static struct patch_batch batch;	/* ftrace_lock */
static struct patch_stats stats;	/* ftrace_lock, and the writer in a stop */

/**
 * struct patch_tester - a test; of others, such as ftraced, it sees nothing
 * @task: who tests; NULL if nobody does
 * @clock: measures the stops, or NULL
 * @look: looks between the steps, or NULL
 * @stats: its own stops, which are among all, but for the longest
 */
struct patch_tester {
	struct task_struct	*task;
	u64			(*clock)(void);
	void			(*look)(void);
	struct patch_stats	stats;
};

static struct patch_tester tester;	/* ftrace_lock */
static bool testing;			/* the same: what is written is the tester's */

const struct patch_stats *patch_stats(void)
{
	return &stats;
}

/* local_clock() itself is traced: reading it would be a call to record each time. */
static u64 patch_clock(void)
{
	return unlikely(testing && tester.clock) ? tester.clock() : local_clock_noinstr();
}

/* The same, where a task may be preempted. */
static u64 patch_clock_now(void)
{
	guard(preempt_notrace)();
	return patch_clock();
}

void patch_test_clock(u64 (*clock)(void))
{
	guard(mutex)(&ftrace_lock);
	tester = (struct patch_tester) { .task = clock ? current : NULL, .clock = clock };
}

void patch_test_between(void (*look)(void))
{
	guard(mutex)(&ftrace_lock);
	tester = (struct patch_tester) { .task = look ? current : NULL, .look = look };
}

const struct patch_stats *patch_test_stats(void)
{
	return &tester.stats;
}

static void patch_count_stop(u64 ns)
{
	struct patch_stats *timed = testing ? &tester.stats : &stats;

	timed->worst_ns = max(timed->worst_ns, ns);
	stats.stops++;
	if (testing)
		tester.stats.stops++;
}

static void patch_count_sites(unsigned int nr)
{
	stats.patched += nr;
	if (testing)
		tester.stats.patched += nr;
}

/* ------------------------------------------------------------------ */
/* Inside the stop							*/

/**
 * struct patch_stop - one stop of the machine
 * @called: when it was asked for
 * @first: index of the first site that it writes
 * @end: behind the last one that it has begun to write
 * @arrived: the first to raise it is the writer
 * @round: raised by the writer to ask the others to serialize
 * @acks: others that have done so in this round
 * @finished: the writer is done
 * @error: what the writer returned
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

static struct patch_stop *current_stop;

/* The writer does not go on to another group while the others are in here. */
static void patch_sync(const struct patch_stop *stop)
{
	arch_patch_sync(&batch, stop->first, stop->end);
}

void patch_sync_cpus(void)
{
	struct patch_stop *stop = current_stop;

	atomic_set(&stop->acks, 0);
	/* Pairs with the acquire in patch_wait(): they see what was written. */
	smp_store_release(&stop->round, stop->round + 1);
	patch_sync(stop);
	while (atomic_read_acquire(&stop->acks) < num_online_cpus() - 1)
		cpu_relax();
	if (unlikely(testing && tester.look))
		tester.look();
}

/* What every CPU but the writer does. */
static void patch_wait(struct patch_stop *stop)
{
	unsigned int seen = 0;

	/* Both pair with the releases of the writer: its stores come first. */
	while (!smp_load_acquire(&stop->finished)) {
		/* See above. */
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
 * @gathered may be negative: it was taken from the clocks of two CPUs.  The only one there
 * is waits for nobody, however late it comes.
 */
static u64 patch_slice(s64 gathered)
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
		if (!spent && batch.done - stop->first >= PATCH_BLIND_SITES)
			break;
	} while (batch.done < batch.ready && spent < slice);
	return 0;
}

static void patch_write(struct patch_stop *stop)
{
	u64 start = patch_clock();

	current_stop = stop;
	arch_patch_open(&batch);
	stop->error = patch_write_slice(stop, start, patch_slice(start - stop->called));
	arch_patch_close(&batch);
	patch_count_stop(patch_clock() - start);
	/* Pairs with patch_wait(): the sites are written. */
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
/* Around it								*/

/*
 * One report for the first failure; afterwards the tracer is dead and nothing
 * is written any more.
 */
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

static int patch_stops(void)
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

/* Sites that will be told apart from now on, if their set is one of those. */
static void patch_mark(const struct patch_site *p, unsigned int nr)
{
	const struct dispatch_set *set = dispatch_set_by_id(p->set);

	if (set && (set->flags & FTRACE_OPS_FL_IPMODIFY))
		while (nr--)
			site_mark(p++->site, SITE_MODIFIED);
}

/* Neighbours mostly come from the same set and go to the same set. */
static void patch_account(void)
{
	const struct patch_site *p = batch.sites;
	unsigned int i, run = 0;

	for (i = 0; i < batch.done; i++) {
		run++;
		if (i + 1 < batch.done && p[i + 1].was == p[i].was && p[i + 1].set == p[i].set)
			continue;
		dispatch_moved(p[i].was, p[i].set, run);
		patch_mark(&p[i + 1 - run], run);
		run = 0;
	}
	patch_count_sites(batch.done);
}

/*
 * Something else, such as a breakpoint, is where the site was found. That is no anomaly:
 * no user was promised this site, so it is marked failed and the tracer goes on.
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
static int patch_part(void)
{
	int ret = arch_patch_prepare(&batch);

	if (ret == -ENOMEM && !stats.patched && !batch.done)
		return ret;
	if (ret == -ENOMEM) {
		/* Nobody can undo half of a change: see arch_patch_prepare(). */
		batch.ready = batch.done;
		ret = -EFAULT;
	}
	if (ret) {
		patch_fail(&batch.sites[batch.ready], ret);
		return ret;
	}
	do
		ret = patch_stops();
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

	testing = current == tester.task;
	cpus_read_lock();
	mutex_lock(&text_mutex);
	while (!ret && batch.done < batch.nr)
		ret = patch_part();
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
