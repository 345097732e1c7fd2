/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loading an object into recordmcount: it is read completely, identified, and
 * checked before its content is used. Each defect of a file has its own message.
 *
 * recordmcount.c calls object_read(), object_identify() and object_check(), in
 * this order. None of them may change the image or write to a file.
 */
#ifndef SCRIPTS_RECORDMCOUNT_LOAD_H
#define SCRIPTS_RECORDMCOUNT_LOAD_H

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recordmcount_elf.h"

/**
 * object_read() - read a file completely
 * @obj: the object; its path is set; image, size, mode and links are filled in
 */
static inline void object_read(struct object *obj)
{
	int fd = open(obj->path, O_RDONLY);
	struct stat st;
	ssize_t got;

	if (fd < 0 || fstat(fd, &st))
		object_fault(obj, "cannot open: %s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		object_fault(obj, "not a regular file");
	if (!st.st_size)
		object_fault(obj, "empty file");
	obj->mode = st.st_mode;
	obj->links = st.st_nlink;
	obj->image = object_alloc(obj, st.st_size, 1);
	while (obj->size < (u64)st.st_size) {
		got = read(fd, obj->image + obj->size, st.st_size - obj->size);
		if (got < 0)
			object_fault(obj, "cannot read: %s", strerror(errno));
		if (!got)
			object_fault(obj, "became shorter while it was read");
		obj->size += got;
	}
	close(fd);
}

/**
 * object_identify() - determine class, byte order and machine of an object
 * @obj: an object that was read
 *
 * The caller sets @obj->mips_info before it calls object_check().
 */
static inline void object_identify(struct object *obj)
{
	const unsigned char *ident = obj->image;

	if (obj->size < SELFMAG || memcmp(ident, ELFMAG, SELFMAG))
		object_fault(obj, "not an ELF file");
	if (obj->size < EI_NIDENT)
		object_fault(obj, "truncated in the ELF identification");
	if (ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64)
		object_fault(obj, "unknown ELF class %u", ident[EI_CLASS]);
	if (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB)
		object_fault(obj, "unknown byte order %u", ident[EI_DATA]);
	if (ident[EI_VERSION] != EV_CURRENT)
		object_fault(obj, "unknown ELF version %u", ident[EI_VERSION]);
	obj->wide = ident[EI_CLASS] == ELFCLASS64;
	obj->big = ident[EI_DATA] == ELFDATA2MSB;
	if (obj->size < ehdr_size[obj->wide])
		object_fault(obj, "truncated in the ELF header");
	if (field_get(obj, 0, e_type) != ET_REL)
		object_fault(obj, "not a relocatable object, its type is %u",
			     (unsigned int)field_get(obj, 0, e_type));
	obj->machine = field_get(obj, 0, e_machine);
}

/* Fill in @sections from the header table; its length may be in section 0. */
static inline void check_section_table(struct object *obj)
{
	u64 entry = shdr_size[obj->wide];
	u64 pos = field_get(obj, 0, e_shoff);
	u64 nr = field_get(obj, 0, e_shnum);

	if (field_get(obj, 0, e_ehsize) != ehdr_size[obj->wide])
		object_fault(obj, "ELF header size does not fit its class");
	if (!pos)
		object_fault(obj, "no section header table");
	if (field_get(obj, 0, e_shentsize) != entry)
		object_fault(obj, "section header size does not fit its class");
	if (!is_within(obj->size, pos, entry))
		object_fault(obj, "section header table lies beyond the end of the file");
	if (!nr)
		nr = field_get(obj, pos, sh_size);
	if (!nr)
		object_fault(obj, "no sections");
	if (nr > (obj->size - pos) / entry || nr > UINT32_MAX / 2)
		object_fault(obj, "truncated in the section header table of %llu sections", nr);

	obj->nr_sections = nr;
	obj->sections = object_alloc(obj, nr, sizeof(*obj->sections));
	for (u32 i = 0; i < nr; i++)
		section_get(obj, pos + i * entry, &obj->sections[i]);
}

static inline void check_strings(const struct object *obj, u64 index,
				 const char *whose)
{
	const struct section *sec;

	if (!index || index >= obj->nr_sections)
		object_fault(obj, "section index %llu of the %s names out of range", index, whose);
	sec = &obj->sections[index];
	if (sec->type != SHT_STRTAB)
		object_fault(obj, "section %llu with the %s names is no string table",
			     index, whose);
	if (!sec->size || obj->image[sec->offset + sec->size - 1])
		object_fault(obj, "string table of the %s names is not terminated",
			     whose);
}

static inline void check_section_names(struct object *obj)
{
	u64 names = field_get(obj, 0, e_shstrndx);

	if (names == SHN_XINDEX)
		names = obj->sections[0].link;
	check_strings(obj, names, "section");
	obj->names = names;
	for (u32 i = 1; i < obj->nr_sections; i++)
		if (obj->sections[i].name >= obj->sections[names].size)
			object_fault(obj, "section %u: name offset %llu beyond the string table",
				     i, obj->sections[i].name);
}

/* Check that the entries have size @entry. Return: number of entries. */
static inline u64 check_entries(const struct object *obj, u32 index, u64 entry)
{
	const struct section *sec = &obj->sections[index];

	if (sec->entsize != entry || sec->size % entry)
		object_fault(obj, "section %u (%s): entries of %llu bytes expected",
			     index, section_label(obj, index), entry);
	if (sec->size / entry > UINT32_MAX / 2)
		object_fault(obj, "section %u (%s): too many entries", index,
			     section_label(obj, index));
	return sec->size / entry;
}

static inline void check_symtab(struct object *obj)
{
	const struct section *sec;

	for (u32 i = 1; i < obj->nr_sections; i++) {
		if (obj->sections[i].type != SHT_SYMTAB)
			continue;
		if (obj->symtab)
			object_fault(obj, "two symbol tables, sections %u and %u",
				     obj->symtab, i);
		obj->symtab = i;
		obj->nr_symbols = check_entries(obj, i, sym_size[obj->wide]);
	}
	if (!obj->symtab)
		return;
	sec = &obj->sections[obj->symtab];
	check_strings(obj, sec->link, "symbol");
	if (!sec->info || sec->info > obj->nr_symbols)
		object_fault(obj, "first global symbol %llu out of range, there are %u symbols",
			     sec->info, obj->nr_symbols);
}

static inline void check_shndx(struct object *obj, u32 index)
{
	if (obj->sections[index].link != obj->symtab)
		object_fault(obj, "section %u (%s): not for the symbol table", index,
			     section_label(obj, index));
	if (obj->sections[index].size != obj->nr_symbols * SHNDX_SIZE)
		object_fault(obj, "section %u (%s): not one word for each symbol",
			     index, section_label(obj, index));
	obj->shndx = index;
}

static inline void check_relocs(const struct object *obj, u32 index)
{
	const struct section *sec = &obj->sections[index];

	check_entries(obj, index, reloc_size(obj, sec->type));
	if (!sec->link || sec->link != obj->symtab)
		object_fault(obj, "section %u (%s): its symbol table, section %llu, is not one",
			     index, section_label(obj, index), sec->link);
	if (!sec->info || sec->info >= obj->nr_sections)
		object_fault(obj, "section %u (%s): relocates section index %llu, out of range",
			     index, section_label(obj, index), sec->info);
}

/**
 * object_check() - check the headers and convert them to their native forms
 * @obj: an object that was identified
 *
 * On return the sections, their names and the tables of symbols and strings
 * are as described at struct object. Entries of relocations and symbols are
 * checked one by one when they are read.
 */
static inline void object_check(struct object *obj)
{
	const struct section *sec;

	check_section_table(obj);
	for (u32 i = 1; i < obj->nr_sections; i++) {
		sec = &obj->sections[i];
		if (sec->type != SHT_NULL && sec->type != SHT_NOBITS &&
		    !is_within(obj->size, sec->offset, sec->size))
			object_fault(obj, "section %u: contents lie beyond the end of the file",
				     i);
	}
	check_section_names(obj);
	check_symtab(obj);
	for (u32 i = 1; i < obj->nr_sections; i++) {
		if (obj->sections[i].type == SHT_SYMTAB_SHNDX)
			check_shndx(obj, i);
		else if (section_is_reloc(&obj->sections[i]))
			check_relocs(obj, i);
	}
}

#endif /* SCRIPTS_RECORDMCOUNT_LOAD_H */
