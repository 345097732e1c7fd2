// SPDX-License-Identifier: GPL-2.0
/*
 * Events as messages of the kernel: the parameter tp_printk, for who looks for what goes
 * wrong before there is anybody to read a trace.
 *
 * What they print may be recorded in any context, with the locks of the scheduler held, so
 * the console gets it later.
 */
#define pr_fmt(fmt) "trace events: " fmt

#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/sysctl.h>
#include <linux/trace_seq.h>

#include "events.h"
#include "guard/guard.h"
#include "output/output.h"

/* kernel.tracepoint_printk: 0 unless the kernel was booted with tp_printk. */
int tracepoint_printk;
static bool stop_on_boot __initdata;

/* What a line is made in, one at a time; NULL without tp_printk. */
static struct trace_output *line __ro_after_init;
/* Protects it. Raw, for the lock of a run queue may be held; never taken in an NMI. */
static DEFINE_RAW_SPINLOCK(line_lock);

/* ------------------------------------------------------------------ */
/* In the event								*/

static void print(const struct trace_event_file *file, void *rec, unsigned int len)
{
	line->r.ent = rec;
	line->r.ent_size = len;
	line->r.atomic = true;
	line->type = &file->event->type;
	/* Whoever reads the messages of the kernel has not asked for addresses. */
	line->options = TRACE_OPT_HASH_PTR;
	trace_seq_init(&line->seq);
	line->type->class->text(line);
	printk_deferred("%.*s", trace_seq_used(&line->seq), line->seq.buffer);
}

void event_printk(const struct trace_event_file *file, void *rec, unsigned int len)
{
	struct trace_own own;
	unsigned long flags;

	/* It may have come while a line is made. */
	if (in_nmi())
		return;
	local_irq_save(flags);
	/* Around the lock: events of the lock would come here again, and want it as well. */
	trace_own_begin(&own);
	/* A kernel that dies may have stopped the CPU that holds the lock. */
	if (!oops_in_progress)
		raw_spin_lock(&line_lock);
	else if (!raw_spin_trylock(&line_lock))
		goto out;
	print(file, rec, len);
	raw_spin_unlock(&line_lock);
out:
	trace_own_end(&own);
	local_irq_restore(flags);
}

/* ------------------------------------------------------------------ */
/* On and off								*/

unsigned int event_printk_how(void)
{
	return line && tracepoint_printk ? EVENT_HOW_PRINTK : 0;
}

static void tell_all(void)
{
	events_how_set(EVENT_HOW_PRINTK, event_printk_how);
}

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
 * Context: process; may sleep; takes events_lock.
 * Return: 0 or what proc_dointvec() says.
 */
int tracepoint_printk_sysctl(const struct ctl_table *table, int write, void *buffer,
			     size_t *lenp, loff_t *ppos)
{
	int err = proc_dointvec(table, write, buffer, lenp, ppos);

	if (!write)
		return err;
	if (!line)
		tracepoint_printk = 0;
	tell_all();
	return err;
}

/* ------------------------------------------------------------------ */
/* Boot									*/

/* tp_printk, or tp_printk=on; tp_printk_stop_on_boot comes here as well. */
static int __init tp_printk_setup(char *str)
{
	if (*str == '_')
		return 0;
	tracepoint_printk = strcmp(str, "=0") && strcmp(str, "=off");
	return 1;
}
__setup("tp_printk", tp_printk_setup);

static int __init tp_printk_stop_setup(char *str)
{
	stop_on_boot = true;
	return 1;
}
__setup("tp_printk_stop_on_boot", tp_printk_stop_setup);

void __init event_printk_boot(void)
{
	if (!tracepoint_printk)
		return;
	line = output_alloc(&global_trace, RING_BUFFER_ALL_CPUS);
	if (IS_ERR(line)) {
		pr_warn("tp_printk: no memory\n");
		line = NULL;
		tracepoint_printk = 0;
	}
	tell_all();
}

static int __init stop(void)
{
	if (stop_on_boot) {
		tracepoint_printk = 0;
		tell_all();
	}
	return 0;
}
late_initcall_sync(stop);
