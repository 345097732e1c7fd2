// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics of the table of call sites for dyn_ftrace_total_info (SPEC D6).
 */
#include <linux/list.h>
#include <linux/lockdep.h>

#include "sites.h"

unsigned long sites_total(void)
{
	struct site_region *r;
	unsigned long total = 0;

	lockdep_assert_held(&ftrace_lock);
	for_each_site_region(r)
		total += r->nr - r->nr_retired;
	return total;
}

unsigned int sites_regions(void)
{
	lockdep_assert_held(&ftrace_lock);
	return list_count_nodes(&site_regions);
}

size_t sites_bytes(void)
{
	struct site_region *r;
	size_t bytes = 0;

	lockdep_assert_held(&ftrace_lock);
	for_each_site_region(r)
		bytes += r->bytes + sizeof(*r);
	return bytes;
}
