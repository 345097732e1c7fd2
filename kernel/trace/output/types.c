// SPDX-License-Identifier: GPL-2.0
/*
 * How the tracer's own types of records are printed, each in up to four
 * formats. The layouts come from record/entries.h, the texts are an interface: tools
 * parse them.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <asm/sections.h>

#include "graph.h"
#include "instance/instance.h"
#include "instance/options.h"
#include "output.h"
#include "reader.h"
#include "record/cmdlines.h"
#include "record/entries.h"
#include "record/printk_formats.h"
#include "sym_cache.h"

#define PUT_HEX(s, value)						\
do {									\
	typeof(value) put_hex = (value);				\
	trace_seq_putmem_hex(s, &put_hex, sizeof(put_hex));		\
} while (0)

#define PUT_BINARY(s, value)						\
do {									\
	typeof(value) put_binary = (value);				\
	trace_seq_putmem(s, &put_binary, sizeof(put_binary));		\
} while (0)

void output_address(struct trace_reader *r, unsigned long addr)
{
	struct trace_seq *s = &r->seq;

	if (!addr) {
		trace_seq_putc(s, '0');
		return;
	}
	sym_cache_put(r->symbols, s, addr,
		      r->options & TRACE_OPT_SYM_OFFSET ? SYM_OFFSET : SYM_NAME);
	if (r->options & TRACE_OPT_SYM_ADDR)
		trace_seq_printf(s, " <%0*lx>", (int)(2 * sizeof(addr)), addr);
}

/* TRACE_FN */

static void put_call(struct trace_reader *r, unsigned long ip,
		     unsigned long parent_ip)
{
	output_address(r, ip);
	if (!parent_ip || !(r->options & TRACE_OPT_PRINT_PARENT))
		return;
	trace_seq_putmem(&r->seq, " <-", 3);
	output_address(r, parent_ip);
}

static enum print_line_t function_text(struct trace_reader *r)
{
	const struct function_entry *entry = (void *)r->ent;

	put_call(r, entry->ip, entry->parent_ip);
	trace_seq_putc(&r->seq, '\n');
	return output_done(&r->seq);
}

static enum print_line_t function_raw(struct trace_reader *r)
{
	const struct function_entry *entry = (void *)r->ent;

	trace_seq_printf(&r->seq, "%lx %lx\n", entry->ip, entry->parent_ip);
	return output_done(&r->seq);
}

static enum print_line_t function_hex(struct trace_reader *r)
{
	const struct function_entry *entry = (void *)r->ent;

	PUT_HEX(&r->seq, entry->ip);
	PUT_HEX(&r->seq, entry->parent_ip);
	return output_done(&r->seq);
}

static enum print_line_t function_binary(struct trace_reader *r)
{
	const struct function_entry *entry = (void *)r->ent;

	PUT_BINARY(&r->seq, entry->ip);
	PUT_BINARY(&r->seq, entry->parent_ip);
	return output_done(&r->seq);
}

/* TRACE_FUNC_REPEATS */

static enum print_line_t repeats_text(struct trace_reader *r)
{
	const struct func_repeats_entry *entry = (void *)r->ent;

	put_call(r, entry->ip, entry->parent_ip);
	trace_seq_printf(&r->seq, " (repeats: %u, last_ts:", entry->count);
	output_time(r, r->ts - func_repeats_delta(entry));
	trace_seq_puts(&r->seq, ")\n");
	return output_done(&r->seq);
}

static enum print_line_t repeats_raw(struct trace_reader *r)
{
	const struct func_repeats_entry *entry = (void *)r->ent;

	trace_seq_printf(&r->seq, "%lu %lu %u %llu\n", entry->ip, entry->parent_ip,
			 entry->count, func_repeats_delta(entry));
	return output_done(&r->seq);
}

/* TRACE_CTX and TRACE_WAKE */

static enum print_line_t switch_print(struct trace_reader *r, const char *arrow)
{
	const struct ctx_switch_entry *entry = (void *)r->ent;
	char comm[TASK_COMM_LEN];

	trace_find_cmdline(entry->next_pid, comm);
	trace_seq_printf(&r->seq, " %7d:%3d:%c %s [%03d] %7d:%3d:%c %s\n",
			 entry->prev_pid, entry->prev_prio,
			 task_index_to_char(entry->prev_state), arrow,
			 entry->next_cpu, entry->next_pid, entry->next_prio,
			 task_index_to_char(entry->next_state), comm);
	return output_done(&r->seq);
}

static enum print_line_t switch_text(struct trace_reader *r)
{
	return switch_print(r, "==>");
}

static enum print_line_t wakeup_text(struct trace_reader *r)
{
	return switch_print(r, "  +");
}

/* A wakeup shows as the state "+" of the task that was running. */
static char switch_state(const struct trace_reader *r)
{
	const struct ctx_switch_entry *entry = (void *)r->ent;

	return entry->ent.type == TRACE_WAKE ? '+' :
	       task_index_to_char(entry->prev_state);
}

static enum print_line_t switch_raw(struct trace_reader *r)
{
	const struct ctx_switch_entry *entry = (void *)r->ent;

	trace_seq_printf(&r->seq, "%d %d %c %d %d %d %c\n",
			 entry->prev_pid, entry->prev_prio, switch_state(r),
			 entry->next_cpu, entry->next_pid, entry->next_prio,
			 task_index_to_char(entry->next_state));
	return output_done(&r->seq);
}

static enum print_line_t switch_hex(struct trace_reader *r)
{
	const struct ctx_switch_entry *entry = (void *)r->ent;

	PUT_HEX(&r->seq, entry->prev_pid);
	PUT_HEX(&r->seq, entry->prev_prio);
	PUT_HEX(&r->seq, (int)switch_state(r));
	PUT_HEX(&r->seq, entry->next_cpu);
	PUT_HEX(&r->seq, entry->next_pid);
	PUT_HEX(&r->seq, entry->next_prio);
	PUT_HEX(&r->seq, (int)task_index_to_char(entry->next_state));
	return output_done(&r->seq);
}

static enum print_line_t switch_binary(struct trace_reader *r)
{
	const struct ctx_switch_entry *entry = (void *)r->ent;

	PUT_BINARY(&r->seq, entry->prev_pid);
	PUT_BINARY(&r->seq, entry->prev_prio);
	PUT_BINARY(&r->seq, entry->prev_state);
	PUT_BINARY(&r->seq, entry->next_cpu);
	PUT_BINARY(&r->seq, entry->next_pid);
	PUT_BINARY(&r->seq, entry->next_prio);
	PUT_BINARY(&r->seq, entry->next_state);
	return output_done(&r->seq);
}

/* TRACE_STACK */

static enum print_line_t stack_text(struct trace_reader *r)
{
	const struct stack_entry *entry = (void *)r->ent;
	unsigned int room = (r->ent_size - offsetof(struct stack_entry, caller)) /
			    sizeof(entry->caller[0]);
	struct trace_seq *s = &r->seq;
	unsigned int i;

	trace_seq_puts(s, "<stack trace>\n");
	for (i = 0; i < min_t(unsigned int, room, entry->size); i++) {
		if (entry->caller[i] == ULONG_MAX || trace_seq_has_overflowed(s))
			break;
		trace_seq_puts(s, " => ");
		if (entry->caller[i] == STACK_ENTRY_TRAMPOLINE)
			trace_seq_puts(s, "[FTRACE TRAMPOLINE]");
		else
			output_address(r, entry->caller[i]);
		trace_seq_putc(s, '\n');
	}
	return output_done(s);
}

/* TRACE_USER_STACK */

/*
 * Where in its file a user address is. Threads come and go; the group may
 * still be there.
 */
static struct mm_struct *group_mm(unsigned int tgid)
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

static bool put_user_object(struct trace_seq *s, struct mm_struct *mm,
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

static enum print_line_t user_stack_text(struct trace_reader *r)
{
	const struct user_stack_entry *entry = (void *)r->ent;
	struct trace_seq *s = &r->seq;
	struct mm_struct *mm = NULL;
	bool found;
	int i;

	trace_seq_puts(s, "<user stack trace>\n");
	if ((r->options & TRACE_OPT_SYM_USEROBJ) && !r->atomic)
		mm = group_mm(entry->tgid);
	for (i = 0; i < STACK_ENTRY_CALLERS && entry->caller[i]; i++) {
		trace_seq_puts(s, " => ");
		found = mm && put_user_object(s, mm, entry->caller[i]);
		if (!found || (r->options & TRACE_OPT_SYM_ADDR))
			trace_seq_printf(s, " <%0*lx>", (int)(2 * sizeof(long)),
					 entry->caller[i]);
		trace_seq_putc(s, '\n');
	}
	if (mm)
		mmput(mm);
	return output_done(s);
}

/* TRACE_PRINT, TRACE_BPRINT, TRACE_BPUTS */

static enum print_line_t print_text(struct trace_reader *r)
{
	const struct print_entry *entry = (void *)r->ent;

	output_address(r, entry->ip);
	trace_seq_puts(&r->seq, ": ");
	trace_seq_puts(&r->seq, entry->buf);
	return output_done(&r->seq);
}

static enum print_line_t print_raw(struct trace_reader *r)
{
	const struct print_entry *entry = (void *)r->ent;

	trace_seq_printf(&r->seq, "# %lx %s", entry->ip, entry->buf);
	return output_done(&r->seq);
}

/* A record's pointer is followed only to where strings stay for good. */
static bool may_follow(const char *str)
{
	return is_kernel_rodata((unsigned long)str) || printk_formats_has(str);
}

void output_bprint(struct trace_reader *r)
{
	const struct bprint_entry *entry = (void *)r->ent;

	if (may_follow(entry->fmt))
		trace_seq_bprintf(&r->seq, entry->fmt, entry->buf);
	else
		trace_seq_printf(&r->seq, "(format at 0x%lx)\n",
				 (unsigned long)entry->fmt);
}

void output_bputs(struct trace_reader *r)
{
	const struct bputs_entry *entry = (void *)r->ent;

	if (may_follow(entry->str))
		trace_seq_puts(&r->seq, entry->str);
	else
		trace_seq_printf(&r->seq, "(string at 0x%lx)\n",
				 (unsigned long)entry->str);
}

static enum print_line_t bprint_text(struct trace_reader *r)
{
	const struct bprint_entry *entry = (void *)r->ent;

	output_address(r, entry->ip);
	trace_seq_puts(&r->seq, ": ");
	output_bprint(r);
	return output_done(&r->seq);
}

static enum print_line_t bprint_raw(struct trace_reader *r)
{
	const struct bprint_entry *entry = (void *)r->ent;

	trace_seq_printf(&r->seq, ": %lx : ", entry->ip);
	output_bprint(r);
	return output_done(&r->seq);
}

static enum print_line_t bputs_text(struct trace_reader *r)
{
	const struct bputs_entry *entry = (void *)r->ent;

	output_address(r, entry->ip);
	trace_seq_puts(&r->seq, ": ");
	output_bputs(r);
	return output_done(&r->seq);
}

static enum print_line_t bputs_raw(struct trace_reader *r)
{
	const struct bputs_entry *entry = (void *)r->ent;

	trace_seq_printf(&r->seq, ": %lx : ", entry->ip);
	output_bputs(r);
	return output_done(&r->seq);
}

/* TRACE_RAW_DATA */

static enum print_line_t raw_data_text(struct trace_reader *r)
{
	const struct raw_data_entry *entry = (void *)r->ent;
	int i, len = r->ent_size - offsetof(struct raw_data_entry, buf);

	trace_seq_printf(&r->seq, "# %x buf:", entry->id);
	for (i = 0; i < len; i++)
		trace_seq_printf(&r->seq, " %02x", (u8)entry->buf[i]);
	trace_seq_putc(&r->seq, '\n');
	return output_done(&r->seq);
}

static const struct output_handler builtin_handlers[TRACE_FIRST_EVENT] = {
	[TRACE_FN] = {
		.trace	= function_text,
		.raw	= function_raw,
		.hex	= function_hex,
		.binary	= function_binary,
	},
	[TRACE_FUNC_REPEATS] = {
		.trace	= repeats_text,
		.raw	= repeats_raw,
	},
	[TRACE_GRAPH_ENT]	= { .trace = graph_line },
	[TRACE_GRAPH_RET]	= { .trace = graph_line },
	[TRACE_CTX] = {
		.trace	= switch_text,
		.raw	= switch_raw,
		.hex	= switch_hex,
		.binary	= switch_binary,
	},
	[TRACE_WAKE] = {
		.trace	= wakeup_text,
		.raw	= switch_raw,
		.hex	= switch_hex,
		.binary	= switch_binary,
	},
	[TRACE_STACK]		= { .trace = stack_text },
	[TRACE_USER_STACK]	= { .trace = user_stack_text },
	[TRACE_PRINT]		= { .trace = print_text, .raw = print_raw },
	[TRACE_BPRINT]		= { .trace = bprint_text, .raw = bprint_raw },
	[TRACE_BPUTS]		= { .trace = bputs_text, .raw = bputs_raw },
	[TRACE_RAW_DATA]	= { .trace = raw_data_text, .raw = raw_data_text },
};

const struct output_handler *output_builtin(unsigned int type)
{
	const struct output_handler *h;

	if (type >= ARRAY_SIZE(builtin_handlers))
		return NULL;
	h = &builtin_handlers[type];
	return h->trace ? h : NULL;
}
