/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The function tracer, as the rest of the kernel and its modules see it.
 *
 * Three groups of callers meet here: those that attach a callback to traced
 * functions (struct ftrace_ops), the kernel's own hooks into the tracer
 * (boot, modules, unwinding, text reservation), and those that only need to
 * know that a tracer exists.  How it works inside is told in
 * Documentation/trace/design.rst.
 *
 * What each function promises is told where it is defined, in kernel/trace/:
 * ops/register.c (registering), ops/edit_api.c and ops/edit.c (choosing
 * functions), text/ (boot, modules), sites/questions.c (questions about addresses),
 * boot/boot.c, output/dump.c, instance/api.c.
 */
#ifndef _LINUX_FTRACE_H
#define _LINUX_FTRACE_H

#include <linux/init.h>
#include <linux/types.h>
#include <linux/sched.h>
#include <linux/ktime.h>
#include <linux/bitops.h>
#include <linux/ptrace.h>
#include <linux/linkage.h>
#include <linux/kallsyms.h>
#include <linux/jump_label.h>
#include <linux/trace_clock.h>
#include <linux/trace_recursion.h>
#include <linux/fs.h>

#include <asm/ftrace.h>

struct module;
struct ftrace_ops;
struct ftrace_regs;
struct ftrace_filter;
struct trace_array;
struct ctl_table;

/* ------------------------------------------------------------------ */
/* Attaching to functions						*/

/**
 * typedef ftrace_func_t - a callback at the entry of a traced function
 * @ip: address of the call site in the traced function
 * @parent_ip: where the traced function will return to
 * @op: the ops that is attached
 * @fregs: registers at the entry; complete only with FTRACE_OPS_FL_SAVE_REGS
 *
 * Context: whatever the traced function runs in, NMI included; preemption as
 * it was there, or off.  The callback must be notrace, or ask for
 * FTRACE_OPS_FL_RECURSION.  It must not sleep.
 */
typedef void (*ftrace_func_t)(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *op, struct ftrace_regs *fregs);

/**
 * enum ftrace_ops_cmd - what a user of DIRECT ops is asked
 * @FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF: it comes to a site with an
 *	IPMODIFY ops
 * @FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER: an IPMODIFY ops comes to its site
 * @FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER: that ops goes
 *
 * Nobody is asked as long as there are no DIRECT ops.
 */
enum ftrace_ops_cmd {
	FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF,
	FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER,
	FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER,
};

/**
 * typedef ftrace_ops_func_t - a user of DIRECT ops answers
 * @op: the ops
 * @cmd: what it is asked
 *
 * Return: 0, or an errno to refuse.
 */
typedef int (*ftrace_ops_func_t)(struct ftrace_ops *op, enum ftrace_ops_cmd cmd);

/*
 * Flags of an ops.  The first group is set by the user before registering and
 * must not change while registered; the second is kept by the tracer.
 */
enum {
	/* full struct pt_regs for the callback; EINVAL where not possible */
	FTRACE_OPS_FL_SAVE_REGS			= BIT(2),
	/* the same, but without complaint where it is not possible */
	FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED	= BIT(3),
	/* not called inside a callback with this flag, in the same context */
	FTRACE_OPS_FL_RECURSION			= BIT(4),
	/* a place holder, never called */
	FTRACE_OPS_FL_STUB			= BIT(5),
	/*
	 * the callback may change the instruction pointer: one such per site, and it says
	 * of which functions
	 */
	FTRACE_OPS_FL_IPMODIFY			= BIT(12),
	/* @func honours set_ftrace_pid by itself; nobody does it for it */
	FTRACE_OPS_FL_PID			= BIT(13),
	/* call only while RCU watches; guarded like FTRACE_OPS_FL_RECURSION */
	FTRACE_OPS_FL_RCU			= BIT(14),
	/* ops->private is a struct trace_array */
	FTRACE_OPS_FL_TRACE_ARRAY		= BIT(15),
	/* must stay attached: kernel.ftrace_enabled=0 is refused meanwhile */
	FTRACE_OPS_FL_PERMANENT			= BIT(16),
	/* &ftrace_ops.seq says when it is called, and is set already; tracer only */
	FTRACE_OPS_FL_ORDERED			= BIT(19),
	/*
	 * it reads arguments and the stack pointer, and never calls ftrace_get_regs(): the
	 * rest of its registers may be random; tracer only
	 */
	FTRACE_OPS_FL_ARGS_ONLY			= BIT(20),
	/* names of what no architecture offers yet */
	FTRACE_OPS_FL_DIRECT			= BIT(17),
	FTRACE_OPS_FL_SUBOP			= BIT(18),

	/* registered, from register_ftrace_function() to its counterpart */
	FTRACE_OPS_FL_ENABLED			= BIT(0),
	/* lives in memory that may go away after unregistering */
	FTRACE_OPS_FL_DYNAMIC			= BIT(1),
	FTRACE_OPS_FL_INITIALIZED		= BIT(6),
};

/* What a callback needs that reads arguments. */
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#define FTRACE_OPS_FL_SAVE_ARGS		0
#else
#define FTRACE_OPS_FL_SAVE_ARGS		FTRACE_OPS_FL_SAVE_REGS
#endif

/**
 * struct ftrace_ops - one user of traced functions
 * @func: called at the entry of each function that passes the filter
 * @flags: FTRACE_OPS_FL_*
 * @private: for the user
 * @ops_func: for DIRECT ops: agrees to share a site with an IPMODIFY ops
 * @filter: which functions; NULL means all (SPEC D5).  Tracer only.
 * @node: in the list of registered ops.  Tracer only.
 * @filter_node: among those of them that have the same @filter.  Tracer only.
 * @seq: who is called first: the order of registering, but for FTRACE_OPS_FL_ORDERED.
 *	Tracer only.
 * @joint: what may be called once for several that have the same one, instead of the @func
 *	of each: see dispatch_call().  Not with flags for which there is a guard in front of
 *	@func.  Tracer only.
 *
 * Zero-filled but for the first three fields, it traces every function.
 * The memory must stay until unregister_ftrace_function() has returned.
 */
struct ftrace_ops {
	ftrace_func_t			func;
	unsigned long			flags;
	void				*private;
	ftrace_ops_func_t		ops_func;
	struct ftrace_filter		*filter;
	struct list_head		node;
	struct list_head		filter_node;
	u64				seq;
	ftrace_func_t			joint;
};

#ifdef CONFIG_FUNCTION_TRACER

#include <linux/ftrace_regs.h>

/* Mirrors the sysctl kernel.ftrace_enabled (SPEC D7). */
extern int ftrace_enabled;

int register_ftrace_function(struct ftrace_ops *ops);
int unregister_ftrace_function(struct ftrace_ops *ops);

/* A callback that does nothing, which every architecture provides. */
void ftrace_stub(unsigned long ip, unsigned long parent_ip,
		 struct ftrace_ops *op, struct ftrace_regs *fregs);
int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt,
			  unsigned long *addrs);

#ifndef CONFIG_DYNAMIC_FTRACE
/* While it is not 0, no callback is called.  Anybody may set it, in any context. */
extern int function_trace_stop;
#endif

void ftrace_kill(void);
void tracing_off_all(void);
void tracing_stop_all(void);
void tracing_start_all(void);
int __ftrace_enabled_save(void);
void __ftrace_enabled_restore(int enabled);

/**
 * tracer_disable - stop recording for good, in all instances
 *
 * Context: any, NMI included.
 */
static inline void tracer_disable(void)
{
	__ftrace_enabled_save();
}

/**
 * struct ftrace_regs - registers at a function's entry or exit
 *
 * Opaque: what is in it depends on the architecture and on the flags of the
 * ops.  Use the ftrace_regs_*() accessors.
 */
struct ftrace_regs {
};

/**
 * ftrace_regs_size - bytes that a struct ftrace_regs really has
 *
 * For those who copy one.
 */
#define ftrace_regs_size()	sizeof(struct __arch_ftrace_regs)

/* There, a callback is given NULL unless all registers were saved. */
#ifndef CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS
static inline void ftrace_regs_set_instruction_pointer(struct ftrace_regs *fregs,
						       unsigned long ip)
{
}

static inline struct pt_regs *arch_ftrace_get_regs(struct ftrace_regs *fregs)
{
	return &arch_ftrace_regs(fregs)->regs;
}
#endif

/**
 * ftrace_get_regs - the complete registers, if they were saved
 * @fregs: what the callback was given, or NULL
 *
 * Context: the callback, of an ops without FTRACE_OPS_FL_ARGS_ONLY.
 *
 * Return: the registers; NULL unless every one is there, which only
 * FTRACE_OPS_FL_SAVE_REGS makes sure of.
 */
static __always_inline struct pt_regs *ftrace_get_regs(struct ftrace_regs *fregs)
{
	return fregs ? arch_ftrace_get_regs(fregs) : NULL;
}

/**
 * ftrace_regs_has_args - may arguments be read from @fregs
 * @fregs: what the callback was given
 *
 * Context: the callback.
 *
 * Return: true if ftrace_regs_get_argument() and its like will do.
 */
static __always_inline bool ftrace_regs_has_args(struct ftrace_regs *fregs)
{
	return IS_ENABLED(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS) ||
	       ftrace_get_regs(fregs);
}

#else /* !CONFIG_FUNCTION_TRACER */

static inline int register_ftrace_function(struct ftrace_ops *ops)
{
	return 0;
}

static inline int unregister_ftrace_function(struct ftrace_ops *ops)
{
	return 0;
}

static inline int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt,
					unsigned long *addrs)
{
	return -EOPNOTSUPP;
}

static inline void ftrace_kill(void) { }
static inline void tracer_disable(void) { }
static inline int __ftrace_enabled_save(void) { return 0; }
static inline void __ftrace_enabled_restore(int enabled) { }

#endif /* CONFIG_FUNCTION_TRACER */

/*
 * What sites call where no trampoline could be generated; every architecture
 * provides them in assembly, the second with DYNAMIC_FTRACE_WITH_REGS.  Not to
 * be called from C.
 */
void ftrace_caller(void);
void ftrace_regs_caller(void);

/* ------------------------------------------------------------------ */
/* Choosing functions, and asking about them				*/

#ifdef CONFIG_DYNAMIC_FTRACE

int ftrace_set_filter(struct ftrace_ops *ops, unsigned char *buf, int len, int reset);
int ftrace_set_notrace(struct ftrace_ops *ops, unsigned char *buf, int len, int reset);
int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip, int remove, int reset);
int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips,
			  unsigned int cnt, int remove, int reset);
void ftrace_set_global_filter(unsigned char *buf, int len, int reset);
void ftrace_set_global_notrace(unsigned char *buf, int len, int reset);
void ftrace_ops_set_global_filter(struct ftrace_ops *ops);
void ftrace_free_filter(struct ftrace_ops *ops);

unsigned long ftrace_location(unsigned long ip);
unsigned long ftrace_location_range(unsigned long start, unsigned long end);
int ftrace_text_reserved(const void *start, const void *end);
bool is_ftrace_trampoline(unsigned long addr);
unsigned long ftrace_trampoline_twin(unsigned long ip);
int ftrace_mod_get_kallsym(unsigned int symnum, unsigned long *value, char *type,
			   char *name, char *module_name, int *exported);

void ftrace_module_init(struct module *mod);
void ftrace_module_enable(struct module *mod);
void ftrace_release_mod(struct module *mod);
void ftrace_free_mem(struct module *mod, void *start, void *end);
void ftrace_free_init_mem(void);
void ftrace_init(void);

#else /* !CONFIG_DYNAMIC_FTRACE */

static inline int ftrace_set_filter(struct ftrace_ops *ops, unsigned char *buf,
				    int len, int reset)
{
	return -ENODEV;
}

static inline int ftrace_set_notrace(struct ftrace_ops *ops, unsigned char *buf,
				     int len, int reset)
{
	return -ENODEV;
}

static inline int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip,
				       int remove, int reset)
{
	return -ENODEV;
}

static inline int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips,
					unsigned int cnt, int remove, int reset)
{
	return -ENODEV;
}

static inline void ftrace_free_filter(struct ftrace_ops *ops) { }
static inline void ftrace_ops_set_global_filter(struct ftrace_ops *ops) { }
static inline unsigned long ftrace_location(unsigned long ip) { return 0; }
static inline int ftrace_text_reserved(const void *start, const void *end)
{
	return 0;
}

static inline bool is_ftrace_trampoline(unsigned long addr) { return false; }
static inline unsigned long ftrace_trampoline_twin(unsigned long ip) { return 0; }
static inline int ftrace_mod_get_kallsym(unsigned int symnum,
					 unsigned long *value, char *type,
					 char *name, char *module_name,
					 int *exported)
{
	return -ERANGE;
}

static inline void ftrace_module_init(struct module *mod) { }
static inline void ftrace_module_enable(struct module *mod) { }
static inline void ftrace_release_mod(struct module *mod) { }
static inline void ftrace_free_mem(struct module *mod, void *start, void *end) { }
static inline void ftrace_free_init_mem(void) { }
static inline void ftrace_init(void) { }

#endif /* CONFIG_DYNAMIC_FTRACE */

#ifdef CONFIG_FTRACE_MCOUNT_RECORD
#define FTRACE_CALLSITE_SECTION	"__mcount_loc"
/* Addresses of the kernel's own call sites, from the linker script. */
extern unsigned long __start_mcount_loc[];
extern unsigned long __stop_mcount_loc[];
#endif

/* Names of a module's init text that is gone, for kallsyms. */
#if defined(CONFIG_DYNAMIC_FTRACE) && defined(CONFIG_MODULES)
int ftrace_mod_address_lookup(unsigned long addr, unsigned long *size,
			      unsigned long *off, char **modname,
			      const unsigned char **modbuildid, char *sym);
#else
static inline int
ftrace_mod_address_lookup(unsigned long addr, unsigned long *size,
			  unsigned long *off, char **modname,
			  const unsigned char **modbuildid, char *sym)
{
	return 0;
}
#endif

/* Trampolines of the user's own: no architecture offers that yet. */
static inline unsigned long ftrace_find_rec_direct(unsigned long ip)
{
	return 0;
}

static inline int register_ftrace_direct(struct ftrace_ops *ops,
					 unsigned long addr)
{
	return -ENODEV;
}

static inline int unregister_ftrace_direct(struct ftrace_ops *ops,
					   unsigned long addr, bool free_filters)
{
	return -ENODEV;
}

static inline int modify_ftrace_direct(struct ftrace_ops *ops,
				       unsigned long addr)
{
	return -ENODEV;
}

static inline int modify_ftrace_direct_nolock(struct ftrace_ops *ops,
					      unsigned long addr)
{
	return -ENODEV;
}

/* ------------------------------------------------------------------ */
/* The kernel's hooks							*/

#ifdef CONFIG_TRACING
enum ftrace_dump_mode;

void early_trace_init(void);
void trace_init(void);

/* The longest text of ftrace= and ftrace_dump_on_oops, with its NUL. */
#define MAX_TRACER_SIZE		100

/* What sysctls in kernel/sysctl.c show and change. */
extern char ftrace_dump_on_oops[];
int ftrace_dump_on_oops_enabled(void);
extern int tracepoint_printk;
extern int __disable_trace_on_warning;
void disable_trace_on_warning(void);
int tracepoint_printk_sysctl(const struct ctl_table *table, int write,
			     void *buffer, size_t *lenp, loff_t *ppos);
#else
static inline void early_trace_init(void) { }
static inline void trace_init(void) { }
static inline void disable_trace_on_warning(void) { }
#endif

#ifdef CONFIG_FTRACE_SYSCALLS
/* The address of the function behind a system call; by the architecture. */
unsigned long arch_syscall_addr(int nr);
#endif

#include <linux/ftrace_graph.h>
#include <linux/ftrace_stack.h>

/*
 * For the scheduler to tell that preemption has gone off or will go on.  No
 * tracer here wants to know.
 */
#ifdef CONFIG_TRACE_PREEMPT_TOGGLE
void trace_preempt_on(unsigned long ip, unsigned long parent_ip);
void trace_preempt_off(unsigned long ip, unsigned long parent_ip);
#else
/* Macros: computing the arguments walks the stack on some architectures. */
#define trace_preempt_on(...)	do { } while (0)
#define trace_preempt_off(...)	do { } while (0)
#endif

/* ------------------------------------------------------------------ */
/* Callers' addresses							*/

/* The nth caller, counted from the function these stand in; 0 if unknown. */
#ifndef ftrace_return_address0
#define ftrace_return_address0		__builtin_return_address(0)
#endif

#ifndef ftrace_return_address
#ifdef CONFIG_FRAME_POINTER
#define ftrace_return_address(n)	__builtin_return_address(n)
#else
#define ftrace_return_address(...)	0UL
#endif
#endif

#define CALLER_ADDR6	((unsigned long)ftrace_return_address(6))
#define CALLER_ADDR5	((unsigned long)ftrace_return_address(5))
#define CALLER_ADDR4	((unsigned long)ftrace_return_address(4))
#define CALLER_ADDR3	((unsigned long)ftrace_return_address(3))
#define CALLER_ADDR2	((unsigned long)ftrace_return_address(2))
#define CALLER_ADDR1	((unsigned long)ftrace_return_address(1))
#define CALLER_ADDR0	((unsigned long)ftrace_return_address0)

/**
 * get_lock_parent_ip - the nearest caller that is not a lock function
 *
 * Looks three callers far.
 *
 * Context: any.
 *
 * Return: its address, 0 where only the nearest caller can be found.
 */
static __always_inline unsigned long get_lock_parent_ip(void)
{
	if (!in_lock_functions(CALLER_ADDR0))
		return CALLER_ADDR0;
	if (!in_lock_functions(CALLER_ADDR1))
		return CALLER_ADDR1;
	return CALLER_ADDR2;
}

#endif /* _LINUX_FTRACE_H */
