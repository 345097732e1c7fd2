// SPDX-License-Identifier: GPL-2.0
/*
 * From addresses that were noted to sites that can be traced.
 *
 * Nothing that was noted is trusted: it is looked up in the text that there is, and the
 * bytes there must be what the compiler makes of a site. Who unloads a module or frees
 * init text takes ftrace_lock before the text goes, so what is there under the lock stays
 * until the lock is released.
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
#include "ops/edit.h"
#include "ops/ops.h"
#include "sites/ip_set.h"
#include "sites/names.h"
#include "sites/noted.h"
#include "sites/sites.h"

/*
 * Serialises discover_convert(): a NEW record belongs to the pass that runs. Outside
 * kprobe_mutex, which is outside ftrace_lock.
 */
static DEFINE_MUTEX(convert_lock);

/* What discover_is_unfinished() tells. */
static bool unfinished;

/* There was no memory to attach everybody to what was found. */
static bool attach_again;

/* ------------------------------------------------------------------ */
/* What was noted							*/

/**
 * struct text_part - text that comes and goes together
 * @mod: whose, NULL for the core kernel
 * @init: a module's init text
 */
struct text_part {
	struct module	*mod;
	bool		init;
};

#ifdef CONFIG_MODULES
/*
 * The text of a module that is GOING is freed behind ftrace_release_mod(), the init text
 * of one that is LIVE behind ftrace_free_mem(). The state is set before either takes
 * ftrace_lock, so what is accepted here stays while we hold it.
 */
static bool module_part(unsigned long ip, struct text_part *part)
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
static bool module_part(unsigned long ip, struct text_part *part)
{
	return false;
}
#endif

/* False for text that is going, and for what is none. */
static bool find_part(unsigned long ip, struct text_part *part)
{
	*part = (struct text_part) { };
	if (is_kernel_inittext(ip))
		return system_state < SYSTEM_FREEING_INITMEM;
	return is_kernel_text(ip) || module_part(ip, part);
}

/*
 * A probe keeps what was at its address, and puts it back one day; one in front of the
 * site may be made a jump that reaches into it, but never out of its function. Needs
 * kprobes_hold().
 */
static bool is_probed(unsigned long ip)
{
	unsigned long at, end = ip + arch_site_span(ip), size, offset;

	if (!kallsyms_lookup_size_offset(ip, &size, &offset))
		offset = ARCH_SITE_SPAN_MAX;
	at = ip - offset;
	while (at < end && !get_kprobe((void *)at))
		at++;
	return at < end;
}

/* The site that was noted as @ip, if it is to have a record; else 0. */
static unsigned long new_site(unsigned long ip)
{
	struct text_part part;

	if (!find_part(ip, &part))
		return 0;
	ip = arch_compiled_site(ip);
	return ip && !site_at(ip, NULL) && !is_probed(ip) ? ip : 0;
}

static struct ip_set *keep_new_sites(const unsigned long *noted, unsigned int nr)
{
	struct ip_set_builder b = IP_SET_BUILDER_INIT;
	int ret = 0;

	for (unsigned int i = 0; !ret && i < nr; i++) {
		unsigned long ip = new_site(noted[i]);

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
 * If there is no memory for the set, what was taken is dropped: those sites have no
 * record, so their next calls note them again.
 */
static struct ip_set *take_noted(void)
{
	unsigned int max = noted_capacity(&noted_sites);
	unsigned long *ips = kvmalloc_array(max, sizeof(*ips), GFP_KERNEL);
	struct ip_set *set;

	if (!ips)
		return ERR_PTR(-ENOMEM);
	set = keep_new_sites(ips, noted_take(&noted_sites, ips, max));
	kvfree(ips);
	return set;
}

/* ------------------------------------------------------------------ */
/* Records								*/

/* How many from the first on are of one part, which is set. */
static unsigned int part_length(const unsigned long *ips, unsigned int nr,
				struct text_part *part)
{
	struct text_part other;
	unsigned int n = 1;

	find_part(ips[0], part);
	while (n < nr && find_part(ips[n], &other) && other.mod == part->mod &&
	       other.init == part->init)
		n++;
	return n;
}

static int add_records(const struct ip_set *found)
{
	unsigned int i, n;
	int ret = 0;

	for (i = 0; !ret && i < ip_set_size(found); i += n) {
		struct text_part part;

		n = part_length(&found->ips[i], found->nr - i, &part);
		ret = sites_extend(part.mod, &found->ips[i], n);
	}
	return ret;
}

/* Is that the record of a site that was found, and nothing wrong with it? */
static bool is_new(const struct site *site)
{
	return site_has(site, SITE_NEW) && !site_has(site, SITE_FAILED | SITE_GONE);
}

typedef int (*new_fn)(struct site *site, unsigned long ip, void *data);

static int visit_new(new_fn fn, void *data)
{
	struct site_region *r;
	struct site *s;
	int ret = 0;

	for_each_site_region(r) {
		if (!r->live)
			continue;
		for (s = r->sites; !ret && s < sites_end(r); s++)
			if (is_new(s))
				ret = fn(s, site_ip(r, s), data);
	}
	return ret;
}

/* One of a pass that did not come to its end is a nop already. */
static bool is_nop(unsigned long ip)
{
	u8 found[MCOUNT_INSN_SIZE], nop[MCOUNT_INSN_SIZE];

	return arch_site_insn(ip, 0, found, nop) && !memcmp(found, nop, sizeof(nop));
}

static int queue_nop(struct site *site, unsigned long ip, void *data)
{
	bool *wait_for_tasks = data;

	*wait_for_tasks |= arch_site_is_split(ip);
	if (is_nop(ip))
		return 0;
	return patch_add(site, ip, DISPATCH_EMPTY);
}

static int make_nops(bool *wait_for_tasks)
{
	int ret = visit_new(queue_nop, wait_for_tasks) ?: patch_run();

	if (ret)
		patch_drop();
	return ret;
}

static int collect_new(struct site *site, unsigned long ip, void *data)
{
	return ip_set_add(data, ip);
}

/* Those that failed for want of memory the last time are among them. */
static struct ip_set *all_new(void)
{
	struct ip_set_builder b = IP_SET_BUILDER_INIT;
	int ret = visit_new(collect_new, &b);

	if (!ret)
		return ip_set_finish(&b);
	ip_set_drop(&b);
	return ERR_PTR(ret);
}

/*
 * First half: give what was noted records, and make nops of the sites. Return: the set of
 * them, NULL if there are none, or an error.
 */
static struct ip_set *record_noted_locked(bool *wait_for_tasks)
{
	struct ip_set *found;
	int ret;

	lockdep_assert_held(&ftrace_lock);
	if (ftrace_is_dead())
		return ERR_PTR(-ENODEV);
	found = take_noted();
	if (IS_ERR(found))
		return found;
	ret = add_records(found);
	ip_set_free(found);
	found = ret ? ERR_PTR(ret) : all_new();
	if (IS_ERR(found))
		return found;
	ret = make_nops(wait_for_tasks);
	if (!ret)
		return found;
	ip_set_free(found);
	return ERR_PTR(ret);
}

/* Under kprobe_mutex until the records exist: register_kprobe() looks for a site under it. */
static struct ip_set *record_noted(bool *wait_for_tasks)
{
	struct ip_set *found;

	kprobes_hold();
	scoped_guard(mutex, &ftrace_lock)
		found = record_noted_locked(wait_for_tasks);
	kprobes_release();
	return found;
}

/* ------------------------------------------------------------------ */
/* Like any other							*/

static int settle(struct site *site, unsigned long ip, void *data)
{
	/* A region that has become live since has records of the next pass. */
	if (is_nop(ip))
		site_make_usable(site);
	return 0;
}

/*
 * Second half: no task is in what the compiler had made of them. If there is no memory for
 * a filter they stay NEW, and are among those of the next time.
 */
static int attach_found(const struct ip_set *found)
{
	int ret;

	guard(mutex)(&ftrace_lock);
	ret = filter_found(found);
	if (ret)
		return ret;
	visit_new(settle, NULL);
	ret = ops_are_attached();
	if (ret > 0)
		ret = ops_resume_all();
	attach_again = ret == -ENOMEM;
	return ret;
}

/* A site that is not a function's first instruction is behind others of at least 4 bytes. */
#define STEP	4

int discover_note(unsigned long addr)
{
	for (unsigned long at = addr; at - addr <= SITE_MAX_DISTANCE; at += STEP)
		if (arch_compiled_site(at))
			return noted_add(&noted_sites, at) ? 0 : -ENOSPC;
	return -ENOENT;
}

/* Calls were skipped since the last time: a page more. */
static void grow_if_short(void)
{
	static unsigned long seen;
	unsigned long skipped = noted_skipped(&noted_sites);

	if (skipped != seen)
		noted_grow(&noted_sites, 1);
	seen = skipped;
}

static int convert(void)
{
	struct ip_set *found;
	bool wait_for_tasks = false;
	int ret;

	found = record_noted(&wait_for_tasks);
	if (IS_ERR(found))
		return PTR_ERR(found);
	if (!found && !attach_again)
		return 0;
	if (wait_for_tasks)
		dispatch_synchronize();
	ret = attach_found(found);
	ip_set_free(found);
	return ret;
}

int discover_convert(void)
{
	int ret;

	guard(mutex)(&convert_lock);
	grow_if_short();
	ret = convert();
	WRITE_ONCE(unfinished, ret == -ENOMEM);
	return ret;
}

bool discover_is_unfinished(void)
{
	return READ_ONCE(unfinished);
}
