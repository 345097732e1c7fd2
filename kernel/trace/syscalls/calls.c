// SPDX-License-Identifier: GPL-2.0
/*
 * The table of system calls by number, and the fields of their events.
 */
#define pr_fmt(fmt) "trace syscalls: " fmt

#include <linux/bsearch.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <asm/syscall.h>

#include "internal.h"
#include "syscalls.h"

/* Metadata by system call number; NULL if there was no memory. Written at boot only. */
static struct syscall_metadata **syscalls_by_nr __ro_after_init;

struct syscall_metadata *syscall_of(int nr)
{
	return syscalls_by_nr && (unsigned int)nr < NR_syscalls ? syscalls_by_nr[nr] : NULL;
}

const char *syscall_name(u64 nr)
{
	struct syscall_metadata *call = nr <= INT_MAX ? syscall_of(nr) : NULL;

	return call ? call->name : NULL;
}

/* ------------------------------------------------------------------ */
/* Numbers								*/

unsigned long __init __weak arch_syscall_addr(int nr)
{
	return (unsigned long)sys_call_table[nr];
}

static int syscall_cmp_names(const void *a, const void *b)
{
	struct syscall_metadata *const *one = a, *const *other = b;

	return strcmp((*one)->name, (*other)->name);
}

static int syscall_cmp_key(const void *name, const void *call)
{
	return strcmp(name, (*(struct syscall_metadata *const *)call)->name);
}

/*
 * Strip the prefix of a function in sys_call_table. The function may be a wrapper, __x64_ or
 * __ia32_, or the function __se_ that the wrapper calls. The wrapper of a call without arguments
 * is an alias of __do_, and kallsyms may return either name. On MIPS, calls that create tasks have
 * wrappers that save more registers, such as __sys_clone.
 */
static const char *__init syscall_strip_wrapper(const char *symbol)
{
	static const char *const prefixes[] __initconst = {
		"__x64_", "__ia32_", "__do_", "__se_", "__",
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (strstarts(symbol, prefixes[i]))
			return symbol + strlen(prefixes[i]);
	return symbol;
}

static struct syscall_metadata *__init syscall_find_by_addr(struct syscall_metadata **sorted,
							    size_t nr, unsigned long addr)
{
	static char symbol[KSYM_NAME_LEN] __initdata;
	struct syscall_metadata **found;
	const char *name;

	if (!addr || !kallsyms_lookup(addr, NULL, NULL, NULL, symbol))
		return NULL;
	name = syscall_strip_wrapper(symbol);
	/* sys_ni_syscall() is the entry for unused numbers. */
	if (!strcmp(name, "sys_ni_syscall"))
		return NULL;
	found = bsearch(name, sorted, nr, sizeof(*sorted), syscall_cmp_key);
	return found ? *found : NULL;
}

static void __init syscalls_assign_numbers(struct syscall_metadata **sorted, size_t nr)
{
	for (int i = 0; i < NR_syscalls; i++) {
		syscalls_by_nr[i] = syscall_find_by_addr(sorted, nr, arch_syscall_addr(i));
		if (syscalls_by_nr[i])
			syscalls_by_nr[i]->syscall_nr = i;
	}
}

void __init syscalls_boot(void)
{
	size_t nr = __stop_syscalls_metadata - __start_syscalls_metadata;
	struct syscall_metadata **sorted = kmemdup_array(__start_syscalls_metadata, nr,
							 sizeof(*sorted), GFP_KERNEL);

	syscalls_by_nr = kcalloc(NR_syscalls, sizeof(*syscalls_by_nr), GFP_KERNEL);
	if (sorted && syscalls_by_nr) {
		sort(sorted, nr, sizeof(*sorted), syscall_cmp_names, NULL);
		syscalls_assign_numbers(sorted, nr);
	} else {
		pr_warn("no memory: there are none\n");
	}
	kfree(sorted);
}

/* ------------------------------------------------------------------ */
/* Fields								*/

#define SYSCALL_NR_FIELD {							\
	.type		= "int",					\
	.name		= "__syscall_nr",				\
	.size		= sizeof(int),					\
	.align		= TRACE_FIELD_ALIGN(int),			\
	.is_signed	= true,						\
}

static bool syscall_has_number(const struct syscall_metadata *call)
{
	return call->syscall_nr >= 0;
}

static const struct trace_event_fields *syscall_enter_fields(const struct trace_event_call *event)
{
	const struct syscall_metadata *call = event->data;
	struct trace_event_fields *fields;

	if (!syscall_has_number(call))
		return ERR_PTR(-ENODEV);
	fields = kcalloc(call->nb_args + 2, sizeof(*fields), GFP_KERNEL);
	if (!fields)
		return ERR_PTR(-ENOMEM);
	fields[0] = (struct trace_event_fields)SYSCALL_NR_FIELD;
	for (int i = 0; i < call->nb_args; i++)
		fields[i + 1] = (struct trace_event_fields) {
			.type	= call->types[i],
			.name	= call->args[i],
			.size	= sizeof(unsigned long),
			.align	= TRACE_FIELD_ALIGN(unsigned long),
			.filter_type = FILTER_NUMBER,
		};
	return fields;
}

static const struct trace_event_fields *syscall_exit_fields(const struct trace_event_call *event)
{
	static const struct trace_event_fields fields[] = {
		SYSCALL_NR_FIELD,
		{
			.type		= "long",
			.name		= "ret",
			.size		= sizeof(long),
			.align		= TRACE_FIELD_ALIGN(long),
			.is_signed	= true,
		},
		{ }
	};

	return syscall_has_number(event->data) ? fields : ERR_PTR(-ENODEV);
}

const struct trace_event_class_ops syscall_enter_ops = {
	.get_fields	= syscall_enter_fields,
	.show_fmt	= syscall_enter_fmt,
	.lines		= &syscall_enter_lines,
};

const struct trace_event_class_ops syscall_exit_ops = {
	.get_fields	= syscall_exit_fields,
	.show_fmt	= syscall_exit_fmt,
	.lines		= &syscall_exit_lines,
};
