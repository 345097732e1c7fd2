// SPDX-License-Identifier: GPL-2.0
/*
 * Text put together in pieces: the functions of <linux/trace_seq.h>.
 *
 * Printing of records uses them, in kernel/trace and in drivers' trace events.
 * They add to lib/seq_buf.c that a piece which does not fit leaves nothing of
 * itself behind, so that a line can be cut only between pieces.
 *
 * Nobody but the owner of a sequence may touch it; there are no locks here,
 * and nothing here may sleep but what copies to user space.
 */
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/seq_file.h>
#include <linux/trace_seq.h>

/* A zero-filled sequence is as good as an initialised one. */
static void trace_seq_prepare(struct trace_seq *s)
{
	if (unlikely(!s->seq.size))
		trace_seq_init(s);
}

/*
 * Around each piece: trace_seq_begin() tells whether to write it at all and
 * notes where it starts; trace_seq_end() takes it away again if it did not fit
 * and returns what the functions that return something promise.
 */
static bool trace_seq_begin(struct trace_seq *s, size_t *start)
{
	trace_seq_prepare(s);
	*start = s->seq.len;

	return !s->full;
}

static int trace_seq_end(struct trace_seq *s, size_t start)
{
	if (likely(!seq_buf_has_overflowed(&s->seq)))
		return 1;

	s->seq.len = start;
	s->full = 1;

	return 0;
}

/**
 * trace_seq_putc - add one character
 * @s: the sequence
 * @c: the character
 *
 * Context: any.
 */
void trace_seq_putc(struct trace_seq *s, unsigned char c)
{
	size_t start;

	if (!trace_seq_begin(s, &start))
		return;
	seq_buf_putc(&s->seq, c);
	trace_seq_end(s, start);
}
EXPORT_SYMBOL_GPL(trace_seq_putc);

/**
 * trace_seq_puts - add a string
 * @s: the sequence
 * @str: the string
 *
 * Context: any.
 */
void trace_seq_puts(struct trace_seq *s, const char *str)
{
	size_t start;

	if (!trace_seq_begin(s, &start))
		return;
	seq_buf_puts(&s->seq, str);
	trace_seq_end(s, start);
}
EXPORT_SYMBOL_GPL(trace_seq_puts);

/**
 * trace_seq_vprintf - add formatted text
 * @s: the sequence
 * @fmt: format of vprintf()
 * @args: what the format refers to
 *
 * Context: any.
 */
void trace_seq_vprintf(struct trace_seq *s, const char *fmt, va_list args)
{
	size_t start;

	if (!trace_seq_begin(s, &start))
		return;
	seq_buf_vprintf(&s->seq, fmt, args);
	trace_seq_end(s, start);
}
EXPORT_SYMBOL_GPL(trace_seq_vprintf);

/**
 * trace_seq_printf - add formatted text
 * @s: the sequence
 * @fmt: format of printf(), with its arguments behind it
 *
 * Context: any.
 */
void trace_seq_printf(struct trace_seq *s, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	trace_seq_vprintf(s, fmt, args);
	va_end(args);
}
EXPORT_SYMBOL_GPL(trace_seq_printf);

/**
 * trace_seq_bprintf - add formatted text whose arguments were packed before
 * @s: the sequence
 * @fmt: the format that vbin_printf() packed them by
 * @binary: what it made of them
 *
 * Context: any.
 */
void trace_seq_bprintf(struct trace_seq *s, const char *fmt, const u32 *binary)
{
	size_t start;

	if (!trace_seq_begin(s, &start))
		return;
	seq_buf_bprintf(&s->seq, fmt, binary);
	trace_seq_end(s, start);
}
EXPORT_SYMBOL_GPL(trace_seq_bprintf);

/**
 * trace_seq_putmem - add bytes as they are
 * @s: the sequence
 * @mem: the bytes
 * @len: how many
 *
 * Context: any.
 */
void trace_seq_putmem(struct trace_seq *s, const void *mem, unsigned int len)
{
	size_t start;

	if (!trace_seq_begin(s, &start))
		return;
	seq_buf_putmem(&s->seq, mem, len);
	trace_seq_end(s, start);
}
EXPORT_SYMBOL_GPL(trace_seq_putmem);

/**
 * trace_seq_putmem_hex - add bytes as hexadecimal digits
 * @s: the sequence
 * @mem: the bytes
 * @len: how many
 *
 * Groups of up to eight bytes, each printed as one number and followed by a
 * space.
 *
 * Context: any.
 */
void trace_seq_putmem_hex(struct trace_seq *s, const void *mem, unsigned int len)
{
	size_t start;

	if (!trace_seq_begin(s, &start))
		return;
	seq_buf_putmem_hex(&s->seq, mem, len);
	trace_seq_end(s, start);
}
EXPORT_SYMBOL_GPL(trace_seq_putmem_hex);

/**
 * trace_seq_bitmask - add a bit mask
 * @s: the sequence
 * @maskp: the bits
 * @nmaskbits: how many
 *
 * Hexadecimal digits in groups of 32 bits, with commas between them.
 *
 * Context: any.
 */
void trace_seq_bitmask(struct trace_seq *s, const unsigned long *maskp, int nmaskbits)
{
	trace_seq_printf(s, "%*pb", nmaskbits, maskp);
}
EXPORT_SYMBOL_GPL(trace_seq_bitmask);

/**
 * trace_seq_path - add the name of a file
 * @s: the sequence
 * @path: the file
 *
 * Line feeds in the name are written as an escape.
 *
 * Context: any that d_path() may be called in.
 * Return: 1, or 0 when the name did not fit and nothing was added.
 */
int trace_seq_path(struct trace_seq *s, const struct path *path)
{
	size_t start;

	if (!trace_seq_begin(s, &start))
		return 0;
	seq_buf_path(&s->seq, path, "\n");

	return trace_seq_end(s, start);
}
EXPORT_SYMBOL_GPL(trace_seq_path);

/**
 * trace_seq_hex_dump - add a hex dump, a line for each row
 * @s: the sequence
 * @prefix_str: what each line starts with
 * @prefix_type: what comes then: DUMP_PREFIX_*
 * @rowsize: bytes in a line, 16 or 32
 * @groupsize: bytes printed without a space between them: 1, 2, 4 or 8
 * @buf: the bytes
 * @len: how many
 * @ascii: also print them as text, at the end of the line
 *
 * Context: any.
 * Return: 1, or 0 when the dump did not fit and nothing was added.
 */
int trace_seq_hex_dump(struct trace_seq *s, const char *prefix_str, int prefix_type,
		       int rowsize, int groupsize, const void *buf, size_t len, bool ascii)
{
	size_t start;

	if (!trace_seq_begin(s, &start))
		return 0;
	seq_buf_hex_dump(&s->seq, prefix_str, prefix_type, rowsize, groupsize, buf, len, ascii);

	return trace_seq_end(s, start);
}
EXPORT_SYMBOL(trace_seq_hex_dump);

/**
 * trace_seq_acquire - make room that the caller fills
 * @s: the sequence
 * @len: bytes of room
 *
 * The room counts as text from now on. A caller must know that there is
 * enough: asking for more than is left is a bug that is warned about, and
 * then nothing is added.
 *
 * Context: any.
 * Return: the address of the room.
 */
char *trace_seq_acquire(struct trace_seq *s, unsigned int len)
{
	char *room;

	trace_seq_prepare(s);
	room = trace_seq_buffer_ptr(s);
	if (!WARN_ON_ONCE(len > seq_buf_buffer_left(&s->seq)))
		seq_buf_commit(&s->seq, len);

	return room;
}
EXPORT_SYMBOL(trace_seq_acquire);

/**
 * trace_print_seq - hand the text to a seq_file
 * @m: the seq_file
 * @s: the sequence; empty afterwards, if that went well
 *
 * Context: process.
 * Return: 0, or not 0 when @m has no room for it; @s is unchanged then.
 */
int trace_print_seq(struct seq_file *m, struct trace_seq *s)
{
	int err;

	trace_seq_prepare(s);
	err = seq_buf_print_seq(m, &s->seq);
	if (!err)
		trace_seq_init(s);

	return err;
}

/**
 * trace_seq_to_user - hand the text to user space, as much as is asked for
 * @s: the sequence; remembers what was handed out
 * @ubuf: where to
 * @cnt: how much is asked for
 *
 * Context: process; may sleep.
 * Return: the number of bytes copied, -EBUSY when all was handed out before,
 * -EFAULT when @ubuf cannot be written to.
 */
int trace_seq_to_user(struct trace_seq *s, char __user *ubuf, int cnt)
{
	int copied;

	trace_seq_prepare(s);
	copied = seq_buf_to_user(&s->seq, ubuf, s->readpos, cnt);
	if (copied > 0)
		s->readpos += copied;

	return copied;
}
EXPORT_SYMBOL_GPL(trace_seq_to_user);
