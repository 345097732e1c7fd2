// SPDX-License-Identifier: GPL-2.0
/*
 * The trace on the console, for when nobody will be left to read the files:
 * ftrace_dump(), called by the kernel's own debugging (RCU stalls, sysrq-z, the
 * "dump" command on a function) and, if ftrace_dump_on_oops says so, when the
 * kernel oopses or panics.
 *
 * It runs in every context. The reader was made early in the boot, so that nothing need
 * be allocated; and when the kernel is dying, no lock is waited for: who held
 * it may never run again.
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/init.h>
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
#include <linux/sysctl.h>

#include "dump.h"
#include "instance/instance.h"
#include "output.h"
#include "reader.h"
#include "ring_buffer/consume.h"

#define RULER	"---------------------------------\n"

/*
 * What to dump when the kernel oopses, as the sysctl and the boot parameter
 * give it: "0", or items with commas between them. The first may be a mode for
 * the top instance; each of the others is the name of an instance, "=" and a
 * mode behind it if it is not all of its CPUs.
 */
char ftrace_dump_on_oops[MAX_TRACER_SIZE] = "0";

/* Made at boot, NULL before; its user is who made @dumping 1. */
static struct trace_reader *dump_reader;
static atomic_t dumping;

/* Without trace events there is nothing to print: always 0. */
int tracepoint_printk;

/**
 * tracepoint_printk_sysctl - kernel.tracepoint_printk
 * @table: its table
 * @write: or read
 * @buffer: the text
 * @lenp: its length
 * @ppos: and place
 *
 * It can be switched on only if the kernel was booted with tp_printk, which
 * sets up what it needs; else it stays 0, without an error.
 *
 * Context: process; may sleep.
 * Return: 0 or what proc_dointvec() says.
 */
int tracepoint_printk_sysctl(const struct ctl_table *table, int write, void *buffer,
			     size_t *lenp, loff_t *ppos)
{
	int err = proc_dointvec(table, write, buffer, lenp, ppos);

	if (write)
		tracepoint_printk = 0;

	return err;
}

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

static void print_record(struct trace_reader *r)
{
	trace_seq_init(&r->seq);
	output_line(r);
	seq_buf_do_printk(&r->seq.seq, KERN_EMERG);
}

static void print_records(struct trace_reader *r)
{
	bool any = false;

	while (reader_next(r)) {
		if (!any)
			pr_emerg(RULER);
		any = true;
		print_record(r);
		reader_consume(r);
		touch_nmi_watchdog();
	}
	if (any)
		pr_emerg(RULER);
	else
		pr_emerg("   (ftrace buffer empty)\n");
}

/* @cpu may be RING_BUFFER_ALL_CPUS. Recording stays off: what follows is not the cause. */
static void dump_instance(struct trace_array *tr, int cpu)
{
	tracer_tracing_off(tr);

	if (trace_array_is_top(tr))
		pr_emerg("Dumping ftrace buffer:\n");
	else
		pr_emerg("Dumping ftrace instance %s buffer:\n", tr->name);

	reader_reuse(dump_reader, tr, cpu);
	print_records(dump_reader);
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

/* Cuts ftrace_dump_on_oops up in a copy: only one dump runs at a time. */
static void dump_what_was_asked_for(void)
{
	static char items[MAX_TRACER_SIZE];
	const int here = raw_smp_processor_id();
	char *rest = items, *name, *mode;

	strscpy(items, ftrace_dump_on_oops);
	while ((mode = strsep(&rest, ","))) {
		name = strsep(&mode, "=");
		if (!*name || !strcmp(name, "0"))
			continue;
		if (!strcmp(name, "1"))
			dump_instance(&global_trace, RING_BUFFER_ALL_CPUS);
		else if (mode_is_orig_cpu(name))
			dump_instance(&global_trace, here);
		else
			dump_named_instance(name, mode_is_orig_cpu(mode) ? here :
						  RING_BUFFER_ALL_CPUS);
	}
}

static void dump_by_mode(enum ftrace_dump_mode mode)
{
	guard(rcu)();

	switch (mode) {
	case DUMP_ALL:
		dump_instance(&global_trace, RING_BUFFER_ALL_CPUS);
		break;
	case DUMP_ORIG:
		dump_instance(&global_trace, raw_smp_processor_id());
		break;
	case DUMP_PARAM:
		dump_what_was_asked_for();
		break;
	case DUMP_NONE:
		break;
	}
}

/* A dying kernel and an NMI cannot wait for the readers of the files. */
static bool may_lock_readers(void)
{
	return !oops_in_progress && !in_nmi();
}

/**
 * ftrace_dump - print the trace on the console, and stop recording
 * @mode: of the top instance all CPUs or this one, or what ftrace_dump_on_oops
 *	asks for
 *
 * The records are consumed: a second call prints what came between. While
 * another dump runs, and while a file is being read that would take away the
 * same records, nothing happens.
 *
 * Context: any.
 */
void ftrace_dump(enum ftrace_dump_mode mode)
{
	const bool lock = may_lock_readers();

	if (!READ_ONCE(dump_reader) || mode == DUMP_NONE)
		return;
	/* Pairs with the release below: the reader is as its last user left it. */
	if (atomic_cmpxchg_acquire(&dumping, 0, 1))
		return;

	if (!lock || consume_trylock(RING_BUFFER_ALL_CPUS)) {
		dump_by_mode(mode);
		if (lock)
			consume_unlock(RING_BUFFER_ALL_CPUS);
	} else {
		pr_emerg("The ftrace buffer is being read, it is not dumped\n");
	}

	atomic_set_release(&dumping, 0);
}
EXPORT_SYMBOL_GPL(ftrace_dump);

static void dump_if_asked_for(void)
{
	if (ftrace_dump_on_oops_enabled())
		ftrace_dump(DUMP_PARAM);
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
	struct trace_reader *r;

	r = reader_alloc(&global_trace, RING_BUFFER_ALL_CPUS);
	if (IS_ERR(r))
		return PTR_ERR(r);
	WRITE_ONCE(dump_reader, r);

	atomic_notifier_chain_register(&panic_notifier_list, &panic_nb);

	return register_die_notifier(&oops_nb);
}
