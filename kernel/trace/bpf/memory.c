// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers that access memory at addresses that may be wrong. None of them faults pages in, so they
 * can be called in any context.
 *
 * If a helper cannot read, it clears the destination, which the program need not have initialized
 * (ARG_PTR_TO_UNINIT_MEM): a program that ignores the error must not see stale kernel memory.
 */
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/hardirq.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <asm/tlb.h>

#include "helpers.h"

/* Prototype of a helper that reads: (void *to, u32 size, const void *from). */
#define READ_PROTO(helper)						\
{									\
	.arg1_type	= ARG_PTR_TO_UNINIT_MEM,			\
	.arg2_type	= ARG_CONST_SIZE_OR_ZERO,			\
	.arg3_type	= ARG_ANYTHING,					\
	.ret_type	= RET_INTEGER,					\
	.func		= helper,					\
	.gpl_only	= true,						\
}

/* ------------------------------------------------------------------ */
/* Reading user memory							*/

static long memory_read_user(void *to, u32 size, const void __user *from)
{
	long err = copy_from_user_nofault(to, from, size);

	if (unlikely(err))
		memset(to, 0, size);
	return err;
}

/* Return: bytes copied, with the NUL; -EFAULT. */
static long memory_read_user_str(void *to, u32 size, const void __user *from)
{
	long len = strncpy_from_user_nofault(to, from, size);

	/*
	 * Programs use @to as the key of a map. strncpy_from_user_nofault() leaves the bytes behind
	 * the NUL alone, rather than copy what follows in user memory: so equal strings are equal
	 * keys, if the program has cleared @to.
	 */
	if (unlikely(len < 0))
		memset(to, 0, size);
	return len;
}

BPF_CALL_3(bpf_probe_read_user, void *, to, u32, size, const void __user *, from)
{
	return memory_read_user(to, size, from);
}

const struct bpf_func_proto bpf_probe_read_user_proto = READ_PROTO(bpf_probe_read_user);

BPF_CALL_3(bpf_probe_read_user_str, void *, to, u32, size, const void __user *, from)
{
	return memory_read_user_str(to, size, from);
}

const struct bpf_func_proto bpf_probe_read_user_str_proto = READ_PROTO(bpf_probe_read_user_str);

/* ------------------------------------------------------------------ */
/* Reading the kernel's memory						*/

/* Return: bytes copied, with the NUL; -EFAULT. */
static long memory_read_kernel_str(void *to, u32 size, const void *from)
{
	long len = strncpy_from_kernel_nofault(to, from, size);

	if (unlikely(len < 0))
		memset(to, 0, size);
	return len;
}

BPF_CALL_3(bpf_probe_read_kernel, void *, to, u32, size, const void *, from)
{
	return bpf_probe_read_kernel_common(to, size, from);
}

const struct bpf_func_proto bpf_probe_read_kernel_proto = READ_PROTO(bpf_probe_read_kernel);

BPF_CALL_3(bpf_probe_read_kernel_str, void *, to, u32, size, const void *, from)
{
	return memory_read_kernel_str(to, size, from);
}

const struct bpf_func_proto bpf_probe_read_kernel_str_proto = READ_PROTO(bpf_probe_read_kernel_str);

/* Return: @proto; NULL if lockdown forbids programs to read the kernel. */
static const struct bpf_func_proto *memory_check_lockdown(const struct bpf_func_proto *proto)
{
	return security_locked_down(LOCKDOWN_BPF_READ_KERNEL) ? NULL : proto;
}

const struct bpf_func_proto *trace_bpf_choose_read_kernel(const struct bpf_prog *prog)
{
	return memory_check_lockdown(&bpf_probe_read_kernel_proto);
}

const struct bpf_func_proto *trace_bpf_choose_read_kernel_str(const struct bpf_prog *prog)
{
	return memory_check_lockdown(&bpf_probe_read_kernel_str_proto);
}

/* ------------------------------------------------------------------ */
/* Reading user or kernel memory, where an address tells which it is in	*/

#ifdef CONFIG_ARCH_HAS_NON_OVERLAPPING_ADDRESS_SPACE

static bool memory_is_user_address(const void *address)
{
	return (unsigned long)address < TASK_SIZE;
}

BPF_CALL_3(bpf_probe_read_compat, void *, to, u32, size, const void *, from)
{
	if (memory_is_user_address(from))
		return memory_read_user(to, size, (__force const void __user *)from);
	return bpf_probe_read_kernel_common(to, size, from);
}

static const struct bpf_func_proto bpf_probe_read_compat_proto = READ_PROTO(bpf_probe_read_compat);

BPF_CALL_3(bpf_probe_read_compat_str, void *, to, u32, size, const void *, from)
{
	if (memory_is_user_address(from))
		return memory_read_user_str(to, size, (__force const void __user *)from);
	return memory_read_kernel_str(to, size, from);
}

static const struct bpf_func_proto bpf_probe_read_compat_str_proto =
	READ_PROTO(bpf_probe_read_compat_str);

const struct bpf_func_proto *trace_bpf_choose_read(const struct bpf_prog *prog)
{
	return memory_check_lockdown(&bpf_probe_read_compat_proto);
}

const struct bpf_func_proto *trace_bpf_choose_read_str(const struct bpf_prog *prog)
{
	return memory_check_lockdown(&bpf_probe_read_compat_str_proto);
}

#endif

/* ------------------------------------------------------------------ */
/* Writing to user memory						*/

/*
 * True in the context of a task that has user memory, while that is mapped. In the middle of a
 * context switch user addresses lead to the memory of another task: nmi_uaccess_okay() is false.
 */
static bool memory_can_write_user(void)
{
	return !in_interrupt() && !(current->flags & (PF_EXITING | PF_KTHREAD)) &&
	       nmi_uaccess_okay();
}

BPF_CALL_3(bpf_probe_write_user, void __user *, to, const void *, from, u32, size)
{
	if (unlikely(!memory_can_write_user()))
		return -EPERM;
	return copy_to_user_nofault(to, from, size);
}

static const struct bpf_func_proto bpf_probe_write_user_proto = {
	.func		= bpf_probe_write_user,
	.arg1_type	= ARG_ANYTHING,
	.arg2_type	= ARG_PTR_TO_MEM | MEM_RDONLY,
	.arg3_type	= ARG_CONST_SIZE,
	.ret_type	= RET_INTEGER,
	.gpl_only	= true,
};

const struct bpf_func_proto *trace_bpf_choose_write_user(const struct bpf_prog *prog)
{
	if (security_locked_down(LOCKDOWN_BPF_WRITE_USER) || !capable(CAP_SYS_ADMIN))
		return NULL;
	pr_warn_ratelimited("%s[%d] loads a program with the helper bpf_probe_write_user, which may corrupt user memory\n",
			    current->comm, task_pid_nr(current));
	return &bpf_probe_write_user_proto;
}
