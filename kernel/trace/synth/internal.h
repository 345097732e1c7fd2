/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files of synth/.
 *
 * text.c has the kind of dynamic events, and parses definitions of events, fields.c their fields;
 * events.c creates and removes events, record.c makes records, print.c prints them; api.c is the
 * interface of modules.
 */
#ifndef _KERNEL_TRACE_SYNTH_INTERNAL_H
#define _KERNEL_TRACE_SYNTH_INTERNAL_H

#include "command/text.h"
#include "synth.h"

struct seq_file;
struct trace_event_file;

/* System of the events. */
#define SYNTH_SYSTEM	"synthetic"

/* Bytes of the longest record, which fits into the ring buffer for any size of its sub-buffers. */
#define SYNTH_LEN_MAX	3840U

/* Errors in the definition of an event. */
#define SYNTH_ERR_NAME		"Illegal name"
#define SYNTH_ERR_COMMAND	"Command must be of the form: <name> field[;field] ..."
#define SYNTH_ERR_DYN_COMMAND	\
	"Command must be of the form: s or -:[synthetic/]<name> field[;field] ..."
#define SYNTH_ERR_EXISTS	"Event already exists"
#define SYNTH_ERR_MANY_FIELDS	"Too many fields"
#define SYNTH_ERR_HALF_TYPE	"Incomplete type"
#define SYNTH_ERR_TYPE		"Invalid type"
#define SYNTH_ERR_FIELD		"Invalid field"
#define SYNTH_ERR_ARRAY		"Invalid array specification"
#define SYNTH_ERR_TAKEN		"Event name is reserved for a file of its group"
#define SYNTH_ERR_NAME_TAKEN	"Field name is already used"
#define SYNTH_ERR_LENGTH	"A record would be too long"

/**
 * synth_is_name - is a word a valid name of an event or a field?
 * @name: the word
 *
 * Context: any.
 * Return: true for a C identifier.
 */
bool synth_is_name(const char *name);

/**
 * synth_fields_parse - parse ``TYPE NAME; TYPE NAME ...``
 * @text: definition of the event
 * @words: the fields; they are cut into words
 * @fields: array of SYNTH_FIELDS_MAX fields that is filled in, for synth_fields_free()
 * @nr: set to the number of fields that need synth_fields_free(), also if parsing fails
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, logged; -ENOMEM.
 */
int synth_fields_parse(const struct cmd_text *text, char *words, struct synth_field *fields,
		       unsigned int *nr);

/**
 * synth_fields_free - free the names and types of fields
 * @fields: array of fields, which is itself not freed
 * @nr: number of @fields
 *
 * Context: may sleep.
 */
void synth_fields_free(struct synth_field *fields, unsigned int nr);

/**
 * synth_is_type - is a text a valid type of a field?
 * @type: the text
 *
 * Context: may sleep.
 * Return: true if it is; false also if there is no memory.
 */
bool synth_is_type(const char *type);

/**
 * synth_event_make - create a synthetic event, and register it
 * @text: definition of the event
 * @name: name of the event
 * @words: fields of the event, for synth_fields_parse()
 * @mod: module that creates the event, or NULL
 *
 * Context: may sleep; dyn_events_lock held.
 * Return: the event, for dyn_event_add(); or ERR_PTR(): -EINVAL or -EEXIST, logged; or another
 * errno.
 */
struct synth_event *synth_event_make(const struct cmd_text *text, const char *name, char *words,
				     struct module *mod);

/**
 * synth_execute - execute a line of synthetic_events
 * @line: ``NAME FIELDS`` to create an event, or ``!NAME ...`` to remove one; it is cut into words
 * @mod: module that creates the event, or NULL
 *
 * Context: may sleep; dyn_events_lock held.
 * Return: 0; -EINVAL or -EEXIST, logged, if the event cannot be created; -ENOENT or -EBUSY if it
 * cannot be removed; or another errno.
 */
int synth_execute(char *line, struct module *mod);

/**
 * synth_event_remove - remove a synthetic event
 * @name: name of the event
 *
 * Context: may sleep; dyn_events_lock held.
 * Return: 0; -ENOENT if there is none; -EBUSY if it is on or in use.
 */
int synth_event_remove(const char *name);

/**
 * synth_dyn_remove - remove a synthetic event: &dyn_event_kind.remove
 * @ev: the event
 *
 * Context: may sleep; dyn_events_lock held.
 * Return: 0; -EBUSY if it is on or in use.
 */
int synth_dyn_remove(struct dyn_event *ev);

/**
 * synth_show - print the definition of an event, as in synthetic_events
 * @m: where to print
 * @event: the event
 *
 * Context: may sleep; dyn_events_lock held.
 */
void synth_show(struct seq_file *m, const struct synth_event *event);

static inline struct synth_event *dyn_to_synth(const struct dyn_event *ev)
{
	return container_of(ev, struct synth_event, dyn);
}

/* The synthetic event of an event call whose class has synth_reg(). */
static inline struct synth_event *synth_event_of(const struct trace_event_call *call)
{
	return container_of(call, struct synth_event, call);
}

/**
 * synth_reg - &trace_event_class.reg: enable or disable a synthetic event in an instance
 * @call: event call of the synthetic event
 * @what: TRACE_REG_*
 * @data: &struct trace_event_file of the event in the instance
 *
 * Synthetic events are recognized by this callback.
 *
 * Context: may sleep; events_lock held.
 * Return: 0; -EBUSY if the module of the event is being unloaded; -EOPNOTSUPP for other @what; or
 * another errno.
 */
int synth_reg(struct trace_event_call *call, enum trace_reg what, void *data);

/* Output and fields of synthetic events. */
extern const struct trace_event_class_ops synth_ops;

/**
 * struct synth_vals - values of a record
 * @vals: value of each field, as for synth_event_hit()
 * @lens: readable bytes at each address, as for synth_event_hit(); NULL if all strings are
 *	terminated by a NUL
 */
struct synth_vals {
	const u64	*vals;
	const u16	*lens;
};

/**
 * synth_room - calculate the size of the data behind the fields of a record
 * @event: the event
 * @from: values of the record
 *
 * Context: any, NMI included.
 * Return: size in bytes.
 */
unsigned int synth_room(const struct synth_event *event, const struct synth_vals *from);

/**
 * synth_fill - fill a record in
 * @event: the event
 * @rec: the record, of @event->len + @room bytes
 * @room: size from synth_room(); strings that have grown since are cut
 * @from: values of the record, the same as for synth_room()
 *
 * Context: any, NMI included.
 */
void synth_fill(const struct synth_event *event, void *rec, unsigned int room,
		const struct synth_vals *from);

/**
 * synth_put_field - fill in a field that is a number, or an array of char of fixed size
 * @rec: the record
 * @f: the field
 * @val: number, or address of a string
 * @len: bytes that are readable at the address
 *
 * Context: any, NMI included.
 */
void synth_put_field(void *rec, const struct synth_field *f, u64 val, unsigned int len);

#endif /* _KERNEL_TRACE_SYNTH_INTERNAL_H */
