// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of functions go on and off. Each by itself would take a pass over text, and wait for all
 * tasks when it goes; so those of events that are switched together wait, and are registered, or
 * unregistered, together.
 */
#define pr_fmt(fmt) "trace probes: " fmt

#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>

#include "dispatch/death.h"
#include "events/events.h"
#include "fprobe.h"

/* Probes that wait for function_probes_settle(), by their &function_probe.on; events_lock. */
LIST_HEAD(function_probes_ending);
static unsigned int nr_ending;

/* Probes that are in function_probes_on already, and wait for the same to be hit. */
static LIST_HEAD(starting);
static unsigned int nr_starting;

/* ------------------------------------------------------------------ */
/* On									*/

/* Errors that can be known before are found before: then the event stays off. */
static int check_function(unsigned long at)
{
	if (ftrace_is_dead())
		return -ENODEV;
	return ftrace_location(at) ? 0 : -EINVAL;
}

int function_probe_register(struct function_probe *f, unsigned long at)
{
	int err;

	lockdep_assert_held(&events_lock);
	f->at = at;
	if (!events_are_many())
		return register_fprobe_ips(&f->fp, &f->at, 1);
	err = check_function(at);
	if (err)
		return err;
	list_add_tail(&f->starting, &starting);
	nr_starting++;
	return 0;
}

static bool is_starting(const struct function_probe *f)
{
	return !list_empty(&f->starting);
}

static void wait_no_more(struct function_probe *f)
{
	list_del_init(&f->starting);
	nr_starting--;
}

static int start_each(void)
{
	struct function_probe *f;
	int ret = 0, err;

	list_for_each_entry(f, &starting, starting) {
		err = register_fprobe_ips(&f->fp, &f->at, 1);
		ret = ret ?: err;
	}
	return ret;
}

static int start_together(struct fprobe **fps, unsigned long *addrs)
{
	struct function_probe *f;
	int nr = 0;

	list_for_each_entry(f, &starting, starting) {
		fps[nr] = &f->fp;
		addrs[nr++] = f->at;
	}
	return register_fprobes(fps, addrs, nr);
}

/* Return: 0; or why one is not hit. It stays in function_probes_on, as if it were to come. */
static int start_waiting(void)
{
	struct fprobe **fps = kvmalloc_array(nr_starting, sizeof(*fps), GFP_KERNEL);
	unsigned long *addrs = kvmalloc_array(nr_starting, sizeof(*addrs), GFP_KERNEL);
	int err = fps && addrs ? start_together(fps, addrs) : start_each();
	struct function_probe *f, *next;

	kvfree(fps);
	kvfree(addrs);
	list_for_each_entry_safe(f, next, &starting, starting) {
		wait_no_more(f);
		if (!fprobe_is_registered(&f->fp))
			pr_warn_ratelimited("%s: cannot be probed (%d)\n", f->symbol, err);
	}
	return err;
}

/* ------------------------------------------------------------------ */
/* Off									*/

void function_probe_unregister(struct function_probe *f)
{
	lockdep_assert_held(&events_lock);
	if (is_starting(f))
		wait_no_more(f);
	if (fprobe_is_registered(&f->fp))
		unregister_fprobe(&f->fp);
}

bool function_probe_end_later(struct function_probe *f)
{
	lockdep_assert_held(&events_lock);
	if (!events_are_many() || !fprobe_is_registered(&f->fp))
		return false;
	f->ending = true;
	nr_ending++;
	list_move(&f->on, &function_probes_ending);
	return true;
}

bool function_probe_keep(struct function_probe *f)
{
	lockdep_assert_held(&events_lock);
	if (!f->ending)
		return false;
	f->ending = false;
	nr_ending--;
	list_move(&f->on, &function_probes_on);
	return true;
}

/* Without memory to do so they are left as they are. */
static void unregister_ending(void)
{
	struct fprobe **fps = kvmalloc_array(nr_ending, sizeof(*fps), GFP_KERNEL);
	struct function_probe *f;
	int nr = 0;

	if (!fps)
		return;
	list_for_each_entry(f, &function_probes_ending, on)
		fps[nr++] = &f->fp;
	unregister_fprobes(fps, nr);
	kvfree(fps);
}

static void stop_waiting(void)
{
	struct function_probe *f, *next;

	unregister_ending();
	nr_ending = 0;
	list_for_each_entry_safe(f, next, &function_probes_ending, on) {
		list_del(&f->on);
		f->ending = false;
		/* Some may have been left as they were. */
		function_probe_leave(f);
	}
}

int function_probes_settle(void)
{
	lockdep_assert_held(&events_lock);
	if (nr_ending)
		stop_waiting();
	return nr_starting ? start_waiting() : 0;
}
