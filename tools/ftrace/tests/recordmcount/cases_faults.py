# SPDX-License-Identifier: GPL-2.0
"""Objects that are malformed, truncated or of an unknown machine. For each fault
recordmcount prints one message, exits with 1 and leaves the file as it was."""

import re
import struct

from cases_compiled import KERNEL
from cases_files import refused
from elfobj import (EM_MIPS, EM_X86_64, FUNC, LOCAL, LORESERVE, RELA, SECTION, SHNDX,
                    SYMTAB, WEAK, XINDEX, Builder, Elf)

HUGE = (1 << 64) - 1


def base():
    """Returns a valid object, whose section and symbol numbers are known."""
    b = Builder(EM_X86_64)
    code = b"\xe8" + bytes(4) + b"\xc3"
    strong = b.section(".text.strong", code)
    weak = b.section(".text.weak", code)
    b.section(".comment", b"made by hand\0", flags=0)
    fentry = b.symbol("__fentry__")
    b.symbol("strong", strong, kind=FUNC)
    b.symbol("weak", weak, bind=WEAK, kind=FUNC)
    b.reloc(strong, 1, fentry, 4, -4)
    b.reloc(weak, 1, fentry, 4, -4)
    return b.build()


def compiled(bench):
    path = bench.compile("weak.c", *KERNEL, "-ffunction-sections",
                         name="sound.o")
    return bench.read(path)


def undamaged(bench):
    path = bench.write("sound.o", base())
    bench.record(path)
    assert Elf(bench.read(path)).sites() == \
        [(".text.strong", 0), (".text.weak", 0)]


def refuse(bench, data, message):
    refused(bench, bench.write("bad.o", bytes(data)), message)


def header(name, value, message):
    def body(bench):
        elf = Elf(base())
        refuse(bench, elf.set(elf.header, name, value).data, message)
    return body


def ident(index, value, message):
    def body(bench):
        data = bytearray(base())
        data[index] = value
        refuse(bench, data, message)
    return body


def section(label, name, value, message):
    """Returns a case that sets a member of a section header. The value may be a
    function of the object."""
    def body(bench):
        elf = Elf(base())
        number = value(elf) if callable(value) else value
        elf.set(elf.section(label), name, number)
        refuse(bench, elf.data, message)
    return body


def first_section(names, message):
    def body(bench):
        elf = Elf(base())
        for name, value in names.items():
            record = elf.header if name.startswith("e_") else elf.sections[0]
            elf.set(record, name, value)
        refuse(bench, elf.data, message)
    return body


def symbol(name, value, message):
    def body(bench):
        elf = Elf(base())
        elf.set(elf.symbol("strong"), name, value)
        refuse(bench, elf.data, message)
    return body


def reloc(member, value, message):
    """Returns a case that sets offset or symbol of the relocation of the call in
    .text.strong."""
    def body(bench):
        elf = Elf(base())
        pos = elf.relocs(".rela.text.strong")[0][0]
        number = value(elf) if callable(value) else value
        if member == "offset":
            elf.set_number(pos, 8, number)
        else:
            elf.set_number(pos + 12, 4, number)
        refuse(bench, elf.data, message)
    return body


def truncated(size, message):
    def body(bench):
        data = base()
        refuse(bench, data[:size(Elf(data)) if callable(size) else size],
               message)
    return body


def refused_at_any_length(bench, data):
    """Checks that an object is rejected, without a crash, if its end is missing."""
    for size in range(len(data) - 1, -1, -3):
        path = bench.write("short.o", data[:size])
        done = bench.run(path, fast=True)
        assert done.returncode == 1, (size, done.returncode)
        assert len(done.stderr.splitlines()) == 1, (size, done.stderr)
        assert bench.read(path) == data[:size], size


def refused_at_each_header(bench, data):
    elf = Elf(data)
    edges = {0, 16, 64} | {sec.pos for sec in elf.sections} | \
        {sec["offset"] for sec in elf.sections}
    for edge in sorted(edges):
        for size in (edge, edge + 1):
            if size >= len(elf.data):
                continue
            path = bench.write("short.o", elf.data[:size])
            refused(bench, path, "")


def each_word_may_be_damaged(bench, data):
    """Sets each 32-bit word of the headers to 0 and to large numbers, and checks
    that the object is either rejected, and left as it was, or recorded."""
    elf = Elf(data)
    table = range(elf.header["e_shoff"], len(elf.data), 4)
    for pos in list(range(0, 64, 4)) + list(table):
        for value in (0, 0x7fffffff, 0xffffffff):
            data = bytearray(elf.data)
            data[pos:pos + 4] = struct.pack(elf.order + "I", value)
            path = bench.write("bad.o", bytes(data))
            done = bench.run(path, fast=True)
            assert done.returncode in (0, 1), (pos, value, done.returncode)
            if done.returncode:
                assert bench.read(path) == data, (pos, value)


def whole(check):
    """Returns a case: a check, on an object of this machine's compiler."""
    return lambda bench: check(bench, compiled(bench))


def machine(number, bits, big, message):
    def body(bench):
        b = Builder(number, bits, big)
        b.section(".text", bytes(8))
        b.symbol("f")
        refuse(bench, b.build(), message)
    return body


def two_symbol_tables(bench):
    elf = Elf(base())
    elf.set(elf.section(".comment"), "type", SYMTAB)
    elf.set(elf.section(".comment"), "entsize", 24)
    elf.set(elf.section(".comment"), "size", 0)
    refuse(bench, elf.data, "two symbol tables, sections ")


def unterminated(label, whose):
    def body(bench):
        elf = Elf(base())
        sec = elf.section(label)
        elf.data[sec["offset"] + sec["size"] - 1] = ord("x")
        refuse(bench, elf.data,
               f"string table of the {whose} names is not terminated")
    return body


def shndx_table(name, value, message):
    def body(bench):
        b = Builder(EM_X86_64)
        text = b.section(".text", b"\xe8" + bytes(4))
        b.symbol("f", text, 0, WEAK, FUNC)
        b.reloc(text, 1, b.symbol("__fentry__"), 4, -4)
        for _ in range(LORESERVE):
            b.section(".fill")
        elf = Elf(b.build())
        sec = [sec for sec in elf.sections if sec["type"] == SHNDX][0]
        refuse(bench, elf.set(sec, name, value).data, message)
    return body


def no_index_for_a_new_symbol(bench):
    """A call in a section without a symbol needs a new symbol. The number of the
    section is above 0xff00, but there is no section for such numbers."""
    b = Builder(EM_X86_64)
    for _ in range(LORESERVE):
        b.section(".fill")
    text = b.section(".text", b"\xe8" + bytes(4))
    b.symbol("", bind=LOCAL)
    b.reloc(text, 1, b.symbol("__fentry__"), 4, -4)
    elf = Elf(b.build())
    sec = [sec for sec in elf.sections if sec["type"] == SHNDX][0]
    refuse(bench, elf.set(sec, "type", 0x60000000).data,
           f"section {text} needs a section index table")


def call_across_the_end(bench):
    """The last byte of the call is beyond the end of its section."""
    for number, kind, code in ((EM_X86_64, 4, b"\xe8"), (EM_MIPS, 4, b"")):
        b = Builder(number, kind=RELA)
        text = b.section(".text", code + bytes(3))
        b.symbol("", text, bind=LOCAL, kind=SECTION)
        name = "__fentry__" if number == EM_X86_64 else "_mcount"
        b.reloc(text, len(code), b.symbol(name), kind)
        refuse(bench, b.build(), "section 2 (.rela.text): relocation at "
               f"{len(code)} reaches beyond its section")


def every_message_is_its_own(_bench):
    """Different faults have different messages, not counting numbers and names."""
    seen = {}
    for name, _, message in FAULTS:
        text = re.sub(r"[0-9]+|\(\S+\)", "#", message)
        assert seen.setdefault(text, name.split(":")[0]) == \
            name.split(":")[0], (name, seen[text])


NOT_ELF = b"!<arch>\nnot an object at all, but an archive\n"
STRONG = ".text.strong"
RELOCS = ".rela.text.strong"

# name (what is wrong: where), how it is made, the message's beginning
FAULTS = [
    ("empty", truncated(0, "empty file"), "empty file"),
    ("not ELF: three bytes", truncated(3, "not an ELF file"),
     "not an ELF file"),
    ("not ELF: archive", lambda b: refuse(b, NOT_ELF, "not an ELF file"),
     "not an ELF file"),
]


def fault(name, maker, *arguments):
    FAULTS.append((name, maker(*arguments), arguments[-1]))


fault("short identification", truncated, 9,
      "truncated in the ELF identification")
fault("short ELF header", truncated, 63, "truncated in the ELF header")
fault("short section headers: one byte", truncated,
      lambda elf: len(elf.data) - 1, "truncated in the section header table of ")
fault("short section headers: none left", truncated,
      lambda elf: elf.header["e_shoff"],
      "section header table lies beyond the end of the file")
fault("ELF class unknown", ident, 4, 3, "unknown ELF class 3")
fault("ELF class wrong", ident, 4, 1,
      "ELF class 1 with byte order 1 does not go with machine 62")
fault("byte order unknown", ident, 5, 0, "unknown byte order 0")
fault("ELF version unknown", ident, 6, 7, "unknown ELF version 7")
fault("type: program", header, "e_type", 2,
      "not a relocatable object, its type is 2")
fault("machine: of the future", header, "e_machine", 999,
      "machine 999 is not supported")
fault("machine: ARM", machine, 40, 32, False, "machine 40 is not supported")
fault("ELF class wrong: i386 with 64 bits", machine, 3, 64, False,
      "ELF class 2 with byte order 1 does not go with machine 3")
fault("ELF class wrong: x86-64 big endian", machine, 62, 64, True,
      "ELF class 2 with byte order 2 does not go with machine 62")
fault("ELF header size", header, "e_ehsize", 52,
      "ELF header size does not fit its class")
fault("section header size", header, "e_shentsize", 40,
      "section header size does not fit its class")
fault("section headers absent", header, "e_shoff", 0,
      "no section header table")
fault("short section headers: none left, far away", header, "e_shoff", HUGE,
      "section header table lies beyond the end of the file")
fault("no sections", first_section, {"e_shnum": 0, "size": 0}, "no sections")
fault("short section headers: too many", header, "e_shnum", 0xfe00,
      "truncated in the section header table of 65024 sections")
fault("short section headers: far too many", first_section,
      {"e_shnum": 0, "size": HUGE},
      f"truncated in the section header table of {HUGE} sections")
fault("section names: index", header, "e_shstrndx", 999,
      "section index 999 of the section names out of range")
fault("section names: none", header, "e_shstrndx", 0,
      "section index 0 of the section names out of range")
fault("section names: extended index", first_section,
      {"e_shstrndx": XINDEX, "link": 0x10000},
      "section index 65536 of the section names out of range")
fault("section names are none", header, "e_shstrndx", 1,
      "section 1 with the section names is no string table")
fault("section name", section, STRONG, "name", 1 << 31,
      f"section 1: name offset {1 << 31} beyond the string table")
fault("section contents: offset", section, STRONG, "offset", HUGE,
      "section 1: contents lie beyond the end of the file")
fault("section contents: size", section, STRONG, "size", HUGE,
      "section 1: contents lie beyond the end of the file")
fault("symbol table: entry size", section, ".symtab", "entsize", 16,
      "section 6 (.symtab): entries of 24 bytes expected")
fault("symbol table: size", section, ".symtab", "size",
      lambda elf: elf.section(".symtab")["size"] - 1,
      "section 6 (.symtab): entries of 24 bytes expected")
fault("symbol names: index", section, ".symtab", "link", 999,
      "section index 999 of the symbol names out of range")
fault("symbol names are none", section, ".symtab", "link", 1,
      "section 1 with the symbol names is no string table")
fault("first global symbol", section, ".symtab", "info", 999,
      "first global symbol 999 out of range")
fault("first global symbol: the null symbol", section, ".symtab", "info", 0,
      "first global symbol 0 out of range")
fault("symbol table: relocation entry size", section, RELOCS, "entsize", 16,
      "section 4 (.rela.text.strong): entries of 24 bytes expected")
fault("relocations without symbols", section, RELOCS, "link", 1,
      "section 4 (.rela.text.strong): its symbol table, section 1, is not one")
fault("relocated section: index", section, RELOCS, "info", 999,
      "section 4 (.rela.text.strong): relocates section index 999, out of range")
fault("relocated section: none", section, RELOCS, "info", 0,
      "section 4 (.rela.text.strong): relocates section index 0, out of range")
fault("relocation outside", reloc, "offset", 4096,
      "section 4 (.rela.text.strong): relocation at 4096 lies beyond its section")
fault("relocation outside: far", reloc, "offset", HUGE,
      f"section 4 (.rela.text.strong): relocation at {HUGE} lies beyond its section")
fault("relocation half outside", reloc, "offset",
      3, "section 4 (.rela.text.strong): relocation at 3 reaches beyond its section")
fault("relocation's symbol", reloc, "symbol", 999,
      "section 4 (.rela.text.strong): symbol index 999 out of range")
fault("symbol name", symbol, "name", 1 << 30,
      f"symbol 2: name offset {1 << 30} beyond the string table")
fault("symbol's section", symbol, "shndx", 999,
      "symbol 2: section index 999 out of range")
fault("symbol's section in a table that is absent", symbol, "shndx", XINDEX,
      "symbol 2 needs a section index table")
fault("section index table: link", shndx_table, "link", 0,
      "section 65286 (.symtab_shndx): not for the symbol table")
fault("section index table: size", shndx_table, "size", 4,
      "section 65286 (.symtab_shndx): not one word for each symbol")

CASES = [("fault: none", undamaged)] + [(f"fault: {name}", body) for name, body, _ in FAULTS] + [
    ("fault: two symbol tables", two_symbol_tables),
    ("fault: section names not terminated",
     unterminated(".shstrtab", "section")),
    ("fault: symbol names not terminated", unterminated(".strtab", "symbol")),
    ("fault: no place for a section index", no_index_for_a_new_symbol),
    ("fault: a call across its section's end", call_across_the_end),
    ("fault: truncated at each header", whole(refused_at_each_header)),
    ("fault: truncated anywhere", whole(refused_at_any_length)),
    ("fault: each word of the headers damaged",
     whole(each_word_may_be_damaged)),
    ("fault: every message is its own", every_message_is_its_own),
]
