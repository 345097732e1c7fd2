// SPDX-License-Identifier: GPL-2.0
/*
 * Walks the call sites that a filter lets through.
 */
#include "filter/filter.h"
#include "sites/ip_set.h"
#include "sites/sites.h"
#include "visit.h"

/* So many sites further it is quicker to search again. */
#define STEPS_MAX	8

/**
 * struct site_place - where the last site of a list was found
 * @r: the region it is in
 * @site: the site; NULL before the first
 */
struct site_place {
	struct site_region	*r;
	struct site		*site;
};

/* In a list that has many, the next one stands close behind. */
static bool step_to(struct site_place *at, unsigned long ip)
{
	for (unsigned int i = 0; i < STEPS_MAX && ++at->site < sites_end(at->r); i++)
		if (site_ip(at->r, at->site) >= ip)
			return site_ip(at->r, at->site) == ip;
	return false;
}

static int visit_site(struct site_place *at, unsigned long ip, site_fn fn, void *data)
{
	if (!at->site || !step_to(at, ip))
		at->site = site_at(ip, &at->r);
	return at->site && at->r->live && site_usable(at->site) ? fn(at->site, ip, data) : 0;
}

/* @at: where the last one was looked for; they come in the order of their addresses. */
static bool has_next(const struct ip_set *set, unsigned int *at, unsigned long ip)
{
	while (*at < ip_set_size(set) && set->ips[*at] < ip)
		(*at)++;
	return *at < ip_set_size(set) && set->ips[*at] == ip;
}

/* Does a filter let a site through? @at as above. */
static bool wants_next(const struct ftrace_filter *filter, unsigned int *at, unsigned long ip)
{
	if (!filter->only.set || filter->except.sites)
		return filter_wants(filter, ip);
	return has_next(filter->only.sites, at, ip);
}

/* A function more in a long list costs little: those that stay are not looked up. */
static int visit_listed(const struct ftrace_filter *filter, const struct ftrace_filter *but,
			site_fn fn, void *data)
{
	const struct ip_set *only = filter->only.sites, *except = filter->except.sites;
	unsigned int i, at_but = 0, at_except = 0;
	struct site_place at = { };
	int ret = 0;

	for (i = 0; !ret && i < ip_set_size(only); i++) {
		unsigned long ip = only->ips[i];

		if (!(but && wants_next(but, &at_but, ip)) &&
		    !(except && has_next(except, &at_except, ip)))
			ret = visit_site(&at, ip, fn, data);
	}
	return ret;
}

static int visit_region(struct site_region *r, const struct ip_set *except,
			const struct ftrace_filter *but, site_fn fn, void *data)
{
	struct site *site;
	int ret = 0;

	if (!r->live)
		return 0;
	for (site = r->sites; site < sites_end(r); site++) {
		unsigned long ip = site_ip(r, site);

		if (site_usable(site) && !(except && ip_set_has(except, ip)) &&
		    !(but && filter_wants(but, ip)))
			ret = fn(site, ip, data);
		if (ret)
			break;
	}
	return ret;
}

int ops_visit_region(struct site_region *r, site_fn fn, void *data)
{
	return visit_region(r, NULL, NULL, fn, data);
}

static int visit_all(const struct ip_set *except, const struct ftrace_filter *but,
		     site_fn fn, void *data)
{
	struct site_region *r;
	int ret = 0;

	for_each_site_region(r) {
		ret = visit_region(r, except, but, fn, data);
		if (ret)
			break;
	}
	return ret;
}

int ops_visit_sites(const struct ftrace_filter *filter, const struct ftrace_filter *but,
		    site_fn fn, void *data)
{
	if (!filter)
		return visit_all(NULL, but, fn, data);
	if (filter->only.set)
		return visit_listed(filter, but, fn, data);
	return visit_all(filter->except.sites, but, fn, data);
}
