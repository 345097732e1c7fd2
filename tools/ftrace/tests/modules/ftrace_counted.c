// SPDX-License-Identifier: GPL-2.0
/*
 * An event that happens on all CPUs while it is armed: in a thread all the time, in an
 * interrupt each 200 us, and in each NMI, which come in the middle of each other. How often it
 * did is exact: what was under way when it was disarmed is over before the write returns.
 */
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#ifdef CONFIG_X86
#include <asm/nmi.h>
#endif

#define CREATE_TRACE_POINTS
#include "ftrace_counted_events.h"

#define EACH_NS		(200 * NSEC_PER_USEC)
#define AT_ONCE		100
/* Numbers come again. */
#define NUMBERS		1024

static bool armed;
/* A CPU adds to its own only, and what interrupts that does so before or after it. */
static DEFINE_PER_CPU(unsigned long, nr_calls);
static DEFINE_PER_CPU(unsigned long, nr_interrupts);
static DEFINE_PER_CPU(unsigned long, nr_nmis);
static DEFINE_PER_CPU(struct task_struct *, threads);
static DEFINE_PER_CPU(struct hrtimer, timers);

static void happen(void)
{
	trace_counted(this_cpu_inc_return(nr_calls) % NUMBERS);
}

static enum hrtimer_restart interrupt(struct hrtimer *timer)
{
	this_cpu_inc(nr_interrupts);
	happen();
	hrtimer_forward_now(timer, EACH_NS);
	return HRTIMER_RESTART;
}

static int thread(void *unused)
{
	struct hrtimer *timer = this_cpu_ptr(&timers);

	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer->function = interrupt;
	hrtimer_start(timer, EACH_NS, HRTIMER_MODE_REL_PINNED_HARD);
	while (!kthread_should_stop()) {
		for (unsigned int i = 0; i < AT_ONCE; i++) {
			guard(preempt)();
			happen();
		}
		cond_resched();
	}
	hrtimer_cancel(timer);
	return 0;
}

static void disarm(void)
{
	struct task_struct *task;
	unsigned int cpu;

	WRITE_ONCE(armed, false);
	for_each_possible_cpu(cpu) {
		task = per_cpu(threads, cpu);
		if (task)
			kthread_stop(task);
		per_cpu(threads, cpu) = NULL;
	}
	/* A handler of NMIs is a section of RCU's to itself. */
	synchronize_rcu();
}

static int arm(void)
{
	struct task_struct *task;
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		task = kthread_run_on_cpu(thread, NULL, cpu, "counted/%u");
		if (IS_ERR(task)) {
			disarm();
			return PTR_ERR(task);
		}
		per_cpu(threads, cpu) = task;
	}
	WRITE_ONCE(armed, true);
	return 0;
}

static int armed_set(const char *text, const struct kernel_param *kp)
{
	bool on;
	int err = kstrtobool(text, &on);

	if (err || on == armed)
		return err;
	if (on)
		return arm();
	disarm();
	return 0;
}

static const struct kernel_param_ops armed_ops = {
	.set = armed_set,
	.get = param_get_bool,
};

module_param_cb(armed, &armed_ops, &armed, 0644);
MODULE_PARM_DESC(armed, "the event happens");

static int sum_get(char *text, const struct kernel_param *kp)
{
	unsigned long __percpu *of = (unsigned long __percpu *)kp->arg;
	unsigned long sum = 0;
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr(of, cpu);
	return sysfs_emit(text, "%lu\n", sum);
}

static const struct kernel_param_ops sum_ops = {
	.get = sum_get,
};

module_param_cb(calls, &sum_ops, (void __force *)&nr_calls, 0444);
MODULE_PARM_DESC(calls, "how often it did");
module_param_cb(interrupts, &sum_ops, (void __force *)&nr_interrupts, 0444);
MODULE_PARM_DESC(interrupts, "how often of these in an interrupt");
module_param_cb(nmis, &sum_ops, (void __force *)&nr_nmis, 0444);
MODULE_PARM_DESC(nmis, "how often of these in an NMI");

#ifdef CONFIG_X86
static int nmi_taken(unsigned int cmd, struct pt_regs *regs)
{
	if (!READ_ONCE(armed))
		return NMI_HANDLED;
	this_cpu_inc(nr_nmis);
	happen();
	return NMI_HANDLED;
}

static int take_nmis(void)
{
	return register_nmi_handler(NMI_LOCAL, nmi_taken, 0, "ftrace_counted");
}

static void leave_nmis(void)
{
	unregister_nmi_handler(NMI_LOCAL, "ftrace_counted");
}
#else
static int take_nmis(void)
{
	return 0;
}

static void leave_nmis(void)
{
}
#endif

static int __init counted_init(void)
{
	return take_nmis();
}

static void __exit counted_exit(void)
{
	disarm();
	leave_nmis();
}

module_init(counted_init);
module_exit(counted_exit);
MODULE_DESCRIPTION("An event in all contexts of all CPUs, counted exactly");
MODULE_LICENSE("GPL");
