// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of call sites on MIPS: sites of both kinds, and a task that was preempted at any
 * instruction of a site and continues after the site was changed (SPEC D3, D4, D12).
 *
 * Loading modules would be too slow, and the kernel has no long sites, so the sites are in assembly
 * here.  A real task is seldom preempted at the instruction that matters.  So its registers are
 * computed from the instructions in front of that one, as they are at the time of the preemption;
 * and later the task continues there with the instructions of that time.
 */
#include <kunit/test.h>
#include <linux/ftrace_arch.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/string.h>
#include <linux/stringify.h>
#include <asm/ptrace.h>

#include "ftrace.h"

/* ------------------------------------------------------------------ */
/* Functions								*/

typedef long target_fn(long value);

target_fn ftrace_target_short, ftrace_target_long, ftrace_target_page;
target_fn ftrace_target_keep_1, ftrace_target_keep_2, ftrace_target_keep_3;

#ifdef CONFIG_32BIT
#define LOAD_LOW	"	addiu	$3, $3, %lo(_mcount)\n"
#define SLOT		"	addiu	$29, $29, -8\n"
#else
#define LOAD_LOW	"	daddiu	$3, $3, %lo(_mcount)\n"
#ifdef KBUILD_MCOUNT_RA_ADDRESS
#define SLOT		"	move	$12, $0\n"
#else
#define SLOT		"	nop\n"
#endif
#endif
#if FTRACE_LONG_BACK == 24
#define SET_12		"	move	$12, $0\n"
#else
#define SET_12		""
#endif

/* A function without a frame, as GCC generates it: returns its argument plus one. */
#define TARGET_AT(name, site, where)			\
	asm(".pushsection .text, \"ax\"\n"		\
	    "	.set	push\n"				\
	    "	.set	noreorder\n"			\
	    "	.set	noat\n"				\
	    where					\
	    "	.globl	" #name "\n"			\
	    "	.type	" #name ", @function\n"		\
	    #name ":\n"					\
	    site					\
	    SLOT					\
	    "	jr	$31\n"				\
	    "	addiu	$2, $4, 1\n"			\
	    "	.size	" #name ", . - " #name "\n"	\
	    "	.set	pop\n"				\
	    ".popsection\n")

#define TARGET(name, site)	TARGET_AT(name, site, "	.align	2\n")

#define SHORT_SITE	"	move	$1, $31\n" SET_12 "	jal	_mcount\n"

TARGET(ftrace_target_short, SHORT_SITE);
TARGET(ftrace_target_keep_1, SHORT_SITE);
TARGET(ftrace_target_keep_2, SHORT_SITE);
TARGET(ftrace_target_keep_3, SHORT_SITE);

/* A function whose site is the last word of a page, with the slot in the next page. */
TARGET_AT(ftrace_target_page, SHORT_SITE,
	  "	.balign	4096\n"
	  "	.space	4096 - " __stringify(FTRACE_LONG_BACK) " + 12\n");

#define LONG_SITE	"	lui	$3, %hi(_mcount)\n" LOAD_LOW	\
			"	move	$1, $31\n" SET_12		\
			"	jalr	$3\n"

TARGET(ftrace_target_long, LONG_SITE);

/**
 * struct target - a function with a site
 * @func: the function
 * @site: index of its site among its instructions
 * @end: index of the first instruction behind the site and its slot
 */
struct target {
	target_fn	*func;
	unsigned int	site;
	unsigned int	end;
};

#define SET_12_WORDS	(FTRACE_LONG_BACK / 4 - 5)

static const struct target short_target = {
	.func	= ftrace_target_short,
	.site	= 1 + SET_12_WORDS,
	.end	= 3 + SET_12_WORDS,
};

static const struct target page_target = {
	.func	= ftrace_target_page,
	.site	= 1 + SET_12_WORDS,
	.end	= 3 + SET_12_WORDS,
};

static const struct target long_target = {
	.func	= ftrace_target_long,
	.site	= 0,
	.end	= FTRACE_LONG_BACK / 4,
};

static u32 *insn_of(const struct target *target, unsigned int i)
{
	return (u32 *)target->func + i;
}

/* ------------------------------------------------------------------ */
/* The ops that are attached						*/

static unsigned int calls[2];
static unsigned long seen_ip, seen_parent;

static void count_call(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	seen_ip = ip;
	seen_parent = parent_ip;
	(*(unsigned int *)ops->private)++;
}

static struct ftrace_ops counters[2] = {
	{ .func = count_call, .private = &calls[0] },
	{ .func = count_call, .private = &calls[1] },
};

#define BIT_FIRST	1
#define BIT_SECOND	2
#define NR_STATES	4

static unsigned long ip_of(const struct target *target)
{
	return (unsigned long)insn_of(target, target->site);
}

static void detach(struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		unregister_ftrace_function(ops);
	ftrace_free_filter(ops);
}

static void detach_all(struct kunit *test)
{
	patch_test_between(NULL);
	detach(&counters[0]);
	detach(&counters[1]);
}

/*
 * Each set of the two counters has its own site, in the function with its number, so that its
 * trampoline is never freed.  A preempted task prevents that its trampoline is freed; but the task
 * of this test has to sleep while sites change.
 */
static target_fn *const keepers[NR_STATES] = {
	[BIT_FIRST]			= ftrace_target_keep_1,
	[BIT_SECOND]			= ftrace_target_keep_2,
	[BIT_FIRST | BIT_SECOND]	= ftrace_target_keep_3,
};

static int keep_sets(struct kunit *test)
{
	for (unsigned int i = 0; i < 2; i++) {
		for (unsigned int state = 1; state < NR_STATES; state++) {
			unsigned long ip = (unsigned long)keepers[state];

			if (state & BIT(i) &&
			    ftrace_set_filter_ip(&counters[i], ip, 0, 0))
				return -EINVAL;
		}
		if (register_ftrace_function(&counters[i]))
			return -EINVAL;
	}
	return 0;
}

/* Make the site call the counters whose bits are set in @state. */
static void set_state(struct kunit *test, const struct target *target, unsigned int state)
{
	unsigned long ip = ip_of(target);

	for (unsigned int i = 0; i < 2; i++) {
		bool remove = !(state & BIT(i));
		int ret = ftrace_set_filter_ip(&counters[i], ip, remove, 0);

		/* Removing fails if the site is not in the filter. */
		if (!remove)
			KUNIT_ASSERT_EQ(test, ret, 0);
	}
}

static unsigned int take_calls(void)
{
	unsigned int state = (calls[0] ? BIT_FIRST : 0) | (calls[1] ? BIT_SECOND : 0);

	if (calls[0] > 1 || calls[1] > 1)
		state = ~0U;
	memset(calls, 0, sizeof(calls));
	return state;
}

/* ------------------------------------------------------------------ */
/* Calls								*/

static void calls_in_each_state(struct kunit *test, const struct target *target)
{
	for (unsigned int i = 0; i < NR_STATES * NR_STATES; i++) {
		unsigned int state = i % NR_STATES;

		set_state(test, target, i / NR_STATES);
		set_state(test, target, state);
		take_calls();
		KUNIT_EXPECT_EQ(test, target->func(41), 42);
		KUNIT_EXPECT_EQ(test, take_calls(), state);
	}
}

static void short_calls(struct kunit *test)
{
	calls_in_each_state(test, &short_target);
}

/* An emulator translates pages separately, and so the jump and its slot. */
static void page_calls(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, ip_of(&page_target) % 4096, 4092);
	calls_in_each_state(test, &page_target);
}

static void long_calls(struct kunit *test)
{
	calls_in_each_state(test, &long_target);
}

static bool is_in(unsigned long address, void *function)
{
	unsigned long size, offset;

	return kallsyms_lookup_size_offset(address, &size, &offset) &&
	       address - offset == (unsigned long)function;
}

static noinline void expect_told(struct kunit *test, const struct target *target)
{
	set_state(test, target, BIT_FIRST);
	target->func(1);
	KUNIT_EXPECT_EQ(test, seen_ip, ip_of(target));
	KUNIT_EXPECT_TRUE(test, is_in(seen_parent, expect_told));
	set_state(test, target, 0);
}

static void callbacks_are_told_the_site(struct kunit *test)
{
	expect_told(test, &short_target);
	expect_told(test, &long_target);
}

/* Call the target when the lower half is written, as an NMI may do. */
static unsigned int looks;

static notrace void look_between(void)
{
	looks++;
	long_target.func(41);
}

/* A nop becomes a call of another ops than its last one: the lower half is written first. */
static void nobody_is_called_between(struct kunit *test)
{
	set_state(test, &long_target, BIT_SECOND);
	set_state(test, &long_target, 0);
	take_calls();
	looks = 0;
	patch_test_between(look_between);
	set_state(test, &long_target, BIT_FIRST);
	patch_test_between(NULL);
	KUNIT_EXPECT_EQ(test, looks, 1);
	KUNIT_EXPECT_EQ(test, take_calls(), 0);
	set_state(test, &long_target, 0);
}

/* Number of ops that are attached in turn; there is no room for the sets of so many. */
#define NR_MANY	128

/* True if sites call ftrace_caller, because there was no room for the trampoline of their set. */
static bool fallen_back(void)
{
	return *insn_of(&short_target, short_target.site) ==
	       INSN_JAL((unsigned long)ftrace_caller);
}

static int attach_to_both(struct ftrace_ops *ops)
{
	return ftrace_set_filter_ip(ops, ip_of(&long_target), 0, 1) ?:
	       ftrace_set_filter_ip(ops, ip_of(&short_target), 0, 0) ?:
	       register_ftrace_function(ops);
}

/*
 * The room of a set that is not used any more is freed after a grace period, which takes longer
 * than this test.
 */
static void full_window(struct kunit *test)
{
	struct ftrace_ops *many = kunit_kcalloc(test, NR_MANY, sizeof(*many), GFP_KERNEL);
	unsigned int nr, called = 0;

	KUNIT_ASSERT_NOT_NULL(test, many);
	for (nr = 0; nr < NR_MANY && !fallen_back(); nr++) {
		many[nr].func = count_call;
		many[nr].private = &called;
		if (attach_to_both(&many[nr]))
			break;
	}
	KUNIT_EXPECT_TRUE(test, fallen_back());
	KUNIT_EXPECT_EQ(test, short_target.func(41), 42);
	KUNIT_EXPECT_EQ(test, called, nr);
	KUNIT_EXPECT_EQ(test, long_target.func(41), 42);
	KUNIT_EXPECT_EQ(test, called, 2 * nr);
	while (nr--)
		detach(&many[nr]);
}

/* ------------------------------------------------------------------ */
/* Preempted tasks							*/

/**
 * struct task_at - the registers of a preempted task
 * @at: register 1
 * @v1: register 3
 * @ra: register 31
 * @pc: address at which the task continues
 */
struct task_at {
	unsigned long	at;
	unsigned long	v1;
	unsigned long	ra;
	unsigned long	pc;
};

/*
 * Continue a task, with @value as its argument.  The function returns to ftrace_test_back, as it
 * would to its caller: ra, and at if it was set, must contain that address.
 */
typedef long go_on_fn(long value, const struct task_at *task);

go_on_fn ftrace_test_go_on;

/* A label in ftrace_test_go_on(). */
target_fn ftrace_test_back;

#ifdef CONFIG_32BIT
#define STORE		"sw"
#define LOAD		"lw"
#define ADDI		"addiu"
#else
#define STORE		"sd"
#define LOAD		"ld"
#define ADDI		"daddiu"
#endif

asm(".pushsection .text, \"ax\"\n"
	"	.set	push\n"
	"	.set	noreorder\n"
	"	.set	noat\n"
	"	.align	2\n"
	"	.globl	ftrace_test_go_on\n"
	"	.type	ftrace_test_go_on, @function\n"
	"ftrace_test_go_on:\n"
	"	" ADDI "	$29, $29, -64\n"
	"	" STORE "	$31, 40($29)\n"
	"	" STORE "	$16, 48($29)\n"
	"	move	$16, $29\n"
	"	" LOAD "	$1, 0 * " __stringify(FTRACE_REG_SIZE) "($5)\n"
	"	" LOAD "	$3, 1 * " __stringify(FTRACE_REG_SIZE) "($5)\n"
	"	" LOAD "	$31, 2 * " __stringify(FTRACE_REG_SIZE) "($5)\n"
	"	" LOAD "	$2, 3 * " __stringify(FTRACE_REG_SIZE) "($5)\n"
	"	jr	$2\n"
	"	nop\n"
	"	.globl	ftrace_test_back\n"
	"ftrace_test_back:\n"
	/* A stack pointer that was not restored changes the result. */
	"	subu	$1, $16, $29\n"
	"	sll	$1, $1, 8\n"
	"	addu	$2, $2, $1\n"
	"	move	$29, $16\n"
	"	" LOAD "	$31, 40($29)\n"
	"	" LOAD "	$16, 48($29)\n"
	"	jr	$31\n"
	"	" ADDI "	$29, $29, 64\n"
	"	.size	ftrace_test_go_on, . - ftrace_test_go_on\n"
	"	.set	pop\n"
	".popsection\n");

#define BACK	((unsigned long)ftrace_test_back)

/* Execute one instruction of a site.  Return: false for a jump, at which the task stays. */
static bool task_step(struct task_at *task, u32 insn)
{
	if (insn >> 16 == INSN_LUI(GPR_V1, 0) >> 16)
		task->v1 = (long)(int)(insn << 16);
	else if (insn >> 16 == INSN_IMM(OP_ADDIU, GPR_V1, GPR_V1, 0) >> 16)
		task->v1 += (s16)insn;
	else if (insn == INSN_MOVE_AT_RA)
		task->at = task->ra;
	else if (SET_12_WORDS == 0 || insn != 0x00006025U)
		return false;
	task->pc += sizeof(u32);
	return true;
}

/* A task at the first instruction, with arbitrary values in at and v1. */
static struct task_at task_begin(const struct target *target)
{
	return (struct task_at) {
		.at = 1, .v1 = 3, .ra = BACK, .pc = (unsigned long)target->func,
	};
}

/* A task after @steps instructions, or at the jump. */
static struct task_at task_after(const struct target *target, unsigned int steps)
{
	struct task_at task = task_begin(target);

	while (steps-- && task_step(&task, *(u32 *)task.pc))
		;
	return task;
}

/*
 * True if the task may call the ops of @called: those of the site as it was, or as it is.  Between
 * the two halves of an address it calls those of the last target, which may be of a state between
 * @was and @is.
 */
static bool may_call(const struct task_at *task, unsigned int called, unsigned int was,
		     unsigned int is)
{
	bool between = !(u16)task->v1;

	return !called || called == was || called == is ||
	       (between && called < NR_STATES);
}

static void expect_goes_on(struct kunit *test, const struct task_at *task,
			   unsigned int was, unsigned int is)
{
	unsigned int called;

	take_calls();
	KUNIT_EXPECT_EQ_MSG(test, ftrace_test_go_on(41, task), 42, "at %pS, %u to %u",
			    (void *)task->pc, was, is);
	called = take_calls();
	KUNIT_EXPECT_TRUE_MSG(test, may_call(task, called, was, is),
			      "at %pS, %u to %u: %u called", (void *)task->pc, was, is,
			      called);
}

/* Change the site from each state to each other, by way of each, with tasks at each instruction. */
static void preempted_at_each(struct kunit *test, const struct target *target)
{
	for (unsigned int i = 0; i < NR_STATES * NR_STATES * NR_STATES; i++) {
		unsigned int was = i % NR_STATES, is = i / NR_STATES % NR_STATES;
		struct task_at tasks[8];

		set_state(test, target, was);
		for (unsigned int steps = 0; steps < target->end; steps++)
			tasks[steps] = task_after(target, steps);
		set_state(test, target, i / NR_STATES / NR_STATES);
		set_state(test, target, is);
		for (unsigned int steps = 0; steps < target->end; steps++)
			expect_goes_on(test, &tasks[steps], was, is);
	}
}

static void short_preempted(struct kunit *test)
{
	preempted_at_each(test, &short_target);
}

static void long_preempted(struct kunit *test)
{
	preempted_at_each(test, &long_target);
}

/*
 * A task that was interrupted in the delay slot of a short site that is a call: the jump has set ra
 * already, and is executed again.
 */
static struct task_at task_in_slot(const struct target *target)
{
	struct task_at task = task_after(target, target->site);
	struct pt_regs regs = { };

	regs.cp0_epc = task.pc;
	regs.regs[1] = task.at;
	regs.regs[31] = task.pc + FTRACE_SHORT_BACK;
	ftrace_leave_slot(&regs);
	task.ra = regs.regs[31];
	return task;
}

static void preempted_in_slot(struct kunit *test)
{
	for (unsigned int is = 0; is < NR_STATES; is++) {
		struct task_at task;

		set_state(test, &short_target, BIT_FIRST);
		task = task_in_slot(&short_target);
		set_state(test, &short_target, is);
		expect_goes_on(test, &task, BIT_FIRST, is);
	}
}

/* The first instruction of the function may be replaced by a breakpoint. */
static void preempted_behind_probe(struct kunit *test)
{
	static u32 code[] = { 0x0000000dU, INSN_JAL(0), SLOT_INSN };
	struct pt_regs regs = { .cp0_epc = (unsigned long)&code[1] };

	regs.regs[1] = 1;
	regs.regs[31] = 31;
	ftrace_leave_slot(&regs);
	KUNIT_EXPECT_EQ(test, regs.regs[31], FTRACE_SLOT_SIZE ? 1UL : 31UL);
}

/* ftrace_leave_slot() leaves ra unchanged for any other jump. */
static void other_slots_stay(struct kunit *test)
{
	static u32 code[] = { INSN_MOVE_AT_RA, INSN_JAL(0), 0, INSN_JALR(GPR_V1), 0 };
	struct pt_regs regs = { };

	for (unsigned int i = 1; i < ARRAY_SIZE(code); i += 2) {
		regs.cp0_epc = (unsigned long)&code[i];
		regs.regs[31] = 31;
		ftrace_leave_slot(&regs);
		KUNIT_EXPECT_EQ(test, regs.regs[31], 31UL);
	}
}

/* ------------------------------------------------------------------ */

/* The registers of multiplication and division, before release 6. */
#ifdef CONFIG_CPU_MIPSR6
#define HI_LO
#else
#define HI_LO	"hi", "lo",
#endif

/*
 * Calls the entry for short sites by the jump of a long site.  The registers in the list are those
 * whose values the code behind a site does not use either.
 */
void arch_trampoline_call(unsigned long trampoline)
{
	register unsigned long entry asm("$3") = ftrace_short_entry(trampoline);

	asm volatile("	.set	push\n"
		     "	.set	noreorder\n"
		     "	.set	noat\n"
		     "	move	$1, $31\n"
		     "	jalr	%0\n"
		     SLOT
		     "	.set	pop\n"
		     : "+r" (entry)
		     :
		     : "$1", "$2", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15",
		       "$24", "$25", "$31", HI_LO "memory");
}

void arch_test_regs(struct ftrace_regs *fregs, unsigned long *ret)
{
	arch_ftrace_regs(fregs)->ra = *ret;
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	arch_ftrace_regs(fregs)->ra_at = ret;
#endif
}

/* ------------------------------------------------------------------ */
/* Probes								*/

static int try_probe(u32 *insn)
{
	struct kprobe probe = { .addr = (void *)insn };
	int ret = register_kprobe(&probe);

	if (!ret)
		unregister_kprobe(&probe);
	return ret;
}

/* Probes on instructions of a site are refused: one would overwrite the other. */
static void expect_no_probes(struct kunit *test, const struct target *target,
			     unsigned int state)
{
	set_state(test, target, state);
	for (unsigned int i = target->site; i < target->end; i++)
		KUNIT_EXPECT_EQ_MSG(test, try_probe(insn_of(target, i)), -EINVAL,
				    "at %u, %u attached", i, state);
}

static void sites_take_no_probes(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_KPROBES))
		kunit_skip(test, "a kernel without kprobes");
	for (unsigned int state = 0; state <= BIT_FIRST; state++) {
		expect_no_probes(test, &short_target, state);
		expect_no_probes(test, &long_target, state);
	}
	/* Probes in front of a site, and behind it, are possible. */
	KUNIT_EXPECT_EQ(test, try_probe(insn_of(&short_target, 0)), 0);
	KUNIT_EXPECT_EQ(test, try_probe(insn_of(&long_target, long_target.end)), 0);
}

static struct kunit_case mips_cases[] = {
	KUNIT_CASE(short_calls),
	KUNIT_CASE(page_calls),
	KUNIT_CASE(long_calls),
	KUNIT_CASE(callbacks_are_told_the_site),
	KUNIT_CASE(nobody_is_called_between),
	KUNIT_CASE_SLOW(full_window),
	KUNIT_CASE(short_preempted),
	KUNIT_CASE(long_preempted),
	KUNIT_CASE(preempted_in_slot),
	KUNIT_CASE(preempted_behind_probe),
	KUNIT_CASE(other_slots_stay),
	KUNIT_CASE(sites_take_no_probes),
	{}
};

static struct kunit_suite mips_suite = {
	.name		= "ftrace_mips",
	.init		= keep_sets,
	.exit		= detach_all,
	.test_cases	= mips_cases,
};

kunit_test_suite(mips_suite);

MODULE_DESCRIPTION("Tests of call sites on MIPS");
MODULE_LICENSE("GPL");
