/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The entries of the tracer itself: what lies in the ring buffer, byte by
 * byte, for each kind of entry that is not a TRACE_EVENT.
 *
 * The numbers and layouts are an interface: raw pages go to user space as
 * they are, and readers find them described in events/ftrace/<name>/format.
 * The recording side writes these structures, the reading side formats them;
 * neither may change one without its row in entries.c.
 */
#ifndef _KERNEL_TRACE_ENTRIES_H
#define _KERNEL_TRACE_ENTRIES_H

#include <linux/build_bug.h>
#include <linux/ftrace.h>
#include <linux/trace_events.h>
#include <linux/types.h>

/**
 * enum trace_type - what kind of entry follows the common header
 *
 * Given to user space as ``ID:`` of the format files; gaps belong to tracers
 * that this kernel does not have.  Numbers from TRACE_FIRST_EVENT on are given
 * out to TRACE_EVENTs.
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

/* The number of callers that readers are promised in a stack entry. */
#define STACK_ENTRY_CALLERS	8

/*
 * Stands in a stack entry for an address inside a dispatch trampoline, whose
 * memory may hold something else by the time the entry is read.
 */
#define STACK_ENTRY_TRAMPOLINE	((unsigned long)INT_MAX)

/* A traced function was entered. */
struct function_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	unsigned long		parent_ip;
};

/*
 * A function that function_graph waits for was entered.  With option funcgraph-args the
 * entry goes on with what it was given in registers, else it ends before that.
 */
struct graph_ent_entry {
	struct trace_entry		ent;
	struct ftrace_graph_ent		graph_ent;
	unsigned long			args[];
} __packed;

/*
 * So many longs are passed in registers, and saved for every callback.  On i386 that is
 * what -mregparm=3 says, and the rest would have to be looked for on the stack.
 */
#define GRAPH_ENT_ARGS		(IS_ENABLED(CONFIG_X86_32) ? 3 : FTRACE_NR_ARGS)

/* The size of the longer one. */
#define GRAPH_ENT_ARGS_SIZE							\
	(sizeof(struct graph_ent_entry) + GRAPH_ENT_ARGS * sizeof(unsigned long))

/* It returned. */
struct graph_ret_entry {
	struct trace_entry		ent;
	struct ftrace_graph_ret		ret;
} __packed;

/* The previous function entry happened @count more times. */
struct func_repeats_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	unsigned long		parent_ip;
	u16			count;
	u16			top_delta_ts;
	u32			bottom_delta_ts;
};

/**
 * func_repeats_delta - time from the last repeat to the entry that tells of it
 * @entry: the entry
 *
 * Return: units of the instance's clock.
 */
static inline u64 func_repeats_delta(const struct func_repeats_entry *entry)
{
	return (u64)entry->top_delta_ts << 32 | entry->bottom_delta_ts;
}

/* A task was switched to (TRACE_CTX) or woken (TRACE_WAKE). */
struct ctx_switch_entry {
	struct trace_entry	ent;
	unsigned int		prev_pid;
	unsigned int		next_pid;
	unsigned int		next_cpu;
	unsigned char		prev_prio;
	unsigned char		prev_state;
	unsigned char		next_prio;
	unsigned char		next_state;
};

/* A kernel stack, innermost caller first; @size of them are there. */
struct stack_entry {
	struct trace_entry	ent;
	int			size;
	unsigned long		caller[];
};

/* A user stack, closed by a zero when it is shorter than the array. */
struct user_stack_entry {
	struct trace_entry	ent;
	unsigned int		tgid;
	unsigned long		caller[STACK_ENTRY_CALLERS];
};

/* Text, NUL-terminated: trace_marker and trace_printk() without format. */
struct print_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	char			buf[];
};

/* trace_printk(): the arguments in @buf as vbin_printf() stores them. */
struct bprint_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	const char		*fmt;
	u32			buf[];
};

/* trace_puts() of a constant string. */
struct bputs_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	const char		*str;
};

/* What user space wrote to trace_marker_raw: a tag, then bytes. */
struct raw_data_entry {
	struct trace_entry	ent;
	unsigned int		id;
	char			buf[];
};

static_assert(sizeof(struct trace_entry) == 8);
static_assert(offsetof(struct function_entry, ip) == 8);
static_assert(offsetof(struct raw_data_entry, buf) == 12);
static_assert(offsetof(struct func_repeats_entry, count) ==
	      8 + 2 * sizeof(unsigned long));

/**
 * struct entry_field - one field of an entry, as a format file shows it
 * @decl: type and name, e.g. ``unsigned long ip`` or ``char buf[]``
 * @offset: bytes from the start of the entry, common header included
 * @size: bytes; 0 for an array that fills the rest of the entry
 * @is_signed: whether the type is
 */
struct entry_field {
	const char	*decl;
	u16		offset;
	u16		size;
	bool		is_signed;
};

/**
 * struct entry_format - describes one kind of entry to user space
 * @name: directory under events/ftrace
 * @type: the ID
 * @has_id: there is a file id, by which perf knows an event that can be opened
 * @print_fmt: what follows ``print fmt: ``
 * @fields: the fields behind the common ones, ended by a NULL @decl
 */
struct entry_format {
	const char			*name;
	enum trace_type			type;
	bool				has_id;
	const char			*print_fmt;
	const struct entry_field	*fields;
};

/*
 * Every kind of entry, ended by a NULL name; and the fields that each starts
 * with.  Constant: no lock, any context.
 */
extern const struct entry_format trace_entry_formats[];
extern const struct entry_field trace_entry_common_fields[];

#endif /* _KERNEL_TRACE_ENTRIES_H */
