/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to bpf/: what the types of programs share.
 *
 * A program is attached to the event that a perf event has open (attach.c), to a tracepoint itself
 * (raw_tracepoint.c), or by a multi link: a BPF link to many functions of the kernel
 * (kprobe_multi.c), or to many places in a file that user space executes (uprobe_multi.c). The
 * helpers that programs call are in helpers.h.
 */
#ifndef _KERNEL_TRACE_BPF_INTERNAL_H
#define _KERNEL_TRACE_BPF_INTERNAL_H

#include <linux/bpf.h>
#include <linux/sizes.h>
#include <linux/types.h>

/* The rows of the kernel's own tracepoints: a section, which the linker script delimits. */
extern struct bpf_raw_event_map __start__bpf_raw_tp[];
extern struct bpf_raw_event_map __stop__bpf_raw_tp[];

/* Largest number of functions or offsets of a multi link; bounds what is copied from the user. */
#define TRACE_BPF_MULTI_LINK_MAX	SZ_1M

/**
 * trace_bpf_is_kprobe_session - check whether a program is for a session
 * @prog: the program, of type BPF_PROG_TYPE_KPROBE
 *
 * A session is a kprobe_multi link that calls its program at the entry and at the return of
 * functions.
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool trace_bpf_is_kprobe_session(const struct bpf_prog *prog)
{
	return prog->expected_attach_type == BPF_TRACE_KPROBE_SESSION;
}

/**
 * trace_bpf_is_kprobe_multi - check whether a program is for a kprobe_multi link
 * @prog: the program, of type BPF_PROG_TYPE_KPROBE
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
 * trace_bpf_site_to_func - get the address of the function that begins at a call site
 * @site: address of the call site
 *
 * The two differ with CONFIG_X86_KERNEL_IBT, where a function may begin with ENDBR, and its call
 * site is behind that.
 *
 * Context: any, NMI included.
 * Return: the address of the function.
 */
unsigned long trace_bpf_site_to_func(unsigned long site);

/**
 * trace_bpf_get_raw_tp_proto - get the prototype of a helper that raw tracepoints offer
 * @id: number of the helper
 * @prog: the program that calls the helper; it may be of a type that offers further helpers
 *
 * Context: process, the verifier; may sleep.
 * Return: the prototype; NULL if there is no such helper, or @prog may not call it.
 */
const struct bpf_func_proto *trace_bpf_get_raw_tp_proto(enum bpf_func_id id,
							const struct bpf_prog *prog);

/* The kfuncs of sessions. Documented in session.c; declared for sparse: no C code calls them. */
bool bpf_session_is_return(void);
__u64 *bpf_session_cookie(void);

/*
 * The helpers bpf_get_func_ip() and bpf_get_attach_cookie() for programs of multi links. They rely
 * on the run context of such a link.
 */
extern const struct bpf_func_proto trace_bpf_kprobe_multi_ip_proto;
extern const struct bpf_func_proto trace_bpf_kprobe_multi_cookie_proto;
extern const struct bpf_func_proto trace_bpf_uprobe_multi_ip_proto;
extern const struct bpf_func_proto trace_bpf_uprobe_multi_cookie_proto;

#endif /* _KERNEL_TRACE_BPF_INTERNAL_H */
