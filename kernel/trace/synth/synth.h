/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Synthetic events: users define their fields; actions of histograms, and modules, make their
 * records from values of other events (SPEC E2, E3).
 *
 *	# echo 'wakeup_latency u64 lat; pid_t pid; char comm[16]' >> synthetic_events
 *
 * In all other respects synthetic events are like other events: they are enabled, filtered and
 * read, have triggers, and can be opened by perf.
 */
#ifndef _KERNEL_TRACE_SYNTH_H
#define _KERNEL_TRACE_SYNTH_H

#include <linux/percpu-defs.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "dynevent/dynevent.h"

struct event;

/* Most fields of an event, and bytes of the longest string with its NUL, as in the stock kernel. */
#define SYNTH_FIELDS_MAX	64U
#define SYNTH_TEXT_MAX		256U

/* Most addresses of a stack. */
#define SYNTH_STACK_DEPTH	32UL

/*
 * Kind of a field. has_dynamic_field() relies on the order: the data of kinds behind SYNTH_TEXT are
 * behind the fields of the record.
 */
enum synth_kind {
	SYNTH_NUMBER,	/* number in the field */
	SYNTH_TEXT,	/* array of char in the field, of fixed size */
	SYNTH_DYN_TEXT,	/* string behind the fields; the field has its offset and length */
	SYNTH_STACK,	/* array of long behind the fields: number of addresses, and addresses */
};

/**
 * struct synth_field - a field of a synthetic event
 * @name: name of the field
 * @type: type as the format file shows it
 * @fmt: printf() format of the field
 * @kind: enum synth_kind
 * @is_signed: the number is signed
 * @size: size of the field itself in bytes, without data behind the fields
 * @offset: offset in a record
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
 * @dyn: entry in the list of dynamic events
 * @call: the event call
 * @class: class of @call; each synthetic event has its own, with its own fields
 * @event: the event of events/; set by synth_event_get()
 * @mod: module that created the event, pinned while the event is on; or NULL
 * @table: the fields as types/ describes them
 * @files: instances in which the event is on: &struct event_link (RCU)
 * @len: bytes of a record, without the data behind the fields
 * @nr_fields: number of @fields
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

/**
 * synth_event_get - find a synthetic event, and prevent its removal
 * @name: name of the event
 *
 * Context: may sleep; events_lock held.
 * Return: the event, for synth_event_put(); NULL if there is none, or if its module is being
 * unloaded.
 */
struct synth_event *synth_event_get(const char *name);

/**
 * synth_event_put - undo synth_event_get()
 * @event: the event, which may be removed from now on
 *
 * Context: any.
 */
void synth_event_put(struct synth_event *event);

/* Number of synthetic events that a CPU is recording, one inside the other. */
DECLARE_PER_CPU(unsigned int, synth_nested);

/* True while the CPU records a synthetic event, which may be what is hit now. Context: any. */
static __always_inline bool synth_is_nested(void)
{
	return raw_cpu_read(synth_nested);
}

/**
 * synth_event_hit - record a synthetic event in all instances where it is on
 * @event: the event
 * @vals: value of each field: a number, or the address of a string or a stack. A stack is an array
 *	of long: the number of addresses, and the addresses
 * @lens: for each field the bytes that are readable at the address; unused for numbers
 * @word: trace_preempt_word() of the hit that generates the event
 *
 * Hits that nest deeper than TRACE_SCRATCH_DEPTH_* are lost, and counted as lost in each instance.
 *
 * Context: a trigger: any, NMI included, with preemption off and inside the guard.
 */
void synth_event_hit(const struct synth_event *event, const u64 *vals, const u16 *lens,
		     unsigned int word);

#endif /* _KERNEL_TRACE_SYNTH_H */
