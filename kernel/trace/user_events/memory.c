// SPDX-License-Identifier: GPL-2.0
/*
 * A bit in the memory of a program, read and written from outside.
 */
#include <linux/align.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/highmem.h>
#include <linux/mm.h>

#include "internal.h"

/* The long that it is in, and which one of that it is, for set_bit(). */
static unsigned long long_of(const struct user_place *place, unsigned int *nr)
{
	unsigned long byte = place->addr + place->nr / BITS_PER_BYTE, at;

	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		byte = place->addr + place->size - 1 - place->nr / BITS_PER_BYTE;
	at = byte % sizeof(long);
	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		at = sizeof(long) - 1 - at;
	*nr = at * BITS_PER_BYTE + place->nr % BITS_PER_BYTE;
	return ALIGN_DOWN(byte, sizeof(long));
}

/* The program may change the bits beside it at the same time. */
int user_place_write(struct mm_struct *mm, const struct user_place *place, bool on)
{
	unsigned int nr;
	unsigned long at = long_of(place, &nr), *mapped;
	struct page *page;

	if (pin_user_pages_remote(mm, at, 1, FOLL_WRITE | FOLL_NOFAULT, &page, NULL) != 1)
		return -EFAULT;
	mapped = kmap_local_page(page) + offset_in_page(at);
	if (on)
		set_bit(nr, mapped);
	else
		clear_bit(nr, mapped);
	/* For caches in which the program has it at another place. */
	flush_dcache_page(page);
	kunmap_local(mapped);
	unpin_user_pages_dirty_lock(&page, 1, true);
	return 0;
}

bool user_place_tells(struct mm_struct *mm, const struct user_place *place, bool on)
{
	unsigned int nr;
	unsigned long at = long_of(place, &nr), *mapped;
	struct page *page;
	bool is_set;

	if (get_user_pages_remote(mm, at, 1, FOLL_NOFAULT, &page, NULL) != 1)
		return false;
	mapped = kmap_local_page(page) + offset_in_page(at);
	is_set = test_bit(nr, mapped);
	kunmap_local(mapped);
	put_page(page);
	return is_set == on;
}

int user_place_fault_in(struct mm_struct *mm, const struct user_place *place)
{
	bool unlocked;

	return fixup_user_fault(mm, place->addr, FAULT_FLAG_WRITE | FAULT_FLAG_REMOTE, &unlocked);
}
