/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints the arguments of a call, as option funcgraph-args of function_graph shows them
 * (SPEC T3).
 */
#ifndef _KERNEL_TRACE_OUTPUT_ARGS_H
#define _KERNEL_TRACE_OUTPUT_ARGS_H

#include <linux/types.h>

struct trace_output;
struct trace_seq;

/* Maximum number of parameters described; more than are ever passed in registers. */
#define CALL_PARAMS_MAX		8

/**
 * enum param_kind - how a parameter is printed
 * @PARAM_BITS: pointers and unsigned integers, in hexadecimal
 * @PARAM_SIGNED: signed integers, in decimal
 * @PARAM_BOOL: bool, as "true" or "false"
 * @PARAM_WHOLE: structures and other types, as a list of longs in braces
 */
enum param_kind {
	PARAM_BITS,
	PARAM_SIGNED,
	PARAM_BOOL,
	PARAM_WHOLE,
};

/**
 * struct call_param - a parameter of a function
 * @name: name of the parameter; empty or NULL if it has none
 * @kind: how the parameter is printed
 * @size: size of the parameter in bytes
 */
struct call_param {
	const char	*name;
	enum param_kind	kind;
	unsigned int	size;
};

/**
 * struct call_proto - prototype of a function
 * @nr: number of entries of @params in use
 * @more: true if the function takes further parameters that @params does not describe
 * @params: the first parameters
 */
struct call_proto {
	unsigned int		nr;
	bool			more;
	struct call_param	params[CALL_PARAMS_MAX];
};

/**
 * args_put() - print the arguments of a call
 * @o: output; the text is added to its line
 * @func: address of the call site of the function
 * @args: contents of the registers that arguments are passed in
 * @nr: number of entries of @args
 *
 * The arguments are printed by the prototype of the function if BTF knows it, otherwise as
 * plain register values.
 *
 * Context: as for record_print_fn; may sleep unless @o is atomic.
 */
void args_put(struct trace_output *o, unsigned long func, const unsigned long *args,
	      unsigned int nr);

/**
 * args_put_by() - print the arguments of a call by a prototype
 * @s: sequence that the text is added to
 * @proto: prototype of the function
 * @args: contents of the registers that arguments are passed in
 * @nr: number of entries of @args
 *
 * An argument that is not passed in registers is printed as "...".
 *
 * Context: any.
 */
void args_put_by(struct trace_seq *s, const struct call_proto *proto,
		 const unsigned long *args, unsigned int nr);

#if defined(CONFIG_DEBUG_INFO_BTF) && defined(CONFIG_FUNCTION_GRAPH_TRACER)
/**
 * call_proto_find() - look up the prototype of a function
 * @o: output; caches the result for later calls
 * @func: address of the call site of the function
 * @proto: filled in with the prototype
 *
 * Context: as for record_print_fn; may sleep unless @o is atomic.
 * Return: true if @proto was filled in; false if the prototype is not known or @o is atomic.
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
