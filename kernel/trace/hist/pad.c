// SPDX-License-Identifier: GPL-2.0
/*
 * Scratch memory of nested hits, allocated while there is a histogram that may need it: see pad.h.
 */
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>

#include "events/events.h"
#include "pad.h"

/* Each CPU has HIST_PADS pads, of which the first hist_pads_taken are taken. */
static struct hist_pad __percpu *hist_pads;
static DEFINE_PER_CPU(unsigned int, hist_pads_taken);

/* Number of histograms that may take pads; protected by events_lock. */
static unsigned int hist_pads_users;

static_assert(HIST_PADS * sizeof(struct hist_pad) <= PCPU_MIN_UNIT_SIZE);

int hist_scratch_get(void)
{
	lockdep_assert_held(&events_lock);
	if (!hist_pads_users) {
		hist_pads = __alloc_percpu(HIST_PADS * sizeof(*hist_pads), __alignof__(*hist_pads));
		if (!hist_pads)
			return -ENOMEM;
	}
	hist_pads_users++;
	return 0;
}

void hist_scratch_put(void)
{
	lockdep_assert_held(&events_lock);
	if (--hist_pads_users)
		return;
	free_percpu(hist_pads);
	hist_pads = NULL;
}

struct hist_pad *hist_pad_take(void)
{
	unsigned int level = raw_cpu_read(hist_pads_taken);

	if (unlikely(level == HIST_PADS))
		return NULL;
	raw_cpu_write(hist_pads_taken, level + 1);
	/* A context that interrupts this one finds the pad taken. Pairs with hist_pad_return(). */
	barrier();
	return raw_cpu_ptr(hist_pads) + level;
}

void hist_pad_return(void)
{
	/* The pad is used no more when it is returned. Pairs with hist_pad_take(). */
	barrier();
	raw_cpu_write(hist_pads_taken, raw_cpu_read(hist_pads_taken) - 1);
}
