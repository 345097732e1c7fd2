/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The records of a trace, as far as they concern code outside kernel/trace: what each record
 * begins with, how events are described, made and switched, how printing a record can end,
 * and what perf and BPF may ask of trace events.
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

struct event_filter;
struct record_class;
struct seq_file;
struct trace_array;
struct trace_event_call;

/**
 * struct trace_entry - what each record of a trace begins with
 * @type: which kind of record it is: the ID that its format file shows
 * @flags: enum trace_flag_type, how things stood when it was recorded
 * @preempt_count: low four bits the depth of preempt_disable(), high four the
 *	depth of migrate_disable()
 * @pid: of the task that was running; 0 is an idle task
 *
 * User space reads it as the common_* fields of every format file, so neither
 * the order nor the sizes can change.
 */
struct trace_entry {
	unsigned short	type;
	unsigned char	flags;
	unsigned char	preempt_count;
	int		pid;
};

/* The highest ID that fits into struct trace_entry.type. */
#define TRACE_EVENT_TYPE_MAX	U16_MAX

/**
 * enum trace_flag_type - the bits of struct trace_entry.flags
 * @TRACE_FLAG_IRQS_OFF: interrupts were disabled
 * @TRACE_FLAG_IRQS_NOSUPPORT: the architecture cannot tell
 * @TRACE_FLAG_NEED_RESCHED: the task was asked to give up the CPU
 * @TRACE_FLAG_HARDIRQ: an interrupt was being handled
 * @TRACE_FLAG_SOFTIRQ: a softirq was being handled
 * @TRACE_FLAG_PREEMPT_RESCHED: so was the preemption count
 * @TRACE_FLAG_NMI: an NMI was being handled
 * @TRACE_FLAG_BH_OFF: softirqs were disabled
 *
 * They are the letters in the columns of a printed line. Tools know them.
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
 * enum print_line_t - how printing one record ended
 * @TRACE_TYPE_PARTIAL_LINE: the text did not fit; empty the sequence and ask
 *	again
 * @TRACE_TYPE_HANDLED: the text is there
 * @TRACE_TYPE_UNHANDLED: somebody else should print this record
 * @TRACE_TYPE_NO_CONSUME: the text is there, but the record must stay
 */
enum print_line_t {
	TRACE_TYPE_PARTIAL_LINE	= 0,
	TRACE_TYPE_HANDLED	= 1,
	TRACE_TYPE_UNHANDLED	= 2,
	TRACE_TYPE_NO_CONSUME	= 3,
};

/* The longest string that a filter on an event can look at, with its NUL. */
#define MAX_FILTER_STR_VAL	256U

/* The longest string that __vstring() makes, with its NUL. */
#define TRACE_EVENT_STR_MAX	512

/* What stands for a string that is not there. */
#define EVENT_NULL_STR		"(null)"

/* ------------------------------------------------------------------ */
/* What an event is							*/

/**
 * enum trace_filter_type - how a filter looks at a field
 * @FILTER_OTHER: as its type says: a number, or a string in the record
 * @FILTER_STATIC_STRING: an array of char
 * @FILTER_DYN_STRING: a string behind the record, found from its beginning
 * @FILTER_RDYN_STRING: likewise, found from the word that says where
 * @FILTER_PTR_STRING: the address of a string
 * @FILTER_TRACE_FN: the address of a function
 * @FILTER_CPUMASK: a bit for each CPU
 * @FILTER_COMM: the name of the task, which is in no field
 * @FILTER_CPU: nor is the CPU
 * @FILTER_STACKTRACE: addresses of a stack
 * @FILTER_NUMBER: a number, whatever its type says: what it points to is not the kernel's
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
 * @type: e.g. ``unsigned long``, ``char[16]``, ``__data_loc char[]``; NULL ends a table
 * @name: what it is called
 * @offset: bytes from the start of the record, common header included; 0 for the next place
 *	behind the field before it that @align allows
 * @size: bytes; 0 for an array that fills the rest of the record
 * @len: how many elements there are, if @type is an array
 * @align: what its address is a multiple of
 * @is_signed: whether the type, or that of an element, is
 * @is_bytes: an array of char that is not text
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

/* What a member of this type is aligned to, which on i386 is less than the type may be. */
#define TRACE_FIELD_ALIGN(_type)	offsetof(struct { char c; _type t; }, t)

struct trace_event;
struct trace_event_call;
struct trace_event_file;
struct trace_iterator;

/**
 * struct trace_event_line - a record on its way to a line of text
 * @ent: the record
 * @tmp: where the pieces are put together that one %s each stands for; empty
 * @iter: the rest is known by whoever prints
 */
struct trace_event_line {
	void			*ent;
	struct trace_seq	*tmp;
	struct trace_iterator	*iter;
};

/**
 * trace_event_printf - print a record in the format of its event
 * @line: the record
 * @fmt: as that of printf(), with a newline at its end
 *
 * Context: whatever prints it; any in the dump on oops.
 */
__printf(2, 3) void trace_event_printf(struct trace_event_line *line, const char *fmt, ...);

typedef enum print_line_t (*trace_print_func)(struct trace_iterator *iter, int flags,
					      struct trace_event *event);

/**
 * struct trace_event_functions - how the records of an event print, in each format
 * @trace: for people
 * @raw: option raw: numbers
 * @hex: option hex
 * @binary: option bin
 */
struct trace_event_functions {
	trace_print_func	trace;
	trace_print_func	raw;
	trace_print_func	hex;
	trace_print_func	binary;
};

/**
 * struct trace_event - the number of an event, and who prints it
 * @funcs: for the macros of <linux/syscalls.h>; what prints a record is in its class
 * @type: in trace_entry.type of each of its records; ``ID:`` of its format file
 */
struct trace_event {
	struct trace_event_functions	*funcs;
	int				type;
};

/* What &trace_event_class.reg is asked to do. */
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
 * struct trace_event_class_ops - what a class does whose events have not the same fields
 * @get_fields: those of one event, behind the common ones; called when the event comes, and
 *	what it allocates stays for good. ERR_PTR(-ENODEV) for an event that this kernel has
 *	not, or ERR_PTR(-ENOMEM)
 * @show_fmt: prints what follows ``print fmt: `` in its format file
 * @others_want: it is on, and perf has it in more tasks from now on, or in fewer. NULL if that
 *	makes no difference. Context: may sleep; events_lock held. Return: 0, or why it cannot be
 * @lines: how its records print
 */
struct trace_event_class_ops {
	const struct trace_event_fields *(*get_fields)(const struct trace_event_call *call);
	int				(*others_want)(struct trace_event_call *call, bool more);
	void				(*show_fmt)(struct seq_file *m,
						    const struct trace_event_call *call);
	const struct record_class	*lines;
};

/**
 * struct trace_event_class - what events with the same fields have in common
 * @system: the directory under events/ that they are in
 * @probe: makes a record; called by the tracepoint, with the trace_event_file first
 * @reg: does what enum trace_reg says, for who has no tracepoint; NULL for those with one
 * @fields_array: the fields behind the common ones, ended by a NULL type
 * @print: prints a record
 * @print_fmt: what follows ``print fmt: `` in the format file
 * @ops: instead of the three before, or NULL
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
 * enum - &trace_event_call.flags
 * @TRACE_EVENT_FL_CAP_ANY: perf lets everybody have it
 * @TRACE_EVENT_FL_TRACEPOINT: it is that of a tracepoint
 * @TRACE_EVENT_FL_DYNAMIC: somebody has made it, and may take it away
 * @TRACE_EVENT_FL_KPROBE: by a probe of the kernel
 * @TRACE_EVENT_FL_UPROBE: by one of a program
 * @TRACE_EVENT_FL_FPROBE: by one of a function of the kernel
 * @TRACE_EVENT_FL_CUSTOM: it has fields of a module's own, and TRACE_EVENT_FL_TRACEPOINT
 *	once that has found the tracepoint
 */
enum {
	TRACE_EVENT_FL_CAP_ANY		= BIT(1),
	TRACE_EVENT_FL_TRACEPOINT	= BIT(4),
	TRACE_EVENT_FL_DYNAMIC		= BIT(5),
	TRACE_EVENT_FL_KPROBE		= BIT(6),
	TRACE_EVENT_FL_UPROBE		= BIT(7),
	TRACE_EVENT_FL_FPROBE		= BIT(8),
	TRACE_EVENT_FL_CUSTOM		= BIT(9),
};

/**
 * struct trace_event_call - an event
 * @class: what it has in common with others
 * @tp: its tracepoint, if it has TRACE_EVENT_FL_TRACEPOINT, and
 * @name: else its name
 * @event: its number
 * @flags: TRACE_EVENT_FL_*
 * @module: whose it is, NULL for the kernel
 * @data: for who has made it
 *
 * There is one for each event of each kernel that is shipped: what only few need is kept
 * elsewhere.
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
 * trace_event_name - what an event is called
 * @call: the event
 *
 * Context: any.
 */
static inline const char *trace_event_name(const struct trace_event_call *call)
{
	return call->flags & TRACE_EVENT_FL_TRACEPOINT ? call->tp->name : call->name;
}

/* ------------------------------------------------------------------ */
/* Making a record							*/

/**
 * struct trace_event_head - what the probe of an event looks at first
 * @stopped: of each CPU: nothing is recorded there now, and nothing happens
 *
 * The beginning of a &struct trace_event_file.
 */
struct trace_event_head {
	unsigned long __percpu	*stopped;
};

struct event;
struct event_elsewhere;
struct event_filter;
struct event_system;
struct event_triggers;
struct eventfs_inode;
struct trace_array;

/**
 * struct trace_event_file - an event in an instance, or elsewhere
 * @head: @word, @triggers_rest, or a word that lets all or nothing pass
 * @tr: the instance; NULL with @elsewhere
 * @type: &record_type.id of the event
 * @how: EVENT_HOW_*: 0 for a record in a straight line
 * @filter: which records are kept; event_no_filter for all (RCU)
 * @other_pid: where a record says which other task it is about, or 0
 * @elsewhere: who takes its records, if it has EVENT_HOW_ELSEWHERE
 * @triggers: what else it makes happen, or NULL (RCU); see &struct event_trigger_ops
 * @triggers_rest: a word that is not 0 while @triggers have nothing to do, or NULL
 * @let: records are made, as far as event_soft_let() is concerned
 * @probed: its probes are in the kernel's code, and say where they were hit
 * @switches: to the other task, from the one in which it happens
 * @word: &trace_cpu.events of the instance, or &trace_cpu.events_of_two
 * @filter_text: what its file filter reads as, or NULL
 * @event: the event
 * @system: the system that it is in
 * @dir: events/SYSTEM/EVENT, or NULL
 * @node_id: what its files know it by
 * @hash: event_name_hash() of its name
 * @polled: how many open files hist somebody has waited for in poll()
 * @soft: for how many it may go on and off in any context: event_soft_get()
 * @on: its probe is called
 * @unsettled: in a list if it went off, and events_settle() has to look who is left
 * @node: in &instance_events.files
 *
 * The first thirteen are read by the probe, or by event_soft_let(), in any context; the rest is
 * protected by events_lock. Others may know @tr, and that is all.
 */
struct trace_event_file {
	struct trace_event_head	head;
	struct trace_array	*tr;
	unsigned int		type;
	unsigned int		how;
	struct event_filter __rcu *filter;
	unsigned int		other_pid;
	const struct event_elsewhere *elsewhere;
	struct event_triggers __rcu *triggers;
	unsigned long __percpu	*triggers_rest;
	bool			let;
	bool			probed;
	bool			switches;
	unsigned long __percpu	*word;

	char			*filter_text;
	struct event		*event;
	struct event_system	*system;
	struct eventfs_inode	*dir;
	u32			node_id;
	u32			hash;
	unsigned int		polled;
	unsigned int		soft;
	bool			on;
	struct hlist_node	unsettled;
	struct list_head	node;
};

/**
 * trace_event_is_stopped - is there no record to be made
 * @file: what the tracepoint gives to the probe
 *
 * Before anything is done for it.
 *
 * Context: the probe; preemption off.
 */
static __always_inline bool trace_event_is_stopped(const void *file)
{
	const struct trace_event_head *head = file;

	return unlikely(raw_cpu_read(*head->stopped));
}

/**
 * struct action_hit - what has happened, for who acts on it
 * @from: address in the function that was called, or in the probe of the event
 * @word: trace_preempt_word() as it was there
 * @file: the event in its instance; NULL for a function
 * @rec: its record, complete; NULL if there is none to be looked at, and for a function
 * @regs: those of who has the event, for perf, or NULL for those of the probe's caller. Who is
 *	&trace_event_file.probed sets them before the record is reserved, too; of others
 *	nobody but perf looks at them: see action_hit_regs()
 * @time: when that was, by the clock of its instance: that of its record, if there is one; else
 *	when it was asked for first, before which it is 0
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
 * @trace_file: of which event, in which instance
 * @event: where it is
 * @reserved: likewise, with its head
 * @cpu: whose buffer, and
 * @next: where the next one comes
 * @kind: in which way
 * @len: its size
 * @ctx: its context, or, unrecorded, who is told of it; elsewhere, whatever who takes it
 *	wants to keep
 * @guard: what the guard has to be set back to
 * @inside: of who takes it elsewhere: another event has made it come, and holds the guard;
 *	&action_hit.word is known
 * @count: how often it counts, for perf
 * @task: whose it is, for perf
 * @hit: what is told to whom it makes act; &action_hit.regs is set by the probe
 */
struct trace_event_buffer {
	struct trace_event_file	*trace_file;
	void			*event;
	void			*reserved;
	void			*cpu;
	unsigned long		next;
	unsigned int		kind;
	unsigned int		len;
	unsigned int		ctx;
	unsigned int		guard;
	bool			inside;
	u64			count;
	struct task_struct	*task;
	struct action_hit	hit;
};

/**
 * trace_event_buffer_reserve - begin a record of an event
 * @fbuffer: for trace_event_buffer_commit()
 * @trace_file: which event, in which instance
 * @len: its size, with the common header
 *
 * Not if trace_event_is_stopped().
 *
 * Context: any, NMI included; preemption off, once since the event, until the commit.
 * Return: the record, its header filled in; NULL if there is to be none.
 */
void *trace_event_buffer_reserve(struct trace_event_buffer *fbuffer,
				 struct trace_event_file *trace_file, unsigned long len);

/**
 * trace_event_buffer_reserve_for - the same for an event that counts more than once, or
 *	that concerns another task
 * @fbuffer: likewise
 * @trace_file: likewise
 * @len: likewise
 * @count: how often it counts, for perf
 * @task: whose event it is besides, for perf; NULL for that of the one that runs
 *
 * Context: likewise.
 * Return: likewise.
 */
void *trace_event_buffer_reserve_for(struct trace_event_buffer *fbuffer,
				     struct trace_event_file *trace_file, unsigned long len,
				     u64 count, struct task_struct *task);

/*
 * What the probe of an event calls. Whether the arguments of the tracepoint say
 * __perf_count() or __perf_task() is known to the compiler: for those that do not, nothing
 * is handed on.
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
 * trace_event_buffer_commit - the record is complete
 * @fbuffer: from trace_event_buffer_reserve()
 *
 * Context: as there, on the same CPU.
 */
void trace_event_buffer_commit(struct trace_event_buffer *fbuffer);

/* For the macros of <trace/trace_events.h>: a string for __string(), which may be NULL. */
static inline const char *__trace_event_str(const char *str)
{
	return str ?: EVENT_NULL_STR;
}

/* And how it gets to its place of @size bytes. */
void __trace_event_assign_str(char *to, unsigned int size, const char *from);

/* How long a __vstring() is, with its NUL. */
int __trace_event_vstr_len(const char *fmt, va_list *va);

/* A __vstring() gets to its place of @size bytes; @va stays as it is, for the next receiver. */
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
 * trace_set_clr_event - let the top instance record events, or stop it
 * @system: of the events, or NULL
 * @event: name of one, or NULL
 * @set: 1 or 0
 *
 * Context: process, may sleep.
 * Return: 0; -ENODEV if the top instance is not there; -EINVAL if there is no such event;
 * or why one could not be switched.
 */
int trace_set_clr_event(const char *system, const char *event, int set);

/**
 * trace_array_set_clr_event - let an instance record events, or stop it
 * @tr: the instance
 * @system: of the events, or NULL
 * @event: name of one, or NULL
 * @enable: which of both
 *
 * Context: process, may sleep.
 * Return: as trace_set_clr_event(); -ENOENT if @tr is NULL.
 */
int trace_array_set_clr_event(struct trace_array *tr, const char *system, const char *event,
			      bool enable);

/**
 * trace_add_event_call - make an event known that somebody has made while the kernel runs
 * @call: the event, with a @reg of its class, which is given the &struct trace_event_file
 *	of each instance that switches it, with a mutex held that these functions take;
 *	stays until trace_remove_event_call()
 *
 * Nobody has switched it on yet. While it is on, who has it makes records by
 * trace_event_buffer_reserve(), one for each file that @reg was given, unless
 * trace_event_is_stopped().
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL for the name of a file in events/, or a class that says too little of its
 * records; -EEXIST if its system has one of that name; -ENOMEM; -EBUSY if there is no number.
 */
int trace_add_event_call(struct trace_event_call *call);

/**
 * trace_remove_event_call - take an event away
 * @call: from trace_add_event_call()
 *
 * Records that were made of it print as unknown.
 *
 * Context: process, may sleep; waits for those that are being made.
 * Return: 0; -EBUSY, and it stays, while it is on anywhere, perf has it open, or a command
 * may switch it; -ENOENT if it is not known.
 */
int trace_remove_event_call(struct trace_event_call *call);

/**
 * trace_get_event_file - an event in an instance, both of which are to stay
 * @instance: name of the instance, NULL for the top one
 * @system: of the event
 * @event: its name
 *
 * Context: process, may sleep.
 * Return: the event, for trace_put_event_file(); ERR_PTR(-ENOENT) without such an instance,
 * ERR_PTR(-EINVAL) without such an event in it, or if its module is going.
 */
struct trace_event_file *trace_get_event_file(const char *instance, const char *system,
					      const char *event);

/**
 * trace_put_event_file - it may go again
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

/* Room enough for a command. */
#define MAX_DYNEVENT_CMD_LEN	2048

/* Which kind of event a command makes. */
enum dynevent_type {
	DYNEVENT_TYPE_SYNTH	= 1,
	DYNEVENT_TYPE_KPROBE,
	DYNEVENT_TYPE_NONE,
};

struct dynevent_cmd;

typedef int (*dynevent_create_fn_t)(struct dynevent_cmd *cmd);

/**
 * struct dynevent_cmd - a command that is put together, for dynevent_create()
 * @seq: its text
 * @event_name: of the event
 * @n_fields: how many fields it has by now
 * @type: which kind
 * @run_command: obeys it
 * @private_data: for that
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
 * @type: a number, as ``u64``, ``int``, ``pid_t``; ``char[N]``, or ``char[]``, for a string
 * @name: what it is called
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

/* Behind the module are types and names of fields, each a string. */
#define synth_event_gen_cmd_start(cmd, name, mod, ...) \
	__synth_event_gen_cmd_start(cmd, name, mod, ##__VA_ARGS__, NULL)

#define synth_event_gen_cmd_end(cmd)	dynevent_create(cmd)

void kprobe_event_cmd_init(struct dynevent_cmd *cmd, char *buf, int maxlen);
int __kprobe_event_gen_cmd_start(struct dynevent_cmd *cmd, bool kretprobe, const char *name,
				 const char *loc, ...);
int __kprobe_event_add_fields(struct dynevent_cmd *cmd, ...);
int kprobe_event_delete(const char *name);

/* Behind the place are fields, as in kprobe_events. */
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
 * @fbuffer: the record
 * @entry: where it is
 * @event: of which event
 * @cur_field: the next field, for synth_event_add_next_val()
 * @disabled: there is none, and what is set is forgotten
 * @add_next: synth_event_add_next_val() has been called
 * @add_name: synth_event_add_val() has been called
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
 * tracing_record_cmdline - remember the name of a task that recorded something
 * @task: the task, which is running
 *
 * For code outside the tracer that records by itself. Nothing happens while
 * nobody traces, and for an idle task. It gives up rather than wait.
 *
 * Context: any, NMI included.
 */
void tracing_record_cmdline(struct task_struct *task);

/**
 * tracing_record_tgid - remember the thread group of a task, likewise
 * @task: the task, which is running
 *
 * Nothing happens unless option record-tgid is set in some instance.
 *
 * Context: any, NMI included.
 */
void tracing_record_tgid(struct task_struct *task);

/* A header with custom events: see <trace/define_custom_trace.h>. */
#define TRACE_CUSTOM_EVENT(...)
#define DECLARE_CUSTOM_EVENT_CLASS(...)
#define DEFINE_CUSTOM_EVENT(...)

#include <linux/trace_events_attach.h>

#endif /* _LINUX_TRACE_EVENT_H */
