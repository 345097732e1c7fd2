/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The record of one call site: eight bytes on every architecture, and the only
 * description of how they are laid out.
 *
 *   offset   distance of the patched instruction from its region's base
 *   word     31      FAILED   a change of the text failed, never touched again
 *            30      GONE     no such code: freed, or a weak function that lost
 *            29      TOUCHED  was a call at least once
 *            28       MODIFIED held a set that may change the instruction pointer
 *            27       NEW      found while it ran, not usable yet
 *            26..24           unused, zero
 *            23..0   set id   the dispatch set the site points to, 0: a nop
 *
 * Words are written under ftrace_lock only, and read from anywhere, NMI
 * included, without a lock: hence one aligned 32-bit load or store each.
 */
#ifndef _KERNEL_TRACE_SITE_WORD_H
#define _KERNEL_TRACE_SITE_WORD_H

#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/types.h>

#define SITE_SET_ID	GENMASK(23, 0)
#define SITE_NEW	BIT(27)
#define SITE_MODIFIED	BIT(28)
#define SITE_TOUCHED	BIT(29)
#define SITE_GONE	BIT(30)
#define SITE_FAILED	BIT(31)
#define SITE_FLAGS	(SITE_NEW | SITE_MODIFIED | SITE_TOUCHED | SITE_GONE | SITE_FAILED)

/* The largest id a dispatch set may have. */
#define SITE_SET_ID_MAX	((u32)SITE_SET_ID)

/**
 * struct site - one call site
 * @offset: address of the site less the base of its &struct site_region
 * @word: set id and flags, see the layout above; use the accessors
 */
struct site {
	u32 offset;
	u32 word;
};

static_assert(sizeof(struct site) == 8);
static_assert((SITE_SET_ID & SITE_FLAGS) == 0);

/**
 * site_word_make() - put a word together
 * @id: set id, at most SITE_SET_ID_MAX
 * @flags: any of SITE_FLAGS
 *
 * Context: any.
 */
static __always_inline u32 site_word_make(u32 id, u32 flags)
{
	return FIELD_PREP(SITE_SET_ID, id) | (flags & (u32)SITE_FLAGS);
}

/**
 * site_word() - read a site's word once
 * @site: the site
 *
 * Context: any, NMI included, while the region cannot go (ftrace_lock or RCU).
 */
static __always_inline u32 site_word(const struct site *site)
{
	return READ_ONCE(site->word);
}

/**
 * site_set_id() - the dispatch set a site points to
 * @site: the site
 *
 * Context: as site_word().
 * Return: the id, 0 for the empty set.
 */
static __always_inline u32 site_set_id(const struct site *site)
{
	return FIELD_GET(SITE_SET_ID, site_word(site));
}

/**
 * site_has() - test flags
 * @site: the site
 * @flags: any of SITE_FLAGS
 *
 * Context: as site_word().
 * Return: true if at least one of @flags is set.
 */
static __always_inline bool site_has(const struct site *site, u32 flags)
{
	return site_word(site) & flags;
}

/**
 * site_usable() - may this site be listed, matched and patched?
 * @site: the site
 *
 * Context: as site_word().
 * Return: false once the site is GONE or FAILED, and as long as it is NEW.
 */
static __always_inline bool site_usable(const struct site *site)
{
	return !site_has(site, SITE_NEW | SITE_GONE | SITE_FAILED);
}

/**
 * site_point_at() - note that a site now points to another set
 * @site: the site
 * @id: the set's id; other than 0 it also leaves SITE_TOUCHED behind
 *
 * Context: ftrace_lock held. Readers see the old word or the new one.
 */
static __always_inline void site_point_at(struct site *site, u32 id)
{
	u32 flags = site->word & (u32)SITE_FLAGS;

	if (id)
		flags |= (u32)SITE_TOUCHED;
	WRITE_ONCE(site->word, site_word_make(id, flags));
}

/**
 * site_mark() - set flags, which are never taken back
 * @site: the site
 * @flags: any of SITE_FLAGS but NEW
 *
 * A site is marked GONE through site_retire() or sites_mark_gone(), which keep
 * the counts.
 *
 * Context: ftrace_lock held.
 */
static __always_inline void site_mark(struct site *site, u32 flags)
{
	WRITE_ONCE(site->word, site->word | (flags & (u32)SITE_FLAGS));
}

/**
 * site_make_usable() - a site that was found is like any other from now on
 * @site: the site, a nop
 *
 * Context: ftrace_lock held.
 */
static __always_inline void site_make_usable(struct site *site)
{
	WRITE_ONCE(site->word, site->word & ~(u32)SITE_NEW);
}

#endif /* _KERNEL_TRACE_SITE_WORD_H */
