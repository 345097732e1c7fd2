/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arguments by name, and members of structures, with the help of the type information of the
 * kernel (BTF). Without BTF support, no name is known.
 */
#ifndef _KERNEL_TRACE_PROBES_BTF_H
#define _KERNEL_TRACE_PROBES_BTF_H

#include <linux/errno.h>

#include "text.h"

#ifdef CONFIG_PROBE_EVENTS_BTF_ARGS

/**
 * probe_btf_find - find the BTF prototype of the probed function
 * @place: place of the probe; @btf and @proto are set if @function is known to BTF
 *
 * A function without a prototype is no error: its arguments then have no names.
 *
 * Context: may sleep.
 */
void probe_btf_find(struct probe_place *place);

/**
 * probe_btf_put - undo probe_btf_find()
 * @place: place of the probe, which may have no BTF
 *
 * Context: may sleep.
 */
void probe_btf_put(struct probe_place *place);

/**
 * probe_btf_nr_args - get the number of arguments of the probed function
 * @place: place of the probe, after probe_btf_find()
 *
 * Context: any.
 * Return: number of arguments, without hidden ones and ``...``; 0 if there is no prototype.
 */
unsigned int probe_btf_nr_args(const struct probe_place *place);

/**
 * probe_btf_arg_name - get the name of an argument of the probed function
 * @place: place of the probe, after probe_btf_find()
 * @n: index of the argument, from 0
 *
 * Context: any.
 * Return: the name; NULL if there is no such argument, or it has no name.
 */
const char *probe_btf_arg_name(const struct probe_place *place, unsigned int n);

/**
 * fetch_btf_parse - parse ``NAME`` or ``$retval``, and members that follow
 * @text: the text, for errors
 * @word: the word to parse, which is modified
 * @place: place of the probe, after probe_btf_find(); @arg_type is set
 * @f: @source, @value and @loads are set
 *
 * A member is ``->FIELD`` after a pointer, and ``.FIELD`` after a structure.
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, -ENOENT or -EOPNOTSUPP, logged.
 */
int fetch_btf_parse(const struct cmd_text *text, char *word, struct probe_place *place,
		    struct fetch *f);

#else

static inline void probe_btf_find(struct probe_place *place) { }
static inline void probe_btf_put(struct probe_place *place) { }
static inline unsigned int probe_btf_nr_args(const struct probe_place *place) { return 0; }
static inline const char *probe_btf_arg_name(const struct probe_place *place, unsigned int n)
{
	return NULL;
}

static inline int fetch_btf_parse(const struct cmd_text *text, char *word,
				  struct probe_place *place, struct fetch *f)
{
	return cmd_refuse_with(text, word, PROBE_ERR_NO_BTF,
			       probe_has_arguments(place) ? -EOPNOTSUPP : -EINVAL);
}

#endif

#endif /* _KERNEL_TRACE_PROBES_BTF_H */
