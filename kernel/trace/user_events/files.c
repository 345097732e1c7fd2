// SPDX-License-Identifier: GPL-2.0
/*
 * The files user_events_data, which programs open, and user_events_status, which people read.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysctl.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <linux/xarray.h>

#include "internal.h"
#include "tracefs/files.h"

/* The longest description of an event. */
#define DESC_MAX	512

/**
 * struct user_slots - the events that a file can write records of
 * @node: the file
 * @events: each under its number, 0 being the first; added under dyn_events_lock
 */
struct user_slots {
	struct trace_node	*node;
	struct xarray		events;
};

/* ------------------------------------------------------------------ */
/* Opened and closed							*/

static int data_open(struct inode *inode, struct file *file)
{
	struct trace_node *node = trace_node_get(inode);
	struct user_slots *slots;

	if (IS_ERR(node))
		return PTR_ERR(node);
	slots = kzalloc(sizeof(*slots), GFP_KERNEL_ACCOUNT);
	if (!slots) {
		trace_node_put(node);
		return -ENOMEM;
	}
	slots->node = node;
	xa_init_flags(&slots->events, XA_FLAGS_ALLOC);
	file->private_data = slots;
	return 0;
}

static int data_release(struct inode *inode, struct file *file)
{
	struct user_slots *slots = file->private_data;
	struct user_event *event;
	unsigned long i;

	xa_for_each(&slots->events, i, event)
		user_event_put(event);
	xa_destroy(&slots->events);
	trace_node_put(slots->node);
	kfree(slots);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Written								*/

static ssize_t data_write(struct kiocb *iocb, struct iov_iter *from)
{
	struct user_slots *slots = iocb->ki_filp->private_data;
	size_t count = iov_iter_count(from);
	struct user_event *event;
	int i, err;

	if (!copy_from_iter_full(&i, sizeof(i), from))
		return -EFAULT;
	if (i < 0)
		return -EINVAL;
	/* It stays as long as the file. */
	event = xa_load(&slots->events, i);
	if (!event)
		return -ENOENT;
	err = user_event_write(event, from);
	return err ?: count;
}

/* ------------------------------------------------------------------ */
/* Registered								*/

/* Structures that programs give begin with their size. */
static int copy_sized(void *to, size_t size, const void __user *from)
{
	u32 given;

	if (get_user(given, (const u32 __user *)from))
		return -EFAULT;
	if (given > PAGE_SIZE)
		return -E2BIG;
	return given < size ? -EINVAL : copy_struct_from_user(to, size, from, given);
}

static int check_bit(struct user_reg *reg)
{
	if (reg->enable_size != sizeof(u32) &&
	    (reg->enable_size != sizeof(u64) || !IS_ENABLED(CONFIG_64BIT)))
		return -EINVAL;
	if (reg->enable_addr & (reg->enable_size - 1))
		return -EINVAL;
	if (reg->enable_bit >= reg->enable_size * BITS_PER_BYTE)
		return -EINVAL;
	/* Above a long may be what a program's compiler makes of the highest bit of an address. */
	reg->enable_addr = (unsigned long)reg->enable_addr;
	return access_ok(u64_to_user_ptr(reg->enable_addr), reg->enable_size) ? 0 : -EFAULT;
}

static int reg_read(struct user_reg *reg, const struct user_reg __user *from)
{
	int err = copy_sized(reg, sizeof(*reg), from);

	if (err)
		return err;
	return reg->flags >= USER_EVENT_REG_MAX ? -EINVAL : check_bit(reg);
}

/* Return: its number in the file, which is one user of it; or an errno. */
static int slot_of(struct user_slots *slots, struct user_event *event)
{
	struct user_event *other;
	unsigned long i;
	u32 new;
	int err;

	xa_for_each(&slots->events, i, other)
		if (other == event)
			return i;
	err = xa_alloc(&slots->events, &new, event, XA_LIMIT(0, INT_MAX), GFP_KERNEL_ACCOUNT);
	if (err)
		return err;
	atomic_inc(&event->users);
	return new;
}

/* Return: likewise; @event is for user_event_put(). */
static int get_slot(struct user_slots *slots, char *text, unsigned int flags,
		    struct user_event **event)
{
	int slot;

	guard(mutex)(&dyn_events_lock);
	*event = user_event_get(text, flags);
	if (IS_ERR(*event))
		return PTR_ERR(*event);
	slot = slot_of(slots, *event);
	if (slot < 0)
		user_event_put(*event);
	return slot;
}

static int register_named(struct user_slots *slots, const struct user_reg *reg)
{
	char *text = strndup_user(u64_to_user_ptr(reg->name_args), DESC_MAX);
	struct user_event *event;
	int slot, err;

	if (IS_ERR(text))
		return PTR_ERR(text);
	slot = get_slot(slots, text, reg->flags, &event);
	kfree(text);
	if (slot < 0)
		return slot;
	err = user_bit_add(event, reg);
	user_event_put(event);
	return err ?: slot;
}

static int do_reg(struct user_slots *slots, struct user_reg __user *arg)
{
	struct user_reg reg;
	int slot = reg_read(&reg, arg);

	if (slot)
		return slot;
	/* Then no event is made. */
	if (user_bit_is_taken(reg.enable_addr, reg.enable_bit))
		return -EADDRINUSE;
	slot = register_named(slots, &reg);
	if (slot < 0 || !put_user((u32)slot, &arg->write_index))
		return min(slot, 0);
	user_bit_remove(reg.enable_addr, reg.enable_bit);
	return -EFAULT;
}

static int do_del(const char __user *arg)
{
	char *name = strndup_user(arg, DESC_MAX);
	int err;

	if (IS_ERR(name))
		return PTR_ERR(name);
	scoped_guard(mutex, &dyn_events_lock)
		err = user_events_delete(name);
	kfree(name);
	return err;
}

static int do_unreg(const struct user_unreg __user *arg)
{
	struct user_unreg unreg;
	int err = copy_sized(&unreg, sizeof(unreg), arg);

	if (err)
		return err;
	if (unreg.__reserved || unreg.__reserved2)
		return -EINVAL;
	return user_bit_remove(unreg.disable_addr, unreg.disable_bit);
}

static long data_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	/* Who may only read may not make anything. */
	if (!(file->f_mode & FMODE_WRITE))
		return -EBADF;
	switch (cmd) {
	case DIAG_IOCSREG:
		return do_reg(file->private_data, (struct user_reg __user *)arg);
	case DIAG_IOCSDEL:
		return do_del((const char __user *)arg);
	case DIAG_IOCSUNREG:
		return do_unreg((const struct user_unreg __user *)arg);
	default:
		return -ENOTTY;
	}
}

static const struct file_operations data_fops = {
	.open		= data_open,
	.write_iter	= data_write,
	.unlocked_ioctl	= data_ioctl,
	.release	= data_release,
	.llseek		= noop_llseek,
};

/* ------------------------------------------------------------------ */
/* Which there are							*/

static void show_status(struct seq_file *m, const struct user_event *event)
{
	u8 who = READ_ONCE(event->who);

	seq_printf(m, "%s%s%s%s\n", event->call.name, who ? " # Used by" : "",
		   who & USER_EVENT_BY_FTRACE ? " ftrace" : "",
		   who & USER_EVENT_BY_PERF ? " perf" : "");
}

static int status_show(struct seq_file *m, const struct trace_node *at)
{
	unsigned int active = 0, busy = 0;
	struct dyn_event *ev;

	guard(mutex)(&dyn_events_lock);
	list_for_each_entry(ev, &all_dyn_events, node) {
		if (ev->kind != &user_events)
			continue;
		show_status(m, to_user_event(ev));
		active++;
		busy += !!READ_ONCE(to_user_event(ev)->who);
	}
	seq_printf(m, "\nActive: %u\nBusy: %u\n", active, busy);
	return 0;
}

static const struct trace_file user_events_files[] = {
	{
		.name	= "user_events_data",
		.mode	= TRACE_FILE_RW,
		.place	= IN_TOP,
		.fops	= &data_fops,
	}, {
		.name	= "user_events_status",
		.mode	= TRACE_FILE_RO,
		.place	= IN_TOP,
		.show	= status_show,
	},
	{ }
};

TRACE_FILES(user_events_files);

/* ------------------------------------------------------------------ */
/* How many there may be						*/

static struct ctl_table user_events_sysctls[] = {
	{
		.procname	= "user_events_max",
		.data		= &user_events_max,
		.maxlen		= sizeof(user_events_max),
		.mode		= 0644,
		.proc_handler	= proc_douintvec,
	},
};

static int __init add_sysctls(void)
{
	register_sysctl_init("kernel", user_events_sysctls);
	return 0;
}
fs_initcall(add_sysctls);
