// SPDX-License-Identifier: GPL-2.0
/*
 * An event that occurs on all CPUs while the module is armed: continuously in a thread, every
 * 200 us in an interrupt, and in each NMI. Interrupts and NMIs come in the middle of the others.
 * The numbers are exact: the write that disarms the module returns after the last occurrence.
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
/* The recorded numbers repeat. */
#define NUMBERS		1024

static bool armed;
/* Each CPU changes only its own numbers, by increments that interrupts cannot split. */
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
	/* Wait for NMI handlers, which are RCU read-side sections. */
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
MODULE_PARM_DESC(armed, "true while the event occurs");

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
MODULE_PARM_DESC(calls, "number of occurrences");
module_param_cb(interrupts, &sum_ops, (void __force *)&nr_interrupts, 0444);
MODULE_PARM_DESC(interrupts, "number of occurrences in an interrupt");
module_param_cb(nmis, &sum_ops, (void __force *)&nr_nmis, 0444);
MODULE_PARM_DESC(nmis, "number of occurrences in an NMI");

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
MODULE_DESCRIPTION("An exactly counted event in all contexts of all CPUs, for the tracer's tests");
MODULE_LICENSE("GPL");
