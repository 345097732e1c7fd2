// SPDX-License-Identifier: GPL-2.0
/*
 * Records of synthetic events, and where they go.
 *
 * Who makes them is inside of another event most of the time. What comes of a record may be
 * another synthetic event, and so on; how deep that goes is limited here, for it may well be
 * the same one again.
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
#include "record/beside.h"
#include "types/types.h"

/* ------------------------------------------------------------------ */
/* Fields								*/

/* What there is instead of a string that is not there. */
#define NO_TEXT	"(fault)"

static const void *address(u64 val)
{
	return (const void *)(uintptr_t)val;
}

static const char *text_at(u64 val)
{
	return address(val) ?: NO_TEXT;
}

/* With a NUL, whether it has one or not. */
static unsigned int text_len(const char *from, unsigned int most)
{
	return min(strnlen(from, min(most, SYNTH_TEXT_MAX)), SYNTH_TEXT_MAX - 1) + 1;
}

/* All of @size is written, and the last of it is a NUL. */
static void put_text(char *to, unsigned int size, const char *from, unsigned int most)
{
	unsigned int len = min(text_len(from, most), size) - 1;

	memcpy(to, from, len);
	memset(to + len, 0, size - len);
}

/* How many addresses, of @most bytes in which they are. */
static unsigned int stack_depth(const unsigned long *stack, unsigned int most)
{
	return stack && most >= sizeof(*stack) ?
	       min3(*stack, most / sizeof(*stack) - 1, SYNTH_STACK_DEPTH) : 0;
}

/* Before them is how many there are. */
static unsigned int stack_len(const unsigned long *stack, unsigned int most)
{
	return (stack_depth(stack, most) + 1) * sizeof(*stack);
}

void synth_put(void *rec, const struct synth_field *f, u64 val, unsigned int len)
{
	void *to = rec + f->offset;

	if (f->kind == SYNTH_TEXT)
		put_text(to, f->size, text_at(val), len);
	else
		record_put_number(to, f->size, val);
}

static unsigned int len_of(const struct synth_vals *from, unsigned int i)
{
	return from->lens ? from->lens[i] : SYNTH_TEXT_MAX;
}

static unsigned int room_of(const struct synth_event *event, const struct synth_vals *from,
			    unsigned int i)
{
	switch (event->fields[i].kind) {
	case SYNTH_DYN_TEXT:
		return text_len(text_at(from->vals[i]), len_of(from, i));
	case SYNTH_STACK:
		return stack_len(address(from->vals[i]), len_of(from, i)) + sizeof(long) - 1;
	default:
		return 0;
	}
}

unsigned int synth_room(const struct synth_event *event, const struct synth_vals *from)
{
	unsigned int room = 0;

	for (unsigned int i = 0; i < event->nr_fields; i++)
		room += room_of(event, from, i);
	return min(room, SYNTH_LEN_MAX - event->len);
}

/**
 * struct filling - a record that is being filled in
 * @rec: the record
 * @at: where what is behind the fields goes on
 * @end: behind the record
 */
struct filling {
	void		*rec;
	unsigned int	at;
	unsigned int	end;
};

/* At the place of a field: where it is, and how long. */
static void put_loc(const struct filling *to, const struct synth_field *f, unsigned int len)
{
	memset(to->rec + f->offset, 0, f->size);
	/* The lower half of a longer number, where the byte order lets it be longer. */
	*(u32 *)(to->rec + f->offset) = len << 16 | to->at;
}

static void fill_text(struct filling *to, const struct synth_field *f, const char *from,
		      unsigned int most)
{
	unsigned int len = min(text_len(from, most), to->end - to->at);

	put_loc(to, f, len);
	if (len)
		put_text(to->rec + to->at, len, from, most);
	to->at += len;
}

static void fill_stack(struct filling *to, const struct synth_field *f,
		       const unsigned long *from, unsigned int most)
{
	unsigned int depth = stack_depth(from, most), room;
	unsigned long *at;

	to->at = min_t(unsigned int, round_up(to->at, sizeof(*from)), to->end);
	room = (to->end - to->at) / sizeof(*from);
	if (!room) {
		put_loc(to, f, 0);
		return;
	}
	depth = min(depth, room - 1);
	put_loc(to, f, (depth + 1) * sizeof(*from));
	at = to->rec + to->at;
	at[0] = depth;
	if (depth)
		memcpy(at + 1, from + 1, depth * sizeof(*from));
	to->at += (depth + 1) * sizeof(*from);
}

static void fill_field(struct filling *to, const struct synth_field *f, u64 val,
		       unsigned int len)
{
	switch (f->kind) {
	case SYNTH_DYN_TEXT:
		fill_text(to, f, text_at(val), len);
		break;
	case SYNTH_STACK:
		fill_stack(to, f, address(val), len);
		break;
	default:
		synth_put(to->rec, f, val, len);
	}
}

void synth_fill(const struct synth_event *event, void *rec, unsigned int room,
		const struct synth_vals *from)
{
	struct filling to = { .rec = rec, .at = event->len, .end = event->len + room };

	for (unsigned int i = 0; i < event->nr_fields; i++)
		fill_field(&to, &event->fields[i], from->vals[i], len_of(from, i));
	memset(rec + to.at, 0, to.end - to.at);
}

/* ------------------------------------------------------------------ */
/* Where they go							*/

enum { IN_TASK, IN_SOFTIRQ, IN_HARDIRQ, IN_NMI, NR_CONTEXTS };

/*
 * How deep each may be: there are places beside the buffer for so many. On 64 bits a level takes
 * 750 bytes of the stack, and 300 more if it comes of a probe of an event; but what makes the
 * first one come takes up to 1,700.
 */
static const u8 depth_max[NR_CONTEXTS] = {
	[IN_TASK]	= TRACE_BESIDE_DEPTH_TASK,
	[IN_SOFTIRQ]	= TRACE_BESIDE_DEPTH_SOFTIRQ,
	[IN_HARDIRQ]	= TRACE_BESIDE_DEPTH_HARDIRQ,
	[IN_NMI]	= TRACE_BESIDE_DEPTH_NMI,
};

/* How deep each context is, and all of them together. */
static DEFINE_PER_CPU(u8 [NR_CONTEXTS], depths);
DEFINE_PER_CPU(unsigned int, synth_nested);

static_assert(NR_CONTEXTS == TRACE_BESIDE_CONTEXTS);

static unsigned int context_of(unsigned int word)
{
	if (word & NMI_MASK)
		return IN_NMI;
	if (word & HARDIRQ_MASK)
		return IN_HARDIRQ;
	return word & SOFTIRQ_OFFSET ? IN_SOFTIRQ : IN_TASK;
}

static void record(const struct synth_event *event, struct trace_event_file *file,
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

static noinline void lose_event(const struct synth_event *event)
{
	trace_recursion_count();
	event_links_lose(&event->files);
}

void synth_event_hit(const struct synth_event *event, const u64 *vals, const u16 *lens,
		     unsigned int word)
{
	struct synth_vals from = { vals, lens };
	unsigned int context = context_of(word);
	u8 *depth = raw_cpu_ptr(&depths[context]);
	struct event_link *at;
	unsigned int room;

	/* Without anybody to record it, it costs no more than this. */
	if (list_empty(&event->files))
		return;
	if (unlikely(*depth == depth_max[context])) {
		lose_event(event);
		return;
	}
	++*depth;
	raw_cpu_inc(synth_nested);
	room = synth_room(event, &from);
	for_each_event_link(at, &event->files)
		record(event, at->file, room, &from, word);
	raw_cpu_dec(synth_nested);
	--*depth;
}

/* ------------------------------------------------------------------ */
/* On and off								*/

static int file_on(struct synth_event *event, struct trace_event_file *file)
{
	int err;

	if (!try_module_get(event->mod))
		return -EBUSY;
	err = event_link_add(&event->files, file);
	if (err)
		module_put(event->mod);
	return err;
}

static void file_off(struct synth_event *event, const struct trace_event_file *file)
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
		return file_on(event, data);
	case TRACE_REG_UNREGISTER:
	case TRACE_REG_PERF_UNREGISTER:
		file_off(event, data);
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}
