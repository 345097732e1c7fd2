// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the arguments of a call from the registers that the ABI passes them in.
 *
 * Parameters take the registers in their order, as many longs as they need. A parameter that
 * does not fit into the remaining registers is on the stack, which is not recorded. All
 * architectures follow this rule, with these differences:
 *
 *  - On MIPS, a parameter of two longs begins in an even register, and a structure may be
 *    half in registers and half on the stack.
 *  - On i386, once a parameter is on the stack, all later ones are as well, and a function
 *    with a variable number of arguments has none in registers.
 *  - On x86-64, a parameter larger than two longs is never in registers.
 */
#include <linux/build_bug.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/trace_seq.h>

#include "args.h"
#include "entries.h"
#include "output/output.h"

static_assert(GRAPH_ENT_ARGS <= CALL_PARAMS_MAX);

/**
 * struct reg_walk - assignment of registers to parameters
 * @args: contents of all argument registers
 * @nr: number of entries of @args
 * @at: index of the first register that is not assigned yet
 */
struct reg_walk {
	const unsigned long	*args;
	unsigned int		nr;
	unsigned int		at;
};

static bool args_never_in_regs(unsigned int longs)
{
	return IS_ENABLED(CONFIG_X86_64) && longs > 2;
}

static bool args_begins_even(const struct call_param *p)
{
	return IS_ENABLED(CONFIG_MIPS) && p->kind != PARAM_WHOLE &&
	       p->size == 2 * sizeof(long);
}

/* Assign registers to the next parameter. Returns the first one; NULL if it is on the stack. */
static const unsigned long *args_take_regs(struct reg_walk *w, const struct call_param *p)
{
	unsigned int longs = DIV_ROUND_UP(p->size, sizeof(long));
	const unsigned long *regs;

	if (args_never_in_regs(longs))
		return NULL;
	if (args_begins_even(p))
		w->at = round_up(w->at, 2);
	if (w->at + longs > w->nr) {
		if (!IS_ENABLED(CONFIG_X86_64))
			w->at = w->nr;
		return NULL;
	}
	regs = w->args + w->at;
	w->at += longs;
	return regs;
}

/* Value of a parameter of up to eight bytes; the unused upper bits of a register are cleared. */
static u64 args_reg_value(const struct call_param *p, const unsigned long *regs)
{
	unsigned int unused = BITS_PER_LONG_LONG - p->size * BITS_PER_BYTE;
	u64 value = regs[0];

	if (p->size > sizeof(long))
		value = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ?
			(u64)regs[0] << 32 | regs[1] : (u64)regs[1] << 32 | regs[0];
	value <<= unused;
	return p->kind == PARAM_SIGNED ? (s64)value >> unused : value >> unused;
}

/* Keep the first @bytes bytes of a register, counted in memory order, and clear the others. */
static unsigned long args_first_bytes(unsigned long reg, unsigned int bytes)
{
	unsigned int unused = BITS_PER_LONG - bytes * BITS_PER_BYTE;

	return IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? reg >> unused << unused :
						   reg << unused >> unused;
}

static void args_put_longs(struct trace_seq *s, const unsigned long *regs, unsigned int size)
{
	unsigned int done;

	trace_seq_putc(s, '{');
	for (done = 0; done < size; done += sizeof(long))
		trace_seq_printf(s, "%s0x%lx", done ? ", " : "",
				 args_first_bytes(*regs++, min(size - done, sizeof(long))));
	trace_seq_putc(s, '}');
}

static void args_put_value(struct trace_seq *s, const struct call_param *p,
			   const unsigned long *regs)
{
	if (p->kind == PARAM_WHOLE || !p->size || p->size > sizeof(u64))
		args_put_longs(s, regs, p->size);
	else if (p->kind == PARAM_BOOL)
		trace_seq_puts(s, args_reg_value(p, regs) ? "true" : "false");
	else if (p->kind == PARAM_SIGNED)
		trace_seq_printf(s, "%lld", (s64)args_reg_value(p, regs));
	else
		trace_seq_printf(s, "0x%llx", args_reg_value(p, regs));
}

static void args_put_param(struct trace_seq *s, const struct call_param *p,
			   const unsigned long *regs)
{
	if (p->name && *p->name)
		trace_seq_printf(s, "%.32s=", p->name);
	if (regs)
		args_put_value(s, p, regs);
	else
		trace_seq_puts(s, "...");
}

void args_put_by(struct trace_seq *s, const struct call_proto *proto,
		 const unsigned long *args, unsigned int nr)
{
	struct reg_walk w = { .args = args, .nr = nr };

	if (proto->more && IS_ENABLED(CONFIG_X86_32))
		w.nr = 0;
	for (unsigned int i = 0; i < proto->nr; i++) {
		if (i)
			trace_seq_puts(s, ", ");
		args_put_param(s, &proto->params[i], args_take_regs(&w, &proto->params[i]));
	}
	if (proto->more)
		trace_seq_puts(s, proto->nr ? ", ..." : "...");
}

static void args_put_regs(struct trace_seq *s, const unsigned long *args, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		trace_seq_printf(s, "%s0x%lx", i ? ", " : "", args[i]);
}

void args_put(struct trace_output *o, unsigned long func, const unsigned long *args,
	      unsigned int nr)
{
	struct call_proto proto;

	if (call_proto_find(o, func, &proto))
		args_put_by(&o->seq, &proto, args, nr);
	else
		args_put_regs(&o->seq, args, nr);
}
