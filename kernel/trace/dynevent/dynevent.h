/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Dynamic events: events that users create while the kernel runs. Each kind of dynamic events
 * parses the lines that begin with its letter: probes (probes/), synthetic events (synth/) and
 * user events (user_events/). The file dynamic_events lists the events of all kinds; a kind may
 * have a control file of its own in addition.
 *
 *	# echo 's:wakeup u64 lat; pid_t pid' >> dynamic_events
 *	# echo '-:wakeup' >> dynamic_events
 */
#ifndef _KERNEL_TRACE_DYNEVENT_H
#define _KERNEL_TRACE_DYNEVENT_H

#include <linux/init.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct dyn_event;
struct seq_file;
struct trace_event_call;
struct trace_node;

/*
 * Protects all_dyn_events, and which dynamic events exist. Taken before events_lock, and before
 * any lock that a kind takes in its callbacks.
 */
extern struct mutex dyn_events_lock;

/**
 * struct dyn_event_name - the events that a line wants removed
 * @system: system of the events, or NULL for any system
 * @event: name of the event; an empty name matches any event, if the kind allows that
 * @rest: text of the line after the name, or NULL
 */
struct dyn_event_name {
	const char	*system;
	const char	*event;
	const char	*rest;
};

/**
 * struct dyn_event_kind - a kind of dynamic events
 * @create: create the event that a line of dynamic_events describes. The callback takes
 *	dyn_events_lock itself, after it has parsed the whole line, because looking up a path may
 *	take arbitrarily long. It returns 0; -ECANCELED if the line is not of this kind; or another
 *	errno, logged
 * @show: print the line that would create the event
 * @matches: return true if the event matches a name that a user wrote
 * @is_busy: return true if the event is in use and cannot be removed
 * @call: return the registered event call; several dynamic events may share one. May be NULL
 * @remove: remove and free the dynamic event. The event call that @call returns may have been
 *	unregistered before, together with those of other events. The callback returns 0 if the
 *	event has been removed; or an errno, and the event stays
 * @node: entry in the list of all kinds
 *
 * All callbacks may sleep, and all but @create are called with dyn_events_lock held.
 */
struct dyn_event_kind {
	int		(*create)(const char *line);
	void		(*show)(struct seq_file *m, const struct dyn_event *ev);
	bool		(*matches)(const struct dyn_event *ev, const struct dyn_event_name *name);
	bool		(*is_busy)(const struct dyn_event *ev);
	struct trace_event_call *(*call)(const struct dyn_event *ev);
	int		(*remove)(struct dyn_event *ev);
	struct list_head node;
};

/**
 * struct dyn_event - a dynamic event
 * @kind: kind of the event
 * @node: entry in all_dyn_events
 */
struct dyn_event {
	const struct dyn_event_kind	*kind;
	struct list_head		node;
};

/* All dynamic events, in the order of their creation. Protected by dyn_events_lock. */
extern struct list_head all_dyn_events;

/**
 * dyn_event_kind_add - register a kind of dynamic events
 * @kind: the kind, which must never be freed
 *
 * Context: DYN_EVENT_KIND(), before the first line is written.
 */
void __init dyn_event_kind_add(struct dyn_event_kind *kind);

/**
 * DYN_EVENT_KIND - register a kind of dynamic events at boot
 * @_name: name of the kind; its initcall is called @_name_kind_add()
 * @_kind: the &struct dyn_event_kind
 *
 * To be placed once behind the definition of the kind. The order in which kinds are registered does
 * not matter, as a line is of one kind at most. The first lines are those of kprobe_event=, which
 * an initcall of a later level applies.
 */
#define DYN_EVENT_KIND(_name, _kind)					\
static int __init _name##_kind_add(void)				\
{									\
	dyn_event_kind_add(&(_kind));					\
	return 0;							\
}									\
core_initcall(_name##_kind_add)

/**
 * dyn_event_add - add a new event to all_dyn_events
 * @ev: the event
 * @kind: kind of the event
 *
 * Context: dyn_events_lock held.
 */
void dyn_event_add(struct dyn_event *ev, const struct dyn_event_kind *kind);

/**
 * dyn_event_del - take an event out of all_dyn_events
 * @ev: the event, whose &dyn_event_kind.remove is running
 *
 * Context: dyn_events_lock held.
 */
void dyn_event_del(struct dyn_event *ev);

/**
 * dyn_events_clear - remove all events of a kind
 * @kind: the kind, or NULL for all kinds
 *
 * If one of the events is busy, none is removed.
 *
 * Context: may sleep; takes dyn_events_lock.
 * Return: 0; -EBUSY if an event is busy; or the errno with which an event could not be removed,
 * when others may have been removed already.
 */
int dyn_events_clear(const struct dyn_event_kind *kind);

/**
 * dyn_events_apply_text - apply what is written to a file, line by line
 * @ubuf: text that the user writes
 * @count: length of the text in bytes
 * @apply: called with each line that is not empty, after comments (``#...``) and blanks around it
 *	have been cut off; takes dyn_events_lock itself
 * @data: argument that is passed on to @apply
 *
 * A line may be nearly as long as a page.
 *
 * Context: may sleep.
 * Return: @count; or the errno of the first line that is too long, or that @apply refuses. The
 * lines before that one have been applied.
 */
ssize_t dyn_events_apply_text(const char __user *ubuf, size_t count,
			      int (*apply)(char *line, const void *data), const void *data);

/**
 * dyn_event_apply_line - apply a line of dynamic_events, or of the file of a kind
 * @kind: the kind that the line must be of, or NULL for any kind
 * @line: the line, which is modified
 *
 * The line creates an event, or removes events.
 *
 * Context: may sleep; takes dyn_events_lock.
 * Return: 0; -EINVAL if the line is not of the kind, or is malformed; -ENOENT if no event matches
 * the name to be removed; or an errno of &dyn_event_kind.create or &dyn_event_kind.remove.
 */
int dyn_event_apply_line(const struct dyn_event_kind *kind, char *line);

/*
 * The next three functions are &trace_file.show, .write and .truncate of a control file with the
 * dynamic events of one kind, if &trace_file.data is that kind, or of all kinds, if it is NULL.
 */

/**
 * dyn_event_file_show - print the lines of all events of the file
 * @m: output
 * @at: the control file
 *
 * Context: may sleep; takes dyn_events_lock.
 * Return: 0.
 */
int dyn_event_file_show(struct seq_file *m, const struct trace_node *at);

/**
 * dyn_event_file_write - apply the lines that a user writes to the file
 * @at: the control file
 * @ubuf: text that the user writes
 * @count: length of the text in bytes
 *
 * Context: may sleep; takes dyn_events_lock.
 * Return: @count; or an errno of dyn_events_apply_text().
 */
ssize_t dyn_event_file_write(const struct trace_node *at, const char __user *ubuf,
			     size_t count);

/**
 * dyn_event_file_truncate - remove all events of the file
 * @at: the control file
 *
 * Context: may sleep; takes dyn_events_lock.
 * Return: 0; or an errno of dyn_events_clear().
 */
int dyn_event_file_truncate(const struct trace_node *at);

#endif /* _KERNEL_TRACE_DYNEVENT_H */
