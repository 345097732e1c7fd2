/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the custom events that a header declares: events of existing tracepoints, with fields
 * that a module chooses.
 *
 * A header with custom events includes this file as its last line, outside its own include guard.
 * It has to define TRACE_INCLUDE_FILE and TRACE_INCLUDE_PATH, which <trace/define_trace.h>
 * explains. The events are defined in the one file that defines CREATE_CUSTOM_TRACE_EVENTS before
 * it includes the header.
 */

#ifdef CREATE_CUSTOM_TRACE_EVENTS

/* Do not define the events of other headers that this one includes. */
#undef CREATE_CUSTOM_TRACE_EVENTS

#include <linux/stringify.h>

#undef TRACE_INCLUDE
#undef __TRACE_INCLUDE
#define TRACE_INCLUDE(file)	__TRACE_INCLUDE(file)
#define __TRACE_INCLUDE(file)	__stringify(TRACE_INCLUDE_PATH/file.h)

#ifdef CONFIG_EVENT_TRACING
/* Makes the include guard of the header let it be read again. */
#define TRACE_CUSTOM_MULTI_READ
#include <trace/trace_custom_events.h>
#undef TRACE_CUSTOM_MULTI_READ
#endif

#include <trace/stages/first_meaning.h>

/* The file may include more headers whose events it defines. */
#define CREATE_CUSTOM_TRACE_EVENTS

#endif /* CREATE_CUSTOM_TRACE_EVENTS */
