// SPDX-License-Identifier: GPL-2.0
/*
 * One comparison, understood: field, operator, value.
 */
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/kstrtox.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "internal.h"
#include "types/types.h"

/* ------------------------------------------------------------------ */
/* The field								*/

/* What is in no record. */
static const struct trace_event_fields elsewhere[] = {
	{ "int", "CPU", .size = 4, .is_signed = true, .filter_type = FILTER_CPU },
	{ "int", "cpu", .size = 4, .is_signed = true, .filter_type = FILTER_CPU },
	{ "int", "common_cpu", .size = 4, .is_signed = true, .filter_type = FILTER_CPU },
	{ "char *", "COMM", .size = 4, .filter_type = FILTER_COMM },
	{ "char *", "comm", .size = 4, .filter_type = FILTER_COMM },
	{ }
};

static const struct trace_event_fields *find_field(const struct trace_event_fields *fields,
						   const char *name, size_t len,
						   unsigned int *at)
{
	return record_field_find(fields, name, len, at) ?: record_common_find(name, len, at) ?:
	       record_field_find(elsewhere, name, len, at);
}

static bool is_pointer_to_text(const struct trace_event_fields *f)
{
	return f->filter_type == FILTER_PTR_STRING || record_field_is_pointer_to_text(f);
}

/* A pointer of a system call is a number, unless .ustring says otherwise. */
static bool may_point_to_user(const struct trace_event_fields *f)
{
	return f->filter_type == FILTER_PTR_STRING || record_field_points_to_text(f);
}

/* What a field is, that has no name of its own for it. Negative: nothing to be compared. */
static int subject_by_type(const struct trace_event_fields *f)
{
	if (record_field_is_data_loc(f))
		return record_field_is_text(f) ? SUBJECT_DATA_LOC : -EINVAL;
	if (record_field_is_rel_loc(f))
		return record_field_is_text(f) ? SUBJECT_REL_LOC : -EINVAL;
	if (strchr(f->type, '['))
		return record_field_is_text(f) ? SUBJECT_STRING : -EINVAL;
	if (is_pointer_to_text(f))
		return SUBJECT_POINTER;
	return f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8 ?
	       SUBJECT_NUMBER : -EINVAL;
}

static int subject_of(const struct trace_event_fields *f)
{
	switch (f->filter_type) {
	case FILTER_CPU:
		return SUBJECT_CPU;
	case FILTER_COMM:
		return SUBJECT_COMM;
	case FILTER_CPUMASK:
		return record_field_is_data_loc(f) ? SUBJECT_CPUMASK : -EINVAL;
	default:
		return subject_by_type(f);
	}
}

/* "name.function", "name.ustring" */
static int parse_suffix(struct cursor *c, const struct trace_event_fields *f, struct test *t)
{
	const char *at = c->at;

	if (*at != '.')
		return 0;
	if (strstarts(at, ".function")) {
		c->at += strlen(".function");
		if (t->subject != SUBJECT_NUMBER || f->size != sizeof(long))
			return cursor_error(c, PREDICATE_ILLEGAL_FIELD_OP, at);
		t->subject = SUBJECT_FUNCTION;
		return 0;
	}
	if (!strstarts(at, ".ustring"))
		return cursor_error(c, PREDICATE_FIELD_NOT_FOUND, at);
	c->at += strlen(".ustring");
	if (!may_point_to_user(f))
		return cursor_error(c, PREDICATE_ILLEGAL_FIELD_OP, at);
	t->subject = SUBJECT_USER_POINTER;
	return 0;
}

static int parse_field(struct cursor *c, const struct trace_event_fields *fields, struct test *t)
{
	const struct trace_event_fields *f;
	const char *name = c->at;
	unsigned int at;
	int subject;

	while (isalnum(*c->at) || *c->at == '_')
		c->at++;
	f = find_field(fields, name, c->at - name, &at);
	/* Behind it: there tools look for the caret. */
	if (!f)
		return cursor_error(c, PREDICATE_FIELD_NOT_FOUND, skip_spaces(c->at));
	subject = subject_of(f);
	if (subject < 0)
		return cursor_error(c, PREDICATE_ILLEGAL_FIELD_OP, name);
	t->subject = subject;
	t->in_header = subject == SUBJECT_NUMBER && at < sizeof(struct trace_entry);
	t->offset = at;
	/* Text up to the end of the record ends by a NUL. */
	t->len = f->size ?: MAX_FILTER_STR_VAL;
	t->size = f->size;
	t->is_signed = f->is_signed;
	return parse_suffix(c, f, t);
}

/* ------------------------------------------------------------------ */
/* The operator								*/

/* One that begins with another one stands before it. */
static const struct {
	const char	*text;
	enum test_op	op;
} operators[] = {
	{ "==", OP_EQ }, { "!=", OP_NE }, { "!~", OP_NOT_GLOB }, { "~", OP_GLOB },
	{ "<=", OP_LE }, { "<", OP_LT }, { ">=", OP_GE }, { ">", OP_GT }, { "&", OP_AND },
};

static int parse_operator(struct cursor *c, struct test *t)
{
	cursor_skip_blanks(c);
	for (unsigned int i = 0; i < ARRAY_SIZE(operators); i++) {
		if (!strstarts(c->at, operators[i].text))
			continue;
		t->op = operators[i].op;
		c->at += strlen(operators[i].text);
		return 0;
	}
	return cursor_error(c, PREDICATE_INVALID_OP, c->at);
}

static bool is_string(const struct test *t)
{
	return t->subject >= SUBJECT_STRING && t->subject <= SUBJECT_COMM;
}

static bool op_fits(const struct test *t)
{
	bool equal = t->op == OP_EQ || t->op == OP_NE;
	bool glob = t->op == OP_GLOB || t->op == OP_NOT_GLOB;

	if (is_string(t))
		return equal || glob;
	if (t->subject == SUBJECT_FUNCTION)
		return equal;
	if (t->subject == SUBJECT_CPUMASK || t->is_cpus)
		return equal || t->op == OP_AND;
	return !glob;
}

/* ------------------------------------------------------------------ */
/* The value								*/

/* A word that is not in quotes ends before what could follow it. */
static size_t bare_len(const char *text)
{
	return strcspn(text, " \t\n\"'()&|");
}

static int take_text(struct cursor *c, const char *from, size_t len, char **text)
{
	if (len >= MAX_FILTER_STR_VAL)
		return cursor_error(c, PREDICATE_OPERAND_TOO_LONG, from);
	*text = kmemdup_nul(from, len, GFP_KERNEL);
	return *text ? 0 : -ENOMEM;
}

static int parse_quoted(struct cursor *c, char **text)
{
	const char *begin = c->at + 1, *end = strchr(begin, *c->at);
	int err;

	if (!end)
		return cursor_error(c, PREDICATE_MISSING_QUOTE, c->at);
	err = take_text(c, begin, end - begin, text);
	c->at = end + 1;
	return err;
}

static int parse_word(struct cursor *c, char **text)
{
	size_t len = bare_len(c->at);
	int err;

	if (*c->at == '"' || *c->at == '\'')
		return parse_quoted(c, text);
	if (!len)
		return cursor_error(c, PREDICATE_INVALID_VALUE, c->at);
	err = take_text(c, c->at, len, text);
	c->at += len;
	return err;
}

static int parse_number(struct cursor *c, struct test *t)
{
	size_t len = bare_len(c->at);
	const char *at = c->at;
	char text[32];
	int err;

	if (*at == '"' || *at == '\'')
		return cursor_error(c, PREDICATE_EXPECT_DIGIT, at);
	if (!isdigit(*at) && *at != '-')
		return cursor_error(c, PREDICATE_INVALID_VALUE, at);
	if (len >= sizeof(text))
		return cursor_error(c, PREDICATE_OPERAND_TOO_LONG, at);
	memcpy(text, at, len);
	text[len] = '\0';
	c->at += len;
	err = t->is_signed || *at == '-' ? kstrtos64(text, 0, (s64 *)&t->low) : -EINVAL;
	if (err)
		err = kstrtou64(text, 0, &t->low);
	return err ? cursor_error(c, PREDICATE_ILLEGAL_INTVAL, at) : 0;
}

static int parse_function(struct cursor *c, struct test *t)
{
	unsigned long addr, size, offset;
	const char *at = c->at;
	char *name;
	int err = parse_word(c, &name);

	if (err)
		return err;
	err = kstrtoul(name, 0, &addr);
	if (err)
		addr = kallsyms_lookup_name(name);
	kfree(name);
	if (!addr || !kallsyms_lookup_size_offset(addr, &size, &offset))
		return cursor_error(c, PREDICATE_NO_FUNCTION, at);
	t->low = addr - offset;
	t->span = size - 1;
	return 0;
}

/* As long as it may be: of many CPUs. */
static int take_cpus(struct cursor *c, const char *begin, const char *end, struct test *t)
{
	char *list = kmemdup_nul(begin, end - begin, GFP_KERNEL);
	int err = 0;

	t->cpus = kzalloc(cpumask_size(), GFP_KERNEL);
	if (!list || !t->cpus)
		err = -ENOMEM;
	else if (begin == end || cpulist_parse(list, t->cpus))
		err = cursor_error(c, PREDICATE_INVALID_CPULIST, begin);
	kfree(list);
	return err;
}

/* "CPUS{0,2-4}" */
static int parse_cpus(struct cursor *c, struct test *t)
{
	const char *begin, *end;

	t->is_cpus = true;
	c->at = skip_spaces(c->at + strlen("CPUS"));
	if (*c->at != '{')
		return cursor_error(c, PREDICATE_MISSING_BRACE_OPEN, c->at);
	begin = c->at + 1;
	end = strchr(begin, '}');
	if (!end)
		return cursor_error(c, PREDICATE_MISSING_BRACE_CLOSE, c->at);
	c->at = end + 1;
	return take_cpus(c, begin, end, t);
}

/* A pattern that begins with ! is one for those that do not fit. */
static void take_not(struct test *t)
{
	if (*t->text != '!')
		return;
	memmove(t->text, t->text + 1, strlen(t->text));
	t->op = t->op == OP_GLOB ? OP_NOT_GLOB : OP_GLOB;
}

/* A number names the wrong field; one that is meant as a text stands in quotes. */
static int parse_string(struct cursor *c, struct test *t)
{
	int err;

	if (isdigit(*c->at) || *c->at == '-')
		return cursor_error(c, PREDICATE_EXPECT_STRING, c->at);
	err = parse_word(c, &t->text);
	if (!err && (t->op == OP_GLOB || t->op == OP_NOT_GLOB))
		take_not(t);
	return err;
}

static bool may_be_cpus(const struct test *t)
{
	return t->subject == SUBJECT_NUMBER || t->subject == SUBJECT_CPU ||
	       t->subject == SUBJECT_CPUMASK;
}

static int parse_value(struct cursor *c, struct test *t)
{
	cursor_skip_blanks(c);
	if (may_be_cpus(t) && strstarts(c->at, "CPUS"))
		return parse_cpus(c, t);
	if (is_string(t))
		return parse_string(c, t);
	if (t->subject == SUBJECT_FUNCTION)
		return parse_function(c, t);
	return parse_number(c, t);
}

/* ------------------------------------------------------------------ */
/* The range								*/

/* Of all that is less than what a number can be there is no range, but outside of all there is. */
static void set_below(struct test *t, u64 begin, u64 value)
{
	t->low = begin;
	t->span = value - begin - BIT_ULL(t->shift);
	if (value == begin) {
		t->span = U64_MAX;
		t->negate = !t->negate;
	}
}

/* From @low and @span, as they were written, to where numbers stand in a word. */
static void set_range(struct test *t)
{
	u64 begin = t->is_signed ? BIT_ULL(63) : 0, value;

	/* Behind which a field of a few bytes has nothing. */
	value = t->low << t->shift;
	t->mask = U64_MAX << t->shift;
	t->negate = t->op == OP_NE || t->op == OP_GE || t->op == OP_GT;
	switch (t->op) {
	case OP_LT:
	case OP_GE:
		return set_below(t, begin, value);
	case OP_LE:
	case OP_GT:
		t->low = begin;
		t->span = value - begin;
		return;
	case OP_AND:
		/* Of what is left of a number, all but 0. */
		t->mask = value;
		t->low = BIT_ULL(t->shift);
		t->span = U64_MAX - t->low;
		return;
	default:
		t->low = value;
		t->span <<= t->shift;
	}
}

/* A record has nothing before its beginning. */
static void set_place(struct test *t)
{
	unsigned int end = t->offset + t->size;

	if (end < sizeof(u64)) {
		t->subject = SUBJECT_EARLY_NUMBER;
		return;
	}
	t->subject = t->size > sizeof(long) ? SUBJECT_WIDE_NUMBER : SUBJECT_NUMBER;
	t->offset = end - sizeof(u64);
}

static void set_number(struct test *t)
{
	bool number = t->subject == SUBJECT_NUMBER || t->subject == SUBJECT_FUNCTION;

	if (!number && t->subject != SUBJECT_CPU)
		return;
	t->shift = BITS_PER_LONG_LONG - BITS_PER_BYTE * t->size;
	if (t->is_cpus) {
		if (number)
			t->subject = SUBJECT_CPU_NUMBER;
		return;
	}
	set_range(t);
	if (number)
		set_place(t);
}

int test_parse(struct cursor *c, const struct trace_event_fields *fields, struct test *t)
{
	const char *op;
	int err = parse_field(c, fields, t) ?: parse_operator(c, t);

	if (err)
		return err;
	op = c->at - 1;
	/* With what can be said of it before the value is known. */
	if (!op_fits(t))
		return cursor_error(c, PREDICATE_ILLEGAL_FIELD_OP, op);
	err = parse_value(c, t);
	if (!err && !op_fits(t))
		err = cursor_error(c, PREDICATE_ILLEGAL_FIELD_OP, op);
	if (!err)
		set_number(t);
	return err;
}

static bool calls(const struct test *t)
{
	return t->op == OP_GLOB || t->op == OP_NOT_GLOB || t->is_cpus ||
	       t->subject == SUBJECT_CPUMASK || t->subject == SUBJECT_POINTER ||
	       t->subject == SUBJECT_USER_POINTER;
}

unsigned int test_needs(const struct test *t)
{
	return (calls(t) ? PREDICATE_CALLS : 0) | (t->in_header ? PREDICATE_HEADER : 0) |
	       (t->subject != SUBJECT_NUMBER ? PREDICATE_MORE : 0);
}

void test_free(struct test *t)
{
	if (t->is_cpus)
		kfree(t->cpus);
	else if (is_string(t))
		kfree(t->text);
}
