// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers that print text: to the trace, as records of the event bpf_trace:bpf_trace_printk; to the
 * file of an iterator; and values of the kernel's types, as BTF describes them.
 */
#include <linux/array_size.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/filter.h>
#include <linux/limits.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/workqueue.h>

#include "helpers.h"

#define CREATE_TRACE_POINTS
#include "bpf_trace.h"

/*
 * Count the arguments of a format that a program passes as an array of u64.
 *
 * Return: the number; -EINVAL if @len is not the length of such an array, or there are too many.
 */
static int print_count_args(const void *args, u32 len)
{
	if (len && !args)
		return -EINVAL;
	if (len > MAX_BPRINTF_VARARGS * sizeof(u64) || len % sizeof(u64))
		return -EINVAL;
	return len / sizeof(u64);
}

/* ------------------------------------------------------------------ */
/* Printing to the trace						*/

/* Return: length of the text; or the errno of bpf_bprintf_prepare(). */
static int print_to_trace(char *format, u32 size, const u64 *args, u32 nr)
{
	struct bpf_bprintf_data text = { .get_buf = true, .get_bin_args = true };
	int len = bpf_bprintf_prepare(format, size, args, nr, &text);

	if (len < 0)
		return len;
	len = bstr_printf(text.buf, MAX_BPRINTF_BUF, format, text.bin_args);
	trace_bpf_trace_printk(text.buf);
	bpf_bprintf_cleanup(&text);
	return len;
}

static void print_switch_event_on(struct work_struct *work)
{
	if (trace_set_clr_event("bpf_trace", "bpf_trace_printk", 1))
		pr_warn_ratelimited("cannot switch on the event bpf_trace:bpf_trace_printk\n");
}

/*
 * The event is switched on by a work item, because the verifier holds locks under which events_lock
 * must not be taken.
 */
static DECLARE_WORK(print_event_work, print_switch_event_on);

BPF_CALL_5(bpf_trace_printk, char *, format, u32, size, u64, arg1, u64, arg2, u64, arg3)
{
	const u64 args[] = { arg1, arg2, arg3 };

	return print_to_trace(format, size, args, ARRAY_SIZE(args));
}

static const struct bpf_func_proto bpf_trace_printk_proto = {
	.func		= bpf_trace_printk,
	.arg1_type	= ARG_PTR_TO_MEM | MEM_RDONLY,
	.arg2_type	= ARG_CONST_SIZE,
	.ret_type	= RET_INTEGER,
	.gpl_only	= true,
};

/**
 * bpf_get_trace_printk_proto - get the prototype of bpf_trace_printk(), and switch its event on
 *
 * Users expect to see what their program prints without switching an event on. That is done, soon
 * after this returns, for each program that is loaded: the event may be off again since the last.
 *
 * Context: any but NMI; called by the verifier.
 * Return: the prototype.
 */
const struct bpf_func_proto *bpf_get_trace_printk_proto(void)
{
	schedule_work(&print_event_work);
	return &bpf_trace_printk_proto;
}

BPF_CALL_4(bpf_trace_vprintk, char *, format, u32, size, const void *, args, u32, len)
{
	int nr = print_count_args(args, len);

	return nr < 0 ? nr : print_to_trace(format, size, args, nr);
}

static const struct bpf_func_proto bpf_trace_vprintk_proto = {
	.func		= bpf_trace_vprintk,
	.arg1_type	= ARG_PTR_TO_MEM | MEM_RDONLY,
	.arg2_type	= ARG_CONST_SIZE,
	.arg3_type	= ARG_PTR_TO_MEM | MEM_RDONLY | PTR_MAYBE_NULL,
	.arg4_type	= ARG_CONST_SIZE_OR_ZERO,
	.ret_type	= RET_INTEGER,
	.gpl_only	= true,
};

/**
 * bpf_get_trace_vprintk_proto - get the prototype of bpf_trace_vprintk(), and switch its event on
 *
 * The event is that of bpf_trace_printk(); see bpf_get_trace_printk_proto().
 *
 * Context: any but NMI; called by the verifier.
 * Return: the prototype.
 */
const struct bpf_func_proto *bpf_get_trace_vprintk_proto(void)
{
	schedule_work(&print_event_work);
	return &bpf_trace_vprintk_proto;
}

/* ------------------------------------------------------------------ */
/* Printing to the file of an iterator					*/

BTF_ID_LIST_SINGLE(print_seq_file_id, struct, seq_file)

BPF_CALL_5(bpf_seq_printf, struct seq_file *, seq, char *, format, u32, size,
	   const void *, args, u32, len)
{
	struct bpf_bprintf_data text = { .get_bin_args = true };
	int nr = print_count_args(args, len), err;

	if (nr < 0)
		return nr;
	err = bpf_bprintf_prepare(format, size, args, nr, &text);
	if (err < 0)
		return err;
	seq_bprintf(seq, format, text.bin_args);
	bpf_bprintf_cleanup(&text);
	return seq_has_overflowed(seq) ? -EOVERFLOW : 0;
}

const struct bpf_func_proto trace_bpf_seq_printf_proto = {
	.func		= bpf_seq_printf,
	.arg1_btf_id	= print_seq_file_id,
	.arg1_type	= ARG_PTR_TO_BTF_ID,
	.arg2_type	= ARG_PTR_TO_MEM | MEM_RDONLY,
	.arg3_type	= ARG_CONST_SIZE,
	.arg4_type	= ARG_PTR_TO_MEM | MEM_RDONLY | PTR_MAYBE_NULL,
	.arg5_type	= ARG_CONST_SIZE_OR_ZERO,
	.ret_type	= RET_INTEGER,
	.gpl_only	= true,
};

BPF_CALL_3(bpf_seq_write, struct seq_file *, seq, const void *, data, u32, len)
{
	return seq_write(seq, data, len) ? -EOVERFLOW : 0;
}

const struct bpf_func_proto trace_bpf_seq_write_proto = {
	.func		= bpf_seq_write,
	.arg1_btf_id	= print_seq_file_id,
	.arg1_type	= ARG_PTR_TO_BTF_ID,
	.arg2_type	= ARG_PTR_TO_MEM | MEM_RDONLY,
	.arg3_type	= ARG_CONST_SIZE_OR_ZERO,
	.ret_type	= RET_INTEGER,
	.gpl_only	= true,
};

/* ------------------------------------------------------------------ */
/* Printing values of kernel types					*/

/* The flags that user space may pass to the helpers that print values. */
#define PRINT_TYPE_FLAGS (BTF_F_COMPACT | BTF_F_NONAME | BTF_F_PTR_RAW | BTF_F_ZERO)

/**
 * struct print_value - a value in the kernel's memory that a program prints
 * @btf: the BTF of the kernel
 * @type: ID of the type of the value in @btf
 * @address: address of the value, not checked: printing reads it without faults
 */
struct print_value {
	struct btf	*btf;
	u32		type;
	void		*address;
};

static int print_find_btf(struct print_value *value)
{
	value->btf = bpf_get_btf_vmlinux();
	if (IS_ERR(value->btf))
		return PTR_ERR(value->btf);
	return value->btf ? 0 : -EINVAL;
}

/*
 * Set @value to what the program describes by @ptr.
 *
 * Return: 0; -EINVAL for flags that do not exist, if @size is not that of @ptr, for type 0, or if
 * the kernel has no BTF; -ENOENT if the BTF has no such type; the errno of parsing the BTF.
 */
static int print_find_value(struct print_value *value, const struct btf_ptr *ptr, u32 size,
			    u64 flags)
{
	int err;

	if (unlikely(flags & ~PRINT_TYPE_FLAGS || size != sizeof(*ptr)))
		return -EINVAL;
	err = print_find_btf(value);
	if (err)
		return err;
	/* Read once: @ptr may be in a map, and change after the type is checked. */
	value->type = READ_ONCE(ptr->type_id);
	value->address = ptr->ptr;
	if (!value->type)
		return -EINVAL;
	return value->type <= INT_MAX && btf_type_by_id(value->btf, value->type) ? 0 : -ENOENT;
}

BPF_CALL_4(bpf_seq_printf_btf, struct seq_file *, seq, struct btf_ptr *, ptr, u32, size,
	   u64, flags)
{
	struct print_value value;
	int err = print_find_value(&value, ptr, size, flags);

	return err ?: btf_type_seq_show_flags(value.btf, value.type, value.address, seq, flags);
}

const struct bpf_func_proto trace_bpf_seq_printf_btf_proto = {
	.func		= bpf_seq_printf_btf,
	.arg1_btf_id	= print_seq_file_id,
	.arg1_type	= ARG_PTR_TO_BTF_ID,
	.arg2_type	= ARG_PTR_TO_MEM | MEM_RDONLY,
	.arg3_type	= ARG_CONST_SIZE_OR_ZERO,
	.arg4_type	= ARG_ANYTHING,
	.ret_type	= RET_INTEGER,
	.gpl_only	= true,
};

BPF_CALL_5(bpf_snprintf_btf, char *, text, u32, text_size, struct btf_ptr *, ptr, u32, size,
	   u64, flags)
{
	struct print_value value;
	int err = print_find_value(&value, ptr, size, flags);

	return err ?: btf_type_snprintf_show(value.btf, value.type, value.address, text, text_size,
					     flags);
}

const struct bpf_func_proto bpf_snprintf_btf_proto = {
	.func		= bpf_snprintf_btf,
	.arg1_type	= ARG_PTR_TO_MEM | MEM_WRITE,
	.arg2_type	= ARG_CONST_SIZE,
	.arg3_type	= ARG_PTR_TO_MEM | MEM_RDONLY,
	.arg4_type	= ARG_CONST_SIZE,
	.arg5_type	= ARG_ANYTHING,
	.ret_type	= RET_INTEGER,
	.gpl_only	= false,
};
