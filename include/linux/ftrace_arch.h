/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Between the function tracer and the architectures.
 *
 * The core knows call sites as addresses and what they call as addresses; how
 * an instruction looks, and how it is written while an NMI may execute it, is
 * the architecture's.  So is the code of a trampoline.  An architecture
 * implements everything named arch_ here; the rest it may call.
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
 * A site is MCOUNT_INSN_SIZE bytes, one instruction, at the address of its record.
 * Nothing around it changes once arch_site_init() has made it a nop, but for the second
 * instruction of which the last paragraph tells.  Nor are there two sites in one
 * instruction's reach: each is written for itself.
 *
 * A stop of the machine makes sure of what CPUs do, not of what tasks do: a
 * task may have been preempted in front of any instruction, for as long as it
 * likes.  If a site were two instructions that change, it would go on in the
 * middle of the new one with what the old one has begun.  So where the compiler
 * makes a call of several (the address loaded into a register, say), all but one
 * stay as they are, and harmless, also while the site is a nop; the one that
 * changes is a jump over the rest, or the nop or first of them.  What such a site
 * calls is then fixed, or within the reach of one instruction: see
 * arch_site_reaches().
 *
 * A second instruction of a site may change as well, to let it reach further, if each of
 * the two may be old or new for itself: written one after the other, every CPU told in
 * between, and no task worse off in whichever state it finds them.  See
 * arch/mips/kernel/ftrace.c.
 */

/* Not an address: the site still holds what the compiler made. */
#define PATCH_AS_COMPILED	1UL

/* Sites in one batch: bounds the memory that a change takes. */
#define PATCH_BATCH	1024U

/*
 * Sites that an architecture is told to write at once: the more, the less often
 * all CPUs have to wait for each other.  Nobody looks at the time meanwhile, so
 * there are more only where a stop may take long anyway.
 */
#define PATCH_GROUP	32U
#define PATCH_GROUP_MAX	PATCH_BATCH

/**
 * struct patch_site - one change
 * @site: the record
 * @ip: address of the site
 * @old: what it calls, 0 for the nop, PATCH_AS_COMPILED for what the compiler made it call
 * @new: what it shall call, 0 for the nop
 * @was: id of the dispatch set that goes with @old
 * @set: id of the dispatch set that goes with @new
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
 * @nr: how many
 * @done: how many of them are written
 * @ready: how many the architecture is prepared to write
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
 * @ip: the site, in text that is still writable and not executed meanwhile
 *
 * Context: boot, or the loading of a module; ftrace_lock held.
 *
 * Return: 0, also if it is a nop already; -EINVAL if it is not the expected
 * call: nothing was written.
 */
int arch_site_init(unsigned long ip);

/**
 * arch_sites_init_done - behind the last arch_site_init() of a region
 * @first: the address of its first site
 * @last: that of its last one
 *
 * Makes the code in between be seen by whoever will execute it.
 *
 * Context: as arch_site_init().
 */
void arch_sites_init_done(unsigned long first, unsigned long last);

/**
 * arch_compiled_site - the site at an address, if it is as the compiler left it
 * @ip: what arch_ftrace_ops_list_func() was given, or anything else
 *
 * Looks at the bytes there, which may be gone.
 *
 * Context: process; must not fault.
 *
 * Return: the address of the site, which may differ where sites are of two kinds; 0 if
 * it is none.
 */
unsigned long arch_compiled_site(unsigned long ip);

/**
 * arch_site_is_split - may a task be in the middle of a site as the compiler left it
 * @ip: the site
 *
 * Then it is made a nop, and not changed again before dispatch_synchronize() has
 * returned.  A site that is one instruction has no middle.
 *
 * Context: process, the site is in memory.
 */
bool arch_site_is_split(unsigned long ip);

/**
 * arch_site_reaches - can the one instruction of a site call an address
 * @ip: the site
 * @target: a trampoline
 *
 * Where it cannot, the site calls ftrace_caller, or ftrace_regs_caller, which
 * look the set up: each site has to reach these.  Defined in asm/ftrace.h, as
 * true if code and trampolines are always near.
 *
 * Context: any.
 */
#ifdef CONFIG_DYNAMIC_FTRACE
static __always_inline bool arch_site_reaches(unsigned long ip, unsigned long target);
#endif

/**
 * arch_site_span - how much text belongs to a site, for who else may write there
 * @ip: the site
 *
 * More than MCOUNT_INSN_SIZE where the call is made of several instructions, or the one
 * has a delay slot.
 *
 * Context: any.
 *
 * Return: a number of bytes, from @ip on; ARCH_SITE_SPAN_MAX at the most.
 */
unsigned int arch_site_span(unsigned long ip);

/* No site is longer: how far in front of an address one has to be looked for. */
#define ARCH_SITE_SPAN_MAX	32U

/**
 * arch_patch_prepare - get ready to write sites of a batch
 * @batch: those before @batch->done are written
 *
 * Sets @batch->ready behind at least one more.
 *
 * Context: process, may sleep; CPU hotplug lock and text_mutex held.
 *
 * Return: 0; -ENOMEM, but not once it has returned 0: what memory it takes then is
 * to be kept for good, or taken at boot; -EFAULT for a site that is not in memory,
 * and @batch->ready is its index.  Nothing is to be undone then.
 *
 * A change that stopped half-way for want of memory could be neither completed nor
 * undone, with sites calling an ops that its owner is about to free.  As it is,
 * -ENOMEM means that no site was ever written.
 */
int arch_patch_prepare(struct patch_batch *batch);

/**
 * arch_patch_finish - undo arch_patch_prepare()
 * @batch: as it was prepared; sites up to @batch->done are written
 *
 * Context: as arch_patch_prepare().
 */
void arch_patch_finish(struct patch_batch *batch);

/**
 * arch_patch_open - begin writing on this CPU, inside the stop
 * @batch: prepared
 *
 * Context: inside a stop, interrupts off, on the one CPU that writes.
 */
void arch_patch_open(struct patch_batch *batch);

/**
 * arch_patch_close - the end of what arch_patch_open() began
 * @batch: the same
 *
 * Context: as arch_patch_open(), in the same stop.
 */
void arch_patch_close(struct patch_batch *batch);

/**
 * arch_patch_sites - write some sites, verifying what is there
 * @batch: opened
 * @to: behind the last of them, the first is @batch->done; PATCH_GROUP_MAX at most
 *
 * Raises @batch->done beyond those that are written: all, or some from the first
 * on, and at least that one unless it fails.
 *
 * An NMI on any CPU, this one included, that executes one of the sites meanwhile
 * does what its old instruction did or what the new one does (SPEC D4).  No byte
 * outside of the arch_site_span() bytes of a site may look different to it, or to
 * anyone, at any time.
 *
 * Context: inside a stop, between arch_patch_open() and arch_patch_close().
 *
 * Return: 0; or for the site that is @batch->done then: -EINVAL if its bytes are
 * not @old, and neither it nor any behind it was written; -EFAULT if they did not
 * take, and those behind it, up to @to, may have been written or not.
 */
int arch_patch_sites(struct patch_batch *batch, unsigned int to);

/**
 * arch_patch_sync - make this CPU see patched code
 * @batch: opened
 * @from: index of the first site that was written in this stop
 * @to: behind the last one that was, or may be being, written; more than @from
 *
 * On every CPU at the end of a stop, and when patch_sync_cpus() asks for it.  An
 * instruction cache that does not see stores is flushed here, where the sites
 * are: they are in @batch->sites.
 *
 * Context: inside a stop, interrupts off.
 */
void arch_patch_sync(const struct patch_batch *batch, unsigned int from, unsigned int to);

/**
 * arch_site_insn - what stands at a site and what should, for the report
 * @ip: the site
 * @target: what it should call, as in struct patch_site
 * @found: filled in, if the site can be read
 * @expected: filled in
 *
 * Of a site of several instructions it is one that is not as it should be.
 *
 * Context: process, when a change has failed; must not fault.
 *
 * Return: true if the site can be read.
 */
bool arch_site_insn(unsigned long ip, unsigned long target,
		    u8 found[MCOUNT_INSN_SIZE], u8 expected[MCOUNT_INSN_SIZE]);

/**
 * arch_patch_in_guest - does this kernel share its CPUs with others?
 *
 * Context: any.
 *
 * Return: true below a hypervisor, or in an emulator as far as that can be told.
 */
bool arch_patch_in_guest(void);

/**
 * patch_sync_cpus - have every CPU serialize
 *
 * For arch_patch_sites() between the steps of writes that are not one store.
 * On return each CPU has run arch_patch_sync(), after it saw what this one
 * wrote before.
 *
 * Context: inside a stop, on the one CPU that writes.
 */
void patch_sync_cpus(void);

/**
 * patch_test_between - have somebody look at what is between the steps, for tests
 * @look: notrace, called by patch_sync_cpus() before it returns, on the CPU that
 *	writes, in the stop; NULL for nobody
 *
 * That is for the sites that the caller has written. Others may write some meanwhile, as
 * ftraced does.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void patch_test_between(void (*look)(void));

/* ------------------------------------------------------------------ */
/* Trampolines								*/

/* The set of a site that nobody traces. */
#define DISPATCH_EMPTY	0U

/* An ops with one of these needs all registers: dispatch_set_needs_regs(). */
#define SET_FLAGS	(FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY)

/**
 * struct dispatch_set - some ops, in the order in which they are called
 * @id: what a site's word holds; never 0 here
 * @sites: how many sites hold it
 * @flags: the union of its ops' SET_FLAGS, and FTRACE_OPS_FL_ARGS_ONLY if all have it
 * @trampoline: what its sites call; ftrace_caller where none could be made
 * @size: bytes of generated code, 0 for ftrace_caller
 * @node: in the list of all sets
 * @by_ops: where sets are looked up by their ops, until it is retired
 * @key: of that: the sum of the addresses of its ops
 * @unused: among those that no site holds and that are not retired
 * @dead: among those about to be freed
 * @retired: no site holds it and none will again
 * @outdated: another set takes its place: see dispatch_renewed()
 * @disarmed: its ops are not called any more, for they may be gone
 * @waited: retired, and the grace period for its trampoline has begun
 * @nr_ops: how many ops, at least one
 * @ops: the ops, and behind them NULL
 *
 * @id, @flags, @trampoline, @size, @key and the ops do not change once the set can be
 * found.  The rest is protected by ftrace_lock.
 */
struct dispatch_set {
	u32			id;
	unsigned int		sites;
	unsigned long		flags;
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
 * dispatch_set_needs_regs - does the entry of a set save all registers
 * @set: the set
 *
 * Who may change the instruction pointer needs it too: only that entry puts
 * back what callbacks have changed.
 *
 * Context: any.
 */
static inline bool dispatch_set_needs_regs(const struct dispatch_set *set)
{
	return IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS) && (set->flags & SET_FLAGS);
}

/**
 * dispatch_set_args_only - do all ops of a set make do with few registers
 * @set: the set
 *
 * See FTRACE_OPS_FL_ARGS_ONLY.  An architecture that saves no more than these anyway
 * need not ask.
 *
 * Context: any.
 */
static inline bool dispatch_set_args_only(const struct dispatch_set *set)
{
	return set->flags & FTRACE_OPS_FL_ARGS_ONLY;
}

/**
 * arch_trampoline_build - generate the code for a set
 * @set: its ops and flags are filled in
 *
 * Sets ->trampoline and ->size; but for arch_trampoline_disarm(), code that is
 * written is never written again.
 *
 * Which sites will hold the set is not known yet, and they may lie anywhere: in
 * the kernel, in modules, both.  The code goes where most sites reach it, near
 * the kernel's text; for the rest there is arch_site_reaches().
 *
 * The code makes the calls that dispatch_call() tells.  All are given one value of
 * parent_ip, that which is found at the entry: one of them may replace the return
 * address.  It need not be put where it can be found again if there is one call only.
 *
 * Context: process, may sleep; ftrace_lock held.
 *
 * Return: 0; -ENOMEM, also where the code would not fit or reach; -EOPNOTSUPP
 * where there are none.  With an error ->trampoline and ->size are as they were
 * (the caller falls back on ftrace_caller or ftrace_regs_caller).
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
 * arch_trampoline_disarm - make generated code return without calling anybody
 * @set: a set with generated code
 *
 * For good.  A task that is in the code already may still call the ops.
 *
 * Context: may sleep; CPU hotplug lock and text_mutex held.
 */
void arch_trampoline_disarm(const struct dispatch_set *set);

/**
 * arch_trampoline_twin - the static code that has the same frame
 * @set: a set with generated code
 * @ip: an address in it
 *
 * Unwinders know the static entries; this tells them the address in one of these at which
 * the stack looks as it does at @ip.
 *
 * Context: any, NMI included; preemption off.
 *
 * Return: that address.
 */
unsigned long arch_trampoline_twin(const struct dispatch_set *set, unsigned long ip);

/**
 * arch_trampoline_call - do what a site does that calls a trampoline, for tests
 * @trampoline: that of a set, or a static entry
 *
 * It sets up what a site, and the code in front of it, would have: an entry is not a
 * function.  Defined beside the architecture's tests: only with CONFIG_FTRACE_KUNIT_TEST.
 *
 * Context: as the set's ops.
 */
void arch_trampoline_call(unsigned long trampoline);

/**
 * arch_test_regs - make registers as the entry of a function has them, for tests
 * @fregs: filled with 0, ftrace_regs_size() bytes
 * @ret: where the function will return to; a callback may replace that
 *
 * As arch_trampoline_call() is defined beside the architecture's tests.
 *
 * Context: any.
 */
void arch_test_regs(struct ftrace_regs *fregs, unsigned long *ret);

/* ------------------------------------------------------------------ */
/* Returns								*/

/*
 * A call whose return is waited for returns to return_to_handler(), in assembly.  That puts
 * a struct ftrace_return on the stack, with all in it that a function returns something in,
 * calls graph_return() and goes on where that has said, with everything else as the
 * function has left it.  An unwinder in the middle of it finds a frame of
 * return_to_handler(), as if the caller had called it with the same stack pointer: so
 * return_to_handler() is a return address there, which unwinders hand to
 * ftrace_graph_ret_addr(), until graph_return() has put the true one in its place.
 *
 * struct ftrace_return is the architecture's, in asm/ftrace.h; of its fields are known
 *
 *	value	an array, the registers that a function returns something in
 *	to	where return_to_handler() will go on
 */
struct ftrace_return;

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/**
 * arch_return_at - by what a return is known
 * @r: what return_to_handler() has put on the stack
 *
 * Context: graph_return().
 * Return: the place of the return address on the stack; or what arch_graph_returns()
 * needs.
 */
static __always_inline unsigned long *arch_return_at(const struct ftrace_return *r);

/**
 * arch_return_regs - the registers at a return
 * @r: what return_to_handler() has put on the stack
 * @regs: filled in: what a value is returned in, the stack pointer and, if there is one,
 *	the frame pointer; the rest is 0, but for what says that they are the kernel's, and
 *	enough to begin a stack with, once the instruction pointer has been set
 *
 * Context: graph_return().
 */
void arch_return_regs(const struct ftrace_return *r, struct pt_regs *regs);

#endif

/**
 * arch_graph_ret - where a function's return address is, to be replaced
 * @fregs: as a callback was given it
 *
 * Defined in asm/ftrace.h with FUNCTION_GRAPH_TRACER.
 *
 * Context: the callback.
 *
 * Return: a place on the stack, or in @fregs if the entry puts it back from there.
 */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
static __always_inline unsigned long *arch_graph_ret(struct ftrace_regs *fregs);
#endif

/**
 * arch_graph_retp - by what the return of a call is known
 * @fregs: as a callback was given it
 *
 * The same is found by return_to_handler(), and by unwinders that have come to the call.
 * The place of the return address on the stack; or whatever arch_graph_returns() needs.
 *
 * Context: the callback.
 */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
static __always_inline unsigned long *arch_graph_retp(struct ftrace_regs *fregs);
#endif

#ifndef HAVE_ARCH_GRAPH_RETURNS
/**
 * arch_graph_returns - can it be but the newest call that returns?
 * @newest: its &ftrace_ret_stack.retp
 * @older: that of the call before it
 * @at: by what return_to_handler() knows the return
 *
 * Asked at each return; where it says no, arch_graph_is_returning() is asked of each call,
 * from the newest one on.
 *
 * An architecture that cannot find the place of the return address any more defines
 * HAVE_ARCH_GRAPH_RETURNS and the four functions here.
 *
 * Context: any; preemption off.
 */
static __always_inline bool arch_graph_returns(const unsigned long *newest,
					       const unsigned long *older,
					       const unsigned long *at)
{
	return newest == at;
}

/**
 * arch_graph_is_returning - does this call return?
 * @call: the call
 * @at: by what return_to_handler() knows the return
 *
 * Context: any; interrupts off, and what is called is the tracer's own.
 */
static inline bool arch_graph_is_returning(const struct ftrace_ret_stack *call,
					   const unsigned long *at)
{
	return call->retp == at;
}

/**
 * arch_graph_may_be_over - might a call have been left without a return?
 * @older: the &ftrace_ret_stack.retp of the newest call
 * @retp: that of one which begins
 *
 * Where it says yes, arch_graph_is_over() is asked.  To say no to all means that such
 * calls are found when one returns that is older.
 *
 * Context: any; preemption off.
 */
static __always_inline bool arch_graph_may_be_over(const unsigned long *older,
						   const unsigned long *retp)
{
	return false;
}

/**
 * arch_graph_is_over - was a call left without a return?
 * @older: the newest call
 * @func: a function that is called, but not by a jump from @older
 * @retp: its &ftrace_ret_stack.retp
 *
 * Context: any; interrupts off, and what is called is the tracer's own.
 */
static inline bool arch_graph_is_over(const struct ftrace_ret_stack *older,
				      unsigned long func, const unsigned long *retp)
{
	return false;
}
#endif

/* For return_to_handler(): see graph/call.c. */
void graph_return(struct ftrace_return *r);

/* ------------------------------------------------------------------ */
/* Sites as the compiler left them					*/

/*
 * What all sites call as the compiler left them, __fentry__ or _mcount, returns at once
 * while this is 0; else it goes on to ftrace_caller, or does what that does.  With
 * DYNAMIC_FTRACE it only decides whether sites in no table are noted (SPEC D14), and an
 * entry may leave out the test: note_site() in dispatch.c makes it again.
 *
 * Without it all sites stay like that (SPEC D15).  With HAVE_FUNCTION_TRACE_MCOUNT_TEST
 * the entry looks at function_trace_stop first then, and returns if that is not 0; who
 * does not select it has that done behind the entry.
 */
extern int ftrace_entry_open;

/* ------------------------------------------------------------------ */

/**
 * dispatch_func - what a trampoline calls for an ops
 * @ops: one of a set
 *
 * Context: any, NMI included.
 *
 * Return: @ops->func, or the guard in front of it that its flags ask for;
 * ftrace_stub() for one that is never called.
 */
ftrace_func_t dispatch_func(const struct ftrace_ops *ops);

/**
 * struct dispatch_call - one of the calls that the code of a set makes
 * @func: what is called
 * @op: its third argument
 */
struct dispatch_call {
	ftrace_func_t	func;
	void		*op;
};

/**
 * dispatch_call - the calls of a set, one after another
 * @set: the set; its ops are filled in
 * @n: from which of its ops on
 * @call: filled in
 *
 * Each ops has a call of its own, but those next to each other that have one
 * &ftrace_ops.joint.  That stands for all of them and is given the place of the first one
 * in &dispatch_set.ops: the others follow, as far as there are any that have it.
 *
 * Context: any, NMI included.
 *
 * Return: the first ops that is not called by it; &dispatch_set.nr_ops if there is none.
 */
unsigned int dispatch_call(const struct dispatch_set *set, unsigned int n,
			   struct dispatch_call *call);

/*
 * What ftrace_caller and ftrace_regs_caller call: told in dispatch.c or, without
 * DYNAMIC_FTRACE, in chain.c.
 */
void arch_ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs);

#endif /* _LINUX_FTRACE_ARCH_H */
