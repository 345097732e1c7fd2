/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the KUnit files of the ring buffer share: records that tell whether they
 * are whole and in order, and the ways to write and to check them.
 */
#ifndef _KERNEL_TRACE_RING_BUFFER_TEST_H
#define _KERNEL_TRACE_RING_BUFFER_TEST_H

#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "event.h"

/* Sub-buffers of the fixture's buffer. */
#define RB_TEST_PAGES	4

/**
 * struct rb_fixture - a buffer to test, in kunit.priv
 * @buffer: overwrites; its clock stands still unless the test moves it
 * @cpu: the CPU that the test was bound to
 * @payload: bytes of records that fit a sub-buffer
 */
struct rb_fixture {
	struct trace_buffer	*buffer;
	int			cpu;
	unsigned int		payload;
};

/**
 * rb_test_init - the init function of the suites: make the fixture
 * @test: the test, bound to the CPU that it runs on
 *
 * Return: 0; the test has failed if something is missing.
 */
int rb_test_init(struct kunit *test);

/**
 * rb_test_exit - the exit function of the suites: free the fixture's buffer
 * @test: the test
 */
void rb_test_exit(struct kunit *test);

/**
 * rb_per_page - how many records fit a sub-buffer
 * @fix: the fixture
 * @words: length of their body
 *
 * Return: the number, all else being the same for each.
 */
unsigned int rb_per_page(struct rb_fixture *fix, u16 words);

/**
 * rb_write_many - write records of one size until one finds no room
 * @fix: the fixture
 * @seq: number of the first
 * @n: how many at most
 * @words: length of their body
 *
 * Return: how many were written.
 */
unsigned int rb_write_many(struct rb_fixture *fix, u32 seq, unsigned int n, u16 words);

/**
 * rb_read_all - consume all there is, expecting good records without a gap
 * @test: the test, failed if it finds another one
 * @seq: number of the first
 *
 * Return: how many there were.
 */
unsigned int rb_read_all(struct kunit *test, u32 seq);

/**
 * struct rb_rec - a record that can be checked
 * @seq: its number; each writer counts its own
 * @who: which writer
 * @words: length of @body
 * @body: a pattern made from the above
 */
struct rb_rec {
	u32	seq;
	u16	who;
	u16	words;
	u32	body[];
};

#define RB_REC_MIN	sizeof(struct rb_rec)

/* Body of a record of which a sub-buffer holds one. */
static inline u16 rb_page_words(const struct rb_fixture *fix)
{
	return (fix->payload - RB_REC_MIN) / sizeof(u32) - 4;
}

/* What stands at @i in the body of a record. */
static inline u32 rb_rec_pattern(const struct rb_rec *rec, unsigned int i)
{
	return (rec->seq * 0x9e3779b1u) ^ (rec->who << 16) ^ (i * 0x85ebca6bu);
}

/* Make a record, where there is room for one with @words of body. */
static inline void rb_rec_fill(struct rb_rec *rec, u32 seq, u16 who, u16 words)
{
	unsigned int i;

	rec->seq = seq;
	rec->who = who;
	rec->words = words;
	for (i = 0; i < words; i++)
		rec->body[i] = rb_rec_pattern(rec, i);
}

/* Is the record in @event as rb_rec_fill() made it? */
static inline bool rb_rec_good(struct ring_buffer_event *event)
{
	const struct rb_rec *rec = ring_buffer_event_data(event);
	unsigned int i;

	if (ring_buffer_event_length(event) < RB_REC_MIN + rec->words * sizeof(u32))
		return false;
	for (i = 0; i < rec->words; i++) {
		if (rec->body[i] != rb_rec_pattern(rec, i))
			return false;
	}
	return true;
}

/* Write a record. False if there was no room for it. */
static inline bool rb_rec_write(struct trace_buffer *buffer, u32 seq, u16 who,
				u16 words)
{
	struct ring_buffer_event *event;

	event = ring_buffer_lock_reserve(buffer, RB_REC_MIN + words * sizeof(u32));
	if (!event)
		return false;
	rb_rec_fill(ring_buffer_event_data(event), seq, who, words);
	ring_buffer_unlock_commit(buffer);
	return true;
}

/* Have the test run on one CPU, and know which. */
static inline int rb_test_pin(void)
{
	int cpu = raw_smp_processor_id();

	set_cpus_allowed_ptr(current, cpumask_of(cpu));
	return raw_smp_processor_id();
}

#endif /* _KERNEL_TRACE_RING_BUFFER_TEST_H */
