/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the two files of commands on functions share: func_command.c sets and
 * takes them away, func_command_run.c carries them out.
 */
#ifndef _KERNEL_TRACE_FUNC_COMMAND_INTERNAL_H
#define _KERNEL_TRACE_FUNC_COMMAND_INTERNAL_H

#include <linux/atomic.h>
#include <linux/bsearch.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/types.h>

#include "action.h"

/* The counts of the functions that one write added; freed with the last one. */
struct command_counts {
	unsigned int	used;
	atomic_long_t	left[];
};

/* A function that has a command, and how often it will still be carried out. */
struct command_site {
	unsigned long		ip;
	atomic_long_t		*left;
	struct command_counts	*counts;
};

/* All functions that have a command, by address. */
struct command_sites {
	unsigned int		nr;
	struct command_site	site[] __counted_by(nr);
};

/**
 * struct func_command - a command of an instance, on any number of functions
 * @list: among all commands
 * @on: the instance, and an event which stays
 * @kind: what it does
 * @limited: has counts; a command without is another one
 * @ops: its filter holds the functions
 * @sites: the functions and their counts, by address (RCU)
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

/* The entry of a function, NULL if it has none.  Any context. */
static inline struct command_site *find_command_site(struct command_sites *sites,
						     unsigned long ip)
{
	if (!sites)
		return NULL;
	return __inline_bsearch(&ip, sites->site, sites->nr,
				sizeof(sites->site[0]), compare_command_site);
}

/* The callback of every command; ops->private is the struct func_command. */
void func_command_call(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *op, struct ftrace_regs *fregs);

#endif /* _KERNEL_TRACE_FUNC_COMMAND_INTERNAL_H */
