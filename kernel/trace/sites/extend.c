// SPDX-License-Identifier: GPL-2.0
/*
 * Adding sites that were found while their text runs (SPEC D14). A published region does not
 * change, so a new region with the old and the new sites replaces it.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "names_internal.h"
#include "sites.h"
#include "sites_internal.h"

static unsigned long nr_found;

/* Find the region for the sites of the text that contains @ip; NULL if there is none yet. */
static struct site_region *extend_find_region(const struct module *mod, unsigned long ip)
{
	struct site_region *r;

	if (!mod)
		return region_core();
	for_each_site_region(r)
		if (r->mod == mod &&
		    within_module_init(r->base, mod) == within_module_init(ip, mod))
			return r;
	return NULL;
}

/* Fill @r with the records of @old (may be NULL) and new records for @ips. */
static void extend_merge_records(struct site_region *r, const struct site_region *old,
				 const unsigned long *ips, unsigned int nr)
{
	const struct site *from = old ? old->sites : NULL;
	const struct site *end = old ? sites_end(old) : NULL;
	struct site *s;

	for (s = r->sites; s < sites_end(r); s++) {
		if (from == end || (nr && *ips < site_ip(old, from))) {
			s->offset = *ips++ - r->base;
			s->word = site_word_make(0, SITE_NEW);
			nr--;
		} else {
			s->offset = site_ip(old, from) - r->base;
			s->word = site_word(from++);
		}
	}
}

static int extend_alloc_records(struct site_region *r)
{
	if (r->last - r->base > U32_MAX)
		return -ERANGE;
	r->bytes = array_size(r->nr, sizeof(*r->sites));
	r->sites = kvmalloc(r->bytes, GFP_KERNEL);
	return r->sites ? 0 : -ENOMEM;
}

/* Create an unpublished region with the sites of @old (may be NULL) and those at @ips. */
static struct site_region *extend_copy_region(const struct site_region *old,
					      const unsigned long *ips, unsigned int nr)
{
	struct site_region *r = kzalloc(sizeof(*r), GFP_KERNEL);
	int err;

	if (!r)
		return ERR_PTR(-ENOMEM);
	r->base = old ? min(old->base, ips[0]) : ips[0];
	r->last = old ? max(old->last, ips[nr - 1]) : ips[nr - 1];
	r->nr = old ? old->nr + nr : nr;
	r->nr_retired = old ? old->nr_retired : 0;
	r->live = old ? old->live : true;
	err = extend_alloc_records(r);
	if (err) {
		kfree(r);
		return ERR_PTR(err);
	}
	extend_merge_records(r, old, ips, nr);
	return r;
}

/*
 * Check that all addresses are in the text, or all in the init text, of @mod. A region of
 * both would also cover the memory between them, which other modules may use, and
 * would outlive the init text.
 */
static bool extend_is_one_text(const struct module *mod, const unsigned long *ips, unsigned int nr)
{
	return !mod || within_module_init(ips[0], mod) == within_module_init(ips[nr - 1], mod);
}

int sites_extend(struct module *mod, const unsigned long *ips, unsigned int nr)
{
	struct site_region *old, *r;
	int err;

	lockdep_assert_held(&ftrace_lock);
	if (WARN_ON_ONCE(!extend_is_one_text(mod, ips, nr)))
		return -EINVAL;
	old = extend_find_region(mod, ips[0]);
	r = extend_copy_region(old, ips, nr);
	if (IS_ERR(r))
		return PTR_ERR(r);
	r->mod = mod;
	/* If @old stays, its names are decoded again on demand. */
	if (old)
		names_drop(old);
	err = region_publish(r, old);
	if (err)
		region_free(r);
	else
		nr_found += nr;
	return err;
}

unsigned long sites_found(void)
{
	lockdep_assert_held(&ftrace_lock);
	return nr_found;
}
