// SPDX-License-Identifier: GPL-2.0
/*
 * Attaching and detaching many ops, each for a few functions, at once (SPEC D10). Done one by
 * one, each ops would cost a pass over the text and, at a site that many of them share, one
 * more dispatch set.
 */
#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/sort.h>

#include "dispatch/dispatch.h"
#include "dispatch/patch.h"
#include "filter/filter.h"
#include "internal.h"
#include "sites/ip_set.h"
#include "sites/sites.h"
#include "visit.h"

/**
 * struct ops_batch_entry - an ops and one of its sites
 * @site: the site
 * @ip: address of @site
 * @ops: the ops
 */
struct ops_batch_entry {
	struct site		*site;
	unsigned long		ip;
	struct ftrace_ops	*ops;
};

/**
 * struct ops_batch - the sites of many ops
 * @at: every pair of an ops and a site, sorted by address and then by &ftrace_ops.seq
 * @ops: the ops of @at in the same order: the ops of one site are an array in it
 * @nr: number of elements of @at and of @ops
 * @room: number of elements for which memory was allocated
 * @next: the ops for which batch_note_site() is called
 */
struct ops_batch {
	struct ops_batch_entry	*at;
	struct ftrace_ops	**ops;
	unsigned int		nr;
	unsigned int		room;
	struct ftrace_ops	*next;
};

static int batch_note_site(struct site *site, unsigned long ip, void *data)
{
	struct ops_batch *m = data;

	if (WARN_ON_ONCE(m->nr == m->room))
		return -EINVAL;
	m->at[m->nr++] = (struct ops_batch_entry){ .site = site, .ip = ip, .ops = m->next };
	return 0;
}

static int batch_compare_entries(const void *a, const void *b)
{
	const struct ops_batch_entry *one = a, *other = b;

	if (one->ip != other->ip)
		return one->ip < other->ip ? -1 : 1;
	return one->ops->seq < other->ops->seq ? -1 : 1;
}

static unsigned int batch_count_sites(struct ftrace_ops *const *ops, unsigned int nr)
{
	unsigned int listed = 0;

	for (unsigned int i = 0; i < nr; i++)
		listed += ip_set_size(ops[i]->filter->only.sites);
	return listed;
}

static void batch_free(struct ops_batch *m)
{
	kvfree(m->at);
	kvfree(m->ops);
}

static int batch_collect(struct ops_batch *m, struct ftrace_ops *const *ops, unsigned int nr)
{
	unsigned int room = batch_count_sites(ops, nr);
	int err = 0;

	*m = (struct ops_batch){
		.at = kvmalloc_array(room + 1, sizeof(*m->at), GFP_KERNEL),
		.ops = kvmalloc_array(room + 1, sizeof(*m->ops), GFP_KERNEL),
		.room = room,
	};
	if (!m->at || !m->ops)
		err = -ENOMEM;
	for (unsigned int i = 0; !err && i < nr; i++) {
		m->next = ops[i];
		err = ops_visit_sites(ops[i]->filter, batch_note_site, m);
	}
	if (err) {
		batch_free(m);
		return err;
	}
	sort(m->at, m->nr, sizeof(*m->at), batch_compare_entries, NULL);
	for (unsigned int i = 0; i < m->nr; i++)
		m->ops[i] = m->at[i].ops;
	return 0;
}

/* Count the entries from @from on that have the same site. */
static unsigned int batch_count_at_site(const struct ops_batch *m, unsigned int from)
{
	unsigned int i = from + 1;

	while (i < m->nr && m->at[i].ip == m->at[from].ip)
		i++;
	return i - from;
}

/* Return: id of the set that the site of entry @from gets, or an error. */
static int batch_target_set(const struct ops_batch *m, unsigned int from, unsigned int nr,
			    bool attach)
{
	u32 id = site_set_id(m->at[from].site);

	return attach ? dispatch_with_all(id, &m->ops[from], nr) :
			(int)dispatch_without_all(id, &m->ops[from], nr);
}

/* Queue the changes of all sites in patch.c; with @dry, only create the sets that they need. */
static int batch_move_sites(const struct ops_batch *m, bool attach, bool dry)
{
	unsigned int nr;
	int to, err;

	for (unsigned int i = 0; i < m->nr; i += nr) {
		nr = batch_count_at_site(m, i);
		to = batch_target_set(m, i, nr, attach);
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

static int batch_run(struct ftrace_ops *const *ops, unsigned int nr, bool attach)
{
	struct ops_batch m;
	int ret = batch_collect(&m, ops, nr);

	if (ret)
		return ret;
	if (attach)
		ret = batch_move_sites(&m, true, true);
	ret = ret ?: batch_move_sites(&m, attach, false) ?: patch_run();
	batch_free(&m);
	if (ret)
		patch_drop();
	dispatch_reap();
	return ret;
}

int ops_attach_all(struct ftrace_ops *const *ops, unsigned int nr)
{
	return batch_run(ops, nr, true);
}

int ops_detach_all(struct ftrace_ops *const *ops, unsigned int nr)
{
	return batch_run(ops, nr, false);
}
