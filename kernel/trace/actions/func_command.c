// SPDX-License-Identifier: GPL-2.0
/*
 * Commands on functions, set and taken away.
 *
 * A command of an instance, with a limit or without, is one ops whose filter
 * holds the functions it is on, and a sorted array that finds a function's
 * count.  Readers of the array are the callbacks: any context, preemption off.
 * A change makes a new array; counts stay where they are, so that none is lost.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "events/events.h"
#include "filter/word.h"
#include "func_command.h"
#include "func_command_internal.h"
#include "instance/instance.h"
#include "instance/part.h"
#include "ops/edit.h"
#include "sites/ip_set.h"
#include "sites/sites.h"
#include "tasks/cmdlines.h"

/*
 * Protects the list of commands and all they hold.  Inside trace_lock, outside
 * events_lock and ftrace_lock.
 */
static DEFINE_MUTEX(func_command_lock);
static LIST_HEAD(func_commands);

/* ------------------------------------------------------------------ */
/* Commands come and go							*/

static struct command_sites *sites_of(struct func_command *cmd)
{
	return rcu_dereference_protected(cmd->sites,
					 lockdep_is_held(&func_command_lock));
}

static unsigned int nr_sites(struct func_command *cmd)
{
	struct command_sites *sites = sites_of(cmd);

	return sites ? sites->nr : 0;
}

/* Return: the array that was there; no callback looks at it any more. */
static struct command_sites *exchange_sites(struct func_command *cmd,
					    struct command_sites *sites)
{
	struct command_sites *old = sites_of(cmd);

	rcu_assign_pointer(cmd->sites, sites);
	synchronize_rcu();
	return old;
}

static void put_counts(struct command_counts *counts)
{
	if (!--counts->used)
		kvfree(counts);
}

/* Free @old, and the counts of those of it that @cmd no longer has. */
static void drop_sites(struct func_command *cmd, struct command_sites *old)
{
	for (unsigned int i = 0; old && i < old->nr; i++) {
		if (!find_command_site(sites_of(cmd), old->site[i].ip))
			put_counts(old->site[i].counts);
	}
	kvfree(old);
}

static struct func_command *find_command(const struct action_target *on,
					 const struct action *kind,
					 bool limited)
{
	struct func_command *cmd;

	list_for_each_entry(cmd, &func_commands, list) {
		if (cmd->on.tr == on->tr && cmd->on.event == on->event &&
		    cmd->kind == kind && cmd->limited == limited)
			return cmd;
	}
	return NULL;
}

static struct func_command *make_command(const struct action_target *on,
					 const struct action *kind,
					 bool limited)
{
	struct func_command *cmd = kzalloc(sizeof(*cmd), GFP_KERNEL);

	if (!cmd)
		return NULL;
	if (trace_cmdlines_start()) {
		kfree(cmd);
		return NULL;
	}
	cmd->on = *on;
	cmd->kind = kind;
	cmd->limited = limited;
	cmd->ops.func = func_command_call;
	cmd->ops.flags = FTRACE_OPS_FL_ARGS_ONLY;
	cmd->ops.private = cmd;
	list_add_tail(&cmd->list, &func_commands);
	return cmd;
}

/* Make a command that holds what it needs until free_command(). */
static struct func_command *hold_command(const struct action_target *on,
					 const struct action *kind,
					 bool limited)
{
	int ret = kind->hold ? kind->hold(on) : 0;
	struct func_command *cmd;

	if (ret)
		return ERR_PTR(ret);
	cmd = make_command(on, kind, limited);
	if (cmd)
		return cmd;
	if (kind->release)
		kind->release(on);
	return ERR_PTR(-ENOMEM);
}

/*
 * Take a command away altogether.
 *
 * Return: 0, or why it could not be detached: then it is as before.
 */
static int free_command(struct func_command *cmd)
{
	int ret = 0;

	if (cmd->ops.flags & FTRACE_OPS_FL_ENABLED)
		ret = unregister_ftrace_function(&cmd->ops);
	if (cmd->ops.flags & FTRACE_OPS_FL_ENABLED)
		return ret;

	list_del(&cmd->list);
	if (cmd->kind->release)
		cmd->kind->release(&cmd->on);
	trace_cmdlines_stop();
	drop_sites(cmd, exchange_sites(cmd, NULL));
	ftrace_free_filter(&cmd->ops);
	kfree(cmd);
	return 0;
}

static struct command_sites *alloc_sites(unsigned int nr)
{
	struct command_sites *sites;

	sites = kvmalloc(struct_size(sites, site, nr), GFP_KERNEL);
	if (sites)
		sites->nr = nr;
	return sites;
}

/* The functions of @set that @cmd is (or is not) on. */
static struct ip_set *common_sites(struct func_command *cmd,
				   const struct ip_set *set, bool has)
{
	struct ip_set_builder b = IP_SET_BUILDER_INIT;

	for (unsigned int i = 0; i < set->nr; i++) {
		if (!!find_command_site(sites_of(cmd), set->ips[i]) == has &&
		    ip_set_add(&b, set->ips[i])) {
			ip_set_drop(&b);
			return ERR_PTR(-ENOMEM);
		}
	}
	return ip_set_finish(&b);
}

/* What @cmd has and the new ones; both are sorted and have nothing in common. */
static struct command_sites *merge_sites(struct func_command *cmd,
					 const struct ip_set *add,
					 struct command_counts *counts)
{
	struct command_sites *old = sites_of(cmd);
	unsigned int nr_old = nr_sites(cmd), o = 0, n = 0;
	struct command_sites *sites = alloc_sites(nr_old + add->nr);

	if (!sites)
		return NULL;
	for (unsigned int i = 0; i < sites->nr; i++) {
		struct command_site *site = &sites->site[i];

		if (n == add->nr || (o < nr_old && old->site[o].ip < add->ips[n])) {
			*site = old->site[o++];
			continue;
		}
		site->ip = add->ips[n];
		site->left = &counts->left[n++];
		site->counts = counts;
	}
	return sites;
}

/* Those that @cmd has and that are, or are not, in @set. */
static struct command_sites *select_sites(struct func_command *cmd,
					  const struct ip_set *set, bool in)
{
	struct command_sites *old = sites_of(cmd);
	struct command_sites *sites = alloc_sites(old->nr);
	unsigned int n = 0;

	if (!sites)
		return NULL;
	for (unsigned int i = 0; i < old->nr; i++) {
		if (ip_set_has(set, old->site[i].ip) == in)
			sites->site[n++] = old->site[i];
	}
	sites->nr = n;
	return sites;
}

static struct command_counts *alloc_counts(unsigned int nr, long count)
{
	struct command_counts *counts;

	counts = kvmalloc(struct_size(counts, left, nr), GFP_KERNEL);
	if (!counts)
		return NULL;
	counts->used = nr;
	for (unsigned int i = 0; i < nr; i++)
		atomic_long_set(&counts->left[i], count);
	return counts;
}

/* The functions that are really attached: those of a module go with it. */
static struct ip_set *attached_sites(struct func_command *cmd)
{
	guard(mutex)(&ftrace_lock);
	return ip_set_copy(cmd->ops.filter ? cmd->ops.filter->only.sites : NULL);
}

/*
 * Forget functions whose module is gone: their addresses may belong to others
 * by now.
 */
static int prune_command(struct func_command *cmd)
{
	struct ip_set *attached __free(ip_set) = attached_sites(cmd);
	struct command_sites *sites;

	if (IS_ERR(attached))
		return PTR_ERR(attached);
	if (ip_set_size(attached) == nr_sites(cmd))
		return 0;
	if (!attached)
		return free_command(cmd);

	sites = select_sites(cmd, attached, true);
	if (!sites)
		return -ENOMEM;
	drop_sites(cmd, exchange_sites(cmd, sites));
	return 0;
}

static int prune_commands(struct trace_array *tr)
{
	struct func_command *cmd, *next;
	int ret;

	list_for_each_entry_safe(cmd, next, &func_commands, list) {
		if (cmd->on.tr != tr)
			continue;
		ret = prune_command(cmd);
		if (ret)
			return ret;
	}
	return 0;
}

/* Calls find their count before they come: sites first, then the filter. */
static int attach(struct func_command *cmd, struct ip_set *add, long count)
{
	struct command_counts *counts = alloc_counts(add->nr, count);
	struct command_sites *sites, *old;
	int ret;

	if (!counts)
		return -ENOMEM;
	sites = merge_sites(cmd, add, counts);
	if (!sites) {
		kvfree(counts);
		return -ENOMEM;
	}

	old = exchange_sites(cmd, sites);
	ret = ftrace_set_filter_ips(&cmd->ops, add->ips, add->nr, 0, 0);
	if (!ret && !(cmd->ops.flags & FTRACE_OPS_FL_ENABLED))
		ret = register_ftrace_function(&cmd->ops);
	if (ret)
		old = exchange_sites(cmd, old);
	drop_sites(cmd, old);
	return ret;
}

/* The functions that a word names; there is at least one. */
static struct ip_set *named_sites(const char *glob)
{
	return filter_match_sites(glob) ?: ERR_PTR(-EINVAL);
}

static int add_sites(struct func_command *cmd, const struct ip_set *set, long count)
{
	struct ip_set *add __free(ip_set) = common_sites(cmd, set, false);

	if (IS_ERR(add))
		return PTR_ERR(add);
	return add ? attach(cmd, add, count) : -EINVAL;
}

static int add_command(const struct action_target *on, const struct action *kind,
		       bool limited, long count, const char *glob)
{
	struct func_command *cmd = find_command(on, kind, limited);
	struct ip_set *set __free(ip_set) = named_sites(glob);
	int ret;

	if (IS_ERR(set))
		return PTR_ERR(set);
	if (!cmd)
		cmd = hold_command(on, kind, limited);
	if (IS_ERR(cmd))
		return PTR_ERR(cmd);

	ret = kind->prepare ? kind->prepare(on->tr) : 0;
	if (!ret)
		ret = add_sites(cmd, set, count);
	if (!(cmd->ops.flags & FTRACE_OPS_FL_ENABLED))
		free_command(cmd);
	return ret;
}

static int remove_command(const struct action_target *on, const struct action *kind,
			  bool limited, const char *glob)
{
	struct func_command *cmd = find_command(on, kind, limited);
	struct ip_set *set __free(ip_set) = NULL;
	struct ip_set *del __free(ip_set) = NULL;
	struct command_sites *sites;
	int ret;

	if (!cmd)
		return -ENODEV;
	set = named_sites(glob);
	if (IS_ERR(set))
		return PTR_ERR(set);
	del = common_sites(cmd, set, true);
	if (IS_ERR(del))
		return PTR_ERR(del);
	if (!del)
		return -EINVAL;

	if (del->nr == nr_sites(cmd))
		return free_command(cmd);

	sites = select_sites(cmd, del, false);
	if (!sites)
		return -ENOMEM;
	/* The others may have gone with their module since: not all, then, but none. */
	ret = filter_remove_ips(&cmd->ops, del->ips, del->nr);
	if (ret) {
		kvfree(sites);
		return ret;
	}
	drop_sites(cmd, exchange_sites(cmd, sites));
	return 0;
}

/* What is taken away may be named as it is listed: "count=2", or "unlimited". */
static int parse_count(const struct action *kind, const char *param, bool remove,
		       long *count)
{
	unsigned long val;

	*count = kind->count == COUNT_ONE ? 1 : ACTION_UNLIMITED;
	if (kind->count != COUNT_ANY || !param || !*param)
		return 0;
	if (remove && !strcmp(param, "unlimited"))
		return 0;
	if (remove && strstarts(param, "count="))
		param += strlen("count=");
	if (kstrtoul(param, 0, &val) || val > LONG_MAX)
		return -EINVAL;
	*count = val;
	return 0;
}

static int write_command(const struct action_target *on, const struct action *kind,
			 const char *glob, const char *param)
{
	bool remove = *glob == '!';
	bool limited;
	long count;
	int ret;

	ret = parse_count(kind, param, remove, &count);
	if (ret)
		return ret;
	limited = count != ACTION_UNLIMITED;

	guard(mutex)(&trace_lock);
	guard(mutex)(&func_command_lock);
	ret = prune_commands(on->tr);
	if (ret)
		return ret;
	if (remove)
		return remove_command(on, kind, limited, glob + remove);
	return add_command(on, kind, limited, count, glob);
}

int func_command_write(struct trace_array *tr, const char *glob, const char *cmd, char *param)
{
	const struct action *kind = action_named(cmd);
	struct action_target on = { .tr = tr };
	int ret;

	if (!kind || kind->of_events_alone)
		return -EINVAL;
	if (!kind->names_event)
		return write_command(&on, kind, glob, param);
	on.event = action_event(tr, &param);
	if (!on.event)
		return -EINVAL;
	if (param && !*param) {
		event_file_put(on.event);
		return -EINVAL;
	}
	ret = write_command(&on, kind, glob, param);
	event_file_put(on.event);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Listing								*/

static void show_site(struct seq_file *m, const struct func_command *cmd,
		      const struct command_site *site)
{
	long left = atomic_long_read(site->left);

	seq_printf(m, "%ps:%s:", (void *)site->ip, cmd->kind->name);
	action_show_event(m, &cmd->on);
	if (left == ACTION_UNLIMITED)
		seq_puts(m, "unlimited\n");
	else
		seq_printf(m, "count=%ld\n", left);
}

bool func_command_show(struct seq_file *m, struct trace_array *tr, loff_t n)
{
	struct func_command *cmd;

	guard(mutex)(&func_command_lock);
	/* Without memory, those of modules that are gone are listed by address. */
	if (!n)
		prune_commands(tr);
	list_for_each_entry(cmd, &func_commands, list) {
		if (cmd->on.tr != tr)
			continue;
		if (n < nr_sites(cmd)) {
			if (m)
				show_site(m, cmd, &sites_of(cmd)->site[n]);
			return true;
		}
		n -= nr_sites(cmd);
	}
	return false;
}

static int clear(struct trace_array *tr)
{
	struct func_command *cmd, *next;
	int ret;

	guard(mutex)(&func_command_lock);
	list_for_each_entry_safe(cmd, next, &func_commands, list) {
		if (cmd->on.tr != tr)
			continue;
		ret = free_command(cmd);
		if (ret)
			return ret;
	}
	return 0;
}

struct instance_part func_command_part = {
	.let_go	= clear,
};
