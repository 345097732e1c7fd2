// SPDX-License-Identifier: GPL-2.0
/*
 * The trace on the console, for when nobody will be left to read the files:
 * ftrace_dump(), called by the kernel's own debugging (RCU stalls, sysrq-z, the
 * "dump" command on a function) and, if ftrace_dump_on_oops says so, when the
 * kernel oopses or panics.
 *
 * It runs in every context. The reader was made early in the boot, so that nothing need
 * be allocated; and when the kernel is dying, no lock is waited for: who held
 * it may never run again. Else a dump that would take away what a file is just giving to
 * its reader comes a moment later, from a work item.
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
#include "output.h"
#include "ring_buffer/consume.h"
#include "ring_buffer/dying.h"

#define RULER	"---------------------------------\n"

/*
 * What to dump when the kernel oopses, as the sysctl and the boot parameter
 * give it: "0", or items with commas between them. The first may be a mode for
 * the top instance; each of the others is the name of an instance, "=" and a
 * mode behind it if it is not all of its CPUs.
 */
char ftrace_dump_on_oops[MAX_TRACER_SIZE] = "0";

/* Made at boot, NULL before; its user is who made @dumping 1. */
static struct trace_output *dump_output;
static atomic_t dumping;

/**
 * ftrace_dump_on_oops_enabled - will an oops dump anything?
 *
 * Context: any.
 */
int ftrace_dump_on_oops_enabled(void)
{
	return strcmp(ftrace_dump_on_oops, "0") && ftrace_dump_on_oops[0];
}

/*
 * "ftrace_dump_on_oops", alone or with the items behind "="; a "," in place of
 * it says that the top instance comes first.
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

static void print_record(struct trace_output *o)
{
	trace_seq_init(&o->seq);
	output_line(o);
	seq_buf_do_printk(&o->seq.seq, KERN_EMERG);
}

static void print_records(struct trace_output *o)
{
	bool any = false;

	while (reader_next(&o->r)) {
		if (!any)
			pr_emerg(RULER);
		any = true;
		print_record(o);
		reader_consume(&o->r);
		touch_nmi_watchdog();
	}
	if (any)
		pr_emerg(RULER);
	else
		pr_emerg("   (ftrace buffer empty)\n");
}

static void print_warning(void)
{
	if (IS_ENABLED(CONFIG_FUNCTION_TRACER) && ftrace_is_dead())
		pr_emerg("# WARNING: FUNCTION TRACING IS CORRUPTED\n"
			 "#          MAY BE MISSING FUNCTION EVENTS\n");
}

/*
 * @cpu may be RING_BUFFER_ALL_CPUS. Recording stays off: what follows is not the cause.
 * Nor must it come back on meanwhile, by a command on a function: that would not end.
 */
static void dump_instance(struct trace_array *tr, int cpu)
{
	tracer_tracing_off(tr);
	trace_array_stop(tr);

	if (trace_array_is_top(tr))
		pr_emerg("Dumping ftrace buffer:\n");
	else
		pr_emerg("Dumping ftrace instance %s buffer:\n", tr->name);

	print_warning();
	output_reuse(dump_output, tr, cpu);
	print_records(dump_output);
	trace_array_start(tr);
}

static bool mode_is_orig_cpu(const char *mode)
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

/* The first item of ftrace_dump_on_oops may be a mode. Return: false if it is none. */
static bool dump_first_item(const char *item, int here)
{
	if (!*item || !strcmp(item, "0"))
		return true;
	if (!strcmp(item, "1"))
		dump_instance(&global_trace, RING_BUFFER_ALL_CPUS);
	else if (mode_is_orig_cpu(item))
		dump_instance(&global_trace, here);
	else
		return false;
	return true;
}

/* Cuts ftrace_dump_on_oops up in a copy: only one dump runs at a time. */
static void dump_what_was_asked_for(int here)
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
			dump_named_instance(name, mode_is_orig_cpu(mode) ? here :
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
		dump_what_was_asked_for(here);
		break;
	case DUMP_NONE:
		break;
	}
}

/* False while another dump runs: it is left to that. */
static bool dump_begin(void)
{
	/* Pairs with the release in dump_end(): the reader is as its last user left it. */
	return READ_ONCE(dump_output) && !atomic_cmpxchg_acquire(&dumping, 0, 1);
}

static void dump_end(void)
{
	atomic_set_release(&dumping, 0);
}

/* ------------------------------------------------------------------ */
/* A dump that waits for a reader					*/

/* What the first one that had to wait wanted. */
static enum ftrace_dump_mode later_mode;
static int later_cpu;
static atomic_t waiting;

static void dump_waited(struct work_struct *work)
{
	consume_lock(RING_BUFFER_ALL_CPUS);
	if (dump_begin()) {
		dump_by_mode(later_mode, later_cpu);
		dump_end();
	}
	consume_unlock(RING_BUFFER_ALL_CPUS);
	/* Pairs with the acquire in dump_later(). */
	atomic_set_release(&waiting, 0);
}

static DECLARE_WORK(dump_work, dump_waited);

/* Whoever dumps may hold locks that queueing work takes. */
static void queue_dump(struct irq_work *work)
{
	schedule_work(&dump_work);
}

static struct irq_work dump_irq_work = IRQ_WORK_INIT_HARD(queue_dump);

/* Recording stops at once: what is in the buffer by now is what is wanted. */
static void dump_later(enum ftrace_dump_mode mode, int here)
{
	tracing_off();
	/* Pairs with the release in dump_waited(): it has read what it was told. */
	if (atomic_cmpxchg_acquire(&waiting, 0, 1))
		return;
	later_mode = mode;
	later_cpu = here;
	if (!trace_irq_work_queue(&dump_irq_work))
		/* The CPU goes down. What was recorded can still be read. */
		atomic_set(&waiting, 0);
}

/* ------------------------------------------------------------------ */
/* At once								*/

/* In an NMI, or when the kernel is dying. */
static void dump_without_locks(enum ftrace_dump_mode mode, int here)
{
	if (!dump_begin())
		return;
	WRITE_ONCE(ring_buffer_dying, true);
	dump_by_mode(mode, here);
	WRITE_ONCE(ring_buffer_dying, false);
	dump_end();
}

static void dump_between_readers(enum ftrace_dump_mode mode, int here)
{
	if (!consume_trylock(RING_BUFFER_ALL_CPUS)) {
		dump_later(mode, here);
		return;
	}
	if (dump_begin()) {
		dump_by_mode(mode, here);
		dump_end();
	}
	consume_unlock(RING_BUFFER_ALL_CPUS);
}

/**
 * ftrace_dump - print the trace on the console, and stop recording
 * @mode: of the top instance all CPUs or this one, or what ftrace_dump_on_oops
 *	asks for
 *
 * The records are consumed: a second call prints what came between. While another dump
 * runs, nothing happens. While a file is being read that would take away the same
 * records, recording stops now, and they are printed when that has had its records.
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
		dump_between_readers(mode, here);
}
EXPORT_SYMBOL_GPL(ftrace_dump);

/* Not every architecture says by oops_in_progress that it is dying. */
static void dump_if_asked_for(void)
{
	if (READ_ONCE(dump_output) && ftrace_dump_on_oops_enabled())
		dump_without_locks(DUMP_PARAM, raw_smp_processor_id());
}

static int dump_at_panic(struct notifier_block *nb, unsigned long event, void *message)
{
	dump_if_asked_for();

	return NOTIFY_DONE;
}

static int dump_at_oops(struct notifier_block *nb, unsigned long event, void *args)
{
	if (event == DIE_OOPS)
		dump_if_asked_for();

	return NOTIFY_DONE;
}

/* Early in the chain: what comes later may stop the machine. */
static struct notifier_block panic_nb = {
	.notifier_call	= dump_at_panic,
	.priority	= INT_MAX - 1,
};

static struct notifier_block oops_nb = {
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

	atomic_notifier_chain_register(&panic_notifier_list, &panic_nb);

	return register_die_notifier(&oops_nb);
}
