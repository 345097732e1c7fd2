/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines custom events. They differ from other events in their system, and in their tracepoint,
 * which is not known when the module is linked: the module calls
 * trace_custom_event_NAME_update() for each tracepoint, by for_each_kernel_tracepoint(), before
 * the event can be switched on.
 */
#include <linux/string.h>
#include <linux/tracepoint.h>

#undef TRACE_SYSTEM
#define TRACE_SYSTEM custom
#undef TRACE_SYSTEM_VAR

#undef TRACE_CUSTOM_EVENT
#define TRACE_CUSTOM_EVENT(name, proto, args, tstruct, assign, print)	\
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
		    PARAMS(assign), PARAMS(print))

#undef DECLARE_CUSTOM_EVENT_CLASS
#define DECLARE_CUSTOM_EVENT_CLASS(name, proto, args, tstruct, assign, print) \
	DECLARE_EVENT_CLASS(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct), \
			    PARAMS(assign), PARAMS(print))

#undef DEFINE_CUSTOM_EVENT
#define DEFINE_CUSTOM_EVENT(template, name, proto, args)		\
	DEFINE_EVENT(template, name, PARAMS(proto), PARAMS(args))

#define __TE_CUSTOM
#include <trace/trace_events.h>
#undef __TE_CUSTOM

/* ------------------------------------------------------------------ */
/* Finding the tracepoint						*/

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)

#undef DEFINE_EVENT
#define DEFINE_EVENT(template, event, proto, args)			\
	static inline void trace_custom_event_##event##_update(struct tracepoint *tp) \
	{								\
		if (!tp->name || strcmp(tp->name, #event))		\
			return;						\
		event_##event.tp = tp;					\
		/* Pairs with the acquire in event_queue_register(). */	\
		smp_store_release(&event_##event.flags,			\
				  event_##event.flags | TRACE_EVENT_FL_TRACEPOINT); \
	}

#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)

#undef TRACE_CUSTOM_EVENT
#define TRACE_CUSTOM_EVENT(...)
#undef DECLARE_CUSTOM_EVENT_CLASS
#define DECLARE_CUSTOM_EVENT_CLASS(...)
#undef DEFINE_CUSTOM_EVENT
#define DEFINE_CUSTOM_EVENT(...)
