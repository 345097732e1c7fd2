// SPDX-License-Identifier: GPL-2.0
/*
 * The helper bpf_d_path(), which gets the name of a file. d_path() takes locks, so only programs
 * that run where no caller holds these may call it: iterators, programs of LSM hooks that may
 * sleep, and programs that are attached to the functions of an allowlist.
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

/* Functions whose programs may call bpf_d_path(): none is called with the locks of d_path(). */
BTF_SET_START(bpf_d_path_allowlist)
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
BTF_SET_END(bpf_d_path_allowlist)

/*
 * True if @aux->attach_btf_id is one of the kernel's own BTF, which the IDs of the allowlist and of
 * LSM hooks are from. An equal ID of the BTF of a module, or of a program, is another function.
 */
static bool bpf_d_path_targets_vmlinux(const struct bpf_prog_aux *aux)
{
	return aux->attach_btf && btf_is_vmlinux(aux->attach_btf);
}

static bool bpf_d_path_is_in_iterator(const struct bpf_prog *prog)
{
	return prog->type == BPF_PROG_TYPE_TRACING && prog->expected_attach_type == BPF_TRACE_ITER;
}

static bool bpf_d_path_is_allowed(const struct bpf_prog *prog)
{
	if (bpf_d_path_is_in_iterator(prog))
		return true;
	if (!bpf_d_path_targets_vmlinux(prog->aux))
		return false;
	if (prog->type == BPF_PROG_TYPE_LSM)
		return bpf_lsm_is_sleepable_hook(prog->aux->attach_btf_id);
	return btf_id_set_contains(&bpf_d_path_allowlist, prog->aux->attach_btf_id);
}

/* Return: bytes written, with the NUL; -ENAMETOOLONG if @size is too small. */
static long bpf_d_path_write(const struct path *path, char *buf, u32 size)
{
	const char *name = d_path(path, buf, size);
	size_t len;

	if (IS_ERR(name))
		return PTR_ERR(name);
	/* d_path() writes the name to the end of @buf; the program expects it at the beginning. */
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
	/* The verifier lets only valid pointers pass. Should it err, a wrong one does no harm. */
	err = copy_from_kernel_nofault(&copy, path, sizeof(copy));
	return err ?: bpf_d_path_write(&copy, buf, size);
}

BTF_ID_LIST_SINGLE(bpf_d_path_arg_id, struct, path)

const struct bpf_func_proto trace_bpf_d_path_proto = {
	.func		= bpf_d_path,
	.allowed	= bpf_d_path_is_allowed,
	.arg1_btf_id	= bpf_d_path_arg_id,
	.arg1_type	= ARG_PTR_TO_BTF_ID,
	.arg2_type	= ARG_PTR_TO_MEM | MEM_WRITE,
	.arg3_type	= ARG_CONST_SIZE_OR_ZERO,
	.ret_type	= RET_INTEGER,
	.gpl_only	= false,
};
