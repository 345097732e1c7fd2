/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A buffer that text is put together in, piece by piece.
 *
 * What prints a trace builds each line in one of these, and so do the helpers
 * that drivers call from the print part of their trace events. A piece goes in
 * whole or not at all: once one did not fit, the sequence counts as full and
 * later pieces are dropped without harm, so a printer need not look at every
 * step. The buffer belongs to the struct; nothing here allocates or sleeps,
 * except trace_seq_to_user(), which copies to user space.
 */
#ifndef _LINUX_TRACE_SEQ_H
#define _LINUX_TRACE_SEQ_H

#include <linux/build_bug.h>
#include <linux/seq_buf.h>

#include <asm/page.h>

/* All of a struct trace_seq, its buffer with what is kept about it. */
#define TRACE_SEQ_SIZE		8192

/* The longest text that one sequence can hold. */
#define TRACE_SEQ_BUFFER_SIZE						\
	(TRACE_SEQ_SIZE - sizeof(struct seq_buf) - sizeof(size_t) - sizeof(int))

/**
 * struct trace_seq - text in the making
 * @buffer: the text
 * @seq: how much of @buffer is used
 * @readpos: how much of it trace_seq_to_user() has handed out already
 * @full: a piece was dropped because it did not fit
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
 * trace_seq_used - how much text there is
 * @s: the sequence
 *
 * Context: any.
 * Return: bytes that may be read from the buffer. This is the number to use
 * for that purpose: the length in @s->seq goes beyond the buffer's end when
 * the text did.
 */
static inline int trace_seq_used(struct trace_seq *s)
{
	return seq_buf_used(&s->seq);
}

/**
 * trace_seq_buffer_ptr - where the next piece will go
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
 * trace_seq_has_overflowed - did something not fit?
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
 * What each promises is told where it is defined, in
 * kernel/trace/trace_seq/trace_seq.c.
 * All may be called in any context, but for trace_seq_path(), trace_print_seq()
 * and trace_seq_to_user().
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

/* Drivers' print helpers are compiled all the same, and print nothing. */

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
