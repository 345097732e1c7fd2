// SPDX-License-Identifier: GPL-2.0
/*
 * Trampolines on x86: generated code that calls the ops of a set.
 *
 * A trampoline consists of a copy of the prologue of an entry, the arguments and the call for each
 * call of the set, a copy of the epilogue of the entry, and a return, or the jump to the direct
 * call of the set.  The entries are in
 * ftrace_64.S and ftrace_32.S.
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

/**
 * struct entry_code - the parts of an entry
 * @start: begin of the prologue, which is copied
 * @body: end of the prologue
 * @tail: begin of the epilogue, which is copied
 * @end: end of the epilogue
 * @keeps_site: true if the prologue saves the arguments ip and parent_ip for further calls
 */
struct entry_code {
	const u8 *start, *body, *tail, *end;
	bool keeps_site;
};

static const struct entry_code entry_usual = {
	(const u8 *)ftrace_caller, ftrace_caller_body,
	ftrace_caller_tail, ftrace_caller_end, true,
};

static const struct entry_code entry_regs = {
	(const u8 *)ftrace_regs_caller, ftrace_regs_caller_body,
	ftrace_regs_caller_tail, ftrace_regs_caller_end, true,
};

/* On 64 bit without frame pointers there is a shorter entry for FTRACE_OPS_FL_ARGS_ONLY. */
#if defined(CONFIG_X86_64) && !defined(CONFIG_FRAME_POINTER)
static const struct entry_code entry_args = {
	ftrace_args_caller, ftrace_args_caller_body,
	ftrace_args_caller_tail, ftrace_args_caller_end, false,
};
#else
#define entry_args	entry_usual
#endif

static const struct entry_code *trampoline_entry_of(const struct dispatch_set *set)
{
	if (dispatch_set_needs_regs(set))
		return &entry_regs;
	return dispatch_set_args_only(set) ? &entry_args : &entry_usual;
}

/**
 * struct emitter - code that is being generated
 * @at: address of the next instruction
 * @end: end of the memory
 * @overflow: true if the code does not fit, or a branch is out of reach
 */
struct emitter {
	u8 *at;
	const u8 *end;
	bool overflow;
};

static void emit_code(struct emitter *e, const void *code, size_t len)
{
	if (len > e->end - e->at) {
		e->overflow = true;
		return;
	}
	memcpy(e->at, code, len);
	e->at += len;
}

#define emit_bytes(e, ...) \
	emit_code(e, (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }))

static void emit_branch(struct emitter *e, u8 opcode, const void *target)
{
	s64 offset = (const u8 *)target - (e->at + CALL_INSN_SIZE);
	s32 rel = offset;

	if (rel != offset)
		e->overflow = true;
	emit_code(e, &opcode, 1);
	emit_code(e, &rel, 4);
}

/*
 * Bytes of the end of a trampoline: of a jump to a direct call, or of a return, with or without a
 * thunk: X86_FEATURE_RETHUNK may be set after the first trampolines were generated early in the
 * boot.
 */
#define EXIT_SIZE	JMP32_INSN_SIZE

static void emit_return(struct emitter *e)
{
	if (cpu_feature_enabled(X86_FEATURE_RETHUNK))
		emit_branch(e, JMP32_INSN_OPCODE, x86_return_thunk);
	else
		emit_bytes(e, RET_INSN_OPCODE, 0xcc, 0xcc, 0xcc, 0xcc);
}

/* Offsets of slots in the frame, whose layout ftrace_64.S and ftrace_32.S define. */
#define FRAME_PARENT	(sizeof(struct pt_regs) + FTRACE_FRAME_PARENT)

#ifdef CONFIG_X86_64

#define FRAME_IP	offsetof(struct pt_regs, r11)

/*
 * Save ip and parent_ip for further calls, if the entry has not saved them.  The first instruction
 * is not shorter than a jump: see arch_trampoline_disarm().
 */
static void emit_keep_site(struct emitter *e)
{
	u32 parent = FRAME_PARENT;

	emit_bytes(e, 0x48, 0x89, 0x7c, 0x24, FRAME_IP);	/* mov %rdi, FRAME_IP(%rsp) */
	emit_bytes(e, 0x48, 0x89, 0xb4, 0x24);			/* mov %rsi, FRAME_PARENT(%rsp) */
	emit_code(e, &parent, sizeof(parent));
}

/*
 * Load ip and parent_ip as they were at the entry: the first call gets them from the prologue, and
 * its callback may change the return address on the stack.
 */
static void emit_next_args(struct emitter *e)
{
	u32 parent = FRAME_PARENT;

	emit_bytes(e, 0x48, 0x8b, 0x7c, 0x24, FRAME_IP);	/* mov FRAME_IP(%rsp), %rdi */
	emit_bytes(e, 0x48, 0x8b, 0xb4, 0x24);			/* mov FRAME_PARENT(%rsp), %rsi */
	emit_code(e, &parent, sizeof(parent));
}

/* Call func(ip, parent_ip, op, fregs); ip and parent_ip are in their registers already. */
static void emit_ops_call(struct emitter *e, const struct dispatch_call *call)
{
	emit_bytes(e, 0x48, 0xba);				/* movabs $op, %rdx */
	emit_code(e, &call->op, 8);
	emit_bytes(e, 0x48, 0x89, 0xe1);			/* mov %rsp, %rcx */
	emit_branch(e, CALL_INSN_OPCODE, call->func);
}

#else /* !CONFIG_X86_64 */

#define FRAME_IP	(sizeof(struct pt_regs) + FTRACE_FRAME_IP)

static_assert(FRAME_IP <= S8_MAX && FRAME_PARENT <= S8_MAX);

/* Nothing to do: each entry of 32 bit saves ip and parent_ip. */
static void emit_keep_site(struct emitter *e)
{
}

/* Load ip and parent_ip as they were at the entry. */
static void emit_next_args(struct emitter *e)
{
	emit_bytes(e, 0x8b, 0x44, 0x24, FRAME_IP);		/* movl FRAME_IP(%esp), %eax */
	emit_bytes(e, 0x8b, 0x54, 0x24, FRAME_PARENT);		/* movl FRAME_PARENT(%esp), %edx */
}

/* The fourth argument is on the stack. It is pushed for each call: the callback may change it. */
static void emit_ops_call(struct emitter *e, const struct dispatch_call *call)
{
	emit_bytes(e, 0xb9);					/* movl $op, %ecx */
	emit_code(e, &call->op, 4);
	emit_bytes(e, 0x54);					/* pushl %esp */
	emit_branch(e, CALL_INSN_OPCODE, call->func);
	emit_bytes(e, 0x59);					/* popl %ecx */
}

#endif /* CONFIG_X86_64 */

static void emit_ops_calls(struct emitter *e, const struct dispatch_set *set)
{
	struct dispatch_call call;
	unsigned int next = dispatch_call(set, 0, &call);

	if (next < set->nr_ops && !trampoline_entry_of(set)->keeps_site)
		emit_keep_site(e);
	emit_ops_call(e, &call);
	while (next < set->nr_ops) {
		next = dispatch_call(set, next, &call);
		emit_next_args(e);
		emit_ops_call(e, &call);
	}
}

/*
 * The pages come from EXECMEM_FTRACE, which is near enough to kernel text for a call.  Once the
 * code is written, they become read-only and executable in one step.
 */
int arch_trampoline_build(struct dispatch_set *set)
{
	const struct entry_code *entry = trampoline_entry_of(set);
	struct emitter e;
	u8 *code;

	code = execmem_alloc(EXECMEM_FTRACE, PAGE_SIZE);
	if (!code)
		return -ENOMEM;
	e = (struct emitter) { .at = code, .end = code + PAGE_SIZE };

	emit_code(&e, entry->start, entry->body - entry->start);
	emit_ops_calls(&e, set);
	emit_code(&e, entry->tail, entry->end - entry->tail);
	if (set->direct)
		emit_branch(&e, JMP32_INSN_OPCODE, (const void *)set->direct);
	else
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

/* Offset in the trampoline of the copy of the entry's epilogue. */
static size_t trampoline_tail_offset(const struct dispatch_set *set)
{
	const struct entry_code *entry = trampoline_entry_of(set);

	return set->size - EXIT_SIZE - (entry->end - entry->tail);
}

/*
 * An emulator that translates the breakpoint of text_poke_bp() at the moment when it is removed
 * keeps the translation, and each hit of it would be emulated by ftrace_int3_handler().  So in
 * emulators the opcode is stored a second time: see arch_patch_close().
 */
static void trampoline_write_jump(void *from, void *to)
{
	const u8 *insn = text_gen_insn(JMP32_INSN_OPCODE, from, to);

	text_poke_bp(from, insn, JMP32_INSN_SIZE, NULL);
	if (arch_patch_in_guest()) {
		text_poke(from, insn, 1);
		text_poke_sync();
	}
}

/*
 * A jump over all calls replaces the first instruction of the body, which is not shorter than the
 * jump: a task that is behind that instruction finds the rest of the code unchanged.
 */
void arch_trampoline_disarm(const struct dispatch_set *set)
{
	const struct entry_code *entry = trampoline_entry_of(set);
	void *start = (void *)set->trampoline;

	lockdep_assert_held(&text_mutex);
	trampoline_write_jump(start + (entry->body - entry->start),
			      start + trampoline_tail_offset(set));
}

unsigned long arch_trampoline_static_ip(const struct dispatch_set *set, unsigned long ip)
{
	const struct entry_code *entry = trampoline_entry_of(set);
	unsigned long offset = ip - set->trampoline;
	size_t head = entry->body - entry->start;
	size_t tail = entry->end - entry->tail;
	size_t tail_at = trampoline_tail_offset(set);

	if (offset < head)
		return (unsigned long)entry->start + offset;
	if (offset < tail_at)
		return (unsigned long)entry->body;
	if (offset < tail_at + tail)
		return (unsigned long)entry->tail + (offset - tail_at);
	return (unsigned long)entry->end;
}
