// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the trace on the console, for situations in which the files can no longer be read:
 * ftrace_dump() is called by debugging code of the kernel (RCU stalls, sysrq-z, the "dump"
 * command on a function) and, if ftrace_dump_on_oops is set, when the kernel oopses or panics.
 *
 * A dump may run in any context. Its struct trace_output is allocated at boot, so that a dump
 * needs no memory. In an NMI or an oops no lock is waited for, as its holder may never run again.
 * Otherwise, if a file is being read that consumes records, the dump is deferred to a work item,
 * because it consumes records, too.
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/kdebug.h>
#include <linux/kernel.h>
#include <linux/nmi.h>
#include <linux/notifier.h>
#include <linux/panic_notifier.h>
#include <linux/printk.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "dispatch/death.h"
#include "dump.h"
#include "guard/irq_work.h"
#include "instance/instance.h"
#include "internal.h"
#include "output.h"
#include "ring_buffer/consume.h"
#include "ring_buffer/panic_read.h"

#define DUMP_RULER	"---------------------------------\n"

/*
 * The instances to dump when the kernel oopses, as set by the sysctl and the boot parameter:
 * "0", or items separated by commas. The first item may be a mode for the top instance. Each
 * other item is the name of an instance, followed by "=" and a mode unless all CPUs are to be
 * dumped.
 */
char ftrace_dump_on_oops[MAX_TRACER_SIZE] = "0";

/* Prints all dumps, between dump_begin() and dump_end(); NULL before ftrace_dump_init(). */
static struct trace_output *dump_output;
/* 1 while a dump runs. */
static atomic_t dumping;

/**
 * ftrace_dump_on_oops_enabled() - true if an oops dumps any instance
 *
 * Context: any.
 */
int ftrace_dump_on_oops_enabled(void)
{
	return strcmp(ftrace_dump_on_oops, "0") && ftrace_dump_on_oops[0];
}

/*
 * Boot parameter "ftrace_dump_on_oops": alone, or followed by "=" and the items. With "," in place
 * of "=", the items are added to "1", which is all CPUs of the top instance.
 */
static int __init set_ftrace_dump_on_oops(char *str)
{
	if (*str == '=')
		strscpy(ftrace_dump_on_oops, str + 1);
	else if (*str == ',')
		snprintf(ftrace_dump_on_oops, sizeof(ftrace_dump_on_oops), "1%s", str);
	else if (!*str)
		strscpy(ftrace_dump_on_oops, "1");
	else
		return 0;

	return 1;
}
__setup("ftrace_dump_on_oops", set_ftrace_dump_on_oops);

static void dump_print_record(struct trace_output *o)
{
	trace_seq_init(&o->seq);
	output_line(o);
	seq_buf_do_printk(&o->seq.seq, KERN_EMERG);
}

static void dump_print_records(struct trace_output *o)
{
	bool any = false;

	while (reader_next(&o->r)) {
		if (!any)
			pr_emerg(DUMP_RULER);
		any = true;
		dump_print_record(o);
		reader_consume(&o->r);
		touch_nmi_watchdog();
	}
	if (any)
		pr_emerg(DUMP_RULER);
	else
		pr_emerg("   (ftrace buffer empty)\n");
}

static void dump_print_warning(void)
{
	if (IS_ENABLED(CONFIG_FUNCTION_TRACER) && ftrace_is_dead())
		pr_emerg("# WARNING: FUNCTION TRACING IS CORRUPTED\n"
			 "#          MAY BE MISSING FUNCTION EVENTS\n");
}

/*
 * Dump the records of @cpu, which may be RING_BUFFER_ALL_CPUS. Switches tracing_on off, and leaves
 * it off: later records do not show what led to the dump. Meanwhile trace_array_stop() suspends
 * recording, in case a command on a function switches tracing_on on again: then the dump would
 * never end.
 */
static void dump_instance(struct trace_array *tr, int cpu)
{
	tracer_tracing_off(tr);
	trace_array_stop(tr);

	if (trace_array_is_top(tr))
		pr_emerg("Dumping ftrace buffer:\n");
	else
		pr_emerg("Dumping ftrace instance %s buffer:\n", tr->name);

	dump_print_warning();
	output_reuse(dump_output, tr, cpu);
	dump_print_records(dump_output);
	trace_array_start(tr);
}

static bool dump_mode_is_orig_cpu(const char *mode)
{
	return mode && (!strcmp(mode, "2") || !strcmp(mode, "orig_cpu"));
}

static void dump_named_instance(const char *name, int cpu)
{
	struct trace_array *tr;

	list_for_each_entry_rcu(tr, &trace_arrays, list) {
		if (tr->name && !strcmp(tr->name, name)) {
			dump_instance(tr, cpu);
			return;
		}
	}
	pr_emerg("Dumping ftrace instance %s: there is none\n", name);
}

/*
 * Dump the top instance if @item, the first one of ftrace_dump_on_oops, is a mode. @here: this CPU.
 * Returns false if it is not a mode, but the name of an instance.
 */
static bool dump_first_item(const char *item, int here)
{
	if (!*item || !strcmp(item, "0"))
		return true;
	if (!strcmp(item, "1"))
		dump_instance(&global_trace, RING_BUFFER_ALL_CPUS);
	else if (dump_mode_is_orig_cpu(item))
		dump_instance(&global_trace, here);
	else
		return false;
	return true;
}

/*
 * Dump the instances that ftrace_dump_on_oops selects. The copy of it, which strsep() changes, can
 * be static, because only one dump runs at a time.
 */
static void dump_configured(int here)
{
	static char items[MAX_TRACER_SIZE];
	char *rest = items, *name, *mode;
	bool first = true;

	strscpy(items, ftrace_dump_on_oops);
	for (; (mode = strsep(&rest, ",")); first = false) {
		if (first && dump_first_item(mode, here))
			continue;
		name = strsep(&mode, "=");
		if (*name)
			dump_named_instance(name, dump_mode_is_orig_cpu(mode) ? here :
						  RING_BUFFER_ALL_CPUS);
	}
}

static void dump_by_mode(enum ftrace_dump_mode mode, int here)
{
	guard(rcu)();

	switch (mode) {
	case DUMP_ALL:
		dump_instance(&global_trace, RING_BUFFER_ALL_CPUS);
		break;
	case DUMP_ORIG:
		dump_instance(&global_trace, here);
		break;
	case DUMP_PARAM:
		dump_configured(here);
		break;
	case DUMP_NONE:
		break;
	}
}

/* Returns false if another dump runs, or before ftrace_dump_init(). */
static bool dump_begin(void)
{
	/* Pairs with the release in dump_end(): what the last dump has stored is visible. */
	return READ_ONCE(dump_output) && !atomic_cmpxchg_acquire(&dumping, 0, 1);
}

static void dump_end(void)
{
	atomic_set_release(&dumping, 0);
}

/* ------------------------------------------------------------------ */
/* Deferred dump, after the read of a file				*/

/* Arguments of the deferred dump, written by the caller that sets dump_is_deferred to 1. */
static enum ftrace_dump_mode dump_deferred_mode;
static int dump_deferred_cpu;
/* 1 while a deferred dump is pending or runs: further dumps that would be deferred are dropped. */
static atomic_t dump_is_deferred;

static void dump_run_deferred(struct work_struct *work)
{
	consume_lock(RING_BUFFER_ALL_CPUS);
	if (dump_begin()) {
		dump_by_mode(dump_deferred_mode, dump_deferred_cpu);
		dump_end();
	}
	consume_unlock(RING_BUFFER_ALL_CPUS);
	/* Pairs with the acquire in dump_defer(). */
	atomic_set_release(&dump_is_deferred, 0);
}

static DECLARE_WORK(dump_work, dump_run_deferred);

/* Callers of ftrace_dump() may hold locks that schedule_work() takes: an irq_work calls it. */
static void dump_schedule_work(struct irq_work *work)
{
	schedule_work(&dump_work);
}

static struct irq_work dump_irq_work = IRQ_WORK_INIT_HARD(dump_schedule_work);

/* Defer the dump to a work item. Stop recording now, so that the current records are dumped. */
static void dump_defer(enum ftrace_dump_mode mode, int here)
{
	tracing_off();
	/* Pairs with the release in dump_run_deferred(): it has read the arguments, so set them. */
	if (atomic_cmpxchg_acquire(&dump_is_deferred, 0, 1))
		return;
	dump_deferred_mode = mode;
	dump_deferred_cpu = here;
	if (!trace_irq_work_queue(&dump_irq_work))
		/* The CPU is going down, so there is no dump; but the files can still be read. */
		atomic_set(&dump_is_deferred, 0);
}

/* ------------------------------------------------------------------ */
/* Immediate dump							*/

/* Dump now, without waiting for locks. Context: NMI, oops or panic. */
static void dump_without_locks(enum ftrace_dump_mode mode, int here)
{
	if (!dump_begin())
		return;
	WRITE_ONCE(ring_buffer_panic_read, true);
	dump_by_mode(mode, here);
	WRITE_ONCE(ring_buffer_panic_read, false);
	dump_end();
}

/* Dump now or, if a file is being read that consumes records, later. */
static void dump_with_lock(enum ftrace_dump_mode mode, int here)
{
	if (!consume_trylock(RING_BUFFER_ALL_CPUS)) {
		dump_defer(mode, here);
		return;
	}
	if (dump_begin()) {
		dump_by_mode(mode, here);
		dump_end();
	}
	consume_unlock(RING_BUFFER_ALL_CPUS);
}

/**
 * ftrace_dump() - print the trace on the console, and stop recording
 * @mode: DUMP_ALL for all CPUs of the top instance, DUMP_ORIG for this CPU only, DUMP_PARAM for
 *	the instances set by ftrace_dump_on_oops, DUMP_NONE for nothing
 *
 * The records are consumed: a second call prints only newer records. Does nothing while another
 * dump runs. While a file is being read that consumes records, recording stops now, and the
 * dump follows when the read is finished.
 *
 * Context: any.
 */
void ftrace_dump(enum ftrace_dump_mode mode)
{
	const int here = raw_smp_processor_id();

	if (!READ_ONCE(dump_output) || mode == DUMP_NONE)
		return;
	if (oops_in_progress || in_nmi())
		dump_without_locks(mode, here);
	else
		dump_with_lock(mode, here);
}
EXPORT_SYMBOL_GPL(ftrace_dump);

/*
 * Dump at an oops or a panic, without waiting for locks. ftrace_dump() does not always know that it
 * must not wait: not every architecture sets oops_in_progress when the kernel dies.
 */
static void dump_if_enabled(void)
{
	if (READ_ONCE(dump_output) && ftrace_dump_on_oops_enabled())
		dump_without_locks(DUMP_PARAM, raw_smp_processor_id());
}

static int dump_at_panic(struct notifier_block *nb, unsigned long event, void *message)
{
	dump_if_enabled();

	return NOTIFY_DONE;
}

static int dump_at_oops(struct notifier_block *nb, unsigned long event, void *args)
{
	if (event == DIE_OOPS)
		dump_if_enabled();

	return NOTIFY_DONE;
}

/* The high priority puts the notifiers first in the chain: later ones may stop the machine. */
static struct notifier_block dump_panic_nb = {
	.notifier_call	= dump_at_panic,
	.priority	= INT_MAX - 1,
};

static struct notifier_block dump_oops_nb = {
	.notifier_call	= dump_at_oops,
	.priority	= INT_MAX - 1,
};

int __init ftrace_dump_init(void)
{
	struct trace_output *o;

	o = output_alloc(&global_trace, RING_BUFFER_ALL_CPUS);
	if (IS_ERR(o))
		return PTR_ERR(o);
	WRITE_ONCE(dump_output, o);

	atomic_notifier_chain_register(&panic_notifier_list, &dump_panic_nb);

	return register_die_notifier(&dump_oops_nb);
}
