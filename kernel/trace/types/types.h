/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a record is: its number, its name, its fields, and how each format prints it, in
 * one description. The buffer holds bytes; whoever reads them, the kernel by its lines or
 * a tool by the files under events/, knows them by this.
 *
 * A type of the tracer's own has its number for good and is a row of the table in
 * boot/types.c. One that comes and goes with other code is given a number:
 *
 *	static struct record_type my_type = {
 *		.name = "my_record", .fields = my_fields, .class = &my_class,
 *	};
 *	err = record_type_register(&my_type);
 *	... records with my_type.id in trace_entry.type ...
 *	record_type_unregister(&my_type);
 */
#ifndef _KERNEL_TRACE_TYPES_H
#define _KERNEL_TRACE_TYPES_H

#include <linux/init.h>
#include <linux/math.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/types.h>
#include <linux/unaligned.h>

struct seq_file;
struct trace_output;

/**
 * enum trace_type - the numbers of the tracer's own types
 *
 * Given to user space as ``ID:`` of the format files; gaps belong to tracers
 * that this kernel does not have.  Numbers from TRACE_FIRST_EVENT on are given
 * out by record_type_register().
 */
enum trace_type {
	TRACE_FN		= 1,
	TRACE_CTX		= 2,
	TRACE_WAKE		= 3,
	TRACE_STACK		= 4,
	TRACE_PRINT		= 5,
	TRACE_BPRINT		= 6,
	TRACE_GRAPH_RET		= 10,
	TRACE_GRAPH_ENT		= 11,
	TRACE_USER_STACK	= 12,
	TRACE_BPUTS		= 14,
	TRACE_RAW_DATA		= 18,
	TRACE_FUNC_REPEATS	= 19,
	TRACE_FIRST_EVENT	= 20,
};

/**
 * typedef record_print_fn - print what is special to one type of record
 * @o: the output; the record is @o->r.ent, its type @o->type, and the text goes to @o->seq
 *	(output/output.h)
 *
 * The text ends with a newline, except in the formats hex, to which
 * output_line() adds one, and binary.
 *
 * Context: may sleep unless @o->r.atomic; that of the dump on oops is any, NMI
 * included. record_types_lock() is held unless @o->r.atomic.
 *
 * Return: TRACE_TYPE_HANDLED, or what output_done() makes of a full sequence.
 */
typedef enum print_line_t (*record_print_fn)(struct trace_output *o);

/**
 * struct record_class - how types of one kind print
 * @text: for people, behind the columns that all types share
 * @raw: option raw: numbers
 * @hex: option hex
 * @binary: option bin
 * @message: what somebody says by this record, and only that: option printk-msg-only,
 *	and comments between the lines of function_graph. NULL where it is no message.
 *
 * A format that is NULL prints "type: N". Option fields goes by the fields instead of @text.
 */
struct record_class {
	record_print_fn	text;
	record_print_fn	raw;
	record_print_fn	hex;
	record_print_fn	binary;
	void		(*message)(struct trace_output *o);
};

/**
 * struct record_type - a type of record
 * @name: its directory under events/
 * @id: its number, in trace_entry.type of each such record
 * @key: a number that no other type has had or will have; set with @id
 * @size: of its shortest record; set with @id. 0 for a type of the tracer's own
 * @has_id: there is a file id, by which perf knows an event that can be opened
 * @fields: the fields behind the common ones, ended by a NULL type
 * @print_fmt: what follows ``print fmt: `` in the format file
 * @class: how it prints
 */
struct record_type {
	const char			*name;
	unsigned int			id;
	u32				key;
	unsigned int			size;
	bool				has_id;
	const struct trace_event_fields	*fields;
	const char			*print_fmt;
	const struct record_class	*class;
};

/**
 * record_field_is_text - is a field an array of char, wherever it is
 * @f: the field
 *
 * Context: any.
 */
static inline bool record_field_is_text(const struct trace_event_fields *f)
{
	return strstr(f->type, "char[");
}

/**
 * record_field_is_data_loc - does a field say where an array is, from the record on
 * @f: the field
 *
 * Context: any.
 */
static inline bool record_field_is_data_loc(const struct trace_event_fields *f)
{
	return strstarts(f->type, "__data_loc");
}

/**
 * record_field_is_rel_loc - does it say so from behind itself on
 * @f: the field
 *
 * Context: any.
 */
static inline bool record_field_is_rel_loc(const struct trace_event_fields *f)
{
	return strstarts(f->type, "__rel_loc");
}

/**
 * record_field_is_located - does a field say where an array is, in either way
 * @f: the field
 *
 * Context: any.
 */
static inline bool record_field_is_located(const struct trace_event_fields *f)
{
	return record_field_is_data_loc(f) || record_field_is_rel_loc(f);
}

/**
 * record_field_points_to_text - is a field the address of a string, in whatever memory
 * @f: the field
 *
 * Context: any.
 */
static inline bool record_field_points_to_text(const struct trace_event_fields *f)
{
	return !strcmp(f->type, "char *") || !strcmp(f->type, "const char *") ||
	       !strcmp(f->type, "char*") || !strcmp(f->type, "const char*");
}

/**
 * record_field_is_pointer_to_text - is a field the address of a string in the kernel
 * @f: the field
 *
 * Context: any.
 */
static inline bool record_field_is_pointer_to_text(const struct trace_event_fields *f)
{
	return f->filter_type != FILTER_NUMBER && record_field_points_to_text(f);
}

/**
 * record_field_place - where a field is in the record
 * @f: the field
 * @end: behind the field before it, or behind the common ones
 *
 * Context: any.
 */
static inline unsigned int record_field_place(const struct trace_event_fields *f,
					      unsigned int end)
{
	return f->offset ?: round_up(end, f->align ?: 1);
}

/**
 * record_fields_begin - visit fields in their order
 * @fields: a table of them, of which the last one has a NULL type
 * @at: set to where the first one is
 *
 *	for (f = record_fields_begin(fields, &at); f->type; f = record_field_next(f, &at))
 *
 * Context: any.
 * Return: the first one.
 */
static inline const struct trace_event_fields *
record_fields_begin(const struct trace_event_fields *fields, unsigned int *at)
{
	*at = record_field_place(fields, sizeof(struct trace_entry));
	return fields;
}

/**
 * record_field_next - the field behind another one
 * @f: that one
 * @at: where it is; set to where the next one is
 *
 * Context: any.
 * Return: the next one, or the end of the table.
 */
static inline const struct trace_event_fields *
record_field_next(const struct trace_event_fields *f, unsigned int *at)
{
	*at = record_field_place(f + 1, *at + f->size);
	return f + 1;
}

/**
 * record_field_find - the field of a name
 * @fields: a table of them, of which the last one has a NULL type
 * @name: the name, which need not end by a NUL
 * @len: how long it is
 * @at: set to where the field is, if there is one
 *
 * Context: any.
 * Return: the field, or NULL.
 */
static inline const struct trace_event_fields *
record_field_find(const struct trace_event_fields *fields, const char *name, size_t len,
		  unsigned int *at)
{
	const struct trace_event_fields *f;

	for (f = record_fields_begin(fields, at); f->type; f = record_field_next(f, at))
		if (strlen(f->name) == len && !memcmp(f->name, name, len))
			return f;
	return NULL;
}

/**
 * record_number - what a field is that is a number
 * @at: where the field is, which need not be where such a number can be
 * @size: of the field
 *
 * Context: any.
 * Return: the number, without its sign.
 */
static inline u64 record_number(const void *at, unsigned int size)
{
	switch (size) {
	case 1:
		return *(const u8 *)at;
	case 2:
		return get_unaligned((const u16 *)at);
	case 4:
		return get_unaligned((const u32 *)at);
	default:
		return get_unaligned((const u64 *)at);
	}
}

/**
 * record_put_number - fill in a field that is a number
 * @to: where the field is, likewise
 * @size: of the field
 * @number: what it is to be; what does not fit is cut off
 *
 * Context: any.
 */
static inline void record_put_number(void *to, unsigned int size, u64 number)
{
	switch (size) {
	case 1:
		*(u8 *)to = number;
		break;
	case 2:
		put_unaligned(number, (u16 *)to);
		break;
	case 4:
		put_unaligned(number, (u32 *)to);
		break;
	default:
		put_unaligned(number, (u64 *)to);
	}
}

/**
 * record_type_key - a number of a type that it shares with none that is gone
 * @type: the type
 *
 * By @type->id one that came later may be found, when numbers have begun anew.
 *
 * Context: any.
 * Return: the number; its lower half is @type->id.
 */
static inline u32 record_type_key(const struct record_type *type)
{
	return type->id < TRACE_FIRST_EVENT ? type->id : type->key;
}

/* The fields that each record begins with, ended by a NULL type. */
extern const struct trace_event_fields record_common_fields[];

/**
 * record_common_find - the field of a name, of those that each record begins with
 * @name: the name, which need not end by a NUL
 * @len: how long it is
 * @at: set to where the field is, if there is one
 *
 * Context: any.
 * Return: the field, or NULL.
 */
static inline const struct trace_event_fields *
record_common_find(const char *name, size_t len, unsigned int *at)
{
	const struct trace_event_fields *f;

	/* They say where they are: the first one is at 0. */
	for (f = record_common_fields; f->type; f++) {
		if (strlen(f->name) == len && !memcmp(f->name, name, len)) {
			*at = f->offset;
			return f;
		}
	}
	return NULL;
}

/**
 * record_type_add - make a type of the tracer's own known
 * @type: its @id is below TRACE_FIRST_EVENT; stays for good
 *
 * Context: boot, before anything is recorded.
 */
void __init record_type_add(const struct record_type *type);

/**
 * record_type_register - make another type known
 * @type: its @id, @key and @size are set; stays until record_type_unregister()
 *
 * Numbers are not used again soon, so that a record of a type that is gone does not print
 * as one of another. In the end they are: who prints by a type does not rely on what the
 * record says, and who remembers one remembers its record_type_key().
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM, or -EBUSY when all numbers are in use.
 */
int record_type_register(struct record_type *type);

/**
 * record_type_unregister - a type is about to go
 * @type: from record_type_register()
 *
 * Waits for lines that are being printed, but not for the dump on oops, which may still
 * print by it until a grace period of RCU is over. Records of that type that are still in a
 * buffer print as unknown.
 *
 * Context: sleeps; not under record_types_lock().
 */
void record_type_unregister(const struct record_type *type);

/**
 * record_type_of - the type of a number
 * @id: any number
 *
 * Context: record_types_lock() held, or where types do not go.
 * Return: the type; NULL where there is none.
 */
const struct record_type *record_type_of(unsigned int id);

/**
 * record_types_lock - keep types from going away
 *
 * Held around output_line(), by as many as want to. The dump on oops does
 * without.
 *
 * Context: may sleep; taken inside the locks of readers and of their files.
 */
void record_types_lock(void);

/**
 * record_types_unlock - types may go away
 *
 * Context: any that may have taken record_types_lock().
 */
void record_types_unlock(void);

/**
 * record_format_show - print the format file of a type
 * @m: where to
 * @type: the type
 * @print_fmt: prints what follows ``print fmt: ``
 *
 * Context: may sleep; the type stays meanwhile.
 */
void record_format_show(struct seq_file *m, const struct record_type *type,
			void (*print_fmt)(struct seq_file *m, const struct record_type *type));

#endif /* _KERNEL_TRACE_TYPES_H */
