/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ELF side of recordmcount: one relocatable object held in memory.
 *
 * recordmcount.c is the only caller. It gets native values that have been
 * checked: once object_check() has returned, every section is inside the file,
 * every name is a terminated string, and every index that is returned exists.
 * Values are accessed by field_get() and field_put() only, which convert class
 * and byte order, and end with a fault at any position outside the image.
 *
 * Nothing here may write to the file system. object_fault() prints one line with
 * the name of the file and what is wrong with it, and ends the program with
 * status 1. The file is unchanged then, because all changes are made to the
 * image.
 */
#ifndef SCRIPTS_RECORDMCOUNT_ELF_H
#define SCRIPTS_RECORDMCOUNT_ELF_H

#include <elf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <sys/stat.h>

typedef unsigned int u32;
typedef unsigned long long u64;

#define __attr(name)		__attribute__((name))
#define __printf(fmt, args)	__attr(format(printf, fmt, args))
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/**
 * struct section - a section header in native form
 *
 * The members are those of Elf32_Shdr and Elf64_Shdr, widened.
 */
struct section {
	u64 name, type, flags, addr, offset, size, link, info, align;
	u64 entsize;
};

/**
 * struct symbol - a symbol in native form
 * @label: name of the symbol, in the image; not valid after image_grow()
 * @value: st_value, the offset in its section
 * @section: index of the section that defines it, 0 if none does (undefined,
 *	absolute or common)
 * @bind: STB_*
 * @type: STT_*
 */
struct symbol {
	const char *label;
	u64 value;
	u32 section;
	unsigned int bind, type;
};

/**
 * struct reloc - a relocation entry in native form
 * @offset: offset of the relocated bytes in the target section
 * @symbol: index in the symbol table
 * @type: R_*; for 64-bit MIPS the first of the three types
 * @addend: addend of a RELA entry, otherwise unused
 */
struct reloc {
	u64 offset;
	u32 symbol;
	u32 type;
	u64 addend;
};

/**
 * struct object - a relocatable object in memory
 * @path: the name given by the user
 * @image: content of the file, with all changes
 * @size: size of @image in bytes
 * @mode: st_mode of the file
 * @links: st_nlink of the file
 * @wide: class is ELFCLASS64; also the index into struct elf_field
 * @big: most significant byte first
 * @mips_info: true if r_info has the layout of 64-bit MIPS
 * @machine: e_machine
 * @sections: the section headers
 * @nr_sections: number of @sections
 * @names: index of the section holding the section names
 * @symtab: index of the symbol table, 0 if there is none
 * @shndx: index of the table that extends st_shndx, 0 if there is none
 * @nr_symbols: number of symbols in @symtab
 */
struct object {
	const char *path;
	unsigned char *image;
	u64 size;
	mode_t mode;
	nlink_t links;
	bool wide, big, mips_info;
	unsigned int machine;
	struct section *sections;
	u32 nr_sections, names, symtab, shndx, nr_symbols;
};

/**
 * struct elf_field - position of a member of an ELF record, for both classes
 * @at: offset in the record, 32-bit class first
 * @width: size in bytes, 32-bit class first
 */
struct elf_field {
	unsigned char at[2];
	unsigned char width[2];
};

/* The members of ELF records that are used here; positions as in the ELF specification. */
#define FIELD(name, at32, at64, width32, width64)			\
	static const struct elf_field name = {				\
		.at = { at32, at64 }, .width = { width32, width64 }	\
	}

FIELD(e_type,		16, 16, 2, 2);
FIELD(e_machine,	18, 18, 2, 2);
FIELD(e_shoff,		32, 40, 4, 8);
FIELD(e_ehsize,		40, 52, 2, 2);
FIELD(e_shentsize,	46, 58, 2, 2);
FIELD(e_shnum,		48, 60, 2, 2);
FIELD(e_shstrndx,	50, 62, 2, 2);

FIELD(sh_name,		0, 0, 4, 4);
FIELD(sh_type,		4, 4, 4, 4);
FIELD(sh_flags,		8, 8, 4, 8);
FIELD(sh_addr,		12, 16, 4, 8);
FIELD(sh_offset,	16, 24, 4, 8);
FIELD(sh_size,		20, 32, 4, 8);
FIELD(sh_link,		24, 40, 4, 4);
FIELD(sh_info,		28, 44, 4, 4);
FIELD(sh_addralign,	32, 48, 4, 8);
FIELD(sh_entsize,	36, 56, 4, 8);

FIELD(st_name,		0, 0, 4, 4);
FIELD(st_value,		4, 8, 4, 8);
FIELD(st_info,		12, 4, 1, 1);
FIELD(st_shndx,		14, 6, 2, 2);

FIELD(r_offset,		0, 0, 4, 8);
FIELD(r_info,		4, 8, 4, 8);
FIELD(r_addend,		8, 16, 4, 8);

/*
 * r_info of 64-bit MIPS: a 32-bit symbol index followed by four single bytes
 * (special symbol, third, second and first type), in this order for both byte
 * orders. On other machines r_info is one number made of symbol and type.
 */
FIELD(mips_r_sym,	4, 8, 4, 4);
FIELD(mips_r_type,	7, 15, 1, 1);

/* Sizes of the records, 32-bit class first. */
static const unsigned int ehdr_size[] = { 52, 64 };
static const unsigned int shdr_size[] = { 40, 64 };
static const unsigned int sym_size[] = { 16, 24 };
static const unsigned int rel_size[] = { 8, 16 };
static const unsigned int rela_size[] = { 12, 24 };

/* Size of an entry of the table that extends st_shndx, in both classes. */
#define SHNDX_SIZE	4ull

/**
 * object_fault() - report what is wrong with an object, and end the program
 * @obj: the object; only @obj->path is used
 * @fmt: printf() format of the report, without a newline
 */
static inline noreturn __printf(2, 3)
void object_fault(const struct object *obj, const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "recordmcount: %s: ", obj->path);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

/** is_within() - test whether @len bytes from @pos are within @total bytes; cannot overflow */
static inline bool is_within(u64 total, u64 pos, u64 len)
{
	return pos <= total && len <= total - pos;
}

/**
 * object_alloc() - allocate zeroed memory for @nr elements of @size bytes, or end with a fault
 *
 * Return: the memory, never NULL; the caller frees it.
 */
static inline void *object_alloc(const struct object *obj, size_t nr, size_t size)
{
	void *mem = calloc(nr ? nr : 1, size);

	if (!mem)
		object_fault(obj, "out of memory");
	return mem;
}

/** image_get_bytes() - read the unsigned number in @width (<= 8) bytes at @pos */
static inline u64 image_get_bytes(const struct object *obj, u64 pos,
				  unsigned int width)
{
	const unsigned char *byte;
	u64 value = 0;

	if (!is_within(obj->size, pos, width))
		object_fault(obj, "no %u bytes at offset %llu", width, pos);
	byte = obj->image + pos;
	for (unsigned int i = 0; i < width; i++)
		value = value << 8 | byte[obj->big ? i : width - 1 - i];
	return value;
}

/** image_put_bytes() - store the low @width (<= 8) bytes of @value at @pos */
static inline void image_put_bytes(struct object *obj, u64 pos, unsigned int width,
				   u64 value)
{
	if (!is_within(obj->size, pos, width))
		object_fault(obj, "no %u bytes at offset %llu", width, pos);
	for (unsigned int i = 0; i < width; i++)
		obj->image[pos + (obj->big ? width - 1 - i : i)] =
			value >> (8 * i);
}

/** field_get() - read a member of the record that starts at @pos */
static inline u64 field_get(const struct object *obj, u64 pos,
			    struct elf_field field)
{
	return image_get_bytes(obj, pos + field.at[obj->wide], field.width[obj->wide]);
}

/** field_put() - set a member of the record that starts at @pos */
static inline void field_put(struct object *obj, u64 pos, struct elf_field field,
			     u64 value)
{
	image_put_bytes(obj, pos + field.at[obj->wide], field.width[obj->wide], value);
}

/**
 * image_grow() - append zeroed bytes to the image
 * @obj: the object; pointers into its image become invalid
 * @len: bytes to append
 * @align: alignment of their position in the file, a power of two
 *
 * Return: the position of the new bytes.
 */
static inline u64 image_grow(struct object *obj, u64 len, u64 align)
{
	u64 pos = (obj->size + align - 1) & ~(align - 1);
	u64 limit = obj->wide ? INT64_MAX : UINT32_MAX;
	unsigned char *image;

	if (pos < obj->size || pos > SIZE_MAX || !is_within(limit, pos, len))
		object_fault(obj, "grows beyond what its ELF class can hold");
	image = realloc(obj->image, pos + len);
	if (!image)
		object_fault(obj, "out of memory");
	memset(image + obj->size, 0, pos + len - obj->size);
	obj->image = image;
	obj->size = pos + len;
	return pos;
}

static const struct {
	const struct elf_field *field;
	size_t member;
} section_members[] = {
	{ &sh_name, offsetof(struct section, name) },
	{ &sh_type, offsetof(struct section, type) },
	{ &sh_flags, offsetof(struct section, flags) },
	{ &sh_addr, offsetof(struct section, addr) },
	{ &sh_offset, offsetof(struct section, offset) },
	{ &sh_size, offsetof(struct section, size) },
	{ &sh_link, offsetof(struct section, link) },
	{ &sh_info, offsetof(struct section, info) },
	{ &sh_addralign, offsetof(struct section, align) },
	{ &sh_entsize, offsetof(struct section, entsize) },
};

/** section_get() - read the section header at @pos */
static inline void section_get(const struct object *obj, u64 pos,
			       struct section *sec)
{
	for (size_t i = 0; i < ARRAY_SIZE(section_members); i++)
		*(u64 *)((char *)sec + section_members[i].member) =
			field_get(obj, pos, *section_members[i].field);
}

/** section_put() - write a section header to @pos */
static inline void section_put(struct object *obj, u64 pos,
			       const struct section *sec)
{
	for (size_t i = 0; i < ARRAY_SIZE(section_members); i++)
		field_put(obj, pos, *section_members[i].field,
			  *(const u64 *)((const char *)sec +
					section_members[i].member));
}

/** section_is_reloc() - test whether a section holds relocations */
static inline bool section_is_reloc(const struct section *sec)
{
	return sec->type == SHT_RELA || sec->type == SHT_REL;
}

/** reloc_size() - get the size of an entry of a relocation section of type @type */
static inline u64 reloc_size(const struct object *obj, u64 type)
{
	if (type == SHT_RELA)
		return rela_size[obj->wide];
	return rel_size[obj->wide];
}

/** reloc_get() - read the relocation at position @pos, of a section of type @kind */
static inline struct reloc reloc_get(const struct object *obj, u64 pos, u64 kind)
{
	struct reloc rel = { .offset = field_get(obj, pos, r_offset) };
	u64 info;

	if (obj->mips_info) {
		rel.symbol = field_get(obj, pos, mips_r_sym);
		rel.type = field_get(obj, pos, mips_r_type);
	} else {
		info = field_get(obj, pos, r_info);
		rel.symbol = obj->wide ? ELF64_R_SYM(info) : ELF32_R_SYM(info);
		rel.type = obj->wide ? ELF64_R_TYPE(info) : ELF32_R_TYPE(info);
	}
	if (kind == SHT_RELA)
		rel.addend = field_get(obj, pos, r_addend);
	return rel;
}

/**
 * reloc_put() - store a relocation at position @pos
 *
 * The second and third type of a 64-bit MIPS entry are not changed.
 */
static inline void reloc_put(struct object *obj, u64 pos, u64 kind,
			     const struct reloc *rel)
{
	u64 symbol = rel->symbol;

	field_put(obj, pos, r_offset, rel->offset);
	if (obj->mips_info) {
		field_put(obj, pos, mips_r_sym, symbol);
		field_put(obj, pos, mips_r_type, rel->type);
	} else if (obj->wide) {
		field_put(obj, pos, r_info, ELF64_R_INFO(symbol, rel->type));
	} else {
		if (symbol >= 1u << 24)
			object_fault(obj, "symbol index %u does not fit a relocation",
				     rel->symbol);
		field_put(obj, pos, r_info, ELF32_R_INFO(symbol, rel->type));
	}
	if (kind == SHT_RELA)
		field_put(obj, pos, r_addend, rel->addend);
}

/** symbol_pos() - get the position in the image of symbol @index, which is checked */
static inline u64 symbol_pos(const struct object *obj, u32 index)
{
	if (index >= obj->nr_symbols)
		object_fault(obj, "symbol index %u out of range, there are %u symbols",
			     index, obj->nr_symbols);
	return obj->sections[obj->symtab].offset +
	       index * (u64)sym_size[obj->wide];
}

/** symbol_section() - get the index of the section that defines symbol @index, 0 if none does */
static inline u32 symbol_section(const struct object *obj, u32 index)
{
	u32 section = field_get(obj, symbol_pos(obj, index),
			       st_shndx);

	if (section == SHN_XINDEX) {
		if (!obj->shndx)
			object_fault(obj, "symbol %u needs a section index table",
				     index);
		section = image_get_bytes(obj, obj->sections[obj->shndx].offset +
					  index * SHNDX_SIZE,
					  SHNDX_SIZE);
	} else if (section >= SHN_LORESERVE) {
		return 0;
	}
	if (section >= obj->nr_sections)
		object_fault(obj, "symbol %u: section index %u out of range", index, section);
	return section;
}

/** symbol_get() - read and check symbol @index of the symbol table */
static inline struct symbol symbol_get(const struct object *obj, u32 index)
{
	u64 pos = symbol_pos(obj, index);
	u64 name = field_get(obj, pos, st_name);
	unsigned int info = field_get(obj, pos, st_info);
	const struct section *strings =
		&obj->sections[obj->sections[obj->symtab].link];

	if (name >= strings->size)
		object_fault(obj, "symbol %u: name offset %llu beyond the string table",
			     index, name);
	return (struct symbol) {
		.label = (char *)obj->image + strings->offset + name,
		.value = field_get(obj, pos, st_value),
		.section = symbol_section(obj, index),
		.bind = ELF64_ST_BIND(info),
		.type = ELF64_ST_TYPE(info),
	};
}

/** section_label() - get the name of a section; not valid after image_grow() */
static inline const char *section_label(const struct object *obj,
					u32 index)
{
	return (const char *)obj->image +
	       obj->sections[obj->names].offset + obj->sections[index].name;
}

#endif /* SCRIPTS_RECORDMCOUNT_ELF_H */
