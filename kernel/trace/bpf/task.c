// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers about tasks: the current task, the registers with which a task has entered the kernel,
 * and signals to the current task.
 */
#include <linux/atomic.h>
#include <linux/bpf.h>
#include <linux/btf_ids.h>
#include <linux/container_of.h>
#include <linux/errno.h>
#include <linux/filter.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/signal.h>

#include <asm/tlb.h>

#include "helpers.h"

/* ------------------------------------------------------------------ */
/* Tasks								*/

BPF_CALL_0(bpf_get_current_task)
{
	return (unsigned long)current;
}

const struct bpf_func_proto bpf_get_current_task_proto = {
	.func		= bpf_get_current_task,
	.ret_type	= RET_INTEGER,
	.gpl_only	= true,
};

BPF_CALL_0(bpf_get_current_task_btf)
{
	return (unsigned long)current;
}

const struct bpf_func_proto bpf_get_current_task_btf_proto = {
	.func		= bpf_get_current_task_btf,
	.ret_btf_id	= &btf_tracing_ids[BTF_TRACING_TYPE_TASK],
	.ret_type	= RET_PTR_TO_BTF_ID_TRUSTED,
	.gpl_only	= true,
};

BTF_ID_LIST_SINGLE(task_pt_regs_id, struct, pt_regs)

BPF_CALL_1(bpf_task_pt_regs, struct task_struct *, task)
{
	return (unsigned long)task_pt_regs(task);
}

const struct bpf_func_proto bpf_task_pt_regs_proto = {
	.func		= bpf_task_pt_regs,
	.arg1_btf_id	= &btf_tracing_ids[BTF_TRACING_TYPE_TASK],
	.arg1_type	= ARG_PTR_TO_BTF_ID,
	.ret_btf_id	= task_pt_regs_id,
	.ret_type	= RET_PTR_TO_BTF_ID,
	.gpl_only	= true,
};

/* ------------------------------------------------------------------ */
/* Signals								*/

/**
 * struct task_deferred_signal - a signal that a program sent where locks cannot be taken
 * @work: sends the signal soon, on the same CPU
 * @task: the receiver, with a reference, as it may not be current when @work runs; NULL if there is
 *	no signal. Only the context that has set @task writes the other members, until @work sets it
 *	to NULL
 * @signal: number of the signal
 * @to: PIDTYPE_TGID to send the signal to the process of @task, PIDTYPE_PID to @task itself
 */
struct task_deferred_signal {
	struct irq_work		work;
	struct task_struct	*task;
	int			signal;
	enum pid_type		to;
};

static void task_send_deferred_signal(struct irq_work *work)
{
	struct task_deferred_signal *deferred = container_of(work, typeof(*deferred), work);
	struct task_struct *task = deferred->task;

	group_send_sig_info(deferred->signal, SEND_SIG_PRIV, task, deferred->to);
	/*
	 * Until here, a program that runs because the signal is sent gets -EBUSY. Otherwise it
	 * could defer another signal, and so on forever. Pairs with cmpxchg() in
	 * task_defer_signal().
	 */
	smp_store_release(&deferred->task, NULL);
	put_task_struct(task);
}

static DEFINE_PER_CPU(struct task_deferred_signal, task_deferred_signal) = {
	.work = IRQ_WORK_INIT(task_send_deferred_signal),
};

/*
 * Send a signal to the current task as soon as interrupts are enabled; at the next tick on an
 * architecture that cannot interrupt itself, such as MIPS. The caller has disabled preemption or
 * interrupts. Return: 0; -EBUSY if the CPU has not sent the previous signal yet.
 */
static int task_defer_signal(int signal, enum pid_type to)
{
	struct task_deferred_signal *deferred = this_cpu_ptr(&task_deferred_signal);

	if (cmpxchg(&deferred->task, NULL, current))
		return -EBUSY;
	get_task_struct(current);
	deferred->signal = signal;
	deferred->to = to;
	irq_work_queue(&deferred->work);
	return 0;
}

/* False for init, whose end is a panic, and for kernel threads and exiting tasks. */
static bool task_takes_signals(struct task_struct *task)
{
	return !(task->flags & (PF_EXITING | PF_KTHREAD)) && !is_global_init(task);
}

/*
 * Send a signal to the current task, now or, where locks cannot be taken, soon.
 *
 * Return: 0; -EPERM if the current task takes no signals, or the CPU is in the middle of a context
 * switch; -EINVAL if there is no such signal; -EBUSY if the signal must be deferred, and the CPU
 * has not sent the previous one yet; the errno of sending it.
 */
static int task_signal_current(u32 signal, enum pid_type to)
{
	if (unlikely(!task_takes_signals(current) || !nmi_uaccess_okay()))
		return -EPERM;
	if (unlikely(!valid_signal(signal)))
		return -EINVAL;
	if (preempt_count() || irqs_disabled())
		return task_defer_signal(signal, to);
	return group_send_sig_info(signal, SEND_SIG_PRIV, current, to);
}

#define SEND_PROTO(helper)						\
{									\
	.arg1_type	= ARG_ANYTHING,					\
	.ret_type	= RET_INTEGER,					\
	.func		= helper,					\
	.gpl_only	= false,					\
}

BPF_CALL_1(bpf_send_signal, u32, signal)
{
	return task_signal_current(signal, PIDTYPE_TGID);
}

const struct bpf_func_proto trace_bpf_send_signal_proto = SEND_PROTO(bpf_send_signal);

BPF_CALL_1(bpf_send_signal_thread, u32, signal)
{
	return task_signal_current(signal, PIDTYPE_PID);
}

const struct bpf_func_proto trace_bpf_send_signal_thread_proto =
	SEND_PROTO(bpf_send_signal_thread);
