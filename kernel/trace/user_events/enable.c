// SPDX-License-Identifier: GPL-2.0
/*
 * Bits in the memory of programs, each of which tells whether an event is on.
 *
 * A program's memory is a space, which those of its threads share that have a bit, or come from
 * one that has; it ends with the last of these. A child has a space of its own, with the same
 * bits, from fork() on; one that another thread takes away at that moment stays as it is in the
 * child. What a bit is to be is decided and written under the lock of its space, and read from
 * @who of the event, so whoever comes last writes what is so.
 *
 * Who has a space locked may wait for the program's memory. So nobody does with a lock of the
 * tracer held: a bit whose page is not there, or whose space is locked, is written by a work.
 *
 * Locks, outermost first: the mmap lock of the space, its own lock; events_lock, in which those
 * two are only tried; bits_lock. A bit leaves the lists under events_lock and bits_lock, and comes
 * under the latter.
 */
#define pr_fmt(fmt) "trace user events: " fmt

#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/lockdep.h>
#include <linux/mmap_lock.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/rculist.h>
#include <linux/refcount.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "events/events.h"
#include "internal.h"

/* See above. */
static DEFINE_MUTEX(bits_lock);

/* &user_event_mm.mms_link of those that have tasks, and of those whose tasks have ended. */
static LIST_HEAD(spaces);
static LIST_HEAD(ended);

/* A program may have its pages come as late as it likes: only so many works wait for that. */
static struct workqueue_struct *works;

/**
 * struct user_space - the memory of a program
 * @common: what the rest of the kernel knows of it: @tasks, how many threads share it. Of the
 *	rest, @mm is the memory, @enablers the bits, and @refcnt is 1 for the tasks, and 1 for
 *	each bit
 * @lock: who writes a bit
 * @nr: how many bits
 */
struct user_space {
	struct user_event_mm	common;
	/* See above. */
	struct mutex		lock;
	unsigned int		nr;
};

/**
 * struct user_bit - a bit that tells whether an event is on
 * @event: the event, not to be looked at when it is @gone
 * @space: where it is
 * @at: and where in that
 * @gone: it tells of nothing any more; @lock of the space
 * @of_space: in &user_event_mm.enablers
 * @of_event: in &user_event.bits
 * @refs: 1 for being in the lists, 1 for @later, and more for who uses it
 * @later: has its page come, and writes it
 */
struct user_bit {
	struct user_event	*event;
	struct user_space	*space;
	struct user_place	at;
	bool			gone;
	struct list_head	of_space;
	struct list_head	of_event;
	refcount_t		refs;
	struct work_struct	later;
};

/* ------------------------------------------------------------------ */
/* Spaces								*/

static struct user_space *to_space(struct user_event_mm *common)
{
	return container_of(common, struct user_space, common);
}

static struct user_space *space_alloc(struct mm_struct *mm)
{
	struct user_space *space = kzalloc(sizeof(*space), GFP_KERNEL_ACCOUNT);

	if (!space)
		return NULL;
	mutex_init(&space->lock);
	INIT_LIST_HEAD(&space->common.enablers);
	refcount_set(&space->common.refcnt, 1);
	refcount_set(&space->common.tasks, 1);
	space->common.mm = mm;
	mmgrab(mm);
	return space;
}

static void space_put(struct user_space *space)
{
	if (!refcount_dec_and_test(&space->common.refcnt))
		return;
	mmdrop(space->common.mm);
	kfree(space);
}

/* Threads that were there before the first bit was find it here. */
static struct user_event_mm *join_space(struct mm_struct *mm)
{
	struct user_event_mm *common;

	lockdep_assert_held(&bits_lock);
	list_for_each_entry(common, &spaces, mms_link)
		if (common->mm == mm && refcount_inc_not_zero(&common->tasks))
			return common;
	return NULL;
}

static struct user_space *own_space(void)
{
	struct user_space *space;

	if (current->user_event_mm)
		return to_space(current->user_event_mm);
	space = space_alloc(current->mm);
	if (!space)
		return NULL;
	scoped_guard(mutex, &bits_lock) {
		current->user_event_mm = join_space(current->mm);
		if (!current->user_event_mm) {
			list_add(&space->common.mms_link, &spaces);
			current->user_event_mm = &space->common;
			return space;
		}
	}
	space_put(space);
	return to_space(current->user_event_mm);
}

/* ------------------------------------------------------------------ */
/* Coming and going							*/

static void show_later(struct work_struct *work);

static struct user_bit *bit_alloc(void)
{
	struct user_bit *bit = kzalloc(sizeof(*bit), GFP_KERNEL_ACCOUNT);

	if (!bit)
		return NULL;
	refcount_set(&bit->refs, 1);
	INIT_WORK(&bit->later, show_later);
	return bit;
}

static void bit_put(struct user_bit *bit)
{
	if (!refcount_dec_and_test(&bit->refs))
		return;
	space_put(bit->space);
	kfree(bit);
}

static void bit_link(struct user_bit *bit, struct user_event *event, struct user_space *space)
{
	lockdep_assert_held(&bits_lock);
	bit->event = event;
	bit->space = space;
	atomic_inc(&event->users);
	refcount_inc(&space->common.refcnt);
	space->nr++;
	list_add_tail(&bit->of_space, &space->common.enablers);
	list_add_tail_rcu(&bit->of_event, &event->bits);
}

/* It is in no list any more: for bit_end(). */
static void bit_unlink(struct user_bit *bit)
{
	lockdep_assert_held(&events_lock);
	guard(mutex)(&bits_lock);
	list_del_init(&bit->of_space);
	list_del(&bit->of_event);
	bit->space->nr--;
}

/* It tells of nothing any more. */
static void bit_end(struct user_bit *bit)
{
	lockdep_assert_not_held(&events_lock);
	/* Who is about to write it has done so, or does not. */
	scoped_guard(mutex, &bit->space->lock)
		bit->gone = true;
	user_event_put(bit->event);
	bit_put(bit);
}

static struct user_bit *find_bit_at(struct user_space *space, unsigned long addr, unsigned int nr)
{
	struct user_bit *bit;

	lockdep_assert_held(&bits_lock);
	list_for_each_entry(bit, &space->common.enablers, of_space)
		if (bit->at.addr == addr && bit->at.nr == nr)
			return bit;
	return NULL;
}

static bool is_taken(struct user_space *space, unsigned long addr, unsigned int nr)
{
	guard(mutex)(&bits_lock);
	return find_bit_at(space, addr, nr);
}

bool user_bit_is_taken(unsigned long addr, unsigned int nr)
{
	struct user_event_mm *common = current->user_event_mm;

	return common && is_taken(to_space(common), addr, nr);
}

/* ------------------------------------------------------------------ */
/* Written								*/

/* Has it got tasks? Then they do not end before the mmap lock is released. */
static bool is_there(struct user_space *space)
{
	mmap_assert_locked(space->common.mm);
	return refcount_read(&space->common.tasks);
}

/* Return: 0, also if there is nothing to be told any more; -EFAULT: its page is not there. */
static int show(struct user_bit *bit)
{
	lockdep_assert_held(&bit->space->lock);
	if (bit->gone || !is_there(bit->space))
		return 0;
	return user_place_write(bit->space->common.mm, &bit->at, READ_ONCE(bit->event->who));
}

static int show_locked(struct user_bit *bit)
{
	guard(mutex)(&bit->space->lock);
	return show(bit);
}

/* Likewise, for a bit that tells of nothing any more. Another may tell there by now. */
static int clear_locked(struct user_bit *bit)
{
	guard(mutex)(&bit->space->lock);
	if (is_taken(bit->space, bit->at.addr, bit->at.nr))
		return 0;
	return user_place_write(bit->space->common.mm, &bit->at, false);
}

/* As often as a page may go again before a bit in it is written. */
#define TRIES	10

static int with_page(struct user_bit *bit, int (*write)(struct user_bit *bit))
{
	struct mm_struct *mm = bit->space->common.mm;
	int err = -EFAULT;

	mmap_read_lock(mm);
	for (int i = 0; err == -EFAULT && i < TRIES; i++) {
		err = write(bit);
		if (err == -EFAULT && user_place_fault_in(mm, &bit->at))
			break;
	}
	mmap_read_unlock(mm);
	return err;
}

/* ------------------------------------------------------------------ */
/* Written later							*/

static void show_later(struct work_struct *work)
{
	struct user_bit *bit = container_of(work, struct user_bit, later);
	struct mm_struct *mm = bit->space->common.mm;

	/* Nothing comes into a memory that is being taken down. */
	if (mmget_not_zero(mm)) {
		if (with_page(bit, show_locked))
			pr_warn_ratelimited("a bit at %#lx cannot be written\n", bit->at.addr);
		mmput(mm);
	}
	bit_put(bit);
}

/* One that is waiting already comes late enough. */
static void have_shown(struct user_bit *bit)
{
	refcount_inc(&bit->refs);
	if (!queue_work(works, &bit->later))
		bit_put(bit);
}

static void bit_show(struct user_bit *bit)
{
	struct user_space *space = bit->space;
	int err = -EFAULT;

	if (mmap_read_trylock(space->common.mm)) {
		if (mutex_trylock(&space->lock)) {
			err = show(bit);
			mutex_unlock(&space->lock);
		}
		mmap_read_unlock(space->common.mm);
	}
	if (err)
		have_shown(bit);
}

void user_bits_show(struct user_event *event)
{
	struct user_bit *bit;

	lockdep_assert_held(&events_lock);
	/*
	 * Who is not in the list yet looks himself: pairs with those in user_bit_add() and
	 * show_what_has_changed().
	 */
	smp_mb();
	list_for_each_entry_rcu(bit, &event->bits, of_event, lockdep_is_held(&events_lock))
		bit_show(bit);
}

/* ------------------------------------------------------------------ */
/* What programs ask for						*/

static int link_if_free(struct user_bit *bit, struct user_event *event, struct user_space *space)
{
	guard(mutex)(&bits_lock);
	if (find_bit_at(space, bit->at.addr, bit->at.nr))
		return -EADDRINUSE;
	/* As all of them are looked through. */
	if (space->nr >= READ_ONCE(user_events_max))
		return -EMFILE;
	bit_link(bit, event, space);
	return 0;
}

/* Another thread may have taken it away. */
static void take_back(struct user_bit *bit)
{
	bool mine;

	scoped_guard(mutex, &events_lock) {
		mine = !list_empty(&bit->of_space);
		if (mine)
			bit_unlink(bit);
	}
	if (mine)
		bit_end(bit);
}

int user_bit_add(struct user_event *event, const struct user_reg *reg)
{
	struct user_space *space = own_space();
	struct user_bit *bit = space ? bit_alloc() : NULL;
	int err;

	if (!bit)
		return -ENOMEM;
	bit->at.addr = reg->enable_addr;
	bit->at.size = reg->enable_size;
	bit->at.nr = reg->enable_bit;
	/* One for being in the lists, one for us. */
	refcount_set(&bit->refs, 2);
	err = link_if_free(bit, event, space);
	if (err) {
		kfree(bit);
		return err;
	}
	/* It is in the list, then the event is looked at: pairs with that in user_bits_show(). */
	smp_mb();
	err = with_page(bit, show_locked);
	if (err)
		take_back(bit);
	bit_put(bit);
	return err;
}

/* Return: the bit, for bit_end(); or NULL. */
static struct user_bit *take(struct user_space *space, unsigned long addr, unsigned int nr)
{
	struct user_bit *bit;

	guard(mutex)(&events_lock);
	scoped_guard(mutex, &bits_lock)
		bit = find_bit_at(space, addr, nr);
	if (bit)
		bit_unlink(bit);
	return bit;
}

int user_bit_remove(unsigned long addr, unsigned int nr)
{
	struct user_event_mm *common = current->user_event_mm;
	struct user_bit *bit = common ? take(to_space(common), addr, nr) : NULL;
	int err;

	if (!bit)
		return -ENOENT;
	refcount_inc(&bit->refs);
	bit_end(bit);
	err = with_page(bit, clear_locked);
	bit_put(bit);
	return err;
}

/* ------------------------------------------------------------------ */
/* Programs begin and end						*/

/* Return: 0 if there was a spare one for each bit; else how many there are to be. */
static size_t copy_bits(struct user_space *to, struct user_space *from, struct list_head *spare,
			size_t nr_spare)
{
	struct user_bit *bit, *copy;
	size_t nr;

	guard(mutex)(&bits_lock);
	nr = from->nr;
	if (nr > nr_spare)
		return nr;
	list_for_each_entry(bit, &from->common.enablers, of_space) {
		copy = list_first_entry(spare, struct user_bit, of_space);
		list_del(&copy->of_space);
		copy->at = bit->at;
		bit_link(copy, bit->event, to);
	}
	return 0;
}

static bool add_spare(struct list_head *spare, size_t nr)
{
	struct user_bit *bit;

	for (; nr; nr--) {
		bit = bit_alloc();
		if (!bit)
			return false;
		list_add(&bit->of_space, spare);
	}
	return true;
}

/* Return: false if there is no memory: then nothing has been copied. */
static bool copy_all_bits(struct user_space *to, struct user_space *from)
{
	struct user_bit *bit, *next;
	size_t nr = 0, wanted;
	LIST_HEAD(spare);
	bool ok = true;

	while (ok && (wanted = copy_bits(to, from, &spare, nr))) {
		ok = add_spare(&spare, wanted - nr);
		nr = wanted;
	}
	list_for_each_entry_safe(bit, next, &spare, of_space)
		kfree(bit);
	return ok;
}

/* The memory was copied a while ago. */
static void show_what_has_changed(struct user_space *space)
{
	struct mm_struct *mm = space->common.mm;
	struct user_bit *bit;
	bool changed;

	/* Each bit is known, and then looked at: pairs with that in user_bits_show(). */
	smp_mb();
	list_for_each_entry(bit, &space->common.enablers, of_space) {
		mmap_read_lock(mm);
		changed = !user_place_tells(mm, &bit->at, READ_ONCE(bit->event->who));
		mmap_read_unlock(mm);
		if (changed)
			bit_show(bit);
	}
}

/* A child, before it runs. Without memory its bits tell nothing new. */
void user_event_mm_dup(struct task_struct *t, struct user_event_mm *old_mm)
{
	struct user_space *space = space_alloc(t->mm);

	t->user_event_mm = NULL;
	if (!space)
		return;
	if (!copy_all_bits(space, to_space(old_mm))) {
		space_put(space);
		return;
	}
	scoped_guard(mutex, &bits_lock)
		list_add(&space->common.mms_link, &spaces);
	t->user_event_mm = &space->common;
	show_what_has_changed(space);
}

/* A task ends, or becomes another program. */
void user_event_mm_remove(struct task_struct *t)
{
	struct user_event_mm *common = t->user_event_mm;

	might_sleep();
	t->user_event_mm = NULL;
	if (!refcount_dec_and_test(&common->tasks))
		return;
	/* Who has seen that there were tasks is done: see is_there(). */
	mmap_write_lock(common->mm);
	mmap_write_unlock(common->mm);
	scoped_guard(mutex, &bits_lock)
		list_move(&common->mms_link, &ended);
	user_events_sweep();
}

static struct user_space *next_ended(void)
{
	struct user_event_mm *common;

	guard(mutex)(&bits_lock);
	common = list_first_entry_or_null(&ended, struct user_event_mm, mms_link);
	if (!common)
		return NULL;
	list_del(&common->mms_link);
	return to_space(common);
}

/* Return: a bit of it, for bit_end(); or NULL. */
static struct user_bit *take_any(struct user_space *space)
{
	struct user_bit *bit;

	guard(mutex)(&events_lock);
	bit = list_first_entry_or_null(&space->common.enablers, struct user_bit, of_space);
	if (bit)
		bit_unlink(bit);
	return bit;
}

void user_bits_sweep(void)
{
	struct user_space *space;
	struct user_bit *bit;

	while ((space = next_ended())) {
		while ((bit = take_any(space)))
			bit_end(bit);
		space_put(space);
	}
}

/* Before there are files: see TRACE_FILES(). */
static int __init make_works(void)
{
	works = alloc_workqueue("user_events", WQ_UNBOUND, 0);
	return works ? 0 : -ENOMEM;
}
core_initcall(make_works);
