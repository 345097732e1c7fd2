// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of functions, on fprobe/: at the entry, or at the return.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/ptrace.h>
#include <linux/security.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>

#include "events/events.h"
#include "fprobe.h"
#include "values.h"

/* ------------------------------------------------------------------ */
/* Hits									*/

static struct function_probe *of_fprobe(struct fprobe *fp)
{
	return container_of(fp, struct function_probe, fp);
}

static int fprobe_entry(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
			struct pt_regs *regs, void *data)
{
	probe_hit(&of_fprobe(fp)->probe, regs, NULL, entry_ip, 0);
	return 0;
}

/* The function begins: keep those of its arguments that are asked for when it returns. */
static int fprobe_called(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
			 struct pt_regs *regs, void *data)
{
	const struct function_probe *f = of_fprobe(fp);

	if (data)
		fetch_keep(data, f->kept, f->nr_kept, regs);
	return 0;
}

static void fprobe_returned(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
			    struct pt_regs *regs, void *data)
{
	probe_hit(&of_fprobe(fp)->probe, regs, data, entry_ip, ret_ip);
}

/* ------------------------------------------------------------------ */
/* On and off								*/

static void function_handlers_set(struct function_probe *f)
{
	if (f->returns) {
		f->fp.exit_handler = fprobe_returned;
		f->fp.entry_handler = f->nr_kept ? fprobe_called : NULL;
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
	function_handlers_set(f);
	return function_probe_register(f, at);
}

void function_probe_stop(struct function_probe *f)
{
	function_probe_unregister(f);
	/* The next registration begins its count anew. */
	f->missed += f->fp.nmissed;
	f->fp.nmissed = 0;
}

unsigned long function_probe_missed(const struct function_probe *f)
{
	guard(mutex)(&events_lock);
	return f->missed + READ_ONCE(f->fp.nmissed);
}

static unsigned long find_function(const struct function_probe *f, const struct module *but)
{
	return function_find(f->symbol, but);
}

static const struct function_finder function_finder = {
	.find	= find_function,
	.start	= function_probe_start,
	.stop	= function_probe_stop,
};

static int fprobe_start(struct probe *p)
{
	return function_probe_follow(to_function_probe(p), &function_finder);
}

static void fprobe_stop(struct probe *p)
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

/* ------------------------------------------------------------------ */
/* As it is written							*/

void function_probe_place(struct seq_buf *s, const struct probe *p)
{
	const struct function_probe *f = to_function_probe(p);

	seq_buf_printf(s, f->returns ? "%s%%return" : "%s", f->symbol);
}

unsigned int function_probe_instances(const struct probe *p)
{
	return to_function_probe(p)->instances;
}

struct probe_kind fprobe_kind = {
	.dyn = {
		.create		= fprobe_create,
		.show		= probe_show,
		.is		= probe_is,
		.is_busy	= probe_is_busy,
		.call		= probe_dyn_call,
		.remove		= probe_dyn_remove,
	},
	.who		= "trace_fprobe",
	.letter		= 'f',
	.system		= "fprobes",
	.flags		= TRACE_EVENT_FL_FPROBE,
	.size		= sizeof(struct function_probe),
	.parse		= fprobe_parse,
	.name		= fprobe_name,
	.start		= fprobe_start,
	.stop		= fprobe_stop,
	.place		= function_probe_place,
	.instances	= function_probe_instances,
	.free		= function_probe_free,
};
