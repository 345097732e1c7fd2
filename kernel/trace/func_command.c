// SPDX-License-Identifier: GPL-2.0
/*
 * Commands on functions.
 *
 * A command of an instance, with a limit or without, is one ops whose filter
 * holds the functions it is on, and a sorted array that finds a function's
 * count.  Readers of the array are the callbacks: any context, preemption off.
 * A change makes a new array; counts stay where they are, so that none is lost.
 */
#include <linux/atomic.h>
#include <linux/bsearch.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "cmdlines.h"
#include "filter.h"
#include "func_command.h"
#include "instance.h"
#include "ip_set.h"
#include "record.h"
#include "stack.h"

#define UNLIMITED	(-1L)

/**
 * struct command_kind - a row of the table of commands
 * @name: as in set_ftrace_filter
 * @act: do it; @word is trace_preempt_word() of the function
 * @pending: is there anything to do?
 * @sets_state: doing it twice is the same as doing it once
 * @once: the count is 1, whatever was written
 */
struct command_kind {
	const char	*name;
	void		(*act)(struct trace_array *tr, unsigned long ip, unsigned int word);
	bool		(*pending)(struct trace_array *tr);
	bool		sets_state;
	bool		once;
};

/* A function that has a command, and how often it will still be carried out. */
struct command_site {
	unsigned long	ip;
	atomic_long_t	*left;
};

struct command_sites {
	unsigned int		nr;
	struct command_site	site[] __counted_by(nr);
};

/* The counts of the functions that one write added. */
struct command_counts {
	struct list_head	list;
	atomic_long_t		left[];
};

struct func_command {
	struct list_head		list;
	struct trace_array		*tr;
	const struct command_kind	*kind;
	bool				limited;
	struct ftrace_ops		ops;
	struct command_sites __rcu	*sites;
	struct list_head		counts;
};

/*
 * Protects the list of commands and all they hold.  Inside trace_lock, outside
 * ftrace_lock.
 */
static DEFINE_MUTEX(func_command_lock);
static LIST_HEAD(func_commands);

/* ------------------------------------------------------------------ */
/* What the commands do							*/

static bool is_off(struct trace_array *tr)
{
	return !tracer_tracing_is_on(tr);
}

static bool is_on(struct trace_array *tr)
{
	return tracer_tracing_is_on(tr);
}

static void do_traceon(struct trace_array *tr, unsigned long ip, unsigned int word)
{
	tracer_tracing_on(tr);
}

static void do_traceoff(struct trace_array *tr, unsigned long ip, unsigned int word)
{
	tracer_tracing_off(tr);
}

static void do_stacktrace(struct trace_array *tr, unsigned long ip, unsigned int word)
{
	trace_stack_record(tr, trace_ctx_full(word), ip, NULL);
}

static void do_dump(struct trace_array *tr, unsigned long ip, unsigned int word)
{
	ftrace_dump(DUMP_ALL);
}

static void do_cpudump(struct trace_array *tr, unsigned long ip, unsigned int word)
{
	ftrace_dump(DUMP_ORIG);
}

static const struct command_kind kinds[] = {
	{ "traceon",	do_traceon,	is_off,	.sets_state = true },
	{ "traceoff",	do_traceoff,	is_on,	.sets_state = true },
	{ "stacktrace",	do_stacktrace,	is_on },
	{ "dump",	do_dump,	NULL,	.once = true },
	{ "cpudump",	do_cpudump,	NULL,	.once = true },
};

/* ------------------------------------------------------------------ */
/* In the traced function						*/

static int compare_site(const void *key, const void *elt)
{
	const struct command_site *site = elt;
	unsigned long ip = *(const unsigned long *)key;

	return ip < site->ip ? -1 : ip > site->ip;
}

static struct command_site *find_site(struct command_sites *sites, unsigned long ip)
{
	if (!sites)
		return NULL;
	return __inline_bsearch(&ip, sites->site, sites->nr,
				sizeof(sites->site[0]), compare_site);
}

/* Several may get here at once with one left: only one of them gets it. */
static bool take_one(atomic_long_t *left)
{
	long old = atomic_long_read(left);

	if (old == UNLIMITED)
		return true;
	do {
		if (!old)
			return false;
	} while (!atomic_long_try_cmpxchg(left, &old, old - 1));
	return true;
}

/*
 * Reach the state first and count then, or two CPUs that do so at once would
 * count twice: the one that finds the lower count also finds the state.
 */
static void reach_state(struct func_command *cmd, unsigned long ip,
			unsigned int word, atomic_long_t *left)
{
	long old = atomic_long_read(left);

	if (!old)
		return;
	/* The count before the state; pairs with the cmpxchg below. */
	smp_rmb();
	if (!cmd->kind->pending(cmd->tr))
		return;
	cmd->kind->act(cmd->tr, ip, word);
	if (old != UNLIMITED)
		atomic_long_cmpxchg(left, old, old - 1);
}

static void run_command(struct func_command *cmd, unsigned long ip,
			unsigned int word)
{
	const struct command_kind *kind = cmd->kind;
	struct command_site *site;

	site = find_site(rcu_dereference_sched(cmd->sites), ip);
	if (!site)
		return;
	if (kind->sets_state) {
		reach_state(cmd, ip, word, site->left);
		return;
	}
	if (kind->pending && !kind->pending(cmd->tr))
		return;
	if (take_one(site->left))
		kind->act(cmd->tr, ip, word);
}

static void func_command_call(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	unsigned int word = trace_preempt_word();
	unsigned int guard;

	preempt_disable_notrace();
	/* The array is freed by RCU; without it, the call is not seen. */
	if (rcu_is_watching() && trace_guard_enter(word, &guard)) {
		run_command(op->private, ip, word);
		trace_guard_exit(guard);
	}
	preempt_enable_notrace();
}

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

static void publish_sites(struct func_command *cmd, struct command_sites *sites)
{
	struct command_sites *old = sites_of(cmd);

	rcu_assign_pointer(cmd->sites, sites);
	if (old) {
		synchronize_rcu();
		kvfree(old);
	}
}

static const struct command_kind *find_kind(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	}
	return NULL;
}

static struct func_command *find_command(struct trace_array *tr,
					 const struct command_kind *kind,
					 bool limited)
{
	struct func_command *cmd;

	list_for_each_entry(cmd, &func_commands, list) {
		if (cmd->tr == tr && cmd->kind == kind && cmd->limited == limited)
			return cmd;
	}
	return NULL;
}

static struct func_command *make_command(struct trace_array *tr,
					 const struct command_kind *kind,
					 bool limited)
{
	struct func_command *cmd = kzalloc(sizeof(*cmd), GFP_KERNEL);

	if (!cmd)
		return NULL;
	if (trace_cmdlines_start()) {
		kfree(cmd);
		return NULL;
	}
	cmd->tr = tr;
	cmd->kind = kind;
	cmd->limited = limited;
	cmd->ops.func = func_command_call;
	cmd->ops.private = cmd;
	INIT_LIST_HEAD(&cmd->counts);
	list_add_tail(&cmd->list, &func_commands);
	return cmd;
}

static void free_command(struct func_command *cmd)
{
	struct command_counts *counts, *next;

	if (cmd->ops.flags & FTRACE_OPS_FL_ENABLED)
		unregister_ftrace_function(&cmd->ops);
	ftrace_free_filter(&cmd->ops);
	publish_sites(cmd, NULL);
	list_for_each_entry_safe(counts, next, &cmd->counts, list)
		kvfree(counts);
	list_del(&cmd->list);
	trace_cmdlines_stop();
	kfree(cmd);
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
		if (!!find_site(sites_of(cmd), set->ips[i]) == has &&
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
		if (n == add->nr || (o < nr_old && old->site[o].ip < add->ips[n])) {
			sites->site[i] = old->site[o++];
			continue;
		}
		sites->site[i].ip = add->ips[n];
		sites->site[i].left = &counts->left[n++];
	}
	return sites;
}

static struct command_sites *minus_sites(struct func_command *cmd,
					 const struct ip_set *del)
{
	struct command_sites *old = sites_of(cmd);
	struct command_sites *sites = alloc_sites(old->nr - del->nr);
	unsigned int n = 0;

	for (unsigned int i = 0; sites && i < old->nr; i++) {
		if (!ip_set_has(del, old->site[i].ip))
			sites->site[n++] = old->site[i];
	}
	return sites;
}

static struct command_counts *add_counts(struct func_command *cmd,
					 unsigned int nr, long count)
{
	struct command_counts *counts;

	counts = kvmalloc(struct_size(counts, left, nr), GFP_KERNEL);
	if (!counts)
		return NULL;
	for (unsigned int i = 0; i < nr; i++)
		atomic_long_set(&counts->left[i], count);
	list_add(&counts->list, &cmd->counts);
	return counts;
}

/* Calls find their count before they come: sites first, then the filter. */
static int attach(struct func_command *cmd, struct ip_set *add, long count)
{
	struct command_counts *counts = add_counts(cmd, add->nr, count);
	struct command_sites *sites;
	int ret;

	if (!counts)
		return -ENOMEM;
	sites = merge_sites(cmd, add, counts);
	if (!sites)
		return -ENOMEM;
	publish_sites(cmd, sites);

	ret = ftrace_set_filter_ips(&cmd->ops, add->ips, add->nr, 0, 0);
	if (!ret && !(cmd->ops.flags & FTRACE_OPS_FL_ENABLED))
		ret = register_ftrace_function(&cmd->ops);
	return ret;
}

static int add_command(struct trace_array *tr, const struct command_kind *kind,
		       bool limited, long count, const struct ip_set *set)
{
	struct func_command *cmd = find_command(tr, kind, limited);
	struct ip_set *add __free(ip_set) = NULL;
	int ret;

	if (!cmd)
		cmd = make_command(tr, kind, limited);
	if (!cmd)
		return -ENOMEM;

	add = common_sites(cmd, set, false);
	if (IS_ERR_OR_NULL(add))
		ret = PTR_ERR(add);
	else
		ret = attach(cmd, add, count);

	if (!(cmd->ops.flags & FTRACE_OPS_FL_ENABLED))
		free_command(cmd);
	return ret;
}

static int remove_command(struct trace_array *tr, const struct command_kind *kind,
			  bool limited, const struct ip_set *set)
{
	struct func_command *cmd = find_command(tr, kind, limited);
	struct ip_set *del __free(ip_set) = NULL;
	struct command_sites *sites;
	int ret;

	if (!cmd)
		return -EINVAL;
	del = common_sites(cmd, set, true);
	if (IS_ERR(del))
		return PTR_ERR(del);
	if (!del)
		return -EINVAL;

	/* An empty filter would let everything through. */
	if (del->nr == nr_sites(cmd)) {
		free_command(cmd);
		return 0;
	}
	sites = minus_sites(cmd, del);
	if (!sites)
		return -ENOMEM;
	ret = ftrace_set_filter_ips(&cmd->ops, del->ips, del->nr, 1, 0);
	if (ret) {
		kvfree(sites);
		return ret;
	}
	publish_sites(cmd, sites);
	return 0;
}

static int parse_count(const struct command_kind *kind, const char *param,
		       long *count)
{
	unsigned long val;
	int ret;

	*count = kind->once ? 1 : UNLIMITED;
	if (kind->once || !param || !*param)
		return 0;
	ret = kstrtoul(param, 0, &val);
	if (!ret)
		*count = val;
	return ret;
}

int func_command_write(struct trace_array *tr, const char *glob,
		       const char *cmd, const char *param)
{
	const struct command_kind *kind = find_kind(cmd);
	struct ip_set *set __free(ip_set) = NULL;
	bool remove = *glob == '!';
	bool limited;
	long count;
	int ret;

	if (!kind)
		return -EINVAL;
	ret = parse_count(kind, param, &count);
	if (ret)
		return ret;
	limited = count != UNLIMITED;

	set = filter_match_sites(glob + remove);
	if (IS_ERR(set))
		return PTR_ERR(set);
	if (!set)
		return -EINVAL;

	guard(mutex)(&func_command_lock);
	if (remove)
		return remove_command(tr, kind, limited, set);
	return add_command(tr, kind, limited, count, set);
}

/* ------------------------------------------------------------------ */
/* Listing								*/

static void show_site(struct seq_file *m, const struct func_command *cmd,
		      const struct command_site *site)
{
	long left = atomic_long_read(site->left);

	seq_printf(m, "%ps:%s:", (void *)site->ip, cmd->kind->name);
	if (left == UNLIMITED)
		seq_puts(m, "unlimited\n");
	else
		seq_printf(m, "count=%ld\n", left);
}

bool func_command_show(struct seq_file *m, struct trace_array *tr, loff_t n)
{
	struct func_command *cmd;

	guard(mutex)(&func_command_lock);
	list_for_each_entry(cmd, &func_commands, list) {
		if (cmd->tr != tr)
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

void func_commands_clear(struct trace_array *tr)
{
	struct func_command *cmd, *next;

	guard(mutex)(&func_command_lock);
	list_for_each_entry_safe(cmd, next, &func_commands, list) {
		if (cmd->tr == tr)
			free_command(cmd);
	}
}
