/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to bpf/: what the types of programs share.
 *
 * Programs are attached in three ways: to an event of perf (attach.c), to a tracepoint itself
 * (raw_tracepoint.c), and to many functions at once (kprobe_multi.c, uprobe_multi.c). The helper
 * functions that they call are in helpers.h.
 */
#ifndef _KERNEL_TRACE_BPF_INTERNAL_H
#define _KERNEL_TRACE_BPF_INTERNAL_H

#include <linux/bpf.h>
#include <linux/sizes.h>
#include <linux/types.h>

/* The tracepoints of the kernel itself: a section, which the linker script delimits. */
extern struct bpf_raw_event_map __start__bpf_raw_tp[];
extern struct bpf_raw_event_map __stop__bpf_raw_tp[];

/* Largest number of places in one link of many functions. */
#define TRACE_BPF_LINK_MAX	SZ_1M

/**
 * struct trace_bpf_session - what a program of a link of many functions runs with
 * @run_ctx: as &task_struct.bpf_ctx points to it
 * @is_return: true at the return of a function, false at its entry
 * @data: eight bytes that a session keeps from the entry of a call to its return
 */
struct trace_bpf_session {
	struct bpf_run_ctx	run_ctx;
	bool			is_return;
	void			*data;
};

/**
 * trace_bpf_is_kprobe_session - check whether a program runs at the entry and the return of calls
 * @prog: the program
 *
 * Context: any.
 * Return: true if it does.
 */
static inline bool trace_bpf_is_kprobe_session(const struct bpf_prog *prog)
{
	return prog->expected_attach_type == BPF_TRACE_KPROBE_SESSION;
}

/**
 * trace_bpf_is_kprobe_multi - check whether a program is for many functions of the kernel
 * @prog: the program
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool trace_bpf_is_kprobe_multi(const struct bpf_prog *prog)
{
	return prog->expected_attach_type == BPF_TRACE_KPROBE_MULTI ||
	       trace_bpf_is_kprobe_session(prog);
}

/**
 * trace_bpf_function_of_site - get the address of the function with a call site
 * @site: address of the call site
 *
 * With CONFIG_X86_KERNEL_IBT an instruction may stand before the site.
 *
 * Context: any.
 * Return: the address.
 */
unsigned long trace_bpf_function_of_site(unsigned long site);

/**
 * trace_bpf_raw_helper - get the description of a helper that programs of raw tracepoints have
 * @id: number of the helper
 * @prog: the program that calls it
 *
 * Context: process, the verifier; may sleep.
 * Return: the description; NULL if there is no such helper, or @prog may not call it.
 */
const struct bpf_func_proto *trace_bpf_raw_helper(enum bpf_func_id id, const struct bpf_prog *prog);

/* Functions that programs of sessions call: session.c. Documented there. */
bool bpf_session_is_return(void);
__u64 *bpf_session_cookie(void);

/* bpf_get_func_ip() and bpf_get_attach_cookie() of the programs of links of many functions. */
extern const struct bpf_func_proto trace_bpf_kprobe_multi_ip_proto;
extern const struct bpf_func_proto trace_bpf_kprobe_multi_cookie_proto;
extern const struct bpf_func_proto trace_bpf_uprobe_multi_ip_proto;
extern const struct bpf_func_proto trace_bpf_uprobe_multi_cookie_proto;

#endif /* _KERNEL_TRACE_BPF_INTERNAL_H */
