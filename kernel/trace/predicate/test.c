// SPDX-License-Identifier: GPL-2.0
/*
 * Parsing one comparison of a predicate: field, operator, value.
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

/* Fields that are not in the record, but in the context of its evaluation. */
static const struct trace_event_fields predicate_pseudo_fields[] = {
	{ "int", "CPU", .size = 4, .is_signed = true, .filter_type = FILTER_CPU },
	{ "int", "cpu", .size = 4, .is_signed = true, .filter_type = FILTER_CPU },
	{ "int", "common_cpu", .size = 4, .is_signed = true, .filter_type = FILTER_CPU },
	{ "char *", "COMM", .size = 4, .filter_type = FILTER_COMM },
	{ "char *", "comm", .size = 4, .filter_type = FILTER_COMM },
	{ }
};

static const struct trace_event_fields *test_find_field(const struct trace_event_fields *fields,
							const char *name, size_t len,
							unsigned int *at)
{
	return record_field_find(fields, name, len, at) ?: record_common_find(name, len, at) ?:
	       record_field_find(predicate_pseudo_fields, name, len, at);
}

static bool test_is_string_pointer(const struct trace_event_fields *f)
{
	return f->filter_type == FILTER_PTR_STRING || record_field_is_pointer_to_text(f);
}

/* True if @f may have the suffix .ustring; pointers of system calls are numbers without it. */
static bool test_may_be_user_string(const struct trace_event_fields *f)
{
	return f->filter_type == FILTER_PTR_STRING || record_field_points_to_text(f);
}

/* Return: subject of a field by its C type; -EINVAL if the type cannot be compared. */
static int test_subject_by_type(const struct trace_event_fields *f)
{
	if (record_field_is_data_loc(f))
		return record_field_is_text(f) ? SUBJECT_DATA_LOC : -EINVAL;
	if (record_field_is_rel_loc(f))
		return record_field_is_text(f) ? SUBJECT_REL_LOC : -EINVAL;
	if (strchr(f->type, '['))
		return record_field_is_text(f) ? SUBJECT_STRING : -EINVAL;
	if (test_is_string_pointer(f))
		return SUBJECT_POINTER;
	return f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8 ?
	       SUBJECT_NUMBER : -EINVAL;
}

static int test_subject_of_field(const struct trace_event_fields *f)
{
	switch (f->filter_type) {
	case FILTER_CPU:
		return SUBJECT_CPU;
	case FILTER_COMM:
		return SUBJECT_COMM;
	case FILTER_CPUMASK:
		return record_field_is_data_loc(f) ? SUBJECT_CPUMASK : -EINVAL;
	default:
		return test_subject_by_type(f);
	}
}

/* Parse the suffix of ``FIELD.function`` or ``FIELD.ustring``. */
static int test_parse_suffix(struct cursor *c, const struct trace_event_fields *f, struct test *t)
{
	const char *at = c->at;

	if (*at != '.')
		return 0;
	if (strstarts(at, ".function")) {
		c->at += strlen(".function");
		if (t->subject != SUBJECT_NUMBER || f->size != sizeof(long))
			return cursor_error(c, PREDICATE_ERR_ILLEGAL_FIELD_OP, at);
		t->subject = SUBJECT_FUNCTION;
		return 0;
	}
	if (!strstarts(at, ".ustring"))
		return cursor_error(c, PREDICATE_ERR_FIELD_NOT_FOUND, at);
	c->at += strlen(".ustring");
	if (!test_may_be_user_string(f))
		return cursor_error(c, PREDICATE_ERR_ILLEGAL_FIELD_OP, at);
	t->subject = SUBJECT_USER_POINTER;
	return 0;
}

static int test_parse_field(struct cursor *c, const struct trace_event_fields *fields,
			    struct test *t)
{
	const struct trace_event_fields *f;
	const char *name = c->at;
	unsigned int at;
	int subject;

	while (isalnum(*c->at) || *c->at == '_')
		c->at++;
	f = test_find_field(fields, name, c->at - name, &at);
	/* The error is placed behind the name, where tools expect it. */
	if (!f)
		return cursor_error(c, PREDICATE_ERR_FIELD_NOT_FOUND, skip_spaces(c->at));
	subject = test_subject_of_field(f);
	if (subject < 0)
		return cursor_error(c, PREDICATE_ERR_ILLEGAL_FIELD_OP, name);
	t->subject = subject;
	t->in_header = subject == SUBJECT_NUMBER && at < sizeof(struct trace_entry);
	t->offset = at;
	/* A string of size 0 extends to the end of the record, and ends by a NUL. */
	t->len = f->size ?: MAX_FILTER_STR_VAL;
	t->size = f->size;
	t->is_signed = f->is_signed;
	return test_parse_suffix(c, f, t);
}

/* ------------------------------------------------------------------ */
/* The operator								*/

/* A longer operator comes before its own prefix. */
static const struct {
	const char	*text;
	enum test_op	op;
} test_operators[] = {
	{ "==", OP_EQ }, { "!=", OP_NE }, { "!~", OP_NOT_GLOB }, { "~", OP_GLOB },
	{ "<=", OP_LE }, { "<", OP_LT }, { ">=", OP_GE }, { ">", OP_GT }, { "&", OP_AND },
};

static int test_parse_operator(struct cursor *c, struct test *t)
{
	cursor_skip_blanks(c);
	for (unsigned int i = 0; i < ARRAY_SIZE(test_operators); i++) {
		if (!strstarts(c->at, test_operators[i].text))
			continue;
		t->op = test_operators[i].op;
		c->at += strlen(test_operators[i].text);
		return 0;
	}
	return cursor_error(c, PREDICATE_ERR_INVALID_OP, c->at);
}

static bool test_is_string(const struct test *t)
{
	return t->subject >= SUBJECT_STRING && t->subject <= SUBJECT_COMM;
}

static bool test_op_is_valid(const struct test *t)
{
	bool equal = t->op == OP_EQ || t->op == OP_NE;
	bool glob = t->op == OP_GLOB || t->op == OP_NOT_GLOB;

	if (test_is_string(t))
		return equal || glob;
	if (t->subject == SUBJECT_FUNCTION)
		return equal;
	if (t->subject == SUBJECT_CPUMASK || t->is_cpus)
		return equal || t->op == OP_AND;
	return !glob;
}

/* ------------------------------------------------------------------ */
/* The value								*/

/* Return: length of an unquoted word at @text. */
static size_t test_word_len(const char *text)
{
	return strcspn(text, " \t\n\"'()&|");
}

static int test_copy_text(struct cursor *c, const char *from, size_t len, char **text)
{
	if (len >= MAX_FILTER_STR_VAL)
		return cursor_error(c, PREDICATE_ERR_OPERAND_TOO_LONG, from);
	*text = kmemdup_nul(from, len, GFP_KERNEL);
	return *text ? 0 : -ENOMEM;
}

static int test_parse_quoted(struct cursor *c, char **text)
{
	const char *begin = c->at + 1, *end = strchr(begin, *c->at);
	int err;

	if (!end)
		return cursor_error(c, PREDICATE_ERR_MISSING_QUOTE, c->at);
	err = test_copy_text(c, begin, end - begin, text);
	c->at = end + 1;
	return err;
}

static int test_parse_word(struct cursor *c, char **text)
{
	size_t len = test_word_len(c->at);
	int err;

	if (*c->at == '"' || *c->at == '\'')
		return test_parse_quoted(c, text);
	if (!len)
		return cursor_error(c, PREDICATE_ERR_INVALID_VALUE, c->at);
	err = test_copy_text(c, c->at, len, text);
	c->at += len;
	return err;
}

static int test_parse_number(struct cursor *c, struct test *t)
{
	size_t len = test_word_len(c->at);
	const char *at = c->at;
	char text[32];
	int err;

	if (*at == '"' || *at == '\'')
		return cursor_error(c, PREDICATE_ERR_EXPECT_DIGIT, at);
	if (!isdigit(*at) && *at != '-')
		return cursor_error(c, PREDICATE_ERR_INVALID_VALUE, at);
	if (len >= sizeof(text))
		return cursor_error(c, PREDICATE_ERR_OPERAND_TOO_LONG, at);
	memcpy(text, at, len);
	text[len] = '\0';
	c->at += len;
	err = t->is_signed || *at == '-' ? kstrtos64(text, 0, (s64 *)&t->low) : -EINVAL;
	if (err)
		err = kstrtou64(text, 0, &t->low);
	return err ? cursor_error(c, PREDICATE_ERR_ILLEGAL_INTVAL, at) : 0;
}

static int test_parse_function(struct cursor *c, struct test *t)
{
	unsigned long addr, size, offset;
	const char *at = c->at;
	char *name;
	int err = test_parse_word(c, &name);

	if (err)
		return err;
	err = kstrtoul(name, 0, &addr);
	if (err)
		addr = kallsyms_lookup_name(name);
	kfree(name);
	if (!addr || !kallsyms_lookup_size_offset(addr, &size, &offset))
		return cursor_error(c, PREDICATE_ERR_NO_FUNCTION, at);
	t->low = addr - offset;
	t->span = size - 1;
	return 0;
}

/* Parse a list of CPUs. Its length is not limited by MAX_FILTER_STR_VAL, as that of strings is. */
static int test_copy_cpus(struct cursor *c, const char *begin, const char *end, struct test *t)
{
	char *list = kmemdup_nul(begin, end - begin, GFP_KERNEL);
	int err = 0;

	t->cpus = kzalloc(cpumask_size(), GFP_KERNEL);
	if (!list || !t->cpus)
		err = -ENOMEM;
	else if (begin == end || cpulist_parse(list, t->cpus))
		err = cursor_error(c, PREDICATE_ERR_INVALID_CPULIST, begin);
	kfree(list);
	return err;
}

/* Parse a set of CPUs, ``CPUS{0,2-4}``. */
static int test_parse_cpus(struct cursor *c, struct test *t)
{
	const char *begin, *end;

	t->is_cpus = true;
	c->at = skip_spaces(c->at + strlen("CPUS"));
	if (*c->at != '{')
		return cursor_error(c, PREDICATE_ERR_MISSING_BRACE_OPEN, c->at);
	begin = c->at + 1;
	end = strchr(begin, '}');
	if (!end)
		return cursor_error(c, PREDICATE_ERR_MISSING_BRACE_CLOSE, c->at);
	c->at = end + 1;
	return test_copy_cpus(c, begin, end, t);
}

/* A leading '!' negates a pattern. */
static void test_negate_glob(struct test *t)
{
	if (*t->text != '!')
		return;
	memmove(t->text, t->text + 1, strlen(t->text));
	t->op = t->op == OP_GLOB ? OP_NOT_GLOB : OP_GLOB;
}

/* An unquoted number is refused, because the user probably took the field for a number. */
static int test_parse_string(struct cursor *c, struct test *t)
{
	int err;

	if (isdigit(*c->at) || *c->at == '-')
		return cursor_error(c, PREDICATE_ERR_EXPECT_STRING, c->at);
	err = test_parse_word(c, &t->text);
	if (!err && (t->op == OP_GLOB || t->op == OP_NOT_GLOB))
		test_negate_glob(t);
	return err;
}

static bool test_allows_cpus(const struct test *t)
{
	return t->subject == SUBJECT_NUMBER || t->subject == SUBJECT_CPU ||
	       t->subject == SUBJECT_CPUMASK;
}

static int test_parse_value(struct cursor *c, struct test *t)
{
	cursor_skip_blanks(c);
	if (test_allows_cpus(t) && strstarts(c->at, "CPUS"))
		return test_parse_cpus(c, t);
	if (test_is_string(t))
		return test_parse_string(c, t);
	if (t->subject == SUBJECT_FUNCTION)
		return test_parse_function(c, t);
	return test_parse_number(c, t);
}

/* ------------------------------------------------------------------ */
/* The range								*/

/*
 * Set the range to the numbers less than @value; @begin is the least number of the type. A range
 * cannot be empty, so "nothing" is the negation of the range of all numbers.
 */
static void test_set_range_below(struct test *t, u64 begin, u64 value)
{
	t->low = begin;
	t->span = value - begin - BIT_ULL(t->shift);
	if (value == begin) {
		t->span = U64_MAX;
		t->negate = !t->negate;
	}
}

/* Convert @low and @span from the written value to the range in the highest bytes of a word. */
static void test_set_range(struct test *t)
{
	u64 begin = t->is_signed ? BIT_ULL(63) : 0, value;

	/* The bits below the shifted number are 0 in the word, too. */
	value = t->low << t->shift;
	t->mask = U64_MAX << t->shift;
	t->negate = t->op == OP_NE || t->op == OP_GE || t->op == OP_GT;
	switch (t->op) {
	case OP_LT:
	case OP_GE:
		return test_set_range_below(t, begin, value);
	case OP_LE:
	case OP_GT:
		t->low = begin;
		t->span = value - begin;
		return;
	case OP_AND:
		/* The masked number matches if it is not 0. */
		t->mask = value;
		t->low = BIT_ULL(t->shift);
		t->span = U64_MAX - t->low;
		return;
	default:
		t->low = value;
		t->span <<= t->shift;
	}
}

/*
 * Set @offset to the word that ends with the number. The number is a SUBJECT_EARLY_NUMBER if the
 * word would begin before the record.
 */
static void test_set_word(struct test *t)
{
	unsigned int end = t->offset + t->size;

	if (end < sizeof(u64)) {
		t->subject = SUBJECT_EARLY_NUMBER;
		return;
	}
	t->subject = t->size > sizeof(long) ? SUBJECT_WIDE_NUMBER : SUBJECT_NUMBER;
	t->offset = end - sizeof(u64);
}

static void test_set_number(struct test *t)
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
	test_set_range(t);
	if (number)
		test_set_word(t);
}

int test_parse(struct cursor *c, const struct trace_event_fields *fields, struct test *t)
{
	const char *op;
	int err = test_parse_field(c, fields, t) ?: test_parse_operator(c, t);

	if (err)
		return err;
	op = c->at - 1;
	/* Check the operator early, as far as possible without the value. */
	if (!test_op_is_valid(t))
		return cursor_error(c, PREDICATE_ERR_ILLEGAL_FIELD_OP, op);
	err = test_parse_value(c, t);
	if (!err && !test_op_is_valid(t))
		err = cursor_error(c, PREDICATE_ERR_ILLEGAL_FIELD_OP, op);
	if (!err)
		test_set_number(t);
	return err;
}

static bool test_calls_functions(const struct test *t)
{
	return t->op == OP_GLOB || t->op == OP_NOT_GLOB || t->is_cpus ||
	       t->subject == SUBJECT_CPUMASK || t->subject == SUBJECT_POINTER ||
	       t->subject == SUBJECT_USER_POINTER;
}

unsigned int test_needs(const struct test *t)
{
	return (test_calls_functions(t) ? PREDICATE_CALLS : 0) |
	       (t->in_header ? PREDICATE_HEADER : 0) |
	       (t->subject != SUBJECT_NUMBER ? PREDICATE_MORE : 0);
}

void test_free(struct test *t)
{
	if (t->is_cpus)
		kfree(t->cpus);
	else if (test_is_string(t))
		kfree(t->text);
}
