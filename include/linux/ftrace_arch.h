/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface between the function tracer and the architectures.
 *
 * The core knows call sites and their targets as addresses.  The architecture knows the
 * instructions of a site, how to write them while an NMI may execute them, and how to generate a
 * trampoline.  An architecture implements everything named arch_ here, and may call the rest.
 * What it knows about returns is in linux/ftrace_arch_return.h.
 */
#ifndef _LINUX_FTRACE_ARCH_H
#define _LINUX_FTRACE_ARCH_H

#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/types.h>

struct site;

/* ------------------------------------------------------------------ */
/* Writing call sites							*/

/*
 * A site is one instruction of MCOUNT_INSN_SIZE bytes at the address of its record.  Nothing
 * around the site changes once arch_site_init() has made it a nop, except for the second
 * instruction that the last paragraph describes.  Sites do not overlap: each is written
 * independently of the others.
 *
 * Stopping the machine controls what CPUs execute, but not where tasks are: a task may have been
 * preempted in front of any instruction, for any time.  If two instructions of a site changed,
 * such a task would continue in the middle of the new code with the state of the old code.  So
 * where the compiler makes a call of several instructions (for example, one loads the address
 * into a register), all but one stay as they are, and are harmless while the site is a nop.  The
 * instruction that changes is the first one, or a nop or a jump over the rest.  The target of
 * such a site is fixed, or limited to the reach of one instruction: see arch_site_reaches().
 *
 * A second instruction of a site may change as well, to extend its reach, if any combination of
 * old and new instructions is safe for every task: the two are written one after the other, and
 * all CPUs are synchronized in between.  See arch/mips/kernel/ftrace.c.
 */

/* Target of a site that still is as the compiler left it; not an address. */
#define PATCH_AS_COMPILED	1UL

/* Maximum number of sites in one batch: limits the memory that a change needs. */
#define PATCH_BATCH	1024U

/*
 * Number of sites that an architecture is asked to write at once.  With more of them, all CPUs
 * wait for each other less often.  The time is not checked in between, so PATCH_GROUP_MAX is
 * used only where a stop may take long in any case.
 */
#define PATCH_GROUP	32U
#define PATCH_GROUP_MAX	PATCH_BATCH

/**
 * struct patch_site - the change of one site
 * @site: record of the site
 * @ip: address of the site
 * @old: current target; 0 for the nop, PATCH_AS_COMPILED for the target that the compiler chose
 * @new: new target; 0 for the nop
 * @was: id of the dispatch set that belongs to @old
 * @set: id of the dispatch set that belongs to @new
 */
struct patch_site {
	struct site	*site;
	unsigned long	ip;
	unsigned long	old;
	unsigned long	new;
	u32		was;
	u32		set;
};

/**
 * struct patch_batch - changes that are written together
 * @nr: number of changes
 * @done: number of changes that are written
 * @ready: number of changes that the architecture is prepared to write, those written included
 * @sites: the changes, mostly in the order of their addresses
 */
struct patch_batch {
	unsigned int		nr;
	unsigned int		done;
	unsigned int		ready;
	struct patch_site	sites[PATCH_BATCH];
};

/**
 * arch_site_init - make a site as the compiler left it a nop
 * @ip: the site, in text that is still writable and that no CPU executes
 *
 * Context: boot, or the loading of a module; ftrace_lock held.
 *
 * Return: 0, also if the site is a nop already; -EINVAL if it is not the expected call: nothing
 * was written then.
 */
int arch_site_init(unsigned long ip);

/**
 * arch_sites_init_done - end the initialization of the sites of a region
 * @first: address of the first site
 * @last: address of the last site
 *
 * Called after the last arch_site_init() of the region.  Makes the instructions that it wrote
 * visible to all CPUs.
 *
 * Context: as for arch_site_init().
 */
void arch_sites_init_done(unsigned long first, unsigned long last);

/**
 * arch_compiled_site - find a site at an address by the code that the compiler left there
 * @ip: argument of arch_ftrace_ops_list_func(), or any other address
 *
 * Reads the instructions at @ip, which may not be mapped any more.
 *
 * Context: process; must not fault.
 *
 * Return: the address of the site, which may differ from @ip where there are two kinds of sites;
 * 0 if there is no such site.
 */
unsigned long arch_compiled_site(unsigned long ip);

/**
 * arch_site_is_split - test whether a task may be in the middle of a site
 * @ip: the site, as the compiler left it
 *
 * If so, the site is made a nop first, and is not changed again before dispatch_synchronize()
 * has returned.
 *
 * Context: process, the site is in memory.
 *
 * Return: true if the site consists of several instructions.
 */
bool arch_site_is_split(unsigned long ip);

/**
 * arch_site_reaches - test whether a site can call an address
 * @ip: the site
 * @target: a trampoline
 *
 * A site that cannot reach its trampoline calls ftrace_caller or ftrace_regs_caller, which look
 * up the dispatch set: every site has to reach these.  Defined in asm/ftrace.h; always true
 * where code and trampolines are near each other.
 *
 * Context: any.
 *
 * Return: true if the one instruction of the site that changes can call @target.
 */
#ifdef CONFIG_DYNAMIC_FTRACE
static __always_inline bool arch_site_reaches(unsigned long ip, unsigned long target);
#endif

/**
 * arch_site_span - number of bytes that belong to a site
 * @ip: the site
 *
 * Other code that patches text must not write to these bytes.  There are more than
 * MCOUNT_INSN_SIZE where the call is made of several instructions, or has a delay slot.
 *
 * Context: any.
 *
 * Return: number of bytes from @ip on, ARCH_SITE_SPAN_MAX at most.
 */
unsigned int arch_site_span(unsigned long ip);

/* Longest span of a site: a site that covers an address begins less than this in front of it. */
#define ARCH_SITE_SPAN_MAX	32U

/**
 * arch_patch_prepare - prepare to write sites of a batch
 * @batch: the batch; the sites in front of @batch->done are written
 *
 * Raises @batch->ready above @batch->done.
 *
 * A change that stopped half-way for lack of memory could be neither completed nor undone, while
 * sites call an ops that its owner is about to free.  So memory is allocated at boot or kept
 * for good: -ENOMEM is not returned any more once the function has returned 0, and means that no
 * site was ever written.
 *
 * Context: process, may sleep; CPU hotplug lock and text_mutex held.
 *
 * Return: 0; or an error, after which arch_patch_finish() is not called: -ENOMEM; -EFAULT for
 * a site that is not in memory: @batch->ready is its index.
 */
int arch_patch_prepare(struct patch_batch *batch);

/**
 * arch_patch_finish - undo arch_patch_prepare()
 * @batch: the prepared batch; the sites in front of @batch->done are written
 *
 * Context: as for arch_patch_prepare().
 */
void arch_patch_finish(struct patch_batch *batch);

/**
 * arch_patch_open - begin to write on this CPU
 * @batch: the prepared batch
 *
 * Context: inside a stop, interrupts off, on the one CPU that writes.
 */
void arch_patch_open(struct patch_batch *batch);

/**
 * arch_patch_close - undo arch_patch_open()
 * @batch: the opened batch
 *
 * Context: as for arch_patch_open(), in the same stop.
 */
void arch_patch_close(struct patch_batch *batch);

/**
 * arch_patch_sites - verify and write sites of a batch
 * @batch: the opened batch
 * @to: index behind the last site to be written; @batch->done is the index of the first.  At
 *	most PATCH_GROUP_MAX sites
 *
 * Raises @batch->done by the number of sites that were written: all of them, or some from the
 * first one on.  At least the first site is written unless it fails.
 *
 * An NMI on any CPU, this one included, that executes one of the sites during the write does what
 * its old instruction did or what the new one does (SPEC D4).  No byte outside of the
 * arch_site_span() bytes of a site may change for any CPU at any time.
 *
 * Context: inside a stop, between arch_patch_open() and arch_patch_close().
 *
 * Return: 0; or an error of the site at @batch->done: -EINVAL if its bytes are not the old
 * instruction: neither it nor any site behind it was written; -EFAULT if the write had no effect:
 * the sites behind it, up to @to, may or may not have been written.
 */
int arch_patch_sites(struct patch_batch *batch, unsigned int to);

/**
 * arch_patch_sync - make patched code visible to this CPU
 * @batch: the opened batch
 * @from: index of the first site that was written in this stop
 * @to: index behind the last site that was written or is just being written; more than @from
 *
 * Called on every CPU at the end of a stop, and by patch_sync_cpus().  Flushes the instruction
 * cache at the sites, @batch->sites, if it does not see stores.
 *
 * Context: inside a stop, interrupts off.
 */
void arch_patch_sync(const struct patch_batch *batch, unsigned int from, unsigned int to);

/**
 * arch_site_insn - get the found and the expected instruction of a site, for the report
 * @ip: the site
 * @target: expected target, as in struct patch_site
 * @found: filled in with the bytes at the site, if it can be read
 * @expected: filled in with the bytes that should be there
 *
 * If the site has several instructions, one that is not as expected is reported.
 *
 * Context: process, when a change has failed; must not fault.
 *
 * Return: true if the site can be read.
 */
bool arch_site_insn(unsigned long ip, unsigned long target,
		    u8 found[MCOUNT_INSN_SIZE], u8 expected[MCOUNT_INSN_SIZE]);

/**
 * arch_patch_in_guest - test whether this kernel shares its CPUs with others
 *
 * Context: any.
 *
 * Return: true below a hypervisor, or in an emulator that can be recognized.
 */
bool arch_patch_in_guest(void);

/**
 * patch_sync_cpus - run arch_patch_sync() on every CPU
 *
 * For arch_patch_sites(), between the steps of a write that takes more than one store.  On return
 * each CPU has run arch_patch_sync(), and has seen what this CPU wrote before the call.
 *
 * Context: inside a stop, on the one CPU that writes.
 */
void patch_sync_cpus(void);

/**
 * patch_test_between - let a test inspect sites between the steps of a write
 * @look: function that patch_sync_cpus() calls before it returns, on the CPU that writes, inside
 *	the stop; must be notrace; NULL ends the inspection
 *
 * The function should look only at sites that the caller has changed: another task, such as
 * ftraced, may change other sites at the same time.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void patch_test_between(void (*look)(void));

/* ------------------------------------------------------------------ */
/* Trampolines								*/

/* The id of the set of a site that is not traced. */
#define DISPATCH_EMPTY	0U

/* Flags of an ops that needs all registers: see dispatch_set_needs_regs(). */
#define SET_FLAGS	(FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY)

/**
 * struct dispatch_set - a list of ops, in the order in which they are called
 * @id: identifies the set in the words of sites; never 0
 * @sites: number of sites that hold the set
 * @flags: SET_FLAGS of any of its ops, and FTRACE_OPS_FL_ARGS_ONLY if all ops have it
 * @direct: address that is called after the ops, or 0
 * @direct_ops: the ops of @direct, or NULL; it may be freed while tasks are still in the code of
 *	the set
 * @trampoline: target of its sites: generated code; @direct if the set has no callbacks; a static
 *	entry if no code could be generated
 * @size: bytes of generated code, or 0
 * @node: node in the list of all sets
 * @by_ops: node in the table of sets by their ops, until the set is retired
 * @key: hash key of that table: the sum of the addresses of the ops
 * @unused: node in the list of sets that no site holds and that are not retired
 * @dead: node in the list of sets that are about to be freed
 * @retired: true if no site holds the set, and none will hold it again
 * @outdated: true if another set takes its place: see dispatch_renewed()
 * @disarmed: true if its ops are not called any more, because they may have been freed
 * @waited: true if the set is retired and the grace period for its trampoline has begun
 * @nr_ops: number of ops that have a callback, at least one unless there is a direct call
 * @ops: these ops, followed by NULL
 *
 * @id, @flags, @direct, @direct_ops, @trampoline, @size, @key, @nr_ops and @ops do not change once
 * the set can be found.  The other members are protected by ftrace_lock.
 */
struct dispatch_set {
	u32			id;
	unsigned int		sites;
	unsigned long		flags;
	unsigned long		direct;
	struct ftrace_ops	*direct_ops;
	unsigned long		trampoline;
	size_t			size;
	struct list_head	node;
	struct hlist_node	by_ops;
	unsigned long		key;
	struct list_head	unused;
	struct list_head	dead;
	bool			retired;
	bool			outdated;
	bool			disarmed;
	bool			waited;
	unsigned int		nr_ops;
	struct ftrace_ops	*ops[] __counted_by(nr_ops);
};

/**
 * dispatch_set_needs_regs - test whether the entry of a set saves all registers
 * @set: the set
 *
 * Callbacks that change the instruction pointer need this as well: only the entry that saves all
 * registers restores what callbacks have changed.
 *
 * Context: any.
 *
 * Return: true if all registers are saved.
 */
static inline bool dispatch_set_needs_regs(const struct dispatch_set *set)
{
	return IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS) && (set->flags & SET_FLAGS);
}

/**
 * dispatch_set_args_only - test whether few registers are enough for all ops of a set
 * @set: the set
 *
 * An architecture whose entry never saves more than these registers need not call this.
 *
 * Context: any.
 *
 * Return: true if all ops have FTRACE_OPS_FL_ARGS_ONLY.
 */
static inline bool dispatch_set_args_only(const struct dispatch_set *set)
{
	return set->flags & FTRACE_OPS_FL_ARGS_ONLY;
}

/**
 * arch_trampoline_build - generate the code for a set
 * @set: the set; its ops and flags are filled in
 *
 * Sets @set->trampoline and @set->size.  Generated code is never changed again, except by
 * arch_trampoline_disarm().
 *
 * The sites that will hold the set are not known yet; they may be in the kernel, in modules, or
 * both.  The code is placed near the kernel's text, where most sites reach it; see
 * arch_site_reaches() for the others.
 *
 * The code makes the calls that dispatch_call() returns.  All of them get the value of parent_ip
 * at the entry, because one of them may replace the return address.  If there is only one call,
 * that value need not be saved.
 *
 * If @set->direct is not 0, the code ends in a jump to that address, with the stack and the
 * arguments as at the entry, instead of a return.  There is at least one call.
 *
 * Context: process, may sleep; ftrace_lock held.
 *
 * Return: 0; -ENOMEM, also if the code would not fit or would be out of reach; -EOPNOTSUPP if the
 * architecture has no trampolines.  With an error @set->trampoline and @set->size are unchanged,
 * and the caller uses ftrace_caller or ftrace_regs_caller.
 */
int arch_trampoline_build(struct dispatch_set *set);

/**
 * arch_trampoline_free - free the code of a set
 * @set: a set with generated code, which no task executes or will execute
 *
 * Context: process, may sleep.
 */
void arch_trampoline_free(struct dispatch_set *set);

/**
 * arch_trampoline_disarm - make generated code return without calling an ops
 * @set: a set with generated code
 *
 * This cannot be undone.  A task that is in the code already may still call the ops.
 *
 * Context: may sleep; CPU hotplug lock and text_mutex held.
 */
void arch_trampoline_disarm(const struct dispatch_set *set);

/**
 * arch_trampoline_static_ip - find the address in a static entry that has the same stack frame
 * @set: a set with generated code
 * @ip: an address in the generated code
 *
 * Unwinders have unwind data for the static entries only.
 *
 * Context: any, NMI included; preemption off.
 *
 * Return: the address in a static entry at which the stack has the same layout as at @ip.
 */
unsigned long arch_trampoline_static_ip(const struct dispatch_set *set, unsigned long ip);

/**
 * arch_trampoline_call - call a trampoline as a site does, for tests
 * @trampoline: trampoline of a set, or a static entry
 *
 * Sets up registers and stack as a site and the code in front of it do: an entry does not follow
 * the calling convention of functions.  Defined in the architecture's tests, with
 * CONFIG_FTRACE_KUNIT_TEST only.
 *
 * Context: as the set's ops.
 */
void arch_trampoline_call(unsigned long trampoline);

/**
 * arch_test_regs - fill in registers as at the entry of a function, for tests
 * @fregs: the registers; ftrace_regs_size() bytes, all 0
 * @ret: location of the return address of the function; a callback may replace the address
 *
 * Defined in the architecture's tests, with CONFIG_FTRACE_KUNIT_TEST only.
 *
 * Context: any.
 */
void arch_test_regs(struct ftrace_regs *fregs, unsigned long *ret);

/* ------------------------------------------------------------------ */
/* Sites as the compiler left them					*/

/*
 * Sites that are as the compiler left them call __fentry__ or _mcount.  That entry returns at once
 * while this is 0; otherwise it continues in ftrace_caller, or does what ftrace_caller does.
 *
 * With DYNAMIC_FTRACE the value only decides whether sites in no table are noted (SPEC D14).  An
 * entry may leave out the test: see arch_ftrace_ops_list_func(), which repeats it.
 *
 * Without DYNAMIC_FTRACE all sites stay as the compiler left them (SPEC D15).  The entry of an
 * architecture that selects HAVE_FUNCTION_TRACE_MCOUNT_TEST tests function_trace_stop first, and
 * returns if that is not 0; for other architectures, the code that the entry calls tests it.
 */
extern int ftrace_entry_open;

/* ------------------------------------------------------------------ */

/**
 * dispatch_func - get the function that a trampoline calls for an ops
 * @ops: an ops of a set
 *
 * Context: any, NMI included.
 *
 * Return: @ops->func, or the guard in front of it that the flags of the ops ask for;
 * ftrace_stub() for an ops that is never called.
 */
ftrace_func_t dispatch_func(const struct ftrace_ops *ops);

/**
 * struct dispatch_call - one of the calls that the code of a set makes
 * @func: function that is called
 * @op: third argument of @func
 */
struct dispatch_call {
	ftrace_func_t	func;
	void		*op;
};

/**
 * dispatch_call - get one of the calls of a set
 * @set: the set; its ops are filled in
 * @n: index in &dispatch_set.ops of the first ops that the call serves
 * @call: filled in
 *
 * There is one call for each ops, except that neighbours with the same &ftrace_ops.joint share one
 * call of that function.  The function gets the address in &dispatch_set.ops of the first of
 * them; the others follow there.
 *
 * Context: any, NMI included.
 *
 * Return: index of the first ops behind those that the call serves, which is the @n of the next
 * call; &dispatch_set.nr_ops behind the last.
 */
unsigned int dispatch_call(const struct dispatch_set *set, unsigned int n,
			   struct dispatch_call *call);

/**
 * arch_ftrace_set_direct - have ftrace_direct_caller jump to an address instead of returning
 * @fregs: registers that the entry has saved
 * @addr: the address
 *
 * Another entry that has saved @fregs ignores the address: the direct call was attached when the
 * entry was running already.
 *
 * Context: arch_ftrace_ops_list_func().
 */
#ifndef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS
static inline void arch_ftrace_set_direct(struct ftrace_regs *fregs, unsigned long addr)
{
}
#endif

/*
 * Called by ftrace_caller, ftrace_regs_caller and ftrace_direct_caller.  Documented in
 * kernel/trace/dispatch/dispatch.c or, without DYNAMIC_FTRACE, chain.c.
 */
void arch_ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs);

#endif /* _LINUX_FTRACE_ARCH_H */
