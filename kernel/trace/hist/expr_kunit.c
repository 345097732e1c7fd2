// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of expressions of histograms: results for fields of a record, random expressions
 * compared with a plain evaluation, and errors.
 */
#include <kunit/test.h>
#include <linux/build_bug.h>
#include <linux/cleanup.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/prandom.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "action.h"
#include "events/events.h"
#include "expr.h"
#include "fields.h"
#include "instance/instance.h"
#include "internal.h"
#include "text.h"
#include "value.h"

struct test_record {
	struct trace_entry	ent;
	u8			tiny;
	s16			half;
	s32			word;
	u64			big;
};

#define PLACE(_member)							\
	.offset = offsetof(struct test_record, _member)
#define SIZE(_member)							\
	.size = sizeof_field(struct test_record, _member)
#define FIELD(_type, _name, _place, _size, ...)				\
	{ .type = _type, .name = _name, _place, _size, ##__VA_ARGS__ }

static const struct trace_event_fields test_fields[] = {
	FIELD("u8", "tiny", PLACE(tiny), SIZE(tiny)),
	FIELD("s16", "half", PLACE(half), SIZE(half), .is_signed = true),
	FIELD("s32", "word", PLACE(word), SIZE(word), .is_signed = true),
	FIELD("u64", "big", PLACE(big), SIZE(big)),
	{ }
};

/**
 * struct expr_test - an event, a histogram on it, a record, and random numbers
 * @rnd: state of the random numbers
 * @record: record of the event
 * @class: class of the event
 * @call: call of the event
 * @event: the event
 * @file: the event in the first instance
 * @h: the histogram
 */
struct expr_test {
	struct rnd_state		rnd;
	struct test_record		record;
	struct trace_event_class	class;
	struct trace_event_call		call;
	struct event			event;
	struct trace_event_file		file;
	struct hist			h;
};

static int make_event(struct kunit *test)
{
	struct expr_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	if (!t)
		return -ENOMEM;
	t->class.system = "kunit";
	t->call.class = &t->class;
	t->event.type.name = "calculated";
	t->event.type.fields = test_fields;
	t->event.call = &t->call;
	t->file.event = &t->event;
	t->file.tr = &global_trace;
	t->h.t.tr = &global_trace;
	t->h.file = &t->file;
	prandom_seed_state(&t->rnd, 23);
	test->priv = t;
	return 0;
}

static void random_record(struct expr_test *t)
{
	prandom_bytes_state(&t->rnd, &t->record, sizeof(t->record));
	/* Have numbers near 0 as well, as some expressions divide by them. */
	if (t->record.tiny & 1)
		t->record.word %= 3;
	if (t->record.tiny & 2)
		t->record.big %= 3;
}

/* A field that hist_prepare_field() has not seen goes the general way. */
static_assert(HIST_WAY_OTHER == 0);

/*
 * Get a number before hist_prepare_field() has chosen the way of the field, and after.
 *
 * Return: 0, or -ERANGE if both differ.
 */
static int number_both_ways(struct expr_test *t, struct hist_field *f, u64 *number)
{
	struct action_hit hit = { .file = &t->file, .rec = &t->record };
	u64 before;

	guard(preempt)();
	before = hist_number(&t->h, f, &hit, NULL);
	hist_prepare_field(&t->h, f);
	*number = hist_number(&t->h, f, &hit, NULL);
	return before == *number ? 0 : -ERANGE;
}

/* Parse and evaluate an expression. Return: 0, or the error of the parser. */
static int value_of(struct expr_test *t, const char *expr, u64 *number)
{
	char *word __free(kfree) = kstrdup(expr, GFP_KERNEL);
	struct hist_text *text __free(kfree) = kzalloc(sizeof(*text), GFP_KERNEL);
	struct hist_field f = { };
	int err;

	if (!word || !text)
		return -ENOMEM;
	text->cmd = (struct cmd_text){ .parser = "hist", .whole = expr, .text = word };
	text->h = &t->h;
	text->file = &t->file;
	scoped_guard(mutex, &events_lock)
		err = hist_value_parse(text, word, HIST_FOR_VARS, &f);
	if (!err)
		err = number_both_ways(t, &f, number);
	hist_field_free(&f);
	return err;
}

static void calculates_by_rule(struct kunit *test)
{
	static const struct {
		const char	*expr;
		s64		number;
	} sums[] = {
		{ "tiny", 7 }, { "half", -3 }, { "0x10", 16 }, { "010", 8 },
		{ "tiny+half", 4 }, { "tiny-half-2", 8 }, { "tiny-half+2", 12 },
		{ "tiny*half+2", -19 }, { "2+tiny*half", -19 }, { "100/tiny*2", 28 },
		{ "100/tiny/2", 7 }, { "10-2*3", 4 }, { "-(tiny+half)", -4 },
		{ "-(tiny)", -7 }, { "-(tiny-half-2)", -8 }, { "-(-(tiny))", 7 },
		{ "big/tiny", 142857142857 }, { "tiny/big*0", 0 },
		{ "word-5", -5 }, { "tiny/word", -1 }, { "half*half*half*half", 81 },
	};
	struct expr_test *t = test->priv;
	u64 number;

	t->record = (struct test_record) { .tiny = 7, .half = -3, .big = 1000000000000 };
	for (unsigned int i = 0; i < ARRAY_SIZE(sums); i++) {
		KUNIT_EXPECT_EQ_MSG(test, value_of(t, sums[i].expr, &number), 0, "%s",
				    sums[i].expr);
		KUNIT_EXPECT_EQ_MSG(test, number, sums[i].number, "%s", sums[i].expr);
	}
}

static void refuses_nonsense(struct kunit *test)
{
	static const char * const wrong[] = {
		"tiny+", "+tiny", "tiny++half", "*tiny", "tiny/", "-tiny", "-(tiny", "-tiny)",
		"-(tiny)+1", "-(tiny+)", "-(tiny)-(half)", "tiny+nothing", "nothing*2", "12x+tiny",
		"tiny+1+2+3+4",
		"-(tiny+1+2+3)", "tiny.log2+1", "$nobody+1", "some.event.$nobody", "a.b.c.$d+1",
		"18446744073709551616+tiny", "common_timestamp.usecs+tiny", "$", "+", "-", "/",
		"-()", "tiny.hex.hex+1",
	};
	struct expr_test *t = test->priv;
	u64 number;

	for (unsigned int i = 0; i < ARRAY_SIZE(wrong); i++)
		KUNIT_EXPECT_EQ_MSG(test, value_of(t, wrong[i], &number), -EINVAL, "%s",
				    wrong[i]);
	KUNIT_EXPECT_EQ(test, value_of(t, "tiny/0", &number), -EDOM);
	KUNIT_EXPECT_EQ(test, value_of(t, "tiny+1/0", &number), -EDOM);
	KUNIT_EXPECT_EQ(test, value_of(t, "1/0*tiny", &number), -EDOM);
}

/* ------------------------------------------------------------------ */
/* Random expressions							*/

/**
 * struct random_expr - a random expression
 * @text: the expression as a user would write it
 * @nr: number of operators
 * @values: values of the operands
 * @known: which operands are constants in the text
 * @operators: the operators between the operands
 * @negated: the whole expression is negated
 */
struct random_expr {
	char		text[160];
	unsigned int	nr;
	u64		values[HIST_OPERANDS_MAX];
	bool		known[HIST_OPERANDS_MAX];
	char		operators[HIST_OPERATORS_MAX];
	bool		negated;
};

static unsigned int pick(struct expr_test *t, unsigned int n)
{
	return prandom_u32_state(&t->rnd) % n;
}

static u64 random_operand(struct expr_test *t, struct seq_buf *text, bool *known)
{
	u64 number = pick(t, 2) ? pick(t, 4) : prandom_u32_state(&t->rnd);

	*known = false;
	switch (pick(t, 6)) {
	case 0:
		seq_buf_puts(text, "tiny");
		return t->record.tiny;
	case 1:
		seq_buf_puts(text, "half");
		return t->record.half;
	case 2:
		seq_buf_puts(text, "word");
		return t->record.word;
	case 3:
		seq_buf_puts(text, "big");
		return t->record.big;
	default:
		seq_buf_printf(text, pick(t, 2) ? "%llu" : "0x%llx", number);
		*known = true;
		return number;
	}
}

static void random_expr(struct expr_test *t, struct random_expr *e)
{
	struct seq_buf text;

	seq_buf_init(&text, e->text, sizeof(e->text));
	e->nr = pick(t, HIST_OPERATORS_MAX + 1);
	e->negated = e->nr < HIST_OPERATORS_MAX && !pick(t, 3);
	if (e->negated)
		seq_buf_puts(&text, "-(");
	for (unsigned int i = 0; i <= e->nr; i++) {
		e->values[i] = random_operand(t, &text, &e->known[i]);
		if (i == e->nr)
			break;
		e->operators[i] = "+-*/"[pick(t, 4)];
		seq_buf_putc(&text, e->operators[i]);
	}
	if (e->negated)
		seq_buf_putc(&text, ')');
	seq_buf_str(&text);
}

/* True if a constant 0 is a divisor, which the parser refuses. */
static bool by_zero(const struct random_expr *e)
{
	for (unsigned int i = 0; i < e->nr; i++)
		if (e->operators[i] == '/' && e->known[i + 1] && !e->values[i + 1])
			return true;
	return false;
}

/* Evaluate the expression from the left to the right, one product after another. */
static u64 plain(const struct random_expr *e)
{
	u64 sum = 0, product = e->values[0], next;
	bool minus = false;

	for (unsigned int i = 0; i < e->nr; i++) {
		next = e->values[i + 1];
		switch (e->operators[i]) {
		case '*':
			product *= next;
			break;
		case '/':
			product = next ? div64_u64(product, next) : U64_MAX;
			break;
		default:
			sum += minus ? -product : product;
			minus = e->operators[i] == '-';
			product = next;
		}
	}
	sum += minus ? -product : product;
	return e->negated ? -sum : sum;
}

static void calculates_at_random(struct kunit *test)
{
	struct expr_test *t = test->priv;
	struct random_expr e;
	unsigned int divided = 0;
	u64 number;
	int err;

	for (unsigned int i = 0; i < 5000; i++) {
		random_record(t);
		random_expr(t, &e);
		err = value_of(t, e.text, &number);
		if (by_zero(&e)) {
			KUNIT_EXPECT_EQ_MSG(test, err, -EDOM, "%s", e.text);
			divided++;
			continue;
		}
		KUNIT_ASSERT_EQ_MSG(test, err, 0, "%s", e.text);
		KUNIT_ASSERT_EQ_MSG(test, number, plain(&e), "%s", e.text);
	}
	KUNIT_EXPECT_GT(test, divided, 0U);
}

static struct kunit_case expr_cases[] = {
	KUNIT_CASE(calculates_by_rule),
	KUNIT_CASE(refuses_nonsense),
	KUNIT_CASE(calculates_at_random),
	{}
};

static struct kunit_suite expr_suite = {
	.name		= "ftrace_hist",
	.init		= make_event,
	.test_cases	= expr_cases,
};

kunit_test_suite(expr_suite);
