/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the tracepoints that a header of trace events declares.
 *
 * Such a header includes this file as its last line, outside its own include
 * guard. In all but one of the files that include the header nothing happens
 * here. The one that defines CREATE_TRACE_POINTS before the include gets the
 * header read again, with each TRACE_EVENT() and its relatives meaning "define
 * the tracepoint" instead of "declare it".
 *
 * What the header tells this file:
 *
 * TRACE_SYSTEM        the name of the group of events, which is also the name
 *                     of the header, less ".h", unless
 * TRACE_INCLUDE_FILE  gives another name (without ".h" as well);
 * TRACE_INCLUDE_PATH  is where the header lies, seen from include/trace,
 *                     when it is not in include/trace/events.
 */

#ifdef CREATE_TRACE_POINTS

/* Headers that the second reading includes must not be defined along. */
#undef CREATE_TRACE_POINTS

#include <linux/stringify.h>

/* Where is the header? */

#undef TRACE_INCLUDE
#undef __TRACE_INCLUDE
#define TRACE_INCLUDE(file)	__TRACE_INCLUDE(file)

/* A header that has no path may undefine it each time that it is read. */
#ifdef TRACE_INCLUDE_PATH
#define __TRACE_INCLUDE(file)	__stringify(TRACE_INCLUDE_PATH/file.h)
#else
#define __TRACE_INCLUDE(file)	__stringify(events/file.h)
#endif

#ifndef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE	TRACE_SYSTEM
#define __TRACE_FILE_IS_DEFAULT
#endif

/* One by one: a tracepoint, or one that calls out when it gets users. */

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

/* These are switched off by their header and have no tracepoint. */

#undef DEFINE_EVENT_NOP
#define DEFINE_EVENT_NOP(...)

#undef TRACE_EVENT_NOP
#define TRACE_EVENT_NOP(...)

/* The header's guard lets itself be passed while this is defined. */
#define TRACE_HEADER_MULTI_READ
#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)
#undef TRACE_HEADER_MULTI_READ

#if defined(TRACEPOINTS_ENABLED) && defined(CONFIG_EVENT_TRACING)
#define TRACE_HEADER_MULTI_READ
#include <trace/trace_events.h>
#undef TRACE_HEADER_MULTI_READ
#endif

#include <trace/stages/first_meaning.h>

#ifdef __TRACE_FILE_IS_DEFAULT
#undef TRACE_INCLUDE_FILE
#undef __TRACE_FILE_IS_DEFAULT
#endif

/* The file may have more headers to define. */
#define CREATE_TRACE_POINTS

#endif /* CREATE_TRACE_POINTS */
