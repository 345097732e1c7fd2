// SPDX-License-Identifier: GPL-2.0
/*
 * Output of programs: samples of perf events of type PERF_COUNT_SW_BPF_OUTPUT, which user space has
 * put into a map of type BPF_MAP_TYPE_PERF_EVENT_ARRAY, mostly one for each CPU. Programs read the
 * counters of perf events in such a map, too.
 */
#include <linux/array_size.h>
#include <linux/bpf.h>
#include <linux/cleanup.h>
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/filter.h>
#include <linux/limits.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "helpers.h"

/*
 * Find the perf event at the index that @flags has in the bits of BPF_F_INDEX_MASK.
 *
 * Return: the perf event; ERR_PTR(-E2BIG) if the map has no such index; ERR_PTR(-ENOENT) if no
 * perf event is there.
 */
static struct perf_event *output_find_event(struct bpf_map *map, u64 flags)
{
	struct bpf_array *array = container_of(map, struct bpf_array, map);
	u64 index = flags & BPF_F_INDEX_MASK;
	struct bpf_event_entry *entry;

	if (index == BPF_F_CURRENT_CPU)
		index = smp_processor_id();
	if (unlikely(index >= map->max_entries))
		return ERR_PTR(-E2BIG);
	entry = READ_ONCE(array->ptrs[index]);
	return entry ? entry->event : ERR_PTR(-ENOENT);
}

/* ------------------------------------------------------------------ */
/* Counters								*/

/* Read the counter of a perf event in @map. @enabled and @running may be NULL. */
static int output_read_counter(struct bpf_map *map, u64 flags, u64 *count, u64 *enabled,
			       u64 *running)
{
	struct perf_event *event;

	if (unlikely(flags & ~BPF_F_INDEX_MASK))
		return -EINVAL;
	event = output_find_event(map, flags);
	if (IS_ERR(event))
		return PTR_ERR(event);
	return perf_event_read_local(event, count, enabled, running);
}

/*
 * A program cannot tell an error of this helper from a counter near 2^64, as it returns either.
 * bpf_perf_event_read_value() returns them separately.
 */
BPF_CALL_2(bpf_perf_event_read, struct bpf_map *, map, u64, flags)
{
	u64 count = 0;
	int err = output_read_counter(map, flags, &count, NULL, NULL);

	return err ?: count;
}

const struct bpf_func_proto trace_bpf_perf_event_read_proto = {
	.func		= bpf_perf_event_read,
	.arg1_type	= ARG_CONST_MAP_PTR,
	.arg2_type	= ARG_ANYTHING,
	.ret_type	= RET_INTEGER,
	.gpl_only	= true,
};

BPF_CALL_4(bpf_perf_event_read_value, struct bpf_map *, map, u64, flags,
	   struct bpf_perf_event_value *, value, u32, size)
{
	int err = -EINVAL;

	if (likely(size == sizeof(*value)))
		err = output_read_counter(map, flags, &value->counter, &value->enabled,
					  &value->running);
	if (unlikely(err))
		memset(value, 0, size);
	return err;
}

const struct bpf_func_proto trace_bpf_perf_event_read_value_proto = {
	.func		= bpf_perf_event_read_value,
	.arg1_type	= ARG_CONST_MAP_PTR,
	.arg2_type	= ARG_ANYTHING,
	.arg3_type	= ARG_PTR_TO_UNINIT_MEM,
	.arg4_type	= ARG_CONST_SIZE,
	.ret_type	= RET_INTEGER,
	.gpl_only	= true,
};

/* ------------------------------------------------------------------ */
/* Samples								*/

/**
 * struct output_samples - the samples that the helpers of a CPU output
 * @depth: number of helpers that are outputting, each of which has interrupted the one before. When
 *	an interrupt ends, @depth is what it was before, so changing it need not be atomic
 * @samples: the sample of each of these helpers; not on the stack, for which samples are too large
 */
struct output_samples {
	unsigned int		depth;
	struct perf_sample_data	samples[3];
};

/*
 * bpf_perf_event_output() and bpf_event_output() have samples of their own: tracing programs may be
 * attached to functions that run in the output of a packet, and shall not use up its samples.
 */
static DEFINE_PER_CPU(struct output_samples, output_helper_samples);
static DEFINE_PER_CPU(struct output_samples, output_event_samples);

static bool output_is_bpf_output(const struct perf_event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       event->attr.config == PERF_COUNT_SW_BPF_OUTPUT;
}

/*
 * Output @record to a perf event in @map. The caller has disabled preemption.
 *
 * Return: 0; -EINVAL if the perf event is of another type; -EOPNOTSUPP if it does not count on
 * this CPU; -E2BIG if the record is too long for the 16 bits that perf has for its size; the errno
 * of output_find_event() or of perf.
 */
static int output_sample(struct perf_sample_data *sample, struct pt_regs *regs,
			 struct bpf_map *map, u64 flags, struct perf_raw_record *record)
{
	struct perf_event *event = output_find_event(map, flags);

	if (IS_ERR(event))
		return PTR_ERR(event);
	if (unlikely(!output_is_bpf_output(event)))
		return -EINVAL;
	if (unlikely(READ_ONCE(event->oncpu) != smp_processor_id()))
		return -EOPNOTSUPP;
	perf_sample_data_init(sample, 0, 0);
	perf_sample_save_raw_data(sample, event, record);
	if (unlikely(perf_sample_data_size(sample, event) > U16_MAX))
		return -E2BIG;
	return perf_event_output(event, sample, regs);
}

/* Output @record with a sample of @nests. Return: as output_sample(); -EBUSY if all are in use. */
static int output_nested(struct output_samples __percpu *nests, struct pt_regs *regs,
			 struct bpf_map *map, u64 flags, struct perf_raw_record *record)
{
	struct output_samples *nest;
	int err;

	guard(preempt_notrace)();
	nest = this_cpu_ptr(nests);
	if (unlikely(nest->depth >= ARRAY_SIZE(nest->samples)))
		return -EBUSY;
	/* An interrupt that does not see the new depth would overwrite the sample. */
	nest->depth++;
	barrier();
	err = output_sample(&nest->samples[nest->depth - 1], regs, map, flags, record);
	barrier();
	nest->depth--;
	return err;
}

/* ------------------------------------------------------------------ */
/* The helper bpf_perf_event_output(), by kind of context		*/

static int output_data(struct pt_regs *regs, struct bpf_map *map, u64 flags, void *data, u64 size)
{
	struct perf_raw_record record = { .frag = { .data = data, .size = size } };

	if (unlikely(flags & ~BPF_F_INDEX_MASK))
		return -EINVAL;
	return output_nested(&output_helper_samples, regs, map, flags, &record);
}

/* Prototype of bpf_perf_event_output(): (ctx, map, flags, data, size). */
#define OUTPUT_PROTO(helper)						\
{									\
	.arg1_type	= ARG_PTR_TO_CTX,				\
	.arg2_type	= ARG_CONST_MAP_PTR,				\
	.arg3_type	= ARG_ANYTHING,					\
	.arg4_type	= ARG_PTR_TO_MEM | MEM_RDONLY,			\
	.arg5_type	= ARG_CONST_SIZE_OR_ZERO,			\
	.ret_type	= RET_INTEGER,					\
	.func		= helper,					\
	.gpl_only	= true,						\
}

BPF_CALL_5(bpf_perf_event_output, struct pt_regs *, regs, struct bpf_map *, map, u64, flags,
	   void *, data, u64, size)
{
	return output_data(regs, map, flags, data, size);
}

const struct bpf_func_proto trace_bpf_output_regs_proto = OUTPUT_PROTO(bpf_perf_event_output);

BPF_CALL_5(bpf_perf_event_output_tp, void *, ctx, struct bpf_map *, map, u64, flags,
	   void *, data, u64, size)
{
	return output_data(trace_bpf_regs_of_record(ctx), map, flags, data, size);
}

const struct bpf_func_proto trace_bpf_output_record_proto = OUTPUT_PROTO(bpf_perf_event_output_tp);

BPF_CALL_5(bpf_perf_event_output_raw_tp, void *, args, struct bpf_map *, map, u64, flags,
	   void *, data, u64, size)
{
	struct pt_regs *regs = trace_bpf_get_raw_tp_regs();
	int err;

	if (unlikely(!regs))
		return -EBUSY;
	perf_fetch_caller_regs(regs);
	err = output_data(regs, map, flags, data, size);
	trace_bpf_put_raw_tp_regs();
	return err;
}

const struct bpf_func_proto trace_bpf_output_raw_proto = OUTPUT_PROTO(bpf_perf_event_output_raw_tp);

/* ------------------------------------------------------------------ */
/* Output on behalf of other helpers					*/

/**
 * bpf_event_output - output two pieces of data as one sample
 * @map: map of perf events
 * @flags: index into @map, or BPF_F_CURRENT_CPU, in the bits of BPF_F_INDEX_MASK; the other bits
 *	belong to the caller
 * @meta: the first piece of data
 * @meta_size: length of @meta in bytes
 * @ctx: the second piece of data, such as a packet
 * @ctx_size: length of @ctx in bytes; 0 to output @meta only
 * @ctx_copy: copies from @ctx into the sample, if memcpy() cannot do that; or NULL
 *
 * Context: any, NMI included; up to three calls may be nested on a CPU.
 * Return: 0; -E2BIG if @map has no such index, or the sample is too long for perf; -ENOENT if no
 * perf event is there; -EINVAL if that is not one of PERF_COUNT_SW_BPF_OUTPUT; -EOPNOTSUPP if it
 * does not count on this CPU; -EBUSY if too many calls are nested; or another errno of perf if the
 * buffer has no room.
 */
u64 bpf_event_output(struct bpf_map *map, u64 flags, void *meta, u64 meta_size,
		     void *ctx, u64 ctx_size, bpf_ctx_copy_t ctx_copy)
{
	struct perf_raw_frag second = { .data = ctx, .size = ctx_size, .copy = ctx_copy };
	struct perf_raw_record record = { .frag = { .data = meta, .size = meta_size } };
	/* Cleared, as perf may output registers that perf_fetch_caller_regs() does not set. */
	struct pt_regs regs = {};

	if (ctx_size)
		record.frag.next = &second;
	perf_fetch_caller_regs(&regs);
	return output_nested(&output_event_samples, &regs, map, flags, &record);
}
