/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The record types of messages, and a check of pointers to strings in records.
 */
#ifndef _KERNEL_TRACE_MESSAGES_PRINT_H
#define _KERNEL_TRACE_MESSAGES_PRINT_H

#include <linux/types.h>

struct record_type;

/* Types of the records of messages, for the table in boot/types.c. */
extern const struct record_type print_type;
extern const struct record_type bprint_type;
extern const struct record_type bputs_type;
extern const struct record_type raw_data_type;

/**
 * message_string_is_permanent() - test whether a string, to which a record points, is never freed
 * @str: the pointer
 *
 * Context: any.
 * Return: true if the string can be read; false if it may have been freed since the record was
 * written.
 */
bool message_string_is_permanent(const char *str);

#endif /* _KERNEL_TRACE_MESSAGES_PRINT_H */
