// SPDX-License-Identifier: GPL-2.0
/*
 * The kind of probes of programs, and their lines: ``p:[GROUP/]EVENT PATH:OFFSET[(COUNTER)] ARGS``,
 * and ``r...`` for return probes, of uprobe_events and dynamic_events.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/hashtable.h>
#include <linux/kstrtox.h>
#include <linux/namei.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "uprobe.h"

/* ------------------------------------------------------------------ */
/* The place								*/

/* True for a line ``p...`` or ``r...`` whose place is ``PATH:OFFSET``. */
static bool uprobe_is_line(const char *line)
{
	const char *place, *end;

	if ((*line != 'p' && *line != 'r') || !strchr(" \t:", line[1]))
		return false;
	place = line + strcspn(line, " \t");
	place += strspn(place, " \t");
	end = place + strcspn(place, " \t");
	return memchr(place, '/', end - place) && memchr(place, ':', end - place);
}

static int uprobe_parse_file(const struct cmd_text *text, const char *word, struct user_probe *u)
{
	int err;

	u->name = kstrdup(word, GFP_KERNEL);
	if (!u->name)
		return -ENOMEM;
	err = kern_path(word, LOOKUP_FOLLOW, &u->path);
	if (err) {
		cmd_refuse(text, word, PROBE_ERR_NO_FILE);
		return err;
	}
	return d_is_reg(u->path.dentry) ? 0 : cmd_refuse(text, word, PROBE_ERR_NOT_REGULAR);
}

/* ``(COUNTER)`` after the offset, if any. */
static int uprobe_parse_counter(const struct cmd_text *text, char *word, struct user_probe *u)
{
	char *open = strchr(word, '('), *close;

	if (!open)
		return 0;
	close = strchr(open, ')');
	if (!close)
		return cmd_refuse(text, open + strlen(open), PROBE_ERR_REFCNT_OPEN);
	if (close[1])
		return cmd_refuse(text, close + 1, PROBE_ERR_REFCNT_SUFFIX);
	*open++ = '\0';
	*close = '\0';
	return kstrtoul(open, 0, &u->counter) ? cmd_refuse(text, open, PROBE_ERR_REFCNT) : 0;
}

static int uprobe_parse_offset(const struct cmd_text *text, char *word, struct user_probe *u)
{
	int err = uprobe_parse_counter(text, word, u) ?:
		  probe_return_parse(text, word, &u->returns);

	if (err)
		return err;
	return kstrtoul(word, 0, &u->offset) ?
	       cmd_refuse(text, word, PROBE_ERR_UPROBE_OFFSET) : 0;
}

static int uprobe_parse_place(const struct cmd_text *text, char *word, struct user_probe *u)
{
	char *colon = strrchr(word, ':');

	if (!colon || !isdigit(colon[1]))
		return cmd_refuse(text, colon ? colon + 1 : word, PROBE_ERR_UPROBE_OFFSET);
	*colon = '\0';
	return uprobe_parse_file(text, word, u) ?: uprobe_parse_offset(text, colon + 1, u);
}

/* ------------------------------------------------------------------ */
/* Lines								*/

/*
 * The default name is ``p_FILE_0xOFFSET``, also for a return probe. FILE is the name of the file up
 * to the first dot, hyphen or underscore.
 */
static char *uprobe_name(const struct probe *p)
{
	const struct user_probe *u = to_user_probe(p);
	const char *file = kbasename(u->name);
	char *name = kasprintf(GFP_KERNEL, "p_%.*s_0x%lx", (int)strcspn(file, ".-_"), file,
			       u->offset);

	if (name)
		probe_name_clean(name);
	return name;
}

/* All user probes that were added, by inode and offset. Protected by dyn_events_lock. */
static DEFINE_HASHTABLE(user_probes, 10);

static unsigned long uprobe_place_key(const struct user_probe *u)
{
	return (unsigned long)d_real_inode(u->path.dentry) + u->offset;
}

/* True if inode and offset are equal, even if the paths differ. */
static bool user_probes_same_place(const struct user_probe *a, const struct user_probe *b)
{
	return d_real_inode(a->path.dentry) == d_real_inode(b->path.dentry) &&
	       a->offset == b->offset;
}

static bool uprobe_same_place(const struct probe *a, const struct probe *b)
{
	return user_probes_same_place(to_user_probe(a), to_user_probe(b));
}

/*
 * All probes at a place must have the same reference counter (&user_probe.counter), or none. Those
 * that are there agree, so it is enough to compare @u with one of them.
 */
static int uprobe_check_counter(const struct cmd_text *text, const char *place,
				const struct user_probe *u)
{
	const struct user_probe *other;

	lockdep_assert_held(&dyn_events_lock);
	hash_for_each_possible(user_probes, other, by_place, uprobe_place_key(u)) {
		if (!user_probes_same_place(u, other))
			continue;
		return u->counter == other->counter ? 0 :
			cmd_refuse(text, place, PROBE_ERR_REFCNT);
	}
	return 0;
}

static int uprobe_add(struct probe_line *line)
{
	struct user_probe *u = to_user_probe(line->probe);
	int err;

	guard(mutex)(&dyn_events_lock);
	err = uprobe_check_counter(&line->text, line->place, u) ?: probe_add(line);
	if (!err)
		hash_add(user_probes, &u->by_place, uprobe_place_key(u));
	return err;
}

static int uprobe_parse_args(const struct cmd_text *text, char *rest, struct user_probe *u)
{
	struct probe_place place = { .at = PROBE_IN_USER | (u->returns ? PROBE_AT_RETURN : 0) };

	return probe_args_parse(text, rest, &place, probe_len_before(u->returns), &u->probe.args);
}

static int uprobe_parse(struct probe_line *line)
{
	struct user_probe *u = to_user_probe(line->probe);
	const struct cmd_text *text = &line->text;
	char *rest = text->text, *word = probe_next_word(&rest), *colon = strchr(word, ':');
	int err;

	u->returns = *word == 'r';
	line->place = probe_next_word(&rest);
	err = probe_line_parse_name(line, colon ? colon + 1 : NULL) ?:
	      uprobe_parse_place(text, line->place, u) ?: uprobe_parse_args(text, rest, u);
	line->spec.returns = u->returns;
	line->spec.nr_head = probe_nr_head(u->returns);
	return err;
}

static int uprobe_create(const char *whole)
{
	struct probe_line line;
	int err;

	if (!uprobe_is_line(whole))
		return -ECANCELED;
	err = probe_begin(&line, whole, &uprobe_kind) ?: uprobe_parse(&line) ?: uprobe_add(&line);
	return probe_end(&line, err);
}

static void uprobe_place(struct seq_buf *s, const struct probe *p)
{
	const struct user_probe *u = to_user_probe(p);

	seq_buf_printf(s, "%s:0x%0*lx", u->name, (int)(2 * sizeof(u->offset)), u->offset);
	if (u->counter)
		seq_buf_printf(s, "(0x%lx)", u->counter);
}

struct probe_kind uprobe_kind = {
	.dyn = {
		.create		= uprobe_create,
		.show		= probe_show,
		.matches	= probe_matches,
		.is_busy	= probe_is_busy,
		.call		= probe_dyn_call,
		.remove		= probe_dyn_remove,
	},
	.parser		= "trace_uprobe",
	.letter		= 'p',
	.system		= "uprobes",
	.flags		= TRACE_EVENT_FL_UPROBE | TRACE_EVENT_FL_CAP_ANY,
	.size		= sizeof(struct user_probe),
	.name		= uprobe_name,
	.start		= uprobe_start,
	.stop		= uprobe_stop,
	.update_tasks	= uprobe_update_tasks,
	.place		= uprobe_place,
	.same_place	= uprobe_same_place,
	.free		= uprobe_free,
};

DYN_EVENT_KIND(uprobe, uprobe_kind.dyn);
