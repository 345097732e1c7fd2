/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared code of the KUnit tests of the ring buffer: records whose content and order can be
 * checked, and functions that write them and check them.
 */
#ifndef _KERNEL_TRACE_RING_BUFFER_TEST_H
#define _KERNEL_TRACE_RING_BUFFER_TEST_H

#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "records.h"

/* Number of sub-buffers of the fixture's buffer. */
#define RB_TEST_PAGES	4

/**
 * struct rb_fixture - a buffer to test, in kunit.priv
 * @buffer: the buffer, which overwrites; its clock stands still unless the test moves it
 * @cpu: the CPU that the test is bound to
 * @payload: bytes of records that fit a sub-buffer
 */
struct rb_fixture {
	struct trace_buffer	*buffer;
	int			cpu;
	unsigned int		payload;
};

/**
 * rb_test_init - init function of the suites: create the fixture
 * @test: the test, which is bound to the CPU that it runs on
 *
 * Return: 0; if an allocation fails the test is aborted.
 */
int rb_test_init(struct kunit *test);

/**
 * rb_test_exit - exit function of the suites: free the fixture's buffer
 * @test: the test
 */
void rb_test_exit(struct kunit *test);

/**
 * rb_records_per_page - number of records of one size that fit a sub-buffer
 * @fix: the fixture
 * @words: length of the body of each record
 *
 * Return: the number of records.
 */
unsigned int rb_records_per_page(struct rb_fixture *fix, u16 words);

/**
 * rb_write_many - write records of one size until one finds no room
 * @fix: the fixture
 * @seq: number of the first record
 * @n: largest number of records to write
 * @words: length of the body of each record
 *
 * Return: the number of records written.
 */
unsigned int rb_write_many(struct rb_fixture *fix, u32 seq, unsigned int n, u16 words);

/**
 * rb_read_all - consume all records, which must be intact and without a gap
 * @test: the test, which fails if a record is damaged or missing
 * @seq: number of the first record
 *
 * Return: the number of records.
 */
unsigned int rb_read_all(struct kunit *test, u32 seq);

/**
 * struct rb_rec - a record that can be checked
 * @seq: number of the record; each writer counts its own records
 * @who: number of the writer
 * @words: length of @body in words
 * @body: pattern made from @seq and @who
 */
struct rb_rec {
	u32	seq;
	u16	who;
	u16	words;
	u32	body[];
};

/* Length of a record without a body, in bytes. */
#define RB_REC_MIN	sizeof(struct rb_rec)

/* Length of the body, in words, of a record so large that a sub-buffer holds only one. */
static inline u16 rb_words_of_whole_page(const struct rb_fixture *fix)
{
	return (fix->payload - RB_REC_MIN) / sizeof(u32) - 4;
}

/* Word at index @i in the body of a record. */
static inline u32 rb_rec_pattern(const struct rb_rec *rec, unsigned int i)
{
	return (rec->seq * 0x9e3779b1u) ^ (rec->who << 16) ^ (i * 0x85ebca6bu);
}

/* Fill in a record with a body of @words words. */
static inline void rb_rec_fill(struct rb_rec *rec, u32 seq, u16 who, u16 words)
{
	unsigned int i;

	rec->seq = seq;
	rec->who = who;
	rec->words = words;
	for (i = 0; i < words; i++)
		rec->body[i] = rb_rec_pattern(rec, i);
}

/* True if the record in @event is as rb_rec_fill() made it. */
static inline bool rb_rec_is_intact(struct ring_buffer_event *event)
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

/* Bind the test to one CPU. Returns that CPU. */
static inline int rb_test_bind_to_cpu(void)
{
	int cpu = raw_smp_processor_id();

	set_cpus_allowed_ptr(current, cpumask_of(cpu));
	return raw_smp_processor_id();
}

#endif /* _KERNEL_TRACE_RING_BUFFER_TEST_H */
