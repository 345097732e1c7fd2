/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of recordmcount: the machines that it supports, the form of a call to
 * the profiling function on each, and the sections whose calls are recorded. A
 * new machine is a row of machines[] and, if its calls have another form, a
 * table of struct call_form.
 *
 * recordmcount.c is the only user. The code here reads only the header of an
 * object. Kbuild compiles all objects again when this file changes.
 */
#ifndef SCRIPTS_RECORDMCOUNT_H
#define SCRIPTS_RECORDMCOUNT_H

#include "recordmcount_elf.h"

/**
 * struct call_form - form of a call to the profiling function
 * @reloc: type of the relocation of the call
 * @back: bytes from the start of the call to the relocated bytes
 * @width: size in bytes of the unit in which instructions are read
 * @mask: bits of the first unit that identify a call
 * @opcode: value of the bits in @mask
 */
struct call_form {
	u32 reloc;
	unsigned int back, width;
	u32 mask, opcode;
};

#define FORMS_END	{ .width = 0 }

static const struct call_form x86_64_forms[] = {
	{ R_X86_64_PLT32, 1, 1, 0xff, 0xe8 },
	{ R_X86_64_PC32, 1, 1, 0xff, 0xe8 },
	FORMS_END
};

static const struct call_form i386_forms[] = {
	{ R_386_PC32, 1, 1, 0xff, 0xe8 },
	{ R_386_PLT32, 1, 1, 0xff, 0xe8 },
	FORMS_END
};

/*
 * jal _mcount in the kernel; in modules (-mlong-calls) a sequence that starts
 * with lui $3, %hi(_mcount). The register distinguishes it from code that takes
 * the address of _mcount. The R_MIPS_LO16 that follows is part of the same site.
 */
static const struct call_form mips_forms[] = {
	{ R_MIPS_26, 0, 4, 0xfc000000, 0x0c000000 },
	{ R_MIPS_HI16, 0, 4, 0xffff0000, 0x3c030000 },
	FORMS_END
};

static const char *const x86_symbols[] = {
	"__fentry__", "mcount", "_mcount", NULL
};

static const char *const mips_symbols[] = { "_mcount", "mcount", NULL };

/**
 * struct machine - description of a kind of object
 * @number: EM_*
 * @class: ELFCLASS*
 * @order: ELFDATA*, 0 for both byte orders
 * @mips_info: true if r_info has the layout of 64-bit MIPS
 * @word: size in bytes of an address, which is an entry of the table
 * @word_reloc: type of the relocation that stores a symbol's address in an entry
 * @symbols: names of the profiling function, without leading dot
 * @forms: forms of its calls
 * @nop: replaces a call that is not recorded; NULL to leave the call
 * @nop_size: size of the call and of @nop in bytes
 *
 * On every machine, relocation type 0 means no relocation.
 */
struct machine {
	unsigned int number, class, order;
	bool mips_info;
	unsigned int word;
	u32 word_reloc;
	const char *const *symbols;
	const struct call_form *forms;
	const unsigned char *nop;
	unsigned int nop_size;
};

static const unsigned char x86_64_nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
static const unsigned char i386_nop[] = { 0x3e, 0x8d, 0x74, 0x26, 0x00 };

static const struct machine machines[] = {
	{
		.number = EM_X86_64, .class = ELFCLASS64, .order = ELFDATA2LSB,
		.word = 8, .word_reloc = R_X86_64_64,
		.symbols = x86_symbols, .forms = x86_64_forms,
		.nop = x86_64_nop, .nop_size = sizeof(x86_64_nop),
	}, {
		.number = EM_386, .class = ELFCLASS32, .order = ELFDATA2LSB,
		.word = 4, .word_reloc = R_386_32,
		.symbols = x86_symbols, .forms = i386_forms,
		.nop = i386_nop, .nop_size = sizeof(i386_nop),
	}, {
		/* The instructions around a call adjust the stack for it. */
		.number = EM_MIPS, .class = ELFCLASS32,
		.word = 4, .word_reloc = R_MIPS_32,
		.symbols = mips_symbols, .forms = mips_forms,
	}, {
		.number = EM_MIPS, .class = ELFCLASS64, .mips_info = true,
		.word = 8, .word_reloc = R_MIPS_64,
		.symbols = mips_symbols, .forms = mips_forms,
	},
};

/*
 * The first row that matches the name of a section decides whether its calls are
 * recorded; without a matching row they are not. A row matches its own name, and
 * with @parts also its name followed by a dot and more.
 */
static const struct text_section {
	const char *name;
	bool parts, recorded;
} text_sections[] = {
	/* destructors, dropped by the linker where nothing is ever unloaded */
	{ ".text.exit",		true,	false },
	{ ".text",		true,	true },
	{ ".init.text",		true,	true },
	{ ".ref.text",		false,	true },
	{ ".sched.text",	false,	true },
	{ ".spinlock.text",	false,	true },
	{ ".irqentry.text",	false,	true },
	{ ".softirqentry.text",	false,	true },
	{ ".kprobes.text",	false,	true },
	{ ".cpuidle.text",	false,	true },
};

/** find_machine() - get the row for an identified object, or end with a fault */
static inline const struct machine *find_machine(const struct object *obj)
{
	unsigned int class = obj->wide ? ELFCLASS64 : ELFCLASS32;
	unsigned int order = obj->big ? ELFDATA2MSB : ELFDATA2LSB;
	bool known = false;

	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		if (machines[i].number != obj->machine)
			continue;
		known = true;
		if (machines[i].class == class &&
		    (!machines[i].order || machines[i].order == order))
			return &machines[i];
	}
	if (!known)
		object_fault(obj, "machine %u is not supported", obj->machine);
	object_fault(obj, "ELF class %u with byte order %u does not go with machine %u",
		     class, order, obj->machine);
}

/** is_profiling_name() - test whether a symbol is the profiling function of @machine */
static inline bool is_profiling_name(const struct machine *machine,
				     const char *name)
{
	name += name[0] == '.';
	for (size_t i = 0; machine->symbols[i]; i++)
		if (!strcmp(machine->symbols[i], name))
			return true;
	return false;
}

/** is_recorded_name() - test whether calls in sections of this name are recorded */
static inline bool is_recorded_name(const char *name)
{
	const struct text_section *row = text_sections;
	size_t len;

	for (; row < text_sections + ARRAY_SIZE(text_sections); row++) {
		len = strlen(row->name);
		if (!strncmp(name, row->name, len) &&
		    (!name[len] || (row->parts && name[len] == '.')))
			return row->recorded;
	}
	return false;
}

#endif /* SCRIPTS_RECORDMCOUNT_H */
