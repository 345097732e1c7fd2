// SPDX-License-Identifier: GPL-2.0
/*
 * Looking up helpers in tables, and the table of those that all tracing programs have.
 */
#include <linux/array_size.h>
#include <linux/bpf.h>
#include <linux/bpf_verifier.h>

#include "helpers.h"

bool trace_bpf_find_helper(const struct bpf_helper_row *rows, unsigned int nr,
			   enum bpf_func_id id, const struct bpf_prog *prog,
			   const struct bpf_func_proto **proto)
{
	for (const struct bpf_helper_row *row = rows; row < rows + nr; row++) {
		if (row->id != id)
			continue;
		*proto = row->choose ? row->choose(prog) : row->proto;
		return true;
	}
	return false;
}

/* ------------------------------------------------------------------ */
/* Choices								*/

static const struct bpf_func_proto *common_choose_trace_printk(const struct bpf_prog *prog)
{
	return bpf_get_trace_printk_proto();
}

static const struct bpf_func_proto *common_choose_trace_vprintk(const struct bpf_prog *prog)
{
	return bpf_get_trace_vprintk_proto();
}

/* Only a program that may sleep can wait for the build IDs of files to be read. */
static const struct bpf_func_proto *common_choose_task_stack(const struct bpf_prog *prog)
{
	return prog->sleepable ? &bpf_get_task_stack_sleepable_proto : &bpf_get_task_stack_proto;
}

/*
 * A program that may interrupt the code of task storage itself (bpf_prog_check_recur()) gets the
 * variants of these helpers that fail if their CPU is in that code, rather than deadlock.
 */
static const struct bpf_func_proto *common_choose_task_storage_get(const struct bpf_prog *prog)
{
	return bpf_prog_check_recur(prog) ? &bpf_task_storage_get_recur_proto :
					    &bpf_task_storage_get_proto;
}

static const struct bpf_func_proto *common_choose_task_storage_delete(const struct bpf_prog *prog)
{
	return bpf_prog_check_recur(prog) ? &bpf_task_storage_delete_recur_proto :
					    &bpf_task_storage_delete_proto;
}

/* ------------------------------------------------------------------ */
/* The table								*/

/* Prototype of a helper that exists only with CONFIG_CGROUPS. */
#define CGROUP_HELPER(proto)	(IS_ENABLED(CONFIG_CGROUPS) ? &(proto) : NULL)

/*
 * Helpers that bpf_base_func_proto() offers to every program, such as those of maps and ring
 * buffers, are not repeated here. Helpers that it offers only to users with a capability have a
 * row: whether the user may load a program of this type at all is checked before.
 */
static const struct bpf_helper_row common_helpers[] = {
	/* Where a program runs */
	{ BPF_FUNC_get_smp_processor_id, &bpf_get_smp_processor_id_proto },
	{ BPF_FUNC_get_current_task, &bpf_get_current_task_proto },
	{ BPF_FUNC_get_current_task_btf, &bpf_get_current_task_btf_proto },
	{ BPF_FUNC_get_current_comm, &bpf_get_current_comm_proto },
	{ BPF_FUNC_get_current_uid_gid, &bpf_get_current_uid_gid_proto },
	{ BPF_FUNC_current_task_under_cgroup, CGROUP_HELPER(bpf_current_task_under_cgroup_proto) },
	{ BPF_FUNC_task_pt_regs, &bpf_task_pt_regs_proto },
	{ BPF_FUNC_get_task_stack, .choose = common_choose_task_stack },
	{ BPF_FUNC_find_vma, &bpf_find_vma_proto },
	/* For programs of trampolines only: check_get_func_ip() of the verifier refuses others. */
	{ BPF_FUNC_get_func_ip, &trace_bpf_func_ip_proto },
	{ BPF_FUNC_get_branch_snapshot, &trace_bpf_branch_snapshot_proto },
	{ BPF_FUNC_jiffies64, &bpf_jiffies64_proto },

	/* Memory */
	{ BPF_FUNC_probe_read_user, &bpf_probe_read_user_proto },
	{ BPF_FUNC_probe_read_user_str, &bpf_probe_read_user_str_proto },
	{ BPF_FUNC_probe_read_kernel, .choose = trace_bpf_choose_read_kernel },
	{ BPF_FUNC_probe_read_kernel_str, .choose = trace_bpf_choose_read_kernel_str },
#ifdef CONFIG_ARCH_HAS_NON_OVERLAPPING_ADDRESS_SPACE
	{ BPF_FUNC_probe_read, .choose = trace_bpf_choose_read },
	{ BPF_FUNC_probe_read_str, .choose = trace_bpf_choose_read_str },
#endif
	{ BPF_FUNC_copy_from_user, &bpf_copy_from_user_proto },
	{ BPF_FUNC_copy_from_user_task, &bpf_copy_from_user_task_proto },
	{ BPF_FUNC_probe_write_user, .choose = trace_bpf_choose_write_user },
	{ BPF_FUNC_per_cpu_ptr, &bpf_per_cpu_ptr_proto },
	{ BPF_FUNC_this_cpu_ptr, &bpf_this_cpu_ptr_proto },

	/* Maps */
	{ BPF_FUNC_for_each_map_elem, &bpf_for_each_map_elem_proto },
	{ BPF_FUNC_task_storage_get, .choose = common_choose_task_storage_get },
	{ BPF_FUNC_task_storage_delete, .choose = common_choose_task_storage_delete },
	{ BPF_FUNC_cgrp_storage_get, CGROUP_HELPER(bpf_cgrp_storage_get_proto) },
	{ BPF_FUNC_cgrp_storage_delete, CGROUP_HELPER(bpf_cgrp_storage_delete_proto) },
	{ BPF_FUNC_perf_event_read, &trace_bpf_perf_event_read_proto },
	{ BPF_FUNC_perf_event_read_value, &trace_bpf_perf_event_read_value_proto },

	/* Text */
	{ BPF_FUNC_snprintf, &bpf_snprintf_proto },
	{ BPF_FUNC_snprintf_btf, &bpf_snprintf_btf_proto },
	{ BPF_FUNC_trace_printk, .choose = common_choose_trace_printk },
	{ BPF_FUNC_trace_vprintk, .choose = common_choose_trace_vprintk },

	/* Signals */
	{ BPF_FUNC_send_signal, &trace_bpf_send_signal_proto },
	{ BPF_FUNC_send_signal_thread, &trace_bpf_send_signal_thread_proto },
};

const struct bpf_func_proto *trace_bpf_get_common_proto(enum bpf_func_id id,
							const struct bpf_prog *prog)
{
	const struct bpf_func_proto *proto;

	if (trace_bpf_find_helper(common_helpers, ARRAY_SIZE(common_helpers), id, prog, &proto))
		return proto;
	return bpf_base_func_proto(id, prog);
}
