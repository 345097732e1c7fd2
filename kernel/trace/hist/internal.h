/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of hist/: text.c understands what is written, fields.c the fields in it, expr.c what
 * is calculated of them, vars.c what other histograms have noted, and action_text.c what else
 * is to happen; trigger.c has histograms come and go, and action.c actions with them; hit.c
 * counts, act.c acts, show.c prints, and debug.c prints what all this is made of.
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

/* As many as the kernel's language has. */
#define HIST_KEYS_MAX	3
#define HIST_VALS_MAX	2
#define HIST_SORTS_MAX	2
#define HIST_VARS_MAX	16
#define HIST_REFS_MAX	16
#define HIST_OPERATORS_MAX 3
#define HIST_ACTIONS_MAX 8

/* Rows of a table. */
#define HIST_ROWS	2048U
#define HIST_ROWS_MIN	128U

/* Of a string that is not in the record, and of a stack. */
#define HIST_TEXT_SIZE	256U
#define HIST_STACK_DEPTH 16U
#define HIST_STACK_SIZE	(HIST_STACK_DEPTH * sizeof(unsigned long))
/* Where it is a value: how many addresses, and then they. */
#define HIST_STACK_VALUE_SIZE	round_up(HIST_STACK_SIZE + sizeof(long), sizeof(u64))

/* The longest key. */
#define HIST_KEY_MAX	(HIST_TEXT_SIZE + HIST_STACK_SIZE)

/* Where what a field says is from. */
enum hist_source {
	HIST_WORD,		/* a number, in the last bytes of a word of the record */
	HIST_EARLY,		/* one before which there is no room for that */
	HIST_TIME,		/* when it came */
	HIST_CPU,		/* and where */
	HIST_HITS,		/* how often: only shown */
	HIST_EXPR,		/* what is calculated */
	HIST_OWN,		/* a variable of its own: &hist_field.offset says which */
	HIST_REF_NUMBER,	/* one of another histogram: which reference */
	HIST_TEXT,		/* from here on, what is no number: an array of char */
	HIST_DATA_LOC,		/* a string that is behind the record, from its beginning */
	HIST_REL_LOC,		/* from behind the field */
	HIST_COMM,		/* the name of the task */
	HIST_STACK,		/* who called the event */
	HIST_STACK_FIELD,	/* a stack in the record */
	HIST_OWN_TEXT,		/* a variable of its own that is no number */
	HIST_REF_TEXT,		/* one of another histogram that is none */
};

/* What is made of a number, and how it is shown. */
enum hist_as {
	HIST_PLAIN, HIST_HEX, HIST_SYM, HIST_SYM_OFFSET, HIST_EXECNAME, HIST_SYSCALL, HIST_LOG2,
	HIST_BUCKETS, HIST_USECS, HIST_PERCENT, HIST_GRAPH, HIST_STACKTRACE,
	HIST_AVG,		/* of all that have been added up */
	HIST_MIN, HIST_MAX,	/* from here on, what is not added up */
	NR_HIST_AS
};

/* How the number of a field is come by: known to whoever counts without a second look. */
enum hist_way {
	HIST_WAY_OTHER,		/* by @source and @as */
	HIST_WAY_PLAIN,		/* HIST_WORD, as it is */
	HIST_WAY_LOG2,		/* HIST_WORD, by powers of two */
	HIST_WAY_TIME,		/* HIST_TIME, as it is */
};

struct hist;
struct hist_action;
struct hist_expr;

/**
 * struct hist_field - a key, a value, or what a variable is set to
 * @name: of the field
 * @type: of the field in the record, or NULL
 * @source: enum hist_source
 * @as: enum hist_as
 * @way: enum hist_way, by hist_note_need()
 * @is_signed: smaller numbers than 0 come first
 * @offset: where it is in the record; or which variable, or reference
 * @size: bytes of it there
 * @word: where the word is that ends with it; of HIST_WORD
 * @shift: from the highest bits of a word to a number of that size; likewise
 * @at: where it is in the key
 * @len: bytes of it in the key, or in a variable
 * @width: of a bucket
 * @is_ref: it is another histogram's variable, which is shown as $NAME
 * @percentile: below which of its buckets how many are is shown
 * @expr: what is calculated, with HIST_EXPR; its text is @name
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

/* What is done next, on a stack of numbers. */
enum hist_step_what {
	HIST_NUMBER, HIST_FIELD, HIST_REF,
	HIST_PLUS, HIST_MINUS, HIST_TIMES, HIST_BY, HIST_NEGATE,
};

/**
 * struct hist_step - a step of a calculation
 * @what: enum hist_step_what
 * @number: of HIST_NUMBER
 * @index: of HIST_FIELD and HIST_REF
 */
struct hist_step {
	u8		what;
	union {
		u64	number;
		unsigned int index;
	};
};

/* Operands, operators, and one that negates all of it. */
#define HIST_OPERANDS_MAX	(HIST_OPERATORS_MAX + 1)
#define HIST_STEPS_MAX		(HIST_OPERANDS_MAX + HIST_OPERATORS_MAX + 1)

/**
 * struct hist_expr - a calculation, operands first
 * @nr_steps: how many @steps
 * @nr_fields: how many @fields
 * @usecs: what comes out is a time in microseconds
 * @steps: what is done
 * @fields: of the event, that it needs
 */
struct hist_expr {
	unsigned int		nr_steps;
	unsigned int		nr_fields;
	bool			usecs;
	struct hist_step	steps[HIST_STEPS_MAX];
	struct hist_field	fields[HIST_OPERANDS_MAX];
};

/**
 * struct hist_type - what kind of value it is
 * @name: its type, as it would be declared, or NULL
 * @kind: enum synth_kind
 * @size: bytes; 0 of what has no certain size
 * @is_signed: if it is a number
 */
struct hist_type {
	const char	*name;
	u8		kind;
	u16		size;
	bool		is_signed;
};

/**
 * struct hist_var - a variable: the latest value of each key
 * @name: its name
 * @at: where that was written, while it comes
 * @value: what it is set to
 * @usecs: a time in microseconds
 * @type: what kind of value it is; its name is a copy
 * @slot: which word of a row has it, and the next ones what is no number
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
 * struct hist_ref - a variable that a histogram asks for
 * @of: whose it is; NULL since that has gone (RCU)
 * @by: who asks
 * @var: which of its variables
 * @once: what has been asked for is no more: an operand of + - * /
 * @node: among those that ask @of
 */
struct hist_ref {
	struct hist __rcu	*of;
	struct hist		*by;
	unsigned int		var;
	bool			once;
	struct list_head	node;
};

/**
 * struct hist_sort - what the rows are sorted by
 * @by: a field, or NULL for how often it came
 * @descending: the highest first
 */
struct hist_sort {
	const struct hist_field	*by;
	bool			descending;
};

/**
 * struct hist_counts - what has been counted
 * @table: it; replaced when it is to forget (RCU)
 * @name: by which triggers share it, or NULL
 * @users: their &struct hist
 * @node: among all that have a name
 *
 * Protected by events_lock.
 */
struct hist_counts {
	struct table __rcu	*table;
	char			*name;
	struct list_head	users;
	struct list_head	node;
};

/**
 * struct hist - a trigger that counts
 * @t: as each trigger
 * @file: the event in the instance
 * @paused: it does nothing now
 * @more: HIST_MORE_*: what there is to do besides counting by a few numbers
 * @unusual: both, in one look: 0 if that is all
 * @nr_keys: how many @keys
 * @nr_vals: how many @vals
 * @key_size: bytes of a key, which are a multiple of 8
 * @wants_comm: rows keep the name of their task
 * @keys: what is counted by
 * @vals: what is added up
 * @nr_vars: how many @vars
 * @nr_refs: how many @refs
 * @vars: what it notes
 * @refs: what others have noted, and it asks for
 * @asked: the &struct hist_ref that ask for its variables; events_lock
 * @with_vars: among those that have some; events_lock
 * @counts: where, or NULL before it is on an event
 * @user: among those that count there
 * @polled: somebody waits in poll() of the event's file hist; events_lock
 * @nr_words: sums of a row: values, variables, and what actions keep
 * @set_slot: which of them says which variables are set
 * @nr_actions: how many @actions
 * @actions: what else happens
 * @has_pads: scratch memory is there for what comes of them
 * @peak: what the latest snapshot was taken for, or NULL; see action.c
 * @made: the &struct hist that have come for its actions; events_lock
 * @made_node: among those of another one; likewise
 * @nr_sorts: how many @sorts
 * @sorts: how it is shown
 * @nr_rows: how many rows there can be
 * @no_hits: how often a key came is not shown
 * @times: it asks when an event came
 * @clock: by which clock
 * @name: by which it shares what it counts, or NULL
 * @name_at: where that was written, while it comes
 * @pause: begin paused, or pause
 * @cont: go on
 * @clear: forget
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

/* A key of so many numbers is gathered where it costs little. */
#define HIST_FEW	4U

/* &hist.more: variables, or actions; somebody waits in poll(); no key of a few numbers. */
#define HIST_MORE_COUNT	BIT(0)
#define HIST_MORE_WAKE	BIT(1)
#define HIST_MORE_KEY	BIT(2)

static inline struct hist *hist_of(struct trigger *t)
{
	return container_of(t, struct hist, t);
}

/* What is wrong with a text. */
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
 * struct hist_text - a text that is being understood
 * @h: the histogram
 * @file: the event
 * @remove: it is to be taken away
 * @own: the assignments in it, as they were written
 * @nr_own: how many
 * @whole: as it was written, from "hist" on
 * @text: the same, of which pieces have been cut off
 * @instead: where in that is what is looked at, of which there is a copy; or NULL
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

/* Log what is wrong, at @at of the text, or NULL. Return: -EINVAL. */
int hist_refuse(const struct hist_text *text, const char *at, u8 what);

/* Keep a copy of a text instead of what was kept. Context: may sleep. Return: 0 or -ENOMEM. */
int hist_take_text(char **to, const char *text);

static inline bool hist_same_text(const char *a, const char *b)
{
	return !a || !b ? a == b : !strcmp(a, b);
}

/**
 * hist_parse - understand what is behind "hist:"
 * @text: the histogram is filled in
 * @param: the words, which are changed
 *
 * Context: may sleep; events_lock is held.
 * Return: 0; -EINVAL, logged; -ENOMEM.
 */
int hist_parse(struct hist_text *text, char *param);

/* What a field is to be. */
enum {
	HIST_FOR_KEYS	= BIT(0),
	HIST_FOR_VALS	= BIT(1),
	HIST_FOR_VARS	= BIT(2),
	HIST_FOR_OPERANDS = BIT(3),
	HIST_FOR_PARAMS	= BIT(4),
};

/**
 * hist_field_parse - understand ``FIELD[.MODIFIER]``
 * @text: what it is part of
 * @word: the field, which is changed
 * @whom: HIST_FOR_*: what it is to be
 * @f: filled in, but for its place in the key
 *
 * Context and return: as hist_parse().
 */
int hist_field_parse(const struct hist_text *text, char *word, unsigned int whom,
		     struct hist_field *f);

/**
 * hist_has_field - has an event such a field, or each event
 * @file: the event
 * @word: the field, perhaps with a modifier
 * @otherwise_too: or is it of those that there are where the event has none of that name
 *
 * Context: events_lock held.
 */
bool hist_has_field(const struct trace_event_file *file, const char *word, bool otherwise_too);

/**
 * hist_other_name - is a field meant by another name than it is shown by
 * @file: the event
 * @f: the field
 * @word: begins with the name, up to a dot
 *
 * "cpu" is one for common_cpu, if the event has no field of that name.
 *
 * Context: may sleep; events_lock held.
 * Return: how long that name is, or 0.
 */
size_t hist_other_name(const struct trace_event_file *file, const struct hist_field *f,
		       const char *word);

/* What a field needs, the histogram needs; and from now on &hist_field.way. Context: any. */
void hist_note_need(struct hist *h, struct hist_field *f);

/* @what: HIST_PLUS, _MINUS, _TIMES, _BY. Context: any, NMI included. */
u64 hist_calculate(u8 what, u64 a, u64 b);

/* The end of a field. */
void hist_field_free(struct hist_field *f);

/**
 * hist_value_parse - understand a field, or what is calculated
 * @text: what it is part of
 * @word: the words, which are changed
 * @whom: HIST_FOR_*
 * @f: filled in, but for its place in the key
 *
 * Context and return: as hist_parse(); -EDOM, logged, for a division by 0.
 */
int hist_value_parse(const struct hist_text *text, char *word, unsigned int whom,
		     struct hist_field *f);

/**
 * hist_ref_parse - understand ``$NAME``, or ``SYSTEM.EVENT.$NAME``
 * @text: what it is part of
 * @word: the words
 * @usecs: set to whether it is a time in microseconds
 *
 * Context: as hist_parse().
 * Return: the index of the reference; -EINVAL, logged; -ENOMEM.
 */
int hist_ref_parse(const struct hist_text *text, char *word, bool *usecs);

/**
 * hist_own_value - what a text itself assigns to a variable, if that is a field alone
 * @text: the text
 * @word: ``$NAME``
 *
 * Context: may sleep.
 * Return: the field, for kfree(); NULL; or ERR_PTR(-ENOMEM).
 */
char *hist_own_value(const struct hist_text *text, const char *word);

/**
 * hist_vars_parse - understand ``NAME=VALUE,...``
 * @text: what it is part of
 * @words: the words, which are changed
 *
 * Context and return: as hist_value_parse().
 */
int hist_vars_parse(const struct hist_text *text, char *words);

/* Does another histogram of the event have such a variable? Context: likewise. */
bool hist_vars_twice(const struct hist *h, const char **at);

/* Others can ask for its variables from now on. Context: events_lock held. */
void hist_vars_come(struct hist *h);

/* And no more: who has asked is told nothing. Context: likewise. */
void hist_vars_leave(struct hist *h);

/* It asks no more. Context: likewise. */
void hist_refs_leave(struct hist *h);

/* The end of its variables. Context: may sleep. */
void hist_vars_free(struct hist *h);

/* The words of a row: all that it has, with its actions, is known. */
void hist_lay_out(struct hist *h);

/* How many words of a row something takes. */
static inline unsigned int hist_words(const struct hist_field *f)
{
	return f->len / sizeof(u64);
}

/* A bit for each variable: it is set. */
static inline atomic64_t *hist_row_set(const struct hist *h, struct table_row *row)
{
	return &row->sums[h->set_slot];
}

/**
 * hist_var_find - a variable of a histogram
 * @h: the histogram
 * @name: without its $
 *
 * Context: may sleep.
 * Return: which one, or -ENOENT.
 */
int hist_var_find(const struct hist *h, const char *name);

/* The histogram of an event that has a variable, or NULL. Context: events_lock held. */
const struct hist *hist_var_owner(const struct trace_event_file *file, const char *name);

/**
 * hist_ref_find - ask for a variable of another histogram
 * @text: whose reference it is
 * @system: of the event, or NULL for any
 * @event: its name
 * @name: of the variable, without its $
 *
 * Context: may sleep; events_lock held.
 * Return: the index of the reference; -ENOENT if there is none; -EEXIST if there are several;
 * -ENOSPC if there are too many references.
 */
int hist_ref_find(const struct hist_text *text, const char *system, const char *event,
		  const char *name);

/**
 * hist_ref_refuse - log why hist_ref_find() has failed
 * @text: whose reference it was to be
 * @at: where it stands
 * @why: from hist_ref_find()
 * @none: HIST_ERR_*, if there is no such variable
 *
 * Context: may sleep.
 * Return: -EINVAL, logged; another @why as it is.
 */
int hist_ref_refuse(const struct hist_text *text, const char *at, int why, u8 none);

/* The variable behind a reference, or NULL. Context: events_lock held. */
const struct hist_var *hist_ref_var(const struct hist *h, unsigned int ref);

/* Does a histogram ask for a variable that has gone? Context: events_lock held. */
bool hist_has_lost_ref(const struct hist *h);

/**
 * hist_type_of - what kind of value a field is
 * @h: the histogram
 * @f: the field
 *
 * Context: events_lock held, until which its name is there.
 */
struct hist_type hist_type_of(const struct hist *h, const struct hist_field *f);

struct synth_field;

/**
 * hist_type_fits - does a field of a synthetic event take it
 * @to: the field
 * @from: what kind of value
 *
 * As the kernel has it: a number of another type will do if it has as many bits.
 *
 * Context: as hist_type_of().
 */
bool hist_type_fits(const struct synth_field *to, const struct hist_type *from);

/* The word of a modifier, or NULL for HIST_PLAIN. */
const char *hist_modifier(const struct hist_field *f);

/* A string, a stack: no number. */
static inline bool hist_is_number(const struct hist_field *f)
{
	return f->source < HIST_TEXT;
}

static inline const char *hist_clock(const struct hist *h)
{
	return h->clock ?: "global";
}

/* Where rows keep the name of their task. */
static inline const char *hist_comm(const struct hist *h, const void *key)
{
	return key + h->key_size;
}

/*
 * A minimum and a maximum are kept as the highest of numbers whose order is that of the values,
 * or the opposite: so 0 is what none has come to.
 */
static inline u64 hist_as_highest(const struct hist_field *f, u64 number)
{
	u64 order = f->is_signed ? number ^ BIT_ULL(63) : number;

	return f->as == HIST_MIN ? ~order : order;
}

/* The opposite. */
static inline u64 hist_from_highest(const struct hist_field *f, u64 kept)
{
	u64 order = f->as == HIST_MIN ? ~kept : kept;

	return f->is_signed ? order ^ BIT_ULL(63) : order;
}

/* &trigger_kind.polled, .hits, and who is woken: see poll.c */
void hist_polled(struct trigger *t);
u64 hist_hits(const struct trigger *t);
void hist_wake(void);

/* A histogram has begun, or has ceased, to count in a table. Context: events_lock held. */
void hist_poll_come(struct hist *h);
void hist_poll_leave(const struct hist_counts *counts);

/* What stands above a histogram; @nr as of &trigger_kind.counts. Context: likewise. */
void hist_show_head(struct seq_file *m, const struct trigger *t, unsigned int nr);

/* &trigger_kind.hit, .miss, .show, .counts, .debug */
void hist_hit(struct trigger *t, struct action_hit *hit);
void hist_miss(struct trigger *t);
void hist_show(struct seq_file *m, const struct trigger *t);
int hist_show_counts(struct seq_file *m, struct trigger *t, unsigned int nr);
void hist_show_debug(struct seq_file *m, struct trigger *t, unsigned int nr);

#endif /* _KERNEL_TRACE_HIST_INTERNAL_H */
