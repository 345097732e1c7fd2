/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a module may do with the tracer besides attaching to functions (that
 * is <linux/ftrace.h>): write text into an instance, and receive a copy of
 * what is being recorded.
 *
 * What each function promises is told where it is defined, in kernel/trace/:
 * record/export.c (exporters), messages/trace_printk.c (text), instance/instance.c
 * and instance/lifetime.c.
 */
#ifndef _LINUX_TRACE_H
#define _LINUX_TRACE_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/types.h>

struct trace_array;

/* What an exporter wants to see: struct trace_export.flags. */
#define TRACE_EXPORT_FUNCTION	BIT(0)
#define TRACE_EXPORT_EVENT	BIT(1)
#define TRACE_EXPORT_MARKER	BIT(2)

/**
 * struct trace_export - somebody who wants a copy of each record
 * @next: the next exporter; belongs to the tracer while this one is registered
 * @write: takes one record: the exporter, the record's first byte, its length
 *	in bytes. Called when the record in the ring buffer is complete, with
 *	preemption off, in whatever context the record comes from, NMIs
 *	included; the memory is the record's only during the call.
 * @flags: TRACE_EXPORT_* of the records that are wanted
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
 * A line feed is added if it has none.
 *
 * Context: any, NMIs included.
 * Return: the length of @str, 0 when it was not recorded, -1 when @str is NULL.
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
