// SPDX-License-Identifier: GPL-2.0
/*
 * Which system calls there are: their numbers, their arguments.
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

/* By number; NULL without memory. Written while the kernel boots. */
static struct syscall_metadata **calls __ro_after_init;

struct syscall_metadata *syscall_of(int nr)
{
	return calls && (unsigned int)nr < NR_syscalls ? calls[nr] : NULL;
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

static int by_name(const void *a, const void *b)
{
	struct syscall_metadata *const *one = a, *const *other = b;

	return strcmp((*one)->name, (*other)->name);
}

static int name_is(const void *name, const void *call)
{
	return strcmp(name, (*(struct syscall_metadata *const *)call)->name);
}

/*
 * What the table points to is a wrapper, __x64_ or __ia32_, or what that calls, __se_. Without
 * arguments the wrapper is an alias of __do_, and kallsyms may have either name. On MIPS what
 * makes a task, as __sys_clone, saves more registers first.
 */
static const char *__init strip_wrapper(const char *symbol)
{
	static const char *const prefixes[] __initconst = {
		"__x64_", "__ia32_", "__do_", "__se_", "__",
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (strstarts(symbol, prefixes[i]))
			return symbol + strlen(prefixes[i]);
	return symbol;
}

static struct syscall_metadata *__init find(struct syscall_metadata **sorted, size_t nr,
					    unsigned long addr)
{
	static char symbol[KSYM_NAME_LEN] __initdata;
	struct syscall_metadata **found;
	const char *name;

	if (!addr || !kallsyms_lookup(addr, NULL, NULL, NULL, symbol))
		return NULL;
	name = strip_wrapper(symbol);
	/* What is called for a number that is none. */
	if (!strcmp(name, "sys_ni_syscall"))
		return NULL;
	found = bsearch(name, sorted, nr, sizeof(*sorted), name_is);
	return found ? *found : NULL;
}

static void __init number(struct syscall_metadata **sorted, size_t nr)
{
	for (int i = 0; i < NR_syscalls; i++) {
		calls[i] = find(sorted, nr, arch_syscall_addr(i));
		if (calls[i])
			calls[i]->syscall_nr = i;
	}
}

void __init syscalls_boot(void)
{
	size_t nr = __stop_syscalls_metadata - __start_syscalls_metadata;
	struct syscall_metadata **sorted = kmemdup_array(__start_syscalls_metadata, nr,
							 sizeof(*sorted), GFP_KERNEL);

	calls = kcalloc(NR_syscalls, sizeof(*calls), GFP_KERNEL);
	if (sorted && calls) {
		sort(sorted, nr, sizeof(*sorted), by_name, NULL);
		number(sorted, nr);
	} else {
		pr_warn("no memory: there are none\n");
	}
	kfree(sorted);
}

/* ------------------------------------------------------------------ */
/* Fields								*/

#define NR_FIELD {							\
	.type		= "int",					\
	.name		= "__syscall_nr",				\
	.size		= sizeof(int),					\
	.align		= TRACE_FIELD_ALIGN(int),			\
	.is_signed	= true,						\
}

static bool has_number(const struct syscall_metadata *call)
{
	return call->syscall_nr >= 0;
}

static const struct trace_event_fields *enter_fields(const struct trace_event_call *event)
{
	const struct syscall_metadata *call = event->data;
	struct trace_event_fields *fields;

	if (!has_number(call))
		return ERR_PTR(-ENODEV);
	fields = kcalloc(call->nb_args + 2, sizeof(*fields), GFP_KERNEL);
	if (!fields)
		return ERR_PTR(-ENOMEM);
	fields[0] = (struct trace_event_fields)NR_FIELD;
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

static const struct trace_event_fields *exit_fields(const struct trace_event_call *event)
{
	static const struct trace_event_fields fields[] = {
		NR_FIELD,
		{
			.type		= "long",
			.name		= "ret",
			.size		= sizeof(long),
			.align		= TRACE_FIELD_ALIGN(long),
			.is_signed	= true,
		},
		{ }
	};

	return has_number(event->data) ? fields : ERR_PTR(-ENODEV);
}

const struct trace_event_class_ops syscall_enter_ops = {
	.get_fields	= enter_fields,
	.show_fmt	= syscall_enter_fmt,
	.lines		= &syscall_enter_lines,
};

const struct trace_event_class_ops syscall_exit_ops = {
	.get_fields	= exit_fields,
	.show_fmt	= syscall_exit_fmt,
	.lines		= &syscall_exit_lines,
};
