/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The macros by which a header with events describes fields. They expand to these macros, which
 * each stage defines differently:
 *
 * __TE_FIELD(type, item, filter)	a number, or a pointer
 * __TE_STRUCT(type, item, filter)	a struct
 * __TE_ARRAY(type, item, len)		an array of @len elements
 * __TE_DYNAMIC(loc, type, item, size)	data behind the fields, located by the word
 *					__##loc##_loc_##item. @loc is data for an offset from the
 *					start of the record, rel for one from the end of the word
 * __TE_STRING(loc, item, src, size)	a string behind the fields, copied from @src
 * __TE_CPUMASK(loc, item)		one bit for each CPU, behind the fields
 *
 * @size is in bytes, with the NUL; for a string it may use __src, the string to be copied.
 */

#undef __field
#define __field(type, item)		__TE_FIELD(type, item, FILTER_OTHER)

#undef __field_ext
#define __field_ext(type, item, filter)	__TE_FIELD(type, item, filter)

#undef __field_struct
#define __field_struct(type, item)	__TE_STRUCT(type, item, FILTER_OTHER)

#undef __field_struct_ext
#define __field_struct_ext(type, item, filter)	__TE_STRUCT(type, item, filter)

#undef __array
#define __array(type, item, len)	__TE_ARRAY(type, item, len)

#undef __dynamic_array
#define __dynamic_array(type, item, len)				\
	__TE_DYNAMIC(data, type, item, (len) * sizeof(type))

#undef __string
#define __string(item, src)						\
	__TE_STRING(data, item, src, strlen(__src) + 1)

#undef __string_len
#define __string_len(item, src, len)	__TE_STRING(data, item, src, (len) + 1)

#undef __vstring
#define __vstring(item, fmt, ap)					\
	__TE_DYNAMIC(data, char, item, __trace_event_vstr_len(fmt, ap))

#undef __bitmask
#define __bitmask(item, nr_bits)					\
	__TE_DYNAMIC(data, unsigned long, item, __bitmask_size_in_bytes(nr_bits))

#undef __cpumask
#define __cpumask(item)			__TE_CPUMASK(data, item)

#undef __sockaddr
#define __sockaddr(item, len)		__TE_DYNAMIC(data, u8, item, len)

#undef __rel_dynamic_array
#define __rel_dynamic_array(type, item, len)				\
	__TE_DYNAMIC(rel, type, item, (len) * sizeof(type))

#undef __rel_string
#define __rel_string(item, src)						\
	__TE_STRING(rel, item, src, strlen(__src) + 1)

#undef __rel_string_len
#define __rel_string_len(item, src, len)	__TE_STRING(rel, item, src, (len) + 1)

#undef __rel_bitmask
#define __rel_bitmask(item, nr_bits)					\
	__TE_DYNAMIC(rel, unsigned long, item, __bitmask_size_in_bytes(nr_bits))

#undef __rel_cpumask
#define __rel_cpumask(item)		__TE_CPUMASK(rel, item)

/* A cpumask is a bitmask, except for its description in the format file. */
#undef __TE_CPUMASK
#define __TE_CPUMASK(loc, item)						\
	__TE_DYNAMIC(loc, cpumask_t, item, __bitmask_size_in_bytes(nr_cpumask_bits))

#undef __rel_sockaddr
#define __rel_sockaddr(item, len)	__TE_DYNAMIC(rel, u8, item, len)

/* Whole longs, as bitmap functions write them. */
#define __bitmask_size_in_bytes(nr_bits)	(BITS_TO_LONGS(nr_bits) * sizeof(long))

/* ------------------------------------------------------------------ */
/* TP_STRUCT__entry() and TP_fast_assign() expand to their arguments	*/

#undef TP_STRUCT__entry
#define TP_STRUCT__entry(args...)	args

#undef TP_fast_assign
#define TP_fast_assign(args...)		args

/* ------------------------------------------------------------------ */
/* Data behind the fields, in stages that have an __entry		*/

#define __te_word(loc, field)		(__entry->__##loc##_loc_##field)

#undef __get_dynamic_array
#define __get_dynamic_array(field)					\
	((void *)__entry + (__te_word(data, field) & 0xffff))

#undef __get_dynamic_array_len
#define __get_dynamic_array_len(field)	(__te_word(data, field) >> 16)

#undef __get_str
#define __get_str(field)		((char *)__get_dynamic_array(field))

#undef __get_sockaddr
#define __get_sockaddr(field)		((struct sockaddr *)__get_dynamic_array(field))

#undef __get_rel_dynamic_array
#define __get_rel_dynamic_array(field)					\
	((void *)(&__te_word(rel, field) + 1) + (__te_word(rel, field) & 0xffff))

#undef __get_rel_dynamic_array_len
#define __get_rel_dynamic_array_len(field)	(__te_word(rel, field) >> 16)

#undef __get_rel_str
#define __get_rel_str(field)		((char *)__get_rel_dynamic_array(field))

#undef __get_rel_sockaddr
#define __get_rel_sockaddr(field)	((struct sockaddr *)__get_rel_dynamic_array(field))
