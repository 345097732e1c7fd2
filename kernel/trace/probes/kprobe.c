// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of kernel code, on kprobes and kretprobes.
 *
 * A probe is registered when it is created, so that places that cannot be probed are refused; it is
 * armed only while its event is on. A probe in a module is lost when the module is unloaded, and is
 * registered again when the module is loaded again.
 */
#define pr_fmt(fmt) "trace probes: " fmt

#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/ptrace.h>
#include <linux/security.h>
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

/* Entry of a function with a return probe: save the arguments that are fetched at the return. */
static int kretprobe_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct kretprobe *rp = get_kretprobe(ri);
	const struct kernel_probe *k;

	/* The kretprobe is being unregistered. */
	if (!rp)
		return 0;
	k = kernel_probe_of(rp);
	fetch_save_args((unsigned long *)ri->data, k->kept, k->nr_kept, regs);
	return 0;
}

NOKPROBE_SYMBOL(kretprobe_entry);

static int kretprobe_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct kretprobe *rp = get_kretprobe(ri);

	/* The kretprobe is being unregistered. */
	if (!rp)
		return 0;
	/*
	 * With several return probes on a call, all but one have saved the trampoline as the return
	 * address. The address in @regs is the real one.
	 */
	probe_hit(&kernel_probe_of(rp)->probe, regs, ri->data, (unsigned long)rp->kp.addr,
		  instruction_pointer(regs));
	return 0;
}

NOKPROBE_SYMBOL(kretprobe_return);

/* ------------------------------------------------------------------ */
/* Places that can be probed						*/

#if defined(CONFIG_FTRACE_MCOUNT_RECORD) && !defined(CONFIG_KPROBE_EVENTS_ON_NOTRACE)

/* True if the function at @at has a call site, or if register_kprobe() will refuse @at anyway. */
static bool kprobe_address_is_traced(unsigned long at)
{
	unsigned long size, offset;

	return !kallsyms_lookup_size_offset(at, &size, &offset) || !size ||
	       ftrace_location_range(at - offset, at - offset + size - 1);
}

/* A part of a function (NAME.cold) has no call site of its own: look for that of the function. */
static bool kprobe_parent_is_traced(unsigned long at)
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
	return whole && kprobe_address_is_traced(whole);
}

/* Functions that are not traced may be part of making records: a probe there could recurse. */
static bool kprobe_is_allowed(const struct kprobe *kp)
{
	unsigned long at = (unsigned long)kp->addr;

	if (kp->symbol_name)
		at = kallsyms_lookup_name(kp->symbol_name);
	/* register_kprobe() returns the errno for an unknown symbol. */
	if (!at)
		return true;
	at += kp->offset;
	if (kprobe_address_is_traced(at) || kprobe_parent_is_traced(at))
		return true;
	/* Name the function at the address: the offset may lead out of the one the user named. */
	pr_warn("%ps is not traced, and cannot be probed\n", (void *)at);
	return false;
}

#else

static bool kprobe_is_allowed(const struct kprobe *kp) { return true; }

#endif

/* ------------------------------------------------------------------ */
/* Registration								*/

/* A probe that is being created has no event yet. */
static bool kernel_probe_has_programs(const struct kernel_probe *k)
{
	return IS_ENABLED(CONFIG_BPF_EVENTS) && k->probe.event && k->probe.event->has_programs;
}

static kprobe_pre_handler_t kprobe_choose_handler(const struct kernel_probe *k)
{
	if (!kernel_probe_has_programs(k))
		return kprobe_entry;
	return k->probe.event->overridable ? kprobe_entry_overridable : kprobe_entry_programs;
}

/* The probe may be hit meanwhile. */
void kprobe_set_handlers(struct probe *p)
{
	struct kernel_probe *k = to_kernel_probe(p);

	/*
	 * Store &probe_event.programs, which the handlers of programs need, before the handler.
	 * Pairs with smp_rmb() in kernel_probe_run_programs().
	 */
	smp_wmb();
	if (!k->returns)
		WRITE_ONCE(k->rp.kp.pre_handler, kprobe_choose_handler(k));
	else
		WRITE_ONCE(k->rp.handler, kernel_probe_has_programs(k) ?
					  kretprobe_return_programs : kretprobe_return);
}

static void kernel_probe_init_handlers(struct kernel_probe *k)
{
	kprobe_set_handlers(&k->probe);
	if (!k->returns)
		return;
	k->rp.entry_handler = k->nr_kept ? kretprobe_entry : NULL;
	k->rp.data_size = k->nr_kept * sizeof(long);
	k->rp.maxactive = k->instances;
}

int kernel_probe_register(struct kernel_probe *k, bool armed)
{
	struct kprobe *kp = &k->rp.kp;
	int err = security_locked_down(LOCKDOWN_KPROBES);

	if (err)
		return err;
	/*
	 * register_kprobe() adds &kprobe.offset to &kprobe.addr. If it has done so before, begin
	 * at the symbol again.
	 */
	if (k->start)
		kp->addr = (kprobe_opcode_t *)k->start;
	if (!kprobe_is_allowed(kp))
		return -EINVAL;
	if (fetch_resolve(&k->probe.args))
		return -ENOENT;
	kernel_probe_init_handlers(k);
	kp->flags = armed ? 0 : KPROBE_FLAG_DISABLED;
	err = k->returns ? register_kretprobe(&k->rp) : register_kprobe(kp);
	k->registered = !err;
	/* Discard the address that the kernel has looked up, so that it can be looked up again. */
	if (err && kp->symbol_name)
		kp->addr = NULL;
	return err;
}

/* Clears the lists of the kprobe, too, so that it can be registered again. */
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

bool kernel_probe_is_alive(const struct kernel_probe *k)
{
	return k->registered && !kprobe_gone((struct kprobe *)&k->rp.kp);
}

void kprobe_finish(struct probe *p)
{
	struct kernel_probe *k = to_kernel_probe(p);

	scoped_guard(mutex, &events_lock)
		hlist_del_init(&k->module_node);
	kernel_probe_unregister(k);
}

void kprobe_free(struct probe *p)
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
/* Modules								*/

#ifdef CONFIG_MODULES

/*
 * Probes in modules. Protected by events_lock, not dyn_events_lock, so that loading a module does
 * not wait for the creation and removal of probes.
 */
static HLIST_HEAD(module_kprobes);

static bool kprobe_is_in_module(const struct kernel_probe *k, const struct module *mod)
{
	size_t len = strlen(mod->name);

	return strstarts(k->symbol, mod->name) && k->symbol[len] == ':';
}

static int kprobe_reregister(struct kernel_probe *k)
{
	kernel_probe_unregister(k);
	return kernel_probe_register(k, probe_event_is_on(k->probe.event));
}

/* The module of a probe has been loaded: register the probe there. */
static void kprobe_module_loaded(struct kernel_probe *k, const struct module *mod)
{
	int err = kprobe_reregister(k);

	if (err)
		pr_warn("%s: cannot be probed in module %s (%d)\n", k->symbol, mod->name, err);
}

static int kprobe_module_notify(struct notifier_block *nb, unsigned long state, void *data)
{
	const struct module *mod = data;
	struct kernel_probe *k;

	if (state != MODULE_STATE_COMING)
		return NOTIFY_DONE;
	guard(mutex)(&events_lock);
	hlist_for_each_entry(k, &module_kprobes, module_node)
		if (kprobe_is_in_module(k, mod))
			kprobe_module_loaded(k, mod);
	return NOTIFY_DONE;
}

/*
 * The module may have been loaded or unloaded since the probe was registered, when no notifier knew
 * of it: register again if the probe is not there.
 */
void kernel_probe_follow(struct kernel_probe *k)
{
	if (!k->symbol || !strchr(k->symbol, ':'))
		return;
	guard(mutex)(&events_lock);
	hlist_add_head(&k->module_node, &module_kprobes);
	if (!kernel_probe_is_alive(k))
		kprobe_reregister(k);
}

/*
 * Runs after the notifier of kprobes, which puts the functions of the module that must not be
 * probed on the blacklist.
 */
static struct notifier_block kprobe_event_module_nb = {
	.notifier_call	= kprobe_module_notify,
	.priority	= -1,
};

static int __init kprobe_watch_modules(void)
{
	return register_module_notifier(&kprobe_event_module_nb);
}
core_initcall(kprobe_watch_modules);

#else

void kernel_probe_follow(struct kernel_probe *k)
{
}

#endif
