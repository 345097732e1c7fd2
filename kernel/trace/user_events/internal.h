/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of user_events/: fields.c understands what fields a program names, events.c has events
 * come and go, enable.c keeps bits in the memory of programs, which memory.c writes, record.c makes
 * records, print.c tells what they are, and files.c is what programs open.
 */
#ifndef _KERNEL_TRACE_USER_EVENTS_INTERNAL_H
#define _KERNEL_TRACE_USER_EVENTS_INTERNAL_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/trace_events.h>
#include <linux/types.h>
#include <linux/user_events.h>

#include "dynevent/dynevent.h"
#include "user_events.h"

struct seq_file;

/* ------------------------------------------------------------------ */
/* Fields								*/

/* The longest record. Where a text is in it, 16 bits say. */
#define USER_RECORD_MAX		U16_MAX

/**
 * struct user_fields - the fields of an event
 * @words: what the program has written, cut into pieces, to which @table points
 * @table: the fields in their order, of which the last has a NULL type
 * @nr: how many
 * @len: of a record, without what texts need behind it
 * @located: some of them say where something is
 */
struct user_fields {
	char				*words;
	struct trace_event_fields	*table;
	unsigned int			nr;
	unsigned int			len;
	bool				located;
};

/**
 * user_fields_parse - understand ``TYPE NAME [SIZE]; TYPE NAME [SIZE] ...``
 * @fields: filled in, for user_fields_free(), also if it fails
 * @words: what is written, or NULL
 *
 * Context: may sleep.
 * Return: 0, -EINVAL or -ENOMEM.
 */
int user_fields_parse(struct user_fields *fields, const char *words);

void user_fields_free(struct user_fields *fields);

/* Are they the same, in the same order? Context: any. */
bool user_fields_are_same(const struct user_fields *a, const struct user_fields *b);

/**
 * user_fields_check - does what a record says of places hold
 * @fields: its fields
 * @rec: the record
 * @len: how long it is, at least @fields->len
 *
 * Each such place is in the record, and a text ends by a NUL there.
 *
 * Context: any.
 * Return: 0 or -EFAULT.
 */
int user_fields_check(const struct user_fields *fields, const void *rec, unsigned int len);

/* How a value of the type is printed. Context: any. */
const char *user_type_fmt(const char *type);

/* ------------------------------------------------------------------ */
/* Events								*/

/**
 * struct user_event - an event of programs
 * @call: the event
 * @class: of @call alone
 * @dyn: among all events that users make
 * @name: what programs call it; that of @call may have a number behind it
 * @fields: its fields
 * @multi: there may be others of that name with other fields
 * @stays: also when nobody uses it
 * @users: slots of files, bits, and who is about to have one. It becomes more than 0 under
 *	dyn_events_lock, and from 0 to less never
 * @files: where it is on
 * @bits: &struct user_bit that tell so; see enable.c
 * @who: USER_EVENT_BY_* of @files, under events_lock
 */
struct user_event {
	struct trace_event_call		call;
	struct trace_event_class	class;
	struct dyn_event		dyn;
	char				*name;
	struct user_fields		fields;
	bool				multi;
	bool				stays;
	atomic_t			users;
	struct list_head		files;
	struct list_head		bits;
	u8				who;
};

#define USER_EVENT_BY_FTRACE	BIT(0)
#define USER_EVENT_BY_PERF	BIT(1)

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
 * user_event_get - the event that a program describes, made if there is none
 * @text: ``NAME FIELDS``, which is changed
 * @flags: USER_EVENT_REG_*
 *
 * Context: may sleep; dyn_events_lock held.
 * Return: the event, for user_event_put(); or ERR_PTR: -EINVAL, -ENOMEM; -EPERM if it may
 * not stay; -EADDRINUSE if it has other fields; -EMFILE if there are too many; -EEXIST if there
 * is another event of that name.
 */
struct user_event *user_event_get(char *text, unsigned int flags);

/* It has one user less. The last one has it go, unless it stays. Context: any but NMI. */
void user_event_put(struct user_event *event);

/**
 * user_events_delete - take all events of a name away
 * @name: as programs call it
 *
 * Context: may sleep; dyn_events_lock held.
 * Return: 0; -ENOENT if there is none; -EBUSY if one is used, -EPERM if one stays and it is not
 * for this task to say: those before it are gone.
 */
int user_events_delete(const char *name);

/**
 * user_events_sweep - take away what nobody uses any more, soon
 *
 * Events without users, and bits of programs that have ended.
 *
 * Context: any but NMI.
 */
void user_events_sweep(void);

/* The most events that there may be, and may have been set to: kernel.user_events_max */
extern unsigned int user_events_max;

/* What an event is: print.c */
extern const struct trace_event_class_ops user_event_ops;
void user_event_show(struct seq_file *m, const struct dyn_event *ev);

/* ------------------------------------------------------------------ */
/* Bits									*/

/**
 * user_bit_add - have a bit of this program tell whether an event is on
 * @event: the event, of which the bit becomes a user
 * @reg: which bit, checked
 *
 * Context: may sleep, and for as long as the program likes; takes events_lock.
 * Return: 0, and the bit tells; -EADDRINUSE if it tells of an event already; -EFAULT if it
 * cannot be written; -EMFILE if the program has too many; -ENOMEM.
 */
int user_bit_add(struct user_event *event, const struct user_reg *reg);

/* Does a bit of this program tell of an event? Context: may sleep. */
bool user_bit_is_taken(unsigned long addr, unsigned int nr);

/**
 * user_bit_remove - the end of user_bit_add(): the bit is clear
 * @addr: where it is
 * @nr: which one
 *
 * Context: as there.
 * Return: 0; -ENOENT if it tells of nothing; -EFAULT if it cannot be written any more.
 */
int user_bit_remove(unsigned long addr, unsigned int nr);

/**
 * user_bits_show - an event has gone on or off: tell its programs
 * @event: the event
 *
 * A bit that is not in memory is written later.
 *
 * Context: may sleep; events_lock held.
 */
void user_bits_show(struct user_event *event);

/* Free the bits of programs that have ended. Context: may sleep; takes events_lock. */
void user_bits_sweep(void);

/* ------------------------------------------------------------------ */
/* Memory of programs							*/

struct mm_struct;

/**
 * struct user_place - a bit in the memory of a program
 * @addr: of the number that it is in
 * @size: of that
 * @nr: which one
 */
struct user_place {
	unsigned long	addr;
	u8		size;
	u8		nr;
};

/**
 * user_place_write - set a bit, or clear it
 * @mm: the memory, which stays
 * @place: the bit
 * @on: which of both
 *
 * Context: may sleep; mmap lock held.
 * Return: 0; -EFAULT if its page is not there, or is to be copied before it is written.
 */
int user_place_write(struct mm_struct *mm, const struct user_place *place, bool on);

/* Is it so already? Looking does not have a page copied that a child shares. Context: as there. */
bool user_place_tells(struct mm_struct *mm, const struct user_place *place, bool on);

/**
 * user_place_fault_in - have the page come, to be written
 * @mm: the memory, which stays
 * @place: the bit
 *
 * Context: may sleep, for as long as the program likes; mmap lock held, and perhaps not meanwhile.
 * Return: 0, or why it does not come.
 */
int user_place_fault_in(struct mm_struct *mm, const struct user_place *place);

/* ------------------------------------------------------------------ */
/* Records								*/

/* &trace_event_class.reg */
int user_event_reg(struct trace_event_call *call, enum trace_reg what, void *data);

struct iov_iter;

/**
 * user_event_write - record what a program has written
 * @event: the event
 * @from: its fields
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if it is too short, -E2BIG if too long; -EBADF if the event is off; -EFAULT
 * if it cannot be read, or says of itself what is not so; -ENOMEM.
 */
int user_event_write(struct user_event *event, struct iov_iter *from);

#endif /* _KERNEL_TRACE_USER_EVENTS_INTERNAL_H */
