/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A function of word.c for side.c.
 */
#ifndef _KERNEL_TRACE_FILTER_INTERNAL_H
#define _KERNEL_TRACE_FILTER_INTERNAL_H

#include <linux/types.h>

struct filter_word;
struct module;

/**
 * filter_word_names() - check whether a word names a function
 * @w: the word, not a line number
 * @mod: module of the function, NULL for the core kernel
 * @name: name of the function
 *
 * Context: any.
 * Return: true if it does.
 */
bool filter_word_names(const struct filter_word *w, struct module *mod, const char *name);

#endif /* _KERNEL_TRACE_FILTER_INTERNAL_H */
