/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types of records: the number, the name and the fields of a record, and how each format prints
 * it, in one description. The buffer holds bytes; its readers, the kernel for its lines and tools
 * by the files under events/, interpret them by this description.
 *
 * One of the tracer's own types has a fixed number and is a row of the table in boot/types.c. A
 * type of code that comes and goes is given a number:
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
 * @TRACE_FN: call of a function
 * @TRACE_CTX: context switch
 * @TRACE_WAKE: wakeup of a task
 * @TRACE_STACK: kernel stack
 * @TRACE_PRINT: text of trace_marker, or of a trace_printk() with a format that is not constant
 * @TRACE_BPRINT: format and arguments of a trace_printk()
 * @TRACE_GRAPH_RET: return of a function
 * @TRACE_GRAPH_ENT: entry of a function
 * @TRACE_USER_STACK: user stack
 * @TRACE_BPUTS: address of a constant string of trace_puts()
 * @TRACE_RAW_DATA: bytes written to trace_marker_raw
 * @TRACE_FUNC_REPEATS: number of repeated calls of a function
 * @TRACE_FIRST_EVENT: the first number for other types
 *
 * Visible to user space as ``ID:`` of the format files; missing numbers belong to tracers that
 * this kernel does not have, and stay free. Numbers from TRACE_FIRST_EVENT on are assigned by
 * record_type_register(); a new type gets that number, and TRACE_FIRST_EVENT moves up by one.
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
 * typedef record_print_fn - print the part of a line that is specific to the type of the record
 * @o: the output: the record is @o->r.ent, its type @o->type, and the text goes to @o->seq
 *	(output/output.h)
 *
 * The text ends with a newline, except in the formats hex, to which output_line() adds one, and
 * binary.
 *
 * Context: may sleep unless @o->r.atomic; with @o->r.atomic (dump on oops) any, NMI included.
 * record_types_lock() is held unless @o->r.atomic.
 *
 * Return: TRACE_TYPE_HANDLED, or the value of output_done() for a full sequence.
 */
typedef enum print_line_t (*record_print_fn)(struct trace_output *o);

/**
 * struct record_class - how types of one kind print
 * @text: for people, behind the columns that all types share
 * @raw: for option raw: numbers
 * @hex: for option hex
 * @binary: for option bin
 * @message: only the text of a message, for option printk-msg-only and for comments between the
 *	lines of function_graph; NULL if the record is not a message
 *
 * A format that is NULL prints "type: N". Option fields prints all fields in place of @text.
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
 * @id: its number, in trace_entry.type of each record
 * @key: a number that no other type has had or will have; set together with @id
 * @size: bytes of its shortest record; set together with @id. 0 for the tracer's own types
 * @has_id: true if there is a file id, by whose number perf opens the event
 * @fields: the fields behind the common ones, ended by a NULL type
 * @print_fmt: text behind ``print fmt:`` in the format file
 * @class: how records print
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
 * record_field_is_text - test whether a field is an array of char, in or behind the record
 * @f: the field
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool record_field_is_text(const struct trace_event_fields *f)
{
	return strstr(f->type, "char[");
}

/**
 * record_field_is_data_loc - test whether a field locates an array from the start of the record
 * @f: the field
 *
 * Context: any.
 * Return: true if it does.
 */
static inline bool record_field_is_data_loc(const struct trace_event_fields *f)
{
	return strstarts(f->type, "__data_loc");
}

/**
 * record_field_is_rel_loc - test whether a field locates an array from the end of the field
 * @f: the field
 *
 * Context: any.
 * Return: true if it does.
 */
static inline bool record_field_is_rel_loc(const struct trace_event_fields *f)
{
	return strstarts(f->type, "__rel_loc");
}

/**
 * record_field_is_located - test whether a field locates an array, by __data_loc or __rel_loc
 * @f: the field
 *
 * Context: any.
 * Return: true if it does.
 */
static inline bool record_field_is_located(const struct trace_event_fields *f)
{
	return record_field_is_data_loc(f) || record_field_is_rel_loc(f);
}

/**
 * record_field_points_to_text - test whether a field is the address of a string, in any memory
 * @f: the field
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool record_field_points_to_text(const struct trace_event_fields *f)
{
	return !strcmp(f->type, "char *") || !strcmp(f->type, "const char *") ||
	       !strcmp(f->type, "char*") || !strcmp(f->type, "const char*");
}

/**
 * record_field_is_pointer_to_text - test whether a field is the address of a kernel string
 * @f: the field
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool record_field_is_pointer_to_text(const struct trace_event_fields *f)
{
	return f->filter_type != FILTER_NUMBER && record_field_points_to_text(f);
}

/**
 * record_field_place - the offset of a field in its record
 * @f: the field
 * @end: end of the field before @f, or of the common fields
 *
 * Context: any.
 * Return: the offset in bytes.
 */
static inline unsigned int record_field_place(const struct trace_event_fields *f,
					      unsigned int end)
{
	return f->offset ?: round_up(end, f->align ?: 1);
}

/**
 * record_fields_begin - begin to walk fields in order
 * @fields: the fields, ended by a NULL type
 * @at: set to the offset of the first field
 *
 *	for (f = record_fields_begin(fields, &at); f->type; f = record_field_next(f, &at))
 *
 * Context: any.
 * Return: the first field.
 */
static inline const struct trace_event_fields *
record_fields_begin(const struct trace_event_fields *fields, unsigned int *at)
{
	*at = record_field_place(fields, sizeof(struct trace_entry));
	return fields;
}

/**
 * record_field_next - the field behind another one
 * @f: the other field
 * @at: offset of @f; set to that of the next field
 *
 * Context: any.
 * Return: the next field, or the end of the table.
 */
static inline const struct trace_event_fields *
record_field_next(const struct trace_event_fields *f, unsigned int *at)
{
	*at = record_field_place(f + 1, *at + f->size);
	return f + 1;
}

/**
 * record_field_find - find a field by name
 * @fields: the fields, ended by a NULL type
 * @name: the name, which need not end with a NUL
 * @len: length of @name
 * @at: set to the offset of the field, if there is one
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
 * record_number - read a number from a field
 * @at: address of the field; need not be aligned
 * @size: bytes of the field
 *
 * Context: any.
 * Return: the number, not sign-extended.
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
 * record_put_number - store a number in a field
 * @to: address of the field; need not be aligned
 * @size: bytes of the field
 * @number: the number; upper bits that do not fit are dropped
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
 * record_type_key - a number that identifies a type for good
 * @type: the type
 *
 * @type->id may be assigned again to another type; a key is not.
 *
 * Context: any.
 * Return: the key; its lower 16 bits are @type->id.
 */
static inline u32 record_type_key(const struct record_type *type)
{
	return type->id < TRACE_FIRST_EVENT ? type->id : type->key;
}

/* The fields that each record begins with, ended by a NULL type. */
extern const struct trace_event_fields record_common_fields[];

/**
 * record_common_find - find one of the common fields by name
 * @name: the name, which need not end with a NUL
 * @len: length of @name
 * @at: set to the offset of the field, if there is one
 *
 * Context: any.
 * Return: the field, or NULL.
 */
static inline const struct trace_event_fields *
record_common_find(const char *name, size_t len, unsigned int *at)
{
	const struct trace_event_fields *f;

	/* Common fields have their offsets in the table, so record_field_next() is not needed. */
	for (f = record_common_fields; f->type; f++) {
		if (strlen(f->name) == len && !memcmp(f->name, name, len)) {
			*at = f->offset;
			return f;
		}
	}
	return NULL;
}

/**
 * record_type_add - register one of the tracer's own types
 * @type: the type, with an @id below TRACE_FIRST_EVENT; stays for good
 *
 * Context: boot, before anything is recorded.
 */
void __init record_type_add(const struct record_type *type);

/**
 * record_type_register - register a type of record
 * @type: the type; @id, @key and @size are set; stays until record_type_unregister()
 *
 * A number is not assigned again soon, so that records of a removed type do not print as records
 * of another type. As it is assigned again eventually, code that prints by a type checks what the
 * record contains, and code that remembers a type remembers its record_type_key().
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM, or -EBUSY if all numbers are in use.
 */
int record_type_register(struct record_type *type);

/**
 * record_type_unregister - unregister a type of record
 * @type: from record_type_register()
 *
 * Waits for lines that are being printed, but not for a dump on oops: that may print by the type
 * until a grace period of RCU is over, for which the caller waits. Records of the type that are
 * still in a buffer print as unknown.
 *
 * Context: sleeps; not under record_types_lock().
 */
void record_type_unregister(const struct record_type *type);

/**
 * record_type_of - find a type by its number
 * @id: any number
 *
 * Context: record_types_lock() held, or where types cannot be removed.
 * Return: the type, or NULL.
 */
const struct record_type *record_type_of(unsigned int id);

/**
 * record_types_lock - keep types from being removed
 *
 * Held for reading around output_line(). A dump on oops does not take the lock.
 *
 * Context: may sleep; taken inside the locks of readers and of their files.
 */
void record_types_lock(void);

/**
 * record_types_unlock - allow types to be removed
 *
 * Context: as for record_types_lock().
 */
void record_types_unlock(void);

/**
 * record_format_show - print the format file of a type
 * @m: destination
 * @type: the type
 * @print_fmt: prints the text behind ``print fmt:``
 *
 * Context: may sleep; the caller keeps the type.
 */
void record_format_show(struct seq_file *m, const struct record_type *type,
			void (*print_fmt)(struct seq_file *m, const struct record_type *type));

#endif /* _KERNEL_TRACE_TYPES_H */
