/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of probes/: text.c, symbol.c, args.c, source.c and type.c understand what is written,
 * fetch.c runs what came of it, event.c has events of probes come and go, record.c makes their
 * records, print.c prints them; and each kind of probe has a file, or two.
 */
#ifndef _KERNEL_TRACE_PROBES_INTERNAL_H
#define _KERNEL_TRACE_PROBES_INTERNAL_H

#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "dynevent/dynevent.h"
#include "fetch.h"
#include "probes.h"
#include "text.h"

struct seq_buf;
struct seq_file;
struct trace_output;

/* As many words as may stand before the arguments in a record. */
#define PROBE_HEAD_MAX	2U

/**
 * struct probe_event - an event that probes make come
 * @call: among all events
 * @class: its own, for its fields are
 * @kind: what kind of probes
 * @returns: they are hit when functions return
 * @fills: its records have texts behind them
 * @nr_head: words before the arguments
 * @nr: arguments
 * @len: bytes of a record, without what is behind it
 * @fields: of each argument, what it is
 * @table: all fields as types/ has them
 * @files: where it is on: &struct event_link (RCU)
 * @probes: its &struct probe; dyn_events_lock, and events_lock to change it
 * @attached: of another event its name, or NULL
 */
struct probe_event {
	struct trace_event_call		call;
	struct trace_event_class	class;
	const struct probe_kind		*kind;
	bool				returns;
	bool				fills;
	u8				nr_head;
	unsigned int			nr;
	unsigned int			len;
	struct probe_field		*fields;
	struct trace_event_fields	*table;
	struct list_head		files;
	struct list_head		probes;
	char				*attached;
};

/**
 * struct probe - a place at which an event comes
 * @dyn: among the events that users have made
 * @event: the event
 * @node: among the probes of the event
 * @args: what is fetched; without its fields, which the event has
 * @hits: how often it was hit, of each CPU
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
 * @dyn: what users make
 * @who: who understands them, in error_log
 * @letter: with which a line begins; ``r`` for those that are hit at returns, if it is ``p``
 * @system: of events without a group
 * @flags: TRACE_EVENT_FL_* of its events
 * @size: of what begins with the &struct probe
 * @parse: understand a line, which is of this kind. Return: as probe_add()
 * @name: what its event is called if nobody says: for kfree(), or NULL
 * @start: have the probe hit, if there is what it is about. Context: events_lock held.
 *	Return: 0 or an errno
 * @stop: no more; it may be under way. Context: likewise
 * @finish: it was stopped, but calls may be under way that will return: nor is it hit by these any
 *	more. Before its event goes; or NULL
 * @others_want: it has been started, and more tasks want it, or fewer: event_links_want(). NULL
 *	if it is hit by all tasks. Context and return: as @start
 * @place: what it is about, as the user writes it
 * @is_same: are two about the same, or NULL if they are if that is the same text
 * @instances: with which number of instances, or NULL
 * @behind: what comes behind the arguments, or NULL
 * @alone: an event has one of them
 * @free: the probe is taken away, or could not be made, and is not hit: free it
 *
 * The others are called with dyn_events_lock held; but @parse, which takes it, and for a probe that
 * is in no list: only its maker has that.
 */
struct probe_kind {
	struct dyn_event_kind	dyn;
	const char		*who;
	char			letter;
	const char		*system;
	int			flags;
	size_t			size;
	int			(*parse)(const struct probe_text *text, struct probe *p);
	char			*(*name)(const struct probe *p);
	int			(*start)(struct probe *p);
	void			(*stop)(struct probe *p);
	void			(*finish)(struct probe *p);
	int			(*others_want)(struct probe *p, bool more);
	void			(*place)(struct seq_buf *s, const struct probe *p);
	bool			(*is_same)(const struct probe *a, const struct probe *b);
	unsigned int		(*instances)(const struct probe *p);
	void			(*behind)(struct seq_file *m, const struct probe *p);
	bool			alone;
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

/* Is it on anywhere? Context: events_lock or dyn_events_lock held. */
static inline bool probe_event_is_on(const struct probe_event *event)
{
	return !list_empty(&event->files);
}

/* Words before the arguments, of what is hit in code. */
static inline unsigned int probe_nr_head(bool returns)
{
	return returns ? 2 : 1;
}

/* And where the arguments begin. */
static inline unsigned int probe_len_before(bool returns)
{
	return sizeof(struct trace_entry) + probe_nr_head(returns) * sizeof(long);
}

/**
 * probe_create - make what a line says
 * @line: the line, which is of the kind
 * @kind: what kind of probe
 *
 * Context: may sleep; takes dyn_events_lock.
 * Return: 0, -ENOMEM, or as probe_add().
 */
int probe_create(const char *line, const struct probe_kind *kind);

/* A probe of a kind, of which nothing is known yet. Context: may sleep. Return: it, or NULL. */
struct probe *probe_alloc(const struct probe_kind *kind);

/* What probe_alloc(), and probe_args_parse() for its @args, have allocated. */
void probe_exit(struct probe *p);

/**
 * struct probe_made - a probe that is being made
 * @kind: what kind
 * @name: what it is to be called; what is NULL is as the kind says
 * @returns: it is hit at returns
 * @nr_head: words before the arguments
 * @name_at: where a name that is taken already is shown
 */
struct probe_made {
	const struct probe_kind	*kind;
	struct probe_name	name;
	bool			returns;
	u8			nr_head;
	const char		*name_at;
};

/**
 * probe_add - have a probe make an event come, alone or with others
 * @text: the text
 * @p: the probe, of which what is fetched is known
 * @made: what else is
 *
 * It is started if the event is on.
 *
 * Context: may sleep; dyn_events_lock held.
 * Return: 0; -EINVAL or -EEXIST, logged; or another errno.
 */
int probe_add(const struct probe_text *text, struct probe *p, const struct probe_made *made);

/* The same. Context: may sleep; takes dyn_events_lock. */
int probe_add_locking(const struct probe_text *text, struct probe *p,
		      const struct probe_made *made);

/**
 * probe_event_make - have an event that a probe makes come, and that is in no list yet
 * @p: the probe
 * @made: what else is known of it
 *
 * Context: may sleep.
 * Return: 0, and &probe.event is there; or -ENOMEM.
 */
int probe_event_make(struct probe *p, const struct probe_made *made);

/* It is in no list any more, if it was made at all. Context: may sleep. */
void probe_event_unmake(struct probe *p);

/**
 * probe_remove - take a probe away
 * @p: from probe_add()
 *
 * It is stopped, if others of its event stay; of which the last one takes the event along.
 *
 * Context: may sleep; dyn_events_lock held.
 * Return: 0, and it is for its kind to free it; -EBUSY for the last one of an event that is
 * used.
 */
int probe_remove(struct probe *p);

/* &dyn_event_kind of all kinds: .show, .is, .is_busy, .call, .remove */
void probe_show(struct seq_file *m, const struct dyn_event *ev);
bool probe_is(const struct dyn_event *ev, const struct dyn_event_name *name);
bool probe_is_busy(const struct dyn_event *ev);
struct trace_event_call *probe_dyn_call(const struct dyn_event *ev);
int probe_dyn_remove(struct dyn_event *ev);

/**
 * probe_hit - a probe is hit
 * @p: the probe
 * @regs: the registers, or NULL
 * @also: what was kept at the entry, of a return; the record, of another event
 * @at: where, and
 * @to: where the function returns to: the words before the arguments, if there are any
 *
 * Context: any, NMI included; preemption off, once since the place that is probed.
 */
void probe_hit(const struct probe *p, struct pt_regs *regs, const void *also,
	       unsigned long at, unsigned long to);

/**
 * probe_hit_inside - a probe of an event is hit that another event has made come
 * @p: the probe
 * @also: the record of the event
 * @word: trace_preempt_word() of the other event
 *
 * Context: inside the guard, which the other event holds: any, NMI included; preemption off.
 */
void probe_hit_inside(const struct probe *p, const void *also, unsigned int word);

/**
 * probe_hit_made - a probe is hit, and what it fetches has been fetched already
 * @p: the probe
 * @rec: a record, without its common header
 * @len: how long it is
 * @regs: the registers
 *
 * Context: process, preemption on.
 */
void probe_hit_made(const struct probe *p, const void *rec, unsigned int len,
		    struct pt_regs *regs);

/* How often that was so. Context: any. */
unsigned long probe_hits(const struct probe *p);

/* &trace_event_class.reg, and .ops, of which this is one */
int probe_others_want(struct trace_event_call *call, bool more);
int probe_reg(struct trace_event_call *call, enum trace_reg what, void *data);
extern const struct trace_event_class_ops probe_ops;

/* Names of the words before the arguments. */
const char *probe_head_name(const struct probe_event *event, unsigned int i);

/*
 * The kinds that there are. Those of which many are switched together have a function that ends
 * that: see &events_settle_probes. Its context: may sleep; events_lock held.
 */
extern struct probe_kind eprobe_kind;
void eprobes_settle(void);
#ifdef CONFIG_KPROBE_EVENTS
extern struct probe_kind kprobe_kind;
void kprobe_kind_setup(void);
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
void function_probes_follow_modules(void);
int function_probes_settle(void);
#else
static inline int function_probes_settle(void) { return 0; }
#endif

#endif /* _KERNEL_TRACE_PROBES_INTERNAL_H */
