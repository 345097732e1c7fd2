// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of probes of programs: lines ``p:[GROUP/]EVENT PATH:OFFSET[(COUNTER)] ARGS``, and ``r...``
 * for return probes, of uprobe_events and dynamic_events.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/hashtable.h>
#include <linux/kstrtox.h>
#include <linux/namei.h>
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
char *uprobe_name(const struct probe *p)
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

/* All probes at a place must have the same counter, or none: compare with any other one there. */
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

static int uprobe_add(const struct cmd_text *text, const char *place, struct user_probe *u,
		      const struct probe_spec *spec)
{
	int err;

	guard(mutex)(&dyn_events_lock);
	err = uprobe_check_counter(text, place, u) ?: probe_add(text, &u->probe, spec);
	if (!err)
		hash_add(user_probes, &u->by_place, uprobe_place_key(u));
	return err;
}

static int uprobe_parse_args(const struct cmd_text *text, char *rest, struct user_probe *u)
{
	struct probe_place place = { .at = PROBE_IN_USER | (u->returns ? PROBE_AT_RETURN : 0) };

	return probe_args_parse(text, rest, &place, probe_len_before(u->returns), &u->probe.args);
}

int uprobe_parse(const struct cmd_text *text, struct probe *p)
{
	struct user_probe *u = to_user_probe(p);
	char *rest = text->text, *word = probe_next_word(&rest), *name = strchr(word, ':'), *place;
	struct probe_spec spec = { .kind = &uprobe_kind, .name_at = name ? name + 1 : NULL };
	int err = 0;

	u->returns = *word == 'r';
	if (name)
		err = probe_name_parse(text, name + 1, &spec.name);
	place = probe_next_word(&rest);
	err = err ?: uprobe_parse_place(text, place, u) ?: uprobe_parse_args(text, rest, u);
	if (err)
		return err;
	spec.returns = u->returns;
	spec.nr_head = probe_nr_head(u->returns);
	return uprobe_add(text, place, u, &spec);
}

int uprobe_create(const char *line)
{
	return uprobe_is_line(line) ? probe_create(line, &uprobe_kind) : -ECANCELED;
}
