/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The strings that records of trace_printk() point to.
 *
 * A record has the address of its format, not the text. So the formats of a module are copied when
 * it is loaded, and the copies are never freed.
 */
#ifndef _KERNEL_TRACE_PRINTK_FORMATS_H
#define _KERNEL_TRACE_PRINTK_FORMATS_H

#include <linux/seq_file.h>
#include <linux/types.h>

/* Bounds, set by the linker, of the array of formats and of that of tracepoint_string(). */
extern const char * const __start___trace_bprintk_fmt[];
extern const char * const __stop___trace_bprintk_fmt[];
extern const char * const __start___tracepoint_str[];
extern const char * const __stop___tracepoint_str[];

/**
 * printk_formats_in_kernel() - test whether the kernel image contains a trace_printk()
 *
 * Context: any.
 * Return: true if it does.
 */
bool printk_formats_in_kernel(void);

/**
 * printk_formats_has() - test whether an address is that of a string that is never freed
 * @str: the address, from a record
 *
 * Context: any.
 * Return: true if the string can be read at any time; false if the address must not be
 * dereferenced.
 */
bool printk_formats_has(const char *str);

/**
 * printk_formats_keep() - make a copy of a string that is never freed
 * @str: the string, whose own memory may be freed later
 *
 * Context: may sleep; takes a mutex inside which no other lock is taken.
 * Return: the copy, which is the same for equal strings; NULL without memory.
 */
const char *printk_formats_keep(const char *str);

/*
 * Prints the file printk_formats: the address of each string and the string itself, for tools
 * that read raw records.
 */
extern const struct seq_operations printk_formats_sops;

#endif /* _KERNEL_TRACE_PRINTK_FORMATS_H */
