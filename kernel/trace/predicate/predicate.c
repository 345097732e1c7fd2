// SPDX-License-Identifier: GPL-2.0
/*
 * From a text to tests: what && || ! and parentheses make of them.
 *
 * Operands and operators go on two stacks, and a node of a tree is made whenever an operator
 * binds no less than the one that follows. Nothing here is recursive: a text may nest as deep
 * as it is long.
 */
#include <linux/err.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "internal.h"
#include "types/types.h"

const char *predicate_errors[NR_PREDICATE_ERRORS] = {
	[PREDICATE_OK]			= "No error",
	[PREDICATE_INVALID_OP]		= "Invalid operator",
	[PREDICATE_TOO_MANY_OPEN]	= "Too many '('",
	[PREDICATE_TOO_MANY_CLOSE]	= "Too few '('",
	[PREDICATE_MISSING_QUOTE]	= "Missing matching quote",
	[PREDICATE_MISSING_BRACE_OPEN]	= "Missing '{'",
	[PREDICATE_MISSING_BRACE_CLOSE]	= "Missing '}'",
	[PREDICATE_OPERAND_TOO_LONG]	= "Operand too long",
	[PREDICATE_EXPECT_STRING]	= "Expecting string field",
	[PREDICATE_EXPECT_DIGIT]	= "Expecting numeric field",
	[PREDICATE_ILLEGAL_FIELD_OP]	= "Illegal operation for field type",
	[PREDICATE_FIELD_NOT_FOUND]	= "Field not found",
	[PREDICATE_ILLEGAL_INTVAL]	= "Illegal integer value",
	[PREDICATE_BAD_SYSTEM] = "Couldn't find or set field in one of a subsystem's events",
	[PREDICATE_TOO_MANY]		= "Too many terms in predicate expression",
	[PREDICATE_MEANINGLESS]		= "Meaningless filter expression",
	[PREDICATE_INVALID_CPULIST]	= "Invalid cpulist",
	[PREDICATE_INVALID_VALUE]	= "Invalid value (did you forget quotes)?",
	[PREDICATE_NO_FUNCTION]		= "Function not found",
	[PREDICATE_ERRNO]		= "Error",
	[PREDICATE_NO_FILTER]		= "No filter found",
};

int cursor_error(struct cursor *c, enum predicate_errno what, const char *at)
{
	if (!c->err->what)
		*c->err = (struct predicate_error) { .what = what, .pos = at - c->text };
	return -EINVAL;
}

void cursor_skip_blanks(struct cursor *c)
{
	c->at = skip_spaces(c->at);
}

enum operator {
	OPEN,
	OR,
	AND,
	NOT,
	TEST,
};

/**
 * struct expr_node - a part of the expression
 * @op: what it is
 * @left: a node, or the number of the test
 * @right: a node, of AND and OR
 * @first: the test with which it begins
 */
struct expr_node {
	enum operator	op;
	u16		left;
	u16		right;
	u16		first;
};

/**
 * struct pending - an operator that waits for what is behind it
 * @op: which
 * @at: where it stands
 */
struct pending {
	enum operator	op;
	const char	*at;
};

/**
 * struct parse - an expression that is being taken apart
 * @c: the text
 * @fields: of the record
 * @p: the tests so far
 * @nodes: the tree, of which the nodes before a node are below it
 * @nr_nodes: how many
 * @operands: nodes that no operator has taken yet
 * @nr_operands: how many
 * @ops: operators that wait
 * @nr_ops: how many
 * @room: of each of these
 */
struct parse {
	struct cursor			c;
	const struct trace_event_fields	*fields;
	struct predicate		*p;
	struct expr_node			*nodes;
	unsigned int			nr_nodes;
	u16				*operands;
	unsigned int			nr_operands;
	struct pending			*ops;
	unsigned int			nr_ops;
	unsigned int			room;
};

static void push_node(struct parse *s, struct expr_node node)
{
	s->operands[s->nr_operands++] = s->nr_nodes;
	s->nodes[s->nr_nodes++] = node;
}

/* The last operator takes its operands. */
static int reduce(struct parse *s)
{
	struct pending *op = &s->ops[--s->nr_ops];
	unsigned int want = op->op == NOT ? 1 : 2;
	struct expr_node node = { .op = op->op };

	if (s->nr_operands < want)
		return cursor_error(&s->c, PREDICATE_MEANINGLESS, op->at);
	if (want == 2)
		node.right = s->operands[--s->nr_operands];
	node.left = s->operands[--s->nr_operands];
	node.first = s->nodes[node.left].first;
	push_node(s, node);
	return 0;
}

/* What binds no less than an operator that follows has all that it takes. */
static int reduce_above(struct parse *s, enum operator op)
{
	int err = 0;

	while (!err && s->nr_ops && s->ops[s->nr_ops - 1].op >= op)
		err = reduce(s);
	return err;
}

static void push_op(struct parse *s, enum operator op, unsigned int len)
{
	s->ops[s->nr_ops++] = (struct pending) { .op = op, .at = s->c.at };
	s->c.at += len;
}

static int parse_test(struct parse *s)
{
	unsigned int nr = s->p->nr;
	int err;

	/* Counted first, so that what it allocates is freed whatever happens. */
	s->p->nr++;
	err = test_parse(&s->c, s->fields, &s->p->tests[nr]);
	s->p->needs |= test_needs(&s->p->tests[nr]);
	if (!err)
		push_node(s, (struct expr_node) { .op = TEST, .left = nr, .first = nr });
	return err;
}

/* Up to and with the next test. */
static int parse_operand(struct parse *s)
{
	for (;;) {
		cursor_skip_blanks(&s->c);
		if (*s->c.at == '!')
			push_op(s, NOT, 1);
		else if (*s->c.at == '(')
			push_op(s, OPEN, 1);
		else if (!*s->c.at || *s->c.at == ')')
			return cursor_error(&s->c, PREDICATE_MEANINGLESS, s->c.at);
		else
			return parse_test(s);
	}
}

static int parse_close(struct parse *s)
{
	int err = reduce_above(s, OR);

	if (err)
		return err;
	if (!s->nr_ops)
		return cursor_error(&s->c, PREDICATE_TOO_MANY_CLOSE, s->c.at);
	s->nr_ops--;
	s->c.at++;
	return 0;
}

/* What is behind an operand; 1 if another one follows. */
static int parse_behind(struct parse *s)
{
	int err = 0;

	for (;;) {
		cursor_skip_blanks(&s->c);
		if (*s->c.at != ')')
			break;
		err = parse_close(s);
		if (err)
			return err;
	}
	if (!*s->c.at)
		return 0;
	if (strstarts(s->c.at, "&&")) {
		err = reduce_above(s, AND);
		push_op(s, AND, 2);
	} else if (strstarts(s->c.at, "||")) {
		err = reduce_above(s, OR);
		push_op(s, OR, 2);
	} else {
		err = cursor_error(&s->c, PREDICATE_INVALID_OP, s->c.at);
	}
	return err ?: 1;
}

static int parse(struct parse *s)
{
	int more;

	cursor_skip_blanks(&s->c);
	if (!*s->c.at)
		return cursor_error(&s->c, PREDICATE_NO_FILTER, s->c.at);
	do {
		more = parse_operand(s) ?: parse_behind(s);
	} while (more > 0);
	if (more)
		return more;
	more = reduce_above(s, OR);
	if (!more && s->nr_ops)
		more = cursor_error(&s->c, PREDICATE_TOO_MANY_OPEN, s->ops[s->nr_ops - 1].at);
	return more;
}

/* ------------------------------------------------------------------ */
/* Which test comes next						*/

/* In place of a test: the answer. There are fewer tests; see most_tests(). */
#define AIM_YES	U16_MAX
#define AIM_NO	(U16_MAX - 1)

/**
 * struct aim - where a node leads
 * @node: the node
 * @yes: the test, or answer, behind it if it is true
 * @no: if it is not
 */
struct aim {
	u16	node;
	u16	yes;
	u16	no;
};

/* Tests are in the order in which they are asked. */
static s32 step_to(u16 next, u16 from)
{
	switch (next) {
	case AIM_YES:
		return ANSWER_YES;
	case AIM_NO:
		return ANSWER_NO;
	default:
		return (next - from) * (s32)sizeof(struct test);
	}
}

/* Outside of a range is the opposite of inside. */
static void aim_test(struct predicate *p, u16 nr, u16 yes, u16 no)
{
	struct test *t = &p->tests[nr];

	t->yes = step_to(t->negate ? no : yes, nr);
	t->no = step_to(t->negate ? yes : no, nr);
}

static void aim_tests(struct parse *s, struct aim *aims)
{
	unsigned int nr = 1;

	aims[0] = (struct aim) { s->operands[0], AIM_YES, AIM_NO };
	while (nr) {
		struct aim a = aims[--nr];
		const struct expr_node *node = &s->nodes[a.node];

		switch (node->op) {
		case NOT:
			aims[nr++] = (struct aim) { node->left, a.no, a.yes };
			break;
		case AND:
			aims[nr++] = (struct aim) {
				node->left, s->nodes[node->right].first, a.no };
			aims[nr++] = (struct aim) { node->right, a.yes, a.no };
			break;
		case OR:
			aims[nr++] = (struct aim) {
				node->left, a.yes, s->nodes[node->right].first };
			aims[nr++] = (struct aim) { node->right, a.yes, a.no };
			break;
		default:
			aim_test(s->p, node->left, a.yes, a.no);
		}
	}
}

/* ------------------------------------------------------------------ */
/* All of it								*/

/* No test is shorter than "a<1", and what binds them takes more: a step has room in 16 bits. */
static unsigned int most_tests(const char *text)
{
	return strlen(text) / 3 + 1;
}

static int parse_with_memory(struct parse *s)
{
	struct aim *aims;
	int err;

	s->nodes = kvmalloc_array(s->room, sizeof(*s->nodes), GFP_KERNEL);
	s->operands = kvmalloc_array(s->room, sizeof(*s->operands), GFP_KERNEL);
	s->ops = kvmalloc_array(s->room, sizeof(*s->ops), GFP_KERNEL);
	aims = kvmalloc_array(s->room, sizeof(*aims), GFP_KERNEL);
	err = s->nodes && s->operands && s->ops && aims ? parse(s) : -ENOMEM;
	if (!err)
		aim_tests(s, aims);
	kvfree(aims);
	kvfree(s->ops);
	kvfree(s->operands);
	kvfree(s->nodes);
	return err;
}

struct predicate *predicate_compile(const struct trace_event_fields *fields, const char *text,
				    struct predicate_error *err)
{
	struct parse s = {
		.c		= { .text = text, .at = text, .err = err },
		.fields		= fields,
		/* Each of these takes a character at least. */
		.room		= strlen(text) + 1,
	};
	int ret;

	*err = (struct predicate_error) { };
	if (s.room > U16_MAX)
		return ERR_PTR(cursor_error(&s.c, PREDICATE_TOO_MANY, text));
	s.p = kvzalloc(struct_size(s.p, tests, most_tests(text)), GFP_KERNEL);
	if (!s.p)
		return ERR_PTR(-ENOMEM);
	ret = parse_with_memory(&s);
	if (!ret)
		return s.p;
	predicate_free(s.p);
	return ERR_PTR(ret);
}

unsigned int predicate_needs(const struct predicate *p)
{
	return p->needs;
}

void predicate_free(struct predicate *p)
{
	if (!p)
		return;
	for (unsigned int i = 0; i < p->nr; i++)
		test_free(&p->tests[i]);
	kvfree(p);
}
