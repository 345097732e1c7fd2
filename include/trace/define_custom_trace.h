/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the custom events that a header declares: events of tracepoints that there are, with
 * fields of one's own.
 *
 * Such a header includes this file as its last line, outside its own include guard, as those
 * with trace events do with <trace/define_trace.h>, where TRACE_INCLUDE_FILE and
 * TRACE_INCLUDE_PATH are explained. Both have to be given. The one file that defines
 * CREATE_CUSTOM_TRACE_EVENTS before it includes the header gets the events.
 */

#ifdef CREATE_CUSTOM_TRACE_EVENTS

/* Headers that the further readings include must not be made along. */
#undef CREATE_CUSTOM_TRACE_EVENTS

#include <linux/stringify.h>

#undef TRACE_INCLUDE
#undef __TRACE_INCLUDE
#define TRACE_INCLUDE(file)	__TRACE_INCLUDE(file)
#define __TRACE_INCLUDE(file)	__stringify(TRACE_INCLUDE_PATH/file.h)

#ifdef CONFIG_EVENT_TRACING
/* The header's guard lets itself be passed while this is defined. */
#define TRACE_CUSTOM_MULTI_READ
#include <trace/trace_custom_events.h>
#undef TRACE_CUSTOM_MULTI_READ
#endif

#include <trace/stages/first_meaning.h>

/* The file may have more headers. */
#define CREATE_CUSTOM_TRACE_EVENTS

#endif /* CREATE_CUSTOM_TRACE_EVENTS */
