// SPDX-License-Identifier: GPL-2.0
/*
 * A task is preempted at each instruction of a call site while the site is patched. It must still
 * call the right ops and return to the right address.
 *
 * The task calls two functions repeatedly: one with a call site of modules, and one with a call
 * site of the kernel. A timer checks where it has interrupted the task. If that is in a call site,
 * a thread with a higher priority preempts the task, patches this site to another state, and
 * gives the CPU back. The machine has to take interrupts between any two instructions, as QEMU
 * does with -icount.
 *
 * A site has four states: two ops, each attached or not. The test knows exactly which ops the
 * task has to call, because the task does not run while the site is patched.
 */
#include <linux/ftrace.h>
#include <linux/gcd.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/stringify.h>
#include <linux/sysfs.h>
#include <asm/asm.h>
#include <asm/irq_regs.h>
#include <asm/mipsregs.h>
#include <asm/ptrace.h>

/* ------------------------------------------------------------------ */
/* Sites								*/

/* Each of them returns its first argument if the second one is 0. */
typedef unsigned long site_fn(unsigned long value, unsigned long zero);

static noinline unsigned long preempted_long(unsigned long value, unsigned long zero)
{
	return value | zero;
}

/* Different functions, or the compiler would merge them. */
#define KEEPER(name)					\
	static noinline void name(void)			\
	{						\
		asm volatile("/* " #name " */");	\
	}

KEEPER(keep_1);
KEEPER(keep_2);
KEEPER(keep_3);

/* The states of a site: the attached ops. */
#define BIT_FIRST	1
#define BIT_SECOND	2
#define NR_STATES	4
/* In place of a state that is not known. */
#define UNKNOWN		NR_STATES

/* Number of words of a long site without its delay slot, and with it. */
#define LONG_WORDS	(FTRACE_LONG_BACK / 4 - 1)
#define ALL_WORDS	(LONG_WORDS + 1)
/* `move at, ra`, in some kernels an instruction that sets register 12, and `jal`. */
#define SHORT_WORDS	(LONG_WORDS - 2)

/**
 * struct site - one of the two call sites
 * @name: name of the kind of site
 * @func: function with the site
 * @first: address of the first word of the site
 * @words: number of words of the site, without its delay slot
 * @is_long: true for a site of a module
 * @state: the attached ops
 * @last: the last value of @state that was not 0
 * @expected: ops that the call in progress has to reach
 * @at: place at which the task was last preempted: twice the index of the word, plus 1 in the
 *	delay slot of that word
 * @switches: number of times that the site was patched while the task was there, by word, by
 *	delay slot, and by whether ops were attached
 */
struct site {
	const char	*name;
	site_fn		*func;
	unsigned long	first;
	unsigned int	words;
	bool		is_long;
	unsigned int	state;
	unsigned int	last;
	unsigned int	expected;
	unsigned int	at;
	unsigned int	switches[ALL_WORDS][2][2];
};

static struct site sites[] = {
	{ .name = "long", .func = preempted_long, .words = LONG_WORDS, .is_long = true },
	{ .name = "short", .func = gcd, .words = SHORT_WORDS },
};

/**
 * struct place - the place at which a task was preempted
 * @site: the site, NULL if the task is not in a site
 * @word: index of the next word; @site->words for the delay slot as an instruction of its own
 * @in_slot: true if the next instruction is the delay slot of this word
 * @calling: true if ops are attached
 */
struct place {
	struct site	*site;
	unsigned int	word;
	bool		in_slot;
	bool		calling;
};

/*
 * Return true if a task has to be preempted there at some time. Behind a nop that does not annul
 * its delay slot, the slot is an instruction of its own. A preempted task may also seem to be at an
 * instruction that is annulled.
 */
static bool place_exists(const struct place *place)
{
	const struct site *site = place->site;

	if (site->is_long && !place->calling)
		return place->word == 0;
	if (place->word == site->words)
		return !FTRACE_SLOT_SIZE && !place->calling && !place->in_slot;
	return place->word < site->words &&
	       (!place->in_slot || (place->calling && place->word == site->words - 1));
}

#define NR_PLACES	(ARRAY_SIZE(sites) * ALL_WORDS * 4)

static struct place nth_place(unsigned int n)
{
	return (struct place) {
		.site		= &sites[n / (ALL_WORDS * 4)],
		.word		= n / 4 % ALL_WORDS,
		.in_slot	= n & 2,
		.calling	= n & 1,
	};
}

static struct place place_of(const struct pt_regs *regs)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(sites); i++) {
		struct place place = {
			.site		= &sites[i],
			.word		= (regs->cp0_epc - sites[i].first) / 4,
			.in_slot	= regs->cp0_cause & CAUSEF_BD,
			.calling	= sites[i].state,
		};

		if (regs->cp0_epc >= sites[i].first && place.word <= sites[i].words)
			return place;
	}
	return (struct place) { };
}

/* ------------------------------------------------------------------ */
/* The ops								*/

static struct task_struct *preempted, *switcher;
static unsigned int calls[2];
static unsigned long seen_ip;

static void count_call(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	seen_ip = ip;
	if (current == preempted)
		(*(unsigned int *)ops->private)++;
}

static struct ftrace_ops counters[2] = {
	{ .func = count_call, .private = &calls[0] },
	{ .func = count_call, .private = &calls[1] },
};

/*
 * Each set of the two ops also has a site that is not patched, so that the set is never freed:
 * otherwise the test would mostly wait for preempted tasks.
 */
static void (*const keepers[NR_STATES])(void) = {
	[BIT_FIRST]			= keep_1,
	[BIT_SECOND]			= keep_2,
	[BIT_FIRST | BIT_SECOND]	= keep_3,
};

static int keep_sets(unsigned int i)
{
	int ret = 0;

	for (unsigned int state = 1; state < NR_STATES && !ret; state++)
		if (state & BIT(i))
			ret = ftrace_set_filter_ip(&counters[i],
						   (unsigned long)keepers[state], 0, 0);
	return ret ?: register_ftrace_function(&counters[i]);
}

static void detach_all(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(counters); i++) {
		if (counters[i].flags & FTRACE_OPS_FL_ENABLED)
			unregister_ftrace_function(&counters[i]);
		ftrace_free_filter(&counters[i]);
	}
}

/* Attach or detach one ops after the other. */
static int set_state(struct site *site, unsigned int state)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(counters); i++) {
		int ret;

		if (!((site->state ^ state) & BIT(i)))
			continue;
		ret = ftrace_set_filter_ip(&counters[i], (unsigned long)site->func,
					   !(state & BIT(i)), 0);
		if (ret)
			return ret;
		site->state ^= BIT(i);
		if (site->state)
			site->last = site->state;
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* The task								*/

static unsigned int wrong_results, wrong_stacks, wrong_calls;
module_param(wrong_results, uint, 0444);
MODULE_PARM_DESC(wrong_results, "number of calls with a wrong result");
module_param(wrong_stacks, uint, 0444);
MODULE_PARM_DESC(wrong_stacks, "number of calls after which the stack pointer was wrong");
module_param(wrong_calls, uint, 0444);
MODULE_PARM_DESC(wrong_calls, "number of calls that did not reach exactly the expected ops");

/* Place of the task whose site is being patched. */
static struct place where;

/* Call func(value, 0). @moved receives the change of the stack pointer by the call. */
static unsigned long enter(site_fn *func, unsigned long value, long *moved)
{
	register unsigned long a0 asm("$4") = value;
	register unsigned long a1 asm("$5") = 0;
	register site_fn *to asm("$25") = func;
	register unsigned long result asm("$2");
	register long difference asm("$17");

	asm volatile("	.set	push\n"
		     "	.set	noreorder\n"
		     "	move	$16, $29\n"
		     "	" __stringify(PTR_ADDIU) "	$29, $29, -32\n"
		     "	jalr	$25\n"
		     "	nop\n"
		     "	" __stringify(PTR_ADDIU) "	$29, $29, 32\n"
		     "	" __stringify(PTR_SUBU) "	$17, $29, $16\n"
		     "	move	$29, $16\n"
		     "	.set	pop\n"
		     : "=r" (result), "=r" (difference), "+r" (a0), "+r" (a1), "+r" (to)
		     :
		     : "$1", "$3", "$6", "$7", "$8", "$9", "$10", "$11", "$12", "$13",
		       "$14", "$15", "$16", "$24", "$31", "hi", "lo", "memory");
	*moved = difference;
	return result;
}

static unsigned int take_calls(void)
{
	unsigned int state = (calls[0] ? BIT_FIRST : 0) | (calls[1] ? BIT_SECOND : 0);

	if (calls[0] > 1 || calls[1] > 1)
		state = UNKNOWN;
	memset(calls, 0, sizeof(calls));
	return state;
}

/* Wait for the end of a patch during which the task has run, contrary to the design. */
static void await_switch(void)
{
	while (READ_ONCE(where.site))
		schedule_timeout_uninterruptible(1);
}

#define VALUE	0x5eedU

static void call_once(struct site *site)
{
	unsigned int called, expected;
	unsigned long result;
	long moved;

	await_switch();
	WRITE_ONCE(site->expected, site->state);
	result = enter(site->func, VALUE, &moved);
	called = take_calls();
	expected = READ_ONCE(site->expected);
	wrong_results += result != VALUE;
	wrong_stacks += moved != 0;
	if (called == expected || expected == UNKNOWN)
		return;
	/* Report the first few only. */
	if (wrong_calls++ > 10)
		return;
	pr_info("%s site, preempted at word %u%s: ops %u called instead of %u\n", site->name,
		site->at / 2, site->at % 2 ? ", in its slot" : "", called, expected);
}

static int call_on(void *unused)
{
	while (!kthread_should_stop()) {
		for (unsigned int i = 0; i < 100; i++)
			for (unsigned int n = 0; n < ARRAY_SIZE(sites); n++)
				call_once(&sites[n]);
		/* The task may never leave this loop voluntarily. */
		cond_resched_tasks_rcu_qs();
	}
	await_switch();
	return 0;
}

/* ------------------------------------------------------------------ */
/* The timer and the switching thread					*/

/* Longer than the handler takes, and not constant. */
#define PERIOD_NS	(50 * NSEC_PER_USEC)
#define PERIOD_MORE_NS	(10 * NSEC_PER_USEC)

static enum hrtimer_restart look(struct hrtimer *timer)
{
	u64 period = PERIOD_NS + get_random_u32_below(PERIOD_MORE_NS);

	if (current == preempted && !where.site) {
		where = place_of(get_irq_regs());
		if (where.site)
			wake_up_process(switcher);
	}
	hrtimer_forward_now(timer, ns_to_ktime(period));
	return HRTIMER_RESTART;
}

static struct hrtimer timer;

/* Number of context switches of the task. */
static unsigned long task_runs(void)
{
	return READ_ONCE(preempted->nvcsw) + READ_ONCE(preempted->nivcsw);
}

/*
 * Return the ops that the call in progress reaches after the site got another state. From its third
 * word on, the task at a long site has loaded the whole address. Before, it still loads the lower
 * half, which remains the last one while no ops are attached. Behind the last word the call is
 * decided.
 */
static unsigned int now_expected(const struct place *place)
{
	const struct site *site = place->site;

	if (place->word == 0 || (!site->is_long && place->word < site->words))
		return site->state;
	if (site->is_long && place->word == 1)
		return site->last;
	return site->expected;
}

static void switch_site(struct place *place)
{
	struct site *site = place->site;
	unsigned int step = 1 + get_random_u32_below(NR_STATES - 1);
	unsigned long runs = task_runs();
	int ret;

	site->at = 2 * place->word + place->in_slot;
	ret = set_state(site, (site->state + step) % NR_STATES);
	if (ret || task_runs() != runs) {
		pr_info("the task has run while its site was patched: %d\n", ret);
		site->expected = UNKNOWN;
		return;
	}
	site->expected = now_expected(place);
	site->switches[place->word][place->in_slot][place->calling]++;
}

static int switch_on(void *unused)
{
	sched_set_fifo(current);
	hrtimer_start(&timer, ns_to_ktime(PERIOD_NS), HRTIMER_MODE_REL_PINNED_HARD);
	for (;;) {
		set_current_state(TASK_IDLE);
		if (kthread_should_stop())
			break;
		if (!READ_ONCE(where.site)) {
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		switch_site(&where);
		WRITE_ONCE(where.site, NULL);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Results								*/

static unsigned int wanted = 20;
module_param(wanted, uint, 0444);
MODULE_PARM_DESC(wanted, "number of patches of a site with the task at each instruction");

static unsigned int switches_at(const struct place *place)
{
	return READ_ONCE(place->site->switches[place->word][place->in_slot][place->calling]);
}

static int left_get(char *buffer, const struct kernel_param *kp)
{
	unsigned int left = 0;

	for (unsigned int i = 0; i < NR_PLACES; i++) {
		struct place place = nth_place(i);

		left += place_exists(&place) && switches_at(&place) < wanted;
	}
	return sysfs_emit(buffer, "%u\n", left);
}

static const struct kernel_param_ops left_ops = {
	.get = left_get,
};

module_param_cb(left, &left_ops, NULL, 0444);
MODULE_PARM_DESC(left, "number of instructions at which the site was not patched often enough");

static int places_get(char *buffer, const struct kernel_param *kp)
{
	int len = 0;

	for (unsigned int i = 0; i < NR_PLACES; i++) {
		struct place place = nth_place(i);

		if (place_exists(&place) || switches_at(&place))
			len += sysfs_emit_at(buffer, len, "%s site, %s, word %u%s: %u\n",
					     place.site->name,
					     place.calling ? "attached" : "nop", place.word,
					     place.in_slot ? ", in its slot" : "",
					     switches_at(&place));
	}
	return len;
}

static const struct kernel_param_ops places_ops = {
	.get = places_get,
};

module_param_cb(places, &places_ops, NULL, 0444);
MODULE_PARM_DESC(places, "number of patches for each instruction");

/* ------------------------------------------------------------------ */

/* Find the address of the site by a call. */
static int find_site(struct site *site)
{
	long moved;
	int ret;

	ret = set_state(site, BIT_FIRST);
	if (ret)
		return ret;
	enter(site->func, VALUE, &moved);
	site->first = seen_ip - (site->is_long ? 0 : (SHORT_WORDS - 1) * 4);
	return set_state(site, 0);
}

static int prepare(void)
{
	int ret = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(counters) && !ret; i++)
		ret = keep_sets(i);
	for (unsigned int i = 0; i < ARRAY_SIZE(sites) && !ret; i++)
		ret = find_site(&sites[i]);
	return ret;
}

static int __init preempted_init(void)
{
	int ret;

	ret = prepare();
	if (ret)
		goto err_detach;
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer.function = look;
	preempted = kthread_create_on_cpu(call_on, NULL, 0, "preempted/%u");
	ret = PTR_ERR_OR_ZERO(preempted);
	if (ret)
		goto err_detach;
	switcher = kthread_create_on_cpu(switch_on, NULL, 0, "switcher/%u");
	ret = PTR_ERR_OR_ZERO(switcher);
	if (ret)
		goto err_stop;
	wake_up_process(preempted);
	wake_up_process(switcher);
	return 0;

err_stop:
	kthread_stop(preempted);
err_detach:
	detach_all();
	return ret;
}

static void __exit preempted_exit(void)
{
	hrtimer_cancel(&timer);
	kthread_stop(preempted);
	kthread_stop(switcher);
	detach_all();
}

module_init(preempted_init);
module_exit(preempted_exit);
MODULE_DESCRIPTION("Patches call sites under a preempted task, for the tracer's tests");
MODULE_LICENSE("GPL");
