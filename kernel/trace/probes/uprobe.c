// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of programs, on the kernel's uprobes.
 *
 * A task comes here from user space, and may sleep: what it fetches may have to be read from a
 * disk first. So the record is made beside the buffer, once, for wherever the event is on.
 */
#include <linux/cleanup.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/namei.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "events/events.h"
#include "events/links.h"
#include "uprobe.h"

/* ------------------------------------------------------------------ */
/* Hits									*/

/**
 * struct user_room - where a record is made
 * @lock: of whoever makes one; who has it may sleep, and go to another CPU meanwhile
 * @rec: the record
 */
struct user_room {
	/* See above. Inside of nothing that the tracer locks. */
	struct mutex	lock;
	u8		rec[PROBE_ROOM_MAX] __aligned(sizeof(long));
};

/* As many as CPUs, so that hardly anybody waits. Made with the first probe. */
static struct user_room __percpu *rooms;

static void hit(const struct user_probe *u, const struct fetch_from *from,
		const unsigned long *head)
{
	struct user_room *room = raw_cpu_ptr(rooms);
	const struct probe *p = &u->probe;
	const struct probe_event *event = p->event;
	unsigned int len = event->len;

	guard(mutex)(&room->lock);
	if (event->fills)
		len += min(fetch_room(p->args.fetches, p->args.nr, from), PROBE_ROOM_MAX - len);
	memcpy(room->rec + sizeof(struct trace_entry), head, event->nr_head * sizeof(*head));
	fetch_fill(p->args.fetches, p->args.nr, room->rec, event->len, len, from);
	probe_hit_made(p, room->rec, len, from->regs);
}

/* Other tasks of the program run as if there were no probe. */
static bool is_wanted_in(struct uprobe_consumer *consumer, struct mm_struct *mm)
{
	const struct user_probe *u = container_of(consumer, struct user_probe, consumer);

	return event_links_want(&u->probe.event->files, mm);
}

static int uprobe_entry(struct uprobe_consumer *consumer, struct pt_regs *regs)
{
	const struct user_probe *u = container_of(consumer, struct user_probe, consumer);
	unsigned long ip = instruction_pointer(regs);
	struct fetch_from from = { .regs = regs, .user = true, .base = ip - u->offset };

	/* A child has the memory of who is wanted, but nobody has asked for it. */
	if (!is_wanted_in(consumer, current->mm))
		return UPROBE_HANDLER_REMOVE;
	hit(u, &from, &ip);
	return 0;
}

/* Where the function begins whose return is probed: as there, or the child would keep it. */
static int uprobe_called(struct uprobe_consumer *consumer, struct pt_regs *regs)
{
	return is_wanted_in(consumer, current->mm) ? 0 : UPROBE_HANDLER_REMOVE;
}

static int uprobe_returned(struct uprobe_consumer *consumer, unsigned long func,
			   struct pt_regs *regs)
{
	const struct user_probe *u = container_of(consumer, struct user_probe, consumer);
	struct fetch_from from = { .regs = regs, .user = true, .base = func - u->offset };
	unsigned long head[] = { func, instruction_pointer(regs) };

	/* The call may have begun while it was wanted, or in the parent. */
	if (is_wanted_in(consumer, current->mm))
		hit(u, &from, head);
	return 0;
}

/* ------------------------------------------------------------------ */
/* On and off								*/

static int rooms_make(void)
{
	int cpu;

	if (rooms)
		return 0;
	rooms = alloc_percpu(struct user_room);
	if (!rooms)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		mutex_init(&per_cpu_ptr(rooms, cpu)->lock);
	return 0;
}

static int others_want(struct probe *p, bool more)
{
	struct user_probe *u = to_user_probe(p);

	return u->uprobe ? uprobe_apply(u->uprobe, &u->consumer, more) : 0;
}

static int start(struct probe *p)
{
	struct user_probe *u = to_user_probe(p);
	struct uprobe *uprobe;
	int err = rooms_make();

	if (err)
		return err;
	u->consumer.filter = is_wanted_in;
	u->consumer.handler = u->returns ? uprobe_called : uprobe_entry;
	u->consumer.ret_handler = u->returns ? uprobe_returned : NULL;
	uprobe = uprobe_register(d_real_inode(u->path.dentry), u->offset, u->counter,
				 &u->consumer);
	if (IS_ERR(uprobe))
		return PTR_ERR(uprobe);
	u->uprobe = uprobe;
	return 0;
}

/* Nobody is under way any more. */
static void stop(struct probe *p)
{
	struct user_probe *u = to_user_probe(p);

	uprobe_unregister_nosync(u->uprobe, &u->consumer);
	uprobe_unregister_sync();
	u->uprobe = NULL;
}

static void free_probe(struct probe *p)
{
	struct user_probe *u = to_user_probe(p);

	/* A probe that had an event is among them, and dyn_events_lock is held. */
	hash_del(&u->by_place);
	path_put(&u->path);
	probe_exit(p);
	kfree(u->name);
	kfree(u);
}

/* ------------------------------------------------------------------ */
/* As it is written							*/

bool user_probes_meet(const struct user_probe *a, const struct user_probe *b)
{
	return d_real_inode(a->path.dentry) == d_real_inode(b->path.dentry) &&
	       a->offset == b->offset;
}

static bool is_same(const struct probe *a, const struct probe *b)
{
	return user_probes_meet(to_user_probe(a), to_user_probe(b));
}

static void place(struct seq_buf *s, const struct probe *p)
{
	const struct user_probe *u = to_user_probe(p);

	seq_buf_printf(s, "%s:0x%0*lx", u->name, (int)(2 * sizeof(u->offset)), u->offset);
	if (u->counter)
		seq_buf_printf(s, "(0x%lx)", u->counter);
}

struct probe_kind uprobe_kind = {
	.dyn = {
		.create		= uprobe_create,
		.show		= probe_show,
		.is		= probe_is,
		.is_busy	= probe_is_busy,
		.call		= probe_dyn_call,
		.remove		= probe_dyn_remove,
	},
	.who	= "trace_uprobe",
	.letter	= 'p',
	.system	= "uprobes",
	.flags	= TRACE_EVENT_FL_UPROBE | TRACE_EVENT_FL_CAP_ANY,
	.size	= sizeof(struct user_probe),
	.parse	= uprobe_parse,
	.name	= uprobe_name,
	.start	= start,
	.stop	= stop,
	.others_want = others_want,
	.place	= place,
	.is_same = is_same,
	.free	= free_probe,
};
