# SPDX-License-Identifier: GPL-2.0
"""Objects of this machine's compiler: compares the recorded sites to tables in
golden/, to the calls that objdump shows, and to the addresses after linking."""

import os
import re
import shutil

from elfobj import Elf, FUNC, SECTION

KERNEL = ("-pg", "-mfentry", "-fno-pie", "-fno-asynchronous-unwind-tables",
          "-fcf-protection=none", "-fno-reorder-functions",
          "-fno-toplevel-reorder")
CALL = re.compile(r"^\s*([0-9a-f]+):.*\bcallq?\s")
RELOC = re.compile(r"^\s+[0-9a-f]+: (R_\S+)\s+(\S+?)(-0x4)?$")
PROFILER = ("__fentry__", "mcount", "_mcount")


def calls_seen(bench, path):
    """Returns {(section, offset)} of the calls that objdump shows."""
    seen, section, call = set(), None, None
    for line in bench.tool("objdump", "-dr", path).splitlines():
        if line.startswith("Disassembly of section "):
            section = line.split()[-1].rstrip(":")
        elif CALL.match(line):
            call = int(CALL.match(line).group(1), 16)
        elif RELOC.match(line) and call is not None:
            if RELOC.match(line).group(2) in PROFILER:
                seen.add((section, call))
            call = None
    return seen


def function_at(elf, section, offset):
    """Returns the function of which the call at an offset is the first
    instruction, or the first one after endbr."""
    for sym in elf.symbols:
        if (sym.type == FUNC and elf.sections[sym.section].label == section
                and offset - 4 <= sym["value"] <= offset):
            return sym.label
    return None


def check_readable(bench, path):
    """Checks that readelf prints no warning and that ld accepts the object."""
    done = bench.tool("readelf", "-aW", path)
    assert "Warning" not in done and "Error" not in done, done
    bench.tool("ld", "-m", "elf_x86_64" if Elf(bench.read(path)).bits == 64
               else "elf_i386", "-r", path, "-o", bench.path("relinked.o"))


def golden(bench, name):
    with open(os.path.join(bench.golden, name), encoding="ascii") as file:
        return [tuple(line.split()) for line in file]


def check_golden(bench, path, name):
    elf = Elf(bench.read(path))
    table = [(sec, function_at(elf, sec, off)) for sec, off in elf.sites()]
    assert table == golden(bench, name), table


def check_sites(bench, path):
    """Checks that the table has each call that is left in the object, once, and
    nothing else."""
    sites = Elf(bench.read(path)).sites()
    assert len(set(sites)) == len(sites), sites
    seen = calls_seen(bench, path)
    assert set(sites) == seen, (set(sites) ^ seen)
    check_readable(bench, path)


def sections_of_every_kind(bench):
    path = bench.compile("functions.c", *KERNEL)
    before = calls_seen(bench, path)
    bench.record(path)
    check_golden(bench, path, "functions.x86_64")
    check_sites(bench, path)
    left = {sec for sec, _ in before} - {sec for sec, _ in
                                         calls_seen(bench, path)}
    assert left == {sec for sec, _ in golden(bench, "functions.left-out")}


def left_out_calls_become_nops(bench):
    path = bench.compile("functions.c", *KERNEL)
    before = Elf(bench.read(path))
    bench.record(path)
    elf = Elf(bench.read(path))
    for section, number in golden(bench, "functions.left-out"):
        text = elf.section(section)
        nops = 0
        for old, new in zip(before.relocs(".rela" + section),
                            elf.relocs(".rela" + section)):
            if before.symbols[old[2]].label != "__fentry__":
                assert old[1:] == new[1:], "another relocation changed"
                continue
            start = text["offset"] + new[1] - 1
            assert elf.data[start:start + 5] == bytes.fromhex("0f1f440000")
            assert new[3] == 0, "the relocation is still there"
            nops += 1
        assert nops == int(number), (section, nops)


def warning_names_sections(bench):
    path = bench.compile("functions.c", *KERNEL)
    printed = bench.record("-w", path)
    found = re.findall(r"^recordmcount: (\S+): warning: section (\S+): "
                       r"(\d+) calls are not recorded$", printed, re.M)
    assert [line[1:] for line in found] == golden(bench, "functions.left-out")
    assert {line[0] for line in found} == {path}
    assert len(printed.splitlines()) == len(found), printed
    assert bench.record(bench.compile("functions.c", *KERNEL)) == ""


def function_sections(bench):
    path = bench.compile("functions.c", *KERNEL, "-ffunction-sections")
    bench.record(path)
    check_sites(bench, path)


def weak_functions_alone(bench):
    path = bench.compile("weak.c", *KERNEL, "-ffunction-sections")
    before = Elf(bench.read(path))
    assert not [s for s in before.symbols if s.type == SECTION], "moot"
    bench.record(path)
    check_golden(bench, path, "weak.function-sections")
    check_sites(bench, path)
    elf = Elf(bench.read(path))
    added = [s for s in elf.symbols if s.type == SECTION]
    assert {elf.sections[s.section].label for s in added} == \
        {".text.weak_one", ".text.weak_two"}
    assert [s.label for s in elf.symbols if s.type != SECTION] == \
        [s.label for s in before.symbols]
    for section in (".rela.text.caller", ".rela.text.weak_one"):
        assert [before.symbols[r[2]].label for r in before.relocs(section)] \
            == [elf.symbols[r[2]].label for r in elf.relocs(section)]


def linked_addresses(bench):
    objects = [bench.compile("weak.c", *KERNEL, "-ffunction-sections",
                             name="weak.o"),
               bench.compile("functions.c", *KERNEL, name="functions.o"),
               bench.compile("override.c", *KERNEL, name="override.o")]
    for path in objects:
        bench.record(path)
    profiler = bench.compile("profiler.s", name="profiler.o")
    parts, program = bench.path("parts.o"), bench.path("program")
    bench.tool("ld", "-r", *objects[:2], "-o", parts)
    bench.tool("ld", parts, objects[2], profiler, "-o", program)
    calls = []
    for line in bench.tool("objdump", "-d", program).splitlines():
        if CALL.match(line) and re.search(r"<(__fentry__|mcount)>$", line):
            calls.append(int(CALL.match(line).group(1), 16))
    elf = Elf(bench.read(program))
    table = elf.section("__mcount_loc")
    words = [elf.number(table["offset"] + i, 8)
             for i in range(0, table["size"], 8)]
    assert len(words) == 4 + 13 + 3, len(words)
    assert sorted(words) == sorted(calls), (words, calls)


def with_debug_information(bench):
    path = bench.compile("functions.c", *KERNEL, "-g")
    bench.record(path)
    check_golden(bench, path, "functions.x86_64")
    check_sites(bench, path)


def with_endbr(bench):
    flags = [f for f in KERNEL if "cf-protection" not in f]
    path = bench.compile("functions.c", *flags, "-fcf-protection=branch")
    bench.record(path)
    check_golden(bench, path, "functions.x86_64")
    check_sites(bench, path)


def mcount_instead_of_fentry(bench):
    path = bench.compile("weak.c", "-pg", "-mno-fentry", "-fno-pie")
    bench.record(path)
    check_sites(bench, path)
    assert len(Elf(bench.read(path)).sites()) == 4


def not_every_mention_is_a_call(bench):
    path = bench.compile("""
	.text
	.globl	f
f:	call	__fentry__
	lea	__fentry__(%rip), %rax
	movq	$__fentry__, %rdi
	jmp	__fentry__
	call	near_miss__fentry__
	call	.mcount
	.section .data
	.quad	__fentry__
""")
    bench.record(path)
    assert Elf(bench.read(path)).sites() == [(".text", 0), (".text", 0x1d)]


def local_namesake_is_no_call(bench):
    path = bench.compile("""
	.section .text.a, "ax"
f:	call	mcount
	.section .text.b, "ax"
	.type	mcount, @function
mcount:	ret
""")
    before = bench.read(path)
    bench.record(path)
    assert bench.read(path) == before


def groups_may_be_discarded(bench):
    path = bench.compile("""
	.section .text.once, "axG", @progbits, once, comdat
	.weak	once
once:	call	__fentry__
	ret
	.section .text.lone, "ax"
	.weak	lone
lone:	call	__fentry__
	ret
""")
    bench.record(path)
    elf = Elf(bench.read(path))
    assert elf.sites() == [(".text.lone", 0)]
    group = elf.section(".group")
    assert elf.symbols[group["info"]].label == "once", "signature lost"
    check_sites(bench, path)


def more_sections_than_a_half_word_counts(bench):
    number = 0xff80
    text = "".join(f'\t.section .text.f{i},"ax"\n\t.weak f{i}\nf{i}:\tcall '
                   f'__fentry__\n' for i in range(number // 2))
    path = bench.compile(text)
    before = Elf(bench.read(path))
    assert len(before.sections) > 0xff00, "moot"
    bench.record(path)
    elf = Elf(bench.read(path))
    assert len(elf.sections) == len(before.sections) + 2
    assert elf.sites() == [(f".text.f{i}", 0) for i in range(number // 2)]
    done = bench.tool("readelf", "-hSW", path)
    assert "Warning" not in done and "Error" not in done


def compiler_made_the_table(bench):
    path = bench.compile("weak.c", *KERNEL, "-mrecord-mcount")
    before = bench.read(path)
    bench.record(path)
    assert bench.read(path) == before


def i386(bench):
    try:
        path = bench.compile("functions.c", "-m32", *KERNEL)
    except AssertionError as reason:
        raise bench.Skip("no -m32") from reason
    bench.record(path)
    elf = Elf(bench.read(path))
    assert elf.section(".rel__mcount_loc")
    check_golden(bench, path, "functions.x86_64")
    check_sites(bench, path)
    left = elf.section(".head.text")
    assert elf.data[left["offset"]:left["offset"] + 5] == \
        bytes.fromhex("3e8d742600")


def clang(bench):
    if not shutil.which("clang"):
        raise bench.Skip("no clang")
    path = bench.compile("weak.c", *KERNEL[:4], "-ffunction-sections",
                         "-faddrsig", "--target=x86_64-linux-gnu",
                         compiler="clang")
    bench.record(path)
    elf = Elf(bench.read(path))
    assert len(elf.sites()) == 4
    assert elf.section(".llvm_addrsig")["link"] == 0
    check_sites(bench, path)


CASES = [
    ("x86-64: sections of every kind", sections_of_every_kind),
    ("x86-64: calls left out become nops", left_out_calls_become_nops),
    ("x86-64: -w names the sections left out", warning_names_sections),
    ("x86-64: -ffunction-sections", function_sections),
    ("x86-64: weak functions alone in a section", weak_functions_alone),
    ("x86-64: addresses after ld -r and a full link", linked_addresses),
    ("x86-64: debug information", with_debug_information),
    ("x86-64: endbr before the call", with_endbr),
    ("x86-64: mcount instead of __fentry__", mcount_instead_of_fentry),
    ("x86-64: not every mention is a call", not_every_mention_is_a_call),
    ("x86-64: a local symbol named mcount", local_namesake_is_no_call),
    ("x86-64: section groups are left out", groups_may_be_discarded),
    ("x86-64: more than 65280 sections", more_sections_than_a_half_word_counts),
    ("x86-64: a table made by the compiler", compiler_made_the_table),
    ("x86-64: object of clang", clang),
    ("i386: sections of every kind", i386),
]
