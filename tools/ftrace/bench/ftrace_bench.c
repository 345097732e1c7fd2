// SPDX-License-Identifier: GPL-2.0
/*
 * Measures costs of tracing. Reading the parameter "cost" calls an empty function many times,
 * with interrupts off, and shows how much longer a call takes than one of a function that cannot
 * be traced. Writing "others" attaches that many ftrace_ops with a trivial callback to the
 * function. "pair" measures disabling and enabling interrupts, and "wake" waking a task and
 * switching to it, which latency tracers watch.
 *
 * The unit is a thousandth of a nanosecond: under QEMU's -icount shift=0 an instruction takes a
 * nanosecond. "nop" measures a single nop, which shows whether the kernel knows the rate of its
 * clock. The clock may be coarser (on MIPS it advances every six instructions), so it is read
 * only once for many calls.
 */
#include <linux/fprobe.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/kstrtox.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/stringify.h>

#define CREATE_TRACE_POINTS
#include "ftrace_bench_events.h"

#define BENCH_CALLS	1000
#define BENCH_RUNS	20
#define BENCH_NOPS	100
#define BENCH_OTHERS	8
#define BENCH_WAKES	100

/* The functions differ, or the compiler would merge them. */
static noinline void ftrace_bench_target(void)
{
	asm volatile("# traced" : : : "memory");
}

static noinline notrace void ftrace_bench_untraced(void)
{
	asm volatile("# not traced" : : : "memory");
}

/* All functions are called by the same loop, so that its cost cancels out. */
static __always_inline u64 bench_calls(void (*func)(void))
{
	u64 start = ktime_get_raw_fast_ns();
	unsigned int i;

	for (i = 0; i < BENCH_CALLS; i++)
		func();
	return ktime_get_raw_fast_ns() - start;
}

static __always_inline u64 bench_run(void (*func)(void))
{
	unsigned long flags;
	u64 time;

	local_irq_save(flags);
	time = bench_calls(func);
	local_irq_restore(flags);
	return time;
}

static noinline notrace void bench_nops(void)
{
	asm volatile(".rept " __stringify(BENCH_NOPS) "\n\tnop\n\t.endr" : : : "memory");
}

static int bench_nop_get(char *buffer, const struct kernel_param *kp)
{
	u64 nops = U64_MAX, none = U64_MAX;
	unsigned int i;

	for (i = 0; i < BENCH_RUNS; i++) {
		nops = min(nops, bench_run(bench_nops));
		none = min(none, bench_run(ftrace_bench_untraced));
	}
	return sysfs_emit(buffer, "%lld\n", div_s64((s64)(nops - none) * 1000,
						    BENCH_CALLS * BENCH_NOPS));
}

static const struct kernel_param_ops bench_nop_ops = {
	.get = bench_nop_get,
};

module_param_cb(nop, &bench_nop_ops, NULL, 0444);
MODULE_PARM_DESC(nop, "time of an instruction, in thousandths of a nanosecond");

static int bench_cost_get(char *buffer, const struct kernel_param *kp)
{
	u64 traced = U64_MAX, untraced = U64_MAX;
	unsigned int i;
	s64 picos;

	for (i = 0; i < BENCH_RUNS; i++) {
		traced = min(traced, bench_run(ftrace_bench_target));
		untraced = min(untraced, bench_run(ftrace_bench_untraced));
	}
	picos = div_s64((s64)(traced - untraced) * 1000, BENCH_CALLS);
	return sysfs_emit(buffer, "%lld\n", picos);
}

static const struct kernel_param_ops bench_cost_ops = {
	.get = bench_cost_get,
};

module_param_cb(cost, &bench_cost_ops, NULL, 0444);
MODULE_PARM_DESC(cost, "cost of one traced call, in thousandths of a nanosecond");

static noinline notrace void bench_numbers(void)
{
	trace_bench_numbers(1, 2);
}

static noinline notrace void bench_string(void)
{
	trace_bench_string("twelve chars");
}

static int bench_event_get(char *buffer, const struct kernel_param *kp)
{
	u64 event = U64_MAX, none = U64_MAX;
	unsigned int i;

	for (i = 0; i < BENCH_RUNS; i++) {
		event = min(event, bench_run(kp->arg));
		none = min(none, bench_run(ftrace_bench_untraced));
	}
	return sysfs_emit(buffer, "%lld\n", div_s64((s64)(event - none) * 1000, BENCH_CALLS));
}

static const struct kernel_param_ops bench_event_ops = {
	.get = bench_event_get,
};

module_param_cb(event, &bench_event_ops, bench_numbers, 0444);
MODULE_PARM_DESC(event, "cost of an event of two fields, in thousandths of a nanosecond");
module_param_cb(event_string, &bench_event_ops, bench_string, 0444);
MODULE_PARM_DESC(event_string,
		 "cost of an event with a string of twelve characters, in the same unit");

/* Hits the event of two fields so many times, each time with another number. */
static int bench_fill_set(const char *text, const struct kernel_param *kp)
{
	unsigned int nr;
	int err = kstrtouint(text, 0, &nr);

	for (unsigned int i = 0; !err && i < nr; i++)
		trace_bench_numbers(i, i);
	return err;
}

static const struct kernel_param_ops bench_fill_ops = {
	.set = bench_fill_set,
};

module_param_cb(fill, &bench_fill_ops, NULL, 0200);
MODULE_PARM_DESC(fill, "number of times to hit the event of two fields, with a number each");

/* An interrupt may add to the time: the minimum of many runs is one without. */
static notrace void bench_pair(void)
{
	local_irq_disable();
	local_irq_enable();
}

static int bench_pair_get(char *buffer, const struct kernel_param *kp)
{
	u64 pairs = U64_MAX, none = U64_MAX;
	unsigned int i;

	guard(preempt)();
	for (i = 0; i < BENCH_RUNS; i++) {
		pairs = min(pairs, bench_calls(bench_pair));
		none = min(none, bench_calls(ftrace_bench_untraced));
	}
	return sysfs_emit(buffer, "%lld\n", div_s64((s64)(pairs - none) * 1000, BENCH_CALLS));
}

static const struct kernel_param_ops bench_pair_ops = {
	.get = bench_pair_get,
};

module_param_cb(pair, &bench_pair_ops, NULL, 0444);
MODULE_PARM_DESC(pair,
		 "time to disable and enable interrupts, in thousandths of a nanosecond");

static int bench_sleeper(void *data)
{
	while (!kthread_should_stop()) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (!kthread_should_stop())
			schedule();
		__set_current_state(TASK_RUNNING);
	}
	return 0;
}

/* On one CPU: the kernel switches to the sleeper at once, or in schedule(). */
static u64 bench_wake(struct task_struct *sleeper)
{
	u64 start = ktime_get_raw_fast_ns();
	unsigned int i;

	for (i = 0; i < BENCH_WAKES; i++) {
		wake_up_process(sleeper);
		schedule();
	}
	return ktime_get_raw_fast_ns() - start;
}

static int bench_wake_get(char *buffer, const struct kernel_param *kp)
{
	struct task_struct *sleeper = kthread_create(bench_sleeper, NULL, "bench_sleeper");
	u64 wakes = U64_MAX;
	unsigned int i;

	if (IS_ERR(sleeper))
		return PTR_ERR(sleeper);
	sched_set_fifo(sleeper);
	for (i = 0; i < BENCH_RUNS; i++)
		wakes = min(wakes, bench_wake(sleeper));
	kthread_stop(sleeper);
	return sysfs_emit(buffer, "%lld\n", div_s64((s64)wakes * 1000, BENCH_WAKES));
}

static const struct kernel_param_ops bench_wake_ops = {
	.get = bench_wake_get,
};

module_param_cb(wake, &bench_wake_ops, NULL, 0444);
MODULE_PARM_DESC(wake,
		 "time to switch to a woken task and back, in thousandths of a nanosecond");

static notrace void bench_visit(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
}

static struct ftrace_ops bench_ops[BENCH_OTHERS];
static unsigned int bench_others;

static int bench_attach(struct ftrace_ops *ops)
{
	int ret;

	ops->func = bench_visit;
	if (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE))
		return register_ftrace_function(ops);
	ret = ftrace_set_filter_ip(ops, (unsigned long)ftrace_bench_target, 0, 1);
	if (ret)
		return ret;
	return register_ftrace_function(ops);
}

static int bench_others_set(const char *text, const struct kernel_param *kp)
{
	unsigned int wanted;
	int ret;

	ret = kstrtouint(text, 0, &wanted);
	if (ret)
		return ret;
	if (wanted > BENCH_OTHERS)
		return -EINVAL;

	while (bench_others > wanted)
		unregister_ftrace_function(&bench_ops[--bench_others]);
	while (bench_others < wanted) {
		ret = bench_attach(&bench_ops[bench_others]);
		if (ret)
			return ret;
		bench_others++;
	}
	return 0;
}

static const struct kernel_param_ops bench_others_ops = {
	.set = bench_others_set,
	.get = param_get_uint,
};

module_param_cb(others, &bench_others_ops, &bench_others, 0644);
MODULE_PARM_DESC(others, "number of trivial ftrace_ops attached to the function");

#ifdef CONFIG_FPROBE

static notrace int bench_called(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
				struct pt_regs *regs, void *data)
{
	return 0;
}

/* Allocated for each registration, so that each one is measured like the first. */
static struct fprobe *bench_fprobe;

static void bench_fprobe_end(void)
{
	if (!bench_fprobe)
		return;
	unregister_fprobe(bench_fprobe);
	kfree(bench_fprobe);
	bench_fprobe = NULL;
}

static int bench_fprobe_begin(void)
{
	int ret;

	if (bench_fprobe)
		return -EBUSY;
	bench_fprobe = kzalloc(sizeof(*bench_fprobe), GFP_KERNEL);
	if (!bench_fprobe)
		return -ENOMEM;
	bench_fprobe->entry_handler = bench_called;
	ret = register_fprobe(bench_fprobe, "*", NULL);
	if (ret) {
		kfree(bench_fprobe);
		bench_fprobe = NULL;
	}
	return ret;
}

static int bench_fprobe_set(const char *text, const struct kernel_param *kp)
{
	bool wanted;
	int ret;

	ret = kstrtobool(text, &wanted);
	if (ret)
		return ret;
	if (wanted)
		return bench_fprobe_begin();
	bench_fprobe_end();
	return 0;
}

static const struct kernel_param_ops bench_fprobe_ops = { .set = bench_fprobe_set };

module_param_cb(fprobe, &bench_fprobe_ops, NULL, 0200);
MODULE_PARM_DESC(fprobe, "whether an fprobe handler is attached to all functions");

#else

static void bench_fprobe_end(void) { }

#endif

static int __init bench_init(void)
{
	return 0;
}

static void __exit bench_exit(void)
{
	bench_fprobe_end();
	while (bench_others)
		unregister_ftrace_function(&bench_ops[--bench_others]);
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_DESCRIPTION("Cost of a traced function call");
MODULE_LICENSE("GPL");
