/* SPDX-License-Identifier: GPL-2.0 */
/* The event that the helpers bpf_trace_printk() and bpf_trace_vprintk() record. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM bpf_trace

#if !defined(_KERNEL_TRACE_BPF_BPF_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _KERNEL_TRACE_BPF_BPF_TRACE_H

#include <linux/tracepoint.h>

/* Each line of text that a program prints. */
TRACE_EVENT(bpf_trace_printk,
	    TP_PROTO(const char *line),
	    TP_ARGS(line),
	    TP_STRUCT__entry(__string(bpf_string, line)),
	    TP_fast_assign(__assign_str(bpf_string);),
	    TP_printk("%s", __get_str(bpf_string))
);

#endif

/* Relative to kernel/trace, which is in the include path: see Makefile.room. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH bpf
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE bpf_trace
#include <trace/define_trace.h>
