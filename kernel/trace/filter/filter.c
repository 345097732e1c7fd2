// SPDX-License-Identifier: GPL-2.0
/*
 * Evaluation of filters, see filter.h.
 */
#include "filter.h"
#include "sites/ip_set.h"

bool filter_wants(const struct ftrace_filter *filter, unsigned long ip)
{
	if (!filter)
		return true;
	if (filter->only.set && !ip_set_has(filter->only.sites, ip))
		return false;
	return !ip_set_has(filter->except.sites, ip);
}
