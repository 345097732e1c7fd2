// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of probes/: the arguments of a probe, their names and offsets; and that parsing them leaks
 * no memory.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmstat.h>

#include "spell_kunit.h"
#include "text.h"

/* Size of the buffer for a line. */
#define ROOM	8192U

static int make_room(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, ROOM, GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

/* Spell and parse a line, in the buffer of the test. Return: result of probe_args_parse(). */
static int parse_line(struct kunit *test, const char *line, unsigned int len,
		      struct probe_place *place, struct probe_args *args)
{
	struct cmd_text text = { .parser = "kunit", .whole = line, .text = test->priv };
	struct seq_buf s;

	seq_buf_init(&s, test->priv, ROOM);
	spell(&s, line);
	return probe_args_parse(&text, test->priv, place, len, args);
}

static int result_of(struct kunit *test, const char *line, unsigned int len)
{
	struct probe_place place = { };
	struct probe_args args;
	int err = parse_line(test, line, len, &place, &args);

	probe_args_free(&args);
	return err;
}

static void are_laid_out(struct kunit *test)
{
	static const char line[] = " first=?:u8\tsecond=+0(?):u16[3]   third=$comm ?:x64 ? ";
	static const struct {
		const char	*name, *field;
		u16		offset, size;
	} wanted[] = {
		{ "first", "u8", 5, 1 }, { "second", "u16[3]", 6, 6 },
		{ "third", "__data_loc char[]", 12, 4 }, { "arg4", "u64", 16, 8 },
		{ "arg5", IS_ENABLED(CONFIG_64BIT) ? "u64" : "u32", 24, sizeof(long) },
	};
	struct probe_place place = { };
	struct probe_args args;

	KUNIT_ASSERT_EQ(test, parse_line(test, line, 5, &place, &args), 0);
	KUNIT_ASSERT_EQ(test, args.nr, ARRAY_SIZE(wanted));
	KUNIT_EXPECT_EQ(test, args.len, 24 + sizeof(long));
	for (unsigned int i = 0; i < args.nr; i++) {
		KUNIT_EXPECT_STREQ(test, args.fields[i].name, wanted[i].name);
		KUNIT_EXPECT_STREQ(test, args.fields[i].field, wanted[i].field);
		KUNIT_EXPECT_EQ(test, args.fields[i].offset, wanted[i].offset);
		KUNIT_EXPECT_EQ(test, args.fetches[i].offset, wanted[i].offset);
		KUNIT_EXPECT_EQ(test, args.fetches[i].size, wanted[i].size);
	}
	probe_args_free(&args);
}

/* The fast path for $retval stores a long, so it must not be taken for smaller types. */
static void are_long_returns_alone(struct kunit *test)
{
	static const struct {
		const char	*line;
		bool		is_whole;
	} wanted[] = {
		{ "$retval", true }, { "$retval:u8", false }, { "$retval:x16", false },
		{ "$retval:s32", !IS_ENABLED(CONFIG_64BIT) },
		{ "$retval:s64", IS_ENABLED(CONFIG_64BIT) },
		{ "+0($retval)", false }, { "$retval $retval", false },
	};
	struct probe_place place = { .at = PROBE_AT_RETURN };
	struct probe_args args;

	for (unsigned int i = 0; i < ARRAY_SIZE(wanted); i++) {
		KUNIT_ASSERT_EQ(test, parse_line(test, wanted[i].line, 8, &place, &args), 0);
		KUNIT_EXPECT_EQ_MSG(test, args.retval_at, wanted[i].is_whole ? 8 : 0, "%s",
				    wanted[i].line);
		probe_args_free(&args);
	}
}

/* Return: a line with @word @nr times. */
static char *repeat(struct kunit *test, const char *word, unsigned int nr)
{
	char *line = kunit_kzalloc(test, ROOM / 4, GFP_KERNEL);
	struct seq_buf s;

	KUNIT_ASSERT_NOT_NULL(test, line);
	seq_buf_init(&s, line, ROOM / 4);
	while (nr--)
		seq_buf_printf(&s, "%s ", word);
	seq_buf_str(&s);
	return line;
}

static void are_not_too_many(struct kunit *test)
{
	struct probe_place place = { };
	struct probe_args args;

	KUNIT_EXPECT_EQ(test, result_of(test, "", 0), 0);
	KUNIT_EXPECT_EQ(test, result_of(test, " \t ", 0), 0);
	KUNIT_EXPECT_EQ(test, parse_line(test, repeat(test, "?", PROBE_ARGS_MAX), 0, &place, &args),
			0);
	KUNIT_ASSERT_EQ(test, args.nr, PROBE_ARGS_MAX);
	KUNIT_EXPECT_STREQ(test, args.fields[127].name, "arg128");
	probe_args_free(&args);
	KUNIT_EXPECT_EQ(test, result_of(test, repeat(test, "?", PROBE_ARGS_MAX + 1), 0), -E2BIG);
}

static void are_not_too_long(struct kunit *test)
{
	const char *line = repeat(test, "+0(?):u64[64]", PROBE_LEN_MAX / 512);

	KUNIT_EXPECT_EQ(test, result_of(test, line, 0), 0);
	/* The limit does not count the part of the record in front of the arguments. */
	KUNIT_EXPECT_EQ(test, result_of(test, line, 1), 0);
	line = repeat(test, "+0(?):u64[64]", PROBE_LEN_MAX / 512 + 1);
	KUNIT_EXPECT_EQ(test, result_of(test, line, 0), -E2BIG);
	KUNIT_EXPECT_EQ(test, result_of(test, repeat(test, "+0(?):u64[64]", 128), 0), -E2BIG);
}

static void have_names(struct kunit *test)
{
	static const char * const right[] = {
		"a=? b=? A=?", "_=?", "common=?", "comm=?", "? arg3=?", "a1_=?", "if=?",
		"name_of_thirty_two_characters_ok=?",
	};
	static const char * const wrong[] = {
		"a=? a=$stack", "a=? b=? a=?", "? arg1=?", "arg2=? ?", "common_pid=?",
		"common_type=?", "__probe_ip=?", "__probe_func=?", "__probe_ret_ip=?", "=?", "1a=?",
		"a-b=?", "a.b=?", "=", "a=", "a==?", "a= ?", "name_of_thirty_three_characters__=?",
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(right); i++)
		KUNIT_EXPECT_EQ_MSG(test, result_of(test, right[i], 0), 0, "%s", right[i]);
	for (unsigned int i = 0; i < ARRAY_SIZE(wrong); i++)
		KUNIT_EXPECT_EQ_MSG(test, result_of(test, wrong[i], 0), -EINVAL, "%s", wrong[i]);
}

static void are_kept_once(struct kunit *test)
{
	struct probe_place place = { .at = PROBE_AT_RETURN };
	struct probe_args args;
	char line[128] = "$arg3 $arg1:u8 +8($arg3) ";

	if (!HAS_ARGUMENTS)
		kunit_skip(test, "arguments are not known here");
	for (unsigned int i = 4; i < 18; i++)
		scnprintf(line + strlen(line), sizeof(line) - strlen(line), "$arg%u ", i);
	KUNIT_ASSERT_EQ(test, parse_line(test, line, 0, &place, &args), 0);
	KUNIT_EXPECT_EQ(test, place.nr_kept, PROBE_KEPT_MAX);
	for (unsigned int i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, args.fetches[i].value, "\0\1\0\2"[i]);
	KUNIT_EXPECT_MEMEQ(test, place.kept, "\2\0\3\4", 4);
	probe_args_free(&args);
	/* One more argument than can be saved. */
	KUNIT_EXPECT_EQ(test, parse_line(test, "$arg18", 0, &place, &args), -EINVAL);
	probe_args_free(&args);
}

static void find_symbols(struct kunit *test)
{
	struct cmd_text text = { .parser = "kunit", .whole = "", .text = test->priv };
	struct probe_place place = { };
	struct probe_args args;
	const char *line = "? @vsnprintf+4 @vsnprintf-4";

	KUNIT_ASSERT_EQ(test, parse_line(test, line, 0, &place, &args), 0);
	KUNIT_EXPECT_EQ(test, fetch_resolve_all(&text, &args), 0);
	KUNIT_EXPECT_EQ(test, args.fetches[1].value, (unsigned long)vsnprintf + 4);
	KUNIT_EXPECT_EQ(test, args.fetches[2].value, (unsigned long)vsnprintf - 4);
	probe_args_free(&args);
	line = "? @vsnprintf @kunit_no_such_symbol @";
	KUNIT_ASSERT_EQ(test, parse_line(test, line, 0, &place, &args), 0);
	KUNIT_EXPECT_PTR_EQ(test, fetch_resolve(&args), &args.fetches[2]);
	KUNIT_EXPECT_EQ(test, fetch_resolve_all(&text, &args), -ENOENT);
	probe_args_free(&args);
}

/* ------------------------------------------------------------------ */
/* Memory								*/

#define LONG_ARG_NAME	"name_of_thirty_two_characters_ok"
#define LONG_SYMBOL	"symbol_of_forty_characters_and_some_more"
#define LONG_STRING	"\\\"" LONG_SYMBOL "\""

/* A leak would be one of 32 bytes or more in each round, so many rounds would leak many pages. */
static void leave_nothing_behind(struct kunit *test)
{
	static const char * const lines[] = {
		LONG_ARG_NAME "=+0(?):string[64]", LONG_ARG_NAME "=" LONG_STRING,
		LONG_ARG_NAME "=@" LONG_SYMBOL, LONG_ARG_NAME "=" LONG_STRING ":u8",
		LONG_ARG_NAME "=@" LONG_SYMBOL ":u8[99]", LONG_ARG_NAME "=+8(@" LONG_SYMBOL ")x",
		LONG_ARG_NAME "=$stack " LONG_ARG_NAME "=?", LONG_ARG_NAME "=? 1=?",
		LONG_ARG_NAME "=+0(" LONG_STRING ")",
	};
	const unsigned int rounds = 20000;
	const long most = rounds * 32 / PAGE_SIZE / 2;
	long pages;

	if (IS_ENABLED(CONFIG_KASAN))
		kunit_skip(test, "what is freed stays for a while");
	for (unsigned int i = 0; i < ARRAY_SIZE(lines); i++) {
		result_of(test, lines[i], 0);
		pages = global_node_page_state_pages(NR_SLAB_UNRECLAIMABLE_B);
		for (unsigned int n = 0; n < rounds; n++)
			result_of(test, lines[i], 0);
		pages = global_node_page_state_pages(NR_SLAB_UNRECLAIMABLE_B) - pages;
		KUNIT_EXPECT_LT_MSG(test, pages, most, "%s", lines[i]);
	}
}

static struct kunit_case args_cases[] = {
	KUNIT_CASE(are_laid_out),
	KUNIT_CASE(are_long_returns_alone),
	KUNIT_CASE(are_not_too_many),
	KUNIT_CASE(are_not_too_long),
	KUNIT_CASE(have_names),
	KUNIT_CASE(are_kept_once),
	KUNIT_CASE(find_symbols),
	KUNIT_CASE_SLOW(leave_nothing_behind),
	{}
};

static struct kunit_suite args_suite = {
	.name		= "ftrace_probe_args",
	.init		= make_room,
	.test_cases	= args_cases,
};

kunit_test_suite(args_suite);
