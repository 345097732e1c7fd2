/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The strings that records of trace_printk() point to.
 *
 * A record holds the address of its format, not the text, so the strings of a
 * module are copied when it is loaded, and the copies stay for good.
 */
#ifndef _KERNEL_TRACE_PRINTK_FORMATS_H
#define _KERNEL_TRACE_PRINTK_FORMATS_H

#include <linux/seq_file.h>
#include <linux/types.h>

/* From the linker: the formats, and the strings of tracepoint_string(). */
extern const char * const __start___trace_bprintk_fmt[];
extern const char * const __stop___trace_bprintk_fmt[];
extern const char * const __start___tracepoint_str[];
extern const char * const __stop___tracepoint_str[];

/**
 * printk_formats_in_kernel - does the kernel image contain a trace_printk()?
 *
 * Context: any.
 */
bool printk_formats_in_kernel(void);

/**
 * printk_formats_has - is this one of the strings?
 * @str: an address, from a record
 *
 * One that is can be read at any time; one that is not must not be followed.
 *
 * Context: any.
 */
bool printk_formats_has(const char *str);

/**
 * printk_formats_keep - a copy of a string that is never freed
 * @str: the string, whose memory may go
 *
 * Context: may sleep; takes a lock inside which nothing is taken.
 * Return: the copy, the same for all who say the same; NULL without memory.
 */
const char *printk_formats_keep(const char *str);

/*
 * The content of the file printk_formats: the address of each string, and the
 * string. Tools that read raw records need it.
 */
extern const struct seq_operations printk_formats_sops;

#endif /* _KERNEL_TRACE_PRINTK_FORMATS_H */
