// SPDX-License-Identifier: GPL-2.0
/*
 * Functions for probes, which are called with known arguments. A write to the parameter "call" is
 * the first argument of probed_args(), and returns what probed_may_fail() returns; one to "nest" is
 * the depth of probed_nested(). A write to /proc/ftrace_probed calls probed_user() with the written
 * text. A write to "texts" calls probed_text() with strings at all offsets in a word, and at the
 * end of a page.
 */
#include <linux/error-injection.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/kstrtox.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/proc_fs.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

/* The offsets are the same on all architectures. */
struct probed_thing {
	s8			tiny;		/* 0 */
	u8			bits;
	s16			half;
	u32			word;		/* 4 */
	aligned_u64		wide;		/* 8 */
	u16			row[4];		/* 16 */
	union {
		const char	*text;		/* 24 */
		aligned_u64	room24;
	};
	union {
		void		*function;	/* 32 */
		aligned_u64	room32;
	};
	union {
		const char	*nowhere;	/* 40 */
		aligned_u64	room40;
	};
	union {
		struct probed_thing *next;	/* 48 */
		aligned_u64	room48;
	};
	char			inside[8];	/* 56 */
	union {
		const char	*behind;	/* 64: end of the string in inside */
		aligned_u64	room64;
	};
	const char		*texts[4];	/* 72, and as many words */
};

/* One page from vmalloc(); the page behind it is not mapped. */
static char *page;

/* Data with a symbol. */
static u32 probed_words[2] __used = { 0x12345678, 0x9abcdef0 };

/*
 * A function that calls another one has a frame. On some architectures its call site is behind the
 * instructions that set up the frame.
 */
static noinline void leaf(void)
{
	barrier();
}

static noinline __noclone __used
long probed_args(long a, long b, long c, long d, long e, long f, long g, long h)
{
	leaf();
	return -a;
}

/* The structure differs at the return. */
static noinline __noclone __used
const char *probed_struct(struct probed_thing *thing, const char *text)
{
	thing->half = 300;
	leaf();
	return thing->text;
}

static noinline __noclone __used int probed_text(const char *text, int len)
{
	leaf();
	return len;
}

/* Return: the depth. */
static noinline __noclone __used int probed_nested(int depth)
{
	int below = depth > 1 ? probed_nested(depth - 1) : 0;

	asm volatile("" : "+r" (below));
	return below + 1;
}

static noinline __noclone __used ssize_t probed_user(const char __user *text, size_t len)
{
	leaf();
	return len;
}

static noinline __noclone __used int probed_file(struct file *file, struct dentry *dentry)
{
	leaf();
	return 0;
}

/* The function tracer cannot trace this function. */
static noinline __noclone __used void notrace probed_unseen(void)
{
	leaf();
}

/* Kprobes are not allowed in this function. */
static noinline __noclone __used void probed_forbidden(void)
{
	leaf();
}

NOKPROBE_SYMBOL(probed_forbidden);

static noinline void call_struct(void)
{
	struct probed_thing thing = {
		.tiny	= -5,
		.bits	= 0xa5,
		.half	= -300,
		.word	= 0xdeadbeef,
		.wide	= 0x8123456789abcdef,
		.row	= { 1, 2, 0xfffe, 4 },
		.text	= "some text",
		.function = probed_args,
		.nowhere = page + PAGE_SIZE,
		.next	= &thing,
		.inside	= "inside",
		.behind	= thing.inside + 6,
		.texts	= { "one", "", page + PAGE_SIZE, "four" },
	};

	/* Let the compiler store all members. */
	barrier_data(&thing);
	probed_struct(&thing, "another text");
}

/* A BPF program may make it return an error, with CONFIG_FUNCTION_ERROR_INJECTION. */
static noinline __noclone __used
int probed_may_fail(long a)
{
	leaf();
	return 0;
}

ALLOW_ERROR_INJECTION(probed_may_fail, ERRNO);

static int call_set(const char *text, const struct kernel_param *kp)
{
	long value;
	int err = kstrtol(text, 0, &value);

	if (err)
		return err;
	probed_args(value, -2, 'A', 4, 5, 6, 7, 8);
	call_struct();
	probed_unseen();
	probed_forbidden();
	return probed_may_fail(value);
}

static const struct kernel_param_ops call_ops = { .set = call_set };

module_param_cb(call, &call_ops, NULL, 0200);
MODULE_PARM_DESC(call, "calls probed_args() with this first argument");

static int nest_set(const char *text, const struct kernel_param *kp)
{
	int depth, err = kstrtoint(text, 0, &depth);

	if (!err)
		probed_nested(depth);
	return err;
}

static const struct kernel_param_ops nest_ops = { .set = nest_set };

module_param_cb(nest, &nest_ops, NULL, 0200);
MODULE_PARM_DESC(nest, "calls probed_nested() with this depth");

/* Longer than two words. */
#define LEN_MAX	18

static void call_text(char *at, int len)
{
	for (int i = 0; i < len; i++)
		at[i] = 'a' + i;
	at[len] = '\0';
	probed_text(at, len);
}

/* Strings at the end of a page, after NUL bytes; and between other bytes. */
static int texts_set(const char *text, const struct kernel_param *kp)
{
	memset(page, 0, PAGE_SIZE);
	for (int len = 0; len < LEN_MAX; len++)
		call_text(page + PAGE_SIZE - len - 1, len);
	for (int len = 0; len < LEN_MAX; len++) {
		for (int shift = 0; shift < 8; shift++) {
			memset(page, 'x', PAGE_SIZE);
			call_text(page + 64 + shift, len);
		}
	}
	/* An unterminated string at the end of the page, and one that is longer than any record. */
	memset(page, 'x', PAGE_SIZE);
	probed_text(page + PAGE_SIZE - 3, -1);
	page[PAGE_SIZE - 1] = '\0';
	probed_text(page, PAGE_SIZE - 1);
	return 0;
}

static const struct kernel_param_ops texts_ops = { .set = texts_set };

module_param_cb(texts, &texts_ops, NULL, 0200);
MODULE_PARM_DESC(texts, "calls probed_text() with many strings");

static ssize_t user_write(struct file *file, const char __user *text, size_t len, loff_t *pos)
{
	probed_file(file, file->f_path.dentry);
	return probed_user(text, len);
}

static const struct proc_ops user_ops = { .proc_write = user_write };

static int __init probed_init(void)
{
	page = vmalloc(PAGE_SIZE);
	if (!page)
		return -ENOMEM;
	if (proc_create("ftrace_probed", 0200, NULL, &user_ops))
		return 0;
	vfree(page);
	return -ENOMEM;
}

static void __exit probed_exit(void)
{
	remove_proc_entry("ftrace_probed", NULL);
	vfree(page);
}

module_init(probed_init);
module_exit(probed_exit);
MODULE_DESCRIPTION("Functions for probes, for the tracer's tests");
MODULE_LICENSE("GPL");
