// SPDX-License-Identifier: GPL-2.0
/*
 * Many ops, each for a few functions, are attached or detached together (SPEC D10). One after
 * the other each would take a pass over text, and where they share a site, a set for each that
 * there is one more.
 */
#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/sort.h>

#include "dispatch/dispatch.h"
#include "dispatch/patch.h"
#include "filter/filter.h"
#include "ops.h"
#include "sites/ip_set.h"
#include "sites/sites.h"
#include "visit.h"

/**
 * struct ops_at - an ops at one of its sites
 * @site: the site
 * @ip: its address
 * @ops: the ops
 */
struct ops_at {
	struct site		*site;
	unsigned long		ip;
	struct ftrace_ops	*ops;
};

/**
 * struct ops_meeting - the sites of many ops
 * @at: each ops at each of its sites, by address, and at one site by &ftrace_ops.seq
 * @ops: the ops of @at: those of a site stand in a row
 * @nr: how many of both
 * @room: for how many there is room
 * @next: whose sites are looked for
 */
struct ops_meeting {
	struct ops_at		*at;
	struct ftrace_ops	**ops;
	unsigned int		nr;
	unsigned int		room;
	struct ftrace_ops	*next;
};

static int note_site(struct site *site, unsigned long ip, void *data)
{
	struct ops_meeting *m = data;

	if (WARN_ON_ONCE(m->nr == m->room))
		return -EINVAL;
	m->at[m->nr++] = (struct ops_at){ .site = site, .ip = ip, .ops = m->next };
	return 0;
}

static int compare_places(const void *a, const void *b)
{
	const struct ops_at *one = a, *other = b;

	if (one->ip != other->ip)
		return one->ip < other->ip ? -1 : 1;
	return one->ops->seq < other->ops->seq ? -1 : 1;
}

static unsigned int count_listed(struct ftrace_ops *const *ops, unsigned int nr)
{
	unsigned int listed = 0;

	for (unsigned int i = 0; i < nr; i++)
		listed += ip_set_size(ops[i]->filter->only.sites);
	return listed;
}

static void meeting_end(struct ops_meeting *m)
{
	kvfree(m->at);
	kvfree(m->ops);
}

static int meeting_begin(struct ops_meeting *m, struct ftrace_ops *const *ops, unsigned int nr)
{
	unsigned int room = count_listed(ops, nr);
	int err = 0;

	*m = (struct ops_meeting){
		.at = kvmalloc_array(room + 1, sizeof(*m->at), GFP_KERNEL),
		.ops = kvmalloc_array(room + 1, sizeof(*m->ops), GFP_KERNEL),
		.room = room,
	};
	if (!m->at || !m->ops)
		err = -ENOMEM;
	for (unsigned int i = 0; !err && i < nr; i++) {
		m->next = ops[i];
		err = ops_visit_sites(ops[i]->filter, note_site, m);
	}
	if (err) {
		meeting_end(m);
		return err;
	}
	sort(m->at, m->nr, sizeof(*m->at), compare_places, NULL);
	for (unsigned int i = 0; i < m->nr; i++)
		m->ops[i] = m->at[i].ops;
	return 0;
}

/* How many of @m, from the one at @from on, are at the same site? */
static unsigned int count_same(const struct ops_meeting *m, unsigned int from)
{
	unsigned int i = from + 1;

	while (i < m->nr && m->at[i].ip == m->at[from].ip)
		i++;
	return i - from;
}

static int target_of(const struct ops_meeting *m, unsigned int from, unsigned int nr, bool attach)
{
	u32 id = site_set_id(m->at[from].site);

	return attach ? dispatch_with_all(id, &m->ops[from], nr) :
			(int)dispatch_without_all(id, &m->ops[from], nr);
}

/* @dry: only make sure that all sets exist. */
static int move_all(const struct ops_meeting *m, bool attach, bool dry)
{
	unsigned int nr;
	int to, err;

	for (unsigned int i = 0; i < m->nr; i += nr) {
		nr = count_same(m, i);
		to = target_of(m, i, nr, attach);
		if (to < 0)
			return to;
		if (dry || to == site_set_id(m->at[i].site))
			continue;
		err = patch_add(m->at[i].site, m->at[i].ip, to);
		if (err)
			return err;
	}
	return 0;
}

static int move_together(struct ftrace_ops *const *ops, unsigned int nr, bool attach)
{
	struct ops_meeting m;
	int ret = meeting_begin(&m, ops, nr);

	if (ret)
		return ret;
	if (attach)
		ret = move_all(&m, true, true);
	ret = ret ?: move_all(&m, attach, false) ?: patch_run();
	meeting_end(&m);
	if (ret)
		patch_drop();
	dispatch_reap();
	return ret;
}

int ops_attach_all(struct ftrace_ops *const *ops, unsigned int nr)
{
	return move_together(ops, nr, true);
}

int ops_detach_all(struct ftrace_ops *const *ops, unsigned int nr)
{
	return move_together(ops, nr, false);
}
