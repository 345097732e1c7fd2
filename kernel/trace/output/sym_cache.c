// SPDX-License-Identifier: GPL-2.0
/*
 * Cache of the names of addresses.
 *
 * A trace has the same few thousand functions again and again, and finding a name takes as
 * long as printing the rest of a line. So each reader has a table of names, in the form in which
 * they are printed. A hash of the address selects a set of two slots. So if two functions with the
 * same hash call each other in a loop, their names do not replace each other. A name is not cached
 * if it is too long for a slot, or if another function may be loaded at its address without a
 * module notification.
 *
 * Modules may be loaded and unloaded while a reader stays open: any such change empties all
 * caches.
 */
#include <linux/hash.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/sprintf.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "internal.h"
#include "sym_cache.h"

/* Number of bits of a hash, which selects a set. */
#define SYM_SET_BITS	11
/* Number of slots in a set. */
#define SYM_SET_SLOTS	2
/* Maximum length of a cached name, so that a slot is a cache line of 64 bytes. */
#define SYM_SLOT_TEXT	(64 - sizeof(unsigned long) - 2 * sizeof(u8))

/**
 * struct sym_slot - a cached name
 * @addr: the address
 * @len: length of @text; 0 if the slot is unused
 * @style: form of the name, enum sym_style
 * @text: the name, without a NUL
 */
struct sym_slot {
	unsigned long	addr;
	u8		len;
	u8		style;
	char		text[SYM_SLOT_TEXT];
};

/*
 * The names cached by one reader. They are valid as long as sym_cache_generation() is @generation.
 * @sets is indexed by a hash of the address; the newest name of a set is in its first slot.
 */
struct sym_cache {
	unsigned int	generation;
	struct sym_slot	sets[1 << SYM_SET_BITS][SYM_SET_SLOTS];
};

/* Number of module notifications, see sym_cache_generation(). */
static atomic_t sym_modules_generation;

unsigned int sym_cache_generation(void)
{
	return atomic_read(&sym_modules_generation);
}

struct sym_cache *sym_cache_alloc(void)
{
	return kvzalloc(sizeof(struct sym_cache), GFP_KERNEL | __GFP_NOWARN);
}

void sym_cache_free(struct sym_cache *cache)
{
	kvfree(cache);
}

/* Empty the cache if a module was loaded or unloaded since it was used last. */
static void sym_cache_check(struct sym_cache *cache)
{
	unsigned int now = sym_cache_generation();

	if (likely(cache->generation == now))
		return;
	memset(cache->sets, 0, sizeof(cache->sets));
	cache->generation = now;
}

/* True if there is a module notification before the name of the address changes. */
static bool sym_name_is_stable(unsigned long addr)
{
	return core_kernel_text(addr) || is_module_text_address(addr);
}

static const char *sym_find_name(unsigned long addr, enum sym_style style, char *buf)
{
	const char *name = buf;

	if (style == SYM_MODULE) {
		sprint_symbol_no_offset(buf, addr);
		return buf;
	}
	if (style == SYM_NAME)
		name = kallsyms_lookup(addr, NULL, NULL, NULL, buf);
	else if (!sprint_symbol(buf, addr))
		name = NULL;
	if (is_kretprobe_trampoline(addr))
		return "[unknown/kretprobe'd]";
	return name && *name ? name : NULL;
}

/* Move a name into the first slot of @set, and the others behind it; the oldest one is dropped. */
static void sym_slot_fill(struct sym_slot *set, unsigned long addr, enum sym_style style,
			  const char *name, size_t len)
{
	memmove(&set[1], &set[0], (SYM_SET_SLOTS - 1) * sizeof(*set));
	set->addr = addr;
	set->len = len;
	set->style = style;
	memcpy(set->text, name, len);
}

/* Find and print a name that is not cached, and cache it in @set, unless that is NULL. */
static void sym_look_up(struct trace_seq *s, unsigned long addr, enum sym_style style,
			struct sym_slot *set)
{
	char buf[KSYM_SYMBOL_LEN];
	const char *name = sym_find_name(addr, style, buf);
	size_t len;

	if (!name) {
		trace_seq_printf(s, "0x%08lx", addr);
		return;
	}
	len = strlen(name);
	trace_seq_putmem(s, name, len);
	if (set && len <= SYM_SLOT_TEXT && sym_name_is_stable(addr))
		sym_slot_fill(set, addr, style, name, len);
}

static const struct sym_slot *sym_find_slot(const struct sym_slot *set, unsigned long addr,
					    enum sym_style style)
{
	const struct sym_slot *slot;

	for (slot = set; slot < set + SYM_SET_SLOTS; slot++)
		if (slot->addr == addr && slot->len && slot->style == style)
			return slot;
	return NULL;
}

void sym_cache_put(struct sym_cache *cache, struct trace_seq *s,
		   unsigned long addr, enum sym_style style)
{
	const struct sym_slot *slot;
	struct sym_slot *set = NULL;

	if (cache) {
		sym_cache_check(cache);
		set = cache->sets[hash_long(addr, SYM_SET_BITS)];
		slot = sym_find_slot(set, addr, style);
		if (likely(slot)) {
			trace_seq_putmem(s, slot->text, slot->len);
			return;
		}
	}
	sym_look_up(s, addr, style, set);
}

static int sym_modules_changed(struct notifier_block *nb, unsigned long state,
			       void *mod)
{
	atomic_inc(&sym_modules_generation);
	return NOTIFY_OK;
}

static struct notifier_block sym_module_nb = {
	.notifier_call = sym_modules_changed,
};

static int __init sym_cache_init(void)
{
	return register_module_notifier(&sym_module_nb);
}
early_initcall(sym_cache_init);
