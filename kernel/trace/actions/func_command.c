// SPDX-License-Identifier: GPL-2.0
/*
 * Adding, removing and listing commands on functions.
 *
 * A command of an instance, limited or not, is one ftrace_ops, whose filter has the functions of
 * the command, and an array sorted by address, which has the count of each function. The
 * callbacks read the array, in any context with preemption off. A change replaces the array; the
 * counts themselves do not move, so no decrement is lost.
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
 * Protects the list of commands and their members. Taken inside trace_lock, outside events_lock
 * and ftrace_lock.
 */
static DEFINE_MUTEX(func_command_lock);
static LIST_HEAD(func_commands);

/* ------------------------------------------------------------------ */
/* Adding and removing commands						*/

static struct command_sites *func_command_sites(struct func_command *cmd)
{
	return rcu_dereference_protected(cmd->sites,
					 lockdep_is_held(&func_command_lock));
}

static unsigned int func_command_nr_sites(struct func_command *cmd)
{
	struct command_sites *sites = func_command_sites(cmd);

	return sites ? sites->nr : 0;
}

/* Replace the array. Return: the old array, which no callback uses any more. */
static struct command_sites *func_command_exchange_sites(struct func_command *cmd,
							 struct command_sites *sites)
{
	struct command_sites *old = func_command_sites(cmd);

	rcu_assign_pointer(cmd->sites, sites);
	synchronize_rcu();
	return old;
}

static void command_counts_put(struct command_counts *counts)
{
	if (!--counts->used)
		kvfree(counts);
}

/* Free the array @old, and the counts of those functions in it that @cmd no longer has. */
static void func_command_drop_sites(struct func_command *cmd, struct command_sites *old)
{
	for (unsigned int i = 0; old && i < old->nr; i++) {
		if (!find_command_site(func_command_sites(cmd), old->site[i].ip))
			command_counts_put(old->site[i].counts);
	}
	kvfree(old);
}

static struct func_command *func_command_find(const struct action_target *on,
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

static struct func_command *func_command_create(const struct action_target *on,
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

/* Create a command that holds the resources of its action until func_command_free(). */
static struct func_command *func_command_create_held(const struct action_target *on,
						     const struct action *kind,
						     bool limited)
{
	int ret = kind->hold ? kind->hold(on) : 0;
	struct func_command *cmd;

	if (ret)
		return ERR_PTR(ret);
	cmd = func_command_create(on, kind, limited);
	if (cmd)
		return cmd;
	if (kind->release)
		kind->release(on);
	return ERR_PTR(-ENOMEM);
}

/*
 * Remove a command from all its functions and free it.
 * Return: 0, or an errno if the ops could not be unregistered: the command is unchanged then.
 */
static int func_command_free(struct func_command *cmd)
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
	func_command_drop_sites(cmd, func_command_exchange_sites(cmd, NULL));
	ftrace_free_filter(&cmd->ops);
	kfree(cmd);
	return 0;
}

static struct command_sites *command_sites_alloc(unsigned int nr)
{
	struct command_sites *sites;

	sites = kvmalloc(struct_size(sites, site, nr), GFP_KERNEL);
	if (sites)
		sites->nr = nr;
	return sites;
}

/* Return: the functions of @set that have @cmd, or with @has false those that do not. */
static struct ip_set *func_command_select_ips(struct func_command *cmd,
					      const struct ip_set *set, bool has)
{
	struct ip_set_builder b = IP_SET_BUILDER_INIT;

	for (unsigned int i = 0; i < set->nr; i++) {
		if (!!find_command_site(func_command_sites(cmd), set->ips[i]) == has &&
		    ip_set_add(&b, set->ips[i])) {
			ip_set_drop(&b);
			return ERR_PTR(-ENOMEM);
		}
	}
	return ip_set_finish(&b);
}

/* Return: an array of the functions of @cmd and of @add; both are sorted and disjoint. */
static struct command_sites *func_command_merge_sites(struct func_command *cmd,
						      const struct ip_set *add,
						      struct command_counts *counts)
{
	struct command_sites *old = func_command_sites(cmd);
	unsigned int nr_old = func_command_nr_sites(cmd), o = 0, n = 0;
	struct command_sites *sites = command_sites_alloc(nr_old + add->nr);

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

/* Return: an array of the functions of @cmd that are in @set, or with @in false are not. */
static struct command_sites *func_command_select_sites(struct func_command *cmd,
						       const struct ip_set *set, bool in)
{
	struct command_sites *old = func_command_sites(cmd);
	struct command_sites *sites = command_sites_alloc(old->nr);
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

static struct command_counts *command_counts_alloc(unsigned int nr, long count)
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

/* Return: the functions still in the filter: the removal of a module removes its functions. */
static struct ip_set *func_command_attached_ips(struct func_command *cmd)
{
	guard(mutex)(&ftrace_lock);
	return ip_set_copy(cmd->ops.filter ? cmd->ops.filter->only.sites : NULL);
}

/* Drop the functions of removed modules: others may have their addresses by now. */
static int func_command_prune(struct func_command *cmd)
{
	struct ip_set *attached __free(ip_set) = func_command_attached_ips(cmd);
	struct command_sites *sites;

	if (IS_ERR(attached))
		return PTR_ERR(attached);
	if (ip_set_size(attached) == func_command_nr_sites(cmd))
		return 0;
	if (!attached)
		return func_command_free(cmd);

	sites = func_command_select_sites(cmd, attached, true);
	if (!sites)
		return -ENOMEM;
	func_command_drop_sites(cmd, func_command_exchange_sites(cmd, sites));
	return 0;
}

static int func_commands_prune(struct trace_array *tr)
{
	struct func_command *cmd, *next;
	int ret;

	list_for_each_entry_safe(cmd, next, &func_commands, list) {
		if (cmd->on.tr != tr)
			continue;
		ret = func_command_prune(cmd);
		if (ret)
			return ret;
	}
	return 0;
}

/* Publish the counts before the filter, so that each callback finds its count. */
static int func_command_attach(struct func_command *cmd, struct ip_set *add, long count)
{
	struct command_counts *counts = command_counts_alloc(add->nr, count);
	struct command_sites *sites, *old;
	int ret;

	if (!counts)
		return -ENOMEM;
	sites = func_command_merge_sites(cmd, add, counts);
	if (!sites) {
		kvfree(counts);
		return -ENOMEM;
	}

	old = func_command_exchange_sites(cmd, sites);
	ret = ftrace_set_filter_ips(&cmd->ops, add->ips, add->nr, 0, 0);
	if (!ret && !(cmd->ops.flags & FTRACE_OPS_FL_ENABLED))
		ret = register_ftrace_function(&cmd->ops);
	if (ret)
		old = func_command_exchange_sites(cmd, old);
	func_command_drop_sites(cmd, old);
	return ret;
}

/* Return: the functions that @glob matches, or ERR_PTR(-EINVAL) if there is none. */
static struct ip_set *func_command_match_glob(const char *glob)
{
	return filter_match_sites(glob) ?: ERR_PTR(-EINVAL);
}

static int func_command_add_ips(struct func_command *cmd, const struct ip_set *set, long count)
{
	struct ip_set *add __free(ip_set) = func_command_select_ips(cmd, set, false);

	if (IS_ERR(add))
		return PTR_ERR(add);
	return add ? func_command_attach(cmd, add, count) : -EINVAL;
}

static int func_command_add(const struct action_target *on, const struct action *kind,
			    bool limited, long count, const char *glob)
{
	struct func_command *cmd = func_command_find(on, kind, limited);
	struct ip_set *set __free(ip_set) = func_command_match_glob(glob);
	int ret;

	if (IS_ERR(set))
		return PTR_ERR(set);
	if (!cmd)
		cmd = func_command_create_held(on, kind, limited);
	if (IS_ERR(cmd))
		return PTR_ERR(cmd);

	ret = kind->prepare ? kind->prepare(on->tr) : 0;
	if (!ret)
		ret = func_command_add_ips(cmd, set, count);
	if (!(cmd->ops.flags & FTRACE_OPS_FL_ENABLED))
		func_command_free(cmd);
	return ret;
}

static int func_command_remove(const struct action_target *on, const struct action *kind,
			       bool limited, const char *glob)
{
	struct func_command *cmd = func_command_find(on, kind, limited);
	struct ip_set *set __free(ip_set) = NULL;
	struct ip_set *del __free(ip_set) = NULL;
	struct command_sites *sites;
	int ret;

	if (!cmd)
		return -ENODEV;
	set = func_command_match_glob(glob);
	if (IS_ERR(set))
		return PTR_ERR(set);
	del = func_command_select_ips(cmd, set, true);
	if (IS_ERR(del))
		return PTR_ERR(del);
	if (!del)
		return -EINVAL;

	if (del->nr == func_command_nr_sites(cmd))
		return func_command_free(cmd);

	sites = func_command_select_sites(cmd, del, false);
	if (!sites)
		return -ENOMEM;
	/*
	 * The functions that remain may have been removed with their module since the last
	 * pruning: the filter must then become one of no function, not of all.
	 */
	ret = filter_remove_ips(&cmd->ops, del->ips, del->nr);
	if (ret) {
		kvfree(sites);
		return ret;
	}
	func_command_drop_sites(cmd, func_command_exchange_sites(cmd, sites));
	return 0;
}

/* To remove a command, its count may be written as it is listed: "count=2" or "unlimited". */
static int func_command_parse_count(const struct action *kind, const char *param, bool remove,
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

static int func_command_apply(const struct action_target *on, const struct action *kind,
			      const char *glob, const char *param)
{
	bool remove = *glob == '!';
	bool limited;
	long count;
	int ret;

	ret = func_command_parse_count(kind, param, remove, &count);
	if (ret)
		return ret;
	limited = count != ACTION_UNLIMITED;

	guard(mutex)(&trace_lock);
	guard(mutex)(&func_command_lock);
	ret = func_commands_prune(on->tr);
	if (ret)
		return ret;
	if (remove)
		return func_command_remove(on, kind, limited, glob + remove);
	return func_command_add(on, kind, limited, count, glob);
}

int func_command_write(struct trace_array *tr, const char *glob, const char *cmd, char *param)
{
	const struct action *kind = action_named(cmd);
	struct action_target on = { .tr = tr };
	int ret;

	if (!kind || kind->events_only)
		return -EINVAL;
	if (!kind->names_event)
		return func_command_apply(&on, kind, glob, param);
	on.event = action_event(tr, &param);
	if (!on.event)
		return -EINVAL;
	if (param && !*param) {
		event_file_put(on.event);
		return -EINVAL;
	}
	ret = func_command_apply(&on, kind, glob, param);
	event_file_put(on.event);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Listing								*/

static void func_command_show_site(struct seq_file *m, const struct func_command *cmd,
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
	/* If this fails, functions of removed modules are listed by their address. */
	if (!n)
		func_commands_prune(tr);
	list_for_each_entry(cmd, &func_commands, list) {
		if (cmd->on.tr != tr)
			continue;
		if (n < func_command_nr_sites(cmd)) {
			if (m)
				func_command_show_site(m, cmd, &func_command_sites(cmd)->site[n]);
			return true;
		}
		n -= func_command_nr_sites(cmd);
	}
	return false;
}

static int func_commands_clear(struct trace_array *tr)
{
	struct func_command *cmd, *next;
	int ret;

	guard(mutex)(&func_command_lock);
	list_for_each_entry_safe(cmd, next, &func_commands, list) {
		if (cmd->on.tr != tr)
			continue;
		ret = func_command_free(cmd);
		if (ret)
			return ret;
	}
	return 0;
}

struct instance_part func_command_part = {
	.release	= func_commands_clear,
};
