// SPDX-License-Identifier: GPL-2.0
/* Printing entries with stacks. The formats are an interface, which tools parse. */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/stddef.h>

#include "instance/options.h"
#include "internal.h"
#include "output/output.h"
#include "stack.h"
#include "types/types.h"

#define LONG	sizeof(long)

static enum print_line_t stack_text(struct trace_output *o)
{
	const struct stack_entry *entry = (void *)o->r.ent;
	unsigned int room = (o->r.ent_size - offsetof(struct stack_entry, caller)) /
			    sizeof(entry->caller[0]);
	struct trace_seq *s = &o->seq;
	unsigned int i;

	trace_seq_puts(s, "<stack trace>\n");
	for (i = 0; i < min_t(unsigned int, room, entry->size); i++) {
		if (entry->caller[i] == ULONG_MAX || trace_seq_has_overflowed(s))
			break;
		trace_seq_puts(s, " => ");
		if (entry->caller[i] == STACK_ENTRY_TRAMPOLINE)
			trace_seq_puts(s, "[FTRACE TRAMPOLINE]");
		else
			output_address(o, entry->caller[i]);
		trace_seq_putc(s, '\n');
	}
	return output_done(s);
}

/*
 * Return: the mm of a thread group, or NULL if the group has exited. An entry has the tgid, not the
 * pid: the thread that has recorded the stack may have exited before the other threads.
 */
static struct mm_struct *stack_get_group_mm(unsigned int tgid)
{
	struct mm_struct *mm = NULL;
	struct task_struct *task;

	rcu_read_lock();
	task = find_task_by_vpid(tgid);
	if (task)
		mm = get_task_mm(task);
	rcu_read_unlock();
	return mm;
}

static bool stack_print_user_object(struct trace_seq *s, struct mm_struct *mm,
				    unsigned long ip)
{
	struct vm_area_struct *vma;
	bool found = false;

	mmap_read_lock(mm);
	vma = vma_lookup(mm, ip);
	if (vma && vma->vm_file && trace_seq_path(s, file_user_path(vma->vm_file))) {
		trace_seq_printf(s, "[+0x%lx]", ip - vma->vm_start);
		found = true;
	}
	mmap_read_unlock(mm);
	return found;
}

static enum print_line_t user_stack_text(struct trace_output *o)
{
	const struct user_stack_entry *entry = (void *)o->r.ent;
	struct trace_seq *s = &o->seq;
	struct mm_struct *mm = NULL;
	bool found;
	int i;

	trace_seq_puts(s, "<user stack trace>\n");
	if ((o->options & TRACE_OPT_SYM_USEROBJ) && !o->r.atomic)
		mm = stack_get_group_mm(entry->tgid);
	for (i = 0; i < STACK_ENTRY_CALLERS && entry->caller[i]; i++) {
		trace_seq_puts(s, " => ");
		found = mm && stack_print_user_object(s, mm, entry->caller[i]);
		if (!found || (o->options & TRACE_OPT_SYM_ADDR))
			trace_seq_printf(s, " <%0*lx>", (int)(2 * sizeof(long)),
					 entry->caller[i]);
		trace_seq_putc(s, '\n');
	}
	if (mm)
		mmput(mm);
	return output_done(s);
}

/*
 * Format files give the array of either entry eight elements, whatever its real length is: see
 * STACK_ENTRY_CALLERS.
 */
static const struct trace_event_fields stack_fields[] = {
	{ "int", "size", offsetof(struct stack_entry, size), 4, .is_signed = true },
	{ "unsigned long[8]", "caller", offsetof(struct stack_entry, caller), 8 * LONG },
	{ }
};

static const struct trace_event_fields user_stack_fields[] = {
	{ "unsigned int", "tgid", offsetof(struct user_stack_entry, tgid), 4 },
	{ "unsigned long[8]", "caller", offsetof(struct user_stack_entry, caller), 8 * LONG },
	{ }
};

static_assert(STACK_ENTRY_CALLERS == 8);

#define STACK_PRINT_FMT							\
	"\"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\" "			\
	"\"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\" "			\
	"\"\\t=> %ps\\n\\t=> %ps\\n\", "				\
	"(void *)REC->caller[0], (void *)REC->caller[1], "		\
	"(void *)REC->caller[2], (void *)REC->caller[3], "		\
	"(void *)REC->caller[4], (void *)REC->caller[5], "		\
	"(void *)REC->caller[6], (void *)REC->caller[7]"

const struct record_type stack_type = {
	.name		= "kernel_stack",
	.id		= TRACE_STACK,
	.fields		= stack_fields,
	.print_fmt	= STACK_PRINT_FMT,
	.class		= &(const struct record_class) {
		.text		= stack_text,
	},
};

const struct record_type user_stack_type = {
	.name		= "user_stack",
	.id		= TRACE_USER_STACK,
	.fields		= user_stack_fields,
	.print_fmt	= STACK_PRINT_FMT,
	.class		= &(const struct record_class) {
		.text		= user_stack_text,
	},
};
