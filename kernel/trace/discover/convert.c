// SPDX-License-Identifier: GPL-2.0
/*
 * Converts noted addresses into call sites that can be traced.
 *
 * A noted address is not trusted: it must lie in text that exists, and the bytes there must be
 * what the compiler emits for a call site. Unloading a module and freeing init text take
 * ftrace_lock before the text is freed, so text that exists under the lock remains until the lock
 * is released.
 */
#include <linux/cleanup.h>
#include <linux/ftrace_arch.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "discover.h"
#include "dispatch/call.h"
#include "dispatch/death.h"
#include "dispatch/patch.h"
#include "internal.h"
#include "ops/edit.h"
#include "ops/ops.h"
#include "sites/ip_set.h"
#include "sites/names.h"
#include "sites/noted.h"
#include "sites/sites.h"

/*
 * Serializes discover_convert(): a record with SITE_NEW belongs to the pass that runs. Taken
 * before kprobe_mutex, which is taken before ftrace_lock.
 */
static DEFINE_MUTEX(discover_lock);

/* True if the last pass ran out of memory; returned by discover_is_unfinished(). */
static bool discover_unfinished;

/* True if the last pass had no memory to attach all ops to the sites that were found. */
static bool discover_attach_again;

/* ------------------------------------------------------------------ */
/* Noted addresses							*/

/**
 * struct text_part - a part of the text that is loaded and freed as a whole
 * @mod: the module, or NULL for the core kernel
 * @init: true for the init text of a module
 */
struct text_part {
	struct module	*mod;
	bool		init;
};

#ifdef CONFIG_MODULES
/*
 * Find the part of @ip, if a module has it and does not free it. The text of a module in state
 * GOING is freed after ftrace_release_mod(), the init text of one in state LIVE after
 * ftrace_free_mem(). The state is set before either of them takes ftrace_lock, so text that is
 * accepted here remains while the caller holds ftrace_lock.
 */
static bool discover_module_part(unsigned long ip, struct text_part *part)
{
	struct module *mod;

	guard(preempt)();
	mod = __module_text_address(ip);
	if (!mod)
		return false;
	part->mod = mod;
	part->init = within_module_init(ip, mod);
	if (mod->state == MODULE_STATE_LIVE)
		return !part->init;
	return mod->state == MODULE_STATE_COMING;
}
#else
static bool discover_module_part(unsigned long ip, struct text_part *part)
{
	return false;
}
#endif

/* Return: false if @ip is not in text, or in text that is about to be freed. */
static bool discover_find_part(unsigned long ip, struct text_part *part)
{
	*part = (struct text_part) { };
	if (is_kernel_inittext(ip))
		return system_state < SYSTEM_FREEING_INITMEM;
	return is_kernel_text(ip) || discover_module_part(ip, part);
}

/*
 * True if a kprobe may modify the site. A kprobe restores the old instruction when it is removed,
 * and a kprobe in front of the site may be optimized into a jump that overlaps the site; such a
 * jump never crosses the end of its function. The caller has called kprobes_hold().
 */
static bool discover_is_probed(unsigned long ip)
{
	unsigned long at, end = ip + arch_site_span(ip), size, offset;

	if (!kallsyms_lookup_size_offset(ip, &size, &offset))
		offset = ARCH_SITE_SPAN_MAX;
	at = ip - offset;
	while (at < end && !get_kprobe((void *)at))
		at++;
	return at < end;
}

/* Return: the call site that was noted as @ip, if it needs a record; else 0. */
static unsigned long discover_new_site(unsigned long ip)
{
	struct text_part part;

	if (!discover_find_part(ip, &part))
		return 0;
	ip = arch_compiled_site(ip);
	return ip && !site_at(ip, NULL) && !discover_is_probed(ip) ? ip : 0;
}

static struct ip_set *discover_new_sites(const unsigned long *noted, unsigned int nr)
{
	struct ip_set_builder b = IP_SET_BUILDER_INIT;
	int ret = 0;

	for (unsigned int i = 0; !ret && i < nr; i++) {
		unsigned long ip = discover_new_site(noted[i]);

		if (ip)
			ret = ip_set_add(&b, ip);
	}
	if (ret) {
		ip_set_drop(&b);
		return ERR_PTR(ret);
	}
	return ip_set_finish(&b);
}

/*
 * Take the noted addresses and return the set of new sites among them. Without memory for the
 * set, the addresses are dropped: the sites have no records, so their next calls note them again.
 */
static struct ip_set *discover_take_noted(void)
{
	unsigned int max = noted_capacity(&noted_sites);
	unsigned long *ips = kvmalloc_array(max, sizeof(*ips), GFP_KERNEL);
	struct ip_set *set;

	if (!ips)
		return ERR_PTR(-ENOMEM);
	set = discover_new_sites(ips, noted_take(&noted_sites, ips, max));
	kvfree(ips);
	return set;
}

/* ------------------------------------------------------------------ */
/* Records								*/

/* Set @part to the part of @ips[0]. Return: how many of @ips, from the first on, are in it. */
static unsigned int discover_part_length(const unsigned long *ips, unsigned int nr,
					 struct text_part *part)
{
	struct text_part other;
	unsigned int n = 1;

	discover_find_part(ips[0], part);
	while (n < nr && discover_find_part(ips[n], &other) && other.mod == part->mod &&
	       other.init == part->init)
		n++;
	return n;
}

static int discover_add_records(const struct ip_set *found)
{
	unsigned int i, n;
	int ret = 0;

	for (i = 0; !ret && i < ip_set_size(found); i += n) {
		struct text_part part;

		n = discover_part_length(&found->ips[i], found->nr - i, &part);
		ret = sites_extend(part.mod, &found->ips[i], n);
	}
	return ret;
}

/* True for the record of a site that was found, and is not usable yet. */
static bool discover_is_new(const struct site *site)
{
	return site_has(site, SITE_NEW) && !site_has(site, SITE_FAILED | SITE_RETIRED);
}

typedef int (*new_fn)(struct site *site, unsigned long ip, void *data);

/* Call @fn for each new site, until it returns an error. */
static int discover_visit_new(new_fn fn, void *data)
{
	struct site_region *r;
	struct site *s;
	int ret = 0;

	for_each_site_region(r) {
		if (!r->live)
			continue;
		for (s = r->sites; !ret && s < sites_end(r); s++)
			if (discover_is_new(s))
				ret = fn(s, site_ip(r, s), data);
	}
	return ret;
}

/* True if the site is a nop already: an earlier pass that failed may have patched it. */
static bool discover_is_nop(unsigned long ip)
{
	u8 found[MCOUNT_INSN_SIZE], nop[MCOUNT_INSN_SIZE];

	return arch_site_insn(ip, 0, found, nop) && !memcmp(found, nop, sizeof(nop));
}

static int discover_queue_nop(struct site *site, unsigned long ip, void *data)
{
	bool *wait_for_tasks = data;

	*wait_for_tasks |= arch_site_is_split(ip);
	if (discover_is_nop(ip))
		return 0;
	return patch_add(site, ip, DISPATCH_EMPTY);
}

static int discover_make_nops(bool *wait_for_tasks)
{
	int ret = discover_visit_new(discover_queue_nop, wait_for_tasks) ?: patch_run();

	if (ret)
		patch_drop();
	return ret;
}

static int discover_collect_new(struct site *site, unsigned long ip, void *data)
{
	return ip_set_add(data, ip);
}

/* Collect all new sites, including those of earlier passes that ran out of memory. */
static struct ip_set *discover_all_new(void)
{
	struct ip_set_builder b = IP_SET_BUILDER_INIT;
	int ret = discover_visit_new(discover_collect_new, &b);

	if (!ret)
		return ip_set_finish(&b);
	ip_set_drop(&b);
	return ERR_PTR(ret);
}

/*
 * First half of a pass: add records for the noted sites, and patch the sites to nops.
 * Return: the set of new sites, NULL if there are none, or an error pointer.
 */
static struct ip_set *discover_record_noted_locked(bool *wait_for_tasks)
{
	struct ip_set *found;
	int ret;

	lockdep_assert_held(&ftrace_lock);
	if (ftrace_is_dead())
		return ERR_PTR(-ENODEV);
	found = discover_take_noted();
	if (IS_ERR(found))
		return found;
	ret = discover_add_records(found);
	ip_set_free(found);
	found = ret ? ERR_PTR(ret) : discover_all_new();
	if (IS_ERR(found))
		return found;
	ret = discover_make_nops(wait_for_tasks);
	if (!ret)
		return found;
	ip_set_free(found);
	return ERR_PTR(ret);
}

/*
 * Hold kprobe_mutex until the records exist, because register_kprobe() looks for call sites under
 * that mutex.
 */
static struct ip_set *discover_record_noted(bool *wait_for_tasks)
{
	struct ip_set *found;

	kprobes_hold();
	scoped_guard(mutex, &ftrace_lock)
		found = discover_record_noted_locked(wait_for_tasks);
	kprobes_release();
	return found;
}

/* ------------------------------------------------------------------ */
/* Attaching								*/

static int discover_make_usable(struct site *site, unsigned long ip, void *data)
{
	/* A site that is no nop is in a region that went live meanwhile: left to the next pass. */
	if (discover_is_nop(ip))
		site_make_usable(site);
	return 0;
}

/*
 * Second half of a pass: make the new sites usable and attach the ops that trace them. No task is
 * inside the code that the compiler emitted for the sites any more. If there is no memory for a
 * filter, the records keep SITE_NEW, and the next pass retries.
 */
static int discover_attach(const struct ip_set *found)
{
	int ret;

	guard(mutex)(&ftrace_lock);
	ret = filter_add_found(found);
	if (ret)
		return ret;
	discover_visit_new(discover_make_usable, NULL);
	ret = ops_are_attached();
	if (ret > 0)
		ret = ops_resume_all();
	discover_attach_again = ret == -ENOMEM;
	return ret;
}

/* Step of the search for a site, in bytes: instructions before a site have 4 bytes at least. */
#define DISCOVER_STEP	4

int discover_note(unsigned long addr)
{
	for (unsigned long at = addr; at - addr <= SITE_MAX_DISTANCE; at += DISCOVER_STEP)
		if (arch_compiled_site(at))
			return noted_add(&noted_sites, at) ? 0 : -ENOSPC;
	return -ENOENT;
}

/* Add a page of slots if calls could not be noted since the last pass. */
static void discover_grow_slots(void)
{
	static unsigned long seen;
	unsigned long skipped = noted_skipped(&noted_sites);

	if (skipped != seen)
		noted_grow(&noted_sites, 1);
	seen = skipped;
}

static int discover_convert_locked(void)
{
	struct ip_set *found;
	bool wait_for_tasks = false;
	int ret;

	found = discover_record_noted(&wait_for_tasks);
	if (IS_ERR(found))
		return PTR_ERR(found);
	if (!found && !discover_attach_again)
		return 0;
	if (wait_for_tasks)
		dispatch_synchronize();
	ret = discover_attach(found);
	ip_set_free(found);
	return ret;
}

int discover_convert(void)
{
	int ret;

	guard(mutex)(&discover_lock);
	discover_grow_slots();
	ret = discover_convert_locked();
	WRITE_ONCE(discover_unfinished, ret == -ENOMEM);
	return ret;
}

bool discover_is_unfinished(void)
{
	return READ_ONCE(discover_unfinished);
}
