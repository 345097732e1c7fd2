# SPDX-License-Identifier: GPL-2.0
"""Objects of all machines that recordmcount knows. They are generated here,
because a cross compiler may be missing, and some by clang's assembler."""

import shutil
import struct

from elfobj import (ALLOC, EM_386, EM_MIPS, EM_X86_64, FUNC, GLOBAL, LOCAL,
                    LORESERVE, REL, RELA, SECTION, WEAK, Builder, Elf)

R_MIPS_32, R_MIPS_26, R_MIPS_HI16, R_MIPS_LO16, R_MIPS_64 = 2, 4, 5, 6, 18

MOVE_AT_RA, JAL, NOP = 0x03e00825, 0x0c000000, 0
LUI_V1, ADDIU_V1, JALR_V1 = 0x3c030000, 0x24630000, 0x0060f809
LUI_V0, ADDIU_V0 = 0x3c020000, 0x24420000

KERNEL_FORM = (MOVE_AT_RA, JAL, NOP)
MODULE_FORM = (LUI_V1, ADDIU_V1, MOVE_AT_RA, JALR_V1, NOP)
ADDRESS_TAKEN = (LUI_V0, ADDIU_V0)

# name, bits, big endian, relocations, relocation type of an address
MIPS_KINDS = (
    ("mips 32-bit big endian", 32, True, REL, R_MIPS_32),
    ("mips 32-bit little endian", 32, False, REL, R_MIPS_32),
    ("mips 64-bit big endian", 64, True, RELA, R_MIPS_64),
    ("mips 64-bit little endian", 64, False, RELA, R_MIPS_64),
)


def words(big, *values):
    return struct.pack((">" if big else "<") + "I" * len(values), *values)


def check_types(bench, path, kind, number):
    """Checks that readelf, which knows the layouts itself, shows so many relocations
    of a type, and no warning."""
    text = bench.tool("readelf", "-rW", path)
    table = text[text.index("__mcount_loc'"):].split("\n\n")[0]
    assert table.count(kind) == number, text
    everything = bench.tool("readelf", "-aW", path)
    assert "Warning" not in everything, everything


def mips(bits, big, kind, word):
    name = "R_MIPS_32" if bits == 32 else "R_MIPS_64"

    def builder():
        return Builder(EM_MIPS, bits, big, kind)

    def kernel_form(bench):
        b = builder()
        text = b.section(".text", words(big, *KERNEL_FORM, NOP, *KERNEL_FORM))
        b.symbol("", text, bind=LOCAL, kind=SECTION)
        mcount = b.symbol("_mcount")
        b.reloc(text, 4, mcount, R_MIPS_26)
        b.reloc(text, 20, mcount, R_MIPS_26)
        path = bench.write("kernel.o", b.build())
        bench.record(path)
        elf = Elf(bench.read(path))
        assert elf.sites() == [(".text", 4), (".text", 20)]
        label = ".rel__mcount_loc" if kind == REL else ".rela__mcount_loc"
        assert {rel[3] for rel in elf.relocs(label)} == {word}
        check_types(bench, path, name, 2)

    def module_form(bench):
        b = builder()
        text = b.section(".text", words(big, *MODULE_FORM, *ADDRESS_TAKEN,
                                        *MODULE_FORM))
        b.symbol("", text, bind=LOCAL, kind=SECTION)
        mcount = b.symbol("_mcount")
        for start in (0, 20, 28):
            b.reloc(text, start, mcount, R_MIPS_HI16)
            b.reloc(text, start + 4, mcount, R_MIPS_LO16)
        path = bench.write("module.o", b.build())
        bench.record(path)
        assert Elf(bench.read(path)).sites() == [(".text", 0), (".text", 28)]
        check_types(bench, path, name, 2)

    def local_labels(bench):
        b = builder()
        text = b.section(".text", words(big, *KERNEL_FORM, *KERNEL_FORM))
        other = b.section(".init.text", words(big, *MODULE_FORM))
        b.symbol("$L1", text, 12, LOCAL)
        b.symbol("$L2", other, 4, LOCAL)
        b.symbol("weak", other, 0, WEAK, FUNC)
        b.symbol("function", text, 12, GLOBAL, FUNC)
        mcount = b.symbol("_mcount")
        b.reloc(text, 4, mcount, R_MIPS_26)
        b.reloc(text, 16, mcount, R_MIPS_26)
        b.reloc(other, 0, mcount, R_MIPS_HI16)
        b.reloc(other, 4, mcount, R_MIPS_LO16)
        path = bench.write("labels.o", b.build())
        bench.record(path)
        elf = Elf(bench.read(path))
        assert elf.sites() == [(".text", 4), (".text", 16), (".init.text", 0)]
        label = ".rel__mcount_loc" if kind == REL else ".rela__mcount_loc"
        bases = [elf.symbols[rel[2]] for rel in elf.relocs(label)]
        assert [sym.label for sym in bases] == ["function", "function", ""]
        assert bases[2].type == SECTION
        for section, count in ((".text", 2), (".init.text", 2)):
            prefix = ".rel" if kind == REL else ".rela"
            assert [elf.symbols[rel[2]].label for rel in
                    elf.relocs(prefix + section)] == ["_mcount"] * count
        check_types(bench, path, name, 3)

    def left_out(bench):
        b = builder()
        text = b.section(".exit.text", words(big, *KERNEL_FORM))
        b.reloc(text, 4, b.symbol("_mcount"), R_MIPS_26)
        path = bench.write("exit.o", b.build())
        before = bench.read(path)
        assert ".exit.text: 1 calls are not recorded" in bench.record("-w", path)
        assert bench.read(path) == before, "the stack would be off"

    return (("jal", kernel_form), ("-mlong-calls", module_form),
            ("$L labels and weak functions", local_labels),
            ("calls left out stay", left_out))


def assembled_mips(target, big):
    def body(bench):
        if not shutil.which("clang"):
            raise bench.Skip("no clang")
        path = bench.compile("""
	.set	noreorder
	.set	noat
	.text
	.globl	f
f:	move	$1, $31
	jal	_mcount
	nop
	nop
$Lloop:	bnez	$2, $Lloop
	nop
	.globl	g
g:	lui	$3, %hi(_mcount)
	addiu	$3, $3, %lo(_mcount)
	move	$1, $31
	jalr	$3
	nop
""", f"--target={target}", "-fno-pic", "-mno-abicalls", compiler="clang")
        elf = Elf(bench.read(path))
        assert (elf.order == ">") == big
        bench.record(path)
        elf = Elf(bench.read(path))
        assert elf.sites() == [(".text", 4), (".text", 24)], elf.sites()
        check_types(bench, path, f"R_MIPS_{elf.bits}", 2)
    return body


def x86(machine, bits, kind, name):
    def body(bench):
        b = Builder(machine, bits, False, kind)
        call = b"\x90\xe8" + bytes(4) if kind == RELA else b"\x90\xe8" + \
            b"\xfc\xff\xff\xff"
        text = b.section(".text", call * 3)
        b.symbol("here", text, 6, LOCAL)
        fentry = b.symbol("__fentry__")
        for i in range(3):
            b.reloc(text, 6 * i + 2, fentry, 2 if i else 4, -4)
        path = bench.write("x86.o", b.build())
        bench.record(path)
        assert Elf(bench.read(path)).sites() == \
            [(".text", 1), (".text", 7), (".text", 13)]
        check_types(bench, path, name, 3)
    return body


def extended_numbering(number):
    """Returns a case with so many sections. recordmcount adds two; with 0xff00 or
    more, e_shnum is 0."""
    def body(bench):
        b = Builder(EM_X86_64)
        text = b.section(".text", b"\xe8" + bytes(4))
        b.symbol("f", text, 0, WEAK, FUNC)
        b.reloc(text, 1, b.symbol("__fentry__"), 4, -4)
        for _ in range(number - 6):
            b.section(".fill", flags=ALLOC)
        path = bench.write("many.o", b.build())
        assert len(Elf(bench.read(path)).sections) == number
        bench.record(path)
        elf = Elf(bench.read(path))
        assert len(elf.sections) == number + 2
        assert (elf.header["e_shnum"] == 0) == (number + 2 >= LORESERVE)
        assert elf.sites() == [(".text", 0)]
        everything = bench.tool("readelf", "-SsrW", path)
        assert "Warning" not in everything
    return body


def executable_only(bench):
    """A relocation in data is no call, even if the byte before it is that of one."""
    b = Builder(EM_X86_64)
    data = b.section(".text.data", b"\xe8" + bytes(4), flags=ALLOC)
    b.reloc(data, 1, b.symbol("__fentry__"), 4, -4)
    path = bench.write("data.o", b.build())
    before = bench.read(path)
    bench.record(path)
    assert bench.read(path) == before


CASES = [(f"{kind[0]}: {what}", body) for kind in MIPS_KINDS
         for what, body in mips(*kind[1:])]
CASES += [(f"{target}: assembled by clang", assembled_mips(target, big))
          for target, big in (("mips-linux-gnu", True),
                              ("mipsel-linux-gnu", False),
                              ("mips64-linux-gnuabi64", True),
                              ("mips64el-linux-gnuabi64", False))]
CASES += [
    ("i386: by hand", x86(EM_386, 32, REL, "R_386_32")),
    ("x86-64: by hand", x86(EM_X86_64, 64, RELA, "R_X86_64_64")),
    ("x86-64: REL relocations", x86(EM_X86_64, 64, REL, "R_X86_64_64")),
    ("x86-64: sections become 65279", extended_numbering(LORESERVE - 3)),
    ("x86-64: sections become 65280", extended_numbering(LORESERVE - 2)),
    ("x86-64: sections become 65281", extended_numbering(LORESERVE - 1)),
    ("x86-64: relocations of data are no calls", executable_only),
]
