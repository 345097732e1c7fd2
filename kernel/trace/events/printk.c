// SPDX-License-Identifier: GPL-2.0
/*
 * Events in the kernel log: the parameter tp_printk, for problems that occur before a user can
 * read the trace.
 *
 * A printed event may be recorded in any context, with scheduler locks held, so it reaches the
 * console later (printk_deferred()).
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

#include "boot.h"
#include "events.h"
#include "guard/guard.h"
#include "internal.h"
#include "output/output.h"

/* kernel.tracepoint_printk: 0 unless the kernel was booted with tp_printk. */
int tracepoint_printk;
static bool stop_on_boot __initdata;

/* Buffer for one line at a time; NULL without tp_printk. Protected by tp_printk_lock. */
static struct trace_output *tp_printk_output __ro_after_init;
/*
 * Protects the contents of tp_printk_output. Raw, because a run queue lock may be held. Never
 * taken in an NMI.
 */
static DEFINE_RAW_SPINLOCK(tp_printk_lock);

/* ------------------------------------------------------------------ */
/* Printing from the probe						*/

static void tp_printk_record(const struct trace_event_file *file, void *rec, unsigned int len)
{
	tp_printk_output->r.ent = rec;
	tp_printk_output->r.ent_size = len;
	tp_printk_output->r.atomic = true;
	tp_printk_output->type = &file->event->type;
	/* Readers of the kernel log have not asked for addresses. */
	tp_printk_output->options = TRACE_OPT_HASH_PTR;
	trace_seq_init(&tp_printk_output->seq);
	tp_printk_output->type->class->text(tp_printk_output);
	printk_deferred("%.*s", trace_seq_used(&tp_printk_output->seq),
			tp_printk_output->seq.buffer);
}

void event_printk(const struct trace_event_file *file, void *rec, unsigned int len)
{
	struct trace_own own;
	unsigned long flags;

	/* An NMI may have interrupted the holder of tp_printk_lock. */
	if (in_nmi())
		return;
	local_irq_save(flags);
	/* Begun before the lock is taken: events of the lock would come here again and deadlock. */
	trace_own_begin(&own);
	/* The holder of the lock may be a CPU that the oops has stopped. */
	if (!oops_in_progress)
		raw_spin_lock(&tp_printk_lock);
	else if (!raw_spin_trylock(&tp_printk_lock))
		goto out;
	tp_printk_record(file, rec, len);
	raw_spin_unlock(&tp_printk_lock);
out:
	trace_own_end(&own);
	local_irq_restore(flags);
}

/* ------------------------------------------------------------------ */
/* On and off								*/

/* Whether records are printed; protected by events_lock. */
static bool tp_printk_is_on;

static void tp_printk_update(void)
{
	bool on;

	guard(mutex)(&events_lock);
	on = tp_printk_output && tracepoint_printk;
	if (on == tp_printk_is_on)
		return;
	tp_printk_is_on = on;
	if (on)
		events_how_get(EVENT_HOW_PRINTK);
	else
		events_how_put(EVENT_HOW_PRINTK);
}

/**
 * tracepoint_printk_sysctl - handler of the sysctl kernel.tracepoint_printk
 * @table: the entry of the sysctl
 * @write: true for a write, false for a read
 * @buffer: the text
 * @lenp: length of the text
 * @ppos: position in the file
 *
 * A write takes effect only if the kernel was booted with tp_printk, which allocates the buffer;
 * otherwise the value stays 0, without an error.
 *
 * Context: process; may sleep; takes events_lock.
 * Return: 0 or the errno of proc_dointvec().
 */
int tracepoint_printk_sysctl(const struct ctl_table *table, int write, void *buffer,
			     size_t *lenp, loff_t *ppos)
{
	int err = proc_dointvec(table, write, buffer, lenp, ppos);

	if (!write)
		return err;
	if (!tp_printk_output)
		tracepoint_printk = 0;
	tp_printk_update();
	return err;
}

/* ------------------------------------------------------------------ */
/* Boot									*/

/* Handles tp_printk and tp_printk=on. Also called for tp_printk_stop_on_boot. */
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
	tp_printk_output = output_alloc(&global_trace, RING_BUFFER_ALL_CPUS);
	if (IS_ERR(tp_printk_output)) {
		pr_warn("tp_printk: no memory\n");
		tp_printk_output = NULL;
		tracepoint_printk = 0;
	}
	tp_printk_update();
}

static int __init tp_printk_stop_late(void)
{
	if (stop_on_boot) {
		tracepoint_printk = 0;
		tp_printk_update();
	}
	return 0;
}
late_initcall_sync(tp_printk_stop_late);
