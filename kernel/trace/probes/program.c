// SPDX-License-Identifier: GPL-2.0
/*
 * Parts of fetch programs that several parsers add: loads, and arguments of the probed function.
 */
#include <linux/errno.h>
#include <linux/limits.h>

#include "text.h"

int fetch_load_add(const struct cmd_text *text, const char *at, struct fetch_load load,
		   struct fetch *f)
{
	if (f->nr_loads == FETCH_LOADS_MAX)
		return cmd_refuse(text, at, PROBE_ERR_MANY_LOADS);
	f->loads[f->nr_loads++] = load;
	return 0;
}

/*
 * Have argument @arg saved at the entry, once even if it is fetched several times. Return: its
 * index in &fetch_from.kept, or -E2BIG.
 */
static int fetch_keep_arg(struct probe_place *place, unsigned int arg)
{
	for (unsigned int i = 0; i < place->nr_kept; i++)
		if (place->kept[i] == arg)
			return i;
	if (place->nr_kept == PROBE_KEPT_MAX)
		return -E2BIG;
	place->kept[place->nr_kept] = arg;
	return place->nr_kept++;
}

static int fetch_set_kept_arg(const struct cmd_text *text, const char *word, unsigned int n,
			      struct probe_place *place, struct fetch *f)
{
	int at = n > U8_MAX ? -E2BIG : fetch_keep_arg(place, n);

	if (at < 0)
		return cmd_refuse(text, word, PROBE_ERR_ARG_NUMBER);
	f->source = FETCH_KEPT;
	f->value = at;
	return 0;
}

int fetch_arg_set(const struct cmd_text *text, const char *word, unsigned int n,
		  struct probe_place *place, struct fetch *f)
{
	n += place->first_arg;
	if (!probe_has_arguments(place))
		return cmd_refuse(text, word, PROBE_ERR_NOT_ENTRY);
	if (place->at & PROBE_AT_RETURN)
		return fetch_set_kept_arg(text, word, n, place, f);
	f->source = FETCH_ARG;
	f->value = n;
	return 0;
}
