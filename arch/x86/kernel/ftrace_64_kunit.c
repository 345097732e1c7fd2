// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit test of the registers that a callback gets on x86-64: the traced function begins with the
 * changes that the callback makes.
 */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/ftrace_kunit.h>
#include <linux/irqflags.h>
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <asm/asm.h>
#include <asm/ibt.h>
#include <asm/processor-flags.h>

#define TARGET	"ftrace_target_regs"

/* The first registers of struct pt_regs. The entry uses the slot of r11 for another value. */
static const char *const names[] = {
	"r15", "r14", "r13", "r12", "bp", "bx", NULL, "r10", "r9", "r8", "ax", "cx", "dx", "si",
	"di",
};

static_assert(offsetof(struct pt_regs, r11) == 6 * sizeof(long));
static_assert(offsetof(struct pt_regs, di) == 14 * sizeof(long));
static_assert(offsetof(struct pt_regs, flags) == 18 * sizeof(long));

#define FLAGS	(X86_EFLAGS_CF | X86_EFLAGS_PF | X86_EFLAGS_AF | X86_EFLAGS_ZF | X86_EFLAGS_SF)

/* The registers that the target was called with. */
static struct pt_regs seen __used;

#define STORE(reg, nr)	"	movq %" #reg ", seen + 8 * " #nr "(%rip)\n"

asm("	.pushsection .text, \"ax\"\n"
	"	.type " TARGET ", @function\n"
	TARGET ":\n"
	ASM_ENDBR
	"	call __fentry__\n"
	STORE(r15, 0) STORE(r14, 1) STORE(r13, 2) STORE(r12, 3) STORE(rbp, 4) STORE(rbx, 5)
	STORE(r10, 7) STORE(r9, 8) STORE(r8, 9) STORE(rax, 10) STORE(rcx, 11) STORE(rdx, 12)
	STORE(rsi, 13) STORE(rdi, 14)
	"	pushfq\n"
	"	popq seen + 8 * 18(%rip)\n"
	ASM_RET
	"	.size " TARGET ", . - " TARGET "\n"
	"	.popsection\n");

/* Interrupts are off because an unwinder in an interrupt would start from the changed %rbp. */
static noinline void call_target(void)
{
	guard(irqsave)();
	asm volatile("pushq %%rbp\n\t"
		     "call " TARGET "\n\t"
		     "popq %%rbp"
		     : ASM_CALL_CONSTRAINT
		     :
		     : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11",
		       "r12", "r13", "r14", "r15", "cc", "memory");
}

/* The target returns with another %rbp. */
STACK_FRAME_NON_STANDARD_FP(call_target);

static unsigned long value_of(unsigned int nr)
{
	return 0x1234567800000000 + nr;
}

static void change_regs(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	unsigned long *words = (unsigned long *)regs;

	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i])
			words[i] = value_of(i);
	regs->flags |= FLAGS;
}

static struct ftrace_ops change_ops = {
	.func	= change_regs,
	.flags	= FTRACE_OPS_FL_SAVE_REGS,
};

static void what_is_changed_is_in_effect(struct kunit *test)
{
	unsigned long *words = (unsigned long *)&seen;

	KUNIT_ASSERT_EQ(test, ftrace_set_filter(&change_ops, TARGET, strlen(TARGET), 1), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(&change_ops), 0);
	call_target();
	KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&change_ops), 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i])
			KUNIT_EXPECT_EQ_MSG(test, words[i], value_of(i), "%s", names[i]);
	KUNIT_EXPECT_EQ(test, seen.flags & FLAGS, FLAGS);
}

static struct kunit_case ftrace_x86_64_cases[] = {
	KUNIT_CASE(what_is_changed_is_in_effect),
	{}
};

static int ftrace_x86_64_suite_init(struct kunit_suite *suite)
{
	return ftrace_find_functions(TARGET);
}

static void ftrace_x86_64_exit(struct kunit *test)
{
	ftrace_free_filter(&change_ops);
}

static struct kunit_suite ftrace_x86_64_suite = {
	.name		= "ftrace_x86_64",
	.suite_init	= ftrace_x86_64_suite_init,
	.exit		= ftrace_x86_64_exit,
	.test_cases	= ftrace_x86_64_cases,
};

kunit_test_suite(ftrace_x86_64_suite);
