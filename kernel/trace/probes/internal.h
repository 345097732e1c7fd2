/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes: users name a place in the kernel or in a program, and values to fetch there, and get an
 * event whose records have these values (SPEC E3).
 *
 *	# echo 'p:opened do_sys_openat2 name=+0($arg2):ustring' >> kprobe_events
 *
 * The event can be used like any other event: it can be enabled, filtered and read, can have
 * triggers, and perf can open it.
 *
 * text.c, symbol.c, args.c, source.c, program.c, type.c and btf.c parse the texts of users; fetch.c
 * executes the fetch programs that result; line.c and event.c add probes and their events, and
 * event.c removes them; record.c makes records, and print.c prints them; settle.c completes what is
 * deferred. Each kind of probes has files of its own: kprobe*.c, uprobe*.c, fprobe*.c, tprobe.c,
 * eprobe*.c. perf.c has the probes that perf opens.
 */
#ifndef _KERNEL_TRACE_PROBES_INTERNAL_H
#define _KERNEL_TRACE_PROBES_INTERNAL_H

#include <linux/kconfig.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "dynevent/dynevent.h"
#include "fetch.h"
#include "text.h"

struct bpf_prog_array;
struct seq_buf;
struct seq_file;
struct trace_output;

/**
 * struct probe_event - an event whose records are made by one or more probes
 * @call: registered event call
 * @class: class of @call, not shared, as each event has its own fields
 * @kind: kind of the probes
 * @returns: the probes are hit when functions return
 * @has_texts: records have texts after the fixed-size arguments
 * @nr_head: number of address words in front of the arguments, at most 2
 * @nr: number of arguments
 * @len: length of a record in bytes, without the texts at its end
 * @fields: @nr fields, one for each argument
 * @table: all fields in the form of types/, those of the address words included
 * @files: &struct event_link of each instance and other consumer in which the event is on (RCU;
 *	events_lock to change)
 * @probes: &struct probe of this event; dyn_events_lock, and events_lock in addition to change it
 * @removed: &struct probe that were removed while the event was in use; dyn_events_lock
 * @overridable: a program may change what the functions with the probes return; events_lock
 * @has_programs: BPF programs run at each hit; events_lock to change
 * @programs: where perf has the list of these programs, with @has_programs; events_lock to change
 * @attached: ``SYSTEM.EVENT`` of the other event, for a probe of an event; otherwise NULL
 */
struct probe_event {
	struct trace_event_call		call;
	struct trace_event_class	class;
	const struct probe_kind		*kind;
	bool				returns;
	bool				has_texts;
	u8				nr_head;
	unsigned int			nr;
	unsigned int			len;
	struct probe_field		*fields;
	struct trace_event_fields	*table;
	struct list_head		files;
	struct list_head		probes;
	struct list_head		removed;
	bool				overridable;
	bool				has_programs;
	struct bpf_prog_array __rcu	**programs;
	char				*attached;
};

/**
 * struct probe - a probe, which makes records of its event when it is hit
 * @dyn: dynamic event
 * @event: event of the probe; several probes can share one
 * @node: entry in &probe_event.probes
 * @args: arguments to fetch; @args.fields is NULL, as the event owns the fields
 * @hits: number of hits on each CPU
 */
struct probe {
	struct dyn_event		dyn;
	struct probe_event		*event;
	struct list_head		node;
	struct probe_args		args;
	unsigned long __percpu		*hits;
};

/**
 * struct probe_kind - a kind of probes
 * @dyn: kind of dynamic events
 * @parser: name of the parser: the first words of errors in error_log
 * @letter: letter with which lines begin; if it is ``p``, lines of return probes begin with ``r``
 * @system: system of events for which the user writes no group
 * @flags: TRACE_EVENT_FL_* of the events
 * @size: size of the structure of this kind that begins with a &struct probe, in bytes
 * @name: return the default name of the event, for kfree(); or NULL without memory
 * @join: prepare a further probe of an event that is on; returns 0, or an errno for the user.
 *	Called with events_lock held. May be NULL
 * @start: start a probe, so that it is hit from now on, or as soon as the module with the probed
 *	code is loaded; returns 0 or an errno. Called with events_lock held
 * @stop: stop a probe; hits may still be in flight. Called with events_lock held
 * @set_handlers: choose what is called at hits of a probe, after &probe_event.has_programs has
 *	changed; NULL if that makes no difference. Called with events_lock held
 * @finish: make sure that a stopped probe is not hit by calls in flight when they return. Called
 *	before the event is freed. May be NULL
 * @update_tasks: update a started probe after more or fewer tasks want the event, see
 *	event_links_want(); returns 0 or an errno. Called with events_lock held. NULL if all tasks
 *	hit the probe
 * @place: print the probed place as the user writes it
 * @same_place: return true if two probes are at the same place. NULL with @single_probe
 * @instances: return the number of instances (maxactive), 0 for the default. May be NULL
 * @show_suffix: print the end of the line, after the arguments. May be NULL
 * @single_probe: each event has only one probe
 * @free: free a probe that is not hit, and was removed or never added
 *
 * @name, @finish, @place, @same_place, @instances, @show_suffix and @free are called with
 * dyn_events_lock held, or for a probe that only its creator knows.
 */
struct probe_kind {
	struct dyn_event_kind	dyn;
	const char		*parser;
	char			letter;
	const char		*system;
	int			flags;
	size_t			size;
	char			*(*name)(const struct probe *p);
	int			(*join)(const struct probe_event *event, struct probe *p);
	int			(*start)(struct probe *p);
	void			(*stop)(struct probe *p);
	void			(*finish)(struct probe *p);
	int			(*update_tasks)(struct probe *p, bool more);
	void			(*set_handlers)(struct probe *p);
	void			(*place)(struct seq_buf *s, const struct probe *p);
	bool			(*same_place)(const struct probe *a, const struct probe *b);
	unsigned int		(*instances)(const struct probe *p);
	void			(*show_suffix)(struct seq_file *m, const struct probe *p);
	bool			single_probe;
	void			(*free)(struct probe *p);
};

static inline struct probe *to_probe(const struct dyn_event *ev)
{
	return container_of(ev, struct probe, dyn);
}

static inline struct probe_event *probe_event_of(const struct trace_event_call *call)
{
	return container_of(call, struct probe_event, call);
}

/* True if the event is on anywhere. Context: events_lock or dyn_events_lock held. */
static inline bool probe_event_is_on(const struct probe_event *event)
{
	return !list_empty(&event->files);
}

/* Number of address words in front of the arguments, for probes of code. */
static inline unsigned int probe_nr_head(bool returns)
{
	return returns ? 2 : 1;
}

/* Offset of the first argument in a record, for probes of code. */
static inline unsigned int probe_len_before(bool returns)
{
	return sizeof(struct trace_entry) + probe_nr_head(returns) * sizeof(long);
}

/**
 * probe_alloc - allocate an empty probe
 * @kind: kind of the probe
 *
 * Context: may sleep.
 * Return: the probe, of &probe_kind.size bytes; or NULL.
 */
struct probe *probe_alloc(const struct probe_kind *kind);

/**
 * probe_exit - free what probe_alloc() and probe_args_parse() have allocated
 * @p: the probe; not freed itself
 *
 * Context: may sleep.
 */
void probe_exit(struct probe *p);

/**
 * struct probe_spec - description of the event of a probe that is being created
 * @kind: kind of the probe
 * @name: name of the event
 * @returns: the probe is hit when functions return
 * @nr_head: number of address words in front of the arguments
 */
struct probe_spec {
	const struct probe_kind	*kind;
	struct probe_name	name;
	bool			returns;
	u8			nr_head;
};

/**
 * struct probe_line - a line that creates a probe
 * @text: the line, for parsing
 * @probe: the probe
 * @spec: description of its event; members of &probe_spec.name that are NULL get the default of the
 *	kind in probe_add()
 * @name: name of the event in the text, for errors; or NULL if none is written
 * @place: word of the text with the probed place
 * @default_name: &probe_spec.name.event if none is written, for kfree(); or NULL
 */
struct probe_line {
	struct cmd_text		text;
	struct probe		*probe;
	struct probe_spec	spec;
	char			*name;
	char			*place;
	char			*default_name;
};

/**
 * probe_begin - begin to create the probe that a line describes
 * @line: filled in with a copy of the text, and an empty probe; for probe_end(), also on failure
 * @whole: the line as the user wrote it
 * @kind: kind of the probe
 *
 * &dyn_event_kind.create of each kind of probes begins here, and goes on to its parser, which fills
 * in the probe and @line->spec; to probe_add(); and to probe_end().
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int probe_begin(struct probe_line *line, const char *whole, const struct probe_kind *kind);

/**
 * probe_line_parse_name - parse the name of the event in the first word of a line
 * @line: the line
 * @name: the text after the colon, ``[GROUP/]EVENT`` or ``GROUP/``; or NULL if there is none
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, logged.
 */
int probe_line_parse_name(struct probe_line *line, char *name);

/**
 * probe_add - add a probe to an existing event, or create its event
 * @line: the line, which has been parsed
 *
 * The probe is started if the event exists and is on.
 *
 * Context: may sleep; dyn_events_lock held.
 * Return: 0; -EINVAL or -EEXIST, logged; or another errno.
 */
int probe_add(struct probe_line *line);

/**
 * probe_add_locking - take dyn_events_lock, and call probe_add()
 * @line: the line, which has been parsed
 *
 * Context: may sleep; takes dyn_events_lock.
 * Return: 0; -EINVAL or -EEXIST, logged; or another errno.
 */
int probe_add_locking(struct probe_line *line);

/**
 * probe_end - free what probe_begin() has allocated, but not a probe that was added
 * @line: the line
 * @err: 0 if the probe was added, or the errno with which it was refused
 *
 * Context: may sleep.
 * Return: @err.
 */
int probe_end(struct probe_line *line, int err);

/**
 * probe_event_create - create the event of a probe, without registering it
 * @p: the probe, with parsed arguments; &probe.event is set
 * @spec: description of the event
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int probe_event_create(struct probe *p, const struct probe_spec *spec);

/**
 * probe_event_destroy - free an event that is not registered
 * @p: the probe of the event; &probe.event may be NULL, and becomes NULL
 *
 * Context: may sleep.
 */
void probe_event_destroy(struct probe *p);

/**
 * probe_remove - stop a probe, and remove it from its event
 * @p: the probe, after probe_add()
 *
 * The last probe of an event unregisters and frees the event, too.
 *
 * Context: may sleep; dyn_events_lock held.
 * Return: 0, and the caller frees the probe; -EBUSY for the last probe of an event that is in use.
 */
int probe_remove(struct probe *p);

/*
 * The next five functions are &dyn_event_kind.show, .matches, .is_busy, .call and .remove of all
 * kinds of probes. See there for their parameters and results.
 */
void probe_show(struct seq_file *m, const struct dyn_event *ev);
bool probe_matches(const struct dyn_event *ev, const struct dyn_event_name *name);
bool probe_is_busy(const struct dyn_event *ev);
struct trace_event_call *probe_dyn_call(const struct dyn_event *ev);
int probe_dyn_remove(struct dyn_event *ev);

/* True if only one instance or other consumer has the event: if it has programs, that is perf. */
static __always_inline bool probe_event_has_one_link(const struct probe_event *event)
{
	/* The list may change: a hit in flight may also find that it is empty. */
	return data_race(event->files.next) == data_race(event->files.prev);
}

/**
 * probe_hit - make records of a hit of a probe
 * @p: the probe
 * @regs: the registers, or NULL
 * @data: arguments saved at the entry, for a return probe; record of the other event, for a probe
 *	of an event; otherwise NULL
 * @at: address of the probe, which becomes the first address word if the record has one
 * @to: return address, which becomes the second address word if the record has one
 *
 * Context: any, NMI included; preemption off, one level deeper than in the probed code.
 */
void probe_hit(const struct probe *p, struct pt_regs *regs, const void *data,
	       unsigned long at, unsigned long to);

/**
 * probe_hit_without_perf - make records of a hit of a probe, but none for perf
 * @p: as for probe_hit()
 * @regs: as for probe_hit()
 * @data: as for probe_hit()
 * @at: as for probe_hit()
 * @to: as for probe_hit()
 *
 * Context: as for probe_hit().
 */
void probe_hit_without_perf(const struct probe *p, struct pt_regs *regs, const void *data,
			    unsigned long at, unsigned long to);

/**
 * probe_hit_inside - make records of a hit of a probe of an event, while that event holds the guard
 * @p: the probe
 * @data: record of the other event
 * @word: trace_preempt_word() of the other event
 *
 * Context: any, NMI included; preemption off; inside the recursion guard (guard/guard.h).
 */
void probe_hit_inside(const struct probe *p, const void *data, unsigned int word);

/**
 * probe_hit_fetched - make records of a hit of a probe whose arguments have been fetched already
 * @p: the probe
 * @rec: a complete record, except for its common header
 * @len: length of the record in bytes, with the header
 * @regs: the registers
 * @perf: false if perf is not to have a record
 *
 * The caller has counted the hit.
 *
 * Context: process, preemption on.
 */
void probe_hit_fetched(const struct probe *p, const void *rec, unsigned int len,
		       struct pt_regs *regs, bool perf);

/**
 * probe_hits - get the number of hits of a probe
 * @p: the probe
 *
 * Context: any.
 * Return: number of hits on all CPUs.
 */
unsigned long probe_hits(const struct probe *p);

/**
 * probe_set_programs - set which BPF programs run at the hits of an event
 * @call: the event
 * @list: where perf has the list of programs, or NULL if there are none
 *
 * This is &trace_event_class_ops.set_programs of all probes.
 *
 * Context: any; events_lock held.
 */
void probe_set_programs(struct trace_event_call *call, struct bpf_prog_array __rcu **list);

/**
 * probe_update_tasks - update the probes of an event after more or fewer tasks want it
 * @call: the event, which is on
 * @more: true if more tasks want it, false for fewer
 *
 * Context: may sleep; events_lock held.
 * Return: 0 or an errno.
 */
int probe_update_tasks(struct trace_event_call *call, bool more);

/**
 * probe_reg - enable or disable an event of probes in one place: &trace_event_class.reg
 * @call: the event
 * @what: TRACE_REG_*; those for perf and for instances do the same
 * @data: &struct trace_event_file of the place
 *
 * Context: may sleep; events_lock held.
 * Return: 0; -EOPNOTSUPP for another @what; or the errno with which a probe could not be started.
 */
int probe_reg(struct trace_event_call *call, enum trace_reg what, void *data);

/* &trace_event_class.ops of events of probes. */
extern const struct trace_event_class_ops probe_ops;

/**
 * probe_head_name - get the name of an address word in front of the arguments
 * @event: the event
 * @i: index of the word, below &probe_event.nr_head
 *
 * Context: any.
 * Return: the name of its field.
 */
const char *probe_head_name(const struct probe_event *event, unsigned int i);

/*
 * The kinds of probes, and their functions for events_settle_probes: while many events are switched
 * together, probes may defer work, which these functions complete. Context: may sleep; events_lock
 * held. Return: 0, or the errno with which a probe could not be switched.
 */
extern struct probe_kind eprobe_kind;
void eprobes_settle(void);
#ifdef CONFIG_KPROBE_EVENTS
extern struct probe_kind kprobe_kind;
int kprobes_settle(void);
#else
static inline int kprobes_settle(void) { return 0; }
#endif
#ifdef CONFIG_UPROBE_EVENTS
extern struct probe_kind uprobe_kind;
#endif
#ifdef CONFIG_FPROBE_EVENTS
extern struct probe_kind fprobe_kind;
extern struct probe_kind tprobe_kind;
int function_probes_settle(void);
#else
static inline int function_probes_settle(void) { return 0; }
#endif

#endif /* _KERNEL_TRACE_PROBES_INTERNAL_H */
