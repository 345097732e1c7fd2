/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of arguments, and of members of what they point to, by the types that the kernel has of
 * its own (BTF).
 */
#ifndef _KERNEL_TRACE_PROBES_BTF_H
#define _KERNEL_TRACE_PROBES_BTF_H

#include <linux/errno.h>

#include "text.h"

#ifdef CONFIG_PROBE_EVENTS_BTF_ARGS

/**
 * probe_btf_find - find the type of the function that is probed
 * @place: &probe_place.function is set, or NULL; the rest is filled in, for probe_btf_put()
 *
 * Without it no name is known, which is no error.
 *
 * Context: may sleep.
 */
void probe_btf_find(struct probe_place *place);

/* The end of that. Context: may sleep. */
void probe_btf_put(struct probe_place *place);

/**
 * probe_btf_nr_args - how many arguments the function has, as far as is known
 * @place: from probe_btf_find()
 *
 * Context: any.
 */
unsigned int probe_btf_nr_args(const struct probe_place *place);

/**
 * probe_btf_arg_name - what an argument is called
 * @place: from probe_btf_find()
 * @n: which one, from 0 on
 *
 * Context: any.
 * Return: the name; NULL if it is not known, or the argument has none.
 */
const char *probe_btf_arg_name(const struct probe_place *place, unsigned int n);

/**
 * fetch_btf_parse - understand ``NAME``, or ``$retval``, and members behind it
 * @text: the text
 * @word: what is written, which is changed
 * @place: from probe_btf_find(); its @natural is filled in
 * @f: its source and loads are
 *
 * Members are ``->FIELD`` behind what is an address, and ``.FIELD`` behind what is not.
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, logged.
 */
int fetch_btf_parse(const struct probe_text *text, char *word, struct probe_place *place,
		    struct fetch *f);

#else

static inline void probe_btf_find(struct probe_place *place) { }
static inline void probe_btf_put(struct probe_place *place) { }
static inline unsigned int probe_btf_nr_args(const struct probe_place *place) { return 0; }
static inline const char *probe_btf_arg_name(const struct probe_place *place, unsigned int n)
{
	return NULL;
}

static inline int fetch_btf_parse(const struct probe_text *text, char *word,
				  struct probe_place *place, struct fetch *f)
{
	return probe_refuse_with(text, word, PROBE_ERR_NO_BTF,
				 probe_has_arguments(place) ? -EOPNOTSUPP : -EINVAL);
}

#endif

#endif /* _KERNEL_TRACE_PROBES_BTF_H */
