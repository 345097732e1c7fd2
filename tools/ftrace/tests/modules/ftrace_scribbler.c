// SPDX-License-Identifier: GPL-2.0
/*
 * A module that overwrites the call site of one of its own functions, as a stray pointer would. The
 * tracer then finds unexpected bytes there.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sysfs.h>
#include <linux/vmalloc.h>
#ifdef CONFIG_X86
#include <asm/ibt.h>
#else
#define ENDBR_INSN_SIZE	0
#endif

/* Different functions, or the compiler would merge them. */
#define NEIGHBOUR(name)					\
	static noinline __used void name(void)		\
	{						\
		asm volatile("/* " #name " */");	\
	}

/* The victim is between its neighbours: Kbuild tells the compiler to keep this order. */
NEIGHBOUR(scribbler_one);
NEIGHBOUR(scribbler_two);

static noinline __noclone void scribbler_victim(void)
{
	barrier();
}

NEIGHBOUR(scribbler_three);
NEIGHBOUR(scribbler_four);

/* Content of the call site behind that of the victim, as it is in memory. */
static int behind_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%*ph\n", MCOUNT_INSN_SIZE,
			  (u8 *)scribbler_three + ENDBR_INSN_SIZE);
}

static const struct kernel_param_ops behind_ops = {
	.get = behind_get,
};

module_param_cb(behind, &behind_ops, NULL, 0400);

/* Text is read-only, so write through a second mapping of its page. */
static int scribble(u8 *where, u8 value)
{
	struct page *page = vmalloc_to_page(where);
	u8 *alias = vmap(&page, 1, VM_MAP, PAGE_KERNEL);

	if (!alias)
		return -ENOMEM;
	alias[offset_in_page(where)] = value;
	vunmap(alias);
	return 0;
}

static int scribble_set(const char *text, const struct kernel_param *kp)
{
	u8 value;
	int ret;

	ret = kstrtou8(text, 0, &value);
	return ret ?: scribble((u8 *)scribbler_victim + ENDBR_INSN_SIZE, value);
}

static const struct kernel_param_ops scribble_ops = {
	.set = scribble_set,
};

module_param_cb(scribble, &scribble_ops, NULL, 0200);
MODULE_PARM_DESC(scribble, "value for the first byte of the call site of scribbler_victim()");

static int __init scribbler_init(void)
{
	scribbler_victim();
	return 0;
}

static void __exit scribbler_exit(void)
{
}

module_init(scribbler_init);
module_exit(scribbler_exit);
MODULE_DESCRIPTION("Damages a call site, for the tracer's tests");
MODULE_LICENSE("GPL");
