// SPDX-License-Identifier: GPL-2.0
/*
 * Initialization of recording at boot.
 *
 * start_kernel() calls early_trace_init() as soon as memory can be allocated. It initializes the
 * top instance with the smallest possible buffer, so that a kernel that is not traced spends
 * hardly any memory, and applies the boot parameters. So a boot can be traced from before the
 * scheduler runs.
 *
 * A failure is not fatal: the kernel boots without a tracer, and prints a warning.
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

static int __init tracing_thresh_setup(char *str)
{
	unsigned long usecs;

	if (kstrtoul(str, 0, &usecs) || usecs > ULONG_MAX / NSEC_PER_USEC)
		pr_warn("ftrace: tracing_thresh=%s: no number of microseconds\n", str);
	else
		graph_limits_set_thresh(usecs * NSEC_PER_USEC);
	tracing_note_boot_parameter("tracing_thresh=");
	return 1;
}
__setup("tracing_thresh=", tracing_thresh_setup);

static int __init trace_buf_size_setup(char *str)
{
	trace_buf_size = max_t(unsigned long, memparse(str, NULL), PAGE_SIZE);
	return 1;
}
__setup("trace_buf_size=", trace_buf_size_setup);

static int __init boot_init_top_instance(void)
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

static void __init boot_start_tracer(void)
{
	int ret = tracing_set_tracer(&global_trace, boot_tracer);

	if (ret)
		pr_warn("ftrace=%s: cannot be set (%d)\n", boot_tracer, ret);
	else
		pr_info("tracer %s started by the command line\n", boot_tracer);
}

static void __init boot_apply_command_line(void)
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
		boot_start_tracer();
}

/**
 * early_trace_init() - initialize the top instance and apply the boot parameters
 *
 * The buffer of the instance has the minimum size, unless a boot parameter starts recording. If
 * the instance cannot be initialized, there is no tracing until the next boot.
 *
 * Context: boot, one CPU, interrupts off. Memory can be allocated, except by xarrays; RCU and
 * workqueues are not available yet. Takes trace_lock.
 */
void __init early_trace_init(void)
{
	int ret = boot_init_top_instance();

	if (ret) {
		pr_warn("cannot record (%d): tracing is off\n", ret);
		return;
	}
	if (ftrace_dump_init())
		pr_warn("no memory for printing the trace when the kernel oopses\n");
	boot_apply_command_line();
}

/**
 * trace_init() - initialize events, and the instances of trace_instance= boot parameters
 *
 * Context: boot; called by start_kernel() once RCU is initialized.
 */
void __init trace_init(void)
{
	syscalls_boot();
	events_boot();
	triggers_boot();
	instances_boot();
}

/* By now the fastest way to read the clock is available, and returns equal times: use it. */
static int __init boot_use_fast_clock(void)
{
	struct trace_array *tr = &global_trace;

	if (!tracing_initialized())
		return 0;
	guard(mutex)(&trace_lock);
	tracing_use_clock(tr);
	return 0;
}
early_initcall(boot_use_fast_clock);

/*
 * If the scheduler clocks of the CPUs differ, records of several CPUs cannot be ordered by the
 * local clock. This is known only when all CPUs have been online.
 */
static void __init boot_choose_clock(void)
{
	if (*boot_clock || trace_clocks_agree())
		return;

	pr_info("the CPUs' clocks differ: trace_clock is \"global\" (trace_clock=local to prevent)\n");
	tracing_set_clock(&global_trace, "global");
}

/* Changing the clock empties the buffer, so the snapshot of the boot is taken afterwards. */
static int __init boot_finish(void)
{
	if (!tracing_initialized())
		return 0;
	boot_choose_clock();
	snapshot_boot_take();
	return 0;
}
late_initcall_sync(boot_finish);
