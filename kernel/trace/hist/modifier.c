// SPDX-License-Identifier: GPL-2.0
/*
 * The table of modifiers: see modifier.h. Hits call the functions that change numbers in any
 * context, NMI included.
 */
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kstrtox.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "clock/clock.h"
#include "instance/instance.h"
#include "internal.h"
#include "modifier.h"
#include "syscalls/syscalls.h"

/* ------------------------------------------------------------------ */
/* Changing a number before it is counted				*/

static u64 apply_log2(const struct hist *h, const struct hist_field *f, u64 number)
{
	return hist_log2(number);
}

u64 hist_bucket_start(const struct hist *h, const struct hist_field *f, u64 number)
{
	u64 rest;

	div64_u64_rem(number, f->width, &rest);
	return number - rest;
}

/* Only times of clocks that count nanoseconds are converted. */
u64 hist_usecs_of_time(const struct hist *h, const struct hist_field *f, u64 number)
{
	if (f->source != HIST_TIME || !trace_clocks[READ_ONCE(h->t.tr->clock_id)].in_ns)
		return number;
	return div_u64(number, NSEC_PER_USEC);
}

/* ------------------------------------------------------------------ */
/* Keys									*/

static u64 get_key_number(const struct hist_field *f, const void *key)
{
	return *(const u64 *)(key + f->at);
}

static void show_hex_key(struct seq_file *m, const struct hist *h, const struct hist_field *f,
			 const void *key)
{
	seq_printf(m, "%llx", get_key_number(f, key));
}

static void show_sym_key(struct seq_file *m, const struct hist *h, const struct hist_field *f,
			 const void *key)
{
	u64 number = get_key_number(f, key);

	seq_printf(m, "[%llx] %-45ps", number, (void *)(uintptr_t)number);
}

static void show_sym_offset_key(struct seq_file *m, const struct hist *h,
				const struct hist_field *f, const void *key)
{
	u64 number = get_key_number(f, key);

	seq_printf(m, "[%llx] %-55pS", number, (void *)(uintptr_t)number);
}

static void show_execname_key(struct seq_file *m, const struct hist *h, const struct hist_field *f,
			      const void *key)
{
	seq_printf(m, "%-16s[%10llu]", hist_comm(h, key), get_key_number(f, key));
}

static void show_syscall_key(struct seq_file *m, const struct hist *h, const struct hist_field *f,
			     const void *key)
{
	u64 number = get_key_number(f, key);

	seq_printf(m, "%-30s[%3llu]", syscall_name(number) ?: "unknown_syscall", number);
}

static void show_log2_key(struct seq_file *m, const struct hist *h, const struct hist_field *f,
			  const void *key)
{
	seq_printf(m, "~ 2^%-2llu", get_key_number(f, key));
}

static void show_buckets_key(struct seq_file *m, const struct hist *h, const struct hist_field *f,
			     const void *key)
{
	u64 number = get_key_number(f, key);

	seq_printf(m, "~ %llu-%llu", number, number + f->width - 1);
}

void hist_show_key_number(struct seq_file *m, const struct hist *h, const struct hist_field *f,
			  const void *key)
{
	if (f->as && f->as->show_key)
		f->as->show_key(m, h, f, key);
	else
		seq_printf(m, "%10llu", get_key_number(f, key));
}

/* ------------------------------------------------------------------ */
/* Values								*/

static u64 get_average(const struct hist_field *f, u64 sum, u64 hits)
{
	if (!hits)
		return 0;
	return f->is_signed ? div64_s64(sum, hits) : div64_u64(sum, hits);
}

static u64 get_extreme(const struct hist_field *f, u64 kept, u64 hits)
{
	return hist_kept_to_extreme(f, kept);
}

/*
 * Calculate @part as ten thousandths of @all.
 *
 * Return: false if there is no result: @part is not 0, and @all is.
 */
static bool calc_share(u64 part, u64 all, unsigned int *of_10000)
{
	/* Avoid an overflow of the product. */
	while (part > U64_MAX / 10000) {
		part >>= 1;
		all >>= 1;
	}
	*of_10000 = all ? div64_u64(part * 10000, all) : 0;
	return all || !part;
}

static void show_percent(struct seq_file *m, const struct hist_field *f,
			 const struct hist_shown_val *val)
{
	unsigned int of_10000;

	if (calc_share(val->number, val->total, &of_10000))
		seq_printf(m, " %s (%%): %3u.%02u", f->name, of_10000 / 100, of_10000 % 100);
	else
		seq_printf(m, " %s (%%):[ERROR]", f->name);
}

/* Characters of a full bar. */
#define BAR_WIDTH	20U

static void show_bar(struct seq_file *m, const struct hist_field *f,
		     const struct hist_shown_val *val)
{
	unsigned int of_10000;

	if (!calc_share(val->number, val->highest, &of_10000)) {
		seq_printf(m, " %s: %20s", f->name, "[ERROR]");
		return;
	}
	seq_printf(m, " %s: ", f->name);
	for (unsigned int i = 0; i < BAR_WIDTH; i++)
		seq_putc(m, i < of_10000 * BAR_WIDTH / 10000 ? '#' : ' ');
}

static void show_hex_val(struct seq_file *m, const struct hist_field *f,
			 const struct hist_shown_val *val)
{
	seq_printf(m, " %s: %10llx", f->name, val->number);
}

/* Print a result with its sign, and the modifier behind the name. */
static void show_result(struct seq_file *m, const struct hist_field *f,
			const struct hist_shown_val *val)
{
	seq_printf(m, f->is_signed ? " %s.%s: %10lld" : " %s.%s: %10llu", f->name, f->as->name,
		   val->number);
}

void hist_show_val(struct seq_file *m, const struct hist_field *f,
		   const struct hist_shown_val *val)
{
	if (f->as && f->as->show_val)
		f->as->show_val(m, f, val);
	else
		seq_printf(m, " %s: %10llu", f->name, val->number);
}

/* ------------------------------------------------------------------ */
/* The table								*/

static bool fits_number(const struct hist_field *f)
{
	return hist_is_number(f);
}

static bool fits_pid(const struct hist_field *f)
{
	return !strcmp(f->name, "common_pid");
}

static bool fits_stack(const struct hist_field *f)
{
	return f->source == HIST_STACK_FIELD;
}

/* Uses that are neither keys nor values. */
#define FOR_REST	(HIST_FOR_VARS | HIST_FOR_OPERANDS | HIST_FOR_PARAMS)

static const struct hist_modifier modifiers[] = {
	{
		.name		= "hex",
		.whom		= HIST_FOR_KEYS | HIST_FOR_VALS | FOR_REST,
		.fits		= fits_number,
		.show_key	= show_hex_key,
		.show_val	= show_hex_val,
	},
	{
		.name		= "sym",
		.whom		= HIST_FOR_KEYS | FOR_REST,
		.fits		= fits_number,
		.show_key	= show_sym_key,
	},
	{
		.name		= "sym-offset",
		.whom		= HIST_FOR_KEYS | FOR_REST,
		.fits		= fits_number,
		.show_key	= show_sym_offset_key,
	},
	{
		.name		= "execname",
		.whom		= HIST_FOR_KEYS | HIST_FOR_VALS | FOR_REST,
		.names_task	= true,
		.fits		= fits_pid,
		.show_key	= show_execname_key,
	},
	{
		.name		= "syscall",
		.whom		= HIST_FOR_KEYS | FOR_REST,
		.fits		= fits_number,
		.show_key	= show_syscall_key,
	},
	{
		.name		= "log2",
		.whom		= HIST_FOR_KEYS,
		.takes_percentile = true,
		.word_way	= HIST_WAY_LOG2,
		.fits		= fits_number,
		.apply		= apply_log2,
		.show_key	= show_log2_key,
	},
	{
		.name		= "buckets",
		.alias		= "bucket",
		.whom		= HIST_FOR_KEYS,
		.takes_width	= true,
		.takes_percentile = true,
		.fits		= fits_number,
		.apply		= hist_bucket_start,
		.show_key	= show_buckets_key,
	},
	{
		.name		= "usecs",
		.whom		= HIST_FOR_KEYS | HIST_FOR_VALS | FOR_REST,
		.in_usecs	= true,
		.fits		= fits_number,
		.apply		= hist_usecs_of_time,
	},
	{
		.name		= "percent",
		.whom		= HIST_FOR_VALS,
		.show_val	= show_percent,
	},
	{
		.name		= "graph",
		.whom		= HIST_FOR_VALS,
		.show_val	= show_bar,
	},
	{
		.name		= "stacktrace",
		.whom		= HIST_FOR_KEYS | FOR_REST,
		.fits		= fits_stack,
	},
	{
		.name		= "avg",
		.whom		= HIST_FOR_VALS,
		.result		= get_average,
		.show_val	= show_result,
	},
	{
		.name		= "min",
		.whom		= HIST_FOR_VALS,
		.keeps		= HIST_KEEPS_LOWEST,
		.result		= get_extreme,
		.show_val	= show_result,
	},
	{
		.name		= "max",
		.whom		= HIST_FOR_VALS,
		.keeps		= HIST_KEEPS_HIGHEST,
		.result		= get_extreme,
		.show_val	= show_result,
	},
};

/* ------------------------------------------------------------------ */
/* Use of the table							*/

static bool is_word_equal(const char *name, const char *word, size_t len)
{
	return name && strlen(name) == len && !strncmp(name, word, len);
}

/* Find the modifier that is written as ``NAME[=WIDTH]``. */
static const struct hist_modifier *find_modifier(const char *word)
{
	size_t len = strcspn(word, "=");
	const struct hist_modifier *m;

	for (unsigned int i = 0; i < ARRAY_SIZE(modifiers); i++) {
		m = &modifiers[i];
		if (m->takes_width == (word[len] == '=') &&
		    (is_word_equal(m->name, word, len) || is_word_equal(m->alias, word, len)))
			return m;
	}
	return NULL;
}

/* Cut ``.percentile`` off from behind the modifier. Return: true if it was there. */
static bool take_percentile(char *word)
{
	char *behind = strchr(word, '.');

	if (!behind || strcmp(behind, ".percentile"))
		return false;
	*behind = '\0';
	return true;
}

/* Parse ``WIDTH`` behind the = of a modifier. */
static int parse_width(const char *word, u64 *width)
{
	return kstrtou64(strchr(word, '=') + 1, 0, width) || !*width ? -EINVAL : 0;
}

int hist_modifier_parse(char *word, unsigned int whom, struct hist_field *f)
{
	bool percentile = take_percentile(word);
	const struct hist_modifier *m = find_modifier(word);

	if (!m || !(m->whom & whom) || (percentile && !m->takes_percentile))
		return -EINVAL;
	f->as = m;
	f->keeps = m->keeps;
	f->percentile = percentile;
	return m->takes_width ? parse_width(word, &f->width) : 0;
}

bool hist_modifier_fits(const struct hist_field *f)
{
	return !f->as || !f->as->fits || f->as->fits(f);
}

enum hist_way hist_modifier_way(const struct hist_field *f)
{
	bool changed = f->as && f->as->apply;

	switch (f->source) {
	case HIST_WORD:
		return changed ? f->as->word_way ?: HIST_WAY_CHANGED : HIST_WAY_PLAIN;
	case HIST_TIME:
		return changed ? HIST_WAY_CHANGED : HIST_WAY_TIME;
	default:
		return changed ? HIST_WAY_CHANGED : HIST_WAY_OTHER;
	}
}
