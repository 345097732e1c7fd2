// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots for the highest, or the latest, value of all keys.
 */
#include <linux/errno.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/seqlock.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "instance/instance.h"
#include "messages/snapshot.h"
#include "peak.h"

/**
 * struct hist_peak - what the latest snapshot was taken for
 * @action: whose it is
 * @seq: of what follows, which is written by one at a time
 * @taken: there was a snapshot
 * @value: for this value
 * @key: of this key
 */
struct hist_peak {
	const struct hist_action *action;
	seqcount_t	seq;
	bool		taken;
	u64		value;
	u8		key[] __aligned(sizeof(u64));
};

static size_t key_room(const struct hist *h)
{
	return h->key_size + (h->wants_comm ? TASK_COMM_LEN : 0);
}

/**
 * struct asked - what a snapshot is asked for
 * @h: by which histogram
 * @value: for which value
 * @key: of which key
 */
struct asked {
	const struct hist	*h;
	u64			value;
	const void		*key;
};

/* A cond_update_fn_t: others that ask for one have it. */
static bool is_wanted(struct trace_array *tr, void *cond_data)
{
	const struct asked *asked = cond_data;
	struct hist_peak *peak;

	if (!asked)
		return true;
	peak = asked->h->peak;
	if (!hist_matters(peak->action->handler, asked->value, peak->value))
		return false;
	raw_write_seqcount_begin(&peak->seq);
	peak->value = asked->value;
	memcpy(peak->key, asked->key, key_room(asked->h));
	peak->taken = true;
	raw_write_seqcount_end(&peak->seq);
	return true;
}

void hist_peak_ask(const struct hist *h, u64 value, const void *key)
{
	struct asked asked = { h, value, key };

	snapshot_condition_ask(h->t.tr, &asked);
}

int hist_peak_begin(struct hist *h, const struct hist_action *a)
{
	/* Another action may want the name of the task. */
	struct hist_peak *peak = kzalloc(struct_size(peak, key, h->key_size + TASK_COMM_LEN),
					 GFP_KERNEL);
	int err;

	if (!peak)
		return -ENOMEM;
	if (h->peak) {
		kfree(peak);
		return -EBUSY;
	}
	peak->action = a;
	seqcount_init(&peak->seq);
	h->peak = peak;
	err = snapshot_condition_begin(h->t.tr, h, is_wanted);
	if (!err)
		return 0;
	h->peak = NULL;
	kfree(peak);
	return err;
}

void hist_peak_end(struct hist *h)
{
	snapshot_condition_end(h->t.tr);
	kfree(h->peak);
	h->peak = NULL;
}

const struct hist_action *hist_peak_of(const struct hist *h, u64 *value, void *key)
{
	const struct hist_peak *peak = h->peak;
	unsigned int seq;
	bool taken;

	if (!peak)
		return NULL;
	do {
		seq = raw_read_seqcount_begin(&peak->seq);
		taken = peak->taken;
		*value = peak->value;
		memcpy(key, peak->key, key_room(h));
	} while (read_seqcount_retry(&peak->seq, seq));
	return taken ? peak->action : NULL;
}
