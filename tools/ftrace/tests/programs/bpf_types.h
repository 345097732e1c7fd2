/* SPDX-License-Identifier: GPL-2.0 */
/* The types of the kernel, which programs of BPF refer to by number. */
#ifndef BPF_TYPES_H
#define BPF_TYPES_H

#include <linux/btf.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Returns what /sys/kernel/btf/vmlinux holds, or nothing if there is no such file. */
static const char *read_types(void)
{
	static char content[32 << 20];
	static size_t size;
	FILE *f;

	if (size)
		return content;
	f = fopen("/sys/kernel/btf/vmlinux", "r");
	if (!f)
		return NULL;
	size = fread(content, 1, sizeof(content), f);
	fclose(f);
	return size ? content : NULL;
}

/* Returns the number of bytes that follow a type, which depends on its kind. */
static size_t size_behind_type(const struct btf_type *type)
{
	int nr = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return nr * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return nr * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return nr * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return nr * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return nr * sizeof(struct btf_var_secinfo);
	default:
		return 0;
	}
}

/* Returns the number of the type of that kind and name, or 0. */
static int find_type(int kind, const char *name)
{
	const char *btf = read_types(), *text, *at, *end;
	const struct btf_header *head = (const void *)btf;
	const struct btf_type *type;

	if (!btf)
		return 0;
	text = btf + head->hdr_len + head->str_off;
	at = btf + head->hdr_len + head->type_off;
	end = at + head->type_len;
	for (int id = 1; at < end; id++) {
		type = (const void *)at;
		if (BTF_INFO_KIND(type->info) == kind && !strcmp(text + type->name_off, name))
			return id;
		at += sizeof(*type) + size_behind_type(type);
	}
	return 0;
}

#endif
