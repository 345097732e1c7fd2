/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files of hist/.
 *
 * Parsing: text.c parses a trigger, fields.c its fields, expr.c its expressions, vars.c its
 * variables, action_text.c its actions. Setup: trigger.c attaches and detaches histograms,
 * action_resolve.c resolves and frees actions, type.c compares types. Hits: hit.c counts,
 * action_run.c runs actions, pad.c provides scratch memory, peak.c takes snapshots, poll.c wakes
 * pollers. Output: show.c prints the trigger and the counts, debug.c the inner structure.
 */
#ifndef _KERNEL_TRACE_HIST_INTERNAL_H
#define _KERNEL_TRACE_HIST_INTERNAL_H

#include <linux/bits.h>
#include <linux/list.h>
#include <linux/string.h>
#include <linux/types.h>

#include "table/table.h"
#include "triggers/kind.h"

struct hist_peak;
struct trace_event_fields;

/* Limits of a histogram trigger, the same as those of the stock kernel. */
#define HIST_KEYS_MAX	3
#define HIST_VALS_MAX	2
#define HIST_SORTS_MAX	2
#define HIST_VARS_MAX	16
#define HIST_REFS_MAX	16
#define HIST_OPERATORS_MAX 3
#define HIST_ACTIONS_MAX 8

/* Number of rows of a table: the default, and the least that size= accepts. */
#define HIST_ROWS	2048U
#define HIST_ROWS_MIN	128U

/* Bytes kept of a string behind the record's fields, and of a stack. */
#define HIST_TEXT_SIZE	256U
#define HIST_STACK_DEPTH 16U
#define HIST_STACK_SIZE	(HIST_STACK_DEPTH * sizeof(unsigned long))
/* Bytes of a stack kept as a value: the number of addresses, and the addresses. */
#define HIST_STACK_VALUE_SIZE	round_up(HIST_STACK_SIZE + sizeof(long), sizeof(u64))

/* Bytes of the longest key. */
#define HIST_KEY_MAX	(HIST_TEXT_SIZE + HIST_STACK_SIZE)

/*
 * Where the value of a field comes from. hist_is_number() relies on the order: every source
 * before HIST_TEXT is a number.
 */
enum hist_source {
	HIST_WORD,		/* number in the record, read as the end of an 8 byte word */
	HIST_EARLY,		/* number in the first 7 bytes, too early for such a word */
	HIST_TIME,		/* time of the hit */
	HIST_CPU,		/* CPU on which the event was hit */
	HIST_HITS,		/* 1 at each hit, so that the sum is the hit count */
	HIST_EXPR,		/* result of &hist_field.expr */
	HIST_OWN_NUMBER,		/* number in the histogram's own variable @offset */
	HIST_REF_NUMBER,	/* number in another histogram's variable, by reference @offset */
	HIST_TEXT,		/* array of char in the record */
	HIST_DATA_LOC,		/* string whose offset counts from the start of the record */
	HIST_REL_LOC,		/* string whose offset counts from the end of the field */
	HIST_COMM,		/* name of the current task */
	HIST_STACK,		/* kernel stack of the hit */
	HIST_STACK_FIELD,	/* stack in the record */
	HIST_OWN_TEXT,		/* text or stack in the histogram's own variable @offset */
	HIST_REF_TEXT,		/* text or stack in another histogram's variable, by reference */
};

/*
 * Modifier of a field: how its number is changed before it is counted, and how it is shown. Code
 * compares by order: modifiers before HIST_LOG2 keep the number as it is, those from HIST_AVG on
 * may be shown with a sign, and those from HIST_MIN on are not added up.
 */
enum hist_as {
	HIST_PLAIN,		/* no modifier: decimal */
	HIST_HEX,		/* hexadecimal */
	HIST_SYM,		/* symbol at the address */
	HIST_SYM_OFFSET,	/* symbol at the address, and offset in it */
	HIST_EXECNAME,		/* name of the task with this PID */
	HIST_SYSCALL,		/* name of the system call */
	HIST_LOG2,		/* exponent of the next power of two */
	HIST_BUCKETS,		/* start of the bucket, &hist_field.width wide */
	HIST_USECS,		/* time in microseconds */
	HIST_PERCENT,		/* share of the total of all rows */
	HIST_GRAPH,		/* bar, relative to the highest row */
	HIST_STACKTRACE,	/* stack of the record, as symbols */
	HIST_AVG,		/* mean per hit */
	HIST_MIN,		/* lowest number of all hits */
	HIST_MAX,		/* highest number of all hits */
	NR_HIST_AS
};

/* How a hit gets the number of a field: chosen at parse time, so that common fields are fast. */
enum hist_way {
	HIST_WAY_OTHER,		/* by &hist_field.source and &hist_field.as */
	HIST_WAY_PLAIN,		/* HIST_WORD, unchanged */
	HIST_WAY_LOG2,		/* HIST_WORD with HIST_LOG2 */
	HIST_WAY_TIME,		/* HIST_TIME, unchanged */
};

struct hist;
struct hist_action;
struct hist_expr;

/**
 * struct hist_field - a key, a value, an operand, a parameter, or the value of a variable
 * @name: name of the field; text of the expression if there is @expr
 * @type: type of the field in the record; NULL if the record does not have it
 * @source: enum hist_source
 * @as: enum hist_as
 * @way: enum hist_way; set by hist_prepare_field()
 * @is_signed: the number is signed, which matters for sorting
 * @offset: offset in the record; for HIST_OWN_NUMBER* and HIST_REF* the index of the variable or
 *	the reference
 * @size: bytes in the record
 * @word: HIST_WORD: offset of the 8 bytes of the record that end with the field
 * @shift: HIST_WORD and HIST_EARLY: bits by which these 8 bytes are shifted to get the number
 * @at: offset in the key
 * @len: bytes in the key, or in a variable
 * @width: HIST_BUCKETS: width of a bucket
 * @is_ref: the expression is nothing but $NAME, and is shown so; @name is without the $
 * @percentile: print the buckets of the 50th, 90th and 99th percentile, and the highest one
 * @expr: HIST_EXPR, HIST_REF_TEXT: the expression that was parsed
 */
struct hist_field {
	char		*name;
	char		*type;
	u8		source;
	u8		as;
	u8		way;
	bool		is_signed;
	bool		is_ref;
	bool		percentile;
	u16		offset;
	u16		size;
	u16		word;
	u8		shift;
	u16		at;
	u16		len;
	u64		width;
	struct hist_expr *expr;
};

/* A step of an expression, which works on a stack of numbers. Those before HIST_PLUS push one. */
enum hist_step_what {
	HIST_NUMBER,	/* push a constant */
	HIST_FIELD,	/* push a field of the event */
	HIST_REF,	/* push another histogram's variable */
	HIST_PLUS,	/* replace the top two numbers by their sum */
	HIST_MINUS,	/* replace the top two numbers by their difference */
	HIST_MULTIPLY,	/* replace the top two numbers by their product */
	HIST_DIVIDE,	/* replace the top two numbers by their quotient */
	HIST_NEGATE,	/* negate the top number */
};

/**
 * struct hist_step - a step of an expression
 * @what: enum hist_step_what
 * @number: HIST_NUMBER: the constant
 * @index: HIST_FIELD: index in &hist_expr.fields; HIST_REF: index in &hist.refs
 */
struct hist_step {
	u8		what;
	union {
		u64	number;
		unsigned int index;
	};
};

/* Most steps of an expression: operands, operators, and a negation of the whole. */
#define HIST_OPERANDS_MAX	(HIST_OPERATORS_MAX + 1)
#define HIST_STEPS_MAX		(HIST_OPERANDS_MAX + HIST_OPERATORS_MAX + 1)

/**
 * struct hist_expr - an expression in postfix order
 * @nr_steps: number of @steps
 * @nr_fields: number of @fields
 * @usecs: the result is a time in microseconds
 * @steps: the steps, operands before their operator
 * @fields: fields of the event that HIST_FIELD steps push
 */
struct hist_expr {
	unsigned int		nr_steps;
	unsigned int		nr_fields;
	bool			usecs;
	struct hist_step	steps[HIST_STEPS_MAX];
	struct hist_field	fields[HIST_OPERANDS_MAX];
};

/**
 * struct hist_type - type of a value
 * @name: C type, or NULL if it has none
 * @kind: enum synth_kind
 * @size: size in bytes; 0 if it varies
 * @is_signed: the number is signed; unused for text and stacks
 */
struct hist_type {
	const char	*name;
	u8		kind;
	u16		size;
	bool		is_signed;
};

/**
 * struct hist_var - a variable, which keeps the latest value for each key
 * @name: name of the variable
 * @at: position of the name in the trigger's text; valid only while that text is being written
 * @value: field or expression that the variable is set to at each hit
 * @usecs: the value is a time in microseconds
 * @type: type of the value; its name is allocated for the variable
 * @slot: index of the word of a row that holds it; text and stacks go on in the next words
 */
struct hist_var {
	char			*name;
	const char		*at;
	struct hist_field	value;
	bool			usecs;
	struct hist_type	type;
	unsigned int		slot;
};

/**
 * struct hist_ref - reference of a histogram to a variable of another one
 * @of: histogram that owns the variable; NULL after its removal (RCU)
 * @by: histogram that reads the variable
 * @var: index of the variable in @of
 * @once: reading unsets the variable, as it is an operand of + - * / or of a negation
 * @node: entry in &hist.asked of @of; events_lock
 */
struct hist_ref {
	struct hist __rcu	*of;
	struct hist		*by;
	unsigned int		var;
	bool			once;
	struct list_head	node;
};

/**
 * struct hist_sort - a sort criterion for rows
 * @by: key or value to sort by; NULL for the hit count
 * @descending: highest first
 */
struct hist_sort {
	const struct hist_field	*by;
	bool			descending;
};

/**
 * struct hist_counts - counts of one histogram, or of all those with the same name
 * @table: rows; replaced by an empty one when the counts are cleared (RCU)
 * @name: name by which triggers share the counts, or NULL
 * @users: every &struct hist that counts here
 * @node: entry in the list of all counts that have a name
 *
 * Protected by events_lock; hits read @table under RCU.
 */
struct hist_counts {
	struct table __rcu	*table;
	char			*name;
	struct list_head	users;
	struct list_head	node;
};

/**
 * struct hist - a histogram trigger
 * @t: the trigger
 * @file: event in the instance that the trigger is on
 * @paused: hits are ignored
 * @more: HIST_MORE_*: work of a hit besides counting by a few numbers
 * @unusual: @paused and @more as one word; 0 selects the fast path of hist_hit()
 * @nr_keys: number of @keys
 * @nr_vals: number of @vals
 * @key_size: bytes of a key; a multiple of 8
 * @wants_comm: a row keeps the name of the task of its first hit, behind the key
 * @keys: fields that make up the key
 * @vals: fields that are added up, or whose minimum or maximum is kept
 * @nr_vars: number of @vars
 * @nr_refs: number of @refs
 * @vars: variables that each hit sets
 * @refs: variables of other histograms that a hit reads
 * @asked: every &struct hist_ref of another histogram to @vars; events_lock
 * @with_vars: entry in the list of all histograms that have variables; events_lock
 * @counts: where the hits are counted; NULL until the trigger is attached
 * @user: entry in &hist_counts.users
 * @polled: a task waits in poll() of the event's file hist; events_lock
 * @nr_words: words of a row behind its hit count: values, variables, and what actions keep
 * @set_slot: index of the word of a row with a bit for each variable that is set
 * @nr_actions: number of @actions
 * @actions: actions that a hit may run
 * @has_pads: the histogram holds a hist_pads_get()
 * @peak: value and key that caused the latest snapshot, or NULL without such an action; see peak.c
 * @made: histograms that were created for @actions, by &hist.made_node; events_lock
 * @made_node: entry in @made of the histogram for which this one was created; events_lock
 * @nr_sorts: number of @sorts
 * @sorts: sort criteria of the output, the most significant first
 * @nr_rows: most rows of the table
 * @no_hits: do not show hit counts
 * @times: a field needs the time of the hit
 * @clock: name of the clock for that time; NULL for the default
 * @name: name under which triggers share their counts, or NULL
 * @name_at: position of @name in the trigger's text; valid only while that text is being written
 * @pause: the text asks to pause, or to start paused
 * @cont: the text asks to continue
 * @clear: the text asks to clear the counts
 */
struct hist {
	struct trigger		t;
	struct trace_event_file	*file;
	union {
		struct {
			bool	paused;
			u8	more;
		};
		u16		unusual;
	};
	unsigned int		nr_keys;
	unsigned int		nr_vals;
	unsigned int		key_size;
	bool			wants_comm;
	struct hist_field	keys[HIST_KEYS_MAX];
	struct hist_field	vals[HIST_VALS_MAX];
	unsigned int		nr_vars;
	unsigned int		nr_refs;
	struct hist_var		vars[HIST_VARS_MAX];
	struct hist_ref		refs[HIST_REFS_MAX];
	struct list_head	asked;
	struct list_head	with_vars;
	struct hist_counts	*counts;
	struct list_head	user;
	bool			polled;
	unsigned int		nr_words;
	unsigned int		set_slot;
	unsigned int		nr_actions;
	struct hist_action	*actions[HIST_ACTIONS_MAX];
	bool			has_pads;
	struct hist_peak	*peak;
	struct list_head	made;
	struct list_head	made_node;

	unsigned int		nr_sorts;
	struct hist_sort	sorts[HIST_SORTS_MAX];
	unsigned int		nr_rows;
	bool			no_hits;
	bool			times;
	char			*clock;
	char			*name;
	const char		*name_at;
	bool			pause;
	bool			cont;
	bool			clear;
};

/* Words of the longest key that hist_hit() gathers in its own stack frame. */
#define HIST_KEY_WORDS_FAST	4U

/* Values of &hist.more. */
#define HIST_MORE_COUNT	BIT(0)	/* there are variables, references or actions */
#define HIST_MORE_WAKE	BIT(1)	/* a task waits in poll() */
#define HIST_MORE_KEY	BIT(2)	/* key longer than HIST_KEY_WORDS_FAST, or comm is kept */

/* The histogram of a trigger of kind "hist". */
static inline struct hist *hist_of(struct trigger *t)
{
	return container_of(t, struct hist, t);
}

/* Errors in the text of a trigger. Their messages are in text.c. */
enum {
	HIST_ERR_MODIFIER, HIST_ERR_EXISTS, HIST_ERR_NOT_THERE, HIST_ERR_NAMED,
	HIST_ERR_CLOCK, HIST_ERR_FIELD, HIST_ERR_EMPTY, HIST_ERR_SORT_MODIFIER,
	HIST_ERR_SORT_EMPTY, HIST_ERR_SORT_MANY, HIST_ERR_SORT_FIELD, HIST_ERR_NO_VALUE,
	HIST_ERR_WORD, HIST_ERR_NO_KEYS, HIST_ERR_MANY_KEYS, HIST_ERR_MANY_VALS,
	HIST_ERR_KEY_SIZE, HIST_ERR_SIZE, HIST_ERR_KIND, HIST_ERR_VAR_TWICE,
	HIST_ERR_VAR_MANY, HIST_ERR_VAR_MANY_OF, HIST_ERR_VAR_NONE, HIST_ERR_VAR_NAME,
	HIST_ERR_ASSIGNMENT,
	HIST_ERR_REF_KEY, HIST_ERR_OPERATORS, HIST_ERR_OPERAND, HIST_ERR_UNITS,
	HIST_ERR_NUMBER, HIST_ERR_NEGATED, HIST_ERR_BY_ZERO, HIST_ERR_TEXT_OPERAND,
	HIST_ERR_NO_ACTION, HIST_ERR_NO_PAREN, HIST_ERR_NO_SYSTEM, HIST_ERR_EVENT,
	HIST_ERR_HANDLER, HIST_ERR_MANY_ACTIONS, HIST_ERR_MANY_SAVES, HIST_ERR_NO_PARAMS,
	HIST_ERR_MANY_PARAMS, HIST_ERR_EMPTY_PARAM, HIST_ERR_PARAM, HIST_ERR_NO_SYNTH,
	HIST_ERR_SYNTH_TYPE, HIST_ERR_SYNTH_COUNT, HIST_ERR_ON_WHAT, HIST_ERR_ON_NONE,
	HIST_ERR_NO_HIST, HIST_ERR_MAKE_HIST,
	NR_HIST_ERRORS
};

/**
 * struct hist_text - the text of a trigger while it is parsed
 * @h: histogram that the text describes
 * @file: event in the instance that it is written to
 * @remove: the text removes the histogram
 * @own: copies of the assignments to variables in the text
 * @nr_own: number of @own
 * @whole: unchanged copy of the text, from "hist" on
 * @text: the text itself, which parsing cuts into words; positions of errors are relative to it
 * @instead: position in @text that errors report if the words being parsed are a copy; or NULL
 */
struct hist_text {
	struct hist			*h;
	const struct trace_event_file	*file;
	bool				remove;
	char				**own;
	unsigned int			nr_own;
	const char			*whole;
	const char			*text;
	const char			*instead;
};

/**
 * hist_refuse - log an error in the text of a trigger
 * @text: the text
 * @at: position of the error in @text->text, or NULL for its start
 * @what: HIST_ERR_*
 *
 * Context: may sleep.
 * Return: -EINVAL.
 */
int hist_refuse(const struct hist_text *text, const char *at, u8 what);

/**
 * hist_replace_text - replace a string by a copy of another one
 * @to: string to replace, which is freed; NULL afterwards if there is no memory
 * @text: string to copy
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int hist_replace_text(char **to, const char *text);

/* True if two strings are equal, or both are NULL. */
static inline bool hist_same_text(const char *a, const char *b)
{
	return !a || !b ? a == b : !strcmp(a, b);
}

/**
 * hist_parse - parse the text of a trigger behind "hist:"
 * @text: the text; @text->h is filled in
 * @param: part of @text->text behind "hist:"; it is cut into words
 *
 * Context: may sleep; events_lock is held.
 * Return: 0; -EINVAL, -EDOM or -ENOENT, logged; -ENOMEM.
 */
int hist_parse(struct hist_text *text, char *param);

/* Uses of a field, which decide about valid fields and modifiers. */
enum {
	HIST_FOR_KEYS	= BIT(0),	/* part of the key */
	HIST_FOR_VALS	= BIT(1),	/* value that is added up */
	HIST_FOR_VARS	= BIT(2),	/* value of a variable */
	HIST_FOR_OPERANDS = BIT(3),	/* operand of an expression */
	HIST_FOR_PARAMS	= BIT(4),	/* parameter of an action */
};

/**
 * hist_field_parse - parse ``FIELD[.MODIFIER]``
 * @text: text of the trigger
 * @word: the field; the modifier is cut off
 * @whom: HIST_FOR_*: how the field is used
 * @f: filled in, except for &hist_field.at
 *
 * Context: may sleep; events_lock is held.
 * Return: 0; -EINVAL, logged; -ENOMEM. In any case @f needs hist_field_free().
 */
int hist_field_parse(const struct hist_text *text, char *word, unsigned int whom,
		     struct hist_field *f);

/**
 * hist_has_field - does a word name a field that a histogram of an event can use?
 * @file: event in the instance
 * @word: name of the field, perhaps with a modifier
 * @fallback_too: also accept names such as "comm", which stand for something else if the event
 *	has no field of that name
 *
 * Context: any; events_lock held.
 * Return: true if there is such a field.
 */
bool hist_has_field(const struct trace_event_file *file, const char *word, bool fallback_too);

/**
 * hist_other_name - match an alternative name of a field
 * @file: event in the instance
 * @f: the field
 * @word: text that may begin with the name, which ends at a dot or at the end of the text
 *
 * For instance, "cpu" means common_cpu if the event has no field "cpu".
 *
 * Context: may sleep; events_lock held.
 * Return: length of the name in @word; 0 if it does not name @f.
 */
size_t hist_other_name(const struct trace_event_file *file, const struct hist_field *f,
		       const char *word);

/**
 * hist_prepare_field - prepare a parsed field for hits
 * @h: histogram that uses the field
 * @f: the field; its &hist_field.way is set, and that of the operands of its expression
 *
 * Tells @h if it has to take the time, keep the name of the task, or read the record's header.
 *
 * Context: any; before @h is attached.
 */
void hist_prepare_field(struct hist *h, struct hist_field *f);

/**
 * hist_calculate - apply an operator
 * @what: HIST_PLUS, HIST_MINUS, HIST_MULTIPLY or HIST_DIVIDE
 * @a: left operand
 * @b: right operand
 *
 * Context: any, NMI included.
 * Return: the result; U64_MAX for a division by 0.
 */
u64 hist_calculate(u8 what, u64 a, u64 b);

/**
 * hist_field_free - free what a field refers to
 * @f: the field, or one that is all zeroes
 *
 * Context: may sleep.
 */
void hist_field_free(struct hist_field *f);

/**
 * hist_value_parse - parse a field or an expression
 * @text: text of the trigger
 * @word: the field or expression; it is cut into words
 * @whom: HIST_FOR_*: how the value is used
 * @f: filled in, except for &hist_field.at
 *
 * Context: may sleep; events_lock is held.
 * Return: 0; -EINVAL, logged; -EDOM, logged, for a division by 0; -ENOMEM. In any case @f needs
 * hist_field_free().
 */
int hist_value_parse(const struct hist_text *text, char *word, unsigned int whom,
		     struct hist_field *f);

/**
 * hist_ref_parse - parse a reference to a variable: ``$NAME`` or ``SYSTEM.EVENT.$NAME``
 * @text: text of the trigger
 * @word: the reference
 * @usecs: set to true if the variable is a time in microseconds
 *
 * Context: may sleep; events_lock is held.
 * Return: index in &hist.refs; -EINVAL, logged; -ENOMEM.
 */
int hist_ref_parse(const struct hist_text *text, char *word, bool *usecs);

/**
 * hist_own_value - find the field that a text itself assigns to a variable
 * @text: text of the trigger
 * @word: ``$NAME`` or ``SYSTEM.EVENT.$NAME``
 *
 * Context: may sleep.
 * Return: the field as text, for kfree(); NULL if the text assigns nothing to the variable, or
 * not a field alone; ERR_PTR(-ENOMEM).
 */
char *hist_own_value(const struct hist_text *text, const char *word);

/**
 * hist_vars_parse - parse assignments to variables: ``NAME=VALUE,...``
 * @text: text of the trigger
 * @words: the assignments; they are cut into words
 *
 * Context: may sleep; events_lock is held.
 * Return: 0; -EINVAL, logged; -EDOM, logged, for a division by 0; -ENOMEM.
 */
int hist_vars_parse(const struct hist_text *text, char *words);

/**
 * hist_vars_clash - does another histogram of the event have a variable of the same name?
 * @h: the histogram
 * @at: set to &hist_var.at of that variable of @h
 *
 * Context: any; events_lock held.
 * Return: true if there is one.
 */
bool hist_vars_clash(const struct hist *h, const char **at);

/**
 * hist_vars_publish - let other histograms refer to the variables of a histogram
 * @h: the histogram
 *
 * Context: any; events_lock held.
 */
void hist_vars_publish(struct hist *h);

/**
 * hist_vars_withdraw - withdraw the variables of a histogram: references to them find NULL
 * @h: the histogram
 *
 * Does nothing if they have been withdrawn, or were never published.
 *
 * Context: any; events_lock held.
 */
void hist_vars_withdraw(struct hist *h);

/**
 * hist_refs_unlink - unlink the references of a histogram to variables of other ones
 * @h: the histogram
 *
 * Context: any; events_lock held.
 */
void hist_refs_unlink(struct hist *h);

/**
 * hist_vars_free - free the variables of a histogram
 * @h: the histogram; no hit uses its variables any more
 *
 * Context: may sleep.
 */
void hist_vars_free(struct hist *h);

/**
 * hist_lay_out - assign words of a row to variables and actions, and set &hist.more
 * @h: the histogram, whose actions have been resolved
 *
 * Context: any; before @h is attached.
 */
void hist_lay_out(struct hist *h);

/* Number of words of a row that a field takes. */
static inline unsigned int hist_words(const struct hist_field *f)
{
	return f->len / sizeof(u64);
}

/* Word of a row with a bit for each variable of @h that is set. */
static inline atomic64_t *hist_row_set(const struct hist *h, struct table_row *row)
{
	return &row->sums[h->set_slot];
}

/**
 * hist_var_find - find a variable of a histogram by name
 * @h: the histogram
 * @name: name of the variable, without the $
 *
 * Context: any.
 * Return: index in &hist.vars, or -ENOENT.
 */
int hist_var_find(const struct hist *h, const char *name);

/**
 * hist_var_owner - find the histogram on an event that has a variable
 * @file: event in the instance
 * @name: name of the variable, without the $
 *
 * Context: any; events_lock held.
 * Return: the histogram, or NULL.
 */
const struct hist *hist_var_owner(const struct trace_event_file *file, const char *name);

/**
 * hist_ref_find - add a reference to a variable of another histogram
 * @text: text of the trigger that refers to the variable
 * @system: system of the variable's event; NULL for any event, those of onmatch() first
 * @event: name of the variable's event; unused without @system
 * @name: name of the variable, without the $
 *
 * Context: may sleep; events_lock held.
 * Return: index in &hist.refs; -ENOENT if there is no such variable; -EEXIST if several events
 * have one; -ENOSPC if there are too many references.
 */
int hist_ref_find(const struct hist_text *text, const char *system, const char *event,
		  const char *name);

/**
 * hist_ref_refuse - log an error of hist_ref_find()
 * @text: text of the trigger that refers to the variable
 * @at: position of the reference in the text
 * @why: error from hist_ref_find(); other values are returned unchanged
 * @none: HIST_ERR_* to log if there is no such variable
 *
 * Context: may sleep.
 * Return: -EINVAL for an error of hist_ref_find(); otherwise @why.
 */
int hist_ref_refuse(const struct hist_text *text, const char *at, int why, u8 none);

/**
 * hist_ref_var - get the variable that a reference refers to
 * @h: histogram that has the reference
 * @ref: index in &hist.refs
 *
 * Context: any; events_lock held.
 * Return: the variable; NULL if it was withdrawn.
 */
const struct hist_var *hist_ref_var(const struct hist *h, unsigned int ref);

/**
 * hist_has_lost_ref - was a variable withdrawn that a histogram refers to?
 * @h: the histogram
 *
 * Context: any; events_lock held.
 * Return: true if at least one was.
 */
bool hist_has_lost_ref(const struct hist *h);

/**
 * hist_type_of - get the type of a field's value
 * @h: histogram that uses the field
 * @f: the field
 *
 * Context: events_lock held; &hist_type.name is valid only until it is released.
 * Return: the type; a number of 0 bytes, which nothing takes, if its variable was withdrawn.
 */
struct hist_type hist_type_of(const struct hist *h, const struct hist_field *f);

struct synth_field;

/**
 * hist_type_fits - can a field of a synthetic event take values of a type?
 * @to: field of the synthetic event
 * @from: type of the value
 *
 * As in the stock kernel, a number fits if it has the same size and signedness.
 *
 * Context: any; events_lock held since hist_type_of().
 * Return: true if the value fits.
 */
bool hist_type_fits(const struct synth_field *to, const struct hist_type *from);

/**
 * hist_modifier - get the modifier of a field as it is written
 * @f: the field
 *
 * Context: any.
 * Return: the modifier without the dot; NULL for HIST_PLAIN.
 */
const char *hist_modifier(const struct hist_field *f);

/* True for a number; false for text or a stack. */
static inline bool hist_is_number(const struct hist_field *f)
{
	return f->source < HIST_TEXT;
}

/* Name of the clock of a histogram, of which "global" is the default. */
static inline const char *hist_clock(const struct hist *h)
{
	return h->clock ?: "global";
}

/* The name of the task that a row keeps behind its key, if &hist.wants_comm. */
static inline const char *hist_comm(const struct hist *h, const void *key)
{
	return key + h->key_size;
}

/*
 * Map a number to what a row keeps for a minimum or maximum: an unsigned number whose highest is
 * the minimum or maximum searched for. So 0, which an empty row has, is less than or equal to all.
 */
static inline u64 hist_as_highest(const struct hist_field *f, u64 number)
{
	u64 order = f->is_signed ? number ^ BIT_ULL(63) : number;

	return f->as == HIST_MIN ? ~order : order;
}

/* Undo hist_as_highest(). */
static inline u64 hist_from_highest(const struct hist_field *f, u64 kept)
{
	u64 order = f->as == HIST_MIN ? ~kept : kept;

	return f->is_signed ? order ^ BIT_ULL(63) : order;
}

/**
 * hist_poll_update - &trigger_kind.polled: have hits wake tasks, or stop doing so
 * @t: the histogram
 *
 * Follows &trace_event_file.polled of the event.
 *
 * Context: may sleep; events_lock held.
 */
void hist_poll_update(struct trigger *t);

/**
 * hist_hits - &trigger_kind.hits: count the hits of a histogram
 * @t: the histogram
 *
 * Context: may sleep; events_lock held.
 * Return: number of hits since the counts were cleared, including those of histograms with the
 * same name.
 */
u64 hist_hits(const struct trigger *t);

/**
 * hist_wake - wake the tasks that poll() a file hist
 *
 * Context: any, NMI included, after the hit has been counted.
 */
void hist_wake(void);

/**
 * hist_poll_attach - set up wakeups of a histogram that was added to its counts
 * @h: the histogram
 *
 * Context: may sleep; events_lock held.
 */
void hist_poll_attach(struct hist *h);

/**
 * hist_poll_detach - update wakeups after a histogram was removed from its counts
 * @counts: counts that the other histograms share
 *
 * Context: any; events_lock held.
 */
void hist_poll_detach(const struct hist_counts *counts);

/**
 * hist_show_head - print the header above a histogram's output
 * @m: where to print
 * @t: the histogram
 * @nr: number of histograms that were printed before in the same file
 *
 * Context: may sleep; events_lock held.
 */
void hist_show_head(struct seq_file *m, const struct trigger *t, unsigned int nr);

/**
 * hist_hit - &trigger_kind.hit: count a hit of the event
 * @t: the histogram
 * @hit: the hit
 *
 * Context: any, NMI included; preemption off, inside the guard.
 */
void hist_hit(struct trigger *t, struct action_hit *hit);

/**
 * hist_miss - &trigger_kind.miss: count a hit of the event that has no record
 * @t: the histogram
 *
 * The hit is shown as dropped.
 *
 * Context: any, NMI included; preemption off.
 */
void hist_miss(struct trigger *t);

/**
 * hist_show - &trigger_kind.show: print a trigger as it would be written, and its state
 * @m: where to print
 * @t: the histogram
 *
 * Context: may sleep; events_lock held.
 */
void hist_show(struct seq_file *m, const struct trigger *t);

/**
 * hist_show_counts - &trigger_kind.counts: print the rows of a histogram
 * @m: where to print
 * @t: the histogram
 * @nr: number of histograms that were printed before in the same file
 *
 * Context: may sleep; events_lock held.
 * Return: 0 or -ENOMEM.
 */
int hist_show_counts(struct seq_file *m, struct trigger *t, unsigned int nr);

/**
 * hist_show_debug - &trigger_kind.debug: print the inner structure of a histogram
 * @m: where to print
 * @t: the histogram
 * @nr: number of histograms that were printed before in the same file
 *
 * Context: may sleep; events_lock held.
 */
void hist_show_debug(struct seq_file *m, struct trigger *t, unsigned int nr);

#endif /* _KERNEL_TRACE_HIST_INTERNAL_H */
