/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events with a field of each kind, for ftrace_events.c.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ftrace_tests

#if !defined(_FTRACE_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define _FTRACE_EVENTS_H

#include <linux/cpumask.h>
#include <linux/tracepoint.h>

#ifndef _FTRACE_EVENTS_ONCE
#define _FTRACE_EVENTS_ONCE
enum test_color {
	TEST_RED = 3,
	TEST_BLUE = -4,
};

struct test_pair {
	u8	one;
	u16	two;
};

int events_wanted(void);
void events_unwanted(void);
#endif

TRACE_DEFINE_ENUM(TEST_RED);
TRACE_DEFINE_ENUM(TEST_BLUE);
TRACE_DEFINE_SIZEOF(struct test_pair);

TRACE_EVENT(numbers,
	TP_PROTO(int base),
	TP_ARGS(base),
	TP_STRUCT__entry(
		__field(u8, tiny)
		__field(s64, big)
		__field(int, color)
		__field(bool, yes)
		__field_struct(struct test_pair, pair)
		__array(u16, row, 3)
		__array(char, word, 8)
	),
	TP_fast_assign(
		__entry->tiny = base;
		__entry->big = -base;
		__entry->color = TEST_BLUE;
		__entry->yes = true;
		__entry->pair = (struct test_pair) { base, base + 1 };
		for (int i = 0; i < 3; i++)
			__entry->row[i] = base + i;
		strscpy(__entry->word, "seven77 and more", 8);
	),
	TP_printk("tiny=%u big=%lld color=%s yes=%d pair=%u,%u row=%s word=%s size=%zu",
		  __entry->tiny, __entry->big,
		  __print_symbolic(__entry->color, { TEST_RED, "red" }, { TEST_BLUE, "blue" }),
		  __entry->yes, __entry->pair.one, __entry->pair.two,
		  __print_array(__entry->row, 3, sizeof(__entry->row[0])), __entry->word,
		  sizeof(struct test_pair))
);

TRACE_EVENT(behind,
	TP_PROTO(const char *text, const int *list, int nr, const struct cpumask *mask,
		 const unsigned long *bits),
	TP_ARGS(text, list, nr, mask, bits),
	TP_STRUCT__entry(
		__string(text, text)
		__string_len(part, text, 2)
		__string(none, NULL)
		__dynamic_array(int, list, nr)
		__cpumask(cpus)
		__bitmask(bits, 70)
		__sockaddr(address, 4)
	),
	TP_fast_assign(
		__assign_str(text);
		__assign_str(part);
		__assign_str(none);
		memcpy(__get_dynamic_array(list), list, nr * sizeof(int));
		__assign_cpumask(cpus, cpumask_bits(mask));
		__assign_bitmask(bits, bits, 70);
		__assign_sockaddr(address, "\x01\x02\x03\x04", 4);
	),
	TP_printk("text=%s part=%s none=%s list=%s nr=%d cpus=%s bits=%s address=%s hex=%s",
		  __get_str(text), __get_str(part), __get_str(none),
		  __print_dynamic_array(list, sizeof(int)),
		  (int)(__get_dynamic_array_len(list) / sizeof(int)), __get_cpumask(cpus),
		  __get_bitmask(bits), __print_hex((u8 *)__get_sockaddr(address), 4),
		  __print_hex_str((u8 *)__get_sockaddr(address), 4))
);

TRACE_EVENT(related,
	TP_PROTO(const char *text, int nr, const unsigned long *bits),
	TP_ARGS(text, nr, bits),
	TP_STRUCT__entry(
		__field(u8, before)
		__rel_string(text, text)
		__rel_dynamic_array(u8, bytes, nr)
		__rel_bitmask(bits, 5)
	),
	TP_fast_assign(
		__entry->before = 1;
		__assign_rel_str(text);
		memset(__get_rel_dynamic_array(bytes), 0xab, nr);
		__assign_rel_bitmask(bits, bits, 5);
	),
	TP_printk("text=%s bytes=%s flags=%s bits=%s", __get_rel_str(text),
		  __print_hex(__get_rel_dynamic_array(bytes), __get_rel_dynamic_array_len(bytes)),
		  __print_flags(0x15, "|", { 1, "one" }, { 6, "six" }, { 4, "four" }),
		  __get_rel_bitmask(bits))
);

TRACE_EVENT(pointing,
	TP_PROTO(const char *text),
	TP_ARGS(text),
	TP_STRUCT__entry(
		__field(u8, before)
		__field(const char *, text)
	),
	TP_fast_assign(
		__entry->before = 1;
		__entry->text = text;
	),
	TP_printk("before=%d text=%s", __entry->before, __entry->text)
);

/* A string without a terminating NUL, in records of any length. */
TRACE_EVENT(lengthy,
	TP_PROTO(const char *name, int len),
	TP_ARGS(name, len),
	TP_STRUCT__entry(
		__field(const char *, name)
		__dynamic_array(char, rest, len)
	),
	TP_fast_assign(
		__entry->name = name;
		memset(__get_dynamic_array(rest), 'x', len);
	),
	TP_printk("name=%s rest=%s", __entry->name, __get_str(rest))
);

/* Each record has a different length and different numbers. */
TRACE_EVENT(words,
	TP_PROTO(int count),
	TP_ARGS(count),
	TP_STRUCT__entry(
		__dynamic_array(u32, list, count)
	),
	TP_fast_assign(
		for (int i = 0; i < count; i++)
			((u32 *)__get_dynamic_array(list))[i] = 100 * count + i;
	),
	TP_printk("list=%s", __print_array(__get_dynamic_array(list),
					   __get_dynamic_array_len(list) / 4, 4))
);

/* The unterminated string is stored behind the other one, though its field comes first. */
TRACE_EVENT(unended,
	TP_PROTO(int len),
	TP_ARGS(len),
	TP_STRUCT__entry(
		__dynamic_array(char, open, len)
		__dynamic_array(char, ended, len)
	),
	TP_fast_assign(
		swap(__entry->__data_loc_open, __entry->__data_loc_ended);
		memset(__get_dynamic_array(open), 'x', len);
		memset(__get_dynamic_array(ended), '\0', len);
	),
	TP_printk("open=%s ended=%s", __get_str(open), __get_str(ended))
);

TRACE_EVENT(spoken,
	TP_PROTO(const char *fmt, va_list *va),
	TP_ARGS(fmt, va),
	TP_STRUCT__entry(
		__vstring(text, fmt, va)
	),
	TP_fast_assign(
		__assign_vstr(text, fmt, va);
	),
	TP_printk("text=%s", __get_str(text))
);

TRACE_EVENT(wide,
	TP_PROTO(u64 bits, u64 time),
	TP_ARGS(bits, time),
	TP_STRUCT__entry(
		__field(u64, bits)
		__field(u64, time)
	),
	TP_fast_assign(
		__entry->bits = bits;
		__entry->time = time;
	),
	TP_printk("flags=%s name=%s time=%llu.%09u",
		  __print_flags_u64(__entry->bits, "|", { 1, "low" }, { 1ULL << 40, "high" }),
		  __print_symbolic_u64(__entry->bits, { 2, "two" },
				       { (1ULL << 40) | 1, "both" }),
		  (u64)__print_ns_to_secs(__entry->time),
		  (u32)__print_ns_without_secs(__entry->time))
);

DECLARE_EVENT_CLASS(of_a_class,
	TP_PROTO(int value, const void *pointer),
	TP_ARGS(value, pointer),
	TP_STRUCT__entry(
		__field(int, value)
		__field(const void *, pointer)
	),
	TP_fast_assign(
		__entry->value = value;
		__entry->pointer = pointer;
	),
	TP_printk("value=%d pointer=%p", __entry->value, __entry->pointer)
);

DEFINE_EVENT(of_a_class, one_of_them,
	TP_PROTO(int value, const void *pointer),
	TP_ARGS(value, pointer)
);

DEFINE_EVENT_PRINT(of_a_class, other_words,
	TP_PROTO(int value, const void *pointer),
	TP_ARGS(value, pointer),
	TP_printk("it is %d, 100%% of it", __entry->value)
);

DEFINE_EVENT_CONDITION(of_a_class, odd_ones,
	TP_PROTO(int value, const void *pointer),
	TP_ARGS(value, pointer),
	TP_CONDITION(value % 2)
);

DEFINE_EVENT_FN(of_a_class, wanted,
	TP_PROTO(int value, const void *pointer),
	TP_ARGS(value, pointer),
	events_wanted, events_unwanted
);

#endif /* _FTRACE_EVENTS_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE ftrace_events
#include <trace/define_trace.h>
