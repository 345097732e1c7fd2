/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cache of the names of addresses, as they are printed. Each reader has one, which is emptied
 * when a module is loaded or unloaded.
 */
#ifndef _KERNEL_TRACE_SYM_CACHE_H
#define _KERNEL_TRACE_SYM_CACHE_H

#include <linux/types.h>

struct sym_cache;
struct trace_seq;

/**
 * enum sym_style - form of the printed name of an address
 * @SYM_NAME: name of the symbol
 * @SYM_OFFSET: name of the symbol, offset, size and module, as %pS prints them
 * @SYM_MODULE: name of the symbol and module, as %ps prints them
 */
enum sym_style {
	SYM_NAME,
	SYM_OFFSET,
	SYM_MODULE,
};

/**
 * sym_cache_put() - print the name of an address
 * @cache: the cache, or NULL
 * @s: sequence that the name is added to
 * @addr: the address, printed as a number if it has no name
 * @style: form of the name
 *
 * Context: any, NMI included.
 */
void sym_cache_put(struct sym_cache *cache, struct trace_seq *s,
		   unsigned long addr, enum sym_style style);

/**
 * sym_cache_generation() - get a number that changes when a module is loaded or unloaded
 *
 * For other caches of information about addresses.
 *
 * Context: any.
 * Return: a number that differs from an earlier one if a module was loaded or unloaded since.
 */
unsigned int sym_cache_generation(void);

#endif
