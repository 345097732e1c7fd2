// SPDX-License-Identifier: GPL-2.0
/*
 * kfuncs by which programs get keys, and verify signatures with them.
 *
 * The verifier ensures that a program gives back each key that it gets, by bpf_key_put().
 */
#include <linux/array_size.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/cache.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/gfp_types.h>
#include <linux/init.h>
#include <linux/key.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/verification.h>

/*
 * The kernel's own keyrings. Their @key is no pointer, but a number that only
 * verify_pkcs7_signature() understands. They are static, so that bpf_lookup_system_key() can be
 * called in any context: it allocates nothing.
 */
static struct bpf_key bpf_key_system_keyrings[] __ro_after_init = {
	{ .key = NULL },
	{ .key = VERIFY_USE_SECONDARY_KEYRING },
	{ .key = VERIFY_USE_PLATFORM_KEYRING },
};

/* Let @user take over the reference @ref to a key. */
static void bpf_key_take_ref(struct bpf_key *user, key_ref_t ref)
{
	user->key = key_ref_to_ptr(ref);
	user->has_ref = true;
}

__bpf_kfunc_start_defs();

/**
 * bpf_lookup_user_key - get a key of the current task by its number
 * @serial: serial number of the key, or one of KEY_SPEC_* for a special keyring
 * @flags: KEY_LOOKUP_CREATE to create the special keyring if it does not exist;
 *	KEY_LOOKUP_PARTIAL to get a key that is still under construction
 *
 * Whether the task has permission for the key is checked when the key is used, not here.
 *
 * Context: a program that may sleep.
 * Return: the key, for bpf_key_put(); NULL if there is no such key, if @flags has other bits, or if
 * there is no memory.
 */
__bpf_kfunc struct bpf_key *bpf_lookup_user_key(u32 serial, u64 flags)
{
	struct bpf_key *user __free(kfree) = NULL;
	key_ref_t ref;

	if (flags & ~KEY_LOOKUP_ALL)
		return NULL;
	/* Allocated first, so that no keyring is created in vain. */
	user = kmalloc(sizeof(*user), GFP_KERNEL);
	if (!user)
		return NULL;
	ref = lookup_user_key(serial, flags, KEY_DEFER_PERM_CHECK);
	if (IS_ERR(ref))
		return NULL;
	bpf_key_take_ref(user, ref);
	return no_free_ptr(user);
}

/**
 * bpf_lookup_system_key - get a keyring of the kernel by its number
 * @id: 0 for the builtin keys, or the number VERIFY_USE_SECONDARY_KEYRING or
 *	VERIFY_USE_PLATFORM_KEYRING
 *
 * Only bpf_verify_pkcs7_signature() can use the result.
 *
 * Context: any.
 * Return: the keyring, for bpf_key_put(); NULL for other numbers.
 */
__bpf_kfunc struct bpf_key *bpf_lookup_system_key(u64 id)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(bpf_key_system_keyrings); i++)
		if (id == (unsigned long)bpf_key_system_keyrings[i].key)
			return &bpf_key_system_keyrings[i];
	return NULL;
}

/**
 * bpf_key_put - give back a key
 * @bkey: from bpf_lookup_user_key() or bpf_lookup_system_key(); not used afterwards
 *
 * Context: any in which the key could be got.
 */
__bpf_kfunc void bpf_key_put(struct bpf_key *bkey)
{
	if (!bkey->has_ref)
		return;
	key_put(bkey->key);
	kfree(bkey);
}

#ifdef CONFIG_SYSTEM_DATA_VERIFICATION

/**
 * bpf_verify_pkcs7_signature - verify the signature of data
 * @data: the data
 * @signature: the signature, a PKCS#7 message without data
 * @trusted: keyring whose keys are trusted
 *
 * Context: a program that may sleep.
 * Return: 0 if the signature is good; -EINVAL if @data or @signature has no memory, or memory that
 * is not contiguous; -EKEYEXPIRED, -EKEYREVOKED or -ENOKEY if the keyring cannot be used;
 * -EKEYREJECTED or another errno of verify_pkcs7_signature() if the signature is wrong.
 */
__bpf_kfunc int bpf_verify_pkcs7_signature(struct bpf_dynptr *data, struct bpf_dynptr *signature,
					   struct bpf_key *trusted)
{
	const struct bpf_dynptr_kern *texts[] = {
		(struct bpf_dynptr_kern *)data, (struct bpf_dynptr_kern *)signature,
	};
	const void *at[ARRAY_SIZE(texts)];
	u32 len[ARRAY_SIZE(texts)];
	int err;

	/* The search for a key checks permission for the keyring, so that is not checked here. */
	err = trusted->has_ref ? key_validate(trusted->key) : 0;
	if (err)
		return err;
	for (unsigned int i = 0; i < ARRAY_SIZE(texts); i++) {
		len[i] = __bpf_dynptr_size(texts[i]);
		at[i] = __bpf_dynptr_data(texts[i], len[i]);
		/* For NULL, verify_pkcs7_signature() would verify data in the message instead. */
		if (!at[i])
			return -EINVAL;
	}
	return verify_pkcs7_signature(at[0], len[0], at[1], len[1], trusted->key,
				      VERIFYING_UNSPECIFIED_SIGNATURE, NULL, NULL);
}

#endif

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(bpf_key_kfuncs)
BTF_ID_FLAGS(func, bpf_key_put, KF_RELEASE)
BTF_ID_FLAGS(func, bpf_lookup_system_key, KF_RET_NULL | KF_ACQUIRE)
BTF_ID_FLAGS(func, bpf_lookup_user_key, KF_SLEEPABLE | KF_RET_NULL | KF_ACQUIRE)
#ifdef CONFIG_SYSTEM_DATA_VERIFICATION
BTF_ID_FLAGS(func, bpf_verify_pkcs7_signature, KF_SLEEPABLE)
#endif
BTF_KFUNCS_END(bpf_key_kfuncs)

static const struct btf_kfunc_id_set bpf_key_kfunc_set = {
	.set	= &bpf_key_kfuncs,
	.owner	= THIS_MODULE,
};

static int __init bpf_key_register_kfuncs(void)
{
	return register_btf_kfunc_id_set(BPF_PROG_TYPE_TRACING, &bpf_key_kfunc_set);
}
late_initcall(bpf_key_register_kfuncs);
