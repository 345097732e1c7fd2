/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included after the last reading of a header with events. Undefines the macros, so that
 * <linux/tracepoint.h> defines them again with their meaning for declarations.
 */

#undef DECLARE_EVENT_CLASS
#undef DECLARE_EVENT_CLASS_NOP
#undef DECLARE_TRACE
#undef DEFINE_EVENT
#undef DEFINE_EVENT_CONDITION
#undef DEFINE_EVENT_FN
#undef DEFINE_EVENT_NOP
#undef DEFINE_EVENT_PRINT
#undef TRACE_EVENT
#undef TRACE_EVENT_CONDITION
#undef TRACE_EVENT_FLAGS
#undef TRACE_EVENT_FN
#undef TRACE_EVENT_FN_COND
#undef TRACE_EVENT_NOP
#undef TRACE_EVENT_PERF_PERM
