// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of what the verifier asks the types of programs: which helpers they have, and what they may
 * read; of looking tracepoints up; and of arguments of tracepoints as programs read them.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <linux/bpf_verifier.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include "helpers.h"

/* A program that is not loaded: the types look at these members only. */
struct test_program {
	struct bpf_prog		prog;
	struct bpf_prog_aux	aux;
};

static struct bpf_prog *test_program(struct kunit *test, enum bpf_prog_type type,
				     enum bpf_attach_type attach)
{
	struct test_program *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, p);
	p->prog.aux = &p->aux;
	p->aux.prog = &p->prog;
	p->prog.type = type;
	p->prog.expected_attach_type = attach;
	return &p->prog;
}

/* ------------------------------------------------------------------ */
/* Helpers								*/

static void each_type_has_its_stacks(struct kunit *test)
{
	const struct bpf_verifier_ops *all[] = {
		&kprobe_verifier_ops, &tracepoint_verifier_ops, &perf_event_verifier_ops,
		&raw_tracepoint_verifier_ops,
	};
	const enum bpf_func_id ids[] = {
		BPF_FUNC_get_stack, BPF_FUNC_get_stackid, BPF_FUNC_perf_event_output,
		BPF_FUNC_get_attach_cookie,
	};
	struct bpf_prog *prog = test_program(test, BPF_PROG_TYPE_KPROBE, 0);
	const struct bpf_func_proto *proto;

	for (unsigned int i = 0; i < ARRAY_SIZE(all); i++) {
		for (unsigned int j = 0; j < ARRAY_SIZE(ids); j++) {
			proto = all[i]->get_func_proto(ids[j], prog);
			KUNIT_ASSERT_NOT_NULL(test, proto);
			KUNIT_EXPECT_EQ(test, ARG_PTR_TO_CTX, proto->arg1_type);
		}
	}
}

static void all_types_have_the_common_helpers(struct kunit *test)
{
	const enum bpf_func_id ids[] = {
		BPF_FUNC_map_lookup_elem, BPF_FUNC_ktime_get_ns, BPF_FUNC_get_current_comm,
		BPF_FUNC_get_current_task, BPF_FUNC_probe_read_user, BPF_FUNC_probe_read_kernel_str,
		BPF_FUNC_snprintf_btf, BPF_FUNC_send_signal, BPF_FUNC_perf_event_read_value,
	};
	struct bpf_prog *prog = test_program(test, BPF_PROG_TYPE_TRACEPOINT, 0);

	for (unsigned int i = 0; i < ARRAY_SIZE(ids); i++) {
		KUNIT_EXPECT_NOT_NULL(test, kprobe_verifier_ops.get_func_proto(ids[i], prog));
		KUNIT_EXPECT_NOT_NULL(test, tracepoint_verifier_ops.get_func_proto(ids[i], prog));
		KUNIT_EXPECT_NOT_NULL(test, tracing_verifier_ops.get_func_proto(ids[i], prog));
	}
	KUNIT_EXPECT_NULL(test, tracepoint_verifier_ops.get_func_proto(BPF_FUNC_xdp_adjust_head,
								       prog));
	KUNIT_EXPECT_NULL(test, tracepoint_verifier_ops.get_func_proto(BPF_FUNC_seq_write, prog));
}

static void only_iterators_write_files(struct kunit *test)
{
	struct bpf_prog *iterator = test_program(test, BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER);
	struct bpf_prog *raw = test_program(test, BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP);

	KUNIT_EXPECT_PTR_EQ(test, &trace_bpf_seq_write_proto,
			    tracing_verifier_ops.get_func_proto(BPF_FUNC_seq_write, iterator));
	KUNIT_EXPECT_NULL(test, tracing_verifier_ops.get_func_proto(BPF_FUNC_seq_write, raw));
}

static void only_trampolines_have_arguments(struct kunit *test)
{
	struct bpf_prog *entry = test_program(test, BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY);
	struct bpf_prog *raw = test_program(test, BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP);
	struct bpf_prog *iterator = test_program(test, BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER);

	KUNIT_EXPECT_NOT_NULL(test, tracing_verifier_ops.get_func_proto(BPF_FUNC_get_func_arg,
									entry));
	KUNIT_EXPECT_NULL(test, tracing_verifier_ops.get_func_proto(BPF_FUNC_get_func_arg, raw));
	KUNIT_EXPECT_NOT_NULL(test, tracing_verifier_ops.get_func_proto(BPF_FUNC_get_attach_cookie,
									raw));
	KUNIT_EXPECT_NULL(test, tracing_verifier_ops.get_func_proto(BPF_FUNC_get_attach_cookie,
								    iterator));
}

static void links_of_many_have_cookies_of_their_own(struct kunit *test)
{
	const enum bpf_attach_type types[] = {
		0, BPF_TRACE_KPROBE_MULTI, BPF_TRACE_UPROBE_MULTI,
	};
	const struct bpf_func_proto *seen[ARRAY_SIZE(types)];
	struct bpf_prog *prog;

	for (unsigned int i = 0; i < ARRAY_SIZE(types); i++) {
		prog = test_program(test, BPF_PROG_TYPE_KPROBE, types[i]);
		seen[i] = kprobe_verifier_ops.get_func_proto(BPF_FUNC_get_attach_cookie, prog);
		for (unsigned int j = 0; j < i; j++)
			KUNIT_EXPECT_PTR_NE(test, seen[j], seen[i]);
	}
	prog = test_program(test, BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_SESSION);
	KUNIT_EXPECT_PTR_EQ(test, seen[1],
			    kprobe_verifier_ops.get_func_proto(BPF_FUNC_get_attach_cookie, prog));
}

/* ------------------------------------------------------------------ */
/* Access to the context						*/

static bool can_access(const struct bpf_verifier_ops *ops, int off, int size,
		       enum bpf_access_type type)
{
	struct bpf_insn_access_aux info = { };

	return ops->is_valid_access(off, size, type, NULL, &info);
}

static void kprobes_read_registers(struct kunit *test)
{
	int end = sizeof(struct pt_regs);

	KUNIT_EXPECT_TRUE(test, can_access(&kprobe_verifier_ops, 0, sizeof(long), BPF_READ));
	KUNIT_EXPECT_TRUE(test, can_access(&kprobe_verifier_ops, end - 4, 4, BPF_READ));
	KUNIT_EXPECT_FALSE(test, can_access(&kprobe_verifier_ops, end - 4, 8, BPF_READ));
	KUNIT_EXPECT_FALSE(test, can_access(&kprobe_verifier_ops, end, 4, BPF_READ));
	KUNIT_EXPECT_FALSE(test, can_access(&kprobe_verifier_ops, -8, 8, BPF_READ));
	KUNIT_EXPECT_FALSE(test, can_access(&kprobe_verifier_ops, 2, 4, BPF_READ));
	KUNIT_EXPECT_FALSE(test, can_access(&kprobe_verifier_ops, 0, 8, BPF_WRITE));
}

static void tracepoints_read_records(struct kunit *test)
{
	const struct bpf_verifier_ops *ops = &tracepoint_verifier_ops;
	int first = sizeof(void *);

	KUNIT_EXPECT_FALSE(test, can_access(ops, first - 4, 4, BPF_READ));
	KUNIT_EXPECT_TRUE(test, can_access(ops, first, 4, BPF_READ));
	KUNIT_EXPECT_TRUE(test, can_access(ops, PERF_MAX_TRACE_SIZE - 8, 8, BPF_READ));
	KUNIT_EXPECT_FALSE(test, can_access(ops, PERF_MAX_TRACE_SIZE, 8, BPF_READ));
	KUNIT_EXPECT_FALSE(test, can_access(ops, 16, 8, BPF_WRITE));
	KUNIT_EXPECT_FALSE(test, can_access(ops, 18, 8, BPF_READ));
}

static void raw_tracepoints_read_arguments(struct kunit *test)
{
	const struct bpf_verifier_ops *ops = &raw_tracepoint_verifier_ops;

	KUNIT_EXPECT_TRUE(test, can_access(ops, 0, 8, BPF_READ));
	KUNIT_EXPECT_TRUE(test, can_access(ops, 8 * 11, 8, BPF_READ));
	KUNIT_EXPECT_FALSE(test, can_access(ops, 8 * 12, 8, BPF_READ));
	KUNIT_EXPECT_FALSE(test, can_access(ops, 0, 8, BPF_WRITE));
}

static void writable_tracepoints_have_a_buffer(struct kunit *test)
{
	const struct bpf_verifier_ops *ops = &raw_tracepoint_writable_verifier_ops;
	struct bpf_insn_access_aux info = { };

	KUNIT_EXPECT_TRUE(test, ops->is_valid_access(0, 8, BPF_READ, NULL, &info));
	KUNIT_EXPECT_EQ(test, PTR_TO_TP_BUFFER, info.reg_type);
	info.reg_type = 0;
	KUNIT_EXPECT_FALSE(test, ops->is_valid_access(0, 4, BPF_READ, NULL, &info));
	KUNIT_EXPECT_TRUE(test, ops->is_valid_access(8, 8, BPF_READ, NULL, &info));
	KUNIT_EXPECT_NE(test, PTR_TO_TP_BUFFER, info.reg_type);
}

static void perf_events_read_numbers_in_parts(struct kunit *test)
{
	const struct bpf_verifier_ops *ops = &perf_event_verifier_ops;
	int period = offsetof(struct bpf_perf_event_data, sample_period);
	int addr = offsetof(struct bpf_perf_event_data, addr);

	KUNIT_EXPECT_TRUE(test, can_access(ops, 0, sizeof(long), BPF_READ));
	KUNIT_EXPECT_FALSE(test, can_access(ops, 0, 2, BPF_READ));
	KUNIT_EXPECT_TRUE(test, can_access(ops, period, 8, BPF_READ));
	KUNIT_EXPECT_TRUE(test, can_access(ops, period, 4, BPF_READ));
	KUNIT_EXPECT_TRUE(test, can_access(ops, addr, 8, BPF_READ));
	KUNIT_EXPECT_FALSE(test, can_access(ops, addr + 8, 8, BPF_READ));
	KUNIT_EXPECT_FALSE(test, can_access(ops, period, 8, BPF_WRITE));
}

/* ------------------------------------------------------------------ */
/* Tracepoints								*/

static void tracepoints_are_found(struct kunit *test)
{
	struct bpf_raw_event_map *row = bpf_get_raw_tracepoint("sched_switch");

	KUNIT_ASSERT_NOT_NULL(test, row);
	KUNIT_EXPECT_STREQ(test, "sched_switch", row->tp->name);
	KUNIT_EXPECT_EQ(test, 4, row->num_args);
	KUNIT_EXPECT_EQ(test, 0, row->writable_size);
	bpf_put_raw_tracepoint(row);
	/* A tracepoint of DECLARE_TRACE() has no event, but programs. */
	row = bpf_get_raw_tracepoint("pelt_se_tp");
	KUNIT_ASSERT_NOT_NULL(test, row);
	bpf_put_raw_tracepoint(row);
	KUNIT_EXPECT_NULL(test, bpf_get_raw_tracepoint("sched_switc"));
	KUNIT_EXPECT_NULL(test, bpf_get_raw_tracepoint(""));
}

static void arguments_become_words(struct kunit *test)
{
	u8 byte = 0xfe;
	s16 half = -2;
	int number = -3;
	s64 wide = -4;
	struct { u8 one, two; } pair = { 1, 2 };

	KUNIT_EXPECT_EQ(test, 0xfeull, bpf_probe_get_word(&byte, sizeof(byte)));
	KUNIT_EXPECT_EQ(test, 0xfffeull, bpf_probe_get_word(&half, sizeof(half)));
	KUNIT_EXPECT_EQ(test, 0xfffffffdull, bpf_probe_get_word(&number, sizeof(number)));
	KUNIT_EXPECT_EQ(test, -4ull, bpf_probe_get_word(&wide, sizeof(wide)));
	KUNIT_EXPECT_EQ(test, IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? 0x102ull : 0x201ull,
			bpf_probe_get_word(&pair, sizeof(pair)));
}

static struct kunit_case bpf_cases[] = {
	KUNIT_CASE(each_type_has_its_stacks),
	KUNIT_CASE(all_types_have_the_common_helpers),
	KUNIT_CASE(only_iterators_write_files),
	KUNIT_CASE(only_trampolines_have_arguments),
	KUNIT_CASE(links_of_many_have_cookies_of_their_own),
	KUNIT_CASE(kprobes_read_registers),
	KUNIT_CASE(tracepoints_read_records),
	KUNIT_CASE(raw_tracepoints_read_arguments),
	KUNIT_CASE(writable_tracepoints_have_a_buffer),
	KUNIT_CASE(perf_events_read_numbers_in_parts),
	KUNIT_CASE(tracepoints_are_found),
	KUNIT_CASE(arguments_become_words),
	{ }
};

static struct kunit_suite bpf_suite = {
	.name		= "ftrace_bpf",
	.test_cases	= bpf_cases,
};

kunit_test_suite(bpf_suite);
