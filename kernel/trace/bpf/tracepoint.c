// SPDX-License-Identifier: GPL-2.0
/*
 * Programs of type BPF_PROG_TYPE_TRACEPOINT, of an event of a tracepoint or system call that a perf
 * event has open (attach.c). Their context is the record that perf would get. The first word of it
 * is a pointer to the registers, which only helpers may read.
 */
#include <linux/array_size.h>
#include <linux/bpf.h>
#include <linux/trace_events.h>

#include "helpers.h"

static const struct bpf_helper_row tracepoint_helpers[] = {
	{ BPF_FUNC_perf_event_output,	&trace_bpf_output_record_proto },
	{ BPF_FUNC_get_stackid,		&trace_bpf_stackid_record_proto },
	{ BPF_FUNC_get_stack,		&trace_bpf_stack_record_proto },
	{ BPF_FUNC_get_attach_cookie,	&trace_bpf_attach_cookie_proto },
};

static const struct bpf_func_proto *tracepoint_prog_get_proto(enum bpf_func_id id,
							      const struct bpf_prog *prog)
{
	const struct bpf_func_proto *proto;

	return trace_bpf_find_helper(tracepoint_helpers, ARRAY_SIZE(tracepoint_helpers), id, prog,
				     &proto) ? proto : trace_bpf_get_common_proto(id, prog);
}

/*
 * The event is known only when the program is attached. Then accesses are compared with the length
 * of its records, by trace_event_get_offsets().
 */
static bool tracepoint_prog_can_access(int off, int size, enum bpf_access_type type,
				       const struct bpf_prog *prog,
				       struct bpf_insn_access_aux *info)
{
	/* So an aligned access that begins in the record also ends there. */
	static_assert(PERF_MAX_TRACE_SIZE % sizeof(u64) == 0);
	return type == BPF_READ && off >= (int)sizeof(void *) && off < PERF_MAX_TRACE_SIZE &&
	       off % size == 0;
}

const struct bpf_verifier_ops tracepoint_verifier_ops = {
	.is_valid_access	= tracepoint_prog_can_access,
	.get_func_proto		= tracepoint_prog_get_proto,
};

const struct bpf_prog_ops tracepoint_prog_ops = { };
