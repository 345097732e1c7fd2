/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How messages look.
 */
#ifndef _KERNEL_TRACE_MESSAGES_PRINT_H
#define _KERNEL_TRACE_MESSAGES_PRINT_H

#include <linux/types.h>

struct record_type;

extern const struct record_type print_type;
extern const struct record_type bprint_type;
extern const struct record_type bputs_type;
extern const struct record_type raw_data_type;

/**
 * message_may_follow - does a string stay for good that a record has the address of
 * @str: the address
 *
 * Another one may have been freed since the record was made.
 *
 * Context: any.
 */
bool message_may_follow(const char *str);

#endif /* _KERNEL_TRACE_MESSAGES_PRINT_H */
