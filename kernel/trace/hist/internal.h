/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histograms, and declarations that the files of hist/ share. The parts of a histogram have headers
 * of their own: fields.h, modifier.h, expr.h for expressions, vars.h for variables, action.h for
 * actions, layout.h for the rows of its table. The text of a histogram that is being written is in
 * text.h, its errors are in errors.h.
 *
 * Parsing: text.c parses a trigger, fields.c its fields, modifier.c their modifiers, expr.c its
 * expressions, var_text.c its variables, action_text.c its actions. Setup: trigger.c attaches and
 * detaches histograms, vars.c links variables and references to them, action_resolve.c resolves and
 * frees actions, type.c compares types, layout.c lays rows out. Hits: hit.c counts, value.c reads
 * fields, action_run.c runs actions, pad.c provides scratch memory, peak.c takes snapshots, poll.c
 * wakes pollers. Output: show.c prints the trigger and the counts. Files: file.c is the file hist,
 * debug.c the file hist_debug, which shows the inner structure.
 */
#ifndef _KERNEL_TRACE_HIST_INTERNAL_H
#define _KERNEL_TRACE_HIST_INTERNAL_H

#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "fields.h"
#include "table/table.h"
#include "triggers/kind.h"
#include "vars.h"

struct hist_action;
struct hist_peak;
struct hist_text;
struct seq_file;
struct trace_node;

/* Limits of a histogram trigger, the same as those of the stock kernel. */
#define HIST_KEYS_MAX	3
#define HIST_VALS_MAX	2
#define HIST_SORTS_MAX	2
#define HIST_ACTIONS_MAX 8

/* Number of rows of a table: the default, and the least that size= accepts. */
#define HIST_ROWS	2048U
#define HIST_ROWS_MIN	128U

/* Bytes of the longest key. */
#define HIST_KEY_MAX	(HIST_TEXT_SIZE + HIST_STACK_SIZE)

/**
 * struct hist_sort - a sort criterion for rows
 * @by: key or value to sort by; NULL for the hit count
 * @descending: highest first
 */
struct hist_sort {
	const struct hist_field	*by;
	bool			descending;
};

/**
 * struct hist_counts - counts of one histogram, or of all those with the same name
 * @table: rows; replaced by an empty one when the counts are cleared (RCU)
 * @name: name by which triggers share the counts, or NULL
 * @users: every &struct hist that counts here
 * @node: entry in the list of all counts that have a name
 *
 * Protected by events_lock; hits read @table under RCU.
 */
struct hist_counts {
	struct table __rcu	*table;
	char			*name;
	struct list_head	users;
	struct list_head	node;
};

/**
 * struct hist - a histogram trigger
 * @t: the trigger
 * @file: event in the instance that the trigger is on
 * @paused: hits are ignored
 * @more: HIST_MORE_*: work of a hit that the fast path of hist_hit() does not do
 * @unusual: @paused and @more as one word; 0 selects the fast path of hist_hit()
 * @nr_keys: number of @keys
 * @nr_vals: number of @vals
 * @key_size: bytes of a key; a multiple of 8
 * @wants_comm: a row keeps the name of the task of its first hit, behind the key
 * @keys: fields that make up the key
 * @vals: fields that are added up, or whose minimum or maximum is kept
 * @nr_vars: number of @vars
 * @nr_refs: number of @refs
 * @vars: variables that each hit sets
 * @refs: variables of other histograms that a hit reads
 * @refs_to_vars: every &struct hist_ref of another histogram to @vars; events_lock
 * @with_vars: entry in the list of all histograms that have variables; events_lock
 * @counts: where the hits are counted; NULL until the trigger is attached
 * @user: entry in &hist_counts.users
 * @polled: a task waits in poll() of the event's file hist; events_lock
 * @nr_words: words of a row behind its hit count: values, variables, and what actions keep
 * @mark_slot: index of the word of a row with a bit for each variable that is set
 * @nr_actions: number of @actions
 * @actions: actions that a hit may run
 * @has_pads: the histogram holds a hist_scratch_get()
 * @peak: value and key that caused the latest snapshot, or NULL without such an action; see peak.c
 * @made: histograms that were created for @actions, by &hist.made_node; events_lock
 * @made_node: entry in @made of the histogram for which this one was created; events_lock
 * @nr_sorts: number of @sorts
 * @sorts: sort criteria of the output, the most significant first
 * @max_rows: maximum number of rows of the table
 * @no_hits: do not show hit counts
 * @times: a field needs the time of the hit
 * @clock: name of the clock for that time; NULL for the default
 * @name: name under which triggers share their counts, or NULL
 * @text: text that describes the histogram, from hist_parse_trigger() to hist_attach(); then NULL
 */
struct hist {
	struct trigger		t;
	struct trace_event_file	*file;
	union {
		struct {
			bool	paused;
			u8	more;
		};
		u16		unusual;
	};
	unsigned int		nr_keys;
	unsigned int		nr_vals;
	unsigned int		key_size;
	bool			wants_comm;
	struct hist_field	keys[HIST_KEYS_MAX];
	struct hist_field	vals[HIST_VALS_MAX];
	unsigned int		nr_vars;
	unsigned int		nr_refs;
	struct hist_var		vars[HIST_VARS_MAX];
	struct hist_ref		refs[HIST_REFS_MAX];
	struct list_head	refs_to_vars;
	struct list_head	with_vars;
	struct hist_counts	*counts;
	struct list_head	user;
	bool			polled;
	unsigned int		nr_words;
	unsigned int		mark_slot;
	unsigned int		nr_actions;
	struct hist_action	*actions[HIST_ACTIONS_MAX];
	bool			has_pads;
	struct hist_peak	*peak;
	struct list_head	made;
	struct list_head	made_node;

	unsigned int		nr_sorts;
	struct hist_sort	sorts[HIST_SORTS_MAX];
	unsigned int		max_rows;
	bool			no_hits;
	bool			times;
	char			*clock;
	char			*name;
	struct hist_text	*text;
};

/* Words of the longest key that hist_hit() gathers in its own stack frame. */
#define HIST_KEY_WORDS_FAST	4U

/* Values of &hist.more. */
#define HIST_MORE_COUNT	BIT(0)	/* there are variables, references or actions */
#define HIST_MORE_WAKE	BIT(1)	/* a task waits in poll() */
#define HIST_MORE_KEY	BIT(2)	/* key longer than HIST_KEY_WORDS_FAST, or comm is kept */

/* The histogram of a trigger of kind "hist". */
static inline struct hist *hist_of(struct trigger *t)
{
	return container_of(t, struct hist, t);
}

/**
 * hist_replace_text - replace a string by a copy of another one
 * @to: string to replace, which is freed; NULL afterwards if there is no memory
 * @text: string to copy
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
static inline int hist_replace_text(char **to, const char *text)
{
	kfree(*to);
	*to = kstrdup(text, GFP_KERNEL);
	return *to ? 0 : -ENOMEM;
}

/* True if two strings are equal, or both are NULL. */
static inline bool hist_same_text(const char *a, const char *b)
{
	return !a || !b ? a == b : !strcmp(a, b);
}

/* Name of the clock of a histogram, of which "global" is the default. */
static inline const char *hist_clock(const struct hist *h)
{
	return h->clock ?: "global";
}

/* The name of the task that a row keeps behind its key, if &hist.wants_comm. */
static inline const char *hist_comm(const struct hist *h, const void *key)
{
	return key + h->key_size;
}

/**
 * hist_next - iterate over the histograms of an event
 * @file: the event in the instance
 * @h: the previous histogram, or NULL to begin
 *
 * Context: any; events_lock held.
 * Return: the next histogram, or NULL.
 */
struct hist *hist_next(struct trace_event_file *file, const struct hist *h);

/**
 * struct hist_reader - how much of the hits of an event an open file hist has seen
 * @node: entry in the list of all open files hist
 * @at: the open file
 * @read: number of hits at the last read
 * @polled: number of hits when the file was last opened, read or polled
 * @waits: true if the file has been polled: hits of the event wake hist_waiters
 *
 * Protected by events_lock.
 */
struct hist_reader {
	struct list_head	node;
	const struct trace_node	*at;
	u64			read;
	u64			polled;
	bool			waits;
};

/*
 * Tasks in poll() of any file hist. There are few, and each of them checks its own file when it
 * wakes.
 */
extern struct wait_queue_head hist_waiters;

/**
 * hist_reader_add - add an open file hist to the list
 * @reader: the file
 *
 * Context: any; events_lock held.
 */
void hist_reader_add(struct hist_reader *reader);

/**
 * hist_reader_remove - remove a file hist that is being closed from the list
 * @reader: from hist_reader_add()
 *
 * Context: any; events_lock held.
 */
void hist_reader_remove(struct hist_reader *reader);

/**
 * hist_reader_at - find an open file hist in the list
 * @at: the open file
 *
 * Context: any; events_lock held.
 * Return: the file; NULL if it is not in the list.
 */
struct hist_reader *hist_reader_at(const struct trace_node *at);

/**
 * hist_poll_update - have hits of a histogram wake tasks if its event's file hist is polled
 * @h: the histogram
 *
 * Called after a change of &hist_reader.waits of the event.
 *
 * Context: may sleep; events_lock held.
 */
void hist_poll_update(struct hist *h);

/**
 * hist_hits - count the hits of a histogram
 * @h: the histogram
 *
 * Context: may sleep; events_lock held.
 * Return: number of hits since the counts were cleared, including those of histograms with the
 * same name.
 */
u64 hist_hits(const struct hist *h);

/**
 * hist_wake - wake the tasks that poll() a file hist
 *
 * Context: any, NMI included, after the hit has been counted.
 */
void hist_wake(void);

/**
 * hist_poll_attach - set up wakeups of a histogram that was added to its counts
 * @h: the histogram
 *
 * Context: may sleep; events_lock held.
 */
void hist_poll_attach(struct hist *h);

/**
 * hist_poll_detach - update wakeups after a histogram was removed from its counts
 * @counts: counts that the other histograms share
 *
 * Context: any; events_lock held.
 */
void hist_poll_detach(const struct hist_counts *counts);

/**
 * hist_show_head - print the header above a histogram's output
 * @m: where to print
 * @h: the histogram
 * @nr: number of histograms that were printed before in the same file
 *
 * Context: may sleep; events_lock held.
 */
void hist_show_head(struct seq_file *m, const struct hist *h, unsigned int nr);

/**
 * hist_hit - &trigger_kind.hit: count a hit of the event
 * @t: the histogram
 * @hit: the hit
 *
 * Context: any, NMI included; preemption off, inside the recursion guard.
 */
void hist_hit(struct trigger *t, struct action_hit *hit);

/**
 * hist_miss - &trigger_kind.miss: count a hit of the event that has no record
 * @t: the histogram
 *
 * The hit is shown as dropped.
 *
 * Context: any, NMI included; preemption off.
 */
void hist_miss(struct trigger *t);

/**
 * hist_show - &trigger_kind.show: print a trigger as it would be written, and its state
 * @m: where to print
 * @t: the histogram
 *
 * Context: may sleep; events_lock held.
 */
void hist_show(struct seq_file *m, const struct trigger *t);

/**
 * hist_show_counts - print the rows of a histogram, for the file hist
 * @m: where to print
 * @h: the histogram
 * @nr: number of histograms that were printed before in the same file
 *
 * Context: may sleep; events_lock held.
 * Return: 0 or -ENOMEM.
 */
int hist_show_counts(struct seq_file *m, struct hist *h, unsigned int nr);

#endif /* _KERNEL_TRACE_HIST_INTERNAL_H */
