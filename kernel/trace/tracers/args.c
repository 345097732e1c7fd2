// SPDX-License-Identifier: GPL-2.0
/*
 * The arguments of a call, as the ABI passes them in registers.
 *
 * Parameters take the registers in their order, as many longs as they need. What does
 * not fit into those that are left is on the stack, where nobody has looked. All follow
 * the same rule but for two things:
 *
 *  - on MIPS one of two longs begins with an even register, and one may be half on the
 *    stack;
 *  - on i386 nothing is in registers any more behind what was not, and nothing at all is
 *    in a function whose number of arguments varies; on x86-64 what is larger than two
 *    longs never is.
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
 * struct reg_walk - how far the registers are taken
 * @args: all of them
 * @nr: how many there are
 * @at: the first that is free
 */
struct reg_walk {
	const unsigned long	*args;
	unsigned int		nr;
	unsigned int		at;
};

static bool is_never_in_regs(unsigned int longs)
{
	return IS_ENABLED(CONFIG_X86_64) && longs > 2;
}

static bool begins_even(const struct call_param *p)
{
	return IS_ENABLED(CONFIG_MIPS) && p->kind != PARAM_WHOLE &&
	       p->size == 2 * sizeof(long);
}

/* The registers of the next parameter; NULL if it is not in any. */
static const unsigned long *take_regs(struct reg_walk *w, const struct call_param *p)
{
	unsigned int longs = DIV_ROUND_UP(p->size, sizeof(long));
	const unsigned long *regs;

	if (is_never_in_regs(longs))
		return NULL;
	if (begins_even(p))
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

/* Of up to eight bytes, with nothing of what the register holds above them. */
static u64 value_of(const struct call_param *p, const unsigned long *regs)
{
	unsigned int unused = BITS_PER_LONG_LONG - p->size * BITS_PER_BYTE;
	u64 value = regs[0];

	if (p->size > sizeof(long))
		value = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ?
			(u64)regs[0] << 32 | regs[1] : (u64)regs[1] << 32 | regs[0];
	value <<= unused;
	return p->kind == PARAM_SIGNED ? (s64)value >> unused : value >> unused;
}

/* The first bytes of a register, in the order of memory: those that are used. */
static unsigned long first_bytes(unsigned long reg, unsigned int bytes)
{
	unsigned int unused = BITS_PER_LONG - bytes * BITS_PER_BYTE;

	return IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? reg >> unused << unused :
						   reg << unused >> unused;
}

static void put_longs(struct trace_seq *s, const unsigned long *regs, unsigned int size)
{
	unsigned int done;

	trace_seq_putc(s, '{');
	for (done = 0; done < size; done += sizeof(long))
		trace_seq_printf(s, "%s0x%lx", done ? ", " : "",
				 first_bytes(*regs++, min(size - done, sizeof(long))));
	trace_seq_putc(s, '}');
}

static void put_value(struct trace_seq *s, const struct call_param *p,
		      const unsigned long *regs)
{
	if (p->kind == PARAM_WHOLE || !p->size || p->size > sizeof(u64))
		put_longs(s, regs, p->size);
	else if (p->kind == PARAM_BOOL)
		trace_seq_puts(s, value_of(p, regs) ? "true" : "false");
	else if (p->kind == PARAM_SIGNED)
		trace_seq_printf(s, "%lld", (s64)value_of(p, regs));
	else
		trace_seq_printf(s, "0x%llx", value_of(p, regs));
}

static void put_param(struct trace_seq *s, const struct call_param *p,
		      const unsigned long *regs)
{
	if (p->name && *p->name)
		trace_seq_printf(s, "%.32s=", p->name);
	if (regs)
		put_value(s, p, regs);
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
		put_param(s, &proto->params[i], take_regs(&w, &proto->params[i]));
	}
	if (proto->more)
		trace_seq_puts(s, proto->nr ? ", ..." : "...");
}

static void put_regs(struct trace_seq *s, const unsigned long *args, unsigned int nr)
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
		put_regs(&o->seq, args, nr);
}
