/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events, as far as they concern code outside kernel/trace: the header of each record, how
 * events are described, recorded, printed and switched, and what perf and BPF use of them.
 */
#ifndef _LINUX_TRACE_EVENT_H
#define _LINUX_TRACE_EVENT_H

#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/hardirq.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/ring_buffer.h>
#include <linux/seq_buf.h>
#include <linux/trace_seq.h>
#include <linux/tracepoint.h>

struct bpf_prog_array;
struct event_filter;
struct record_class;
struct seq_file;
struct trace_array;
struct trace_event_call;

/**
 * struct trace_entry - header of each record of a trace
 * @type: ID of the kind of record, as the format file of the event shows it
 * @flags: bits of enum trace_flag_type: the context of the record
 * @preempt_count: low four bits the depth of preempt_disable(), high four the
 *	depth of migrate_disable()
 * @pid: PID of the task that was running; 0 for an idle task
 *
 * User space reads the header as the common_* fields of every format file, so neither the order
 * nor the sizes of the members can change.
 */
struct trace_entry {
	unsigned short	type;
	unsigned char	flags;
	unsigned char	preempt_count;
	int		pid;
};

/* The highest ID that fits into &trace_entry.type. */
#define TRACE_EVENT_TYPE_MAX	U16_MAX

/**
 * enum trace_flag_type - bits of &trace_entry.flags
 * @TRACE_FLAG_IRQS_OFF: interrupts were disabled
 * @TRACE_FLAG_IRQS_NOSUPPORT: the architecture does not know whether interrupts were disabled
 * @TRACE_FLAG_NEED_RESCHED: the task was asked to give up the CPU
 * @TRACE_FLAG_HARDIRQ: an interrupt was being handled
 * @TRACE_FLAG_SOFTIRQ: a softirq was being handled
 * @TRACE_FLAG_PREEMPT_RESCHED: the preemption count asked the task to give up the CPU
 * @TRACE_FLAG_NMI: an NMI was being handled
 * @TRACE_FLAG_BH_OFF: softirqs were disabled
 *
 * A printed line shows these bits as letters in its columns. Tools rely on the values.
 */
enum trace_flag_type {
	TRACE_FLAG_IRQS_OFF		= BIT(0),
	TRACE_FLAG_IRQS_NOSUPPORT	= BIT(1),
	TRACE_FLAG_NEED_RESCHED		= BIT(2),
	TRACE_FLAG_HARDIRQ		= BIT(3),
	TRACE_FLAG_SOFTIRQ		= BIT(4),
	TRACE_FLAG_PREEMPT_RESCHED	= BIT(5),
	TRACE_FLAG_NMI			= BIT(6),
	TRACE_FLAG_BH_OFF		= BIT(7),
};

/**
 * enum print_line_t - result of printing one record
 * @TRACE_TYPE_PARTIAL_LINE: the text did not fit; the caller empties the sequence and prints
 *	the record again
 * @TRACE_TYPE_HANDLED: the text is complete
 * @TRACE_TYPE_UNHANDLED: the record was not printed; the caller uses another format
 * @TRACE_TYPE_NO_CONSUME: the text is complete, but the record must not be consumed
 */
enum print_line_t {
	TRACE_TYPE_PARTIAL_LINE	= 0,
	TRACE_TYPE_HANDLED	= 1,
	TRACE_TYPE_UNHANDLED	= 2,
	TRACE_TYPE_NO_CONSUME	= 3,
};

/* The longest string that a filter on an event can compare, with its NUL. */
#define MAX_FILTER_STR_VAL	256U

/* The longest string that __vstring() makes, with its NUL. */
#define TRACE_EVENT_STR_MAX	512

/* Recorded in place of a string whose address is NULL. */
#define EVENT_NULL_STR		"(null)"

/* ------------------------------------------------------------------ */
/* Describing an event							*/

/**
 * enum trace_filter_type - how a filter interprets a field
 * @FILTER_OTHER: the type of the field decides: a number, or a string in the record
 * @FILTER_STATIC_STRING: an array of char
 * @FILTER_DYN_STRING: a string behind the fields; its offset counts from the start of the record
 * @FILTER_RDYN_STRING: a string behind the fields; its offset counts from the end of the word
 *	that holds the offset
 * @FILTER_PTR_STRING: the address of a string
 * @FILTER_TRACE_FN: the address of a function
 * @FILTER_CPUMASK: a bit for each CPU
 * @FILTER_COMM: the name of the current task; not a field of the record
 * @FILTER_CPU: the current CPU; not a field of the record
 * @FILTER_STACKTRACE: the addresses of a stack
 * @FILTER_NUMBER: a number, even if the type is a pointer: the memory that it points to is not
 *	the kernel's
 */
enum trace_filter_type {
	FILTER_OTHER = 0,
	FILTER_STATIC_STRING,
	FILTER_DYN_STRING,
	FILTER_RDYN_STRING,
	FILTER_PTR_STRING,
	FILTER_TRACE_FN,
	FILTER_CPUMASK,
	FILTER_COMM,
	FILTER_CPU,
	FILTER_STACKTRACE,
	FILTER_NUMBER,
};

/**
 * struct trace_event_fields - one field of a record, as a format file shows it
 * @type: type, for example ``unsigned long``, ``char[16]``, ``__data_loc char[]``; NULL ends a
 *	table of fields
 * @name: name of the field
 * @offset: bytes from the start of the record, common header included; 0 selects the first
 *	offset behind the previous field that @align allows
 * @size: size in bytes; 0 for an array that fills the rest of the record
 * @len: number of elements, if @type is an array
 * @align: alignment in bytes
 * @is_signed: true if the type, or the type of an element, is signed
 * @is_bytes: true for an array of char that is not text
 * @filter_type: enum trace_filter_type
 */
struct trace_event_fields {
	const char	*type;
	const char	*name;
	u16		offset;
	u16		size;
	u16		len;
	u8		align : 5;
	u8		is_signed : 1;
	u8		is_bytes : 1;
	u8		filter_type;
};

/* Alignment of a member of this type; on i386 it can be less than that of the type itself. */
#define TRACE_FIELD_ALIGN(_type)	offsetof(struct { char c; _type t; }, t)

struct trace_event;
struct trace_event_call;
struct trace_event_file;
struct trace_iterator;

/**
 * struct trace_event_line - a record that is printed as a line of text
 * @ent: the record
 * @tmp: empty sequence in which helpers build the strings that the format prints by %s
 * @iter: the reader that prints the record
 */
struct trace_event_line {
	void			*ent;
	struct trace_seq	*tmp;
	struct trace_iterator	*iter;
};

/**
 * trace_event_printf - print a record in the format of its event
 * @line: the record
 * @fmt: printf() format that ends with a newline
 *
 * Context: any: the dump on oops prints records in any context.
 */
__printf(2, 3) void trace_event_printf(struct trace_event_line *line, const char *fmt, ...);

typedef enum print_line_t (*trace_print_func)(struct trace_iterator *iter, int flags,
					      struct trace_event *event);

/**
 * struct trace_event_functions - functions that print the records of an event
 * @trace: prints the default format, for people
 * @raw: prints numbers, for the option raw
 * @hex: prints the format of the option hex
 * @binary: prints the format of the option bin
 */
struct trace_event_functions {
	trace_print_func	trace;
	trace_print_func	raw;
	trace_print_func	hex;
	trace_print_func	binary;
};

/**
 * struct trace_event - the ID of an event
 * @funcs: only set, by the macros of <linux/syscalls.h>; records are printed by the class of the
 *	event
 * @type: &trace_entry.type of its records, and ``ID:`` in its format file
 */
struct trace_event {
	struct trace_event_functions	*funcs;
	int				type;
};

/**
 * enum trace_reg - requests to &trace_event_class.reg
 * @TRACE_REG_REGISTER: start recording for an instance
 * @TRACE_REG_UNREGISTER: stop recording for an instance
 * @TRACE_REG_PERF_REGISTER: start recording for another consumer, such as perf
 * @TRACE_REG_PERF_UNREGISTER: stop recording for another consumer
 * @TRACE_REG_PERF_OPEN: a perf event was opened; not requested by the tracer
 * @TRACE_REG_PERF_CLOSE: a perf event is closed; not requested by the tracer
 * @TRACE_REG_PERF_ADD: a perf event starts to count on this CPU; not requested by the tracer
 * @TRACE_REG_PERF_DEL: a perf event stops counting on this CPU; not requested by the tracer
 */
enum trace_reg {
	TRACE_REG_REGISTER,
	TRACE_REG_UNREGISTER,
	TRACE_REG_PERF_REGISTER,
	TRACE_REG_PERF_UNREGISTER,
	TRACE_REG_PERF_OPEN,
	TRACE_REG_PERF_CLOSE,
	TRACE_REG_PERF_ADD,
	TRACE_REG_PERF_DEL,
};

/**
 * struct trace_event_class_ops - operations of a class whose events differ in their fields
 * @get_fields: returns the fields of one event behind the common ones. Called when the event is
 *	registered; memory that it allocates is never freed. ERR_PTR(-ENODEV) for an event that
 *	this kernel does not have, or ERR_PTR(-ENOMEM)
 * @show_fmt: prints the text behind ``print fmt:`` in the format file of the event
 * @update_tasks: updates an event that is on after perf has opened it for more tasks, or closed
 *	it for some; NULL if that makes no difference. Context: may sleep; events_lock held.
 *	Return: 0, or an errno
 * @set_programs: tells an event whose probes run BPF programs themselves where the list of programs
 *	is; NULL if there are none. Hits in flight may use the pointer from before until grace
 *	periods of RCU and of RCU tasks trace have passed. Context: process; events_lock held
 * @lines: prints the records
 */
struct trace_event_class_ops {
	const struct trace_event_fields *(*get_fields)(const struct trace_event_call *call);
	int				(*update_tasks)(struct trace_event_call *call, bool more);
	void				(*set_programs)(struct trace_event_call *call,
							struct bpf_prog_array __rcu **list);
	void				(*show_fmt)(struct seq_file *m,
						    const struct trace_event_call *call);
	const struct record_class	*lines;
};

/**
 * struct trace_event_class - description shared by events with the same fields
 * @system: name of the directory of the events below events/
 * @probe: callback for the tracepoint that makes a record; its first argument is the
 *	&struct trace_event_file
 * @reg: carries out a request of enum trace_reg for events without a tracepoint; NULL for events
 *	with a tracepoint
 * @fields_array: the fields behind the common ones, ended by a NULL type
 * @print: prints a record
 * @print_fmt: text behind ``print fmt:`` in the format file
 * @ops: replaces @fields_array, @print and @print_fmt unless it is NULL
 */
struct trace_event_class {
	const char			*system;
	void				*probe;
	int				(*reg)(struct trace_event_call *call,
					       enum trace_reg what, void *data);
	const struct trace_event_fields	*fields_array;
	void				(*print)(struct trace_event_line *line);
	const char			*print_fmt;
	const struct trace_event_class_ops *ops;
};

/**
 * enum trace_event_flags - flags of &trace_event_call.flags
 * @TRACE_EVENT_FL_CAP_ANY: perf lets any user count the event in the user's own tasks
 * @TRACE_EVENT_FL_TRACEPOINT: the event belongs to a tracepoint
 * @TRACE_EVENT_FL_DYNAMIC: the event was created at run time and may be removed again
 * @TRACE_EVENT_FL_KPROBE: the event is made by a kprobe
 * @TRACE_EVENT_FL_UPROBE: the event is made by a uprobe
 * @TRACE_EVENT_FL_FPROBE: the event is made by a probe at the entry or return of a function
 * @TRACE_EVENT_FL_CUSTOM: a module defines its own fields for the event of a tracepoint;
 *	TRACE_EVENT_FL_TRACEPOINT is set as well once the module has found the tracepoint
 */
enum trace_event_flags {
	TRACE_EVENT_FL_CAP_ANY		= BIT(1),
	TRACE_EVENT_FL_TRACEPOINT	= BIT(4),
	TRACE_EVENT_FL_DYNAMIC		= BIT(5),
	TRACE_EVENT_FL_KPROBE		= BIT(6),
	TRACE_EVENT_FL_UPROBE		= BIT(7),
	TRACE_EVENT_FL_FPROBE		= BIT(8),
	TRACE_EVENT_FL_CUSTOM		= BIT(9),
};

/**
 * struct trace_event_call - description of an event
 * @class: description shared with other events
 * @tp: the tracepoint of the event, with TRACE_EVENT_FL_TRACEPOINT
 * @name: name of the event, without TRACE_EVENT_FL_TRACEPOINT
 * @event: ID of the event
 * @flags: TRACE_EVENT_FL_*
 * @module: module that the event belongs to; NULL for the kernel
 * @data: private data of the creator of the event
 *
 * Every kernel contains one of these for each of its events, so they are kept small: data that
 * few events need is stored in other structures.
 */
struct trace_event_call {
	struct trace_event_class	*class;
	union {
		const char		*name;
		struct tracepoint	*tp;
	};
	struct trace_event		event;
	int				flags;
	struct module			*module;
	void				*data;
};

/**
 * trace_event_name - get the name of an event
 * @call: the event
 *
 * Context: any.
 * Return: the name.
 */
static inline const char *trace_event_name(const struct trace_event_call *call)
{
	return call->flags & TRACE_EVENT_FL_TRACEPOINT ? call->tp->name : call->name;
}

/* ------------------------------------------------------------------ */
/* Making a record							*/

/**
 * struct trace_event_head - the part of a &struct trace_event_file that the probe tests first
 * @stopped: per-CPU word: not 0 while a hit on that CPU makes no record and runs no triggers
 *
 * The first member of &struct trace_event_file.
 */
struct trace_event_head {
	unsigned long __percpu	*stopped;
};

struct event;
struct event_other_consumers;
struct event_filter;
struct event_system;
struct event_triggers;
struct eventfs_inode;
struct trace_array;

/**
 * struct trace_event_file - an event in an instance, or at another consumer
 * @head: @word, @triggers_idle, or a word that is always 0 or never 0
 * @tr: the instance; NULL with another consumer
 * @type: &record_type.id of the event
 * @how: EVENT_HOW_*: reasons for a record to leave the fast path; 0 if there are none
 * @filter: selects the records that are kept; event_no_filter keeps all (RCU)
 * @other_pid: offset in the record of the PID of the second task that the event is about; 0 if
 *	there is none
 * @other_consumers: the other consumer that takes the records, with EVENT_HOW_OTHER_CONSUMERS
 * @triggers: the triggers of the event, or NULL (RCU); see &struct event_trigger_ops
 * @triggers_idle: per-CPU word that is not 0 while @triggers have nothing to do; NULL if they
 *	are never idle
 * @soft_enabled: false while the event is soft-disabled, see event_soft_set()
 * @probed: true if the event is hit by probes in the kernel's code, which set &action_hit.regs
 * @switches: true if the event is a switch from the current task to the second task
 * @word: per-CPU word that is not 0 while no record may be made: in &trace_cpu.events, or for an
 *	event with @other_pid in &trace_cpu.events_two_tasks
 * @filter_text: content of its file filter, or NULL
 * @event: the event
 * @system: the system of the event in the instance
 * @dir: events/SYSTEM/EVENT, or NULL without files
 * @node_id: trace_node id that its files have as their data
 * @soft: number of event_soft_get() references, whose holders use event_soft_set()
 * @on: true if the probe is registered
 * @unsettled: node in the list of events whose probe was unregistered, until events_settle() has
 *	looked for remaining users of the tracepoint
 * @node: node in &instance_events.files
 *
 * @head to @word are read by the probe, or by event_soft_set(), in any context. The members
 * behind @word are protected by events_lock. Code outside kernel/trace may use @tr only.
 */
struct trace_event_file {
	struct trace_event_head	head;
	struct trace_array	*tr;
	unsigned int		type;
	unsigned int		how;
	struct event_filter __rcu *filter;
	unsigned int		other_pid;
	const struct event_other_consumers *other_consumers;
	struct event_triggers __rcu *triggers;
	unsigned long __percpu	*triggers_idle;
	bool			soft_enabled;
	bool			probed;
	bool			switches;
	unsigned long __percpu	*word;

	char			*filter_text;
	struct event		*event;
	struct event_system	*system;
	struct eventfs_inode	*dir;
	u32			node_id;
	unsigned int		soft;
	bool			on;
	struct hlist_node	unsettled;
	struct list_head	node;
};

/**
 * trace_event_is_stopped - test whether a hit makes no record and runs no triggers
 * @file: the &struct trace_event_file that the tracepoint passes to the probe
 *
 * The probe tests this before anything else.
 *
 * Context: the probe; preemption off.
 * Return: true if the probe can return at once.
 */
static __always_inline bool trace_event_is_stopped(const void *file)
{
	const struct trace_event_head *head = file;

	return unlikely(raw_cpu_read(*head->stopped));
}

/**
 * struct action_hit - a hit of an event or of a function, for the actions that it triggers
 * @from: address in the function that was called, or in the probe of the event
 * @word: trace_preempt_word() at the hit
 * @file: the event in its instance; NULL for a function
 * @rec: the complete record; NULL if no record can be read, and for a function
 * @regs: registers at the event; NULL for those of the probe's caller. The probe of an event
 *	with &trace_event_file.probed sets them before the record is reserved, too; for other
 *	events only perf reads them: see action_hit_regs()
 * @time: time of the hit by the clock of the instance: that of the record, if there is one;
 *	otherwise 0 until an action reads the clock for the first time
 */
struct action_hit {
	unsigned long		from;
	unsigned int		word;
	struct trace_event_file	*file;
	const void		*rec;
	struct pt_regs		*regs;
	u64			time;
};

/**
 * struct trace_event_buffer - a record that is being made
 * @trace_file: the event in its instance, or at another consumer
 * @event: address of the record
 * @reserved: address of the record's head in the ring buffer
 * @cpu: the per-CPU stream of the ring buffer
 * @next: position in @cpu behind the record
 * @kind: how the record is made: RECORD_* of kernel/trace/events/record_kinds.h
 * @len: bytes of the record
 * @ctx: context for the header of a record that goes into the ring buffer
 * @when: EVENT_HOW_* bits that select the triggers of a record that only triggers read
 * @consumer_data: private data of another consumer
 * @guard: state to restore when the guard is released
 * @inside: for other consumers: true if another event causes this one. The guard is held then,
 *	and &action_hit.word is set
 * @count: number of events that the record stands for, for perf
 * @task: second task that the event belongs to, for perf; NULL if there is none
 * @hit: describes the hit to triggers; the probe sets &action_hit.regs
 */
struct trace_event_buffer {
	struct trace_event_file	*trace_file;
	void			*event;
	void			*reserved;
	void			*cpu;
	unsigned long		next;
	unsigned int		kind;
	unsigned int		len;
	union {
		unsigned int	ctx;
		unsigned int	when;
		unsigned int	consumer_data;
	};
	unsigned int		guard;
	bool			inside;
	u64			count;
	struct task_struct	*task;
	struct action_hit	hit;
};

/**
 * trace_event_buffer_reserve - begin a record of an event
 * @fbuffer: filled in for trace_event_buffer_commit()
 * @trace_file: the event in its instance; trace_event_is_stopped() is false for it
 * @len: bytes of the record, with the common header
 *
 * Context: any, NMI included; preemption disabled exactly once since the event, until the commit.
 * Return: the record, its header filled in; NULL if no record is to be made.
 */
void *trace_event_buffer_reserve(struct trace_event_buffer *fbuffer,
				 struct trace_event_file *trace_file, unsigned long len);

/**
 * trace_event_buffer_reserve_for - begin a record of an event that counts more than once, or
 *	that belongs to a second task
 * @fbuffer: filled in for trace_event_buffer_commit()
 * @trace_file: the event in its instance; trace_event_is_stopped() is false for it
 * @len: bytes of the record, with the common header
 * @count: number of events that the record stands for, for perf
 * @task: task that the event belongs to in addition to the current one, for perf; or NULL
 *
 * Context: any, NMI included; preemption disabled exactly once since the event, until the commit.
 * Return: the record, its header filled in; NULL if no record is to be made.
 */
void *trace_event_buffer_reserve_for(struct trace_event_buffer *fbuffer,
				     struct trace_event_file *trace_file, unsigned long len,
				     u64 count, struct task_struct *task);

/*
 * Called by the probe of an event. The compiler knows whether the event uses __perf_count() or
 * __perf_task(): if it uses neither, @count and @task are not passed on.
 */
static __always_inline void *__trace_event_begin(struct trace_event_buffer *fbuffer, void *file,
						 unsigned long len, u64 count,
						 struct task_struct *task)
{
	if (__builtin_constant_p(!task) && !task && __builtin_constant_p(count == 1) && count == 1)
		return trace_event_buffer_reserve(fbuffer, file, len);
	return trace_event_buffer_reserve_for(fbuffer, file, len, count, task);
}

/**
 * trace_event_buffer_commit - end a record of an event
 * @fbuffer: from trace_event_buffer_reserve(); the record is complete
 *
 * Context: as for trace_event_buffer_reserve(), on the same CPU.
 */
void trace_event_buffer_commit(struct trace_event_buffer *fbuffer);

/* For the macros of <trace/trace_events.h>: the string that __string() records for @str. */
static inline const char *__trace_event_str(const char *str)
{
	return str ?: EVENT_NULL_STR;
}

/**
 * __trace_event_assign_str - copy the string of a __string() field into the record
 * @to: room for the string in the record
 * @size: bytes of the room, at least 1; the last one is set to NUL
 * @from: the string, of which @size - 1 bytes are copied; NULL records EVENT_NULL_STR
 *
 * For the macros of <trace/trace_events.h>.
 *
 * Context: any, NMI included.
 */
void __trace_event_assign_str(char *to, unsigned int size, const char *from);

/**
 * __trace_event_vstr_len - size of the string of a __vstring() field
 * @fmt: printf() format
 * @va: arguments of @fmt; not consumed
 *
 * For the macros of <trace/trace_events.h>.
 *
 * Context: any, NMI included.
 * Return: bytes, with the NUL; at most TRACE_EVENT_STR_MAX.
 */
int __trace_event_vstr_len(const char *fmt, va_list *va);

/**
 * __trace_event_assign_vstr - print the string of a __vstring() field into the record
 * @to: room for the string in the record
 * @size: bytes of the room; a longer string is cut
 * @fmt: printf() format
 * @va: arguments of @fmt; not consumed, because other probes of the tracepoint use them as well
 *
 * For the macros of <trace/trace_events.h>.
 *
 * Context: any, NMI included.
 */
void __trace_event_assign_vstr(char *to, unsigned int size, const char *fmt, va_list *va);

/* ------------------------------------------------------------------ */
/* Printing a record							*/

const char *trace_print_flags_seq(struct trace_seq *p, const char *delim, unsigned long flags,
				  const struct trace_print_flags *flag_array);
const char *trace_print_symbols_seq(struct trace_seq *p, unsigned long val,
				    const struct trace_print_flags *symbol_array);
#if BITS_PER_LONG == 32
const char *trace_print_flags_seq_u64(struct trace_seq *p, const char *delim,
				      unsigned long long flags,
				      const struct trace_print_flags_u64 *flag_array);
const char *trace_print_symbols_seq_u64(struct trace_seq *p, unsigned long long val,
					const struct trace_print_flags_u64 *symbol_array);
#endif
const char *trace_print_bitmask_seq(struct trace_seq *p, void *bitmask_ptr,
				    unsigned int bitmask_size);
const char *trace_print_hex_seq(struct trace_seq *p, const unsigned char *buf, int len,
				bool concatenate);
const char *trace_print_array_seq(struct trace_seq *p, const void *buf, int count,
				  size_t el_size);
const char *trace_print_hex_dump_seq(struct trace_seq *p, const char *prefix_str,
				     int prefix_type, int rowsize, int groupsize,
				     const void *buf, size_t len, bool ascii);

/* ------------------------------------------------------------------ */
/* Switching events							*/

#ifdef CONFIG_EVENT_TRACING

/**
 * trace_set_clr_event - switch events of the top instance on or off
 * @system: name of a system, or NULL for all
 * @event: name of an event, or NULL for all
 * @set: 1 to switch the events on, 0 to switch them off
 *
 * Context: process, may sleep.
 * Return: 0; -ENODEV if there is no top instance; -EINVAL if no event has these names; or the
 * errno of the first event that could not be switched.
 */
int trace_set_clr_event(const char *system, const char *event, int set);

/**
 * trace_array_set_clr_event - switch events of an instance on or off
 * @tr: the instance
 * @system: name of a system, or NULL for all
 * @event: name of an event, or NULL for all
 * @enable: true to switch the events on, false to switch them off
 *
 * Context: process, may sleep.
 * Return: as trace_set_clr_event(); -ENOENT if @tr is NULL.
 */
int trace_array_set_clr_event(struct trace_array *tr, const char *system, const char *event,
			      bool enable);

/**
 * trace_add_event_call - register an event that was created at run time
 * @call: the event; its class has a @reg; stays until trace_remove_event_call()
 *
 * The event is off in all instances. When an instance switches it, @reg of its class is called
 * with the &struct trace_event_file of that instance, with events_lock held. While the event is
 * on, its creator makes one record by trace_event_buffer_reserve() for each file that @reg was
 * called with, unless trace_event_is_stopped().
 *
 * Context: process, may sleep; takes events_lock.
 * Return: 0; -EINVAL if the name is that of a file in events/, or the class does not describe its
 * records completely; -EEXIST if its system has an event of that name; -ENOMEM; -EBUSY if no ID
 * is free.
 */
int trace_add_event_call(struct trace_event_call *call);

/**
 * trace_remove_event_call - unregister an event that was created at run time
 * @call: from trace_add_event_call()
 *
 * Existing records of the event are printed as unknown.
 *
 * Context: process, may sleep; takes events_lock; waits for records in flight.
 * Return: 0; -EBUSY if the event is on in an instance, open in perf, or referenced by a command
 * that switches it: it stays then; -ENOENT if it is not registered.
 */
int trace_remove_event_call(struct trace_event_call *call);

/**
 * trace_get_event_file - find an event in an instance, and keep both
 * @instance: name of the instance, or NULL for the top instance
 * @system: name of the system
 * @event: name of the event
 *
 * Context: process, may sleep.
 * Return: the event, to be released by trace_put_event_file(); ERR_PTR(-ENOENT) if there is no
 * such instance; ERR_PTR(-EINVAL) if it has no such event, or the event's module is going.
 */
struct trace_event_file *trace_get_event_file(const char *instance, const char *system,
					      const char *event);

/**
 * trace_put_event_file - release an event and its instance
 * @file: from trace_get_event_file()
 *
 * Context: process, may sleep.
 */
void trace_put_event_file(struct trace_event_file *file);

#else

static inline int trace_set_clr_event(const char *system, const char *event, int set)
{
	return -EINVAL;
}

static inline int trace_array_set_clr_event(struct trace_array *tr, const char *system,
					    const char *event, bool enable)
{
	return tr ? -EINVAL : -ENOENT;
}

static inline int trace_add_event_call(struct trace_event_call *call)
{
	return -ENODEV;
}

static inline int trace_remove_event_call(struct trace_event_call *call)
{
	return -ENOENT;
}

#endif

/* ------------------------------------------------------------------ */
/* Events made by commands						*/

/* Bytes of a buffer that is large enough for any command. */
#define MAX_DYNEVENT_CMD_LEN	2048

/**
 * enum dynevent_type - kind of event that a command creates
 * @DYNEVENT_TYPE_SYNTH: a synthetic event
 * @DYNEVENT_TYPE_KPROBE: the event of a kprobe or kretprobe
 * @DYNEVENT_TYPE_NONE: none
 */
enum dynevent_type {
	DYNEVENT_TYPE_SYNTH	= 1,
	DYNEVENT_TYPE_KPROBE,
	DYNEVENT_TYPE_NONE,
};

struct dynevent_cmd;

typedef int (*dynevent_create_fn_t)(struct dynevent_cmd *cmd);

/**
 * struct dynevent_cmd - a command that creates an event, built piece by piece
 * @seq: text of the command
 * @event_name: name of the event
 * @n_fields: number of fields added so far
 * @type: kind of the event
 * @run_command: executes the command, called by dynevent_create()
 * @private_data: private data of @run_command
 */
struct dynevent_cmd {
	struct seq_buf		seq;
	const char		*event_name;
	unsigned int		n_fields;
	enum dynevent_type	type;
	dynevent_create_fn_t	run_command;
	void			*private_data;
};

int dynevent_create(struct dynevent_cmd *cmd);

/**
 * struct synth_field_desc - a field of a synthetic event
 * @type: type of a number, such as ``u64``, ``int``, ``pid_t``; ``char[N]`` or ``char[]`` for a
 *	string
 * @name: name of the field
 */
struct synth_field_desc {
	const char	*type;
	const char	*name;
};

void synth_event_cmd_init(struct dynevent_cmd *cmd, char *buf, int maxlen);
int __synth_event_gen_cmd_start(struct dynevent_cmd *cmd, const char *name,
				struct module *mod, ...);
int synth_event_gen_cmd_array_start(struct dynevent_cmd *cmd, const char *name,
				    struct module *mod, struct synth_field_desc *fields,
				    unsigned int n_fields);
int synth_event_add_field(struct dynevent_cmd *cmd, const char *type, const char *name);
int synth_event_add_field_str(struct dynevent_cmd *cmd, const char *type_name);
int synth_event_add_fields(struct dynevent_cmd *cmd, struct synth_field_desc *fields,
			   unsigned int n_fields);
int synth_event_create(const char *name, struct synth_field_desc *fields, unsigned int n_fields,
		       struct module *mod);
int synth_event_delete(const char *name);

/* The arguments behind @mod are the types and names of the fields in turn, each a string. */
#define synth_event_gen_cmd_start(cmd, name, mod, ...) \
	__synth_event_gen_cmd_start(cmd, name, mod, ##__VA_ARGS__, NULL)

#define synth_event_gen_cmd_end(cmd)	dynevent_create(cmd)

void kprobe_event_cmd_init(struct dynevent_cmd *cmd, char *buf, int maxlen);
int __kprobe_event_gen_cmd_start(struct dynevent_cmd *cmd, bool kretprobe, const char *name,
				 const char *loc, ...);
int __kprobe_event_add_fields(struct dynevent_cmd *cmd, ...);
int kprobe_event_delete(const char *name);

/* The arguments behind @loc are fields, each a string as in kprobe_events. */
#define kprobe_event_gen_cmd_start(cmd, name, loc, ...) \
	__kprobe_event_gen_cmd_start(cmd, false, name, loc, ##__VA_ARGS__, NULL)

#define kretprobe_event_gen_cmd_start(cmd, name, loc, ...) \
	__kprobe_event_gen_cmd_start(cmd, true, name, loc, ##__VA_ARGS__, NULL)

#define kprobe_event_add_field(cmd, field) \
	__kprobe_event_add_fields(cmd, field, NULL)

#define kprobe_event_add_fields(cmd, ...) \
	__kprobe_event_add_fields(cmd, ##__VA_ARGS__, NULL)

#define kprobe_event_gen_cmd_end(cmd)		dynevent_create(cmd)
#define kretprobe_event_gen_cmd_end(cmd)	dynevent_create(cmd)

struct synth_event;

/**
 * struct synth_event_trace_state - a record whose fields are set one by one
 * @fbuffer: the record that is being made
 * @entry: address of the record
 * @event: the event
 * @cur_field: index of the field that synth_event_add_next_val() sets next
 * @disabled: true if no record is made: values are discarded
 * @add_next: true if synth_event_add_next_val() has been called
 * @add_name: true if synth_event_add_val() has been called
 */
struct synth_event_trace_state {
	struct trace_event_buffer fbuffer;
	void			*entry;
	const struct synth_event *event;
	unsigned int		cur_field;
	bool			disabled;
	bool			add_next;
	bool			add_name;
};

int synth_event_trace(struct trace_event_file *file, unsigned int n_vals, ...);
int synth_event_trace_array(struct trace_event_file *file, u64 *vals, unsigned int n_vals);
int synth_event_trace_start(struct trace_event_file *file,
			    struct synth_event_trace_state *trace_state);
int synth_event_add_next_val(u64 val, struct synth_event_trace_state *trace_state);
int synth_event_add_val(const char *field_name, u64 val,
			struct synth_event_trace_state *trace_state);
int synth_event_trace_end(struct synth_event_trace_state *trace_state);

/**
 * tracing_record_cmdline - save the name of a task that makes a record
 * @task: the task, which is running
 *
 * For code outside the tracer that makes records. Does nothing for an idle task, or while no
 * instance needs names. The name is not saved if that would have to wait for a lock.
 *
 * Context: any, NMI included.
 */
void tracing_record_cmdline(struct task_struct *task);

/**
 * tracing_record_tgid - save the thread group of a task that makes a record
 * @task: the task, which is running
 *
 * Does nothing unless the option record-tgid is set in an instance.
 *
 * Context: any, NMI included.
 */
void tracing_record_tgid(struct task_struct *task);

/* Custom events of a header expand to nothing until <trace/define_custom_trace.h> is included. */
#define TRACE_CUSTOM_EVENT(...)
#define DECLARE_CUSTOM_EVENT_CLASS(...)
#define DEFINE_CUSTOM_EVENT(...)

#include <linux/trace_events_attach.h>

#endif /* _LINUX_TRACE_EVENT_H */
