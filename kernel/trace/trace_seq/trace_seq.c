// SPDX-License-Identifier: GPL-2.0
/*
 * Building of text in pieces: the functions of <linux/trace_seq.h>.
 *
 * kernel/trace and the print functions of drivers' trace events build lines with them. Unlike
 * lib/seq_buf.c, a piece that does not fit is removed completely, so that a line is only ever cut
 * between pieces.
 *
 * A sequence has no lock: only its owner may access it. No function sleeps, except
 * trace_seq_to_user().
 */
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/seq_file.h>
#include <linux/trace_seq.h>

/* Initialize a sequence that is filled with zeros, which callers may pass. */
static void trace_seq_prepare(struct trace_seq *s)
{
	if (unlikely(!s->seq.size))
		trace_seq_init(s);
}

/*
 * Each piece is added between trace_seq_begin() and trace_seq_end(). trace_seq_begin() stores
 * where the piece starts, and returns false if it must not be added. trace_seq_end() removes the
 * piece if it did not fit; it returns 1 if the piece was added and 0 if not.
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
 * trace_seq_putc() - add one character
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
 * trace_seq_puts() - add a string
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
 * trace_seq_vprintf() - add formatted text
 * @s: the sequence
 * @fmt: format string, as for vprintf()
 * @args: arguments of the format
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
 * trace_seq_printf() - add formatted text
 * @s: the sequence
 * @fmt: format string, as for printf(), followed by its arguments
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
 * trace_seq_bprintf() - add formatted text whose arguments were packed before
 * @s: the sequence
 * @fmt: format string that was passed to vbin_printf()
 * @binary: arguments, as packed by vbin_printf()
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
 * trace_seq_putmem() - add bytes unchanged
 * @s: the sequence
 * @mem: the bytes
 * @len: number of bytes
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
 * trace_seq_putmem_hex() - add bytes as hexadecimal digits
 * @s: the sequence
 * @mem: the bytes
 * @len: number of bytes
 *
 * Groups of up to eight bytes are printed as one number each, followed by a space.
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
 * trace_seq_bitmask() - add a bit mask
 * @s: the sequence
 * @maskp: the bits
 * @nmaskbits: number of bits
 *
 * The mask is printed as hexadecimal numbers of 32 bits, separated by commas.
 *
 * Context: any.
 */
void trace_seq_bitmask(struct trace_seq *s, const unsigned long *maskp, int nmaskbits)
{
	trace_seq_printf(s, "%*pb", nmaskbits, maskp);
}
EXPORT_SYMBOL_GPL(trace_seq_bitmask);

/**
 * trace_seq_path() - add the path name of a file
 * @s: the sequence
 * @path: path of the file
 *
 * Line feeds in the name are escaped.
 *
 * Context: any that d_path() may be called in.
 * Return: 1; 0 if the name did not fit, and nothing was added.
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
 * trace_seq_hex_dump() - add a hex dump, a line for each row
 * @s: the sequence
 * @prefix_str: string at the start of each line
 * @prefix_type: kind of prefix after @prefix_str: DUMP_PREFIX_*
 * @rowsize: number of bytes in a line: 16 or 32
 * @groupsize: number of bytes printed without a space between them: 1, 2, 4 or 8
 * @buf: the bytes
 * @len: number of bytes
 * @ascii: true to print the bytes as text too, at the end of each line
 *
 * Context: any.
 * Return: 1; 0 if the dump did not fit, and nothing was added.
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
 * trace_seq_acquire() - reserve space that the caller fills
 * @s: the sequence
 * @len: number of bytes to reserve
 *
 * The space counts as text from now on. The caller must ensure that @len bytes are left: otherwise
 * the function warns, and reserves nothing.
 *
 * Context: any.
 * Return: address of the space.
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
 * trace_print_seq() - move the text of a sequence to a seq_file
 * @m: the seq_file
 * @s: the sequence; empty after success
 *
 * Context: process.
 * Return: 0; not 0 if @m has no room for the text, and @s is unchanged.
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
 * trace_seq_to_user() - copy the next part of the text to user space
 * @s: the sequence, which stores how much has been copied
 * @ubuf: destination in user space
 * @cnt: maximum number of bytes to copy
 *
 * Context: process; may sleep.
 * Return: number of bytes copied; -EBUSY if all text has been copied before; -EFAULT if @ubuf
 * cannot be written to.
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
