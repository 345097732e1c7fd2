// SPDX-License-Identifier: GPL-2.0
/*
 * Enable bits in the memory of programs; each bit reflects whether an event is on.
 *
 * The memory of a program is a space. The threads that have registered a bit, and the threads
 * that these create, share it; the space ends with the last of them. A child process gets its
 * own space with the same bits at fork(); a bit that another thread removes at that moment keeps
 * its value in the child. The value of a bit is read from &user_event.consumers and written under
 * the lock of its space, so the last writer writes the current value.
 *
 * The holder of a space's lock may wait for a page fault of the program. So no path waits for
 * that lock with a lock of the tracer held: a work writes a bit whose page is not present, or
 * whose space is locked.
 *
 * Locks, outermost first: the mmap lock of the space, the lock of the space, events_lock,
 * bits_lock. With events_lock held the first two are only tried. A bit is added to the lists
 * under bits_lock, and removed under events_lock and bits_lock.
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

/* Protects the lists of spaces, and the lists of bits of spaces and events. Innermost lock. */
static DEFINE_MUTEX(bits_lock);

/* Spaces with tasks, by &user_event_mm.mms_link. Protected by bits_lock. */
static LIST_HEAD(user_spaces);
/* Spaces whose tasks have ended, by &user_event_mm.mms_link. Protected by bits_lock. */
static LIST_HEAD(user_spaces_ended);

/* Writes bits. Bounded, because a program may delay its page faults as long as it likes. */
static struct workqueue_struct *user_bits_wq;

/**
 * struct user_space - the memory of a program
 * @common: part that the rest of the kernel knows. Its @tasks is the number of threads that
 *	share the space, @mm the memory, @enablers the list of bits; @refcnt has 1 for all tasks
 *	together, and 1 for each bit
 * @lock: serializes writing the bits
 * @nr: number of bits
 */
struct user_space {
	struct user_event_mm	common;
	/* Inside the mmap lock, outside bits_lock; only tried with events_lock held. */
	struct mutex		lock;
	unsigned int		nr;
};

/**
 * struct user_bit - a bit that reflects whether an event is on
 * @event: the event; not to be dereferenced if @gone
 * @space: space that holds the bit
 * @at: address and number of the bit
 * @gone: true if the bit reflects no event any more; protected by @lock of @space
 * @space_node: entry in &user_event_mm.enablers
 * @event_node: entry in &user_event.bits
 * @refs: 1 for the lists, 1 while @later is queued, and 1 for each user
 * @later: work that faults in the page of the bit and writes the bit
 */
struct user_bit {
	struct user_event	*event;
	struct user_space	*space;
	struct user_place	at;
	bool			gone;
	struct list_head	space_node;
	struct list_head	event_node;
	refcount_t		refs;
	struct work_struct	later;
};

/* ------------------------------------------------------------------ */
/* Spaces								*/

static struct user_space *to_user_space(struct user_event_mm *common)
{
	return container_of(common, struct user_space, common);
}

static struct user_space *user_space_alloc(struct mm_struct *mm)
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

static void user_space_put(struct user_space *space)
{
	if (!refcount_dec_and_test(&space->common.refcnt))
		return;
	mmdrop(space->common.mm);
	kfree(space);
}

/* Return: the space of @mm, for a thread that existed before the first bit; or NULL. */
static struct user_event_mm *user_space_join(struct mm_struct *mm)
{
	struct user_event_mm *common;

	lockdep_assert_held(&bits_lock);
	list_for_each_entry(common, &user_spaces, mms_link)
		if (common->mm == mm && refcount_inc_not_zero(&common->tasks))
			return common;
	return NULL;
}

static struct user_space *user_space_of_current(void)
{
	struct user_space *space;

	if (current->user_event_mm)
		return to_user_space(current->user_event_mm);
	space = user_space_alloc(current->mm);
	if (!space)
		return NULL;
	scoped_guard(mutex, &bits_lock) {
		current->user_event_mm = user_space_join(current->mm);
		if (!current->user_event_mm) {
			list_add(&space->common.mms_link, &user_spaces);
			current->user_event_mm = &space->common;
			return space;
		}
	}
	user_space_put(space);
	return to_user_space(current->user_event_mm);
}

/* ------------------------------------------------------------------ */
/* Adding and removing bits						*/

static void user_bit_update_work(struct work_struct *work);

static struct user_bit *user_bit_alloc(void)
{
	struct user_bit *bit = kzalloc(sizeof(*bit), GFP_KERNEL_ACCOUNT);

	if (!bit)
		return NULL;
	refcount_set(&bit->refs, 1);
	INIT_WORK(&bit->later, user_bit_update_work);
	return bit;
}

static void user_bit_put(struct user_bit *bit)
{
	if (!refcount_dec_and_test(&bit->refs))
		return;
	user_space_put(bit->space);
	kfree(bit);
}

static void user_bit_link(struct user_bit *bit, struct user_event *event, struct user_space *space)
{
	lockdep_assert_held(&bits_lock);
	bit->event = event;
	bit->space = space;
	atomic_inc(&event->users);
	refcount_inc(&space->common.refcnt);
	space->nr++;
	list_add_tail(&bit->space_node, &space->common.enablers);
	list_add_tail_rcu(&bit->event_node, &event->bits);
}

/* Remove @bit from the lists; user_bit_retire() must follow. */
static void user_bit_unlink(struct user_bit *bit)
{
	lockdep_assert_held(&events_lock);
	guard(mutex)(&bits_lock);
	list_del_init(&bit->space_node);
	list_del(&bit->event_node);
	bit->space->nr--;
}

/* Retire @bit after user_bit_unlink(), and drop its event: it reflects no event any more. */
static void user_bit_retire(struct user_bit *bit)
{
	lockdep_assert_not_held(&events_lock);
	/* A concurrent writer has finished, or sees ->gone and writes nothing. */
	scoped_guard(mutex, &bit->space->lock)
		bit->gone = true;
	user_event_put(bit->event);
	user_bit_put(bit);
}

static struct user_bit *user_space_find_bit(struct user_space *space, unsigned long addr,
					    unsigned int nr)
{
	struct user_bit *bit;

	lockdep_assert_held(&bits_lock);
	list_for_each_entry(bit, &space->common.enablers, space_node)
		if (bit->at.addr == addr && bit->at.nr == nr)
			return bit;
	return NULL;
}

static bool user_space_has_bit(struct user_space *space, unsigned long addr, unsigned int nr)
{
	guard(mutex)(&bits_lock);
	return user_space_find_bit(space, addr, nr);
}

bool user_bit_is_taken(unsigned long addr, unsigned int nr)
{
	struct user_event_mm *common = current->user_event_mm;

	return common && user_space_has_bit(to_user_space(common), addr, nr);
}

/* ------------------------------------------------------------------ */
/* Writing bits								*/

/*
 * Return: true if @space has tasks. The last one does not end before the mmap lock is released,
 * because user_event_mm_remove() takes that lock for writing.
 */
static bool user_space_has_tasks(struct user_space *space)
{
	mmap_assert_locked(space->common.mm);
	return refcount_read(&space->common.tasks);
}

/* Return: 0, also if the bit or its tasks are gone; -EFAULT if the page is not present. */
static int user_bit_write_state(struct user_bit *bit)
{
	lockdep_assert_held(&bit->space->lock);
	if (bit->gone || !user_space_has_tasks(bit->space))
		return 0;
	return user_place_write(bit->space->common.mm, &bit->at, READ_ONCE(bit->event->consumers));
}

static int user_bit_write_state_locked(struct user_bit *bit)
{
	guard(mutex)(&bit->space->lock);
	return user_bit_write_state(bit);
}

/*
 * Clear a retired bit, unless another bit has been added at its address by now.
 * Return: 0, or -EFAULT if the page is not present.
 */
static int user_bit_clear_locked(struct user_bit *bit)
{
	guard(mutex)(&bit->space->lock);
	if (user_space_has_bit(bit->space, bit->at.addr, bit->at.nr))
		return 0;
	return user_place_write(bit->space->common.mm, &bit->at, false);
}

/* Attempts to write a bit: its page may be reclaimed again after it was faulted in. */
#define USER_BIT_TRIES	10

/* Call @write for @bit, and fault in the page while it returns -EFAULT. */
static int user_bit_write_faulting(struct user_bit *bit, int (*write)(struct user_bit *bit))
{
	struct mm_struct *mm = bit->space->common.mm;
	int err = -EFAULT;

	mmap_read_lock(mm);
	for (int i = 0; err == -EFAULT && i < USER_BIT_TRIES; i++) {
		err = write(bit);
		if (err == -EFAULT && user_place_fault_in(mm, &bit->at))
			break;
	}
	mmap_read_unlock(mm);
	return err;
}

/* ------------------------------------------------------------------ */
/* Writing bits from a work						*/

static void user_bit_update_work(struct work_struct *work)
{
	struct user_bit *bit = container_of(work, struct user_bit, later);
	struct mm_struct *mm = bit->space->common.mm;

	/* Pages cannot be faulted into an address space that is being torn down. */
	if (mmget_not_zero(mm)) {
		if (user_bit_write_faulting(bit, user_bit_write_state_locked))
			pr_warn_ratelimited("a bit at %#lx cannot be written\n", bit->at.addr);
		mmput(mm);
	}
	user_bit_put(bit);
}

/* Queue the work that writes @bit. A work that is pending already will see the new state. */
static void user_bit_queue_update(struct user_bit *bit)
{
	refcount_inc(&bit->refs);
	if (!queue_work(user_bits_wq, &bit->later))
		user_bit_put(bit);
}

static void user_bit_update(struct user_bit *bit)
{
	struct user_space *space = bit->space;
	int err = -EFAULT;

	if (mmap_read_trylock(space->common.mm)) {
		if (mutex_trylock(&space->lock)) {
			err = user_bit_write_state(bit);
			mutex_unlock(&space->lock);
		}
		mmap_read_unlock(space->common.mm);
	}
	if (err)
		user_bit_queue_update(bit);
}

void user_bits_update(struct user_event *event)
{
	struct user_bit *bit;

	lockdep_assert_held(&events_lock);
	/*
	 * Write ->consumers before reading the list. A bit that is added concurrently reads
	 * ->consumers itself: pairs with smp_mb() in user_bit_add() and user_space_update_bits().
	 */
	smp_mb();
	list_for_each_entry_rcu(bit, &event->bits, event_node, lockdep_is_held(&events_lock))
		user_bit_update(bit);
}

/* ------------------------------------------------------------------ */
/* Requests of programs							*/

static int user_bit_link_unique(struct user_bit *bit, struct user_event *event,
				struct user_space *space)
{
	guard(mutex)(&bits_lock);
	if (user_space_find_bit(space, bit->at.addr, bit->at.nr))
		return -EADDRINUSE;
	/* Bounds the linear search for a bit. */
	if (space->nr >= READ_ONCE(user_events_max))
		return -EMFILE;
	user_bit_link(bit, event, space);
	return 0;
}

/* Remove @bit, whose page could not be written, unless another thread has removed it. */
static void user_bit_undo_add(struct user_bit *bit)
{
	bool mine;

	scoped_guard(mutex, &events_lock) {
		mine = !list_empty(&bit->space_node);
		if (mine)
			user_bit_unlink(bit);
	}
	if (mine)
		user_bit_retire(bit);
}

int user_bit_add(struct user_event *event, const struct user_reg *reg)
{
	struct user_space *space = user_space_of_current();
	struct user_bit *bit = space ? user_bit_alloc() : NULL;
	int err;

	if (!bit)
		return -ENOMEM;
	bit->at.addr = reg->enable_addr;
	bit->at.size = reg->enable_size;
	bit->at.nr = reg->enable_bit;
	/* One reference for the lists, one for this function. */
	refcount_set(&bit->refs, 2);
	err = user_bit_link_unique(bit, event, space);
	if (err) {
		kfree(bit);
		return err;
	}
	/* Add to the list before reading ->consumers: pairs with user_bits_update(). */
	smp_mb();
	err = user_bit_write_faulting(bit, user_bit_write_state_locked);
	if (err)
		user_bit_undo_add(bit);
	user_bit_put(bit);
	return err;
}

/* Unlink the bit at @addr. Return: the bit, for user_bit_retire(); or NULL. */
static struct user_bit *user_space_take_bit(struct user_space *space, unsigned long addr,
					    unsigned int nr)
{
	struct user_bit *bit;

	guard(mutex)(&events_lock);
	scoped_guard(mutex, &bits_lock)
		bit = user_space_find_bit(space, addr, nr);
	if (bit)
		user_bit_unlink(bit);
	return bit;
}

int user_bit_remove(unsigned long addr, unsigned int nr)
{
	struct user_event_mm *common = current->user_event_mm;
	struct user_bit *bit = common ? user_space_take_bit(to_user_space(common), addr, nr) : NULL;
	int err;

	if (!bit)
		return -ENOENT;
	refcount_inc(&bit->refs);
	user_bit_retire(bit);
	err = user_bit_write_faulting(bit, user_bit_clear_locked);
	user_bit_put(bit);
	return err;
}

/* ------------------------------------------------------------------ */
/* Beginning and end of programs					*/

/*
 * Copy the bits of @from to @to, into the objects of @spare.
 * Return: 0, or the required number of objects if @nr_spare is less: then nothing is copied.
 */
static size_t user_space_copy_bits(struct user_space *to, struct user_space *from,
				   struct list_head *spare, size_t nr_spare)
{
	struct user_bit *bit, *copy;
	size_t nr;

	guard(mutex)(&bits_lock);
	nr = from->nr;
	if (nr > nr_spare)
		return nr;
	list_for_each_entry(bit, &from->common.enablers, space_node) {
		copy = list_first_entry(spare, struct user_bit, space_node);
		list_del(&copy->space_node);
		copy->at = bit->at;
		user_bit_link(copy, bit->event, to);
	}
	return 0;
}

static bool user_bits_add_spare(struct list_head *spare, size_t nr)
{
	struct user_bit *bit;

	for (; nr; nr--) {
		bit = user_bit_alloc();
		if (!bit)
			return false;
		list_add(&bit->space_node, spare);
	}
	return true;
}

/* Return: false if there is no memory: then nothing has been copied. */
static bool user_space_copy_all_bits(struct user_space *to, struct user_space *from)
{
	struct user_bit *bit, *next;
	size_t nr = 0, wanted;
	LIST_HEAD(spare);
	bool ok = true;

	while (ok && (wanted = user_space_copy_bits(to, from, &spare, nr))) {
		ok = user_bits_add_spare(&spare, wanted - nr);
		nr = wanted;
	}
	list_for_each_entry_safe(bit, next, &spare, space_node)
		kfree(bit);
	return ok;
}

/* Write those bits of a child whose events were switched since fork() copied the memory. */
static void user_space_update_bits(struct user_space *space)
{
	struct mm_struct *mm = space->common.mm;
	struct user_bit *bit;
	bool changed;

	/* Add the bits to the lists before reading ->consumers: pairs with user_bits_update(). */
	smp_mb();
	list_for_each_entry(bit, &space->common.enablers, space_node) {
		mmap_read_lock(mm);
		changed = !user_place_has_value(mm, &bit->at, READ_ONCE(bit->event->consumers));
		mmap_read_unlock(mm);
		if (changed)
			user_bit_update(bit);
	}
}

/**
 * user_event_mm_dup - copy the bits of a program at fork()
 * @t: the child, which does not run yet
 * @old_mm: space of the parent
 *
 * If there is no memory for a space, the bits of the child keep the values that they have.
 *
 * Context: may sleep.
 */
void user_event_mm_dup(struct task_struct *t, struct user_event_mm *old_mm)
{
	struct user_space *space = user_space_alloc(t->mm);

	t->user_event_mm = NULL;
	if (!space)
		return;
	if (!user_space_copy_all_bits(space, to_user_space(old_mm))) {
		user_space_put(space);
		return;
	}
	scoped_guard(mutex, &bits_lock)
		list_add(&space->common.mms_link, &user_spaces);
	t->user_event_mm = &space->common;
	user_space_update_bits(space);
}

/**
 * user_event_mm_remove - detach a task from the space of its program
 * @t: the task, which exits or executes another program
 *
 * Context: may sleep; takes the mmap lock of the program.
 */
void user_event_mm_remove(struct task_struct *t)
{
	struct user_event_mm *common = t->user_event_mm;

	might_sleep();
	t->user_event_mm = NULL;
	if (!refcount_dec_and_test(&common->tasks))
		return;
	/* Wait for writers for which user_space_has_tasks() was true: they hold the mmap lock. */
	mmap_write_lock(common->mm);
	mmap_write_unlock(common->mm);
	scoped_guard(mutex, &bits_lock)
		list_move(&common->mms_link, &user_spaces_ended);
	user_events_sweep();
}

static struct user_space *user_space_next_ended(void)
{
	struct user_event_mm *common;

	guard(mutex)(&bits_lock);
	common = list_first_entry_or_null(&user_spaces_ended, struct user_event_mm, mms_link);
	if (!common)
		return NULL;
	list_del(&common->mms_link);
	return to_user_space(common);
}

/* Unlink any bit of @space. Return: the bit, for user_bit_retire(); or NULL. */
static struct user_bit *user_space_take_any_bit(struct user_space *space)
{
	struct user_bit *bit;

	guard(mutex)(&events_lock);
	bit = list_first_entry_or_null(&space->common.enablers, struct user_bit, space_node);
	if (bit)
		user_bit_unlink(bit);
	return bit;
}

void user_bits_sweep(void)
{
	struct user_space *space;
	struct user_bit *bit;

	while ((space = user_space_next_ended())) {
		while ((bit = user_space_take_any_bit(space)))
			user_bit_retire(bit);
		user_space_put(space);
	}
}

/* A core_initcall runs before the files of TRACE_FILES() are created. */
static int __init user_bits_wq_init(void)
{
	user_bits_wq = alloc_workqueue("user_events", WQ_UNBOUND, 0);
	return user_bits_wq ? 0 : -ENOMEM;
}
core_initcall(user_bits_wq_init);
