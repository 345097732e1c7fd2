// SPDX-License-Identifier: GPL-2.0
/*
 * The files user_events_data, by which programs register and write events, and
 * user_events_status, which lists the events; and the sysctl kernel.user_events_max.
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

/* Bytes of the longest description of an event, with the NUL. */
#define USER_DESC_MAX	512

/**
 * struct user_slots - the events that a program can write through an open file
 * @node: node of the file in tracefs
 * @events: each &struct user_event by its slot, from 0; added under dyn_events_lock
 */
struct user_slots {
	struct trace_node	*node;
	struct xarray		events;
};

/* ------------------------------------------------------------------ */
/* Opening and closing							*/

static int user_data_open(struct inode *inode, struct file *file)
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

static int user_data_release(struct inode *inode, struct file *file)
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
/* Writing records							*/

static ssize_t user_data_write(struct kiocb *iocb, struct iov_iter *from)
{
	struct user_slots *slots = iocb->ki_filp->private_data;
	size_t count = iov_iter_count(from);
	struct user_event *event;
	int i, err;

	if (!copy_from_iter_full(&i, sizeof(i), from))
		return -EFAULT;
	if (i < 0)
		return -EINVAL;
	/* The slot, a user of the event, keeps it until the file is closed. */
	event = xa_load(&slots->events, i);
	if (!event)
		return -ENOENT;
	err = user_event_write(event, from);
	return err ?: count;
}

/* ------------------------------------------------------------------ */
/* Registering events							*/

/* Copy a structure of a program, which begins with its size, and may be longer than @to. */
static int user_copy_sized(void *to, size_t size, const void __user *from)
{
	u32 given;

	if (get_user(given, (const u32 __user *)from))
		return -EFAULT;
	if (given > PAGE_SIZE)
		return -E2BIG;
	return given < size ? -EINVAL : copy_struct_from_user(to, size, from, given);
}

static int user_reg_check_bit(struct user_reg *reg)
{
	if (reg->enable_size != sizeof(u32) &&
	    (reg->enable_size != sizeof(u64) || !IS_ENABLED(CONFIG_64BIT)))
		return -EINVAL;
	if (reg->enable_addr & (reg->enable_size - 1))
		return -EINVAL;
	if (reg->enable_bit >= reg->enable_size * BITS_PER_BYTE)
		return -EINVAL;
	/* The upper half of a 32-bit address may be a sign extension by the compiler. */
	reg->enable_addr = (unsigned long)reg->enable_addr;
	return access_ok(u64_to_user_ptr(reg->enable_addr), reg->enable_size) ? 0 : -EFAULT;
}

static int user_reg_read(struct user_reg *reg, const struct user_reg __user *from)
{
	int err = user_copy_sized(reg, sizeof(*reg), from);

	if (err)
		return err;
	return reg->flags >= USER_EVENT_REG_MAX ? -EINVAL : user_reg_check_bit(reg);
}

/* Return: the slot of @event in the file, which is a user of the event; or an errno. */
static int user_slots_find_or_add(struct user_slots *slots, struct user_event *event)
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

/*
 * Return: the slot of the event that @text describes, or an errno. On success @event is set, and
 * the caller drops it with user_event_put().
 */
static int user_slot_get(struct user_slots *slots, char *text, unsigned int flags,
			 struct user_event **event)
{
	int slot;

	guard(mutex)(&dyn_events_lock);
	*event = user_event_get(text, flags);
	if (IS_ERR(*event))
		return PTR_ERR(*event);
	slot = user_slots_find_or_add(slots, *event);
	if (slot < 0)
		user_event_put(*event);
	return slot;
}

static int user_event_register(struct user_slots *slots, const struct user_reg *reg)
{
	char *text = strndup_user(u64_to_user_ptr(reg->name_args), USER_DESC_MAX);
	struct user_event *event;
	int slot, err;

	if (IS_ERR(text))
		return PTR_ERR(text);
	slot = user_slot_get(slots, text, reg->flags, &event);
	kfree(text);
	if (slot < 0)
		return slot;
	err = user_bit_add(event, reg);
	user_event_put(event);
	return err ?: slot;
}

static int user_ioctl_reg(struct user_slots *slots, struct user_reg __user *arg)
{
	struct user_reg reg;
	int slot = user_reg_read(&reg, arg);

	if (slot)
		return slot;
	/* Check early, so that no event is created for a bit that cannot be added. */
	if (user_bit_is_taken(reg.enable_addr, reg.enable_bit))
		return -EADDRINUSE;
	slot = user_event_register(slots, &reg);
	if (slot < 0 || !put_user((u32)slot, &arg->write_index))
		return min(slot, 0);
	user_bit_remove(reg.enable_addr, reg.enable_bit);
	return -EFAULT;
}

static int user_ioctl_del(const char __user *arg)
{
	char *name = strndup_user(arg, USER_DESC_MAX);
	int err;

	if (IS_ERR(name))
		return PTR_ERR(name);
	scoped_guard(mutex, &dyn_events_lock)
		err = user_events_delete(name);
	kfree(name);
	return err;
}

static int user_ioctl_unreg(const struct user_unreg __user *arg)
{
	struct user_unreg unreg;
	int err = user_copy_sized(&unreg, sizeof(unreg), arg);

	if (err)
		return err;
	if (unreg.__reserved || unreg.__reserved2)
		return -EINVAL;
	return user_bit_remove(unreg.disable_addr, unreg.disable_bit);
}

static long user_data_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	/* Registering requires a file opened for writing. */
	if (!(file->f_mode & FMODE_WRITE))
		return -EBADF;
	switch (cmd) {
	case DIAG_IOCSREG:
		return user_ioctl_reg(file->private_data, (struct user_reg __user *)arg);
	case DIAG_IOCSDEL:
		return user_ioctl_del((const char __user *)arg);
	case DIAG_IOCSUNREG:
		return user_ioctl_unreg((const struct user_unreg __user *)arg);
	default:
		return -ENOTTY;
	}
}

static const struct file_operations user_data_fops = {
	.open		= user_data_open,
	.write_iter	= user_data_write,
	.unlocked_ioctl	= user_data_ioctl,
	.release	= user_data_release,
	.llseek		= noop_llseek,
};

/* ------------------------------------------------------------------ */
/* Listing events							*/

static void user_event_show_status(struct seq_file *m, const struct user_event *event)
{
	u8 consumers = READ_ONCE(event->consumers);

	seq_printf(m, "%s%s%s%s\n", event->call.name, consumers ? " # Used by" : "",
		   consumers & USER_EVENT_BY_FTRACE ? " ftrace" : "",
		   consumers & USER_EVENT_BY_PERF ? " perf" : "");
}

static int user_events_status_show(struct seq_file *m, const struct trace_node *at)
{
	unsigned int active = 0, busy = 0;
	struct dyn_event *ev;

	guard(mutex)(&dyn_events_lock);
	list_for_each_entry(ev, &all_dyn_events, node) {
		if (ev->kind != &user_events)
			continue;
		user_event_show_status(m, to_user_event(ev));
		active++;
		busy += !!READ_ONCE(to_user_event(ev)->consumers);
	}
	seq_printf(m, "\nActive: %u\nBusy: %u\n", active, busy);
	return 0;
}

static const struct trace_file user_events_files[] = {
	{
		.name	= "user_events_data",
		.mode	= TRACE_FILE_RW,
		.place	= IN_TOP,
		.fops	= &user_data_fops,
	}, {
		.name	= "user_events_status",
		.mode	= TRACE_FILE_RO,
		.place	= IN_TOP,
		.show	= user_events_status_show,
	},
	{ }
};

TRACE_FILES(user_events_files);

/* ------------------------------------------------------------------ */
/* Limit of the number of events					*/

static struct ctl_table user_events_sysctls[] = {
	{
		.procname	= "user_events_max",
		.data		= &user_events_max,
		.maxlen		= sizeof(user_events_max),
		.mode		= 0644,
		.proc_handler	= proc_douintvec,
	},
};

static int __init user_events_sysctl_init(void)
{
	register_sysctl_init("kernel", user_events_sysctls);
	return 0;
}
fs_initcall(user_events_sysctl_init);
