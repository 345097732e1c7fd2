/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Synthetic events: users say which fields they have, and histograms, or modules, make their
 * records of what other events have told (SPEC E2, E3).
 *
 *	# echo 'wakeup_latency u64 lat; pid_t pid; char comm[16]' >> synthetic_events
 *
 * Such an event is an event like any other: it is switched, filtered and read, it has
 * triggers, and perf can open it.
 */
#ifndef _KERNEL_TRACE_SYNTH_H
#define _KERNEL_TRACE_SYNTH_H

#include <linux/percpu-defs.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "dynevent/dynevent.h"

struct event;
struct instance_part;

/* As many fields as the kernel lets an event have, and the longest string, with its NUL. */
#define SYNTH_FIELDS_MAX	64U
#define SYNTH_TEXT_MAX		256U

/* The deepest stack. */
#define SYNTH_STACK_DEPTH	32UL

/* What kind of field it is. */
enum synth_kind {
	SYNTH_NUMBER,
	SYNTH_TEXT,	/* so many characters at its place */
	SYNTH_DYN_TEXT,	/* a string behind the record, of which its place says where */
	SYNTH_STACK,	/* likewise addresses: how many, and then they */
};

/**
 * struct synth_field - a field
 * @name: what it is called
 * @type: as the format file has it
 * @fmt: how a number is printed
 * @kind: enum synth_kind
 * @is_signed: smaller numbers than 0 come first
 * @size: bytes that it says it has
 * @offset: where it is in a record
 */
struct synth_field {
	char		*name;
	char		*type;
	const char	*fmt;
	u8		kind;
	bool		is_signed;
	u16		size;
	u16		offset;
};

/**
 * struct synth_event - a synthetic event
 * @dyn: among those that users have made
 * @call: among all events
 * @class: its own, for its fields are
 * @event: as events/ knows it, from the first synth_event_get() on
 * @mod: who has made it, and stays while it is on; or NULL
 * @table: the fields as types/ has them
 * @files: where it is on: &struct event_link (RCU)
 * @len: bytes of a record, without what is behind its fields
 * @nr_fields: how many @fields
 * @fields: the fields
 */
struct synth_event {
	struct dyn_event		dyn;
	struct trace_event_call		call;
	struct trace_event_class	class;
	struct event			*event;
	struct module			*mod;
	struct trace_event_fields	*table;
	struct list_head		files;
	unsigned int			len;
	unsigned int			nr_fields;
	struct synth_field		fields[];
};

/* Makes them a kind of dynamic events. */
extern struct instance_part synth_part;

/**
 * synth_event_get - have a synthetic event stay
 * @name: its name
 *
 * Context: may sleep; events_lock held.
 * Return: the event, for synth_event_put(); NULL if there is none, or its module is going.
 */
struct synth_event *synth_event_get(const char *name);

/* It may go again. Context: any. */
void synth_event_put(struct synth_event *event);

/* How many of them are being recorded on a CPU: what makes the next one come nests. */
DECLARE_PER_CPU(unsigned int, synth_nested);

/* Has another event made this one come? Context: any; preemption off. */
static __always_inline bool synth_is_nested(void)
{
	return raw_cpu_read(synth_nested);
}

/**
 * synth_event_hit - a synthetic event has come
 * @event: which
 * @vals: a number for each field: itself; or the address of a string, or that of a stack, which
 *	is the number of addresses, and then they, each a long
 * @lens: of each, how many bytes there are of what is at an address
 * @word: trace_preempt_word() of what made it come
 *
 * It is recorded wherever it is on. Deeper than TRACE_BESIDE_DEPTH_* it is lost, and counted there.
 *
 * Context: a trigger: any, NMI included, with preemption off and inside the guard.
 */
void synth_event_hit(const struct synth_event *event, const u64 *vals, const u16 *lens,
		     unsigned int word);

#endif /* _KERNEL_TRACE_SYNTH_H */
