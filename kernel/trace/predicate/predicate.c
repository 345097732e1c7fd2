// SPDX-License-Identifier: GPL-2.0
/*
 * Compiling the text of a predicate: the operators && || ! and parentheses; test.c parses the
 * operands.
 *
 * Operands and operators are pushed on two stacks. An operator is reduced to a node of the
 * expression tree when the next operator does not bind tighter. Nothing here is recursive,
 * because a text may nest as deep as it is long.
 */
#include <linux/err.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "internal.h"
#include "types/types.h"

int cursor_error(struct cursor *c, const char *message, const char *at)
{
	if (!c->err->message)
		*c->err = (struct predicate_error) { .message = message, .pos = at - c->text };
	return -EINVAL;
}

void cursor_skip_blanks(struct cursor *c)
{
	c->at = skip_spaces(c->at);
}

/* Operators by ascending precedence: predicate_reduce_above() compares them. */
enum expr_op {
	EXPR_OPEN,		/* an open parenthesis */
	EXPR_OR,		/* || */
	EXPR_AND,		/* && */
	EXPR_NOT,		/* ! */
	EXPR_TEST,		/* no operator, but a test: a leaf of the tree */
};

/**
 * struct expr_node - a node of the expression tree
 * @op: operator of the node
 * @left: index of the left operand in &predicate_parser.nodes; of a leaf, the index of the test
 * @right: index of the right operand of && and || in &predicate_parser.nodes
 * @first: index of the first test of the node
 */
struct expr_node {
	enum expr_op	op;
	u16		left;
	u16		right;
	u16		first;
};

/**
 * struct pending_op - an operator that waits for its right operand
 * @op: the operator
 * @at: place of the operator in the text
 */
struct pending_op {
	enum expr_op	op;
	const char	*at;
};

/**
 * struct predicate_parser - the state of parsing an expression
 * @c: position in the text
 * @fields: fields of the record
 * @p: the predicate, with the tests parsed so far
 * @nodes: nodes of the tree; operands precede their operator
 * @nr_nodes: number of @nodes
 * @operands: stack of indices into @nodes, of nodes without a parent
 * @nr_operands: number of @operands
 * @ops: stack of pending operators
 * @nr_ops: number of @ops
 * @room: capacity of each of @nodes, @operands and @ops
 */
struct predicate_parser {
	struct cursor			c;
	const struct trace_event_fields	*fields;
	struct predicate		*p;
	struct expr_node		*nodes;
	unsigned int			nr_nodes;
	u16				*operands;
	unsigned int			nr_operands;
	struct pending_op		*ops;
	unsigned int			nr_ops;
	unsigned int			room;
};

static void predicate_push_node(struct predicate_parser *s, struct expr_node node)
{
	s->operands[s->nr_operands++] = s->nr_nodes;
	s->nodes[s->nr_nodes++] = node;
}

/* Pop the last pending operator and its operands, and push the node that they make. */
static int predicate_reduce(struct predicate_parser *s)
{
	struct pending_op *op = &s->ops[--s->nr_ops];
	unsigned int want = op->op == EXPR_NOT ? 1 : 2;
	struct expr_node node = { .op = op->op };

	if (s->nr_operands < want)
		return cursor_error(&s->c, PREDICATE_ERR_MEANINGLESS, op->at);
	if (want == 2)
		node.right = s->operands[--s->nr_operands];
	node.left = s->operands[--s->nr_operands];
	node.first = s->nodes[node.left].first;
	predicate_push_node(s, node);
	return 0;
}

/* Reduce the pending operators that bind at least as tight as @op, the next operator. */
static int predicate_reduce_above(struct predicate_parser *s, enum expr_op op)
{
	int err = 0;

	while (!err && s->nr_ops && s->ops[s->nr_ops - 1].op >= op)
		err = predicate_reduce(s);
	return err;
}

static void predicate_push_op(struct predicate_parser *s, enum expr_op op, unsigned int len)
{
	s->ops[s->nr_ops++] = (struct pending_op) { .op = op, .at = s->c.at };
	s->c.at += len;
}

static int predicate_parse_test(struct predicate_parser *s)
{
	unsigned int nr = s->p->nr;
	int err;

	/* Count the test first, so that predicate_free() frees its memory also after a failure. */
	s->p->nr++;
	err = test_parse(&s->c, s->fields, &s->p->tests[nr]);
	s->p->needs |= test_needs(&s->p->tests[nr]);
	if (!err)
		predicate_push_node(s, (struct expr_node) { .op = EXPR_TEST, .left = nr,
				    .first = nr });
	return err;
}

/* Parse any "!" and "(", and the test behind them. */
static int predicate_parse_operand(struct predicate_parser *s)
{
	for (;;) {
		cursor_skip_blanks(&s->c);
		if (*s->c.at == '!')
			predicate_push_op(s, EXPR_NOT, 1);
		else if (*s->c.at == '(')
			predicate_push_op(s, EXPR_OPEN, 1);
		else if (!*s->c.at || *s->c.at == ')')
			return cursor_error(&s->c, PREDICATE_ERR_MEANINGLESS, s->c.at);
		else
			return predicate_parse_test(s);
	}
}

static int predicate_parse_close(struct predicate_parser *s)
{
	int err = predicate_reduce_above(s, EXPR_OR);

	if (err)
		return err;
	if (!s->nr_ops)
		return cursor_error(&s->c, PREDICATE_ERR_TOO_MANY_CLOSE, s->c.at);
	s->nr_ops--;
	s->c.at++;
	return 0;
}

/*
 * Parse any ")" behind an operand, and the binary operator behind them.
 * Return: 1 if another operand must follow; 0 at the end of the text; or an errno.
 */
static int predicate_parse_operator(struct predicate_parser *s)
{
	int err = 0;

	for (;;) {
		cursor_skip_blanks(&s->c);
		if (*s->c.at != ')')
			break;
		err = predicate_parse_close(s);
		if (err)
			return err;
	}
	if (!*s->c.at)
		return 0;
	if (strstarts(s->c.at, "&&")) {
		err = predicate_reduce_above(s, EXPR_AND);
		predicate_push_op(s, EXPR_AND, 2);
	} else if (strstarts(s->c.at, "||")) {
		err = predicate_reduce_above(s, EXPR_OR);
		predicate_push_op(s, EXPR_OR, 2);
	} else {
		err = cursor_error(&s->c, PREDICATE_ERR_INVALID_OP, s->c.at);
	}
	return err ?: 1;
}

static int predicate_parse(struct predicate_parser *s)
{
	int more;

	cursor_skip_blanks(&s->c);
	if (!*s->c.at)
		return cursor_error(&s->c, PREDICATE_ERR_NO_FILTER, s->c.at);
	do {
		more = predicate_parse_operand(s) ?: predicate_parse_operator(s);
	} while (more > 0);
	if (more)
		return more;
	more = predicate_reduce_above(s, EXPR_OR);
	if (!more && s->nr_ops)
		more = cursor_error(&s->c, PREDICATE_ERR_TOO_MANY_OPEN, s->ops[s->nr_ops - 1].at);
	return more;
}

/* ------------------------------------------------------------------ */
/* Linking the tests							*/

/* Stand for ANSWER_* instead of the index of a test; predicate_max_tests() is below both. */
#define NEXT_YES	U16_MAX
#define NEXT_NO	(U16_MAX - 1)

/**
 * struct node_exits - where evaluation continues after a node
 * @node: index of the node
 * @yes: index of the next test, or NEXT_*, if the node is true
 * @no: index of the next test, or NEXT_*, if the node is false
 */
struct node_exits {
	u16	node;
	u16	yes;
	u16	no;
};

/* Return: distance from test @from to @next. Tests follow in order of evaluation, so it is > 0. */
static s32 predicate_step(u16 next, u16 from)
{
	switch (next) {
	case NEXT_YES:
		return ANSWER_YES;
	case NEXT_NO:
		return ANSWER_NO;
	default:
		return (next - from) * (s32)sizeof(struct test);
	}
}

/* Set the successors of a test; a negated test checks the range that it excludes. */
static void predicate_link_test(struct predicate *p, u16 nr, u16 yes, u16 no)
{
	struct test *t = &p->tests[nr];

	t->yes = predicate_step(t->negate ? no : yes, nr);
	t->no = predicate_step(t->negate ? yes : no, nr);
}

/* Walk the tree from its root, and set the successors of all tests. @todo is a stack of nodes. */
static void predicate_link_tests(struct predicate_parser *s, struct node_exits *todo)
{
	unsigned int nr = 1;

	todo[0] = (struct node_exits) { s->operands[0], NEXT_YES, NEXT_NO };
	while (nr) {
		struct node_exits a = todo[--nr];
		const struct expr_node *node = &s->nodes[a.node];

		switch (node->op) {
		case EXPR_NOT:
			todo[nr++] = (struct node_exits) { node->left, a.no, a.yes };
			break;
		case EXPR_AND:
			todo[nr++] = (struct node_exits) {
				node->left, s->nodes[node->right].first, a.no };
			todo[nr++] = (struct node_exits) { node->right, a.yes, a.no };
			break;
		case EXPR_OR:
			todo[nr++] = (struct node_exits) {
				node->left, a.yes, s->nodes[node->right].first };
			todo[nr++] = (struct node_exits) { node->right, a.yes, a.no };
			break;
		default:
			predicate_link_test(s->p, node->left, a.yes, a.no);
		}
	}
}

/* ------------------------------------------------------------------ */
/* Compiling								*/

/* Return: upper limit of the number of tests in @text; no test is shorter than "a<1". */
static unsigned int predicate_max_tests(const char *text)
{
	return strlen(text) / 3 + 1;
}

static int predicate_parse_and_link(struct predicate_parser *s)
{
	struct node_exits *todo;
	int err;

	s->nodes = kvmalloc_array(s->room, sizeof(*s->nodes), GFP_KERNEL);
	s->operands = kvmalloc_array(s->room, sizeof(*s->operands), GFP_KERNEL);
	s->ops = kvmalloc_array(s->room, sizeof(*s->ops), GFP_KERNEL);
	todo = kvmalloc_array(s->room, sizeof(*todo), GFP_KERNEL);
	err = s->nodes && s->operands && s->ops && todo ? predicate_parse(s) : -ENOMEM;
	if (!err)
		predicate_link_tests(s, todo);
	kvfree(todo);
	kvfree(s->ops);
	kvfree(s->operands);
	kvfree(s->nodes);
	return err;
}

struct predicate *predicate_compile(const struct trace_event_fields *fields, const char *text,
				    struct predicate_error *err)
{
	struct predicate_parser s = {
		.c		= { .text = text, .at = text, .err = err },
		.fields		= fields,
		/* Each node and each operator takes at least one character. */
		.room		= strlen(text) + 1,
	};
	int ret;

	*err = (struct predicate_error) { };
	if (s.room > U16_MAX)
		return ERR_PTR(cursor_error(&s.c, PREDICATE_ERR_TOO_MANY, text));
	s.p = kvzalloc(struct_size(s.p, tests, predicate_max_tests(text)), GFP_KERNEL);
	if (!s.p)
		return ERR_PTR(-ENOMEM);
	ret = predicate_parse_and_link(&s);
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
