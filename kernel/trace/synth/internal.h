/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of synth/: text.c understands what is written, fields.c the fields in it, events.c
 * has events come and go, record.c makes their records, print.c prints them, and api.c is for
 * modules.
 */
#ifndef _KERNEL_TRACE_SYNTH_INTERNAL_H
#define _KERNEL_TRACE_SYNTH_INTERNAL_H

#include "synth.h"

struct seq_file;
struct trace_event_file;

/* The longest record, which the ring buffer has room for whatever its pages are. */
#define SYNTH_LEN_MAX	3840U

/* What is wrong with a text. */
enum {
	SYNTH_ERR_NAME, SYNTH_ERR_COMMAND, SYNTH_ERR_DYN_COMMAND, SYNTH_ERR_EXISTS,
	SYNTH_ERR_MANY_FIELDS, SYNTH_ERR_HALF_TYPE, SYNTH_ERR_TYPE, SYNTH_ERR_FIELD,
	SYNTH_ERR_ARRAY, SYNTH_ERR_LENGTH, SYNTH_ERR_TAKEN, SYNTH_ERR_NAME_TAKEN,
	NR_SYNTH_ERRORS
};

/**
 * struct synth_text - a text that is being understood
 * @whole: as it was written
 * @text: the same, of which pieces have been cut off
 */
struct synth_text {
	const char	*whole;
	char		*text;
};

/* Log what is wrong, at @at of the text, or NULL. Context: may sleep. Return: -EINVAL. */
int synth_refuse(const struct synth_text *text, const char *at, u8 what);

/* Letters, digits and _, of which a digit is not the first. */
bool synth_is_name(const char *name);

/**
 * synth_fields_parse - understand ``TYPE NAME; TYPE NAME ...``
 * @text: what it is part of
 * @words: the fields, which are changed
 * @fields: filled in, SYNTH_FIELDS_MAX at most, for synth_fields_free()
 * @nr: set to how many there are, also if it fails
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, logged; -ENOMEM.
 */
int synth_fields_parse(const struct synth_text *text, char *words, struct synth_field *fields,
		       unsigned int *nr);

void synth_fields_free(struct synth_field *fields, unsigned int nr);

/* Is it the type of a field? Context: may sleep. */
bool synth_is_type(const char *type);

/**
 * synth_event_make - have a synthetic event
 * @text: what it was made by
 * @name: what it is to be called
 * @words: its fields, as those of synth_fields_parse()
 * @mod: whose it is, or NULL
 *
 * Context: may sleep; dyn_events_lock held.
 * Return: 0; -EINVAL or -EEXIST, logged; or another errno.
 */
int synth_event_make(const struct synth_text *text, const char *name, char *words,
		     struct module *mod);

/**
 * synth_obey - obey a line of synthetic_events
 * @line: ``NAME FIELDS``, or ``!NAME ...`` to take it away; it is changed
 * @mod: whose the event is, or NULL
 *
 * Context: may sleep; dyn_events_lock held.
 * Return: as synth_event_make(); -ENOENT or -EBUSY if it cannot be taken away.
 */
int synth_obey(char *line, struct module *mod);

/* Take the event of a name away. Context and return: as synth_obey(). */
int synth_event_remove(const char *name);

/* What is written to dynamic_events, and what is read there and in synthetic_events. */
int synth_create(const char *line);
void synth_show(struct seq_file *m, const struct synth_event *event);

/* The kind of dynamic events that they are. */
extern struct dyn_event_kind synth_events;

static inline struct synth_event *synth_event_of(const struct trace_event_call *call)
{
	return container_of(call, struct synth_event, call);
}

/* &trace_event_class.reg, by which they are known, and .ops */
int synth_reg(struct trace_event_call *call, enum trace_reg what, void *data);
extern const struct trace_event_class_ops synth_ops;

/**
 * struct synth_vals - what a record is to have
 * @vals: as those of synth_event_hit()
 * @lens: likewise, or NULL for strings that end by a NUL
 */
struct synth_vals {
	const u64	*vals;
	const u16	*lens;
};

/**
 * synth_room - how much comes behind the fields of a record
 * @event: the event
 * @from: what there is to be
 *
 * Context: any, NMI included.
 * Return: bytes.
 */
unsigned int synth_room(const struct synth_event *event, const struct synth_vals *from);

/**
 * synth_fill - fill a record in
 * @event: the event
 * @rec: the record, of @event->len and @room bytes
 * @room: from synth_room(); what strings have become longer by since is cut off
 * @from: likewise
 *
 * Context: any, NMI included.
 */
void synth_fill(const struct synth_event *event, void *rec, unsigned int room,
		const struct synth_vals *from);

/**
 * synth_put - fill in a field that is a number, or so many characters
 * @rec: the record
 * @f: the field
 * @val: as those of synth_event_hit()
 * @len: how many bytes there are of a string
 *
 * Context: likewise.
 */
void synth_put(void *rec, const struct synth_field *f, u64 val, unsigned int len);

#endif /* _KERNEL_TRACE_SYNTH_INTERNAL_H */
