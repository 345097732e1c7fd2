// SPDX-License-Identifier: GPL-2.0
/*
 * Trampolines on x86: the code that calls the ops of a set.
 *
 * [copy of the entry's prologue][arguments and a call, for each]
 * [copy of the epilogue][return], see ftrace_64.S.
 */
#include <linux/execmem.h>
#include <linux/ftrace_arch.h>
#include <linux/kernel.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/set_memory.h>
#include <linux/vmalloc.h>
#include <asm/nospec-branch.h>
#include <asm/text-patching.h>

#include "ftrace_alias.h"

/* What is copied of an entry, and whether that keeps the site for further calls. */
struct entry_code {
	const u8 *start, *body, *tail, *end;
	bool keeps_site;
};

static const struct entry_code usual_entry = {
	(const u8 *)ftrace_caller, ftrace_caller_body,
	ftrace_caller_tail, ftrace_caller_end, true,
};

static const struct entry_code regs_entry = {
	(const u8 *)ftrace_regs_caller, ftrace_regs_caller_body,
	ftrace_regs_caller_tail, ftrace_regs_caller_end, true,
};

/* With frame pointers, and on 32 bit, there is no shorter entry. */
#if defined(CONFIG_X86_64) && !defined(CONFIG_FRAME_POINTER)
static const struct entry_code args_entry = {
	ftrace_args_caller, ftrace_args_caller_body,
	ftrace_args_caller_tail, ftrace_args_caller_end, false,
};
#else
#define args_entry	usual_entry
#endif

static const struct entry_code *entry_of(const struct dispatch_set *set)
{
	if (dispatch_set_needs_regs(set))
		return &regs_entry;
	return dispatch_set_args_only(set) ? &args_entry : &usual_entry;
}

/* Code under construction: written at @at. */
struct emitter {
	u8 *at;
	const u8 *end;
	bool overflow;
};

static void emit(struct emitter *e, const void *code, size_t len)
{
	if (len > e->end - e->at) {
		e->overflow = true;
		return;
	}
	memcpy(e->at, code, len);
	e->at += len;
}

#define emit_bytes(e, ...) \
	emit(e, (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }))

static void emit_branch(struct emitter *e, u8 opcode, const void *target)
{
	s64 offset = (const u8 *)target - (e->at + CALL_INSN_SIZE);
	s32 rel = offset;

	if (rel != offset)
		e->overflow = true;
	emit(e, &opcode, 1);
	emit(e, &rel, 4);
}

/* Either way, as the choice may change after code of the early boot was made. */
#define RETURN_SIZE	JMP32_INSN_SIZE

static void emit_return(struct emitter *e)
{
	if (cpu_feature_enabled(X86_FEATURE_RETHUNK))
		emit_branch(e, JMP32_INSN_OPCODE, x86_return_thunk);
	else
		emit_bytes(e, RET_INSN_OPCODE, 0xcc, 0xcc, 0xcc, 0xcc);
}

/* Slots of the frame, as ftrace_64.S and ftrace_32.S lay it out. */
#define FRAME_PARENT	(sizeof(struct pt_regs) + FTRACE_FRAME_PARENT)

#ifdef CONFIG_X86_64

#define FRAME_IP	offsetof(struct pt_regs, r11)

/*
 * What the entry has not kept.  The first of the two is no shorter than a jump: see
 * arch_trampoline_disarm().
 */
static void emit_keep_site(struct emitter *e)
{
	u32 parent = FRAME_PARENT;

	emit_bytes(e, 0x48, 0x89, 0x7c, 0x24, FRAME_IP);	/* mov %rdi, FRAME_IP(%rsp) */
	emit_bytes(e, 0x48, 0x89, 0xb4, 0x24);			/* mov %rsi, FRAME_PARENT(%rsp) */
	emit(e, &parent, sizeof(parent));
}

/*
 * The site and its caller, as they were when the function was called: the first
 * call finds them in place, and may change the return address itself.
 */
static void emit_next_args(struct emitter *e)
{
	u32 parent = FRAME_PARENT;

	emit_bytes(e, 0x48, 0x8b, 0x7c, 0x24, FRAME_IP);	/* mov FRAME_IP(%rsp), %rdi */
	emit_bytes(e, 0x48, 0x8b, 0xb4, 0x24);			/* mov FRAME_PARENT(%rsp), %rsi */
	emit(e, &parent, sizeof(parent));
}

/* func(ip, parent_ip, op, fregs), with the first two in place */
static void emit_call(struct emitter *e, const struct dispatch_call *call)
{
	emit_bytes(e, 0x48, 0xba);				/* movabs $op, %rdx */
	emit(e, &call->op, 8);
	emit_bytes(e, 0x48, 0x89, 0xe1);			/* mov %rsp, %rcx */
	emit_branch(e, CALL_INSN_OPCODE, call->func);
}

#else /* !CONFIG_X86_64 */

#define FRAME_IP	(sizeof(struct pt_regs) + FTRACE_FRAME_IP)

static_assert(FRAME_IP <= S8_MAX && FRAME_PARENT <= S8_MAX);

/* Each entry has. */
static void emit_keep_site(struct emitter *e)
{
}

/* As on 64 bit; the fourth argument is on the stack, and the callback may change it. */
static void emit_next_args(struct emitter *e)
{
	emit_bytes(e, 0x8b, 0x44, 0x24, FRAME_IP);		/* movl FRAME_IP(%esp), %eax */
	emit_bytes(e, 0x8b, 0x54, 0x24, FRAME_PARENT);		/* movl FRAME_PARENT(%esp), %edx */
}

static void emit_call(struct emitter *e, const struct dispatch_call *call)
{
	emit_bytes(e, 0xb9);					/* movl $op, %ecx */
	emit(e, &call->op, 4);
	emit_bytes(e, 0x54);					/* pushl %esp */
	emit_branch(e, CALL_INSN_OPCODE, call->func);
	emit_bytes(e, 0x59);					/* popl %ecx */
}

#endif /* CONFIG_X86_64 */

static void emit_body(struct emitter *e, const struct dispatch_set *set)
{
	struct dispatch_call call;
	unsigned int next = dispatch_call(set, 0, &call);

	if (next < set->nr_ops && !entry_of(set)->keeps_site)
		emit_keep_site(e);
	emit_call(e, &call);
	while (next < set->nr_ops) {
		next = dispatch_call(set, next, &call);
		emit_next_args(e);
		emit_call(e, &call);
	}
}

/*
 * The pages are execmem of the tracer's own, near enough to kernel text for a
 * call.  Written once, they become read-only and executable together.
 */
int arch_trampoline_build(struct dispatch_set *set)
{
	const struct entry_code *entry = entry_of(set);
	struct emitter e;
	u8 *code;

	code = execmem_alloc(EXECMEM_FTRACE, PAGE_SIZE);
	if (!code)
		return -ENOMEM;
	e = (struct emitter) { .at = code, .end = code + PAGE_SIZE };

	emit(&e, entry->start, entry->body - entry->start);
	emit_body(&e, set);
	emit(&e, entry->tail, entry->end - entry->tail);
	emit_return(&e);

	if (e.overflow || set_memory_rox((unsigned long)code, 1)) {
		execmem_free(code);
		return -ENOMEM;
	}
	set_vm_flush_reset_perms(code);
	set->trampoline = (unsigned long)code;
	set->size = e.at - code;
	return 0;
}

void arch_trampoline_free(struct dispatch_set *set)
{
	execmem_free((void *)set->trampoline);
}

/* Where in the trampoline the copy of the entry's epilogue begins. */
static size_t tail_offset(const struct dispatch_set *set)
{
	const struct entry_code *entry = entry_of(set);

	return set->size - RETURN_SIZE - (entry->end - entry->tail);
}

/*
 * An emulator that translated the breakpoint at the moment when it went keeps it, and
 * ftrace_int3_handler() goes on as what stands there tells, each time.  So there the opcode
 * is stored once more, as in arch_patch_close().
 */
static void write_jump(void *from, void *to)
{
	const u8 *insn = text_gen_insn(JMP32_INSN_OPCODE, from, to);

	text_poke_bp(from, insn, JMP32_INSN_SIZE, NULL);
	if (arch_patch_in_guest()) {
		text_poke(from, insn, 1);
		text_poke_sync();
	}
}

/*
 * A jump over all calls takes the place of the first instruction of the body, which is
 * no shorter: whoever stands behind it finds the rest as it was.
 */
void arch_trampoline_disarm(const struct dispatch_set *set)
{
	const struct entry_code *entry = entry_of(set);
	void *start = (void *)set->trampoline;

	lockdep_assert_held(&text_mutex);
	write_jump(start + (entry->body - entry->start), start + tail_offset(set));
}

unsigned long arch_trampoline_twin(const struct dispatch_set *set, unsigned long ip)
{
	const struct entry_code *entry = entry_of(set);
	unsigned long offset = ip - set->trampoline;
	size_t head = entry->body - entry->start;
	size_t tail = entry->end - entry->tail;
	size_t tail_at = tail_offset(set);

	if (offset < head)
		return (unsigned long)entry->start + offset;
	if (offset < tail_at)
		return (unsigned long)entry->body;
	if (offset < tail_at + tail)
		return (unsigned long)entry->tail + (offset - tail_at);
	return (unsigned long)entry->end;
}
