/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Commands on functions as func_command.c, which adds and removes them, and func_command_run.c,
 * which executes them, share them.
 */
#ifndef _KERNEL_TRACE_FUNC_COMMAND_INTERNAL_H
#define _KERNEL_TRACE_FUNC_COMMAND_INTERNAL_H

#include <linux/atomic.h>
#include <linux/bsearch.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/types.h>

#include "action.h"

/**
 * struct command_counts - the counts of the functions that one write has added
 * @used: number of @left in use; the counts are freed together with the last of them
 * @left: remaining executions for each function, or ACTION_UNLIMITED
 */
struct command_counts {
	unsigned int	used;
	atomic_long_t	left[];
};

/**
 * struct command_site - a function that has a command
 * @ip: address of the call site
 * @left: count of the function, in @counts
 * @counts: memory of the count
 */
struct command_site {
	unsigned long		ip;
	atomic_long_t		*left;
	struct command_counts	*counts;
};

/**
 * struct command_sites - all functions that have a command
 * @nr: number of functions
 * @site: the functions, sorted by address
 */
struct command_sites {
	unsigned int		nr;
	struct command_site	site[] __counted_by(nr);
};

/**
 * struct func_command - a command of an instance, on any number of functions
 * @list: entry in the list of all commands
 * @on: target of the action: the instance, and for some actions an event, which is held
 * @kind: the action
 * @limited: true if the functions have counts; the unlimited command is a different one
 * @ops: ops that calls the command; its filter has the functions
 * @sites: the functions and their counts, sorted by address (RCU)
 */
struct func_command {
	struct list_head		list;
	struct action_target		on;
	const struct action	*kind;
	bool				limited;
	struct ftrace_ops		ops;
	struct command_sites __rcu	*sites;
};

static inline int compare_command_site(const void *key, const void *elt)
{
	const struct command_site *site = elt;
	unsigned long ip = *(const unsigned long *)key;

	return ip < site->ip ? -1 : ip > site->ip;
}

/* Return: the entry of the function at @ip, or NULL. Context: any. */
static inline struct command_site *find_command_site(struct command_sites *sites,
						     unsigned long ip)
{
	if (!sites)
		return NULL;
	return __inline_bsearch(&ip, sites->site, sites->nr,
				sizeof(sites->site[0]), compare_command_site);
}

/**
 * func_command_call - the callback of every command
 * @ip: address of the call site
 * @parent_ip: unused
 * @op: the ops of the command; its private member is the &struct func_command
 * @fregs: unused
 *
 * Context: any, NMI included.
 */
void func_command_call(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *op, struct ftrace_regs *fregs);

#endif /* _KERNEL_TRACE_FUNC_COMMAND_INTERNAL_H */
