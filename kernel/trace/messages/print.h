/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How messages look.
 */
#ifndef _KERNEL_TRACE_MESSAGES_PRINT_H
#define _KERNEL_TRACE_MESSAGES_PRINT_H

struct record_type;

extern const struct record_type print_type;
extern const struct record_type bprint_type;
extern const struct record_type bputs_type;
extern const struct record_type raw_data_type;

#endif /* _KERNEL_TRACE_MESSAGES_PRINT_H */
