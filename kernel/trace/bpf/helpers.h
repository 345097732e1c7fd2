/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to bpf/: the helpers that programs call, by theme, and how a type of programs says which
 * of them it offers.
 *
 * A helper has a prototype, &struct bpf_func_proto: its function, and what the verifier must know
 * of its arguments. The verifier asks the type of a program for the prototype of each helper that
 * the program calls, and refuses the program if it gets NULL. Prototypes that other parts of the
 * kernel use, too, are declared in <linux/bpf.h>.
 */
#ifndef _KERNEL_TRACE_BPF_HELPERS_H
#define _KERNEL_TRACE_BPF_HELPERS_H

#include <linux/bpf.h>
#include <linux/types.h>

struct pt_regs;

/**
 * struct bpf_helper_row - a row of a table of helpers
 * @id: number by which programs call the helper
 * @proto: prototype of the helper; NULL if @choose gets it, or if the kernel lacks the helper
 * @choose: returns the prototype for a program, or NULL if the program may not call the helper;
 *	called by the verifier, and may sleep. NULL if @proto is for all programs
 */
struct bpf_helper_row {
	enum bpf_func_id		id;
	const struct bpf_func_proto	*proto;
	const struct bpf_func_proto	*(*choose)(const struct bpf_prog *prog);
};

/**
 * trace_bpf_find_helper - look up a helper in a table
 * @rows: the table
 * @nr: number of its rows
 * @id: number of the helper
 * @prog: the program that calls the helper
 * @proto: set to the prototype of the helper, or to NULL if @prog may not call it; unchanged if
 *	the table has no row for the helper
 *
 * Context: process, the verifier; may sleep.
 * Return: true if the table has a row for the helper.
 */
bool trace_bpf_find_helper(const struct bpf_helper_row *rows, unsigned int nr,
			   enum bpf_func_id id, const struct bpf_prog *prog,
			   const struct bpf_func_proto **proto);

/**
 * trace_bpf_get_common_proto - get the prototype of a helper that all tracing programs have
 * @id: number of the helper
 * @prog: the program that calls the helper
 *
 * Context: process, the verifier; may sleep.
 * Return: the prototype; NULL if there is no such helper, or @prog may not call it.
 */
const struct bpf_func_proto *trace_bpf_get_common_proto(enum bpf_func_id id,
							const struct bpf_prog *prog);

/* ------------------------------------------------------------------ */
/* Memory: memory.c							*/

/* Used by kernel/bpf/ and others, too, which declare them in their .c files, in no header. */
extern const struct bpf_func_proto bpf_probe_read_user_proto;
extern const struct bpf_func_proto bpf_probe_read_user_str_proto;
extern const struct bpf_func_proto bpf_probe_read_kernel_proto;
extern const struct bpf_func_proto bpf_probe_read_kernel_str_proto;

/**
 * trace_bpf_choose_read_kernel - get the prototype of bpf_probe_read_kernel()
 * @prog: the program; not used
 *
 * A callback &bpf_helper_row.choose.
 *
 * Context: process, the verifier; may sleep.
 * Return: the prototype; NULL if the kernel is locked down for confidentiality.
 */
const struct bpf_func_proto *trace_bpf_choose_read_kernel(const struct bpf_prog *prog);

/**
 * trace_bpf_choose_read_kernel_str - get the prototype of bpf_probe_read_kernel_str()
 * @prog: the program; not used
 *
 * A callback &bpf_helper_row.choose.
 *
 * Context: process, the verifier; may sleep.
 * Return: the prototype; NULL if the kernel is locked down for confidentiality.
 */
const struct bpf_func_proto *trace_bpf_choose_read_kernel_str(const struct bpf_prog *prog);

#ifdef CONFIG_ARCH_HAS_NON_OVERLAPPING_ADDRESS_SPACE

/**
 * trace_bpf_choose_read - get the prototype of bpf_probe_read()
 * @prog: the program; not used
 *
 * The helper reads user or kernel memory. It exists only where an address tells which of the two
 * it is in. A callback &bpf_helper_row.choose.
 *
 * Context: process, the verifier; may sleep.
 * Return: the prototype; NULL if the kernel is locked down for confidentiality.
 */
const struct bpf_func_proto *trace_bpf_choose_read(const struct bpf_prog *prog);

/**
 * trace_bpf_choose_read_str - get the prototype of bpf_probe_read_str()
 * @prog: the program; not used
 *
 * The helper reads a string in user or kernel memory. It exists only where an address tells which
 * of the two it is in. A callback &bpf_helper_row.choose.
 *
 * Context: process, the verifier; may sleep.
 * Return: the prototype; NULL if the kernel is locked down for confidentiality.
 */
const struct bpf_func_proto *trace_bpf_choose_read_str(const struct bpf_prog *prog);

#endif

/**
 * trace_bpf_choose_write_user - get the prototype of bpf_probe_write_user(), and warn in the log
 * @prog: the program; not used
 *
 * A callback &bpf_helper_row.choose.
 *
 * Context: process, the verifier; may sleep.
 * Return: the prototype; NULL if the kernel is locked down for integrity, or the current task lacks
 * CAP_SYS_ADMIN.
 */
const struct bpf_func_proto *trace_bpf_choose_write_user(const struct bpf_prog *prog);

/* ------------------------------------------------------------------ */
/* Registers of the code that a program runs in: regs.c		*/

/**
 * trace_bpf_regs_of_record - get the registers to which the context of a program points
 * @ctx: context of a program of a tracepoint or of a perf event: a record, or a &struct
 *	bpf_perf_event_data_kern, whose first word is a pointer to the registers
 *
 * Context: a helper, in any context.
 * Return: the registers.
 */
static inline struct pt_regs *trace_bpf_regs_of_record(const void *ctx)
{
	return *(struct pt_regs *const *)ctx;
}

/**
 * trace_bpf_get_raw_tp_regs - get memory for the registers of the caller of a helper
 *
 * For programs of raw tracepoints, whose context has no registers. The helper must fill in the
 * memory itself, by perf_fetch_caller_regs(), so that the stack begins at the frame of the helper.
 * Each CPU has memory for three helpers that interrupt each other.
 *
 * Context: a helper, in any context, NMI included. Disables preemption until
 * trace_bpf_put_raw_tp_regs(), unless it fails.
 * Return: the memory; NULL if three helpers of this CPU use theirs already.
 */
struct pt_regs *trace_bpf_get_raw_tp_regs(void);

/**
 * trace_bpf_put_raw_tp_regs - undo a trace_bpf_get_raw_tp_regs() that succeeded
 *
 * Context: the same helper, on the same CPU; enables preemption.
 */
void trace_bpf_put_raw_tp_regs(void);

/* ------------------------------------------------------------------ */
/* Output to perf, and counters of perf: output.c			*/

extern const struct bpf_func_proto trace_bpf_perf_event_read_proto;
extern const struct bpf_func_proto trace_bpf_perf_event_read_value_proto;

/*
 * bpf_perf_event_output() for programs whose context is the registers (kprobes), begins with a
 * pointer to them (tracepoints, perf events), and is the arguments of a raw tracepoint.
 */
extern const struct bpf_func_proto trace_bpf_output_regs_proto;
extern const struct bpf_func_proto trace_bpf_output_record_proto;
extern const struct bpf_func_proto trace_bpf_output_raw_proto;

/* ------------------------------------------------------------------ */
/* Stacks: stacks.c							*/

/*
 * bpf_get_stackid() and bpf_get_stack() for programs whose context is the record of a tracepoint,
 * and the arguments of a raw tracepoint. kernel/bpf/stackmap.c has those for other programs.
 */
extern const struct bpf_func_proto trace_bpf_stackid_record_proto;
extern const struct bpf_func_proto trace_bpf_stack_record_proto;
extern const struct bpf_func_proto trace_bpf_stackid_raw_proto;
extern const struct bpf_func_proto trace_bpf_stack_raw_proto;

/* ------------------------------------------------------------------ */
/* Text: print.c							*/

/* For iterators only: the helpers write to the file of the iterator, which their caller passes. */
extern const struct bpf_func_proto trace_bpf_seq_printf_proto;
extern const struct bpf_func_proto trace_bpf_seq_write_proto;
extern const struct bpf_func_proto trace_bpf_seq_printf_btf_proto;

/* ------------------------------------------------------------------ */
/* Tasks and files: task.c, file.c					*/

/* Used by kernel/bpf/ and others, too, which declare them in their .c files, in no header. */
extern const struct bpf_func_proto bpf_get_current_task_proto;
extern const struct bpf_func_proto bpf_get_current_task_btf_proto;
extern const struct bpf_func_proto bpf_task_pt_regs_proto;

extern const struct bpf_func_proto trace_bpf_send_signal_proto;
extern const struct bpf_func_proto trace_bpf_send_signal_thread_proto;
extern const struct bpf_func_proto trace_bpf_d_path_proto;

/* ------------------------------------------------------------------ */
/* The call that a program is attached to: call.c			*/

/*
 * bpf_get_func_ip(), bpf_get_func_arg(), bpf_get_func_ret() and bpf_get_func_arg_cnt() for programs
 * that a trampoline calls. They rely on how it passes the arguments of the function: see call.c.
 */
extern const struct bpf_func_proto trace_bpf_func_ip_proto;
extern const struct bpf_func_proto trace_bpf_func_arg_proto;
extern const struct bpf_func_proto trace_bpf_func_ret_proto;
extern const struct bpf_func_proto trace_bpf_func_arg_cnt_proto;

/* bpf_get_attach_cookie() for programs that run with a &struct bpf_trace_run_ctx. */
extern const struct bpf_func_proto trace_bpf_attach_cookie_proto;

extern const struct bpf_func_proto trace_bpf_branch_snapshot_proto;

/* ------------------------------------------------------------------ */
/* Packets: net/core/filter.c, which has no header for these		*/

extern const struct bpf_func_proto bpf_skb_output_proto;
extern const struct bpf_func_proto bpf_xdp_output_proto;
extern const struct bpf_func_proto bpf_xdp_get_buff_len_trace_proto;

#endif /* _KERNEL_TRACE_BPF_HELPERS_H */
