/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User events: a program registers an event, its fields, and a bit in its memory through the file
 * user_events_data. The bit is set while the event is on; the program then writes records to the
 * same file (Documentation/trace/user_events.rst).
 *
 * fields.c parses the fields of an event, events.c adds and removes events, users.c counts their
 * users, enable.c keeps the enable bits in the memory of programs, which memory.c writes, record.c
 * makes records, print.c describes events and records, and files.c has the control files.
 */
#ifndef _KERNEL_TRACE_USER_EVENTS_INTERNAL_H
#define _KERNEL_TRACE_USER_EVENTS_INTERNAL_H

#include <linux/atomic.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/trace_events.h>
#include <linux/types.h>
#include <linux/user_events.h>
#include <linux/workqueue.h>

#include "dynevent/dynevent.h"

struct seq_file;

/* ------------------------------------------------------------------ */
/* Fields								*/

/* Bytes of the longest record: the location of a string in it has 16 bits. */
#define USER_RECORD_MAX		U16_MAX

/**
 * struct user_fields - the fields of an event
 * @words: text that the program has written, cut into pieces, to which @table points
 * @table: the fields in their order, ended by an entry with a NULL type
 * @nr: number of fields
 * @len: bytes of a record without the dynamic data behind its fields
 * @located: true if a field is a __data_loc or __rel_loc, the location of dynamic data
 */
struct user_fields {
	char				*words;
	struct trace_event_fields	*table;
	unsigned int			nr;
	unsigned int			len;
	bool				located;
};

/**
 * user_fields_parse - parse ``TYPE NAME [SIZE]; TYPE NAME [SIZE] ...``
 * @fields: set to the fields; the caller passes it to user_fields_free(), also after a failure
 * @words: text of the fields, or NULL for none
 *
 * Context: may sleep.
 * Return: 0, -EINVAL or -ENOMEM.
 */
int user_fields_parse(struct user_fields *fields, const char *words);

/**
 * user_fields_free - free the fields of an event
 * @fields: the fields, from user_fields_parse()
 *
 * Context: may sleep.
 */
void user_fields_free(struct user_fields *fields);

/**
 * user_fields_are_same - compare the fields of two events
 * @a: fields of one event
 * @b: fields of another event
 *
 * Context: any.
 * Return: true if types, names and sizes are equal, in the same order.
 */
bool user_fields_are_same(const struct user_fields *a, const struct user_fields *b);

/**
 * user_fields_check - check the locations of dynamic data in a record
 * @fields: fields of the event
 * @rec: the record
 * @len: bytes of @rec, at least @fields->len
 *
 * Each location must be inside the record, and a string must end by a NUL there.
 *
 * Context: any.
 * Return: 0 or -EFAULT.
 */
int user_fields_check(const struct user_fields *fields, const void *rec, unsigned int len);

/**
 * user_type_fmt - the printf() format for a value of a type
 * @type: type of a field, as the program has written it
 *
 * Context: any.
 * Return: the format; "%s" for strings, and "%llu" for types that only the program knows.
 */
const char *user_type_fmt(const char *type);

/* ------------------------------------------------------------------ */
/* Events								*/

/**
 * struct user_event - an event of programs
 * @call: the event
 * @class: class of @call, used by no other event
 * @dyn: entry among all dynamic events
 * @name: name that programs use; the name of @call may have a number appended
 * @fields: fields of the event
 * @multi: true if other events of this name may have other fields
 * @persistent: true if the event is kept without users
 * @users: number of file slots and enable bits, and of callers about to add one. Incremented from
 *	0 only under dyn_events_lock
 * @files: links to the instances and to perf, where the event is on
 * @bits: each &struct user_bit that reflects whether the event is on; see enable.c
 * @consumers: USER_EVENT_BY_*: who has the event on in @files; written under events_lock
 */
struct user_event {
	struct trace_event_call		call;
	struct trace_event_class	class;
	struct dyn_event		dyn;
	char				*name;
	struct user_fields		fields;
	bool				multi;
	bool				persistent;
	atomic_t			users;
	struct list_head		files;
	struct list_head		bits;
	u8				consumers;
};

#define USER_EVENT_BY_FTRACE	BIT(0)	/* the event is on in an instance */
#define USER_EVENT_BY_PERF	BIT(1)	/* the event is on for perf */

/* The events of programs as a kind of dynamic events. */
extern struct dyn_event_kind user_events;

static inline struct user_event *user_event_of(const struct trace_event_call *call)
{
	return container_of(call, struct user_event, call);
}

static inline struct user_event *to_user_event(const struct dyn_event *ev)
{
	return container_of(ev, struct user_event, dyn);
}

/**
 * user_event_get - find the event that a program describes, or create it
 * @text: ``NAME FIELDS``, cut in place
 * @flags: USER_EVENT_REG_*
 *
 * Context: may sleep; dyn_events_lock is held.
 * Return: the event, for user_event_put(); or ERR_PTR: -EINVAL for a bad text; -EPERM if the task
 * may not make persistent events; -EADDRINUSE if the event has other fields; -EMFILE if there are
 * too many events; -EEXIST if another kind of event has the name; -ENOMEM.
 */
struct user_event *user_event_get(char *text, unsigned int flags);

/**
 * user_event_put - drop a user of an event
 * @event: the event; a work removes it when its last user is gone, unless it is persistent
 *
 * Context: any but NMI.
 */
void user_event_put(struct user_event *event);

/**
 * user_events_delete - remove all events of a name
 * @name: name that programs use
 *
 * Context: may sleep; dyn_events_lock is held.
 * Return: 0; -ENOENT if there is no such event; -EBUSY if one of them has users; -EPERM if one of
 * them is persistent and the task lacks CAP_PERFMON. After the last two, events that come earlier
 * in the list have been removed.
 */
int user_events_delete(const char *name);

/**
 * user_events_sweep_init - set the function of the work that removes unused objects
 * @sweep: the function
 *
 * Context: boot, before the first event.
 */
void __init user_events_sweep_init(work_func_t sweep);

/**
 * user_events_sweep - schedule the work that removes unused objects
 *
 * The work removes events without users, and enable bits of programs that have ended.
 *
 * Context: any but NMI.
 */
void user_events_sweep(void);

/* Limit of the number of events, and of bits per program: sysctl kernel.user_events_max. */
extern unsigned int user_events_max;

/* Callbacks of the class of an event, which describe it; in print.c. */
extern const struct trace_event_class_ops user_event_ops;

/**
 * user_event_show - print the definition of an event for dynamic_events
 * @m: file to print to
 * @ev: the event
 *
 * Context: may sleep; dyn_events_lock is held.
 */
void user_event_show(struct seq_file *m, const struct dyn_event *ev);

/* ------------------------------------------------------------------ */
/* Enable bits								*/

/**
 * user_bit_add - make a bit of this program reflect whether an event is on
 * @event: the event; the bit becomes a user of it
 * @reg: address, size and number of the bit, checked by the caller
 *
 * Context: may sleep, for as long as the program delays its page faults; takes events_lock.
 * Return: 0, and the bit is written; -EADDRINUSE if the bit reflects an event already; -EFAULT if
 * it cannot be written; -EMFILE if the program has too many bits; -ENOMEM.
 */
int user_bit_add(struct user_event *event, const struct user_reg *reg);

/**
 * user_bit_is_taken - check whether a bit of this program reflects an event already
 * @addr: address of the number that holds the bit
 * @nr: number of the bit, 0 being the least significant one
 *
 * Context: may sleep.
 * Return: true if it does.
 */
bool user_bit_is_taken(unsigned long addr, unsigned int nr);

/**
 * user_bit_remove - undo user_bit_add(), and clear the bit
 * @addr: address of the number that holds the bit
 * @nr: number of the bit, 0 being the least significant one
 *
 * Context: may sleep, for as long as the program delays its page faults; takes events_lock.
 * Return: 0; -ENOENT if the bit reflects no event; -EFAULT if it can no longer be written.
 */
int user_bit_remove(unsigned long addr, unsigned int nr);

/**
 * user_bits_update - write the bits of an event that has been switched on or off
 * @event: the event
 *
 * A work writes those bits whose page is not in memory, or whose lock is taken.
 *
 * Context: may sleep; events_lock is held.
 */
void user_bits_update(struct user_event *event);

/**
 * user_bits_sweep - free the bits of programs that have ended
 *
 * Context: may sleep; takes events_lock.
 */
void user_bits_sweep(void);

/* ------------------------------------------------------------------ */
/* Memory of programs							*/

struct mm_struct;

/**
 * struct user_place - a bit in the memory of a program
 * @addr: address of the number that holds the bit
 * @size: bytes of that number, 4 or 8
 * @nr: number of the bit, 0 being the least significant one
 */
struct user_place {
	unsigned long	addr;
	u8		size;
	u8		nr;
};

/**
 * user_place_write - set or clear a bit
 * @mm: address space of the program, referenced by the caller
 * @place: the bit
 * @on: true to set the bit
 *
 * Context: may sleep; the mmap lock of @mm is held.
 * Return: 0; -EFAULT if the page is not present, or must be copied before it is written.
 */
int user_place_write(struct mm_struct *mm, const struct user_place *place, bool on);

/**
 * user_place_has_value - check whether a bit has a value already
 * @mm: address space of the program, referenced by the caller
 * @place: the bit
 * @on: the value
 *
 * Reading, unlike writing, does not copy a page that a child shares with its parent.
 *
 * Context: may sleep; the mmap lock of @mm is held.
 * Return: true if it has; false also if the page is not present.
 */
bool user_place_has_value(struct mm_struct *mm, const struct user_place *place, bool on);

/**
 * user_place_fault_in - fault in the page of a bit for writing
 * @mm: address space of the program, referenced by the caller
 * @place: the bit
 *
 * Context: may sleep, for as long as the program delays its page faults; the mmap lock of @mm is
 * held, and may be dropped and taken again.
 * Return: 0, or the errno of fixup_user_fault().
 */
int user_place_fault_in(struct mm_struct *mm, const struct user_place *place);

/* ------------------------------------------------------------------ */
/* Records								*/

/**
 * user_event_reg - switch an event on or off in an instance or for perf
 * @call: the event
 * @what: TRACE_REG_*
 * @data: the &struct trace_event_file of the instance or of perf
 *
 * &trace_event_class.reg of the events of programs.
 *
 * Context: may sleep; events_lock is held.
 * Return: 0; -EOPNOTSUPP for an unknown @what; or an errno of event_link_add().
 */
int user_event_reg(struct trace_event_call *call, enum trace_reg what, void *data);

struct iov_iter;

/**
 * user_event_write - record the fields that a program has written
 * @event: the event
 * @from: fields of the record, without the common header
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if the record is too short; -E2BIG if it is too long; -EBADF if the event is
 * off; -EFAULT if the memory cannot be read, or a location in the record is wrong; -ENOMEM.
 */
int user_event_write(struct user_event *event, struct iov_iter *from);

#endif /* _KERNEL_TRACE_USER_EVENTS_INTERNAL_H */
