/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the events that a header declares: what they record, and how a record is described and
 * printed. Included by <trace/define_trace.h>, once for each header.
 *
 * The header is read again for each of the stages below. In each stage the macros of the header
 * define another part of an event. TRACE_EVENT() is a class with one event;
 * DECLARE_EVENT_CLASS() is a class without an event, and DEFINE_EVENT() adds an event to a class.
 *
 * Definitions for each class:
 *
 * struct trace_event_raw_NAME		the record
 * struct trace_event_data_offsets_NAME	offsets and sizes of the data behind the fields
 * trace_event_get_offsets_NAME()	computes these, and returns the size of all data
 * trace_event_raw_event_NAME()		the probe: called by the tracepoint, makes a record
 * trace_raw_output_NAME()		prints a record
 * trace_event_fields_NAME[]		the fields, for the format file and for filters
 * event_class_NAME			the &struct trace_event_class
 *
 * Each event has a &struct trace_event_call event_NAME, and a pointer to it in the section
 * _ftrace_events.
 */
#include <linux/trace_events.h>

#include <trace/stages/names.h>

#ifndef TRACE_SYSTEM_VAR
#define TRACE_SYSTEM_VAR TRACE_SYSTEM
#endif

#define __te_join3(a, b, c)		a##b##c
#define __te_system_name(var)		__te_join3(str__, var, __trace_system_name)
#define TRACE_SYSTEM_STRING		__te_system_name(TRACE_SYSTEM_VAR)

static const char TRACE_SYSTEM_STRING[] = __stringify(TRACE_SYSTEM);

/* TRACE_EVENT() is a class and an event of the same name in each stage. */

#undef TRACE_EVENT
#define TRACE_EVENT(name, proto, args, tstruct, assign, print)		\
	DECLARE_EVENT_CLASS(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
			    PARAMS(assign), PARAMS(print));		\
	DEFINE_EVENT(name, name, PARAMS(proto), PARAMS(args))

/* Macros with parameters for the tracepoint define an event as those without. */

#undef TRACE_EVENT_FN
#define TRACE_EVENT_FN(name, proto, args, tstruct, assign, print, reg, unreg) \
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
		    PARAMS(assign), PARAMS(print))

#undef TRACE_EVENT_FN_COND
#define TRACE_EVENT_FN_COND(name, proto, args, cond, tstruct, assign, print, reg, unreg) \
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
		    PARAMS(assign), PARAMS(print))

#undef TRACE_EVENT_CONDITION
#define TRACE_EVENT_CONDITION(name, proto, args, cond, tstruct, assign, print) \
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
		    PARAMS(assign), PARAMS(print))

#undef DEFINE_EVENT_FN
#define DEFINE_EVENT_FN(template, name, proto, args, reg, unreg)	\
	DEFINE_EVENT(template, name, PARAMS(proto), PARAMS(args))

#undef DEFINE_EVENT_CONDITION
#define DEFINE_EVENT_CONDITION(template, name, proto, args, cond)	\
	DEFINE_EVENT(template, name, PARAMS(proto), PARAMS(args))

#undef DECLARE_TRACE
#define DECLARE_TRACE(name, proto, args)

#undef TRACE_EVENT_NOP
#define TRACE_EVENT_NOP(...)

#undef DEFINE_EVENT_NOP
#define DEFINE_EVENT_NOP(...)

#undef DECLARE_EVENT_CLASS_NOP
#define DECLARE_EVENT_CLASS_NOP(...)

#undef TRACE_EVENT_FLAGS
#define TRACE_EVENT_FLAGS(event, value)

#undef TRACE_EVENT_PERF_PERM
#define TRACE_EVENT_PERF_PERM(event, expr...)

#undef TRACE_DEFINE_ENUM
#define TRACE_DEFINE_ENUM(name)

#undef TRACE_DEFINE_SIZEOF
#define TRACE_DEFINE_SIZEOF(type)

/* ------------------------------------------------------------------ */
/* The record, and the values of constants whose names are printed	*/

#undef __TE_FIELD
#define __TE_FIELD(type, item, filter)		type item;

#undef __TE_STRUCT
#define __TE_STRUCT(type, item, filter)		type item;

#undef __TE_ARRAY
#define __TE_ARRAY(type, item, len)		type item[len];

#undef __TE_DYNAMIC
#define __TE_DYNAMIC(loc, type, item, size)	u32 __##loc##_loc_##item;

#undef __TE_STRING
#define __TE_STRING(loc, item, src, size)	u32 __##loc##_loc_##item;

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)	\
	struct trace_event_raw_##name {					\
		struct trace_entry	ent;				\
		tstruct							\
		char			__data[];			\
	};								\
									\
	static struct trace_event_class event_class_##name;

#undef DEFINE_EVENT
#define DEFINE_EVENT(template, name, proto, args)			\
	static struct trace_event_call __used event_##name;

#undef DEFINE_EVENT_PRINT
#define DEFINE_EVENT_PRINT(template, name, proto, args, print)		\
	DEFINE_EVENT(template, name, PARAMS(proto), PARAMS(args))

#undef TRACE_EVENT_FLAGS
#define TRACE_EVENT_FLAGS(event, value)					\
	static int __init trace_init_flags_##event(void)		\
	{								\
		event_##event.flags |= (value);				\
		return 0;						\
	}								\
	early_initcall(trace_init_flags_##event);

#ifdef CONFIG_PERF_EVENTS
#undef TRACE_EVENT_PERF_PERM
#define TRACE_EVENT_PERF_PERM(event, expr...)				\
	static int perf_perm_##event(struct trace_event_call *tp_event,	\
				     struct perf_event *p_event)	\
	{								\
		return ({ expr; });					\
	}								\
	static int __init trace_init_perf_perm_##event(void)		\
	{								\
		static struct trace_event_perf_perm perm = {		\
			.call	= &event_##event,			\
			.check	= perf_perm_##event,			\
		};							\
									\
		__trace_event_perf_perm(&perm);				\
		return 0;						\
	}								\
	early_initcall(trace_init_perf_perm_##event);
#endif

#define __te_eval_map(id, text, value)					\
	static const struct trace_eval_map __used id = {		\
		.system		= TRACE_SYSTEM_STRING,			\
		.eval_string	= text,					\
		.eval_value	= value,				\
	};								\
	static const struct trace_eval_map __used			\
		__section("_ftrace_eval_map") *__te_join3(id, _, at) = &id;

#define __te_eval(id, text, value)	__te_eval_map(id, text, value)

#undef TRACE_DEFINE_ENUM
#define TRACE_DEFINE_ENUM(name)						\
	__te_eval(__UNIQUE_ID(trace_eval), #name, name)

#undef TRACE_DEFINE_SIZEOF
#define TRACE_DEFINE_SIZEOF(type)					\
	__te_eval(__UNIQUE_ID(trace_eval), "sizeof(" #type ")", sizeof(type))

#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)

#undef TRACE_EVENT_FLAGS
#define TRACE_EVENT_FLAGS(event, value)

#undef TRACE_EVENT_PERF_PERM
#define TRACE_EVENT_PERF_PERM(event, expr...)

#undef TRACE_DEFINE_ENUM
#define TRACE_DEFINE_ENUM(name)

#undef TRACE_DEFINE_SIZEOF
#define TRACE_DEFINE_SIZEOF(type)

#undef DEFINE_EVENT
#define DEFINE_EVENT(template, name, proto, args)

#undef DEFINE_EVENT_PRINT
#define DEFINE_EVENT_PRINT(template, name, proto, args, print)

/* ------------------------------------------------------------------ */
/* Offsets and sizes of the data behind the fields			*/

#undef __TE_FIELD
#define __TE_FIELD(type, item, filter)

#undef __TE_STRUCT
#define __TE_STRUCT(type, item, filter)

#undef __TE_ARRAY
#define __TE_ARRAY(type, item, len)

#undef __TE_DYNAMIC
#define __TE_DYNAMIC(loc, type, item, size)	u32 item;

#undef __TE_STRING
#define __TE_STRING(loc, item, src, size)	u32 item; const char *item##_ptr_;

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)	\
	struct trace_event_data_offsets_##name {			\
		tstruct							\
	};

#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)

/* Offset of the data of @item: from the start of the record, or from the end of its word. */
#define __te_place_data(item)						\
	(offsetof(typeof(*__entry), __data) + __data_size)
#define __te_place_rel(item)						\
	(__te_place_data(item) -					\
	 offsetof(typeof(*__entry), __rel_loc_##item) - sizeof(u32))

/* The struct cannot be declared if @item has the form of an array, which needs __array(). */
#undef __TE_FIELD
#define __TE_FIELD(type, item, filter)	{ (void)sizeof(struct __te_no_array_##item *); }

#undef __TE_STRUCT
#define __TE_STRUCT(type, item, filter)	{ (void)sizeof(struct __te_no_array_##item *); }

#undef __TE_DYNAMIC
#define __TE_DYNAMIC(loc, type, item, size) {				\
		u32 __size = (size);					\
									\
		__data_offsets->item = __te_place_##loc(item) | __size << 16; \
		__data_size += __size;					\
	}

#undef __TE_STRING
#define __TE_STRING(loc, item, src, size) {				\
		const char *__from = (const char *)(src);		\
		const char *__src __maybe_unused = __trace_event_str(__from); \
									\
		__data_offsets->item##_ptr_ = __from;			\
		__TE_DYNAMIC(loc, char, item, size)			\
	}

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)	\
	static __always_inline int trace_event_get_offsets_##name(	\
		struct trace_event_data_offsets_##name *__maybe_unused __data_offsets, \
		proto)							\
	{								\
		struct trace_event_raw_##name *__maybe_unused __entry;	\
		int __data_size = 0;					\
									\
		tstruct							\
		return __data_size;					\
	}

#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)

/* ------------------------------------------------------------------ */
/* Making a record							*/

#undef __TE_FIELD
#define __TE_FIELD(type, item, filter)

#undef __TE_STRUCT
#define __TE_STRUCT(type, item, filter)

#undef __TE_DYNAMIC
#define __TE_DYNAMIC(loc, type, item, size)				\
	__entry->__##loc##_loc_##item = __data_offsets.item;

#undef __TE_STRING
#define __TE_STRING(loc, item, src, size)				\
	__entry->__##loc##_loc_##item = __data_offsets.item;

/* Headers use this name for the record as well. */
#undef __entry
#define __entry				entry

#undef __assign_str
#define __assign_str(dst)						\
	__trace_event_assign_str(__get_str(dst), __get_dynamic_array_len(dst), \
				 __data_offsets.dst##_ptr_)

#undef __assign_rel_str
#define __assign_rel_str(dst)						\
	__trace_event_assign_str(__get_rel_str(dst), __get_rel_dynamic_array_len(dst), \
				 __data_offsets.dst##_ptr_)

#undef __assign_vstr
#define __assign_vstr(dst, fmt, va)					\
	__trace_event_assign_vstr(__get_str(dst), __get_dynamic_array_len(dst), fmt, va)

#undef __get_bitmask
#define __get_bitmask(field)		((char *)__get_dynamic_array(field))

#undef __assign_bitmask
#define __assign_bitmask(dst, src, nr_bits)				\
	memcpy(__get_bitmask(dst), (src), __bitmask_size_in_bytes(nr_bits))

#undef __get_cpumask
#define __get_cpumask(field)		((char *)__get_dynamic_array(field))

#undef __assign_cpumask
#define __assign_cpumask(dst, src)					\
	memcpy(__get_cpumask(dst), (src), __bitmask_size_in_bytes(nr_cpumask_bits))

#undef __assign_sockaddr
#define __assign_sockaddr(dst, src, len)				\
	memcpy(__get_dynamic_array(dst), (src), (len))

#undef __get_rel_bitmask
#define __get_rel_bitmask(field)	((char *)__get_rel_dynamic_array(field))

#undef __assign_rel_bitmask
#define __assign_rel_bitmask(dst, src, nr_bits)				\
	memcpy(__get_rel_bitmask(dst), (src), __bitmask_size_in_bytes(nr_bits))

#undef __get_rel_cpumask
#define __get_rel_cpumask(field)	((char *)__get_rel_dynamic_array(field))

#undef __assign_rel_cpumask
#define __assign_rel_cpumask(dst, src)					\
	memcpy(__get_rel_cpumask(dst), (src), __bitmask_size_in_bytes(nr_cpumask_bits))

#undef __assign_rel_sockaddr
#define __assign_rel_sockaddr(dst, src, len)				\
	memcpy(__get_rel_dynamic_array(dst), (src), (len))

/* Values for perf: how often the event counts, and the second task that it belongs to. */

#undef __perf_addr
#define __perf_addr(a)			(a)

#undef __perf_count
#define __perf_count(c)			(__count = (c))

#undef __perf_task
#define __perf_task(t)			(__task = (t))

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)	\
	/* Uninitialized variables: each byte is written before it is read. */ \
	static notrace __no_stack_protector void			\
	trace_event_raw_event_##name(void *__file, proto)		\
	{								\
		struct trace_event_data_offsets_##name __maybe_unused	\
			__data_offsets __uninitialized;			\
		struct trace_event_buffer __buffer __uninitialized;	\
		struct trace_event_raw_##name *__entry;			\
		struct task_struct *__task = NULL;			\
		u64 __count = 1;					\
		int __data_size;					\
									\
		if (trace_event_is_stopped(__file))			\
			return;						\
		__data_size = trace_event_get_offsets_##name(&__data_offsets, args); \
		__entry = __trace_event_begin(&__buffer, __file,	\
					      sizeof(*__entry) + __data_size, \
					      __count, __task);		\
		if (!__entry)						\
			return;						\
		tstruct							\
		{ assign; }						\
		trace_event_buffer_commit(&__buffer);			\
	}

/* Check that the probe has the type of the tracepoint's callbacks. */
#undef DEFINE_EVENT
#define DEFINE_EVENT(template, name, proto, args)			\
	static inline void ftrace_test_probe_##name(void)		\
	{								\
		check_trace_callback_type_##name(trace_event_raw_event_##template); \
	}

#undef DEFINE_EVENT_PRINT
#define DEFINE_EVENT_PRINT(template, name, proto, args, print)		\
	DEFINE_EVENT(template, name, PARAMS(proto), PARAMS(args))

#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)

#undef __entry

#undef DEFINE_EVENT
#define DEFINE_EVENT(template, name, proto, args)

/* ------------------------------------------------------------------ */
/* Printing a record							*/

#undef TP_printk
#define TP_printk(fmt, args...)		fmt "\n", ##args

#include <trace/stages/print.h>

#define __te_print(name, record, print)					\
	static notrace void trace_raw_output_##name(struct trace_event_line *line) \
	{								\
		struct trace_event_raw_##record *__maybe_unused __entry = line->ent; \
		struct trace_seq *__maybe_unused p = line->tmp;		\
									\
		trace_event_printf(line, print);			\
	}

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)	\
	__te_print(name, name, PARAMS(print))

#undef DEFINE_EVENT_PRINT
#define DEFINE_EVENT_PRINT(template, name, proto, args, print)		\
	__te_print(name, template, PARAMS(print))

#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)

/* ------------------------------------------------------------------ */
/* The descriptions of fields, classes and events			*/

#undef __TE_FIELD
#define __TE_FIELD(_type, _item, _filter) {				\
	.type		= #_type,					\
	.name		= #_item,					\
	.size		= sizeof(_type),				\
	.align		= TRACE_FIELD_ALIGN(_type),			\
	.is_signed	= is_signed_type(_type),			\
	.filter_type	= _filter },

#undef __TE_STRUCT
#define __TE_STRUCT(_type, _item, _filter) {				\
	.type		= #_type,					\
	.name		= #_item,					\
	.size		= sizeof(_type),				\
	.align		= TRACE_FIELD_ALIGN(_type),			\
	.filter_type	= _filter },

#undef __TE_ARRAY
#define __TE_ARRAY(_type, _item, _len) {				\
	.type		= #_type "[" __stringify(_len) "]",		\
	.name		= #_item,					\
	.size		= sizeof(_type[_len]),				\
	.len		= _len,						\
	.align		= TRACE_FIELD_ALIGN(_type),			\
	.is_signed	= is_signed_type(_type),			\
	.filter_type	= FILTER_OTHER },

#undef __TE_DYNAMIC
#define __TE_DYNAMIC(loc, _type, _item, _size) {			\
	.type		= "__" #loc "_loc " #_type "[]",		\
	.name		= #_item,					\
	.size		= sizeof(u32),					\
	.align		= sizeof(u32),					\
	.is_signed	= is_signed_type(_type),			\
	.filter_type	= FILTER_OTHER },

#undef __TE_CPUMASK
#define __TE_CPUMASK(loc, _item) {					\
	.type		= "__" #loc "_loc cpumask_t",			\
	.name		= #_item,					\
	.size		= sizeof(u32),					\
	.align		= sizeof(u32),					\
	.filter_type	= FILTER_CPUMASK },

#undef __TE_STRING
#define __TE_STRING(loc, _item, _src, _size)				\
	__TE_DYNAMIC(loc, char, _item, _size)

#undef TP_printk
#define TP_printk(fmt, args...)		"\"" fmt "\", " __stringify(args)

/* The print format is text here, for user space: the words of TP_printk() are not expanded. */
#undef __entry
#define __entry				REC

#undef __get_bitmask
#undef __get_buf
#undef __get_cpumask
#undef __get_dynamic_array
#undef __get_dynamic_array_len
#undef __get_rel_bitmask
#undef __get_rel_cpumask
#undef __get_rel_dynamic_array
#undef __get_rel_dynamic_array_len
#undef __get_rel_sockaddr
#undef __get_rel_str
#undef __get_sockaddr
#undef __get_str
#undef __print_array
#undef __print_dynamic_array
#undef __print_flags
#undef __print_hex
#undef __print_hex_dump
#undef __print_hex_str
#undef __print_symbolic

/* User space does not know the _u64 macros: the plain macros print 64 bits there. */
#undef __print_flags_u64
#define __print_flags_u64(flag, delim, flag_array...)			\
	__print_flags(flag, delim, flag_array)

#undef __print_symbolic_u64
#define __print_symbolic_u64(value, symbol_array...)			\
	__print_symbolic(value, symbol_array)

#undef __print_ns_to_secs
#define __print_ns_to_secs(value)	(value) / 1000000000UL

#undef __print_ns_without_secs
#define __print_ns_without_secs(value)	(value) % 1000000000UL

#define __te_class(_class, _record, _text, _output)			\
	static const char print_fmt_##_class[] = _text;			\
	static struct trace_event_class __used __refdata event_class_##_class = { \
		.system		= TRACE_SYSTEM_STRING,			\
		.probe		= trace_event_raw_event_##_record,	\
		.fields_array	= trace_event_fields_##_record,		\
		.print		= trace_raw_output_##_output,		\
		.print_fmt	= print_fmt_##_class,			\
	};

#undef __te_event_init
#ifdef __TE_CUSTOM
#define __te_event_init(_event)						\
		{ .name		= #_event, },				\
		.flags		= TRACE_EVENT_FL_CUSTOM,
#else
#define __te_event_init(_event)						\
		{ .tp		= &__tracepoint_##_event, },		\
		.flags		= TRACE_EVENT_FL_TRACEPOINT,
#endif

#define __te_event(_class, _event)					\
	static struct trace_event_call __used event_##_event = {	\
		.class		= &event_class_##_class,		\
		__te_event_init(_event)					\
	};								\
	static struct trace_event_call __used				\
		__section("_ftrace_events") *__event_##_event = &event_##_event;

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)	\
	static const struct trace_event_fields trace_event_fields_##name[] = { \
		tstruct							\
		{ }							\
	};								\
	__te_class(name, name, PARAMS(print), name)

#undef DEFINE_EVENT
#define DEFINE_EVENT(template, name, proto, args)			\
	__te_event(template, name)

#undef DEFINE_EVENT_PRINT
#define DEFINE_EVENT_PRINT(template, name, proto, args, print)		\
	__te_class(name, template, PARAMS(print), name)			\
	__te_event(name, name)

#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)

#undef __entry
