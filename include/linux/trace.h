/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface of the tracer for modules that write text into an instance, or receive a copy of
 * each record. Attaching to functions is declared in <linux/ftrace.h>.
 *
 * The kernel-doc of each function is at its definition in kernel/trace/: record/export.c
 * (exporters), messages/trace_printk.c (text), instance/instance.c and instance/lifetime.c.
 */
#ifndef _LINUX_TRACE_H
#define _LINUX_TRACE_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/types.h>

struct trace_array;

/* Flags of &trace_export.flags: the kinds of records that an exporter gets. */
#define TRACE_EXPORT_FUNCTION	BIT(0)
#define TRACE_EXPORT_EVENT	BIT(1)
#define TRACE_EXPORT_MARKER	BIT(2)

/**
 * struct trace_export - an exporter, which gets a copy of each record
 * @next: the next exporter; belongs to the tracer while this exporter is registered
 * @write: called with the exporter, the address of a record and its length in bytes when the
 *	record is complete. The record is valid during the call only. Context: that of the
 *	record, NMI included; preemption off
 * @flags: TRACE_EXPORT_*: the kinds of records that the exporter gets
 */
struct trace_export {
	struct trace_export __rcu	*next;
	void (*write)(struct trace_export *export, const void *record, unsigned int len);
	int flags;
};

#ifdef CONFIG_TRACING

int register_ftrace_export(struct trace_export *export);
int unregister_ftrace_export(struct trace_export *export);

struct trace_array *trace_array_get_by_name(const char *name, const char *systems);
void trace_array_put(struct trace_array *tr);
int trace_array_destroy(struct trace_array *tr);

int trace_array_init_printk(struct trace_array *tr);
__printf(3, 4)
int trace_array_printk(struct trace_array *tr, unsigned long ip, const char *fmt, ...);
int __trace_array_puts(struct trace_array *tr, unsigned long ip, const char *str, int size);

/**
 * trace_array_puts - record a string in an instance
 * @tr: the instance
 * @str: the string, or NULL
 *
 * A line feed is added if the string does not end with one.
 *
 * Context: any, NMI included.
 * Return: the length of @str; 0 if it was not recorded; -1 if @str is NULL.
 */
#define trace_array_puts(tr, str)					\
({									\
	const char *_str = (str);					\
									\
	_str ? __trace_array_puts(tr, _THIS_IP_, _str, strlen(_str)) : -1; \
})

void trace_printk_init_buffers(void);

#else /* !CONFIG_TRACING */

static inline int unregister_ftrace_export(struct trace_export *export)
{
	return 0;
}

static inline int register_ftrace_export(struct trace_export *export)
{
	return -EINVAL;
}

static inline struct trace_array *trace_array_get_by_name(const char *name, const char *systems)
{
	return NULL;
}

static inline void trace_array_put(struct trace_array *tr) { }

static inline int trace_array_destroy(struct trace_array *tr)
{
	return 0;
}

static inline int trace_array_init_printk(struct trace_array *tr)
{
	return -EINVAL;
}

static inline __printf(3, 4)
int trace_array_printk(struct trace_array *tr, unsigned long ip, const char *fmt, ...)
{
	return 0;
}

static inline void trace_printk_init_buffers(void) { }

#endif /* CONFIG_TRACING */

#endif /* _LINUX_TRACE_H */
