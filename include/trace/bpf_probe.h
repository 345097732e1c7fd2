/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines what BPF needs of the tracepoints that a header declares. Included by
 * <trace/define_trace.h>, after the events are defined.
 *
 * For each class, and for each tracepoint of DECLARE_TRACE(), which is its own class:
 *
 * __bpf_trace_CLASS()		the probe by which the tracepoint runs a program. The verifier looks
 *				it up by its name, to learn the names of the arguments
 *
 * For each tracepoint:
 *
 * __bpf_trace_tp_map_NAME	a row in the section __bpf_raw_tp_map, by which raw tracepoints find
 *				the tracepoint and its probe
 * btf_trace_NAME		a type with the arguments of the tracepoint, by whose name in BTF
 *				programs of tp_btf find it
 */
#ifdef CONFIG_BPF_EVENTS

#include <linux/args.h>
#include <linux/build_bug.h>

#ifndef __bpf_probe_word
/* Convert an argument to the u64 that programs read: a number, pointer, or small structure. */
#define __bpf_probe_word(value)	({					\
	typeof(value) __argument = (value);				\
	bpf_probe_get_word(&__argument, sizeof(__argument)); })

#define __bpf_probe_words1(a)		__bpf_probe_word(a)
#define __bpf_probe_words2(a, b...)	__bpf_probe_word(a), __bpf_probe_words1(b)
#define __bpf_probe_words3(a, b...)	__bpf_probe_word(a), __bpf_probe_words2(b)
#define __bpf_probe_words4(a, b...)	__bpf_probe_word(a), __bpf_probe_words3(b)
#define __bpf_probe_words5(a, b...)	__bpf_probe_word(a), __bpf_probe_words4(b)
#define __bpf_probe_words6(a, b...)	__bpf_probe_word(a), __bpf_probe_words5(b)
#define __bpf_probe_words7(a, b...)	__bpf_probe_word(a), __bpf_probe_words6(b)
#define __bpf_probe_words8(a, b...)	__bpf_probe_word(a), __bpf_probe_words7(b)
#define __bpf_probe_words9(a, b...)	__bpf_probe_word(a), __bpf_probe_words8(b)
#define __bpf_probe_words10(a, b...)	__bpf_probe_word(a), __bpf_probe_words9(b)
#define __bpf_probe_words11(a, b...)	__bpf_probe_word(a), __bpf_probe_words10(b)
#define __bpf_probe_words12(a, b...)	__bpf_probe_word(a), __bpf_probe_words11(b)

/*
 * Call bpf_trace_runN(), where N is the number of @args, with all arguments as u64. There is no
 * bpf_trace_run13(), so a tracepoint with more than 12 arguments does not compile.
 */
#define __bpf_probe_run(link, args...)					\
	CONCATENATE(bpf_trace_run, COUNT_ARGS(args))(link,		\
		CONCATENATE(__bpf_probe_words, COUNT_ARGS(args))(args))

#define __bpf_probe_class(name, proto, args)				\
	static notrace void __bpf_trace_##name(void *__data, proto)	\
	{								\
		__bpf_probe_run(__data, args);				\
	}

/*
 * Define the row and the type of a tracepoint. @writable is the number of bytes that a program may
 * write to where the first argument points. The member @type of the union has no other use than to
 * make the compiler put the type into the debug information, from which BTF is made.
 *
 * __bpf_probe_check_NAME() is never called: it does not compile if the arguments of the probe are
 * not those of the tracepoint.
 */
#define __bpf_probe_event(class, name, proto, args, writable)		\
	typedef void (*btf_trace_##name)(void *__data, proto);		\
	static union {							\
		struct bpf_raw_event_map	row;			\
		btf_trace_##name		type;			\
	} __bpf_trace_tp_map_##name __used __section("__bpf_raw_tp_map") = { \
		.row.tp			= &__tracepoint_##name,		\
		.row.bpf_func		= __bpf_trace_##class,		\
		.row.num_args		= COUNT_ARGS(args),		\
		.row.writable_size	= writable,			\
	};								\
	static inline void __bpf_probe_check_##name(void)		\
	{								\
		check_trace_callback_type_##name(__bpf_trace_##class);	\
	}

#define __bpf_probe_first(first, ...)	first

/* Fail to compile if @writable is not the size of what the first argument points to. */
#define __bpf_probe_check_size(name, proto, args, writable)		\
	static inline void __bpf_probe_size_##name(proto)		\
	{								\
		static_assert((writable) == sizeof(*__bpf_probe_first(args))); \
	}
#endif

/* Programs get arguments that have a meaning for perf as they are. */
#undef __perf_count
#define __perf_count(c)	(c)

#undef __perf_task
#define __perf_task(t)	(t)

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)	\
	__bpf_probe_class(name, PARAMS(proto), PARAMS(args))

#undef DEFINE_EVENT
#define DEFINE_EVENT(template, name, proto, args)			\
	__bpf_probe_event(template, name, PARAMS(proto), PARAMS(args), 0)

#undef DEFINE_EVENT_PRINT
#define DEFINE_EVENT_PRINT(template, name, proto, args, print)		\
	DEFINE_EVENT(template, name, PARAMS(proto), PARAMS(args))

#undef DECLARE_TRACE
#define DECLARE_TRACE(name, proto, args)				\
	__bpf_probe_class(name, PARAMS(proto), PARAMS(args))		\
	__bpf_probe_event(name, name, PARAMS(proto), PARAMS(args), 0)

/*
 * Headers use the next two macros only if they are defined: other readings of a header do not know
 * them, so they are undefined below.
 */
#undef DEFINE_EVENT_WRITABLE
#define DEFINE_EVENT_WRITABLE(template, name, proto, args, size)	\
	__bpf_probe_check_size(name, PARAMS(proto), PARAMS(args), size)	\
	__bpf_probe_event(template, name, PARAMS(proto), PARAMS(args), size)

#undef DECLARE_TRACE_WRITABLE
#define DECLARE_TRACE_WRITABLE(name, proto, args, size)			\
	__bpf_probe_check_size(name, PARAMS(proto), PARAMS(args), size)	\
	__bpf_probe_class(name, PARAMS(proto), PARAMS(args))		\
	__bpf_probe_event(name, name, PARAMS(proto), PARAMS(args), size)

#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)

#undef DEFINE_EVENT_WRITABLE
#undef DECLARE_TRACE_WRITABLE

#endif /* CONFIG_BPF_EVENTS */
