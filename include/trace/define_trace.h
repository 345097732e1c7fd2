/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the tracepoints and events that a header declares.
 *
 * A header with trace events includes this file as its last line, outside its own
 * include guard. One of the files that include the header defines
 * CREATE_TRACE_POINTS before it does so: there the header is read again, with
 * macros such as TRACE_EVENT() that define the tracepoint instead of declaring it.
 * In all other files this file does nothing.
 *
 * The header defines these macros for this file:
 *
 * TRACE_SYSTEM        name of the system of the events;
 * TRACE_INCLUDE_FILE  name of the header without ".h", if it is not that of the
 *                     system;
 * TRACE_INCLUDE_PATH  directory of the header, relative to include/trace, if it
 *                     is not include/trace/events.
 */

#ifdef CREATE_TRACE_POINTS

/* Do not define the tracepoints of other headers that this one includes. */
#undef CREATE_TRACE_POINTS

#include <linux/stringify.h>

/* The path of the header. */

#undef TRACE_INCLUDE
#undef __TRACE_INCLUDE
#define TRACE_INCLUDE(file)	__TRACE_INCLUDE(file)

/* Tested here because a header without a path may undefine TRACE_INCLUDE_PATH when it is read. */
#ifdef TRACE_INCLUDE_PATH
#define __TRACE_INCLUDE(file)	__stringify(TRACE_INCLUDE_PATH/file.h)
#else
#define __TRACE_INCLUDE(file)	__stringify(events/file.h)
#endif

#ifndef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE	TRACE_SYSTEM
#define __TRACE_FILE_IS_DEFAULT
#endif

/* Each macro defines a tracepoint; those with reg and unreg call these when it gets users. */

#undef DECLARE_TRACE
#define DECLARE_TRACE(name, proto, args)				\
	DEFINE_TRACE(name, PARAMS(proto), PARAMS(args))

#undef DEFINE_EVENT
#define DEFINE_EVENT(class, name, proto, args)				\
	DEFINE_TRACE(name, PARAMS(proto), PARAMS(args))

#undef DEFINE_EVENT_CONDITION
#define DEFINE_EVENT_CONDITION(class, name, proto, args, ...)		\
	DEFINE_TRACE(name, PARAMS(proto), PARAMS(args))

#undef DEFINE_EVENT_PRINT
#define DEFINE_EVENT_PRINT(class, name, proto, args, ...)		\
	DEFINE_TRACE(name, PARAMS(proto), PARAMS(args))

#undef DEFINE_EVENT_FN
#define DEFINE_EVENT_FN(class, name, proto, args, reg, unreg)		\
	DEFINE_TRACE_FN(name, reg, unreg, PARAMS(proto), PARAMS(args))

#undef TRACE_EVENT
#define TRACE_EVENT(name, proto, args, ...)				\
	DEFINE_TRACE(name, PARAMS(proto), PARAMS(args))

#undef TRACE_EVENT_CONDITION
#define TRACE_EVENT_CONDITION(name, proto, args, ...)			\
	DEFINE_TRACE(name, PARAMS(proto), PARAMS(args))

#undef TRACE_EVENT_FN
#define TRACE_EVENT_FN(name, proto, args, fields, assign, print, reg, unreg) \
	DEFINE_TRACE_FN(name, reg, unreg, PARAMS(proto), PARAMS(args))

#undef TRACE_EVENT_FN_COND
#define TRACE_EVENT_FN_COND(name, proto, args, cond, fields, assign, print, reg, unreg) \
	DEFINE_TRACE_FN(name, reg, unreg, PARAMS(proto), PARAMS(args))

/* Events that their header has switched off: they have no tracepoint. */

#undef DEFINE_EVENT_NOP
#define DEFINE_EVENT_NOP(...)

#undef TRACE_EVENT_NOP
#define TRACE_EVENT_NOP(...)

/* Makes the include guard of the header let it be read again. */
#define TRACE_HEADER_MULTI_READ
#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)
#undef TRACE_HEADER_MULTI_READ

#if defined(TRACEPOINTS_ENABLED) && defined(CONFIG_EVENT_TRACING)
#define TRACE_HEADER_MULTI_READ
#include <trace/trace_events.h>
#include <trace/bpf_probe.h>
#undef TRACE_HEADER_MULTI_READ
#endif

#include <trace/stages/first_meaning.h>

#ifdef __TRACE_FILE_IS_DEFAULT
#undef TRACE_INCLUDE_FILE
#undef __TRACE_FILE_IS_DEFAULT
#endif

/* The file may include more headers whose tracepoints it defines. */
#define CREATE_TRACE_POINTS

#endif /* CREATE_TRACE_POINTS */
