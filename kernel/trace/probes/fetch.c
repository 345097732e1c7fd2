// SPDX-License-Identifier: GPL-2.0
/*
 * Execution of fetch programs.
 *
 * The functions run in the context of the probed code, which may be an NMI. They never sleep, take
 * locks or fault, except for probes of programs (&fetch_from.user), which may sleep.
 */
#include <linux/align.h>
#include <linux/bits.h>
#include <linux/kallsyms.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/tlb.h>
#include <asm/word-at-a-time.h>

#include "fetch.h"
#include "types/types.h"
#include "values.h"

/* ------------------------------------------------------------------ */
/* Memory								*/

/* Mask of the first @nr bytes of a word in memory. */
static unsigned long fetch_first_bytes_mask(unsigned long nr)
{
	unsigned long bits = nr * BITS_PER_BYTE;

	if (!bits)
		return 0;
	return IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? ~0UL << (BITS_PER_LONG - bits) :
						   ~0UL >> (BITS_PER_LONG - bits);
}

/* True if the address alone shows that it is one of user space. */
static __always_inline bool fetch_is_user_address(unsigned long at)
{
	return IS_ENABLED(CONFIG_ARCH_HAS_NON_OVERLAPPING_ADDRESS_SPACE) && at < TASK_SIZE;
}

static bool fetch_read_user(void *to, unsigned long at, size_t size, bool may_sleep)
{
	const void __user *from = (const void __user *)at;

	return !(may_sleep ? copy_from_user(to, from, size) :
			     copy_from_user_nofault(to, from, size));
}

/* Read a number at any kernel address. Return: false if that faults. */
static __always_inline bool fetch_load_number(void *to, const void *from, size_t size)
{
	pagefault_disable();
	switch (size) {
	case 1:
		__get_kernel_nofault(to, from, u8, fault);
		break;
	case 2:
		__get_kernel_nofault(to, from, u16, fault);
		break;
	case 4:
		__get_kernel_nofault(to, from, u32, fault);
		break;
	default:
		__get_kernel_nofault(to, from, u64, fault);
	}
	pagefault_enable();
	return true;
fault:
	pagefault_enable();
	return false;
}

/*
 * Read a number at a kernel address, without the loops of copy_from_kernel_nofault() for any size.
 * These would be most of the cost of a probe that fetches ten numbers.
 */
static __always_inline bool fetch_read_number(void *to, const void *from, size_t size)
{
	return copy_from_kernel_nofault_allowed(from, size) && fetch_load_number(to, from, size);
}

/* True if one instruction can read @size bytes at @at, and one can write them to @to. */
static __always_inline bool fetch_is_number(const void *to, unsigned long at, size_t size)
{
	return size <= sizeof(long) && is_power_of_2(size) &&
	       (IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS) ||
		IS_ALIGNED((unsigned long)to | at, size));
}

static __always_inline bool fetch_read_memory(void *to, unsigned long at, size_t size, bool user,
					      const struct fetch_from *from)
{
	if (unlikely(from->user || user || fetch_is_user_address(at)))
		return fetch_read_user(to, at, size, from->user);
	if (likely(fetch_is_number(to, at, size)))
		return fetch_read_number(to, (const void *)at, size);
	return !copy_from_kernel_nofault(to, (const void *)at, size);
}

/* Return: number of bytes up to and including the first NUL of a word; 0 if it has no NUL. */
static __always_inline unsigned int fetch_bytes_to_nul(unsigned long word)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long bits;

	if (!has_zero(word, &bits, &constants))
		return 0;
	bits = create_zero_mask(prep_zero_mask(word, bits, &constants));
	return find_zero(bits) + 1;
}

/*
 * Length of a kernel string with its NUL. Reads aligned words, which never cross a page, so reading
 * before or after the string cannot fault if the string does not. Return: 0 if the string cannot be
 * read.
 */
static unsigned int fetch_kernel_text_len(unsigned long at)
{
	unsigned long before = at % sizeof(long), ones = fetch_first_bytes_mask(before), word;
	const void *from = (const void *)(at - before);
	unsigned int len, bytes;

	if (!copy_from_kernel_nofault_allowed(from, sizeof(word)))
		return 0;
	pagefault_disable();
	for (len = 0; len < FETCH_TEXT_MAX; len += sizeof(long)) {
		__get_kernel_nofault(&word, from + len, unsigned long, fault);
		/* Bytes of the first word in front of the string must not count as NUL. */
		bytes = fetch_bytes_to_nul(word | ones);
		ones = 0;
		if (!bytes)
			continue;
		pagefault_enable();
		return len + bytes - before;
	}
	pagefault_enable();
	return FETCH_TEXT_MAX - before;
fault:
	pagefault_enable();
	return 0;
}

/* Copy a kernel string. Return: bytes copied, with the NUL; 0 if it cannot be read. */
static long fetch_copy_kernel_text(char *to, unsigned long at, unsigned int room)
{
	unsigned int len = min(fetch_kernel_text_len(at), room);

	if (!len || copy_from_kernel_nofault(to, (const void *)at, len - 1))
		return 0;
	to[len - 1] = '\0';
	return len;
}

static unsigned int fetch_user_text_len(unsigned long at, bool may_sleep)
{
	const char __user *from = (const char __user *)at;
	long n;

	if (may_sleep)
		n = strnlen_user(from, FETCH_TEXT_MAX);
	else
		n = nmi_uaccess_okay() ? strnlen_user_nofault(from, FETCH_TEXT_MAX) : 0;
	return clamp(n, 0L, (long)FETCH_TEXT_MAX);
}

/* Copy a user string. Return: bytes copied, with the NUL; less than 1 if it cannot be read. */
static long fetch_copy_user_text(char *to, unsigned long at, unsigned int room, bool may_sleep)
{
	const char __user *from = (const char __user *)at;
	long n;

	if (!may_sleep && !nmi_uaccess_okay())
		return 0;
	/* For an empty string strncpy_from_user_nofault() returns 0, without the NUL. */
	if (!may_sleep)
		return strncpy_from_user_nofault(to, from, room) ?: 1;
	n = strncpy_from_user(to, from, room);
	if (n < 0)
		return n;
	n = min_t(long, n, room - 1);
	to[n] = '\0';
	return n + 1;
}

/* ------------------------------------------------------------------ */
/* Source and loads							*/

static unsigned long fetch_pointer_value(const void *at)
{
	return (unsigned long)at;
}

/* Some stacks are shorter than regs_within_kernel_stack() assumes, so the read may fault. */
static unsigned long fetch_kernel_stack_entry(struct pt_regs *regs, unsigned long n)
{
	unsigned long at = kernel_stack_pointer(regs) + n * sizeof(long), value;

	return regs_within_kernel_stack(regs, at) &&
	       fetch_load_number(&value, (const void *)at, sizeof(value)) ? value : 0;
}

static unsigned long fetch_stack_entry(const struct fetch_from *from, unsigned long n)
{
	unsigned long at, value;

	if (!from->user)
		return fetch_kernel_stack_entry(from->regs, n);
	at = user_stack_pointer(from->regs) + n * sizeof(long);
	return fetch_read_user(&value, at, sizeof(value), true) ? value : 0;
}

static unsigned long fetch_stack_pointer(const struct fetch_from *from)
{
	return from->user ? user_stack_pointer(from->regs) :
			    kernel_stack_pointer(from->regs);
}

static __always_inline unsigned long fetch_source_value(const struct fetch *f,
							const struct fetch_from *from)
{
	switch (f->source) {
	case FETCH_REGISTER:
		return regs_get_register(from->regs, f->value);
	case FETCH_STACK:
		return fetch_stack_pointer(from);
	case FETCH_STACK_ENTRY:
		return fetch_stack_entry(from, f->value);
	case FETCH_RETVAL:
		return regs_return_value(from->regs);
	case FETCH_ARG:
		return fetch_argument(from->regs, f->value);
	case FETCH_KEPT:
		return from->kept[f->value];
	case FETCH_FILE:
		return from->base + f->value;
	case FETCH_FIELD:
		return fetch_field(f, from->rec);
	case FETCH_COMM:
		return fetch_pointer_value(current->comm);
	case FETCH_TEXT:
		return fetch_pointer_value(f->text);
	default:
		return f->value;
	}
}

/* Get the number after the first @nr loads. Return: false if one of them cannot be read. */
static __always_inline bool fetch_value_after_loads(const struct fetch *f, unsigned int nr,
						    const struct fetch_from *from,
						    unsigned long *value)
{
	const struct fetch_load *load;

	*value = fetch_source_value(f, from);
	for (unsigned int i = 0; i < nr; i++) {
		load = &f->loads[i];
		if (!fetch_read_memory(value, *value + load->offset, sizeof(*value), load->user,
				       from))
			return false;
	}
	return true;
}

/* Get the address that the last load reads. Return: false if a load before cannot be read. */
static __always_inline bool fetch_last_address(const struct fetch *f, const struct fetch_from *from,
					       unsigned long *at)
{
	if (!fetch_value_after_loads(f, f->nr_loads - 1, from, at))
		return false;
	*at += f->loads[f->nr_loads - 1].offset;
	return true;
}

/* ------------------------------------------------------------------ */
/* Numbers								*/

static bool fetch_last_load_is_user(const struct fetch *f)
{
	return f->nr_loads && f->loads[f->nr_loads - 1].user;
}

static u64 fetch_extract_bit_field(const struct fetch *f, u64 number)
{
	unsigned int above = BITS_PER_LONG_LONG - f->type->size * BITS_PER_BYTE;

	return f->right ? number << (above + f->left) >> (above + f->right) : number;
}

static void fetch_fill_bit_fields(const struct fetch *f, void *at)
{
	unsigned int size = f->type->size;

	for (unsigned int i = 0; i < (f->count ?: 1); i++, at += size)
		record_put_number(at, size, fetch_extract_bit_field(f, record_number(at, size)));
}

/* Records of a whole return value do without this: see args_is_whole_retval() in args.c. */
static __always_inline void fetch_fill_number(const struct fetch *f, void *to,
					      const struct fetch_from *from)
{
	unsigned long at;

	if (!f->nr_loads)
		record_put_number(to, f->size, fetch_source_value(f, from));
	else if (!fetch_last_address(f, from, &at) ||
		 !fetch_read_memory(to, at, f->size, fetch_last_load_is_user(f), from))
		memset(to, 0, f->size);
	if (unlikely(f->right))
		fetch_fill_bit_fields(f, to);
}

/* ------------------------------------------------------------------ */
/* Texts								*/

/**
 * struct fetch_text_place - location of a text that is to be fetched
 * @addr: address of the text; for FETCH_SYMSTR, the address whose symbol is the text
 * @user: @addr is an address of user space
 * @direct: the text is in valid kernel memory, and can be read without precautions
 * @max_len: size limit of a @direct text, in bytes
 */
struct fetch_text_place {
	unsigned long	addr;
	bool		user;
	bool		direct;
	unsigned int	max_len;
};

static bool fetch_is_user_text(const struct fetch *f, const struct fetch_from *from)
{
	return from->user || f->type->kind == FETCH_USTRING || fetch_last_load_is_user(f);
}

/* Get the address of text @i of an array: the last load reads an array of addresses. */
static bool fetch_find_text_element(const struct fetch *f, unsigned int i,
				    const struct fetch_from *from, unsigned long *at)
{
	return fetch_last_address(f, from, at) &&
	       fetch_read_memory(at, *at + i * sizeof(long), sizeof(long),
				 fetch_last_load_is_user(f), from);
}

static bool fetch_is_text_field(const struct fetch *f)
{
	return f->source == FETCH_FIELD && !f->nr_loads && f->field_kind != FETCH_FIELD_NUMBER;
}

/* Locate text @i of an argument. Return: false if a load cannot be read. */
static bool fetch_find_text(const struct fetch *f, unsigned int i, const struct fetch_from *from,
			    struct fetch_text_place *t)
{
	*t = (struct fetch_text_place){
		.user = fetch_is_user_text(f, from), .max_len = FETCH_TEXT_MAX,
	};
	if (f->count)
		return fetch_find_text_element(f, i, from, &t->addr);
	if (f->nr_loads && f->type->kind != FETCH_SYMSTR)
		return fetch_last_address(f, from, &t->addr);
	t->direct = f->source == FETCH_COMM || f->source == FETCH_TEXT || fetch_is_text_field(f);
	if (fetch_is_text_field(f))
		t->max_len = fetch_field_len(f, from->rec);
	return fetch_value_after_loads(f, f->nr_loads, from, &t->addr);
}

/* Return: size of text @i of an argument in bytes, with its NUL; 0 if it cannot be read. */
static unsigned int fetch_text_len(const struct fetch *f, unsigned int i,
				   const struct fetch_from *from)
{
	char symbol[KSYM_SYMBOL_LEN];
	struct fetch_text_place t;

	if (!fetch_find_text(f, i, from, &t))
		return 0;
	if (f->type->kind == FETCH_SYMSTR)
		return sprint_symbol(symbol, t.addr) + 1;
	if (t.direct)
		return strnlen((const char *)t.addr, t.max_len) + 1;
	return t.user || fetch_is_user_address(t.addr) ? fetch_user_text_len(t.addr, from->user) :
						       fetch_kernel_text_len(t.addr);
}

static long fetch_copy_direct_text(char *to, const struct fetch_text_place *t, unsigned int room)
{
	unsigned int len = strnlen((const char *)t->addr, min(t->max_len, room - 1));

	memcpy(to, (const char *)t->addr, len);
	to[len] = '\0';
	return len + 1;
}

static long fetch_copy_symbol(char *to, unsigned long at, unsigned int room)
{
	char symbol[KSYM_SYMBOL_LEN];

	sprint_symbol(symbol, at);
	return strscpy(to, symbol, room) < 0 ? room : strlen(symbol) + 1;
}

/* Copy text @i of an argument. Return: bytes copied, with the NUL; less than 1 if unreadable. */
static long fetch_copy_text(const struct fetch *f, unsigned int i, char *to, unsigned int room,
			    const struct fetch_from *from)
{
	struct fetch_text_place t;

	if (!room || !fetch_find_text(f, i, from, &t))
		return 0;
	if (f->type->kind == FETCH_SYMSTR)
		return fetch_copy_symbol(to, t.addr, room);
	if (t.direct)
		return fetch_copy_direct_text(to, &t, room);
	if (t.user || fetch_is_user_address(t.addr))
		return fetch_copy_user_text(to, t.addr, room, from->user);
	return fetch_copy_kernel_text(to, t.addr, room);
}

/* Fetch the texts of an argument to offset @at of the record. Return: offset of the next text. */
static unsigned int fetch_fill_texts(const struct fetch *f, void *rec, unsigned int at,
				     unsigned int end, const struct fetch_from *from)
{
	long len;

	for (unsigned int i = 0; i < (f->count ?: 1); i++) {
		len = fetch_copy_text(f, i, rec + at, min(end - at, FETCH_TEXT_MAX), from);
		len = max(len, 0L);
		record_put_number(rec + f->offset + i * sizeof(u32), sizeof(u32), len << 16 | at);
		at += len;
	}
	return at;
}

/* ------------------------------------------------------------------ */
/* All arguments							*/

unsigned int fetch_room(const struct fetch *fetches, unsigned int nr,
			const struct fetch_from *from)
{
	unsigned int room = 0;

	for (const struct fetch *f = fetches; f < fetches + nr; f++) {
		if (!fetch_type_is_text(f->type))
			continue;
		for (unsigned int i = 0; i < (f->count ?: 1); i++)
			room += fetch_text_len(f, i, from);
	}
	return room;
}

void fetch_fill(const struct fetch *fetches, unsigned int nr, void *rec, unsigned int at,
		unsigned int end, const struct fetch_from *from)
{
	for (const struct fetch *f = fetches; f < fetches + nr; f++) {
		if (fetch_type_is_text(f->type))
			at = fetch_fill_texts(f, rec, at, end, from);
		else
			fetch_fill_number(f, rec + f->offset, from);
	}
	if (at != end)
		memset(rec + at, 0, end - at);
}
