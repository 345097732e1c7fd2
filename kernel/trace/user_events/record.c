// SPDX-License-Identifier: GPL-2.0
/*
 * Records of user events. The data of a program is copied once, checked, and then recorded in
 * each instance, and by perf, where the event is on.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/uio.h>

#include "events/events.h"
#include "events/links.h"
#include "internal.h"

/* ------------------------------------------------------------------ */
/* Writing records							*/

/* Bytes of the longest record that is assembled on the stack. */
#define USER_RECORD_SMALL	256

static int user_event_record(struct user_event *event, struct iov_iter *from, void *rec)
{
	size_t len = iov_iter_count(from), head = sizeof(struct trace_entry);

	if (!copy_from_iter_full(rec + head, len, from))
		return -EFAULT;
	if (event->fields.located && user_fields_check(&event->fields, rec, head + len))
		return -EFAULT;
	guard(preempt_notrace)();
	event_links_record(&event->files, rec, head + len, NULL, true);
	return 0;
}

static int user_event_record_big(struct user_event *event, struct iov_iter *from)
{
	void *rec __free(kfree) = kzalloc(sizeof(struct trace_entry) + iov_iter_count(from),
					  GFP_KERNEL);

	return rec ? user_event_record(event, from, rec) : -ENOMEM;
}

static int user_event_record_small(struct user_event *event, struct iov_iter *from)
{
	u64 rec[USER_RECORD_SMALL / sizeof(u64)];

	/* Clear the common header, which is part of the record but not of the data. */
	rec[0] = 0;
	return user_event_record(event, from, rec);
}

int user_event_write(struct user_event *event, struct iov_iter *from)
{
	size_t len = sizeof(struct trace_entry) + iov_iter_count(from);

	if (len < event->fields.len)
		return -EINVAL;
	if (list_empty(&event->files))
		return -EBADF;
	if (len > USER_RECORD_MAX)
		return -E2BIG;
	return len > USER_RECORD_SMALL ? user_event_record_big(event, from) :
					 user_event_record_small(event, from);
}

/* ------------------------------------------------------------------ */
/* Switching events							*/

static u8 user_event_consumers(const struct user_event *event)
{
	struct event_link *link;
	u8 consumers = 0;

	for_each_event_link(link, &event->files)
		consumers |= event_file_is_perf(link->file) ? USER_EVENT_BY_PERF :
							      USER_EVENT_BY_FTRACE;
	return consumers;
}

static void user_event_update_consumers(struct user_event *event)
{
	u8 consumers = user_event_consumers(event);
	bool changes = !event->consumers != !consumers;

	WRITE_ONCE(event->consumers, consumers);
	if (changes)
		user_bits_update(event);
	if (!consumers && !event->persistent && !atomic_read(&event->users))
		user_events_sweep();
}

int user_event_reg(struct trace_event_call *call, enum trace_reg what, void *data)
{
	struct user_event *event = user_event_of(call);
	int err = 0;

	lockdep_assert_held(&events_lock);
	switch (what) {
	case TRACE_REG_REGISTER:
	case TRACE_REG_PERF_REGISTER:
		err = event_link_add(&event->files, data);
		break;
	case TRACE_REG_UNREGISTER:
	case TRACE_REG_PERF_UNREGISTER:
		event_link_remove(&event->files, data);
		break;
	default:
		return -EOPNOTSUPP;
	}
	if (!err)
		user_event_update_consumers(event);
	return err;
}
