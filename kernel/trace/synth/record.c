// SPDX-License-Identifier: GPL-2.0
/*
 * Making the records of synthetic events, in all instances in which the event is on.
 *
 * Most of the time this happens inside the hit of another event. A synthetic event may in turn
 * generate another one, or the same one again, so the depth is limited here.
 */
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "events/events.h"
#include "events/links.h"
#include "guard/guard.h"
#include "internal.h"
#include "record/scratch.h"
#include "types/types.h"

/* ------------------------------------------------------------------ */
/* Fields								*/

/* Text that stands for a string whose address is NULL. */
#define NO_TEXT	"(fault)"

static const void *val_to_ptr(u64 val)
{
	return (const void *)(uintptr_t)val;
}

static const char *val_to_text(u64 val)
{
	return val_to_ptr(val) ?: NO_TEXT;
}

/* Bytes of a string in a record with its NUL, of which at most @most bytes can be read. */
static unsigned int get_text_len(const char *from, unsigned int most)
{
	return min(strnlen(from, min(most, SYNTH_TEXT_MAX)), SYNTH_TEXT_MAX - 1) + 1;
}

/* Copy a string, of which at most @most bytes can be read, and fill up to @size with NULs. */
static void copy_text(char *to, unsigned int size, const char *from, unsigned int most)
{
	unsigned int len = min(get_text_len(from, most), size) - 1;

	memcpy(to, from, len);
	memset(to + len, 0, size - len);
}

/* Number of addresses of a stack, of which at most @most bytes can be read. */
static unsigned int get_stack_depth(const unsigned long *stack, unsigned int most)
{
	return stack && most >= sizeof(*stack) ?
	       min3(*stack, most / sizeof(*stack) - 1, SYNTH_STACK_DEPTH) : 0;
}

/* Bytes of a stack in a record, with the number of addresses in front. */
static unsigned int get_stack_len(const unsigned long *stack, unsigned int most)
{
	return (get_stack_depth(stack, most) + 1) * sizeof(*stack);
}

void synth_put_field(void *rec, const struct synth_field *f, u64 val, unsigned int len)
{
	void *to = rec + f->offset;

	if (f->kind == SYNTH_TEXT)
		copy_text(to, f->size, val_to_text(val), len);
	else
		record_put_number(to, f->size, val);
}

static unsigned int get_val_len(const struct synth_vals *from, unsigned int i)
{
	return from->lens ? from->lens[i] : SYNTH_TEXT_MAX;
}

static unsigned int get_field_room(const struct synth_event *event, const struct synth_vals *from,
				   unsigned int i)
{
	switch (event->fields[i].kind) {
	case SYNTH_DYN_TEXT:
		return get_text_len(val_to_text(from->vals[i]), get_val_len(from, i));
	case SYNTH_STACK:
		return get_stack_len(val_to_ptr(from->vals[i]), get_val_len(from, i)) +
		       sizeof(long) - 1;
	default:
		return 0;
	}
}

unsigned int synth_room(const struct synth_event *event, const struct synth_vals *from)
{
	unsigned int room = 0;

	for (unsigned int i = 0; i < event->nr_fields; i++)
		room += get_field_room(event, from, i);
	return min(room, SYNTH_LEN_MAX - event->len);
}

/**
 * struct record_fill - state of filling a record in
 * @rec: the record
 * @at: offset in the record at which the next array is stored
 * @end: size of the record in bytes
 */
struct record_fill {
	void		*rec;
	unsigned int	at;
	unsigned int	end;
};

/* Store the offset and length of the next array in its field. */
static void set_field_loc(const struct record_fill *to, const struct synth_field *f,
			  unsigned int len)
{
	memset(to->rec + f->offset, 0, f->size);
	/* In little endian the field may be longer: this is the lower half of the number. */
	*(u32 *)(to->rec + f->offset) = len << 16 | to->at;
}

static void append_text(struct record_fill *to, const struct synth_field *f, const char *from,
			unsigned int most)
{
	unsigned int len = min(get_text_len(from, most), to->end - to->at);

	set_field_loc(to, f, len);
	if (len)
		copy_text(to->rec + to->at, len, from, most);
	to->at += len;
}

static void append_stack(struct record_fill *to, const struct synth_field *f,
			 const unsigned long *from, unsigned int most)
{
	unsigned int depth = get_stack_depth(from, most), room;
	unsigned long *at;

	to->at = min_t(unsigned int, round_up(to->at, sizeof(*from)), to->end);
	room = (to->end - to->at) / sizeof(*from);
	if (!room) {
		set_field_loc(to, f, 0);
		return;
	}
	depth = min(depth, room - 1);
	set_field_loc(to, f, (depth + 1) * sizeof(*from));
	at = to->rec + to->at;
	at[0] = depth;
	if (depth)
		memcpy(at + 1, from + 1, depth * sizeof(*from));
	to->at += (depth + 1) * sizeof(*from);
}

static void fill_synth_field(struct record_fill *to, const struct synth_field *f, u64 val,
			     unsigned int len)
{
	switch (f->kind) {
	case SYNTH_DYN_TEXT:
		append_text(to, f, val_to_text(val), len);
		break;
	case SYNTH_STACK:
		append_stack(to, f, val_to_ptr(val), len);
		break;
	default:
		synth_put_field(to->rec, f, val, len);
	}
}

void synth_fill(const struct synth_event *event, void *rec, unsigned int room,
		const struct synth_vals *from)
{
	struct record_fill to = { .rec = rec, .at = event->len, .end = event->len + room };

	for (unsigned int i = 0; i < event->nr_fields; i++)
		fill_synth_field(&to, &event->fields[i], from->vals[i], get_val_len(from, i));
	memset(rec + to.at, 0, to.end - to.at);
}

/* ------------------------------------------------------------------ */
/* Hits									*/

enum { IN_TASK, IN_SOFTIRQ, IN_HARDIRQ, IN_NMI, NR_CONTEXTS };

/*
 * Most synthetic events that a context may nest. There are scratch records for so many. On 64 bit
 * a level takes 750 bytes of the stack, and 300 more if a probe of an event generates it; the hit
 * that generates the first level takes up to 1,700 bytes.
 */
static const u8 synth_depth_max[NR_CONTEXTS] = {
	[IN_TASK]	= TRACE_SCRATCH_DEPTH_TASK,
	[IN_SOFTIRQ]	= TRACE_SCRATCH_DEPTH_SOFTIRQ,
	[IN_HARDIRQ]	= TRACE_SCRATCH_DEPTH_HARDIRQ,
	[IN_NMI]	= TRACE_SCRATCH_DEPTH_NMI,
};

/* Synthetic events that each context of a CPU is recording, and their sum. */
static DEFINE_PER_CPU(u8 [NR_CONTEXTS], synth_depths);
DEFINE_PER_CPU(unsigned int, synth_nested);

static_assert(NR_CONTEXTS == TRACE_SCRATCH_CONTEXTS);

static unsigned int get_synth_context(unsigned int word)
{
	if (word & NMI_MASK)
		return IN_NMI;
	if (word & HARDIRQ_MASK)
		return IN_HARDIRQ;
	return word & SOFTIRQ_OFFSET ? IN_SOFTIRQ : IN_TASK;
}

static void record_in_file(const struct synth_event *event, struct trace_event_file *file,
			   unsigned int room, const struct synth_vals *from, unsigned int word)
{
	struct trace_event_buffer b __uninitialized;
	void *rec;

	if (trace_event_is_stopped(file))
		return;
	rec = event_reserve_inside(&b, file, event->len + room, word);
	if (!rec)
		return;
	synth_fill(event, rec, room, from);
	event_commit_inside(&b);
}

static noinline void count_lost_event(const struct synth_event *event)
{
	trace_recursion_count();
	event_links_lose(&event->files);
}

void synth_event_hit(const struct synth_event *event, const u64 *vals, const u16 *lens,
		     unsigned int word)
{
	struct synth_vals from = { vals, lens };
	unsigned int context = get_synth_context(word);
	u8 *depth = raw_cpu_ptr(&synth_depths[context]);
	struct event_link *at;
	unsigned int room;

	/* This is all that an event costs which is off in every instance. */
	if (list_empty(&event->files))
		return;
	if (unlikely(*depth == synth_depth_max[context])) {
		count_lost_event(event);
		return;
	}
	++*depth;
	raw_cpu_inc(synth_nested);
	room = synth_room(event, &from);
	for_each_event_link(at, &event->files)
		record_in_file(event, at->file, room, &from, word);
	raw_cpu_dec(synth_nested);
	--*depth;
}

/* ------------------------------------------------------------------ */
/* Enabling and disabling						*/

static int synth_attach_file(struct synth_event *event, struct trace_event_file *file)
{
	int err;

	if (!try_module_get(event->mod))
		return -EBUSY;
	err = event_link_add(&event->files, file);
	if (err)
		module_put(event->mod);
	return err;
}

static void synth_detach_file(struct synth_event *event, const struct trace_event_file *file)
{
	if (event_link_remove(&event->files, file))
		module_put(event->mod);
}

int synth_reg(struct trace_event_call *call, enum trace_reg what, void *data)
{
	struct synth_event *event = synth_event_of(call);

	lockdep_assert_held(&events_lock);
	switch (what) {
	case TRACE_REG_REGISTER:
	case TRACE_REG_PERF_REGISTER:
		return synth_attach_file(event, data);
	case TRACE_REG_UNREGISTER:
	case TRACE_REG_PERF_UNREGISTER:
		synth_detach_file(event, data);
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}
