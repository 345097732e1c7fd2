// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of functions, on fprobe/: hits at the entry or at the return, start and stop.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/ptrace.h>
#include <linux/security.h>
#include <linux/slab.h>

#include "events/events.h"
#include "fprobe.h"
#include "values.h"

/* ------------------------------------------------------------------ */
/* Hits									*/

static struct function_probe *function_probe_of(struct fprobe *fp)
{
	return container_of(fp, struct function_probe, fp);
}

static int fprobe_entry(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
			struct pt_regs *regs, void *data)
{
	probe_hit(&function_probe_of(fp)->probe, regs, NULL, entry_ip, 0);
	return 0;
}

/* Entry of a function with a return probe: save the arguments that are fetched at the return. */
static int fprobe_return_entry(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
			       struct pt_regs *regs, void *data)
{
	const struct function_probe *f = function_probe_of(fp);

	if (data)
		fetch_save_args(data, f->kept, f->nr_kept, regs);
	return 0;
}

static void fprobe_return(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
			  struct pt_regs *regs, void *data)
{
	probe_hit(&function_probe_of(fp)->probe, regs, data, entry_ip, ret_ip);
}

/* ------------------------------------------------------------------ */
/* On and off								*/

static void function_probe_set_handlers(struct function_probe *f)
{
	if (f->returns) {
		f->fp.exit_handler = fprobe_return;
		f->fp.entry_handler = f->nr_kept ? fprobe_return_entry : NULL;
		f->fp.entry_data_size = f->nr_kept * sizeof(long);
		f->fp.nr_maxactive = f->instances;
	} else {
		f->fp.entry_handler = fprobe_entry;
	}
}

int function_probe_start(struct function_probe *f, unsigned long at)
{
	int err = security_locked_down(LOCKDOWN_KPROBES);

	if (err)
		return err;
	if (fetch_resolve(&f->probe.args))
		return -ENOENT;
	function_probe_set_handlers(f);
	return function_probe_register(f, at);
}

void function_probe_stop(struct function_probe *f)
{
	function_probe_unregister(f);
	/* The next registration begins to count from 0. */
	f->missed += f->fp.nmissed;
	f->fp.nmissed = 0;
}

unsigned long function_probe_missed(const struct function_probe *f)
{
	guard(mutex)(&events_lock);
	return f->missed + READ_ONCE(f->fp.nmissed);
}

static unsigned long fprobe_find_function(const struct function_probe *f,
					  const struct module *except)
{
	return function_find(f->symbol, except);
}

static const struct function_finder function_finder = {
	.find	= fprobe_find_function,
	.start	= function_probe_start,
	.stop	= function_probe_stop,
};

int fprobe_start(struct probe *p)
{
	return function_probe_follow(to_function_probe(p), &function_finder);
}

void fprobe_stop(struct probe *p)
{
	function_probe_unfollow(to_function_probe(p));
}

void function_probe_free(struct probe *p)
{
	struct function_probe *f = to_function_probe(p);

	probe_exit(p);
	kfree(f->symbol);
	kfree(f);
}
