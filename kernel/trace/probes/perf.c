// SPDX-License-Identifier: GPL-2.0
/*
 * Probes that perf creates by the PMUs kprobe and uprobe, without a line of text. Their events are
 * not registered, and their records have no arguments.
 */
#include <linux/cleanup.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/namei.h>
#include <linux/perf_event.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "events/events.h"
#include "internal.h"
#include "kprobe.h"
#include "perf/attach.h"
#include "uprobe.h"

/**
 * struct lone_probe - a probe of a perf event, and of the perf events that inherit it
 * @event: unlisted event to which perf attaches
 * @probe: the probe
 * @kind: kind of @probe
 * @users: number of perf events that use the probe
 */
struct lone_probe {
	struct event			event;
	struct probe			*probe;
	const struct probe_kind		*kind;
	refcount_t			users;
};

static struct lone_probe *lone_probe_of(const struct perf_event *event)
{
	return container_of(perf_attached(event), struct lone_probe, event);
}

/* ------------------------------------------------------------------ */
/* Creation and release							*/

static void lone_free(struct lone_probe *lone)
{
	if (lone->probe) {
		if (lone->kind->finish)
			lone->kind->finish(lone->probe);
		probe_event_destroy(lone->probe);
		lone->kind->free(lone->probe);
	}
	kfree(lone);
}

static int lone_fill(struct lone_probe *lone, const char *name, bool returns)
{
	struct probe_spec spec = {
		.kind		= lone->kind,
		.name		= { .system = lone->kind->system, .event = name },
		.returns	= returns,
		.nr_head	= probe_nr_head(returns),
	};
	struct probe *p = lone->probe;

	p->args.len = probe_len_before(returns);
	return probe_event_create(p, &spec) ?: event_init_unlisted(&lone->event, &p->event->call);
}

static int lone_attach_new(struct perf_event *event, struct lone_probe *lone, const char *name,
			   bool returns)
{
	return lone_fill(lone, name, returns) ?: perf_attach(event, &lone->event);
}

/* Share the probe of the parent of an inherited event: the user pointers in attr may be stale. */
static int lone_attach_inherited(struct perf_event *event)
{
	struct lone_probe *lone = lone_probe_of(event->parent);
	int err = perf_attach(event, &lone->event);

	if (!err)
		refcount_inc(&lone->users);
	return err;
}

static struct lone_probe *lone_alloc(const struct probe_kind *kind)
{
	struct lone_probe *lone = kzalloc(sizeof(*lone), GFP_KERNEL);

	if (!lone)
		return NULL;
	refcount_set(&lone->users, 1);
	lone->kind = kind;
	lone->probe = probe_alloc(kind);
	if (lone->probe)
		return lone;
	kfree(lone);
	return NULL;
}

static void lone_detach(struct perf_event *event)
{
	struct lone_probe *lone = lone_probe_of(event);

	perf_detach(event);
	if (refcount_dec_and_test(&lone->users))
		lone_free(lone);
}

/* Copy a user string. Return: the copy, for kfree(); or ERR_PTR(), -E2BIG if it is too long. */
static char *lone_copy_user_text(u64 at, size_t max)
{
	char *text = strndup_user(u64_to_user_ptr(at), max);

	return text == ERR_PTR(-EINVAL) ? ERR_PTR(-E2BIG) : text;
}

/* ------------------------------------------------------------------ */
/* PMU kprobe								*/

#ifdef CONFIG_KPROBE_EVENTS

static int lone_find_symbol(struct kernel_probe *k, const char *symbol)
{
	int nr = kprobe_set_symbol(k, symbol, strlen(symbol));

	if (nr < 0 || nr == 1)
		return min(nr, 0);
	return nr ? -EADDRNOTAVAIL : -ENOENT;
}

static int lone_place_kprobe(struct kernel_probe *k, const char *symbol,
			     const struct perf_event_attr *attr, bool returns)
{
	int err = 0;

	k->returns = returns;
	if (*symbol) {
		if (attr->probe_offset > UINT_MAX)
			return -EINVAL;
		k->rp.kp.offset = attr->probe_offset;
		err = lone_find_symbol(k, symbol);
	} else {
		k->rp.kp.addr = (kprobe_opcode_t *)(unsigned long)attr->kprobe_addr;
	}
	return err ?: kernel_probe_register(k, false);
}

/**
 * perf_kprobe_init - create the probe of kernel code that a perf event asks for
 * @event: perf event; attr.kprobe_func and attr.probe_offset, or attr.kprobe_addr, are the place
 * @is_retprobe: the probe is hit when the function returns
 *
 * Context: may sleep; in fork() with perf's ctx->mutex held; takes events_lock.
 * Return: 0; -E2BIG or -EFAULT if the name of the function cannot be read; -ENOENT if there is no
 * such function; -EADDRNOTAVAIL if there are several; -EINVAL; -ENOMEM; or the errno with which the
 * kernel refuses the probe.
 */
int perf_kprobe_init(struct perf_event *event, bool is_retprobe)
{
	char *symbol __free(kfree) = NULL;
	struct lone_probe *lone;
	int err;

	if (event->parent)
		return lone_attach_inherited(event);
	symbol = event->attr.kprobe_func ?
		 lone_copy_user_text(event->attr.kprobe_func, KSYM_NAME_LEN) :
		 kstrdup("", GFP_KERNEL);
	if (IS_ERR_OR_NULL(symbol))
		return symbol ? PTR_ERR(no_free_ptr(symbol)) : -ENOMEM;
	lone = lone_alloc(&kprobe_kind);
	if (!lone)
		return -ENOMEM;
	err = lone_place_kprobe(to_kernel_probe(lone->probe), symbol, &event->attr, is_retprobe) ?:
	      lone_attach_new(event, lone, *symbol ? symbol : "kprobe", is_retprobe);
	if (err)
		lone_free(lone);
	return err;
}

/**
 * perf_kprobe_destroy - undo a perf_kprobe_init() that succeeded
 * @event: the perf event
 *
 * Context: may sleep.
 */
void perf_kprobe_destroy(struct perf_event *event)
{
	lone_detach(event);
}

#endif

/* ------------------------------------------------------------------ */
/* PMU uprobe								*/

#ifdef CONFIG_UPROBE_EVENTS

static int lone_place_uprobe(struct user_probe *u, const char *path,
			     const struct perf_event_attr *attr)
{
	int err;

	u->offset = attr->probe_offset;
	u->name = kstrdup(path, GFP_KERNEL);
	if (!u->name)
		return -ENOMEM;
	err = kern_path(path, LOOKUP_FOLLOW, &u->path);
	if (err)
		return err;
	return d_is_reg(u->path.dentry) ? 0 : -EINVAL;
}

/**
 * perf_uprobe_init - create the probe of a program that a perf event asks for
 * @event: perf event; attr.uprobe_path and attr.probe_offset are the place
 * @ref_ctr_offset: offset in the file of a counter that is incremented while the probe is on, or 0
 * @is_retprobe: the probe is hit when the function that begins there returns
 *
 * Context: may sleep; in fork() with perf's ctx->mutex held; takes events_lock.
 * Return: 0; -EINVAL if there is no path, or it is not one of a regular file; -E2BIG or -EFAULT if
 * the path cannot be read; the errno of looking it up; -ENOMEM; or the errno with which the kernel
 * refuses the probe.
 */
int perf_uprobe_init(struct perf_event *event, unsigned long ref_ctr_offset, bool is_retprobe)
{
	char *path __free(kfree) = NULL;
	struct lone_probe *lone;
	int err;

	if (event->parent)
		return lone_attach_inherited(event);
	if (!event->attr.uprobe_path)
		return -EINVAL;
	path = lone_copy_user_text(event->attr.uprobe_path, PATH_MAX);
	if (IS_ERR(path))
		return PTR_ERR(no_free_ptr(path));
	lone = *path ? lone_alloc(&uprobe_kind) : ERR_PTR(-EINVAL);
	if (IS_ERR_OR_NULL(lone))
		return lone ? PTR_ERR(lone) : -ENOMEM;
	to_user_probe(lone->probe)->counter = ref_ctr_offset;
	to_user_probe(lone->probe)->returns = is_retprobe;
	err = lone_place_uprobe(to_user_probe(lone->probe), path, &event->attr) ?:
	      lone_attach_new(event, lone, "uprobe", is_retprobe);
	if (err)
		lone_free(lone);
	return err;
}

/**
 * perf_uprobe_destroy - undo a perf_uprobe_init() that succeeded
 * @event: the perf event
 *
 * Context: may sleep.
 */
void perf_uprobe_destroy(struct perf_event *event)
{
	lone_detach(event);
}

#endif
