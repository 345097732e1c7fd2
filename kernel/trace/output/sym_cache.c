// SPDX-License-Identifier: GPL-2.0
/*
 * Names of addresses, remembered.
 *
 * A trace names the same few thousand functions over and over, and finding a
 * name costs as much as all the rest of a line. Each reader has a table of names
 * as they are printed: a hash of the address says which two slots may have it, so
 * that two functions that call each other in a loop do not drive each other out. A
 * name that is too long for its slot, or whose text can go away without notice, is
 * looked up each time.
 *
 * Modules come and go while a reader stays open: any change of theirs makes all
 * tables start anew.
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

#include "sym_cache.h"

#define SET_BITS	11
#define SET_SLOTS	2
#define SLOT_TEXT	(64 - sizeof(unsigned long) - 2 * sizeof(u8))

struct sym_slot {
	unsigned long	addr;
	u8		len;		/* 0: unused */
	u8		style;		/* enum sym_style */
	char		text[SLOT_TEXT];
};

struct sym_cache {
	unsigned int	generation;
	struct sym_slot	sets[1 << SET_BITS][SET_SLOTS];
};

/* Counts changes of the loaded modules. */
static atomic_t generation;

unsigned int sym_cache_generation(void)
{
	return atomic_read(&generation);
}

struct sym_cache *sym_cache_alloc(void)
{
	return kvzalloc(sizeof(struct sym_cache), GFP_KERNEL | __GFP_NOWARN);
}

void sym_cache_free(struct sym_cache *cache)
{
	kvfree(cache);
}

static void sym_cache_check(struct sym_cache *cache)
{
	unsigned int now = sym_cache_generation();

	if (likely(cache->generation == now))
		return;
	memset(cache->sets, 0, sizeof(cache->sets));
	cache->generation = now;
}

/* Text that only a module notification can take away. */
static bool lasting(unsigned long addr)
{
	return core_kernel_text(addr) || is_module_text_address(addr);
}

static const char *find_name(unsigned long addr, enum sym_style style, char *buf)
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

/* The newest is the first one of its @set; the oldest goes. */
static void keep(struct sym_slot *set, unsigned long addr, enum sym_style style,
		 const char *name, size_t len)
{
	memmove(&set[1], &set[0], (SET_SLOTS - 1) * sizeof(*set));
	set->addr = addr;
	set->len = len;
	set->style = style;
	memcpy(set->text, name, len);
}

/* The slow way; leaves the name in @set when there is one and it may stay. */
static void look_up(struct trace_seq *s, unsigned long addr, enum sym_style style,
		    struct sym_slot *set)
{
	char buf[KSYM_SYMBOL_LEN];
	const char *name = find_name(addr, style, buf);
	size_t len;

	if (!name) {
		trace_seq_printf(s, "0x%08lx", addr);
		return;
	}
	len = strlen(name);
	trace_seq_putmem(s, name, len);
	if (set && len <= SLOT_TEXT && lasting(addr))
		keep(set, addr, style, name, len);
}

static const struct sym_slot *find_slot(const struct sym_slot *set, unsigned long addr,
					enum sym_style style)
{
	const struct sym_slot *slot;

	for (slot = set; slot < set + SET_SLOTS; slot++)
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
		set = cache->sets[hash_long(addr, SET_BITS)];
		slot = find_slot(set, addr, style);
		if (likely(slot)) {
			trace_seq_putmem(s, slot->text, slot->len);
			return;
		}
	}
	look_up(s, addr, style, set);
}

static int modules_changed(struct notifier_block *nb, unsigned long state,
			   void *mod)
{
	atomic_inc(&generation);
	return NOTIFY_OK;
}

static struct notifier_block module_watch = {
	.notifier_call = modules_changed,
};

static int __init sym_cache_init(void)
{
	return register_module_notifier(&module_watch);
}
early_initcall(sym_cache_init);
