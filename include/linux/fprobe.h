/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Handlers at the entry and at the return of functions, with data between both, for modules
 * and for probes as events (SPEC E3).
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
 * typedef fprobe_entry_cb - a function begins
 * @fp: the probe
 * @entry_ip: the function, by the address of its call site
 * @ret_ip: where it returns to: in its caller, whoever else waits for the return
 * @regs: the registers
 * @entry_data: so many bytes as the probe says, kept until the return; NULL if it says none,
 *	or has no handler for that
 *
 * Context: whatever the function runs in, NMI included; preemption off. It must not sleep.
 * Return: not 0 if nobody wants to know of this return.
 */
typedef int (*fprobe_entry_cb)(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
			       struct pt_regs *regs, void *entry_data);

/**
 * typedef fprobe_exit_cb - a function returns
 * @fp: the probe
 * @entry_ip: as at its entry
 * @ret_ip: likewise
 * @regs: those in which a value is returned, the stack pointer and, if there is one, the frame
 *	pointer; the instruction pointer is @ret_ip, and the rest is 0
 * @entry_data: as the handler of the entry has left it
 *
 * Context: as fprobe_entry_cb.
 */
typedef void (*fprobe_exit_cb)(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
			       struct pt_regs *regs, void *entry_data);

/**
 * struct fprobe - handlers at the entry and at the return of functions
 * @nmissed: how often none was called, because it was in one already, there was no room, or
 *	returns were not waited for
 * @flags: FPROBE_FL_*
 * @entry_data_size: bytes from the entry on to the return, of which a call can keep about 250 longs
 * @nr_maxactive: how many calls can be waited for at once; 0 for as many as there are
 * @entry_handler: called at the entry, or NULL
 * @exit_handler: called at the return, or NULL
 * @gops: how the tracer knows it.  Tracer only.
 * @active: how many calls are waited for.  Tracer only.
 * @registered: it is known.  Tracer only.
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

/* No handler is called. */
#define FPROBE_FL_DISABLED	1

/* Its handlers, and those of kprobes, do not run inside each other. */
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

/* No handler is called any more, though one may be under way. Context: any. */
static inline void disable_fprobe(struct fprobe *fp)
{
	if (fp)
		WRITE_ONCE(fp->flags, fp->flags | FPROBE_FL_DISABLED);
}

/* And they are again. Context: any. */
static inline void enable_fprobe(struct fprobe *fp)
{
	if (fp)
		WRITE_ONCE(fp->flags, fp->flags & ~FPROBE_FL_DISABLED);
}

#endif /* _LINUX_FPROBE_H */
