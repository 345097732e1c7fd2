/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The function tracer, as the rest of the kernel and its modules see it.
 *
 * This header serves three groups of callers: those that attach a callback to traced functions
 * (struct ftrace_ops), the kernel's own hooks into the tracer (boot, modules, unwinding, text
 * reservation), and those that only need to know that a tracer exists.
 * Documentation/trace/design.rst describes how the tracer works inside.
 *
 * The kernel-doc of each function is at its definition in kernel/trace/: ops/register.c
 * (registering), ops/edit_api.c and ops/edit.c (choosing functions), text/ (boot, modules),
 * sites/questions.c (queries about addresses), boot/boot.c, output/dump.c, instance/api.c.
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
 * @parent_ip: return address of the traced function
 * @op: the ops that is attached
 * @fregs: registers at the entry; complete only with FTRACE_OPS_FL_SAVE_REGS
 *
 * Context: that of the traced function, NMI included; preemption is as it was in the traced
 * function, or off.  The callback must be notrace, or its ops must have FTRACE_OPS_FL_RECURSION.
 * The callback must not sleep.
 */
typedef void (*ftrace_func_t)(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *op, struct ftrace_regs *fregs);

/**
 * enum ftrace_ops_cmd - requests to the user of DIRECT ops
 * @FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF: the ops is to be attached to a site that has an
 *	IPMODIFY ops
 * @FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER: an IPMODIFY ops is to be attached to a site of
 *	the ops
 * @FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER: the IPMODIFY ops is detached from the site
 */
enum ftrace_ops_cmd {
	FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF,
	FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER,
	FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER,
};

/**
 * typedef ftrace_ops_func_t - a function that answers requests to DIRECT ops
 * @op: the ops
 * @cmd: the request
 *
 * Context: may sleep.  FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF: called by
 * register_ftrace_direct(), with ftrace_lock held.  The other requests: called by
 * register_ftrace_function() and unregister_ftrace_function() of the IPMODIFY ops; the function
 * may call modify_ftrace_direct_nolock().
 *
 * Return: 0, or an errno to refuse, which the caller of the registration gets.
 */
typedef int (*ftrace_ops_func_t)(struct ftrace_ops *op, enum ftrace_ops_cmd cmd);

/*
 * Flags of an ops.  The first group is set by the user before registering and
 * must not change while registered; the second is kept by the tracer.
 */
enum {
	/* the callback needs a full struct pt_regs; -EINVAL where that is not possible */
	FTRACE_OPS_FL_SAVE_REGS			= BIT(2),
	/* the callback gets a full struct pt_regs where that is possible */
	FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED	= BIT(3),
	/* not called inside a callback with this flag, in the same context */
	FTRACE_OPS_FL_RECURSION			= BIT(4),
	/* a place holder, never called */
	FTRACE_OPS_FL_STUB			= BIT(5),
	/*
	 * the callback may change the instruction pointer: only one such ops per site, and its
	 * filter must name functions instead of selecting all
	 */
	FTRACE_OPS_FL_IPMODIFY			= BIT(12),
	/* @func applies set_ftrace_pid itself; the tracer calls it for every task */
	FTRACE_OPS_FL_PID			= BIT(13),
	/* call only while RCU watches; guarded like FTRACE_OPS_FL_RECURSION */
	FTRACE_OPS_FL_RCU			= BIT(14),
	/* ops->private is a struct trace_array */
	FTRACE_OPS_FL_TRACE_ARRAY		= BIT(15),
	/* must stay attached: kernel.ftrace_enabled=0 is refused while the ops is registered */
	FTRACE_OPS_FL_PERMANENT			= BIT(16),
	/* the user has set &ftrace_ops.seq, the position among other ops; tracer only */
	FTRACE_OPS_FL_ORDERED			= BIT(19),
	/*
	 * the callback reads arguments and the stack pointer, and never calls
	 * ftrace_get_regs(): the other registers have any value; tracer only
	 */
	FTRACE_OPS_FL_ARGS_ONLY			= BIT(20),
	/* the sites call &ftrace_ops.direct_call: register_ftrace_direct(); tracer only */
	FTRACE_OPS_FL_DIRECT			= BIT(17),
	/* a feature that no architecture offers yet */
	FTRACE_OPS_FL_SUBOP			= BIT(18),

	/* registered: from register_ftrace_function() to unregister_ftrace_function() */
	FTRACE_OPS_FL_ENABLED			= BIT(0),
	/* the memory of the ops may be freed after unregistering */
	FTRACE_OPS_FL_DYNAMIC			= BIT(1),
	FTRACE_OPS_FL_INITIALIZED		= BIT(6),
};

/* Flag of an ops whose callback reads arguments. */
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#define FTRACE_OPS_FL_SAVE_ARGS		0
#else
#define FTRACE_OPS_FL_SAVE_ARGS		FTRACE_OPS_FL_SAVE_REGS
#endif

/**
 * struct ftrace_ops - one user of traced functions
 * @func: called at the entry of each function that passes the filter
 * @flags: FTRACE_OPS_FL_*
 * @private: private data of the user
 * @ops_func: answers requests to DIRECT ops to share a site with an IPMODIFY ops
 * @filter: selects the functions; NULL selects all (SPEC D5).  Tracer only.
 * @node: node in the list of registered ops.  Tracer only.
 * @filter_node: node in the list of registered ops with the same @filter.  Tracer only.
 * @seq: position among the ops of a site, lowest first: the order of registration, unless the
 *	ops has FTRACE_OPS_FL_ORDERED.  Tracer only.
 * @joint: function that may be called once for several ops with the same @joint, instead of the
 *	@func of each: see dispatch_call().  Must be NULL with flags that put a guard in front
 *	of @func.  Tracer only.
 * @direct_call: address that the sites call, with FTRACE_OPS_FL_DIRECT.  Tracer only.
 *
 * An ops that is zero except for the first three fields traces every function.
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
	unsigned long			direct_call;
};

#ifdef CONFIG_FUNCTION_TRACER

#include <linux/ftrace_regs.h>

/* Mirrors the sysctl kernel.ftrace_enabled (SPEC D7). */
extern int ftrace_enabled;

int register_ftrace_function(struct ftrace_ops *ops);
int unregister_ftrace_function(struct ftrace_ops *ops);

/* A callback that does nothing.  Every architecture provides it. */
void ftrace_stub(unsigned long ip, unsigned long parent_ip,
		 struct ftrace_ops *op, struct ftrace_regs *fregs);
int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt,
			  unsigned long *addrs);

#ifndef CONFIG_DYNAMIC_FTRACE
/* No callback is called while this is not 0.  May be set in any context. */
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
 * Opaque: the content depends on the architecture and on the flags of the ops.  Use the
 * ftrace_regs_*() accessors.
 */
struct ftrace_regs {
};

/**
 * ftrace_regs_size - number of bytes to copy in order to copy a struct ftrace_regs
 */
#define ftrace_regs_size()	sizeof(struct __arch_ftrace_regs)

/* Without HAVE_DYNAMIC_FTRACE_WITH_ARGS, @fregs is NULL unless all registers were saved. */
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
 * ftrace_get_regs - get the complete registers, if they were saved
 * @fregs: argument of the callback, or NULL
 *
 * Context: the callback, of an ops without FTRACE_OPS_FL_ARGS_ONLY.
 *
 * Return: the registers; NULL unless all of them were saved, which only
 * FTRACE_OPS_FL_SAVE_REGS guarantees.
 */
static __always_inline struct pt_regs *ftrace_get_regs(struct ftrace_regs *fregs)
{
	return fregs ? arch_ftrace_get_regs(fregs) : NULL;
}

/**
 * ftrace_regs_has_args - test whether arguments can be read from @fregs
 * @fregs: argument of the callback
 *
 * Context: the callback.
 *
 * Return: true if ftrace_regs_get_argument() and the other accessors of <linux/ftrace_regs.h>
 * may be used.
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
 * The static entries: sites call them where no trampoline could be generated.  Every architecture
 * provides them in assembly, ftrace_regs_caller() with DYNAMIC_FTRACE_WITH_REGS,
 * ftrace_direct_caller() with DYNAMIC_FTRACE_WITH_DIRECT_CALLS.  They must not be called from C.
 */
void ftrace_caller(void);
void ftrace_regs_caller(void);
void ftrace_direct_caller(void);

/* ------------------------------------------------------------------ */
/* Choosing functions, and queries about addresses			*/

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
unsigned long ftrace_trampoline_static_ip(unsigned long ip);
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
static inline unsigned long ftrace_trampoline_static_ip(unsigned long ip) { return 0; }
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

/* For kallsyms: names of functions in a module's init text that was freed. */
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

/* Direct calls: sites call a function that is not part of the tracer. */
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS

unsigned long ftrace_find_rec_direct(unsigned long ip);
int register_ftrace_direct(struct ftrace_ops *ops, unsigned long addr);
int unregister_ftrace_direct(struct ftrace_ops *ops, unsigned long addr, bool free_filters);
int modify_ftrace_direct(struct ftrace_ops *ops, unsigned long addr);
int modify_ftrace_direct_nolock(struct ftrace_ops *ops, unsigned long addr);

/* A direct call that does nothing, for tests; in assembly. */
void ftrace_stub_direct_tramp(void);

#else /* !CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS */

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

#endif /* CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS */

/* ------------------------------------------------------------------ */
/* The kernel's hooks							*/

#ifdef CONFIG_TRACING
enum ftrace_dump_mode;

void early_trace_init(void);
void trace_init(void);

/* The longest text of ftrace= and ftrace_dump_on_oops, with its NUL. */
#define MAX_TRACER_SIZE		100

/* Used by the sysctls in kernel/sysctl.c. */
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
/**
 * arch_syscall_addr() - get the address of the function that implements a system call
 * @nr: number of the system call
 *
 * An architecture whose table is not sys_call_table[] by number defines its own.
 *
 * Context: boot.
 * Return: the address; may be 0 if no ABI of this kernel has a system call with that number.
 */
unsigned long arch_syscall_addr(int nr);
#endif

#include <linux/ftrace_graph.h>
#include <linux/ftrace_stack.h>

/*
 * Called by the scheduler when preemption has been disabled or is about to be enabled.  No tracer
 * uses these calls.
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

/* Address of the nth caller of the function that uses the macro; 0 if unknown. */
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
 * get_lock_parent_ip - find the nearest caller that is not a lock function
 *
 * Checks the two nearest callers; if both are lock functions, the third one is returned.
 *
 * Context: any.
 *
 * Return: address in the caller; 0 if all known callers are lock functions.
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
