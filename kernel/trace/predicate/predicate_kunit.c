// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of predicate/: valid and invalid texts, and random texts whose results are compared
 * with an evaluation by the rules of C.
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/prandom.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "internal.h"

struct test_record {
	struct trace_entry	ent;
	u8			small;
	s16			half;
	u32			word;
	s64			big;
	char			name[8];
	u32			text_loc;
	u32			rel_loc;
	u32			cpus_loc;
	const char		*pointer;
	unsigned long		ip;
	char			text[8];
	char			rel[8];
	struct cpumask		cpus;
};

#define PLACE(_member)							\
	.offset = offsetof(struct test_record, _member)
#define SIZE(_member)							\
	.size = sizeof_field(struct test_record, _member)
#define FIELD(_type, _name, _place, _size, ...)				\
	{ .type = _type, .name = _name, _place, _size, ##__VA_ARGS__ }

static const struct trace_event_fields test_fields[] = {
	FIELD("u8", "small", PLACE(small), SIZE(small)),
	FIELD("s16", "half", PLACE(half), SIZE(half), .is_signed = true),
	FIELD("u32", "word", PLACE(word), SIZE(word)),
	FIELD("s64", "big", PLACE(big), SIZE(big), .is_signed = true),
	FIELD("char[8]", "name", PLACE(name), SIZE(name)),
	FIELD("__data_loc char[]", "text", PLACE(text_loc), SIZE(text_loc)),
	FIELD("__rel_loc char[]", "rel", PLACE(rel_loc), SIZE(rel_loc)),
	FIELD("__data_loc cpumask_t", "cpus", PLACE(cpus_loc), SIZE(cpus_loc),
	      .filter_type = FILTER_CPUMASK),
	FIELD("const char *", "pointer", PLACE(pointer), SIZE(pointer)),
	FIELD("unsigned long", "ip", PLACE(ip), SIZE(ip)),
	{ "int[3]", "row", 200, 12 },
	{ }
};

static struct test_record *record;

static int make_record(struct kunit *test)
{
	record = kunit_kzalloc(test, sizeof(*record), GFP_KERNEL);
	if (!record)
		return -ENOMEM;
	*record = (struct test_record) {
		.ent		= { .pid = 77, .preempt_count = 2 },
		.small		= 200,
		.half		= -5,
		.word		= 0xfffffff0,
		.big		= -(1LL << 40),
		.name		= "eight888",
		.text		= "later",
		.rel		= "nearer",
		.pointer	= "pointed",
		.ip		= (unsigned long)vsnprintf + 1,
		.text_loc	= 6 << 16 | offsetof(struct test_record, text),
		.rel_loc	= 7 << 16 | (offsetof(struct test_record, rel) -
					     offsetof(struct test_record, rel_loc) - 4),
		.cpus_loc	= cpumask_size() << 16 | offsetof(struct test_record, cpus),
	};
	cpumask_set_cpu(0, &record->cpus);
	return 0;
}

static bool answer_of(struct kunit *test, const struct trace_event_fields *fields,
		      const char *text)
{
	struct predicate_error err;
	struct predicate *p = predicate_compile(fields, text, &err);
	bool yes;

	KUNIT_EXPECT_FALSE_MSG(test, IS_ERR(p), "%s: %s at %u", text,
			       err.message, err.pos);
	if (IS_ERR(p))
		return false;
	preempt_disable();
	yes = predicate_match(p, record);
	preempt_enable();
	predicate_free(p);
	return yes;
}

static bool answer(struct kunit *test, const char *text)
{
	return answer_of(test, test_fields, text);
}

static void true_and_false(struct kunit *test)
{
	static const char * const is_true[] = {
		"small == 200", "small>199", "small >= 0xc8", "!(small < 200)", "small & 8",
		"half == -5", "half < 0", "half <= -5", "half > -6", "half == 65531",
		"word == 4294967280", "word > 1", "word & 0x80000000",
		"big < -1", "big == -1099511627776",
		"common_pid == 77", "common_preempt_count > 1",
		"name == eight888", "name == \"eight888\"", "name != eight", "name ~ \"e*8\"",
		"name ~ '*ght*'", "name !~ '*ghz*'", "name ~ 'eight88[6-9]'",
		"text ~ \"!x*\"", "text !~ '!lat*'", "text == later", "text ~ lat*",
		"text != late", "rel == nearer",
		"pointer == pointed", "pointer ~ \"*ted\"", "ip.function == vsnprintf",
		"ip.function != snprintf", "ip > 0",
		"cpus & CPUS{0}", "cpus == CPUS{0}", "cpus == 0",
		"half == 3 || (small == 200 && word != 0) || name == nothing",
		"half == 3 && small == 200 || word != 0", "!half == 3", "!!small == 200",
		"!(half == 3 || half == 4) && !(small == 1)", "((((small==200))))",
	};
	static const char * const is_false[] = {
		"small == 201", "half > 0", "word < 1", "big > 0", "name == eight",
		"text ~ '!l*'", "name ~ eight", "text == laterr", "rel ~ 'x*'", "pointer == point",
		"ip.function == snprintf", "cpus != CPUS{0}", "cpus == 1", "common_pid == 78",
		"half == 3 && (small == 200 || word != 0)", "!small == 200",
		"small == 200 && half == 3 || word == 0",
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(is_true); i++)
		KUNIT_EXPECT_TRUE_MSG(test, answer(test, is_true[i]), "%s", is_true[i]);
	for (unsigned int i = 0; i < ARRAY_SIZE(is_false); i++)
		KUNIT_EXPECT_FALSE_MSG(test, answer(test, is_false[i]), "%s", is_false[i]);
}

/* An address inside a function stands for the function. */
static void by_address(struct kunit *test)
{
	char text[64];

	snprintf(text, sizeof(text), "ip.function == %#lx", (unsigned long)vsnprintf + 8);
	KUNIT_EXPECT_TRUE_MSG(test, answer(test, text), "%s", text);
	record->ip = (unsigned long)vsnprintf + 8;
	KUNIT_EXPECT_TRUE_MSG(test, answer(test, text), "%s", text);
	record->ip = (unsigned long)vsnprintf - 1;
	KUNIT_EXPECT_FALSE_MSG(test, answer(test, text), "%s", text);
}

static void which_cpus(struct kunit *test)
{
	if (nr_cpu_ids < 2)
		kunit_skip(test, "there is no other CPU to name");
	KUNIT_EXPECT_TRUE(test, answer(test, "cpus != CPUS{0-1}"));
	KUNIT_EXPECT_FALSE(test, answer(test, "cpus & CPUS{1}"));
	/* A CPU is not equal to a set of several CPUs. */
	KUNIT_EXPECT_TRUE(test, answer(test, "CPU != CPUS{0-1}"));
	KUNIT_EXPECT_FALSE(test, answer(test, "CPU == CPUS{0-1}"));
	/* A mask is equal to a CPU if it is the only one in the mask. */
	cpumask_set_cpu(1, &record->cpus);
	KUNIT_EXPECT_TRUE(test, answer(test, "cpus == CPUS{0-1}"));
	KUNIT_EXPECT_FALSE(test, answer(test, "cpus == 0"));
	KUNIT_EXPECT_TRUE(test, answer(test, "cpus != 0"));
	KUNIT_EXPECT_TRUE(test, answer(test, "cpus & 1"));
}

static void of_whom_it_is(struct kunit *test)
{
	char text[64];

	snprintf(text, sizeof(text), "COMM == \"%s\"", current->comm);
	KUNIT_EXPECT_TRUE(test, answer(test, text));
	snprintf(text, sizeof(text), "comm != \"%s\"", current->comm);
	KUNIT_EXPECT_FALSE(test, answer(test, text));
	KUNIT_EXPECT_TRUE(test, answer(test, "CPU >= 0"));
	KUNIT_EXPECT_FALSE(test, answer(test, "cpu > 8191"));
	KUNIT_EXPECT_TRUE(test, answer(test, "common_cpu > -1"));
	KUNIT_EXPECT_FALSE(test, answer(test, "CPU < -1"));
	snprintf(text, sizeof(text), "CPU & CPUS{0-%u}", nr_cpu_ids - 1);
	KUNIT_EXPECT_TRUE(test, answer(test, text));
}

/* Fields of the record, as comm of a woken task, hide the pseudo fields of the same name. */
static void own_fields_first(struct kunit *test)
{
	static const struct trace_event_fields fields[] = {
		FIELD("char[8]", "comm", PLACE(name), SIZE(name)),
		FIELD("u8", "cpu", PLACE(small), SIZE(small)),
		{ }
	};

	KUNIT_EXPECT_TRUE(test, answer_of(test, fields, "comm == eight888"));
	KUNIT_EXPECT_TRUE(test, answer_of(test, fields, "cpu == 200"));
	KUNIT_EXPECT_FALSE(test, answer_of(test, fields, "COMM == eight888"));
	KUNIT_EXPECT_FALSE(test, answer_of(test, fields, "CPU == 200"));
}

/* A string that cannot be read fails every test. */
static void pointers_may_lead_nowhere(struct kunit *test)
{
	record->pointer = (const char *)8;
	KUNIT_EXPECT_FALSE(test, answer(test, "pointer == pointed"));
	KUNIT_EXPECT_FALSE(test, answer(test, "pointer != pointed"));
	KUNIT_EXPECT_TRUE(test, answer(test, "!(pointer == pointed)"));
	KUNIT_EXPECT_FALSE(test, answer(test, "pointer.ustring ~ '*'"));
}

static void what_makes_no_sense(struct kunit *test)
{
	static const struct {
		const char	*text;
		const char	*message;
		u16		pos;
	} wrong[] = {
		{ "", PREDICATE_ERR_NO_FILTER, 0 },
		{ "nothing == 1", PREDICATE_ERR_FIELD_NOT_FOUND, 8 },
		{ "small == 1 && nothing == 1", PREDICATE_ERR_FIELD_NOT_FOUND, 22 },
		{ "small =< 1", PREDICATE_ERR_INVALID_OP, 6 },
		{ "small ^== 1", PREDICATE_ERR_INVALID_OP, 6 },
		{ "(small == 1", PREDICATE_ERR_TOO_MANY_OPEN, 0 },
		{ "small == 1)", PREDICATE_ERR_TOO_MANY_CLOSE, 10 },
		{ "small == 1 &&", PREDICATE_ERR_MEANINGLESS, 13 },
		{ "small == 1 || !", PREDICATE_ERR_MEANINGLESS, 15 },
		{ "()", PREDICATE_ERR_MEANINGLESS, 1 },
		{ "small == 1 half == 2", PREDICATE_ERR_INVALID_OP, 11 },
		{ "small == x", PREDICATE_ERR_INVALID_VALUE, 9 },
		{ "small == ", PREDICATE_ERR_INVALID_VALUE, 9 },
		{ "small == 12x", PREDICATE_ERR_ILLEGAL_INTVAL, 9 },
		{ "small == \"12\"", PREDICATE_ERR_EXPECT_DIGIT, 9 },
		{ "small ~ 1", PREDICATE_ERR_ILLEGAL_FIELD_OP, 6 },
		{ "name < 1", PREDICATE_ERR_ILLEGAL_FIELD_OP, 5 },
		{ "name == \"open", PREDICATE_ERR_MISSING_QUOTE, 8 },
		{ "name == 5", PREDICATE_ERR_EXPECT_STRING, 8 },
		{ "name != -1", PREDICATE_ERR_EXPECT_STRING, 8 },
		{ "COMM == 5", PREDICATE_ERR_EXPECT_STRING, 8 },
		{ "pointer.ustring == 5", PREDICATE_ERR_EXPECT_STRING, 19 },
		{ "ip.ustring == \"x\"", PREDICATE_ERR_ILLEGAL_FIELD_OP, 2 },
		{ "word.ustring ~ '*'", PREDICATE_ERR_ILLEGAL_FIELD_OP, 4 },
		{ "name.ustring == 'x'", PREDICATE_ERR_ILLEGAL_FIELD_OP, 4 },
		{ "row == 1", PREDICATE_ERR_ILLEGAL_FIELD_OP, 0 },
		{ "small.function == vsnprintf", PREDICATE_ERR_ILLEGAL_FIELD_OP, 5 },
		{ "ip.function == no_such_function", PREDICATE_ERR_NO_FUNCTION, 15 },
		{ "ip.function > vsnprintf", PREDICATE_ERR_ILLEGAL_FIELD_OP, 12 },
		{ "cpus & CPUS 0", PREDICATE_ERR_MISSING_BRACE_OPEN, 12 },
		{ "cpus & CPUS{0", PREDICATE_ERR_MISSING_BRACE_CLOSE, 11 },
		{ "cpus & CPUS{a}", PREDICATE_ERR_INVALID_CPULIST, 12 },
		{ "cpus & CPUS{}", PREDICATE_ERR_INVALID_CPULIST, 12 },
		{ "cpus > CPUS{0}", PREDICATE_ERR_ILLEGAL_FIELD_OP, 5 },
	};
	struct predicate_error err;
	struct predicate *p;

	for (unsigned int i = 0; i < ARRAY_SIZE(wrong); i++) {
		p = predicate_compile(test_fields, wrong[i].text, &err);
		KUNIT_EXPECT_EQ_MSG(test, PTR_ERR(p), -EINVAL, "%s", wrong[i].text);
		KUNIT_EXPECT_STREQ_MSG(test, err.message, wrong[i].message, "%s", wrong[i].text);
		KUNIT_EXPECT_EQ_MSG(test, err.pos, wrong[i].pos, "%s", wrong[i].text);
		if (!IS_ERR(p))
			predicate_free(p);
	}
}

/* Nesting is limited only by the length of the text. */
static void deep_ones(struct kunit *test)
{
	const unsigned int depth = 2000;
	char *text = kunit_kzalloc(test, 3 * depth + 16, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, text);
	for (unsigned int i = 0; i < depth; i++)
		memcpy(text + 2 * i, "!(", 2);
	memcpy(text + 2 * depth, "small==200", 10);
	memset(text + 2 * depth + 10, ')', depth);
	KUNIT_EXPECT_TRUE(test, answer(test, text));
}

/* ------------------------------------------------------------------ */
/* Random texts								*/

struct generator {
	struct rnd_state	rnd;
	struct seq_buf		text;
};

static unsigned int pick(struct generator *g, unsigned int n)
{
	return prandom_u32_state(&g->rnd) % n;
}

static bool random_comparison(struct generator *g, const char *name, s64 field, s64 value)
{
	static const char * const ops[] = { "==", "!=", "<", "<= ", " > ", " >=", "&" };
	unsigned int op = pick(g, ARRAY_SIZE(ops));

	seq_buf_printf(&g->text, "%s%s%lld", name, ops[op], value);
	switch (op) {
	case 0:
		return field == value;
	case 1:
		return field != value;
	case 2:
		return field < value;
	case 3:
		return field <= value;
	case 4:
		return field > value;
	case 5:
		return field >= value;
	default:
		return field & value;
	}
}

/* Return: a value near @field, near the limits of its type, or anywhere. */
static s64 random_value(struct generator *g, s64 field, s64 min, s64 max)
{
	switch (pick(g, 4)) {
	case 0:
		return clamp(field + (int)pick(g, 5) - 2, min, max);
	case 1:
		return min + pick(g, 2);
	case 2:
		return max - pick(g, 2);
	default:
		return clamp((s64)pick(g, U32_MAX) - S32_MAX, min, max);
	}
}

static bool random_test(struct generator *g)
{
	const struct {
		const char	*name;
		s64		field, min, max;
	} numbers[] = {
		{ "small", record->small, 0, U8_MAX },
		{ "half", record->half, S16_MIN, S16_MAX },
		{ "word", record->word, 0, U32_MAX },
		{ "big", record->big, S64_MIN + 2, S64_MAX - 2 },
		{ "common_pid", record->ent.pid, S32_MIN, S32_MAX },
		{ "common_preempt_count", record->ent.preempt_count, 0, U8_MAX },
	}, *n = &numbers[pick(g, ARRAY_SIZE(numbers))];

	return random_comparison(g, n->name, n->field,
				 random_value(g, n->field, n->min, n->max));
}

static bool random_or(struct generator *g, unsigned int depth);

static bool random_not(struct generator *g, unsigned int depth)
{
	bool yes;

	if (!depth || !pick(g, 3))
		return random_test(g);
	if (!pick(g, 2)) {
		seq_buf_puts(&g->text, pick(g, 2) ? "!" : " ! ");
		return !random_not(g, depth - 1);
	}
	seq_buf_puts(&g->text, "(");
	yes = random_or(g, depth - 1);
	seq_buf_puts(&g->text, ")");
	return yes;
}

static bool random_and(struct generator *g, unsigned int depth)
{
	bool yes = random_not(g, depth);

	while (!pick(g, 3)) {
		seq_buf_puts(&g->text, " && ");
		yes = random_not(g, depth) && yes;
	}
	return yes;
}

static bool random_or(struct generator *g, unsigned int depth)
{
	bool yes = random_and(g, depth);

	while (!pick(g, 3)) {
		seq_buf_puts(&g->text, "||");
		yes = random_and(g, depth) || yes;
	}
	return yes;
}

static void random_ones(struct kunit *test)
{
	const unsigned int size = SZ_16K;
	char *text = kunit_kzalloc(test, size, GFP_KERNEL);
	struct generator g;
	bool yes;

	KUNIT_ASSERT_NOT_NULL(test, text);
	prandom_seed_state(&g.rnd, 22);
	for (unsigned int i = 0; i < 2000; i++) {
		seq_buf_init(&g.text, text, size);
		yes = random_or(&g, 4);
		if (seq_buf_has_overflowed(&g.text))
			continue;
		KUNIT_EXPECT_EQ_MSG(test, answer(test, seq_buf_str(&g.text)), yes, "%s", text);
	}
}

static struct kunit_case predicate_cases[] = {
	KUNIT_CASE(true_and_false),
	KUNIT_CASE(by_address),
	KUNIT_CASE(which_cpus),
	KUNIT_CASE(of_whom_it_is),
	KUNIT_CASE(own_fields_first),
	KUNIT_CASE(pointers_may_lead_nowhere),
	KUNIT_CASE(what_makes_no_sense),
	KUNIT_CASE(deep_ones),
	KUNIT_CASE(random_ones),
	{}
};

static struct kunit_suite predicate_suite = {
	.name		= "ftrace_predicate",
	.init		= make_record,
	.test_cases	= predicate_cases,
};

kunit_test_suite(predicate_suite);
