/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What recordmcount looks for: which machines' objects it knows, what a call
 * to the profiling function looks like on each, and which sections hold code
 * whose calls are worth recording. A new machine is a row of machines[] and,
 * if its calls look new, a table of struct call_form.
 *
 * recordmcount.c is the only user. Nothing here looks into an object beyond
 * its header; Kbuild compiles every object anew when this file changes.
 */
#ifndef SCRIPTS_RECORDMCOUNT_H
#define SCRIPTS_RECORDMCOUNT_H

#include "recordmcount_elf.h"

/**
 * struct call_form - how a call to the profiling function appears
 * @reloc: type of the relocation that counts
 * @back: bytes from the start of the call to what is relocated
 * @width: size of the unit in which instructions are read
 * @mask: bits of the first unit that tell it is a call
 * @opcode: their value
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
 * with lui $3, %hi(_mcount). The register tells it from code that takes the
 * address of _mcount, and the R_MIPS_LO16 that follows is no site of its own.
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
 * struct machine - what has to be known about a kind of object
 * @number: EM_*
 * @class: ELFCLASS*
 * @order: ELFDATA*, 0 for both
 * @mips_info: r_info is laid out as 64-bit MIPS does
 * @word: size of an address, the unit of the table
 * @word_reloc: relocation that puts a symbol's address there
 * @symbols: the names of the profiling function, without leading dot
 * @forms: its calls
 * @nop: what a call that is left out becomes; NULL to leave it a call
 * @nop_size: size of the call and of @nop
 *
 * A relocation of type 0 means no relocation on every machine.
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
 * The first row that fits a section's name decides whether its calls are
 * recorded; no row, no record. A row fits the name itself, and with @parts
 * also the name followed by a dot and more.
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

/** find_machine() - the row for an identified object, or a fault */
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
		fault(obj, "machine %u is not supported", obj->machine);
	fault(obj, "ELF class %u with byte order %u does not go with machine %u",
	      class, order, obj->machine);
}

/** is_profiling_name() - is this the profiling function of @machine? */
static inline bool is_profiling_name(const struct machine *machine,
				     const char *name)
{
	name += name[0] == '.';
	for (size_t i = 0; machine->symbols[i]; i++)
		if (!strcmp(machine->symbols[i], name))
			return true;
	return false;
}

/** is_recorded_name() - are calls in sections of that name recorded? */
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
