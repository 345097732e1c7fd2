/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The macros that TP_printk() uses to print fields, for the stage that prints a record. @p is the
 * sequence in which the pieces of a line are built.
 */

#undef __get_bitmask
#define __get_bitmask(field)						\
	trace_print_bitmask_seq(p, __get_dynamic_array(field),		\
				__get_dynamic_array_len(field))

#undef __get_cpumask
#define __get_cpumask(field)		__get_bitmask(field)

#undef __get_rel_bitmask
#define __get_rel_bitmask(field)					\
	trace_print_bitmask_seq(p, __get_rel_dynamic_array(field),	\
				__get_rel_dynamic_array_len(field))

#undef __get_rel_cpumask
#define __get_rel_cpumask(field)	__get_rel_bitmask(field)

#undef __get_buf
#define __get_buf(len)			trace_seq_acquire(p, (len))

#undef __print_flags
#define __print_flags(flag, delim, flag_array...)			\
	({								\
		static const struct trace_print_flags __flags[] =	\
			{ flag_array, { -1, NULL } };			\
		trace_print_flags_seq(p, delim, flag, __flags);		\
	})

#undef __print_symbolic
#define __print_symbolic(value, symbol_array...)			\
	({								\
		static const struct trace_print_flags symbols[] =	\
			{ symbol_array, { -1, NULL } };			\
		trace_print_symbols_seq(p, value, symbols);		\
	})

#if BITS_PER_LONG == 32
#undef __print_flags_u64
#define __print_flags_u64(flag, delim, flag_array...)			\
	({								\
		static const struct trace_print_flags_u64 __flags[] =	\
			{ flag_array, { -1, NULL } };			\
		trace_print_flags_seq_u64(p, delim, flag, __flags);	\
	})

#undef __print_symbolic_u64
#define __print_symbolic_u64(value, symbol_array...)			\
	({								\
		static const struct trace_print_flags_u64 symbols[] =	\
			{ symbol_array, { -1, NULL } };			\
		trace_print_symbols_seq_u64(p, value, symbols);		\
	})
#else
#undef __print_flags_u64
#define __print_flags_u64(flag, delim, flag_array...)			\
	__print_flags(flag, delim, flag_array)

#undef __print_symbolic_u64
#define __print_symbolic_u64(value, symbol_array...)			\
	__print_symbolic(value, symbol_array)
#endif

#undef __print_hex
#define __print_hex(buf, len)		trace_print_hex_seq(p, buf, len, false)

#undef __print_hex_str
#define __print_hex_str(buf, len)	trace_print_hex_seq(p, buf, len, true)

#undef __print_array
#define __print_array(array, count, el_size)				\
	({								\
		BUILD_BUG_ON((el_size) > 8 || ((el_size) & ((el_size) - 1))); \
		trace_print_array_seq(p, array, count, el_size);	\
	})

#undef __print_dynamic_array
#define __print_dynamic_array(array, el_size)				\
	__print_array(__get_dynamic_array(array),			\
		      __get_dynamic_array_len(array) / (el_size), el_size)

#undef __print_hex_dump
#define __print_hex_dump(prefix_str, prefix_type, rowsize, groupsize, buf, len, ascii) \
	trace_print_hex_dump_seq(p, prefix_str, prefix_type,		\
				 rowsize, groupsize, buf, len, ascii)

#undef __print_ns_to_secs
#define __print_ns_to_secs(value)	div_u64(value, NSEC_PER_SEC)

#undef __print_ns_without_secs
#define __print_ns_without_secs(value)					\
	({ u32 __rest; div_u64_rem(value, NSEC_PER_SEC, &__rest); __rest; })
