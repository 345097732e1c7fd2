// SPDX-License-Identifier: GPL-2.0
/*
 * Reading and writing a bit in the memory of a program, through its mm, from any task.
 */
#include <linux/align.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/highmem.h>
#include <linux/mm.h>

#include "internal.h"

/* Return: address of the long that holds @place; @nr is set to the bit in it for set_bit(). */
static unsigned long user_place_long(const struct user_place *place, unsigned int *nr)
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

/* Uses atomic bit operations, because the program may change the neighbouring bits. */
int user_place_write(struct mm_struct *mm, const struct user_place *place, bool on)
{
	unsigned int nr;
	unsigned long at = user_place_long(place, &nr), *mapped;
	struct page *page;

	if (pin_user_pages_remote(mm, at, 1, FOLL_WRITE | FOLL_NOFAULT, &page, NULL) != 1)
		return -EFAULT;
	mapped = kmap_local_page(page) + offset_in_page(at);
	if (on)
		set_bit(nr, mapped);
	else
		clear_bit(nr, mapped);
	/* The program maps the page at another address: needed for aliasing caches. */
	flush_dcache_page(page);
	kunmap_local(mapped);
	unpin_user_pages_dirty_lock(&page, 1, true);
	return 0;
}

bool user_place_has_value(struct mm_struct *mm, const struct user_place *place, bool on)
{
	unsigned int nr;
	unsigned long at = user_place_long(place, &nr), *mapped;
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
