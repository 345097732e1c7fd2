// SPDX-License-Identifier: GPL-2.0
/*
 * Fetching what a probe asks for.
 *
 * In the middle of whatever was probed, which may be an NMI: nothing here sleeps, locks or
 * faults, unless a task in user space was.
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

/* Ones in the first @nr bytes of a word. */
static unsigned long bytes_before(unsigned long nr)
{
	unsigned long bits = nr * BITS_PER_BYTE;

	if (!bits)
		return 0;
	return IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? ~0UL << (BITS_PER_LONG - bits) :
						   ~0UL >> (BITS_PER_LONG - bits);
}

/* Is it one of the task's, by itself? */
static __always_inline bool is_user_address(unsigned long at)
{
	return IS_ENABLED(CONFIG_ARCH_HAS_NON_OVERLAPPING_ADDRESS_SPACE) && at < TASK_SIZE;
}

static bool read_user(void *to, unsigned long at, size_t size, bool may_sleep)
{
	const void __user *from = (const void __user *)at;

	return !(may_sleep ? copy_from_user(to, from, size) :
			     copy_from_user_nofault(to, from, size));
}

/* Of the kernel's, wherever it is. */
static __always_inline bool load_number(void *to, const void *from, size_t size)
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
 * A number, without what copy_from_kernel_nofault() does for memory of any size: which is most
 * of what a probe costs that fetches ten of them.
 */
static __always_inline bool read_number(void *to, const void *from, size_t size)
{
	return copy_from_kernel_nofault_allowed(from, size) && load_number(to, from, size);
}

/* Can it be read by one instruction, and written by one? */
static __always_inline bool is_number(const void *to, unsigned long at, size_t size)
{
	return size <= sizeof(long) && is_power_of_2(size) &&
	       (IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS) ||
		IS_ALIGNED((unsigned long)to | at, size));
}

static __always_inline bool read_memory(void *to, unsigned long at, size_t size, bool user,
					const struct fetch_from *from)
{
	if (unlikely(from->user || user || is_user_address(at)))
		return read_user(to, at, size, from->user);
	if (likely(is_number(to, at, size)))
		return read_number(to, (const void *)at, size);
	return !copy_from_kernel_nofault(to, (const void *)at, size);
}

/* How many bytes a word has up to its first NUL, that among them; 0 if it has none. */
static __always_inline unsigned int bytes_to_nul(unsigned long word)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long bits;

	if (!has_zero(word, &bits, &constants))
		return 0;
	bits = create_zero_mask(prep_zero_mask(word, bits, &constants));
	return find_zero(bits) + 1;
}

/*
 * How long a string is, with its NUL, a word at a time: one that begins where a word can be does
 * not reach into another page. Return: 0 if it cannot be read.
 */
static unsigned int kernel_text_len(unsigned long at)
{
	unsigned long before = at % sizeof(long), ones = bytes_before(before), word;
	const void *from = (const void *)(at - before);
	unsigned int len, bytes;

	if (!copy_from_kernel_nofault_allowed(from, sizeof(word)))
		return 0;
	pagefault_disable();
	for (len = 0; len < FETCH_TEXT_MAX; len += sizeof(long)) {
		__get_kernel_nofault(&word, from + len, unsigned long, fault);
		/* What is before the string has no NUL. */
		bytes = bytes_to_nul(word | ones);
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

/* Return: as copy_user_text(). */
static long copy_kernel_text(char *to, unsigned long at, unsigned int room)
{
	unsigned int len = min(kernel_text_len(at), room);

	if (!len || copy_from_kernel_nofault(to, (const void *)at, len - 1))
		return 0;
	to[len - 1] = '\0';
	return len;
}

static unsigned int user_text_len(unsigned long at, bool may_sleep)
{
	const char __user *from = (const char __user *)at;
	long n;

	if (may_sleep)
		n = strnlen_user(from, FETCH_TEXT_MAX);
	else
		n = nmi_uaccess_okay() ? strnlen_user_nofault(from, FETCH_TEXT_MAX) : 0;
	return clamp(n, 0L, (long)FETCH_TEXT_MAX);
}

/* Return: how many bytes have been copied, the NUL among them, or less than 1. */
static long copy_user_text(char *to, unsigned long at, unsigned int room, bool may_sleep)
{
	const char __user *from = (const char __user *)at;
	long n;

	if (!may_sleep && !nmi_uaccess_okay())
		return 0;
	/* Of an empty one it does not count the NUL. */
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
/* The number							*/

static unsigned long address_of(const void *at)
{
	return (unsigned long)at;
}

/* Some stacks are shorter than what regs_within_kernel_stack() takes them for. */
static unsigned long kernel_stack_entry(struct pt_regs *regs, unsigned long n)
{
	unsigned long at = kernel_stack_pointer(regs) + n * sizeof(long), value;

	return regs_within_kernel_stack(regs, at) &&
	       load_number(&value, (const void *)at, sizeof(value)) ? value : 0;
}

static unsigned long stack_entry(const struct fetch_from *from, unsigned long n)
{
	unsigned long at, value;

	if (!from->user)
		return kernel_stack_entry(from->regs, n);
	at = user_stack_pointer(from->regs) + n * sizeof(long);
	return read_user(&value, at, sizeof(value), true) ? value : 0;
}

static unsigned long stack_pointer(const struct fetch_from *from)
{
	return from->user ? user_stack_pointer(from->regs) :
			    kernel_stack_pointer(from->regs);
}

static __always_inline unsigned long source_of(const struct fetch *f, const struct fetch_from *from)
{
	switch (f->source) {
	case FETCH_REGISTER:
		return regs_get_register(from->regs, f->value);
	case FETCH_STACK:
		return stack_pointer(from);
	case FETCH_STACK_ENTRY:
		return stack_entry(from, f->value);
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
		return address_of(current->comm);
	case FETCH_TEXT:
		return address_of(f->text);
	default:
		return f->value;
	}
}

/* The number after the first @nr loads. Return: false for one that cannot be read. */
static __always_inline bool value_after(const struct fetch *f, unsigned int nr,
					const struct fetch_from *from, unsigned long *value)
{
	const struct fetch_load *load;

	*value = source_of(f, from);
	for (unsigned int i = 0; i < nr; i++) {
		load = &f->loads[i];
		if (!read_memory(value, *value + load->offset, sizeof(*value), load->user, from))
			return false;
	}
	return true;
}

/* Where the last load reads. Return: as value_after(). */
static __always_inline bool last_address(const struct fetch *f, const struct fetch_from *from,
					 unsigned long *at)
{
	if (!value_after(f, f->nr_loads - 1, from, at))
		return false;
	*at += f->loads[f->nr_loads - 1].offset;
	return true;
}

/* ------------------------------------------------------------------ */
/* Numbers								*/

static bool last_is_user(const struct fetch *f)
{
	return f->nr_loads && f->loads[f->nr_loads - 1].user;
}

static u64 bit_field(const struct fetch *f, u64 number)
{
	unsigned int above = BITS_PER_LONG_LONG - f->type->size * BITS_PER_BYTE;

	return f->right ? number << (above + f->left) >> (above + f->right) : number;
}

static void fill_bit_fields(const struct fetch *f, void *at)
{
	unsigned int size = f->type->size;

	for (unsigned int i = 0; i < (f->count ?: 1); i++, at += size)
		record_put_number(at, size, bit_field(f, record_number(at, size)));
}

static __always_inline void fill_number(const struct fetch *f, void *to,
					const struct fetch_from *from)
{
	unsigned long at;

	if (!f->nr_loads)
		record_put_number(to, f->size, source_of(f, from));
	else if (!last_address(f, from, &at) ||
		 !read_memory(to, at, f->size, last_is_user(f), from))
		memset(to, 0, f->size);
	if (unlikely(f->right))
		fill_bit_fields(f, to);
}

/* ------------------------------------------------------------------ */
/* Texts								*/

/**
 * struct text_place - where a text is
 * @at: its address, or that which is to be named
 * @user: it is one of the task's
 * @ours: it is one that can be read as it is
 * @most: bytes of it at most, with its NUL
 */
struct text_place {
	unsigned long	at;
	bool		user;
	bool		ours;
	unsigned int	most;
};

static bool is_user_text(const struct fetch *f, const struct fetch_from *from)
{
	return from->user || f->type->kind == FETCH_USTRING || last_is_user(f);
}

/* Of an array: the addresses of texts are what is loaded. */
static bool element_of(const struct fetch *f, unsigned int i, const struct fetch_from *from,
		       unsigned long *at)
{
	return last_address(f, from, at) &&
	       read_memory(at, *at + i * sizeof(long), sizeof(long), last_is_user(f), from);
}

static bool is_in_field(const struct fetch *f)
{
	return f->source == FETCH_FIELD && !f->nr_loads && f->field_kind != FETCH_FIELD_NUMBER;
}

/* Text @i of them. Return: false if there is none to be read. */
static bool text_place(const struct fetch *f, unsigned int i, const struct fetch_from *from,
		       struct text_place *t)
{
	*t = (struct text_place){ .user = is_user_text(f, from), .most = FETCH_TEXT_MAX };
	if (f->count)
		return element_of(f, i, from, &t->at);
	if (f->nr_loads && f->type->kind != FETCH_SYMSTR)
		return last_address(f, from, &t->at);
	t->ours = f->source == FETCH_COMM || f->source == FETCH_TEXT || is_in_field(f);
	if (is_in_field(f))
		t->most = fetch_field_len(f, from->rec);
	return value_after(f, f->nr_loads, from, &t->at);
}

static unsigned int len_of(const struct fetch *f, unsigned int i, const struct fetch_from *from)
{
	char symbol[KSYM_SYMBOL_LEN];
	struct text_place t;

	if (!text_place(f, i, from, &t))
		return 0;
	if (f->type->kind == FETCH_SYMSTR)
		return sprint_symbol(symbol, t.at) + 1;
	if (t.ours)
		return strnlen((const char *)t.at, t.most) + 1;
	return t.user || is_user_address(t.at) ? user_text_len(t.at, from->user) :
						 kernel_text_len(t.at);
}

static long copy_ours(char *to, const struct text_place *t, unsigned int room)
{
	unsigned int len = strnlen((const char *)t->at, min(t->most, room - 1));

	memcpy(to, (const char *)t->at, len);
	to[len] = '\0';
	return len + 1;
}

static long copy_symbol(char *to, unsigned long at, unsigned int room)
{
	char symbol[KSYM_SYMBOL_LEN];

	sprint_symbol(symbol, at);
	return strscpy(to, symbol, room) < 0 ? room : strlen(symbol) + 1;
}

/* Return: as copy_user_text(). */
static long copy_text(const struct fetch *f, unsigned int i, char *to, unsigned int room,
		      const struct fetch_from *from)
{
	struct text_place t;

	if (!room || !text_place(f, i, from, &t))
		return 0;
	if (f->type->kind == FETCH_SYMSTR)
		return copy_symbol(to, t.at, room);
	if (t.ours)
		return copy_ours(to, &t, room);
	if (t.user || is_user_address(t.at))
		return copy_user_text(to, t.at, room, from->user);
	return copy_kernel_text(to, t.at, room);
}

/* Return: where the next one begins. */
static unsigned int fill_texts(const struct fetch *f, void *rec, unsigned int at,
			       unsigned int end, const struct fetch_from *from)
{
	long len;

	for (unsigned int i = 0; i < (f->count ?: 1); i++) {
		len = copy_text(f, i, rec + at, min(end - at, FETCH_TEXT_MAX), from);
		len = max(len, 0L);
		record_put_number(rec + f->offset + i * sizeof(u32), sizeof(u32), len << 16 | at);
		at += len;
	}
	return at;
}

/* ------------------------------------------------------------------ */
/* All of it								*/

unsigned int fetch_room(const struct fetch *fetches, unsigned int nr,
			const struct fetch_from *from)
{
	unsigned int room = 0;

	for (const struct fetch *f = fetches; f < fetches + nr; f++) {
		if (!fetch_type_is_text(f->type))
			continue;
		for (unsigned int i = 0; i < (f->count ?: 1); i++)
			room += len_of(f, i, from);
	}
	return room;
}

void fetch_fill(const struct fetch *fetches, unsigned int nr, void *rec, unsigned int at,
		unsigned int end, const struct fetch_from *from)
{
	for (const struct fetch *f = fetches; f < fetches + nr; f++) {
		if (fetch_type_is_text(f->type))
			at = fill_texts(f, rec, at, end, from);
		else
			fill_number(f, rec + f->offset, from);
	}
	if (at != end)
		memset(rec + at, 0, end - at);
}
