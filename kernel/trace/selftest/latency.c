// SPDX-License-Identifier: GPL-2.0
/*
 * Boot-time self-tests of the tracers that keep the longest latency. Each test produces a long
 * latency, which the tracer must find, and keep when a shorter one follows.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/time64.h>
#include <linux/trace_clock.h>
#include <linux/workqueue.h>

#include "instance/instance.h"
#include "selftest.h"

/* Latencies of the tests. LONG_MS is longer than all latencies of the kernel at this time. */
#define LONG_MS		120
#define SHORT_MS	20

/*
 * Wait by the clock of the tracer. If a guest calibrated its delay loop while the host had the
 * CPU, mdelay(1) may take only a few microseconds. Stop waiting if the clock does not advance.
 */
static void wait_for_ms(unsigned int ms)
{
	u64 begin = trace_clock_local(), now = begin, before;
	unsigned int same = 0;

	do {
		mdelay(1);
		before = now;
		now = trace_clock_local();
		same = now == before ? same + 1 : 0;
	} while (now - begin < ms * (u64)NSEC_PER_MSEC && same < ms);
}

static void irqs_off_for(unsigned int ms)
{
	unsigned long flags;

	local_irq_save(flags);
	wait_for_ms(ms);
	local_irq_restore(flags);
}

static void preempt_off_for(unsigned int ms)
{
	preempt_disable();
	wait_for_ms(ms);
	preempt_enable();
}

static unsigned long kept_ms(void)
{
	return global_trace.max_latency / NSEC_PER_MSEC;
}

static const char *finds_longest(void (*off_for)(unsigned int ms))
{
	unsigned long longest;

	off_for(SHORT_MS);
	off_for(LONG_MS);
	longest = kept_ms();
	off_for(SHORT_MS);
	return expect_true(longest >= LONG_MS, "a long section was not found") ?:
	       expect_true(kept_ms() >= longest, "a shorter one took its place");
}

static bool keeps_shorter(void (*off_for)(unsigned int ms))
{
	global_trace.max_latency = 0;
	off_for(LONG_MS);
	return kept_ms() < LONG_MS;
}

/* In a guest, the host may take the CPU away for as long as LONG_MS: try a few times. */
static const char *keeps_nothing_else(void (*off_for)(unsigned int ms))
{
	bool shorter = keeps_shorter(off_for);

	for (int again = 0; !shorter && again < 4; again++)
		shorter = keeps_shorter(off_for);
	return expect_true(shorter, "it found what is not its business");
}

static const char *with_tracer(const char *name, void (*yes)(unsigned int ms),
			       void (*no)(unsigned int ms))
{
	const char *why;

	if (tracing_set_tracer(&global_trace, name))
		return "cannot be selected";
	why = finds_longest(yes);
	if (!why && no)
		why = keeps_nothing_else(no);
	return expect_true(!tracing_set_tracer(&global_trace, "nop"), "cannot be left") ?: why;
}

static __maybe_unused const char *test_irqsoff(void)
{
	return with_tracer("irqsoff", irqs_off_for, preempt_off_for);
}

static __maybe_unused const char *test_preemptoff(void)
{
	return with_tracer("preemptoff", preempt_off_for, NULL);
}

static __maybe_unused const char *test_preemptirqsoff(void)
{
	return with_tracer("preemptirqsoff", irqs_off_for, NULL) ?:
	       with_tracer("preemptirqsoff", preempt_off_for, NULL);
}

/* A real-time task that sleeps; the test wakes it while it cannot run at once. */
static int sleep_until_woken(void *data)
{
	sched_set_fifo(current);
	complete(data);
	set_current_state(TASK_INTERRUPTIBLE);
	while (!kthread_should_stop()) {
		schedule();
		set_current_state(TASK_INTERRUPTIBLE);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

/* Runs on the CPU of @task: if another CPU woke the task, the task would run at once. */
static long keep_from_running(void *task)
{
	preempt_disable();
	wake_up_process(task);
	wait_for_ms(LONG_MS);
	preempt_enable();
	return 0;
}

static const char *wake_late(struct task_struct *task)
{
	global_trace.max_latency = 0;
	work_on_cpu(task_cpu(task), keep_from_running, task);
	msleep(SHORT_MS);
	return expect_true(kept_ms() >= LONG_MS, "a late wakeup was not found") ?:
	       expect_true(global_trace.latency.pid == task->pid, "it is not the task's");
}

/*
 * The tracer stops following the task if one of higher priority, such as a stopper, is woken
 * meanwhile: try a few times.
 */
static const char *wake_late_alone(struct task_struct *task)
{
	const char *why = wake_late(task);

	for (int again = 0; why && again < 4; again++)
		why = wake_late(task);
	return why;
}

static __maybe_unused const char *test_wakeup_rt(void)
{
	DECLARE_COMPLETION_ONSTACK(ready);
	const char *why = "cannot be selected";
	struct task_struct *task;

	task = kthread_create_on_cpu(sleep_until_woken, &ready, raw_smp_processor_id(),
				     "late_sleeper");
	if (IS_ERR(task))
		return "no task";
	wake_up_process(task);
	wait_for_completion(&ready);
	msleep(SHORT_MS);
	if (!tracing_set_tracer(&global_trace, "wakeup_rt"))
		why = wake_late_alone(task);
	kthread_stop(task);
	return expect_true(!tracing_set_tracer(&global_trace, "nop"), "cannot be left") ?: why;
}

const struct selftest latency_selftests[] = {
#ifdef CONFIG_IRQSOFF_TRACER
	{ "tracer irqsoff",		test_irqsoff },
#endif
#ifdef CONFIG_PREEMPT_TRACER
	{ "tracer preemptoff",		test_preemptoff },
# ifdef CONFIG_IRQSOFF_TRACER
	{ "tracer preemptirqsoff",	test_preemptirqsoff },
# endif
#endif
#ifdef CONFIG_SCHED_TRACER
	{ "tracer wakeup_rt",		test_wakeup_rt },
#endif
	{ }
};
