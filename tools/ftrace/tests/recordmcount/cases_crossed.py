# SPDX-License-Identifier: GPL-2.0
"""Objects of the cross compilers that Kbuild uses for the other architectures:
compares the recorded sites to the table in golden/, to the calls that objdump
shows, and to the addresses after linking."""

import re
import shutil

from cases_faults import (each_word_may_be_damaged, refused_at_any_length,
                          refused_at_each_header)
from cases_mutants import survive
from elfobj import FUNC, Elf

COMMON = ("-pg", "-fno-pie", "-fno-reorder-functions", "-fno-toplevel-reorder",
          "-fno-asynchronous-unwind-tables")
X86 = ("-mfentry", "-fcf-protection=none", "-mregparm=3")
MIPS = ("-fno-pic", "-mno-abicalls", "-G0", "-ffreestanding",
        "-mno-check-zero-division")
RA_ADDRESS = ("-mmcount-ra-address",)
LONG_CALLS = ("-mlong-calls",)
SYM32 = ("-msym32",)

INSN = re.compile(r"^\s*([0-9a-f]+):\t([0-9a-f ]+)\t")
RELOC = re.compile(r"^\s+[0-9a-f]+: (R_\S+)\s+(\S+)$")


class Cross:
    """A compiler with its flags, and the relocation and the symbol by which its
    calls of the profiler are found."""

    def __init__(self, name, prefix, flags, relocation, profiler):
        self.name, self.prefix = name, prefix
        self.flags = COMMON + flags
        self.relocation, self.profiler = relocation, profiler

    def tool(self, bench, name, *arguments):
        return bench.tool(self.prefix + name, *arguments)

    def compile(self, bench, source, *flags, **options):
        compiler = self.prefix + "gcc"
        if not shutil.which(compiler):
            raise bench.Skip(f"no {compiler}")
        return bench.compile(source, *self.flags, *flags, compiler=compiler,
                             **options)

    def calls_seen(self, bench, path):
        """Returns {(section, offset)} of the first instruction of each call."""
        seen, section, insn = set(), None, None
        for line in self.tool(bench, "objdump", "-drz", path).splitlines():
            if line.startswith("Disassembly of section "):
                section = line.split()[-1].rstrip(":")
            elif INSN.match(line):
                insn = int(INSN.match(line).group(1), 16)
            elif RELOC.match(line) and RELOC.match(line).groups() == \
                    (self.relocation, self.profiler):
                seen.add((section, insn))
        return seen


def function_around(elf, section, offset):
    """Returns the function that contains an offset."""
    here = [sym for sym in elf.symbols if sym.type == FUNC and
            elf.sections[sym.section].label == section and
            sym["value"] <= offset]
    return max(here, key=lambda sym: sym["value"]).label


def check_golden(bench, path):
    elf = Elf(bench.read(path))
    with open(f"{bench.golden}/functions.x86_64", encoding="ascii") as file:
        golden = [tuple(line.split()) for line in file]
    table = [(section, function_around(elf, section, offset))
             for section, offset in elf.sites()]
    assert table == golden, table


def of_every_kind(cross):
    def body(bench):
        path = cross.compile(bench, "functions.c")
        before = cross.calls_seen(bench, path)
        bench.record(path)
        check_golden(bench, path)
        sites = Elf(bench.read(path)).sites()
        recorded = {section for section, _ in sites}
        assert len(set(sites)) == len(sites)
        assert set(sites) == {call for call in before if call[0] in recorded}
        everything = cross.tool(bench, "readelf", "-aW", path)
        assert "Warning" not in everything and "Error" not in everything
    return body


def as_linked(cross):
    """Returns a case: after linking, the table has the addresses of the calls."""
    def body(bench):
        objects = [cross.compile(bench, name + ".c", name=name + ".o")
                   for name in ("weak", "functions", "override")]
        for path in objects:
            bench.record(path)
        profiler = cross.compile(
            bench, f"\t.globl {cross.profiler}\n{cross.profiler}:\n\tnop\n",
            name="profiler.o")
        parts, program = bench.path("parts.o"), bench.path("program")
        cross.tool(bench, "gcc", "-nostdlib", *cross.flags, "-r", *objects[:2],
                   "-o", parts)
        cross.tool(bench, "gcc", "-nostdlib", *cross.flags, "-static", "-Wl,-e0",
                   "-Wl,--emit-relocs", parts, objects[2], profiler,
                   "-o", program)
        elf = Elf(bench.read(program))
        table = elf.section("__mcount_loc")
        word = elf.bits // 8
        words = [elf.number(table["offset"] + i, word)
                 for i in range(0, table["size"], word)]
        calls = {call for _, call in cross.calls_seen(bench, program)}
        assert len(words) == len(set(words)) == 4 + 13 + 3, words
        assert set(words) <= calls, (words, calls)
    return body


def damaged(cross, check, *arguments):
    """Returns a case: a check with damaged objects, on one of this compiler."""
    def body(bench):
        path = cross.compile(bench, "weak.c", "-ffunction-sections",
                             name="sound.o")
        check(bench, bench.read(path), *arguments)
    return body


def mips(name, prefix, *flags):
    """Returns compilers with the flags for the kernel and with those for modules."""
    return (Cross(f"{name}: gcc, kernel", prefix, MIPS + flags,
                  "R_MIPS_26", "_mcount"),
            Cross(f"{name}: gcc, kernel with -mmcount-ra-address", prefix,
                  MIPS + RA_ADDRESS + flags, "R_MIPS_26", "_mcount"),
            Cross(f"{name}: gcc, module", prefix,
                  MIPS + LONG_CALLS + flags, "R_MIPS_HI16", "_mcount"),
            Cross(f"{name}: gcc, module with -mmcount-ra-address", prefix,
                  MIPS + RA_ADDRESS + LONG_CALLS + flags,
                  "R_MIPS_HI16", "_mcount"))


CROSSES = (
    Cross("i386: gcc", "i686-linux-gnu-", X86, "R_386_PC32", "__fentry__"),
    *mips("mips", "mips-linux-gnu-"),
    *mips("mipsel", "mipsel-linux-gnu-"),
    *mips("mips64", "mips64el-linux-gnuabi64-", "-EB", *SYM32),
    *mips("mips64el", "mips64el-linux-gnuabi64-", *SYM32),
)

CASES = [(f"{cross.name}: sections of every kind", of_every_kind(cross))
         for cross in CROSSES]
CASES += [(f"{cross.name}: as linked", as_linked(cross)) for cross in CROSSES]
CASES += [(f"{cross.name}: {what}", damaged(cross, *check))
          for cross in CROSSES if cross.name.endswith((": gcc", ": gcc, module"))
          for what, *check in (
              ("truncated at each header", refused_at_each_header),
              ("truncated anywhere", refused_at_any_length),
              ("each word of the headers damaged", each_word_may_be_damaged),
              ("mutants", survive, 616))]
