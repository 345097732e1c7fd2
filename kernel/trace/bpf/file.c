// SPDX-License-Identifier: GPL-2.0
/*
 * The helper that gets the name of a file. d_path() takes locks, so only those programs may call
 * it that run where these are free: iterators, programs of LSM hooks that may sleep, and programs
 * that are attached to some functions of the kernel.
 */
#include <linux/bpf.h>
#include <linux/bpf_lsm.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/filter.h>
#include <linux/path.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "helpers.h"

/* Functions where programs may call the helper. */
BTF_SET_START(d_path_callers)
BTF_ID(func, dentry_open)
BTF_ID(func, filp_close)
#ifdef CONFIG_SECURITY
BTF_ID(func, security_file_open)
BTF_ID(func, security_file_permission)
BTF_ID(func, security_inode_getattr)
#endif
#ifdef CONFIG_SECURITY_PATH
BTF_ID(func, security_path_truncate)
#endif
BTF_ID(func, vfs_fallocate)
BTF_ID(func, vfs_getattr)
BTF_ID(func, vfs_truncate)
BTF_SET_END(d_path_callers)

/* The numbers of functions are those of the kernel's BTF: modules and programs have others. */
static bool is_attached_to_kernel(const struct bpf_prog_aux *aux)
{
	return aux->attach_btf && btf_is_vmlinux(aux->attach_btf);
}

static bool runs_in_iterator(const struct bpf_prog *prog)
{
	return prog->type == BPF_PROG_TYPE_TRACING && prog->expected_attach_type == BPF_TRACE_ITER;
}

static bool may_get_d_path(const struct bpf_prog *prog)
{
	if (runs_in_iterator(prog))
		return true;
	if (!is_attached_to_kernel(prog->aux))
		return false;
	if (prog->type == BPF_PROG_TYPE_LSM)
		return bpf_lsm_is_sleepable_hook(prog->aux->attach_btf_id);
	return btf_id_set_contains(&d_path_callers, prog->aux->attach_btf_id);
}

/* Return: length with the NUL; -ENAMETOOLONG. */
static long write_d_path(const struct path *path, char *buf, u32 size)
{
	const char *name = d_path(path, buf, size);
	size_t len;

	if (IS_ERR(name))
		return PTR_ERR(name);
	/* d_path() writes to the end of its buffer. */
	len = buf + size - name;
	memmove(buf, name, len);
	return len;
}

BPF_CALL_3(bpf_d_path, struct path *, path, char *, buf, u32, size)
{
	struct path copy;
	long err;

	if (!size)
		return 0;
	/* The verifier lets only valid pointers pass; should one be wrong, it does no harm here. */
	err = copy_from_kernel_nofault(&copy, path, sizeof(copy));
	return err ?: write_d_path(&copy, buf, size);
}

BTF_ID_LIST_SINGLE(d_path_type, struct, path)

const struct bpf_func_proto trace_bpf_d_path_proto = {
	.func		= bpf_d_path,
	.allowed	= may_get_d_path,
	.arg1_btf_id	= d_path_type,
	.arg1_type	= ARG_PTR_TO_BTF_ID,
	.arg2_type	= ARG_PTR_TO_MEM | MEM_WRITE,
	.arg3_type	= ARG_CONST_SIZE_OR_ZERO,
	.ret_type	= RET_INTEGER,
	.gpl_only	= false,
};
