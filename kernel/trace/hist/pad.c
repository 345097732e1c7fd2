// SPDX-License-Identifier: GPL-2.0
/*
 * Scratch memory of hits, which comes and goes with the histograms that need it: see pad.h.
 */
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>

#include "events/events.h"
#include "pad.h"

/* Each CPU has HIST_PADS of them, of which @pads_taken are taken, the first ones first. */
static struct hist_pad __percpu *pads;
static DEFINE_PER_CPU(unsigned int, pads_taken);
static unsigned int users;

static_assert(HIST_PADS * sizeof(struct hist_pad) <= PCPU_MIN_UNIT_SIZE);

int hist_pads_get(void)
{
	lockdep_assert_held(&events_lock);
	if (!users) {
		pads = __alloc_percpu(HIST_PADS * sizeof(*pads), __alignof__(*pads));
		if (!pads)
			return -ENOMEM;
	}
	users++;
	return 0;
}

void hist_pads_put(void)
{
	lockdep_assert_held(&events_lock);
	if (--users)
		return;
	free_percpu(pads);
	pads = NULL;
}

struct hist_pad *hist_pad_take(void)
{
	unsigned int level = raw_cpu_read(pads_taken);

	if (unlikely(level == HIST_PADS))
		return NULL;
	raw_cpu_write(pads_taken, level + 1);
	/* Pairs with that of hist_pad_return(): a context that nests finds it taken. */
	barrier();
	return raw_cpu_ptr(pads) + level;
}

void hist_pad_return(void)
{
	barrier();
	raw_cpu_write(pads_taken, raw_cpu_read(pads_taken) - 1);
}
