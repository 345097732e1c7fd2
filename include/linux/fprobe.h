/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Handlers at the entry and at the return of functions, with data that is kept from one to the
 * other, for modules and for probe events (SPEC E3).
 *
 *	static int on_entry(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
 *			    struct pt_regs *regs, void *entry_data) { ... return 0; }
 *
 *	static struct fprobe probe = { .entry_handler = on_entry };
 *
 *	err = register_fprobe(&probe, "vfs_*", "vfs_*xattr*");
 *	...
 *	unregister_fprobe(&probe);
 */
#ifndef _LINUX_FPROBE_H
#define _LINUX_FPROBE_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/ftrace.h>

struct fprobe;
struct pt_regs;

/**
 * typedef fprobe_entry_cb - handler at the entry of a function
 * @fp: the probe
 * @entry_ip: address of the call site in the function
 * @ret_ip: return address in the caller, even if another user of returns has replaced it
 * @regs: registers at the entry
 * @entry_data: &fprobe.entry_data_size bytes, kept until the return; NULL if that is 0 or the
 *	probe has no exit handler
 *
 * Context: that of the function, NMI included; preemption off. Must not sleep.
 * Return: 0; any other value keeps the exit handler from being called for this call.
 */
typedef int (*fprobe_entry_cb)(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
			       struct pt_regs *regs, void *entry_data);

/**
 * typedef fprobe_exit_cb - handler at the return of a function
 * @fp: the probe
 * @entry_ip: address of the call site in the function
 * @ret_ip: return address in the caller, even if another user of returns has replaced it
 * @regs: registers of the return value, the stack pointer and, if there is one, the frame
 *	pointer; the instruction pointer is @ret_ip, and the other registers are 0
 * @entry_data: the data as the entry handler has left them
 *
 * Context: that of the function, NMI included; preemption off. Must not sleep.
 */
typedef void (*fprobe_exit_cb)(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
			       struct pt_regs *regs, void *entry_data);

/**
 * struct fprobe - handlers at the entry and at the return of functions
 * @nmissed: number of times that a handler was not called, because a handler was running
 *	already, there was no room for the data, or the return could not be waited for
 * @flags: FPROBE_FL_*
 * @entry_data_size: bytes of data kept from the entry to the return; all probes of a call
 *	together can keep about 250 longs
 * @nr_maxactive: maximum number of calls whose return is pending; 0 for no limit
 * @entry_handler: called at the entry, or NULL
 * @exit_handler: called at the return, or NULL
 * @gops: registration of the probe in the tracer.  Tracer only.
 * @active: number of calls whose return is pending, with @nr_maxactive.  Tracer only.
 * @registered: true while the probe is registered.  Tracer only.
 */
struct fprobe {
	unsigned long		nmissed;
	unsigned int		flags;
	size_t			entry_data_size;
	int			nr_maxactive;
	fprobe_entry_cb		entry_handler;
	fprobe_exit_cb		exit_handler;
#ifdef CONFIG_FPROBE
	struct fgraph_ops	gops;
	atomic_t		active;
	bool			registered;
#endif
};

/* No handler of the probe is called. */
#define FPROBE_FL_DISABLED	1

/* The handlers of the probe and those of kprobes do not run inside each other. */
#define FPROBE_FL_KPROBE_SHARED	2

static inline bool fprobe_disabled(const struct fprobe *fp)
{
	return fp && (READ_ONCE(fp->flags) & FPROBE_FL_DISABLED);
}

static inline bool fprobe_shared_with_kprobes(const struct fprobe *fp)
{
	return fp && (fp->flags & FPROBE_FL_KPROBE_SHARED);
}

#ifdef CONFIG_FPROBE
int register_fprobe(struct fprobe *fp, const char *filter, const char *notfilter);
int register_fprobe_ips(struct fprobe *fp, unsigned long *addrs, int num);
int register_fprobe_syms(struct fprobe *fp, const char **syms, int num);
int register_fprobes(struct fprobe **fps, unsigned long *addrs, int num);
int unregister_fprobe(struct fprobe *fp);
int unregister_fprobes(struct fprobe **fps, int num);
bool fprobe_is_registered(struct fprobe *fp);
#else
static inline int register_fprobe(struct fprobe *fp, const char *filter, const char *notfilter)
{
	return -EOPNOTSUPP;
}

static inline int register_fprobe_ips(struct fprobe *fp, unsigned long *addrs, int num)
{
	return -EOPNOTSUPP;
}

static inline int register_fprobe_syms(struct fprobe *fp, const char **syms, int num)
{
	return -EOPNOTSUPP;
}

static inline int register_fprobes(struct fprobe **fps, unsigned long *addrs, int num)
{
	return -EOPNOTSUPP;
}

static inline int unregister_fprobe(struct fprobe *fp)
{
	return -EOPNOTSUPP;
}

static inline int unregister_fprobes(struct fprobe **fps, int num)
{
	return -EOPNOTSUPP;
}

static inline bool fprobe_is_registered(struct fprobe *fp)
{
	return false;
}
#endif

/* Stop calling the handlers of a probe; one that runs already is not waited for. Context: any. */
static inline void disable_fprobe(struct fprobe *fp)
{
	if (fp)
		WRITE_ONCE(fp->flags, fp->flags | FPROBE_FL_DISABLED);
}

/* Undo disable_fprobe(). Context: any. */
static inline void enable_fprobe(struct fprobe *fp)
{
	if (fp)
		WRITE_ONCE(fp->flags, fp->flags & ~FPROBE_FL_DISABLED);
}

#endif /* _LINUX_FPROBE_H */
