// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of probes/: the parser of one argument. Valid texts and the programs that they give;
 * invalid texts; and random texts: if one is valid, parsing &fetch.written gives the same program
 * again.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/cleanup.h>
#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/prandom.h>
#include <linux/ptrace.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "spell_kunit.h"
#include "text.h"

static const struct trace_event_fields fields[] = {
	{ .type = "u8", .name = "small", .offset = 16, .size = 1 },
	{ .type = "s16", .name = "half", .offset = 18, .size = 2, .is_signed = true },
	{ .type = "u64", .name = "big", .offset = 24, .size = 8 },
	{ .type = "char[8]", .name = "name", .offset = 32, .size = 8 },
	{ .type = "char[400]", .name = "page", .offset = 64, .size = 400 },
	{ .type = "int[3]", .name = "row", .offset = 48, .size = 12, .is_signed = true },
	{ .type = "__data_loc char[]", .name = "text", .offset = 40, .size = 4 },
	{ .type = "__rel_loc char[]", .name = "rel", .offset = 44, .size = 4 },
	{ }
};

static struct probe_place place_at(unsigned int at)
{
	return (struct probe_place){ .at = at, .fields = fields };
}

/* Parse a copy of the text. Return: result of fetch_parse(). */
static int parse(const char *text, struct probe_place *place, struct fetch *f)
{
	char *word __free(kfree) = kstrdup(text, GFP_KERNEL);
	struct cmd_text t = { .parser = "kunit", .whole = text, .text = word };

	*f = (struct fetch){ };
	return word ? fetch_parse(&t, word, place, f) : -ENOMEM;
}

/* ------------------------------------------------------------------ */
/* Valid texts								*/

/* A valid text and its program. The number of loads, and up to three of them, are compared. */
struct good_text {
	const char		*text;
	unsigned int		at;
	u8			source;
	unsigned long		value;
	const char		*type;
	u8			nr;
	struct fetch_load	loads[3];
	u8			count;
	u8			left;
	u8			right;
	const char		*name;
	long			name_offset;
};

/* Stands for the default type, SPELL_LONG. */
#define WORD	NULL
#define SP	FETCH_REGISTER
#define L(...)	{ __VA_ARGS__ }
#define DENTRY	L(offsetof(struct file, f_path.dentry))
#define NAME	L(offsetof(struct dentry, d_name.name))

static const struct good_text good[] = {
	{ "?", 0, SP, 0, WORD },
	{ "?:u8", 0, SP, 0, "u8" }, { "?:u16", 0, SP, 0, "u16" }, { "?:u32", 0, SP, 0, "u32" },
	{ "?:u64", 0, SP, 0, "u64" }, { "?:s8", 0, SP, 0, "s8" }, { "?:s16", 0, SP, 0, "s16" },
	{ "?:s32", 0, SP, 0, "s32" }, { "?:s64", 0, SP, 0, "s64" }, { "?:x8", 0, SP, 0, "x8" },
	{ "?:x16", 0, SP, 0, "x16" }, { "?:x32", 0, SP, 0, "x32" }, { "?:x64", 0, SP, 0, "x64" },
	{ "?:char", 0, SP, 0, "char" }, { "?:symbol", 0, SP, 0, "symbol" },
	{ "?:symstr", 0, SP, 0, "symstr" }, { "?:u8", PROBE_IN_USER, SP, 0, "u8" },

	{ "$stack", 0, FETCH_STACK, 0, WORD }, { "$stack0", 0, FETCH_STACK_ENTRY, 0, WORD },
	{ "$stack12:s8", 0, FETCH_STACK_ENTRY, 12, "s8" },
	{ "$stack99999", PROBE_IN_USER, FETCH_STACK_ENTRY, 99999, WORD },
	{ "$retval", PROBE_AT_RETURN, FETCH_RETVAL, 0, WORD },
	{ "$retval:s32", PROBE_AT_RETURN | PROBE_IN_USER, FETCH_RETVAL, 0, "s32" },
	{ "$comm", 0, FETCH_COMM, 0, "string" }, { "$COMM:string", 0, FETCH_COMM, 0, "string" },

	{ "@0x1234", 0, FETCH_CONSTANT, 0x1234, WORD, 1 },
	{ "@16:string", 0, FETCH_CONSTANT, 16, "string", 1 },
	{ "@jiffies", 0, FETCH_SYMBOL, 0, WORD, 1, .name = "jiffies" },
	{ "@jiffies+0x10:u8", 0, FETCH_SYMBOL, 0, "u8", 1, .name = "jiffies", .name_offset = 16 },
	{ "@jiffies-4", 0, FETCH_SYMBOL, 0, WORD, 1, .name = "jiffies", .name_offset = -4 },
	{ "@+0x20", PROBE_IN_USER, FETCH_FILE, 0x20, WORD, 1 },
	{ "\\5", 0, FETCH_CONSTANT, 5, WORD }, { "\\-5:s64", 0, FETCH_CONSTANT, -5UL, "s64" },
	{ "\\0x10:u8", 0, FETCH_CONSTANT, 16, "u8" }, { "\\010", 0, FETCH_CONSTANT, 8, WORD },
	{ "\\16:string", 0, FETCH_CONSTANT, 16, "string" },
	{ "\\\"some\"", 0, FETCH_TEXT, 0, "string", .name = "some" },
	{ "\\\"\"", 0, FETCH_TEXT, 0, "string", .name = "" },
	{ "\\\"a:u8\"", 0, FETCH_TEXT, 0, "string", .name = "a:u8" },
	{ "\\\"a\"b\":string", 0, FETCH_TEXT, 0, "string", .name = "a\"b" },

	{ "+8(?)", 0, SP, 0, WORD, 1, { L(8) } }, { "-0x8(?):u8", 0, SP, 0, "u8", 1, { L(-8) } },
	{ "+0(+16(?)):string", 0, SP, 0, "string", 2, { L(16), L(0) } },
	{ "+u8(?):s16", 0, SP, 0, "s16", 1, { L(8, true) } },
	{ "+u16(?):s16", 0, SP, 0, "s16", 1, { L(16, true) } },
	{ "+u-16(?):string", 0, SP, 0, "string", 1, { L(-16, true) } },
	{ "+u0x10(-u24(?)):u8", 0, SP, 0, "u8", 2, { L(-24, true), L(16, true) } },
	{ "+1(+u2(-3($stack))):u64", 0, FETCH_STACK, 0, "u64", 3, { L(-3), L(2, true), L(1) } },
	{ "+8(@0x100)", 0, FETCH_CONSTANT, 0x100, WORD, 2, { L(0), L(8) } },
	{ "+8(\\0x100):u8", 0, FETCH_CONSTANT, 0x100, "u8", 1, { L(8) } },
	{ "+0(?):ustring", PROBE_IN_USER, SP, 0, "ustring", 1 },
	{ "+0(?):symstr", 0, SP, 0, "symstr", 1 },
	{ "+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(?))))))))))))))", 0, SP, 0, WORD, 14 },

	{ "?:b4@4/8", 0, SP, 0, "u8", .left = 0, .right = 4 },
	{ "?:b3@2/16", 0, SP, 0, "u16", .left = 11, .right = 13 },
	{ "?:b1@0/64", 0, SP, 0, "u64", .left = 63, .right = 63 },
	{ "?:b32@0/32", 0, SP, 0, "u32" },
	{ "?:b0x3@1/32", 0, SP, 0, "u32", .left = 28, .right = 29 },
	{ "+0(?):b4@0/8[3]", 0, SP, 0, "u8", 1, .count = 3, .left = 4, .right = 4 },
	{ "+0(?):u8[64]", 0, SP, 0, "u8", 1, .count = 64 },
	{ "+0(?):string[2]", 0, SP, 0, "string", 1, .count = 2 },
	{ "@jiffies:s64[0x10]", 0, FETCH_SYMBOL, 0, "s64", 1, .count = 16, .name = "jiffies" },
	{ "?:%pd", 0, SP, 0, "string", 2, { NAME } },
	{ "?:%pD", 0, SP, 0, "string", 3, { DENTRY, NAME } },
	{ "+8(?):%pd", 0, SP, 0, "string", 3, { L(8), NAME } },

	{ "$small", PROBE_IN_EVENT, FETCH_FIELD, 16, WORD },
	{ "$half:s32", PROBE_IN_EVENT, FETCH_FIELD, 18, "s32" },
	{ "$big:string", PROBE_IN_EVENT, FETCH_FIELD, 24, "string" },
	{ "$name", PROBE_IN_EVENT, FETCH_FIELD, 32, "string" },
	{ "$page", PROBE_IN_EVENT, FETCH_FIELD, 64, "string" },
	{ "$text", PROBE_IN_EVENT, FETCH_FIELD, 40, "string" },
	{ "$rel:string", PROBE_IN_EVENT, FETCH_FIELD, 44, "string" },
	{ "+2($text)", PROBE_IN_EVENT, FETCH_FIELD, 40, WORD, 1, { L(2) } },
	{ "$common_pid", PROBE_IN_EVENT, FETCH_FIELD, offsetof(struct trace_entry, pid), WORD },
	{ "$comm", PROBE_IN_EVENT, FETCH_COMM, 0, "string" },
};

static const struct good_text arguments[] = {
	{ "$arg1", PROBE_AT_ENTRY, FETCH_ARG, 0, WORD },
	{ "+8($arg3):u8", PROBE_AT_ENTRY, FETCH_ARG, 2, "u8", 1, { L(8) } },
	{ "$arg7:%pd", PROBE_AT_RETURN, FETCH_KEPT, 0, "string", 2, { NAME } },
};

static void expect_loads(struct kunit *test, const struct good_text *g, const struct fetch *f)
{
	KUNIT_EXPECT_EQ_MSG(test, f->nr_loads, g->nr, "%s", g->text);
	for (unsigned int i = 0; i < min(g->nr, 3); i++) {
		KUNIT_EXPECT_EQ_MSG(test, f->loads[i].offset, g->loads[i].offset, "%s", g->text);
		KUNIT_EXPECT_EQ_MSG(test, f->loads[i].user, g->loads[i].user, "%s", g->text);
	}
}

static void expect_program(struct kunit *test, const struct good_text *g, const struct fetch *f)
{
	unsigned long value = g->value;

	if (f->source == FETCH_REGISTER)
		value = regs_query_register_offset(SPELL_REGISTER);
	KUNIT_EXPECT_EQ_MSG(test, f->source, g->source, "%s", g->text);
	KUNIT_EXPECT_EQ_MSG(test, f->value, value, "%s", g->text);
	KUNIT_EXPECT_STREQ_MSG(test, f->type->name, g->type ?: SPELL_LONG, "%s", g->text);
	KUNIT_EXPECT_EQ_MSG(test, f->count, g->count, "%s", g->text);
	KUNIT_EXPECT_EQ_MSG(test, f->left, g->left, "%s", g->text);
	KUNIT_EXPECT_EQ_MSG(test, f->right, g->right, "%s", g->text);
	KUNIT_EXPECT_EQ_MSG(test, !f->text, !g->name, "%s", g->text);
	if (f->text && g->name)
		KUNIT_EXPECT_STREQ(test, f->text, g->name);
	KUNIT_EXPECT_EQ_MSG(test, f->text_offset, g->name_offset, "%s", g->text);
	expect_loads(test, g, f);
}

static void expect_good(struct kunit *test, const struct good_text *g)
{
	struct probe_place place = place_at(g->at);
	struct fetch f;
	DECLARE_SEQ_BUF(s, 80);
	int err;

	spell(&s, g->text);
	err = parse(s.buffer, &place, &f);
	KUNIT_EXPECT_EQ_MSG(test, err, 0, "%s", g->text);
	if (!err) {
		expect_program(test, g, &f);
		KUNIT_EXPECT_STREQ(test, f.written, s.buffer);
	}
	fetch_free(&f);
}

static void makes_sense(struct kunit *test)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(good); i++)
		expect_good(test, &good[i]);
	for (unsigned int i = 0; HAS_ARGUMENTS && i < ARRAY_SIZE(arguments); i++)
		expect_good(test, &arguments[i]);
}

static void fields_are_known(struct kunit *test)
{
	static const u8 kinds[] = {
		FETCH_FIELD_NUMBER, FETCH_FIELD_NUMBER, FETCH_FIELD_NUMBER, FETCH_FIELD_TEXT,
		FETCH_FIELD_TEXT, FETCH_FIELD_NUMBER, FETCH_FIELD_DATA_LOC, FETCH_FIELD_REL_LOC,
	};
	struct probe_place place = place_at(PROBE_IN_EVENT);
	char word[16];
	struct fetch f;

	for (unsigned int i = 0; fields[i].type; i++) {
		snprintf(word, sizeof(word), "$%s", fields[i].name);
		KUNIT_EXPECT_EQ(test, parse(word, &place, &f), 0);
		KUNIT_EXPECT_EQ_MSG(test, f.field_kind, kinds[i], "%s", word);
		KUNIT_EXPECT_EQ_MSG(test, f.field_size, kinds[i] == FETCH_FIELD_NUMBER ?
				    min(fields[i].size, 8) : fields[i].size, "%s", word);
		KUNIT_EXPECT_EQ_MSG(test, f.field_signed, !!fields[i].is_signed, "%s", word);
		fetch_free(&f);
	}
}

/* ------------------------------------------------------------------ */
/* Invalid texts							*/

static const char * const bad[] = {
	"", "x", "5", "foo", "(?)", ":u8", "%", "%nothing", "%sp)", "?:", "?:u7", "?:u8x",
	"?:U8", "?:u8:u8", "?:%px", "?:%pdx", "?:%pd[2]", "?:[2]", "?:u8[2]", "?:string",
	"?:ustring", "?:bool", "$", "$nothing", "$stackx", "$stack-1", "$stack+1", "$stack99999",
	"$stack:string", "$stack1:ustring", "$retval", "$arg", "$argx", "$arg*", "$arg0", "$arg1",
	"$comm1", "$comm:u8", "$comm:ustring", "$comm:symstr", "$comm:string[2]", "$comm:%pd",
	"$comm:b1@0/8", "+0($comm)", "+0(+0($COMM)):u8", "@0x", "@5x", "@jiffies+", "@jiffies+x",
	"@jiffies-5x", "@+5", "\\", "\\x", "\\-", "\\5x", "\\-5x", "\\5:symstr", "\\5:string[1]",
	"\\\"", "\\\"open", "\\\"a\"b", "\\\"a\":u8", "\\\"a\":%pd", "+0(\\\"a\")", "+", "-",
	"+8", "+8(", "+8()", "+8(?", "+8?)", "+8(?)x", "+8((?))", "+(?)", "-(?)", "+u(?)",
	"-u(?)", "+x(?)", "+8x(?)", "+uu8(?)", "+8u(?)", "+8(x)", "+8(?:u8)", "8(?)",
	"+99999999999999999999(?)", "+0(?):u8[", "+0(?):u8[]", "+0(?):u8[0]", "+0(?):u8[65]",
	"+0(?):u8[-1]", "+0(?):u8[x]", "+0(?):u8[2]x", "+0(?):u8[2][2]", "+0(?):u8]",
	"+0(?):u8[256]", "+0(?):u8[4294967297]", "?:b", "?:b4", "?:b4@0", "?:b4@0/", "?:b@0/8",
	"?:b4@/8", "?:b0@0/8", "?:b9@0/8", "?:b4@5/8", "?:b8@1/8", "?:b4@-1/8", "?:b-1@0/8",
	"?:b4@4294967295/8", "?:b4294967295@1/8", "?:b4@0/4", "?:b4@0/24", "?:b4@0/65",
	"?:b4@0/128", "?:b1@0/0", "?:b4/0@8", "?:b4@0/8x", "?:b4@0/8/8",
	/* One load too many, with those of @ and %pd; and a text that is one character too long. */
	"+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(@0))))))))))))))",
	"+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(?))))))))))))):%pd",
	"\\\"34567890123456789012345678901234567890123456789012345678901234\"",
};

static const struct {
	const char	*text;
	unsigned int	at;
} bad_there[] = {
	{ "$arg1", PROBE_IN_USER }, { "$retval", PROBE_AT_ENTRY }, { "$arg300", PROBE_AT_RETURN },
	{ "$arg99999", PROBE_AT_ENTRY }, { "@jiffies", PROBE_IN_USER }, { "@+x", PROBE_IN_USER },
	{ "@+", PROBE_IN_USER }, { "?:symbol", PROBE_IN_USER }, { "+0(?):symstr", PROBE_IN_USER },
	{ "?:%pd", PROBE_IN_USER }, { "?:%pD", PROBE_IN_USER }, { "?", PROBE_IN_EVENT },
	{ "$nothing", PROBE_IN_EVENT }, { "$smal", PROBE_IN_EVENT }, { "$smalls", PROBE_IN_EVENT },
	{ "$stack", PROBE_IN_EVENT }, { "$retval", PROBE_IN_EVENT }, { "$", PROBE_IN_EVENT },
	{ "$name:symstr", PROBE_IN_EVENT }, { "$name:u8[2]", PROBE_IN_EVENT },
	{ "$retval:string", PROBE_AT_RETURN }, { "$arg1:string", PROBE_AT_ENTRY },
};

/* True for an errno of an invalid text; -ENOMEM is not one. */
static bool is_refusal(int err)
{
	return err == -EINVAL || err == -E2BIG || err == -ERANGE || err == -EOPNOTSUPP ||
	       err == -ENOENT;
}

static void expect_bad(struct kunit *test, const char *text, unsigned int at)
{
	struct probe_place place = place_at(at);
	struct fetch f;
	DECLARE_SEQ_BUF(s, 80);

	spell(&s, text);
	KUNIT_EXPECT_TRUE_MSG(test, is_refusal(parse(s.buffer, &place, &f)), "%s", text);
	fetch_free(&f);
}

static void makes_no_sense(struct kunit *test)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++)
		expect_bad(test, bad[i], 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(bad_there); i++)
		expect_bad(test, bad_there[i].text, bad_there[i].at);
	if (!HAS_ARGUMENTS)
		expect_bad(test, "$arg1", PROBE_AT_ENTRY);
}

/* ------------------------------------------------------------------ */
/* Random texts								*/

static unsigned int pick(struct rnd_state *rnd, unsigned int n)
{
	return prandom_u32_state(rnd) % n;
}

static const char *pick_word(struct rnd_state *rnd, const char * const *words, unsigned int nr)
{
	return words[pick(rnd, nr)];
}

/* Make a text of random pieces, which fit together in most cases. */
static void random_text(struct rnd_state *rnd, struct seq_buf *s)
{
	static const char * const begins[] = { "+", "-", "+u", "-u", "+0x", "-u0x" };
	static const char * const sources[] = {
		"?", "$stack", "$stack3", "$retval", "$arg2", "$comm", "@0xff00", "@jiffies",
		"@jiffies+8", "@+16", "\\7", "\\-7", "\\\"word\"", "\\\"a:b\"", "$small", "$name",
		"$text", "$common_pid",
	};
	static const char * const types[] = {
		":u8", ":s16", ":x32", ":u64", ":char", ":symbol", ":string", ":ustring",
		":symstr", ":%pd", ":%pD", ":b3@2/8", ":b12@3/16", ":b1@63/64", "", "",
	};
	unsigned int nr = pick(rnd, 3) ? pick(rnd, 3) : pick(rnd, 15);

	for (unsigned int i = 0; i < nr; i++)
		seq_buf_printf(s, "%s%u(", pick_word(rnd, begins, ARRAY_SIZE(begins)),
			       pick(rnd, 20));
	spell(s, pick_word(rnd, sources, ARRAY_SIZE(sources)));
	while (nr--)
		seq_buf_putc(s, ')');
	spell(s, pick_word(rnd, types, ARRAY_SIZE(types)));
	if (!pick(rnd, 3))
		seq_buf_printf(s, "[%u]", pick(rnd, 70));
	seq_buf_str(s);
}

/* Remove, double or replace a random character. The new one is no NUL, and no blank. */
static void mutate(struct rnd_state *rnd, char *text)
{
	static const char others[] = "+-()$%@\\\":/[]=ub019xs?_a.,\x80\xff";
	size_t len = strlen(text), at = pick(rnd, len + 1);

	switch (pick(rnd, 3)) {
	case 0:
		memmove(text + at, text + at + 1, len - at);
		break;
	case 1:
		memmove(text + at + 1, text + at, len + 1 - at);
		break;
	default:
		if (at < len)
			text[at] = others[pick(rnd, sizeof(others) - 1)];
	}
}

static bool is_same(const struct fetch *a, const struct fetch *b)
{
	return a->type == b->type && a->source == b->source && a->nr_loads == b->nr_loads &&
	       a->count == b->count && a->left == b->left && a->right == b->right &&
	       a->field_size == b->field_size && a->field_kind == b->field_kind &&
	       a->value == b->value && a->text_offset == b->text_offset &&
	       !a->text == !b->text && (!a->text || !strcmp(a->text, b->text)) &&
	       !memcmp(a->loads, b->loads, sizeof(a->loads)) && !strcmp(a->written, b->written);
}

/* True if the program is one that can be executed. */
static bool is_sound(const struct fetch *f, const struct probe_place *place)
{
	bool has_text = f->source == FETCH_SYMBOL || f->source == FETCH_TEXT;
	bool is_text = f->source == FETCH_COMM || f->source == FETCH_TEXT;

	return f->type && f->source <= FETCH_TEXT && f->nr_loads <= FETCH_LOADS_MAX &&
	       f->count <= FETCH_ARRAY_MAX && (!f->count || f->nr_loads) &&
	       f->left <= f->right && f->right < f->type->size * BITS_PER_BYTE &&
	       has_text == !!f->text &&
	       (f->source != FETCH_KEPT || f->value < place->nr_kept) &&
	       (!is_text || (!f->nr_loads && f->type->kind == FETCH_STRING));
}

/* Parse a text, and if it is valid, &fetch.written as well. Return: true if it is valid. */
static bool understand_twice(struct kunit *test, const char *text, unsigned int at)
{
	struct probe_place place = place_at(at), other = place;
	struct fetch f, again = { };
	int err = parse(text, &place, &f);

	if (err) {
		KUNIT_ASSERT_TRUE_MSG(test, is_refusal(err), "%s: %d", text, err);
	} else {
		KUNIT_ASSERT_TRUE_MSG(test, is_sound(&f, &place), "%s", text);
		KUNIT_ASSERT_EQ_MSG(test, parse(f.written, &other, &again), 0, "%s", text);
		KUNIT_ASSERT_TRUE_MSG(test, is_same(&f, &again), "%s", text);
	}
	fetch_free(&f);
	fetch_free(&again);
	return !err;
}

static void random_texts(struct kunit *test)
{
	static const u8 places[] = {
		0, PROBE_AT_ENTRY, PROBE_AT_RETURN, PROBE_IN_USER, PROBE_IN_EVENT,
	};
	struct rnd_state rnd;
	unsigned int understood = 0, nr = 10000;
	char text[192];
	struct seq_buf s;

	prandom_seed_state(&rnd, 41);
	for (unsigned int i = 0; i < nr; i++) {
		/* Each of up to three changes makes the text at most one character longer. */
		seq_buf_init(&s, text, sizeof(text) - 4);
		random_text(&rnd, &s);
		for (unsigned int n = pick(&rnd, 2) ? pick(&rnd, 4) : 0; n; n--)
			mutate(&rnd, text);
		understood += understand_twice(test, text, places[pick(&rnd, ARRAY_SIZE(places))]);
	}
	KUNIT_EXPECT_GT(test, understood, nr / 10);
	KUNIT_EXPECT_GT(test, nr - understood, nr / 10);
}

/* In a packed structure, a bit field may cross the end of an aligned number of its type. */
static void bit_fields_end_in_their_number(struct kunit *test)
{
	struct probe_btf_type n = {};
	bool big = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN);

	KUNIT_EXPECT_EQ(test, 64, probe_btf_set_bitfield(&n, 32, 69, 27));
	KUNIT_EXPECT_EQ(test, big ? 5 : 0, n.left);
	KUNIT_EXPECT_EQ(test, 5, n.right);
	KUNIT_EXPECT_EQ(test, 0, probe_btf_set_bitfield(&n, 8, 2, 3));
	KUNIT_EXPECT_EQ(test, big ? 2 : 3, n.left);
	KUNIT_EXPECT_EQ(test, -ERANGE, probe_btf_set_bitfield(&n, 32, 69, 28));
	KUNIT_EXPECT_EQ(test, -ERANGE, probe_btf_set_bitfield(&n, 8, 0, 9));
}

static struct kunit_case word_cases[] = {
	KUNIT_CASE(bit_fields_end_in_their_number),
	KUNIT_CASE(makes_sense),
	KUNIT_CASE(fields_are_known),
	KUNIT_CASE(makes_no_sense),
	KUNIT_CASE(random_texts),
	{}
};

static struct kunit_suite word_suite = {
	.name		= "ftrace_probe_words",
	.test_cases	= word_cases,
};

kunit_test_suite(word_suite);
