/* SPDX-License-Identifier: GPL-2.0 */
/* The log of refused commands, shown by the file error_log. */
#ifndef _KERNEL_TRACE_ERROR_LOG_H
#define _KERNEL_TRACE_ERROR_LOG_H

#include <linux/types.h>

struct instance_part;
struct trace_array;

/* The instance part that removes the entries of an instance together with it. */
extern struct instance_part error_log_part;

/**
 * tracing_log_err - log a refused command
 * @tr: the instance whose error_log gets it, NULL for the top instance
 * @loc: the part of the tracer that refused it: the first words of the line
 * @cmd: the command as the user wrote it
 * @error: message of the error
 * @pos: offset of the error in @cmd, in bytes; the position of the caret
 *
 * The last few commands of an instance are kept (SPEC B3). Without memory the command is not
 * logged.
 *
 * Context: may sleep; may be called under any mutex of the tracer.
 */
void tracing_log_err(struct trace_array *tr, const char *loc, const char *cmd,
		     const char *error, u16 pos);

#endif /* _KERNEL_TRACE_ERROR_LOG_H */
