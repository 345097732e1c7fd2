// SPDX-License-Identifier: GPL-2.0
/*
 * Probes that perf makes for itself, without a line of text: the PMUs kprobe and uprobe. Their
 * events are in no list, and fetch nothing.
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
 * struct lone_probe - a probe of a perf event, and of those that tasks have inherited
 * @event: what perf counts
 * @probe: the probe
 * @kind: what kind it is of
 * @users: how many perf events
 */
struct lone_probe {
	struct event			event;
	struct probe			*probe;
	const struct probe_kind		*kind;
	refcount_t			users;
};

static struct lone_probe *lone_of(const struct perf_event *event)
{
	return container_of(perf_attached(event), struct lone_probe, event);
}

/* ------------------------------------------------------------------ */
/* Made and gone							*/

static void lone_free(struct lone_probe *lone)
{
	if (lone->probe) {
		if (lone->kind->finish)
			lone->kind->finish(lone->probe);
		probe_event_unmake(lone->probe);
		lone->kind->free(lone->probe);
	}
	kfree(lone);
}

static int lone_fill(struct lone_probe *lone, const char *name, bool returns)
{
	struct probe_made made = {
		.kind		= lone->kind,
		.name		= { .system = lone->kind->system, .event = name },
		.returns	= returns,
		.nr_head	= probe_nr_head(returns),
	};
	struct probe *p = lone->probe;

	p->args.len = probe_len_before(returns);
	return probe_event_make(p, &made) ?: event_init_unlisted(&lone->event, &p->event->call);
}

static int attach_new(struct perf_event *event, struct lone_probe *lone, const char *name,
		      bool returns)
{
	return lone_fill(lone, name, returns) ?: perf_attach(event, &lone->event);
}

/* A task inherits it: what its parent has asked for, and may have forgotten since. */
static int attach_inherited(struct perf_event *event)
{
	struct lone_probe *lone = lone_of(event->parent);
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
	struct lone_probe *lone = lone_of(event);

	perf_detach(event);
	if (refcount_dec_and_test(&lone->users))
		lone_free(lone);
}

/* Return: what the user has written, for kfree(); or ERR_PTR(), -E2BIG if it is too long. */
static char *user_text(u64 at, size_t max)
{
	char *text = strndup_user(u64_to_user_ptr(at), max);

	return text == ERR_PTR(-EINVAL) ? ERR_PTR(-E2BIG) : text;
}

/* ------------------------------------------------------------------ */
/* Of the kernel							*/

#ifdef CONFIG_KPROBE_EVENTS

static int kprobe_find(struct kernel_probe *k, const char *symbol)
{
	int nr = kprobe_set_symbol(k, symbol, strlen(symbol));

	if (nr < 0 || nr == 1)
		return min(nr, 0);
	return nr ? -EADDRNOTAVAIL : -ENOENT;
}

static int kprobe_place(struct kernel_probe *k, const char *symbol,
			const struct perf_event_attr *attr, bool returns)
{
	int err = 0;

	k->returns = returns;
	if (*symbol) {
		if (attr->probe_offset > UINT_MAX)
			return -EINVAL;
		k->rp.kp.offset = attr->probe_offset;
		err = kprobe_find(k, symbol);
	} else {
		k->rp.kp.addr = (kprobe_opcode_t *)(unsigned long)attr->kprobe_addr;
	}
	return err ?: kernel_probe_register(k, false);
}

/**
 * perf_kprobe_init - perf opens a probe of the kernel
 * @event: attr.kprobe_func and .probe_offset say where, or .kprobe_addr
 * @is_retprobe: it is hit when the function returns
 *
 * Context: may sleep; in fork() with perf's ctx->mutex held; takes events_lock.
 * Return: 0; -E2BIG, -EFAULT, -ENOENT, -EADDRNOTAVAIL if there is not one such function; -ENOMEM;
 * or why it cannot be probed.
 */
int perf_kprobe_init(struct perf_event *event, bool is_retprobe)
{
	char *symbol __free(kfree) = NULL;
	struct lone_probe *lone;
	int err;

	if (event->parent)
		return attach_inherited(event);
	symbol = event->attr.kprobe_func ? user_text(event->attr.kprobe_func, KSYM_NAME_LEN) :
					   kstrdup("", GFP_KERNEL);
	if (IS_ERR_OR_NULL(symbol))
		return symbol ? PTR_ERR(no_free_ptr(symbol)) : -ENOMEM;
	lone = lone_alloc(&kprobe_kind);
	if (!lone)
		return -ENOMEM;
	err = kprobe_place(to_kernel_probe(lone->probe), symbol, &event->attr, is_retprobe) ?:
	      attach_new(event, lone, *symbol ? symbol : "kprobe", is_retprobe);
	if (err)
		lone_free(lone);
	return err;
}

/* The end of a perf_kprobe_init() that succeeded. Context: may sleep. */
void perf_kprobe_destroy(struct perf_event *event)
{
	lone_detach(event);
}

#endif

/* ------------------------------------------------------------------ */
/* Of programs								*/

#ifdef CONFIG_UPROBE_EVENTS

static int uprobe_place(struct user_probe *u, const char *path, const struct perf_event_attr *attr)
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
 * perf_uprobe_init - perf opens a probe of a program
 * @event: attr.uprobe_path and .probe_offset say where
 * @ref_ctr_offset: where in the file a counter is that is higher meanwhile, or 0
 * @is_retprobe: it is hit when the function returns that begins there
 *
 * Context: may sleep; in fork() with perf's ctx->mutex held; takes events_lock.
 * Return: 0; -EINVAL, -E2BIG, -EFAULT, or why there is no such file; -ENOMEM; or why it cannot be
 * probed.
 */
int perf_uprobe_init(struct perf_event *event, unsigned long ref_ctr_offset, bool is_retprobe)
{
	char *path __free(kfree) = NULL;
	struct lone_probe *lone;
	int err;

	if (event->parent)
		return attach_inherited(event);
	if (!event->attr.uprobe_path)
		return -EINVAL;
	path = user_text(event->attr.uprobe_path, PATH_MAX);
	if (IS_ERR(path))
		return PTR_ERR(no_free_ptr(path));
	lone = *path ? lone_alloc(&uprobe_kind) : ERR_PTR(-EINVAL);
	if (IS_ERR_OR_NULL(lone))
		return lone ? PTR_ERR(lone) : -ENOMEM;
	to_user_probe(lone->probe)->counter = ref_ctr_offset;
	to_user_probe(lone->probe)->returns = is_retprobe;
	err = uprobe_place(to_user_probe(lone->probe), path, &event->attr) ?:
	      attach_new(event, lone, "uprobe", is_retprobe);
	if (err)
		lone_free(lone);
	return err;
}

/* The end of a perf_uprobe_init() that succeeded. Context: may sleep. */
void perf_uprobe_destroy(struct perf_event *event)
{
	lone_detach(event);
}

#endif
