// SPDX-License-Identifier: GPL-2.0
/*
 * The recording side comes up.  start_kernel() calls early_trace_init() as soon
 * as memory can be allocated: it makes the top instance with the smallest
 * possible buffer, so that a kernel nobody traces spends next to nothing, and
 * does what the command line asks for.  So a boot can be traced from before the
 * scheduler is there.
 *
 * Failing is not fatal: the kernel boots without a tracer, and says so.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/cleanup.h>
#include <linux/cpuhotplug.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/ring_buffer.h>
#include <linux/string.h>

#include "clock/clock.h"
#include "events/events.h"
#include "instance/instance.h"
#include "instances.h"
#include "messages/trace_printk.h"
#include "output/dump.h"
#include "parts.h"
#include "record/record.h"
#include "record/stack.h"
#include "snapshot.h"
#include "syscalls/syscalls.h"
#include "tracers/graph_limits.h"
#include "tracers/tracers.h"
#include "triggers/triggers.h"

static char boot_tracer[MAX_TRACER_SIZE] __initdata;
static char boot_clock[16] __initdata;
static char boot_options[256] __initdata;

static int __init ftrace_setup(char *str)
{
	tracing_note_boot_parameter("ftrace=");
	strscpy(boot_tracer, str);
	return 1;
}
__setup("ftrace=", ftrace_setup);

static int __init trace_clock_setup(char *str)
{
	strscpy(boot_clock, str);
	return 1;
}
__setup("trace_clock=", trace_clock_setup);

static int __init trace_options_setup(char *str)
{
	strscpy(boot_options, str);
	return 1;
}
__setup("trace_options=", trace_options_setup);

static int __init thresh_setup(char *str)
{
	unsigned long usecs;

	if (kstrtoul(str, 0, &usecs) || usecs > ULONG_MAX / NSEC_PER_USEC)
		pr_warn("ftrace: tracing_thresh=%s: no number of microseconds\n", str);
	else
		graph_limits_set_thresh(usecs * NSEC_PER_USEC);
	tracing_note_boot_parameter("tracing_thresh=");
	return 1;
}
__setup("tracing_thresh=", thresh_setup);

static int __init trace_buf_size_setup(char *str)
{
	trace_buf_size = max_t(unsigned long, memparse(str, NULL), PAGE_SIZE);
	return 1;
}
__setup("trace_buf_size=", trace_buf_size_setup);

static int __init make_top_instance(void)
{
	int ret;

	ret = cpuhp_setup_state_multi(CPUHP_TRACE_RB_PREPARE, "trace/RB:prepare",
				      trace_rb_cpu_prepare, trace_rb_cpu_dead);
	if (ret < 0)
		return ret;
	register_types();
	register_parts();
	ret = register_tracers();
	if (ret)
		return ret;
	ret = trace_array_init(&global_trace);
	if (!ret)
		trace_array_publish(&global_trace);
	return ret;
}

static void __init start_boot_tracer(void)
{
	int ret = tracing_set_tracer(&global_trace, boot_tracer);

	if (ret)
		pr_warn("ftrace=%s: cannot be set (%d)\n", boot_tracer, ret);
	else
		pr_info("tracer %s started by the command line\n", boot_tracer);
}

static void __init obey_command_line(void)
{
	trace_printk_boot();
	if (*boot_clock && tracing_set_clock(&global_trace, boot_clock)) {
		pr_warn("trace_clock=%s: no such clock, using \"local\"\n", boot_clock);
		*boot_clock = '\0';
	}
	if (*boot_options)
		trace_options_boot(&global_trace, boot_options);
	graph_limits_boot();
	snapshot_boot();
	if (*boot_tracer)
		start_boot_tracer();
}

/**
 * early_trace_init - make the top instance, and do what the command line asks for
 *
 * The instance is as small as can be, unless something is to be recorded at once.
 * If it cannot be made, there is no tracing until the next boot.
 *
 * Context: boot, one CPU, interrupts off, memory can be allocated but for xarrays,
 * RCU and work queues are not up; takes trace_lock.
 */
void __init early_trace_init(void)
{
	int ret = make_top_instance();

	if (ret) {
		pr_warn("cannot record (%d): tracing is off\n", ret);
		return;
	}
	if (ftrace_dump_init())
		pr_warn("no memory for printing the trace when the kernel oopses\n");
	obey_command_line();
}

/**
 * trace_init - events come up, and the instances that the command line asks for
 *
 * Called by start_kernel() once RCU is up.
 */
void __init trace_init(void)
{
	syscalls_boot();
	events_boot();
	triggers_boot();
	instances_boot();
}

/* By now the fastest way to read the clock is there, and reads the same. */
static int __init read_clock_fast(void)
{
	struct trace_array *tr = &global_trace;

	if (!tracing_initialized())
		return 0;
	guard(mutex)(&trace_lock);
	tracing_use_clock(tr);
	return 0;
}
early_initcall(read_clock_fast);

/*
 * Where CPUs' scheduler clocks differ, traces of several CPUs cannot be put in
 * order by the local clock.  That is known only when all CPUs have been up.
 */
static void __init choose_clock(void)
{
	if (*boot_clock || trace_clocks_agree())
		return;

	pr_info("the CPUs' clocks differ: trace_clock is \"global\" (trace_clock=local to prevent)\n");
	tracing_set_clock(&global_trace, "global");
}

/* Another clock empties the buffer: a snapshot of the boot comes after it. */
static int __init boot_is_over(void)
{
	if (!tracing_initialized())
		return 0;
	choose_clock();
	snapshot_boot_take();
	return 0;
}
late_initcall_sync(boot_is_over);
