// SPDX-License-Identifier: GPL-2.0
/*
 * Removing call sites whose text is about to be freed: those of a module, and those of init
 * text. Called by text/, under ftrace_lock; none of the sites points to a dispatch set.
 */
#include <linux/list.h>
#include <linux/lockdep.h>

#include "names_internal.h"
#include "sites.h"
#include "sites_internal.h"

void sites_remove_region(struct site_region *r)
{
	lockdep_assert_held(&ftrace_lock);
	names_drop(r);
	region_unlist(r);
}

void sites_remove_module(struct module *mod)
{
	struct site_region *r, *next;

	lockdep_assert_held(&ftrace_lock);
	list_for_each_entry_safe(r, next, &site_regions, node)
		if (r->mod && r->mod == mod)
			sites_remove_region(r);
}

static unsigned int region_retire_range(struct site_region *r, unsigned long start,
					unsigned long end)
{
	unsigned int i, before = r->nr_retired;

	for (i = sites_index_from(r, start); i < r->nr; i++) {
		if (site_ip(r, &r->sites[i]) >= end)
			break;
		site_retire(r, &r->sites[i]);
	}
	return r->nr_retired - before;
}

static bool region_is_within(const struct site_region *r, unsigned long start,
			     unsigned long end)
{
	return r->base >= start && r->last < end;
}

unsigned int sites_retire_range(unsigned long start, unsigned long end)
{
	struct site_region *r, *next;
	unsigned int marked, total = 0;

	lockdep_assert_held(&ftrace_lock);
	list_for_each_entry_safe(r, next, &site_regions, node) {
		marked = region_retire_range(r, start, end);
		total += marked;
		if (!r->mod || r->nr_retired < r->nr)
			continue;
		/*
		 * A region whose sites were retired one by one before must be removed, too:
		 * it would overlap the region of the next module at this place.
		 */
		if (marked || region_is_within(r, start, end))
			sites_remove_region(r);
	}
	return total;
}
