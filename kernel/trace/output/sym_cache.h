/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of addresses as they are printed, remembered: each reader has a cache.
 * A name is forgotten when a module comes or goes.
 */
#ifndef _KERNEL_TRACE_SYM_CACHE_H
#define _KERNEL_TRACE_SYM_CACHE_H

#include <linux/types.h>

struct sym_cache;
struct trace_seq;

/**
 * enum sym_style - how much of a name is printed
 * @SYM_NAME: the function
 * @SYM_OFFSET: with the distance from its start, its size, and its module
 * @SYM_MODULE: with its module, as %ps prints it
 */
enum sym_style {
	SYM_NAME,
	SYM_OFFSET,
	SYM_MODULE,
};

/**
 * sym_cache_alloc - memory of addresses that were looked up
 *
 * Belongs to one reader, and is used only by that.
 *
 * Context: may sleep.
 * Return: the cache, or NULL, with which all functions work, slower.
 */
struct sym_cache *sym_cache_alloc(void);

/**
 * sym_cache_free - the reader needs it no more
 * @cache: the cache, or NULL
 *
 * Context: may sleep.
 */
void sym_cache_free(struct sym_cache *cache);

/**
 * sym_cache_put - print the name of an address
 * @cache: the cache, or NULL
 * @s: where to
 * @addr: the address; one without a name is printed as a number
 * @style: how
 *
 * Context: any, NMI included.
 */
void sym_cache_put(struct sym_cache *cache, struct trace_seq *s,
		   unsigned long addr, enum sym_style style);

/**
 * sym_cache_generation - what else is known of addresses may have changed
 *
 * Context: any.
 * Return: another number than before when a module came or went meanwhile.
 */
unsigned int sym_cache_generation(void);

#endif
