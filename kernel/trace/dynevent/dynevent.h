/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that users make while the kernel runs. What they write is understood by kinds, of
 * which each has its letter: synthetic events (synth/), later also probes. All of them are in
 * the file dynamic_events; a kind may have a file of its own besides.
 *
 *	# echo 's:wakeup u64 lat; pid_t pid' >> dynamic_events
 *	# echo '-:wakeup' >> dynamic_events
 */
#ifndef _KERNEL_TRACE_DYNEVENT_H
#define _KERNEL_TRACE_DYNEVENT_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct dyn_event;
struct seq_file;
struct trace_event_call;
struct trace_node;

/* Protects which there are. Outside of events_lock, and of whatever kinds lock. */
extern struct mutex dyn_events_lock;

/**
 * struct dyn_event_name - which event is meant
 * @system: of that system, or NULL for any
 * @event: of that name; an empty one stands for any, for kinds that let it
 * @rest: what is written behind that, or NULL
 */
struct dyn_event_name {
	const char	*system;
	const char	*event;
	const char	*rest;
};

/**
 * struct dyn_event_kind - a kind of events that users make
 * @create: make what a line of dynamic_events says. It takes dyn_events_lock itself, when all is
 *	known: to look up a path may take for ever.
 *	Return: 0; -ECANCELED if the line is not of this kind; or another errno, logged
 * @show: as the line would be written
 * @is: is it the one that is meant?
 * @is_busy: it cannot be taken away
 * @call: the event that is made known for it; of several, the same one. May be NULL
 * @remove: take it away; what @call returns may have gone before, with many others. Return: 0,
 *	and it is gone; or an errno, and it stays
 * @node: among all kinds
 *
 * All of them may sleep, and all but @create are called with dyn_events_lock held.
 */
struct dyn_event_kind {
	int		(*create)(const char *line);
	void		(*show)(struct seq_file *m, const struct dyn_event *ev);
	bool		(*is)(const struct dyn_event *ev, const struct dyn_event_name *name);
	bool		(*is_busy)(const struct dyn_event *ev);
	struct trace_event_call *(*call)(const struct dyn_event *ev);
	int		(*remove)(struct dyn_event *ev);
	struct list_head node;
};

/**
 * struct dyn_event - an event that somebody has made
 * @kind: what kind
 * @node: among all, in the order in which they came
 */
struct dyn_event {
	const struct dyn_event_kind	*kind;
	struct list_head		node;
};

/* All of them; dyn_events_lock. */
extern struct list_head all_dyn_events;

/**
 * dyn_event_kind_add - there is a kind of events from now on
 * @kind: which stays
 *
 * Context: boot.
 */
void dyn_event_kind_add(struct dyn_event_kind *kind);

/* An event has come. Context: dyn_events_lock held. */
void dyn_event_add(struct dyn_event *ev, const struct dyn_event_kind *kind);

/* It is gone: &dyn_event_kind.remove. Context: likewise. */
void dyn_event_del(struct dyn_event *ev);

/**
 * dyn_events_clear - take all events of a kind away
 * @kind: which, or NULL for all
 *
 * If one of them is busy, none goes.
 *
 * Context: may sleep; takes dyn_events_lock.
 * Return: 0 or -EBUSY; or why one could not go: then others have gone.
 */
int dyn_events_clear(const struct dyn_event_kind *kind);

/**
 * dyn_events_obey - obey what is written to a file, line by line
 * @ubuf: what is written
 * @count: how much
 * @obey: called with each line, without what is behind a #; takes dyn_events_lock itself
 * @data: handed on to @obey
 *
 * A line may be nearly as long as a page.
 *
 * Context: may sleep.
 * Return: @count, or the errno of the first line that is too long, or that @obey refuses: those
 * before it have been obeyed.
 */
ssize_t dyn_events_obey(const char __user *ubuf, size_t count,
			int (*obey)(char *line, const void *data), const void *data);

/**
 * dyn_event_obey - obey a line of dynamic_events, or of the file of a kind
 * @kind: of that kind, or NULL for any
 * @line: what is written; it is changed
 *
 * Context: may sleep; takes dyn_events_lock.
 * Return: 0; -EINVAL for a line that is of no such kind, or makes no sense; -ENOENT if there is
 * nothing to take away; or as &dyn_event_kind.create and .remove.
 */
int dyn_event_obey(const struct dyn_event_kind *kind, char *line);

/*
 * A file of all events, or of a kind, which is the @data of its row: &trace_file.show, .write
 * and .truncate.
 */
int dyn_event_file_show(struct seq_file *m, const struct trace_node *at);
ssize_t dyn_event_file_write(const struct trace_node *at, const char __user *ubuf,
			     size_t count);
int dyn_event_file_truncate(const struct trace_node *at);

#endif /* _KERNEL_TRACE_DYNEVENT_H */
