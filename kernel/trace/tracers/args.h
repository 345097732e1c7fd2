/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The arguments of a call, as function_graph shows them (SPEC T3).
 */
#ifndef _KERNEL_TRACE_OUTPUT_ARGS_H
#define _KERNEL_TRACE_OUTPUT_ARGS_H

#include <linux/types.h>

struct trace_output;
struct trace_seq;

/* More parameters than are ever in registers. */
#define CALL_PARAMS_MAX		8

/**
 * enum param_kind - how a parameter is written
 * @PARAM_BITS: in hexadecimal: pointers, and what has no sign
 * @PARAM_SIGNED: as a number
 * @PARAM_BOOL: as a word
 * @PARAM_WHOLE: as the longs that it is made of: structures
 */
enum param_kind {
	PARAM_BITS,
	PARAM_SIGNED,
	PARAM_BOOL,
	PARAM_WHOLE,
};

/**
 * struct call_param - a parameter of a function
 * @name: empty or NULL if it has none
 * @kind: what it is
 * @size: in bytes
 */
struct call_param {
	const char	*name;
	enum param_kind	kind;
	unsigned int	size;
};

/**
 * struct call_proto - what a function takes
 * @nr: how many of @params there are
 * @more: it takes others as well, which are not described
 * @params: the first ones
 */
struct call_proto {
	unsigned int		nr;
	bool			more;
	struct call_param	params[CALL_PARAMS_MAX];
};

/**
 * args_put - write the arguments of a call
 * @o: the output, to whose line they are added
 * @func: the function, by the address of its call site
 * @args: the registers that arguments are passed in
 * @nr: how many
 *
 * By its prototype if the kernel has its own types (BTF), else the registers.
 *
 * Context: that of @o.
 */
void args_put(struct trace_output *o, unsigned long func, const unsigned long *args,
	      unsigned int nr);

/**
 * args_put_by - write the arguments of a call whose prototype is known
 * @s: to where
 * @proto: the prototype
 * @args: the registers that arguments are passed in
 * @nr: how many
 *
 * Those that are not in registers are "...".
 *
 * Context: any.
 */
void args_put_by(struct trace_seq *s, const struct call_proto *proto,
		 const unsigned long *args, unsigned int nr);

#if defined(CONFIG_DEBUG_INFO_BTF) && defined(CONFIG_FUNCTION_GRAPH_TRACER)
/**
 * call_proto_find - the prototype of a function
 * @o: the output, which keeps what was found
 * @func: the function, by the address of its call site
 * @proto: set to it
 *
 * Context: that of @o; may sleep unless it is atomic.
 * Return: false if it is not known, or @o is atomic.
 */
bool call_proto_find(struct trace_output *o, unsigned long func, struct call_proto *proto);

#else
static inline bool call_proto_find(struct trace_output *o, unsigned long func,
				   struct call_proto *proto)
{
	return false;
}
#endif

#endif /* _KERNEL_TRACE_OUTPUT_ARGS_H */
