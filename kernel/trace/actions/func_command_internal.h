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

struct trace_array;
struct trace_event_file;

/* A count that never ends. */
#define UNLIMITED	(-1L)

/* Which counts a command may have. */
enum command_count {
	COUNT_ANY,	/* the one that was written, if any */
	COUNT_ONE,	/* 1, whatever was written */
	COUNT_NONE,	/* none, whatever was written */
};

/**
 * struct command_target - what a command acts on
 * @tr: an instance
 * @event: an event in it, for commands that name one, or NULL
 */
struct command_target {
	struct trace_array	*tr;
	struct trace_event_file	*event;
};

/**
 * struct command_kind - a row of the table of commands
 * @name: as in set_ftrace_filter
 * @names_event: an event is named behind it
 * @prepare: get what @act needs, before the first function has the command, under
 *	trace_lock; 0 or an errno. May be NULL.
 * @hold: as @prepare, once for each command that there is; under func_command_lock, too
 * @release: undo it. May be NULL.
 * @act: do it; @word is trace_preempt_word() of the function
 * @pending: is there anything to do?
 * @sets_state: doing it twice is the same as doing it once
 * @count: which counts it may have
 */
struct command_kind {
	const char	*name;
	bool		names_event;
	int		(*prepare)(struct trace_array *tr);
	int		(*hold)(const struct command_target *on);
	void		(*release)(const struct command_target *on);
	void		(*act)(const struct command_target *on, unsigned long ip,
			       unsigned int word);
	bool		(*pending)(const struct command_target *on);
	bool		sets_state;
	enum command_count count;
};

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
	struct command_target		on;
	const struct command_kind	*kind;
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

/* The command of that name, or NULL. */
const struct command_kind *func_command_kind(const char *name);

/* The event that "system:event:..." names, for event_file_put(); or NULL. */
struct trace_event_file *func_command_event(struct trace_array *tr, char **param);

/* The callback of every command; ops->private is the struct func_command. */
void func_command_call(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *op, struct ftrace_regs *fregs);

#endif /* _KERNEL_TRACE_FUNC_COMMAND_INTERNAL_H */
