// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of the kernel's own code, on kprobes and return probes.
 *
 * A probe is registered when it is made, so that what cannot be probed is refused, but is only
 * armed while its event is on. One in a module that goes is gone with it, and comes back.
 */
#define pr_fmt(fmt) "trace probes: " fmt

#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/ptrace.h>
#include <linux/security.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "events/events.h"
#include "kprobe.h"
#include "values.h"

/* ------------------------------------------------------------------ */
/* Hits									*/

static int kprobe_entry(struct kprobe *kp, struct pt_regs *regs)
{
	struct kernel_probe *k = container_of(kp, struct kernel_probe, rp.kp);

	probe_hit(&k->probe, regs, NULL, (unsigned long)kp->addr, 0);
	return 0;
}

NOKPROBE_SYMBOL(kprobe_entry);

static __always_inline const struct kernel_probe *kernel_probe_of(const struct kretprobe *rp)
{
	return container_of(rp, struct kernel_probe, rp);
}

/* The function begins: keep those of its arguments that are asked for when it returns. */
static int kprobe_called(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct kretprobe *rp = get_kretprobe(ri);
	const struct kernel_probe *k;

	/* It is being taken away. */
	if (!rp)
		return 0;
	k = kernel_probe_of(rp);
	fetch_keep((unsigned long *)ri->data, k->kept, k->nr_kept, regs);
	return 0;
}

NOKPROBE_SYMBOL(kprobe_called);

static int kprobe_returned(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct kretprobe *rp = get_kretprobe(ri);

	/* It is being taken away. */
	if (!rp)
		return 0;
	/* Of several probes of a call all but one have found the trampoline as its caller. */
	probe_hit(&kernel_probe_of(rp)->probe, regs, ri->data, (unsigned long)rp->kp.addr,
		  instruction_pointer(regs));
	return 0;
}

NOKPROBE_SYMBOL(kprobe_returned);

/* ------------------------------------------------------------------ */
/* What can be probed							*/

#if defined(CONFIG_FTRACE_MCOUNT_RECORD) && !defined(CONFIG_KPROBE_EVENTS_ON_NOTRACE)

/* Where no function is, it is for register_kprobe() to say so. */
static bool can_be_traced(unsigned long at)
{
	unsigned long size, offset;

	return !kallsyms_lookup_size_offset(at, &size, &offset) || !size ||
	       ftrace_location_range(at - offset, at - offset + size - 1);
}

/* The cold part of a function has no call site of its own. */
static bool is_part_of_traced(unsigned long at)
{
	char name[KSYM_NAME_LEN], *dot;
	unsigned long whole;

	if (lookup_symbol_name(at, name))
		return false;
	dot = strchr(name, '.');
	if (!dot)
		return false;
	*dot = '\0';
	whole = kallsyms_lookup_name(name);
	return whole && can_be_traced(whole);
}

/* What is not to be traced is not to be probed either: a record is made of it. */
static bool is_allowed(const struct kprobe *kp)
{
	unsigned long at = (unsigned long)kp->addr;

	if (kp->symbol_name)
		at = kallsyms_lookup_name(kp->symbol_name);
	/* register_kprobe() says that there is no such symbol. */
	if (!at)
		return true;
	at += kp->offset;
	if (can_be_traced(at) || is_part_of_traced(at))
		return true;
	/* An offset may lead out of the function that the user has named. */
	pr_warn("%ps is not traced, and cannot be probed\n", (void *)at);
	return false;
}

#else

static bool is_allowed(const struct kprobe *kp) { return true; }

#endif

/* ------------------------------------------------------------------ */
/* Registered								*/

static void handlers_set(struct kernel_probe *k)
{
	if (!k->returns) {
		k->rp.kp.pre_handler = kprobe_entry;
		return;
	}
	k->rp.handler = kprobe_returned;
	k->rp.entry_handler = k->nr_kept ? kprobe_called : NULL;
	k->rp.data_size = k->nr_kept * sizeof(long);
	k->rp.maxactive = k->instances;
}

int kernel_probe_register(struct kernel_probe *k, bool armed)
{
	struct kprobe *kp = &k->rp.kp;
	int err = security_locked_down(LOCKDOWN_KPROBES);

	if (err)
		return err;
	/* An earlier registration may have left another address there. */
	if (k->start)
		kp->addr = (kprobe_opcode_t *)k->start;
	if (!is_allowed(kp))
		return -EINVAL;
	if (fetch_resolve(&k->probe.args))
		return -ENOENT;
	handlers_set(k);
	kp->flags = armed ? 0 : KPROBE_FLAG_DISABLED;
	err = k->returns ? register_kretprobe(&k->rp) : register_kprobe(kp);
	k->registered = !err;
	/* Which the kernel has looked up. */
	if (err && kp->symbol_name)
		kp->addr = NULL;
	return err;
}

/* It can be registered again. */
void kernel_probe_unregister(struct kernel_probe *k)
{
	struct kprobe *kp = &k->rp.kp;

	if (!k->registered)
		return;
	if (k->returns)
		unregister_kretprobe(&k->rp);
	else
		unregister_kprobe(kp);
	k->registered = false;
	INIT_HLIST_NODE(&kp->hlist);
	INIT_LIST_HEAD(&kp->list);
	if (kp->symbol_name)
		kp->addr = NULL;
}

bool kernel_probe_is_there(const struct kernel_probe *k)
{
	return k->registered && !kprobe_gone((struct kprobe *)&k->rp.kp);
}

static void finish(struct probe *p)
{
	struct kernel_probe *k = to_kernel_probe(p);

	scoped_guard(mutex, &events_lock)
		hlist_del_init(&k->of_module);
	kernel_probe_unregister(k);
}

static void free_probe(struct probe *p)
{
	struct kernel_probe *k = to_kernel_probe(p);

	kernel_probe_unregister(k);
	probe_exit(p);
	kfree(k->symbol);
	kfree(k);
}

unsigned long kernel_probe_missed(const struct kernel_probe *k)
{
	return k->rp.nmissed + k->rp.kp.nmissed;
}

/* ------------------------------------------------------------------ */
/* As it is written							*/

static void place(struct seq_buf *s, const struct probe *p)
{
	const struct kernel_probe *k = to_kernel_probe(p);

	/* Who may read addresses sees them elsewhere. */
	if (!k->symbol)
		seq_buf_printf(s, "0x%p", k->rp.kp.addr);
	else if (k->rp.kp.offset)
		seq_buf_printf(s, "%s+%u", k->symbol, k->rp.kp.offset);
	else
		seq_buf_puts(s, k->symbol);
}

/* While it is registered, what that has made of it. */
static unsigned int instances(const struct probe *p)
{
	const struct kernel_probe *k = to_kernel_probe(p);

	return k->registered && k->returns ? k->rp.maxactive : k->instances;
}

struct probe_kind kprobe_kind = {
	.dyn = {
		.create		= kprobe_create,
		.show		= probe_show,
		.is		= probe_is,
		.is_busy	= probe_is_busy,
		.call		= probe_dyn_call,
		.remove		= probe_dyn_remove,
	},
	.who		= "trace_kprobe",
	.letter		= 'p',
	.system		= "kprobes",
	.flags		= TRACE_EVENT_FL_KPROBE,
	.size		= sizeof(struct kernel_probe),
	.parse		= kprobe_parse,
	.name		= kprobe_name,
	.start		= kprobe_start,
	.stop		= kprobe_stop,
	.finish		= finish,
	.place		= place,
	.instances	= instances,
	.free		= free_probe,
};

/* ------------------------------------------------------------------ */
/* Modules								*/

#ifdef CONFIG_MODULES

/* Those in modules; events_lock. Who loads one need not wait for all that is made and goes. */
static HLIST_HEAD(of_modules);

static bool is_in_module(const struct kernel_probe *k, const struct module *mod)
{
	size_t len = strlen(mod->name);

	return strstarts(k->symbol, mod->name) && k->symbol[len] == ':';
}

static int register_again(struct kernel_probe *k)
{
	kernel_probe_unregister(k);
	return kernel_probe_register(k, probe_event_is_on(k->probe.event));
}

/* What was gone, or never there, is there. */
static void come_back(struct kernel_probe *k, const struct module *mod)
{
	int err = register_again(k);

	if (err)
		pr_warn("%s: cannot be probed in module %s (%d)\n", k->symbol, mod->name, err);
}

static int module_comes(struct notifier_block *nb, unsigned long state, void *data)
{
	const struct module *mod = data;
	struct kernel_probe *k;

	if (state != MODULE_STATE_COMING)
		return NOTIFY_DONE;
	guard(mutex)(&events_lock);
	hlist_for_each_entry(k, &of_modules, of_module)
		if (is_in_module(k, mod))
			come_back(k, mod);
	return NOTIFY_DONE;
}

/* It may have come while nobody told this one of it, or gone, or both; or is still to come. */
void kernel_probe_follow(struct kernel_probe *k)
{
	if (!k->symbol || !strchr(k->symbol, ':'))
		return;
	guard(mutex)(&events_lock);
	hlist_add_head(&k->of_module, &of_modules);
	if (!kernel_probe_is_there(k))
		register_again(k);
}

/* Behind that of kprobes, who know by then what is not to be probed in the module. */
static struct notifier_block module_watch = {
	.notifier_call	= module_comes,
	.priority	= -1,
};

static void watch_modules(void)
{
	register_module_notifier(&module_watch);
}

#else

void kernel_probe_follow(struct kernel_probe *k)
{
}

static void watch_modules(void)
{
}

#endif

void kprobe_kind_setup(void)
{
	dyn_event_kind_add(&kprobe_kind.dyn);
	watch_modules();
}
