/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A buffer in which text is built piece by piece.
 *
 * The code that prints a trace builds each line in a sequence, and so do the helpers that drivers
 * call from the print part of their trace events. A piece is added completely or not at all. After
 * a piece that did not fit, the sequence is full and drops all later pieces, so a printer need not
 * check each call. The buffer is part of the struct. The functions do not allocate or sleep, except
 * trace_seq_to_user(), which copies to user space.
 */
#ifndef _LINUX_TRACE_SEQ_H
#define _LINUX_TRACE_SEQ_H

#include <linux/build_bug.h>
#include <linux/seq_buf.h>

#include <asm/page.h>

/* Bytes of a struct trace_seq, with its buffer. */
#define TRACE_SEQ_SIZE		8192

/* Maximum length in bytes of the text in a sequence. */
#define TRACE_SEQ_BUFFER_SIZE						\
	(TRACE_SEQ_SIZE - sizeof(struct seq_buf) - sizeof(size_t) - sizeof(int))

/**
 * struct trace_seq - text that is built piece by piece
 * @buffer: the text
 * @seq: describes which part of @buffer is used
 * @readpos: number of bytes that trace_seq_to_user() has copied already
 * @full: not 0 if a piece was dropped because it did not fit
 */
struct trace_seq {
	char		buffer[TRACE_SEQ_BUFFER_SIZE];
	struct seq_buf	seq;
	size_t		readpos;
	int		full;
};

/**
 * trace_seq_init - make a sequence empty
 * @s: the sequence, new or used
 *
 * Context: any.
 */
static inline void trace_seq_init(struct trace_seq *s)
{
	s->readpos = 0;
	s->full = 0;
	seq_buf_init(&s->seq, s->buffer, TRACE_SEQ_BUFFER_SIZE);
}

/**
 * trace_seq_used - get the length of the text
 * @s: the sequence
 *
 * Context: any.
 * Return: number of bytes that may be read from the buffer. The length in
 * @s->seq must not be used for that: it is larger than the buffer if the text
 * did not fit.
 */
static inline int trace_seq_used(struct trace_seq *s)
{
	return seq_buf_used(&s->seq);
}

/**
 * trace_seq_buffer_ptr - get the address of the next piece
 * @s: the sequence
 *
 * A helper that prints into @s and also has to return its text as a string
 * takes this address first, prints, ends with a NUL, and returns the address.
 *
 * Context: any.
 * Return: the address behind the last byte of the text.
 */
static inline char *trace_seq_buffer_ptr(struct trace_seq *s)
{
	return &s->buffer[trace_seq_used(s)];
}

/**
 * trace_seq_has_overflowed - test whether a piece did not fit
 * @s: the sequence
 *
 * Context: any.
 * Return: true if a piece is missing from the text.
 */
static inline bool trace_seq_has_overflowed(struct trace_seq *s)
{
	return seq_buf_has_overflowed(&s->seq) || s->full;
}

/*
 * The kernel-doc of these functions is at their definitions in
 * kernel/trace/trace_seq/trace_seq.c. All may be called in any context, except
 * trace_seq_path(), trace_print_seq() and trace_seq_to_user().
 */
#ifdef CONFIG_TRACING

void trace_seq_putc(struct trace_seq *s, unsigned char c);
void trace_seq_puts(struct trace_seq *s, const char *str);
__printf(2, 3) void trace_seq_printf(struct trace_seq *s, const char *fmt, ...);
__printf(2, 0) void trace_seq_vprintf(struct trace_seq *s, const char *fmt, va_list args);
__printf(2, 0) void trace_seq_bprintf(struct trace_seq *s, const char *fmt, const u32 *binary);

void trace_seq_putmem(struct trace_seq *s, const void *mem, unsigned int len);
void trace_seq_putmem_hex(struct trace_seq *s, const void *mem, unsigned int len);
void trace_seq_bitmask(struct trace_seq *s, const unsigned long *maskp, int nmaskbits);
int trace_seq_path(struct trace_seq *s, const struct path *path);
int trace_seq_hex_dump(struct trace_seq *s, const char *prefix_str, int prefix_type,
		       int rowsize, int groupsize, const void *buf, size_t len, bool ascii);
char *trace_seq_acquire(struct trace_seq *s, unsigned int len);

int trace_print_seq(struct seq_file *m, struct trace_seq *s);
int trace_seq_to_user(struct trace_seq *s, char __user *ubuf, int cnt);

#else /* !CONFIG_TRACING */

/* Stubs for the print helpers of drivers, which are built without tracing, too. */

static inline void trace_seq_putc(struct trace_seq *s, unsigned char c) { }
static inline void trace_seq_puts(struct trace_seq *s, const char *str) { }
static inline __printf(2, 3) void trace_seq_printf(struct trace_seq *s, const char *fmt, ...) { }
static inline __printf(2, 0)
void trace_seq_bprintf(struct trace_seq *s, const char *fmt, const u32 *binary) { }

static inline void trace_seq_putmem(struct trace_seq *s, const void *mem, unsigned int len) { }
static inline
void trace_seq_putmem_hex(struct trace_seq *s, const void *mem, unsigned int len) { }
static inline
void trace_seq_bitmask(struct trace_seq *s, const unsigned long *maskp, int nmaskbits) { }

static inline int trace_seq_path(struct trace_seq *s, const struct path *path)
{
	return 0;
}

static inline char *trace_seq_acquire(struct trace_seq *s, unsigned int len)
{
	return NULL;
}

static inline int trace_print_seq(struct seq_file *m, struct trace_seq *s)
{
	return 0;
}

static inline int trace_seq_to_user(struct trace_seq *s, char __user *ubuf, int cnt)
{
	return 0;
}

#endif /* CONFIG_TRACING */

#endif /* _LINUX_TRACE_SEQ_H */
