/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The record of one call site. It has eight bytes on every architecture. Only this file
 * knows its layout.
 *
 *   offset   distance of the patched instruction from the base of its region
 *   word     31      FAILED   a change of the text failed, never touched again
 *            30      RETIRED  no function: text was freed, or an overridden weak function
 *            29      TOUCHED  was a call at least once
 *            28      MODIFIED held a set that may change the instruction pointer
 *            27      NEW      found while its text ran, not usable yet
 *            26..24           unused, zero
 *            23..0   set id   the dispatch set the site points to, 0: a nop
 *
 * Words are written under ftrace_lock only, and read in any context, NMI
 * included, without a lock: each access is one aligned 32-bit load or store.
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
#define SITE_RETIRED	BIT(30)
#define SITE_FAILED	BIT(31)
#define SITE_FLAGS	(SITE_NEW | SITE_MODIFIED | SITE_TOUCHED | SITE_RETIRED | SITE_FAILED)

/* The largest id a dispatch set may have. */
#define SITE_SET_ID_MAX	((u32)SITE_SET_ID)

/**
 * struct site - one call site
 * @offset: address of the site minus the base of its &struct site_region
 * @word: set id and flags in the layout of site_word.h; use the accessors
 */
struct site {
	u32 offset;
	u32 word;
};

static_assert(sizeof(struct site) == 8);
static_assert((SITE_SET_ID & SITE_FLAGS) == 0);

/**
 * site_word_make() - compose a word
 * @id: set id, at most SITE_SET_ID_MAX
 * @flags: any of SITE_FLAGS
 *
 * Context: any.
 * Return: the word.
 */
static __always_inline u32 site_word_make(u32 id, u32 flags)
{
	return FIELD_PREP(SITE_SET_ID, id) | (flags & (u32)SITE_FLAGS);
}

/**
 * site_word() - read the word of a site once
 * @site: the site
 *
 * Context: any, NMI included, while the region cannot be freed (ftrace_lock or RCU).
 * Return: the word.
 */
static __always_inline u32 site_word(const struct site *site)
{
	return READ_ONCE(site->word);
}

/**
 * site_set_id() - get the id of the dispatch set that a site points to
 * @site: the site
 *
 * Context: any, NMI included, while the region cannot be freed (ftrace_lock or RCU).
 * Return: the id, 0 for the empty set.
 */
static __always_inline u32 site_set_id(const struct site *site)
{
	return FIELD_GET(SITE_SET_ID, site_word(site));
}

/**
 * site_has() - test flags of a site
 * @site: the site
 * @flags: any of SITE_FLAGS
 *
 * Context: any, NMI included, while the region cannot be freed (ftrace_lock or RCU).
 * Return: true if at least one of @flags is set.
 */
static __always_inline bool site_has(const struct site *site, u32 flags)
{
	return site_word(site) & flags;
}

/**
 * site_usable() - check whether a site may be listed, matched and patched
 * @site: the site
 *
 * Context: any, NMI included, while the region cannot be freed (ftrace_lock or RCU).
 * Return: false once the site is RETIRED or FAILED, and as long as it is NEW.
 */
static __always_inline bool site_usable(const struct site *site)
{
	return !site_has(site, SITE_NEW | SITE_RETIRED | SITE_FAILED);
}

/**
 * site_point_at() - record the dispatch set that a site points to
 * @site: the site
 * @id: id of the set; if it is not 0, the site also becomes SITE_TOUCHED
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
 * site_mark() - set flags of a site, which are never cleared
 * @site: the site
 * @flags: any of SITE_FLAGS except NEW
 *
 * Use site_retire() or sites_retire_range() to mark a site RETIRED: they update the
 * counts.
 *
 * Context: ftrace_lock held.
 */
static __always_inline void site_mark(struct site *site, u32 flags)
{
	WRITE_ONCE(site->word, site->word | (flags & (u32)SITE_FLAGS));
}

/**
 * site_make_usable() - clear the NEW flag of a site that was found
 * @site: the site, patched to a nop
 *
 * Context: ftrace_lock held.
 */
static __always_inline void site_make_usable(struct site *site)
{
	WRITE_ONCE(site->word, site->word & ~(u32)SITE_NEW);
}

#endif /* _KERNEL_TRACE_SITE_WORD_H */
