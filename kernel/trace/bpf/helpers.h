/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to bpf/: the helper functions that programs call, by theme, and how a type of programs
 * says which of them it offers.
 *
 * A helper is described by a &struct bpf_func_proto. The verifier asks the type of a program for
 * the description of each helper that the program calls, and refuses the program if it gets NULL.
 * Descriptions that other parts of the kernel use, too, are declared in <linux/bpf.h>.
 */
#ifndef _KERNEL_TRACE_BPF_HELPERS_H
#define _KERNEL_TRACE_BPF_HELPERS_H

#include <linux/bpf.h>
#include <linux/types.h>

struct pt_regs;

/**
 * struct bpf_helper_row - a row of a table of helpers
 * @id: number by which programs call the helper
 * @proto: description of the helper; NULL if @choose gets it
 * @choose: gets the description for a program, or NULL if the program may not call the helper.
 *	Context: as for trace_bpf_find_helper()
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
 * @proto: set to the description of the helper, or to NULL if @prog may not call it
 *
 * Context: process, the verifier; may sleep.
 * Return: true if the table has the helper.
 */
bool trace_bpf_find_helper(const struct bpf_helper_row *rows, unsigned int nr,
			   enum bpf_func_id id, const struct bpf_prog *prog,
			   const struct bpf_func_proto **proto);

/**
 * trace_bpf_common_helper - get the description of a helper that all tracing programs have
 * @id: number of the helper
 * @prog: the program that calls it
 *
 * Context: process, the verifier; may sleep.
 * Return: the description; NULL if there is no such helper, or @prog may not call it.
 */
const struct bpf_func_proto *trace_bpf_common_helper(enum bpf_func_id id,
						     const struct bpf_prog *prog);

/* ------------------------------------------------------------------ */
/* Memory: memory.c							*/

/* kernel/bpf/ and others use these descriptions, too, but no header of theirs declares them. */
extern const struct bpf_func_proto bpf_probe_read_user_proto;
extern const struct bpf_func_proto bpf_probe_read_user_str_proto;
extern const struct bpf_func_proto bpf_probe_read_kernel_proto;
extern const struct bpf_func_proto bpf_probe_read_kernel_str_proto;

/* Each gets the description of a helper that reads the kernel, unless lockdown forbids it. */
const struct bpf_func_proto *trace_bpf_choose_read_kernel(const struct bpf_prog *prog);
const struct bpf_func_proto *trace_bpf_choose_read_kernel_str(const struct bpf_prog *prog);
#ifdef CONFIG_ARCH_HAS_NON_OVERLAPPING_ADDRESS_SPACE
const struct bpf_func_proto *trace_bpf_choose_read(const struct bpf_prog *prog);
const struct bpf_func_proto *trace_bpf_choose_read_str(const struct bpf_prog *prog);
#endif

/* Gets the description of bpf_probe_write_user(), with a warning in the log. */
const struct bpf_func_proto *trace_bpf_choose_write_user(const struct bpf_prog *prog);

/* ------------------------------------------------------------------ */
/* Registers of the code that a program runs in: regs.c		*/

/**
 * trace_bpf_regs_of_record - get the registers that a record for programs begins with
 * @ctx: context of a program of a tracepoint or of a perf event: its first word is a pointer to
 *	the registers
 *
 * Context: a program.
 * Return: the registers.
 */
static inline struct pt_regs *trace_bpf_regs_of_record(const void *ctx)
{
	return *(struct pt_regs *const *)ctx;
}

/**
 * trace_bpf_get_raw_regs - get memory for the registers of the helper's caller
 *
 * For programs of raw tracepoints, whose context has no registers. The helper itself fills it in by
 * perf_fetch_caller_regs(), because the stack begins at its frame. A CPU has it for three nested
 * programs.
 *
 * Context: a program; preemption is off until trace_bpf_put_raw_regs().
 * Return: the memory; NULL if more than three programs are nested: preemption is as before then.
 */
struct pt_regs *trace_bpf_get_raw_regs(void);

/**
 * trace_bpf_put_raw_regs - undo a trace_bpf_get_raw_regs() that succeeded
 *
 * Context: as for trace_bpf_get_raw_regs().
 */
void trace_bpf_put_raw_regs(void);

/* ------------------------------------------------------------------ */
/* Output to perf, and counters of perf: output.c			*/

extern const struct bpf_func_proto trace_bpf_perf_event_read_proto;
extern const struct bpf_func_proto trace_bpf_perf_event_read_value_proto;

/* bpf_perf_event_output() where the context is registers, a record, and raw arguments. */
extern const struct bpf_func_proto trace_bpf_output_regs_proto;
extern const struct bpf_func_proto trace_bpf_output_record_proto;
extern const struct bpf_func_proto trace_bpf_output_raw_proto;

/* ------------------------------------------------------------------ */
/* Stacks: stacks.c							*/

/* bpf_get_stackid() and bpf_get_stack() where the context is a record, and raw arguments. */
extern const struct bpf_func_proto trace_bpf_stackid_record_proto;
extern const struct bpf_func_proto trace_bpf_stack_record_proto;
extern const struct bpf_func_proto trace_bpf_stackid_raw_proto;
extern const struct bpf_func_proto trace_bpf_stack_raw_proto;

/* ------------------------------------------------------------------ */
/* Text: print.c							*/

/* For iterators only. */
extern const struct bpf_func_proto trace_bpf_seq_printf_proto;
extern const struct bpf_func_proto trace_bpf_seq_write_proto;
extern const struct bpf_func_proto trace_bpf_seq_printf_btf_proto;

/* ------------------------------------------------------------------ */
/* Tasks and files: task.c, file.c					*/

/* As in memory.c: declared in no header of the base. */
extern const struct bpf_func_proto bpf_get_current_task_proto;
extern const struct bpf_func_proto bpf_get_current_task_btf_proto;
extern const struct bpf_func_proto bpf_task_pt_regs_proto;

extern const struct bpf_func_proto trace_bpf_send_signal_proto;
extern const struct bpf_func_proto trace_bpf_send_signal_thread_proto;
extern const struct bpf_func_proto trace_bpf_d_path_proto;

/* ------------------------------------------------------------------ */
/* The call that a program is attached to: call.c			*/

/* For programs that are attached by a trampoline: the verifier replaces these calls. */
extern const struct bpf_func_proto trace_bpf_func_ip_proto;
extern const struct bpf_func_proto trace_bpf_func_arg_proto;
extern const struct bpf_func_proto trace_bpf_func_ret_proto;
extern const struct bpf_func_proto trace_bpf_func_arg_cnt_proto;

/* bpf_get_attach_cookie() of a program that runs with a &struct bpf_trace_run_ctx. */
extern const struct bpf_func_proto trace_bpf_cookie_proto;

extern const struct bpf_func_proto trace_bpf_branch_snapshot_proto;

/* ------------------------------------------------------------------ */
/* Packets: net/core/filter.c, which has no header for these		*/

extern const struct bpf_func_proto bpf_skb_output_proto;
extern const struct bpf_func_proto bpf_xdp_output_proto;
extern const struct bpf_func_proto bpf_xdp_get_buff_len_trace_proto;

#endif /* _KERNEL_TRACE_BPF_HELPERS_H */
