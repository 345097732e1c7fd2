// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots for the highest, or the latest, value of all keys: see peak.h.
 */
#include <linux/errno.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/seqlock.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "action.h"
#include "instance/instance.h"
#include "internal.h"
#include "messages/snapshot.h"
#include "peak.h"

/**
 * struct hist_peak - value and key that caused the latest snapshot
 * @action: the snapshot action
 * @seq: protects the members below; writers are serialized by the snapshot code
 * @taken: a snapshot was taken
 * @value: value of the tracked variable
 * @key: key of the hit, followed by the name of the task if &hist.wants_comm
 */
struct hist_peak {
	const struct hist_action *action;
	seqcount_t	seq;
	bool		taken;
	u64		value;
	u8		key[] __aligned(sizeof(u64));
};

static size_t get_peak_key_size(const struct hist *h)
{
	return h->key_size + (h->wants_comm ? TASK_COMM_LEN : 0);
}

/**
 * struct peak_request - a hit that may take a snapshot
 * @h: the histogram
 * @value: value of the tracked variable
 * @key: key of the hit
 */
struct peak_request {
	const struct hist	*h;
	u64			value;
	const void		*key;
};

/*
 * A cond_update_fn_t: decides whether a snapshot is taken, and keeps the value and key that caused
 * it. Requests without @cond_data do not come from a histogram, and are always granted.
 */
static bool update_peak(struct trace_array *tr, void *cond_data)
{
	const struct peak_request *request = cond_data;
	struct hist_peak *peak;

	if (!request)
		return true;
	peak = request->h->peak;
	if (!hist_value_is_due(peak->action->handler, request->value, peak->value))
		return false;
	raw_write_seqcount_begin(&peak->seq);
	peak->value = request->value;
	memcpy(peak->key, request->key, get_peak_key_size(request->h));
	peak->taken = true;
	raw_write_seqcount_end(&peak->seq);
	return true;
}

void hist_peak_request(const struct hist *h, u64 value, const void *key)
{
	struct peak_request request = { h, value, key };

	snapshot_condition_take(h->t.tr, &request);
}

int hist_peak_begin(struct hist *h, const struct hist_action *a)
{
	/* An action that is resolved later may set &hist.wants_comm: always have room. */
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
	err = snapshot_condition_begin(h->t.tr, h, update_peak);
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

const struct hist_action *hist_peak_read(const struct hist *h, u64 *value, void *key)
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
		memcpy(key, peak->key, get_peak_key_size(h));
	} while (read_seqcount_retry(&peak->seq, seq));
	return taken ? peak->action : NULL;
}
