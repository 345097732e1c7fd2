// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of how x86 writes code: sites of every alignment, NMIs that execute the sites while
 * they are written (SPEC D3, D4), a trampoline that is disarmed while another CPU calls it
 * (SPEC D8), and the return of a function whose return is traced.
 *
 * The compiler aligns functions, so the functions with other alignments are in assembly here.
 */
#include <kunit/test.h>
#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/ftrace_arch.h>
#include <linux/ftrace_kunit.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/linkage.h>
#include <linux/math.h>
#include <linux/memory.h>
#include <linux/nmi.h>
#include <linux/sched.h>
#include <linux/stringify.h>
#include <asm/apic.h>
#include <asm/ibt.h>
#include <asm/insn.h>
#include <asm/nmi.h>
#include <asm/nospec-branch.h>
#include <asm/text-patching.h>

typedef void target_fn(void);

target_fn ftrace_target_in_8, ftrace_target_in_16, ftrace_target_across_16,
	  ftrace_target_across_line, ftrace_target_across_page;

/* A function whose site begins @offset bytes after a multiple of @align. */
#define TARGET(name, align, offset)			\
	asm(".pushsection .text, \"ax\"\n"		\
	    ".balign " #align ", 0xcc\n"		\
	    ".skip " #offset " - " __stringify(ENDBR_INSN_SIZE) ", 0xcc\n" \
	    ".type " #name ", @function\n"		\
	    #name ":\n"					\
	    ASM_ENDBR					\
	    "	call __fentry__\n"			\
	    ASM_RET					\
	    ".size " #name ", . - " #name "\n"		\
	    ".popsection\n")

TARGET(ftrace_target_in_8, 64, 11);
TARGET(ftrace_target_in_16, 64, 6);
TARGET(ftrace_target_across_16, 64, 12);
TARGET(ftrace_target_across_line, 64, 61);
TARGET(ftrace_target_across_page, 4096, 4093);

static target_fn *const targets[] = {
	ftrace_target_in_8,
	ftrace_target_in_16,
	ftrace_target_across_16,
	ftrace_target_across_line,
	ftrace_target_across_page,
};

#define NR_TARGETS	ARRAY_SIZE(targets)

static u8 *site_of(unsigned int i)
{
	return (u8 *)targets[i] + ENDBR_INSN_SIZE;
}

static void call_targets(void)
{
	for (unsigned int i = 0; i < NR_TARGETS; i++)
		targets[i]();
}

/* ------------------------------------------------------------------ */
/* The ops that are attached						*/

static void count_call(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	atomic_long_inc(ops->private);
}

static atomic_long_t steady_calls, flip_calls;

static struct ftrace_ops steady_ops = {
	.func		= count_call,
	.private	= &steady_calls,
};

static struct ftrace_ops flip_ops = {
	.func		= count_call,
	.private	= &flip_calls,
};

static int filter_on(struct ftrace_ops *ops, unsigned int first, unsigned int nr)
{
	unsigned long ips[NR_TARGETS];

	for (unsigned int i = 0; i < nr; i++)
		ips[i] = (unsigned long)targets[first + i];
	return ftrace_set_filter_ips(ops, ips, nr, 0, 1);
}

static void detach(struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		unregister_ftrace_function(ops);
	ftrace_free_filter(ops);
}

/* Number of steps of a write that were observed, and of breakpoints found at them. */
static unsigned int steps, breakpoints;

static int ftrace_x86_test_init(struct kunit *test)
{
	atomic_long_set(&steady_calls, 0);
	atomic_long_set(&flip_calls, 0);
	steps = 0;
	breakpoints = 0;
	return 0;
}

static void ftrace_x86_test_exit(struct kunit *test)
{
	patch_test_between(NULL);
	detach(&flip_ops);
	detach(&steady_ops);
}

/* ------------------------------------------------------------------ */
/* One site at a time							*/

static void test_each_alignment(struct kunit *test)
{
	for (unsigned int i = 0; i < NR_TARGETS; i++) {
		u8 before[MCOUNT_INSN_SIZE];

		memcpy(before, site_of(i), sizeof(before));
		KUNIT_ASSERT_EQ(test, filter_on(&flip_ops, i, 1), 0);
		KUNIT_ASSERT_EQ(test, register_ftrace_function(&flip_ops), 0);
		KUNIT_EXPECT_EQ(test, *site_of(i), CALL_INSN_OPCODE);
		atomic_long_set(&flip_calls, 0);
		call_targets();
		KUNIT_EXPECT_EQ(test, atomic_long_read(&flip_calls), 1L);

		KUNIT_ASSERT_EQ(test, unregister_ftrace_function(&flip_ops), 0);
		KUNIT_EXPECT_MEMEQ(test, site_of(i), before, sizeof(before));
		call_targets();
		KUNIT_EXPECT_EQ(test, atomic_long_read(&flip_calls), 1L);
	}
}

/* ------------------------------------------------------------------ */
/* All sites at once, observed between the steps			*/

/*
 * Number of observations of a write in three steps: breakpoint, tail, first byte. The last step is
 * observed only if it is repeated.
 */
#define STEPS		(arch_patch_in_guest() ? 3 : 2)
/* The first two of these leave the breakpoints in place. */
#define BREAKPOINT_STEPS	2

/* Call the targets between two steps, as an NMI on this CPU may do. */
static notrace void look_between(void)
{
	steps++;
	for (unsigned int i = 0; i < NR_TARGETS; i++)
		breakpoints += *site_of(i) == INT3_INSN_OPCODE;
	call_targets();
}

static void expect_steps_of_a_group(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, steps, STEPS);
	KUNIT_EXPECT_EQ(test, breakpoints, BREAKPOINT_STEPS * NR_TARGETS);
	steps = 0;
	breakpoints = 0;
}

/*
 * Sites are written together: the steps are made once for all sites, not for each.  At each step,
 * every site calls the ops that stays attached, and executes its new instruction.
 */
static void test_each_step_of_a_group(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, filter_on(&steady_ops, 0, NR_TARGETS), 0);
	KUNIT_ASSERT_EQ(test, filter_on(&flip_ops, 0, NR_TARGETS), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(&steady_ops), 0);
	patch_test_between(look_between);

	KUNIT_EXPECT_EQ(test, register_ftrace_function(&flip_ops), 0);
	expect_steps_of_a_group(test);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&flip_calls), (long)(STEPS * NR_TARGETS));
	KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&flip_ops), 0);
	expect_steps_of_a_group(test);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&flip_calls), (long)(STEPS * NR_TARGETS));
	KUNIT_EXPECT_EQ(test, atomic_long_read(&steady_calls), (long)(2 * STEPS * NR_TARGETS));

	/* The sites become nops: a CPU that hits a breakpoint continues behind the site. */
	KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&steady_ops), 0);
	expect_steps_of_a_group(test);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&steady_calls), (long)(2 * STEPS * NR_TARGETS));
}

/* ------------------------------------------------------------------ */
/* During a storm of NMIs						*/

#define STORM_FLIPS	100
/* Number of flips that are enough on a busy machine, once STORM_TIME is over. */
#define STORM_FLIPS_MIN	10
#define STORM_TIME	(10 * HZ)

/*
 * The storm is one NMI that goes from CPU to CPU: its handler calls the targets and sends the NMI
 * to the next CPU.  So there is always one NMI in flight, also while all CPUs are stopped, and
 * each CPU makes progress between two NMIs.
 */
static bool storm_blows;
static unsigned int storm_cpu;		/* CPU that has the NMI, or gets it next */
static atomic_t storm_under_way;
static atomic_long_t storm_calls;

static void storm_pass_on(void)
{
	unsigned int cpu = cpumask_next(raw_smp_processor_id(), cpu_online_mask);

	if (cpu >= nr_cpu_ids)
		cpu = cpumask_first(cpu_online_mask);
	WRITE_ONCE(storm_cpu, cpu);
	__apic_send_IPI(cpu, NMI_VECTOR);
}

static int storm_nmi(unsigned int type, struct pt_regs *regs)
{
	/* NMIs with other causes are not handled here. */
	if (!atomic_read(&storm_under_way) ||
	    raw_smp_processor_id() != READ_ONCE(storm_cpu))
		return NMI_DONE;
	/* If a panic has stopped the other CPUs, end the storm, so that the panic continues. */
	if (!READ_ONCE(storm_blows) || num_online_cpus() < 2) {
		atomic_set(&storm_under_way, 0);
		return NMI_HANDLED;
	}
	call_targets();
	atomic_long_add(NR_TARGETS, &storm_calls);
	storm_pass_on();
	return NMI_HANDLED;
}

static int storm_begin(void)
{
	int ret = register_nmi_handler(NMI_LOCAL, storm_nmi, 0, "ftrace_kunit");

	if (ret)
		return ret;
	atomic_long_set(&storm_calls, 0);
	WRITE_ONCE(storm_blows, true);
	atomic_set(&storm_under_way, 1);
	preempt_disable();
	storm_pass_on();
	preempt_enable();
	return 0;
}

static bool storm_end(void)
{
	unsigned long timeout = jiffies + 10 * HZ;

	WRITE_ONCE(storm_blows, false);
	while (atomic_read(&storm_under_way) && time_before(jiffies, timeout))
		msleep(20);
	unregister_nmi_handler(NMI_LOCAL, "ftrace_kunit");
	return !atomic_read(&storm_under_way);
}

static int flip(void)
{
	int ret = register_ftrace_function(&flip_ops);

	call_targets();
	return ret ?: unregister_ftrace_function(&flip_ops);
}

/* Attach and detach flip_ops repeatedly during a storm. Return: how often. */
static int flip_in_storm(struct kunit *test)
{
	unsigned long end;
	int ret, i;

	cpu_hotplug_disable();
	ret = storm_begin();
	end = jiffies + STORM_TIME;
	for (i = 0; !ret && i < STORM_FLIPS; i++) {
		if (i >= STORM_FLIPS_MIN && time_after(jiffies, end))
			break;
		ret = flip();
	}
	KUNIT_EXPECT_TRUE(test, storm_end());
	cpu_hotplug_enable();

	KUNIT_EXPECT_EQ(test, ret, 0);
	kunit_info(test, "%d flips, %ld calls from NMIs, %ld of them while flipped on\n", i,
		   atomic_long_read(&storm_calls),
		   atomic_long_read(&flip_calls) - (long)(i * NR_TARGETS));
	KUNIT_EXPECT_GT(test, atomic_long_read(&storm_calls), (long)i);
	KUNIT_EXPECT_GE(test, atomic_long_read(&flip_calls), (long)(i * NR_TARGETS));
	return i;
}

static void skip_without_storm(struct kunit *test)
{
	if (num_online_cpus() < 2)
		kunit_skip(test, "an NMI needs another CPU to come from");
}

/*
 * One ops stays attached while another is attached and detached: an NMI that executes the site at
 * any moment calls the first ops exactly once.
 */
static void test_nmi_during_patching(struct kunit *test)
{
	int flips;

	skip_without_storm(test);
	KUNIT_ASSERT_EQ(test, filter_on(&steady_ops, 0, NR_TARGETS), 0);
	KUNIT_ASSERT_EQ(test, filter_on(&flip_ops, 0, NR_TARGETS), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(&steady_ops), 0);
	flips = flip_in_storm(test);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&steady_calls),
			atomic_long_read(&storm_calls) + (long)(flips * NR_TARGETS));
}

/*
 * No ops stays attached: the sites become calls, and nops again.  A CPU that hits the breakpoint
 * of a site that becomes a nop continues behind the site, not in the middle of it.
 */
static void test_nmi_during_patching_to_nops(struct kunit *test)
{
	skip_without_storm(test);
	KUNIT_ASSERT_EQ(test, filter_on(&flip_ops, 0, NR_TARGETS), 0);
	flip_in_storm(test);
}

/* ------------------------------------------------------------------ */
/* A trampoline that is disarmed while it is called			*/

/* A hundred rounds do not always hit the moment at which an emulator can fail. */
#define DISARM_ROUNDS	500
/* No further round begins after this time: rounds may be slow because the caller starves. */
#define DISARM_TIME	(10 * HZ)
/* Number of calls that prove that the caller makes progress. */
#define DISARM_CALLS	1000

static atomic_long_t disarm_calls;	/* number of calls that have returned */

/* The registers that a trampoline may change: no arguments, and none that a callee preserves. */
#ifdef CONFIG_X86_64
#define TRAMPOLINE_CLOBBERS	"r10", "r11", "cc", "memory"
#else
#define TRAMPOLINE_CLOBBERS	"cc", "memory"
#endif

/* The entry needs two return addresses: that of this call, and the word above it on the stack. */
void arch_trampoline_call(unsigned long trampoline)
{
	asm volatile(CALL_NOSPEC
		     : ASM_CALL_CONSTRAINT
		     : THUNK_TARGET(trampoline)
		     : TRAMPOLINE_CLOBBERS);
}

void arch_test_regs(struct ftrace_regs *fregs, unsigned long *ret)
{
#ifdef CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS
	arch_ftrace_regs(fregs)->regs.sp = (unsigned long)ret;
#endif
}

static int disarm_caller(void *data)
{
	const struct dispatch_set *set = data;

	while (!kthread_should_stop()) {
		arch_trampoline_call(set->trampoline);
		atomic_long_inc(&disarm_calls);
		cond_resched();
	}
	return 0;
}

static struct task_struct *caller_start(struct kunit *test, struct dispatch_set *set)
{
	unsigned int cpu = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());
	struct task_struct *task;

	task = kthread_run_on_cpu(disarm_caller, set, cpu, "ftrace_kunit/%u");
	KUNIT_EXPECT_FALSE(test, IS_ERR(task));
	return task;
}

static void expect_calls(struct kunit *test)
{
	unsigned long timeout = jiffies + 10 * HZ;
	long enough = atomic_long_read(&disarm_calls) + DISARM_CALLS;

	while (atomic_long_read(&disarm_calls) < enough && time_before(jiffies, timeout))
		cond_resched();
	KUNIT_EXPECT_GE(test, atomic_long_read(&disarm_calls), enough);
}

static void disarm_under_calls(struct kunit *test, struct dispatch_set *set)
{
	struct task_struct *caller = caller_start(test, set);

	if (IS_ERR(caller))
		return;
	expect_calls(test);
	cpus_read_lock();
	mutex_lock(&text_mutex);
	arch_trampoline_disarm(set);
	mutex_unlock(&text_mutex);
	cpus_read_unlock();
	expect_calls(test);
	kthread_stop(caller);
}

/* A caller that enters the trampoline after it was disarmed calls no ops. */
static void expect_disarmed(struct kunit *test, struct dispatch_set *set)
{
	long calls = atomic_long_read(&flip_calls);
	struct task_struct *caller = caller_start(test, set);

	KUNIT_EXPECT_GE(test, calls, (long)DISARM_CALLS);
	if (IS_ERR(caller))
		return;
	expect_calls(test);
	kthread_stop(caller);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&flip_calls), calls);
}

static int disarm_round(struct kunit *test, struct dispatch_set *set)
{
	/* Without ftrace_lock: the x86 version has no state that needs the lock. */
	int ret = arch_trampoline_build(set);

	KUNIT_EXPECT_EQ(test, ret, 0);
	if (ret)
		return ret;
	atomic_long_set(&flip_calls, 0);
	disarm_under_calls(test, set);
	expect_disarmed(test, set);
	arch_trampoline_free(set);
	return 0;
}

static void test_disarm_under_calls(struct kunit *test)
{
	DEFINE_RAW_FLEX(struct dispatch_set, set, ops, 1);
	unsigned long end = jiffies + DISARM_TIME;
	bool alone;

	set->nr_ops = 1;
	set->ops[0] = &flip_ops;
	/* The caller is bound to a CPU, which must stay online. */
	cpu_hotplug_disable();
	alone = num_online_cpus() < 2;
	for (int i = 0; !alone && i < DISARM_ROUNDS; i++)
		if (disarm_round(test, set) || time_after(jiffies, end))
			break;
	cpu_hotplug_enable();
	if (alone)
		kunit_skip(test, "whoever calls it needs another CPU");
}

/* ------------------------------------------------------------------ */
/* Breakpoints that were removed					*/

/* Hit a removed breakpoint at @insn, with the stack pointer at @top. */
static bool hit(const u8 *insn, unsigned long *top, struct pt_regs *regs)
{
	*regs = (struct pt_regs) {
		.cs = __KERNEL_CS,
		.ip = (unsigned long)insn + INT3_INSN_SIZE,
		.sp = (unsigned long)top,
	};
	return ftrace_int3_handler(regs);
}

static void test_breakpoint_that_is_gone(struct kunit *test)
{
	unsigned long stack[3] = { 0, 0, 7777 }, *top = &stack[2];
	u8 insn[JMP32_INSN_SIZE] = { CALL_INSN_OPCODE, 0x10, 0xff, 0xff, 0xff };
	unsigned long at = (unsigned long)insn, target = at + sizeof(insn) - 0xf0;
	struct pt_regs regs;

	KUNIT_EXPECT_TRUE(test, hit(insn, top, &regs));
	KUNIT_EXPECT_EQ(test, regs.ip, target);
	KUNIT_EXPECT_EQ(test, regs.sp, (unsigned long)&stack[1]);
	KUNIT_EXPECT_EQ(test, stack[1], at + sizeof(insn));
	*insn = JMP32_INSN_OPCODE;
	KUNIT_EXPECT_TRUE(test, hit(insn, top, &regs));
	KUNIT_EXPECT_EQ(test, regs.ip, target);
	KUNIT_EXPECT_EQ(test, regs.sp, (unsigned long)top);
	*insn = JMP8_INSN_OPCODE;
	KUNIT_EXPECT_TRUE(test, hit(insn, top, &regs));
	KUNIT_EXPECT_EQ(test, regs.ip, at + JMP8_INSN_SIZE + 0x10);
	*insn = RET_INSN_OPCODE;
	KUNIT_EXPECT_TRUE(test, hit(insn, top, &regs));
	KUNIT_EXPECT_EQ(test, regs.ip, 7777);
	KUNIT_EXPECT_EQ(test, regs.sp, (unsigned long)(top + 1));
	memcpy(insn, x86_nops[sizeof(insn)], sizeof(insn));
	KUNIT_EXPECT_TRUE(test, hit(insn, top, &regs));
	KUNIT_EXPECT_EQ(test, regs.ip, at + sizeof(insn));
	memcpy(insn, x86_nops[JMP8_INSN_SIZE], JMP8_INSN_SIZE);
	KUNIT_EXPECT_TRUE(test, hit(insn, top, &regs));
	KUNIT_EXPECT_EQ(test, regs.ip, at + JMP8_INSN_SIZE);
	/* Not handled: a breakpoint still in memory, and one removed from any other instruction. */
	*insn = INT3_INSN_OPCODE;
	KUNIT_EXPECT_FALSE(test, hit(insn, top, &regs));
	*insn = 0x55;
	KUNIT_EXPECT_FALSE(test, hit(insn, top, &regs));
}

/* ------------------------------------------------------------------ */
/* The end of a traced function						*/

/* Return: target of a call or jump in return_to_handler(), if it is near; otherwise 0. */
static unsigned long stays_at(const struct insn *insn, unsigned long next)
{
	unsigned long to = next + insn->immediate.value;

	return abs_diff(to, (unsigned long)return_to_handler) < 64 ? to : 0;
}

/*
 * Follow return_to_handler() to its return. Return: the number of calls on the way that do not
 * return, minus the number of returns; or an errno.
 */
static int calls_at_return(void)
{
	unsigned long ip = (unsigned long)return_to_handler, next, to;
	struct insn insn;
	int calls = 0;

	for (int n = 0; n < 32; n++, ip = next) {
		if (insn_decode_kernel(&insn, (void *)ip))
			return -EINVAL;
		next = ip + insn.length;
		to = stays_at(&insn, next);
		switch (insn.opcode.bytes[0]) {
		case RET_INSN_OPCODE:
			return calls - 1;
		case CALL_INSN_OPCODE:
			calls += !!to;
			next = to ?: next;
			break;
		case JMP32_INSN_OPCODE:
		case JMP8_INSN_OPCODE:
			/* A jump to a return thunk. */
			if (!to)
				return calls - 1;
			next = to;
		}
	}
	return -ELOOP;
}

/*
 * return_to_handler() must execute as many calls as returns. Otherwise the processor predicts each
 * return of the callers to go to the target of the return before it.
 */
static void test_returns_are_foreseen(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER))
		kunit_skip(test, "no address is replaced");
	KUNIT_EXPECT_EQ(test, calls_at_return(), 0);
}

static struct kunit_case ftrace_x86_cases[] = {
	KUNIT_CASE(test_each_alignment),
	KUNIT_CASE(test_each_step_of_a_group),
	KUNIT_CASE(test_nmi_during_patching),
	KUNIT_CASE(test_nmi_during_patching_to_nops),
	KUNIT_CASE(test_disarm_under_calls),
	KUNIT_CASE(test_breakpoint_that_is_gone),
	KUNIT_CASE(test_returns_are_foreseen),
	{}
};

static int ftrace_x86_suite_init(struct kunit_suite *suite)
{
	return ftrace_find_functions("ftrace_target_*");
}

static struct kunit_suite ftrace_x86_suite = {
	.name		= "ftrace_x86",
	.suite_init	= ftrace_x86_suite_init,
	.init		= ftrace_x86_test_init,
	.exit		= ftrace_x86_test_exit,
	.test_cases	= ftrace_x86_cases,
};

kunit_test_suite(ftrace_x86_suite);
