# SPDX-License-Identifier: GPL-2.0
"""Thousands of objects with random damage, the same in each run. The build with
sanitizers must not crash, and must leave an object that it rejects as it was."""

import random
from concurrent.futures import ThreadPoolExecutor

from cases_compiled import KERNEL
from elfobj import EM_MIPS, FUNC, LOCAL, REL, RELA, SECTION, WEAK, Builder, Elf

MUTANTS = 500
EDGES = (0, 1, 2, 3, 4, 7, 8, 0x10, 0x7f, 0x80, 0xff, 0xff00, 0xffff,
         0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff,
         0xfffffffffffffff8, 0xffffffffffffffff)


def damage(data, rng):
    """Returns the object with one to four changes, most of them in headers and
    symbols."""
    elf = Elf(data)
    data = bytearray(data)
    records = [elf.header, *elf.sections, *elf.symbols]
    for _ in range(rng.randint(1, 4)):
        kind = rng.random()
        if kind < 0.6:
            record = rng.choice(records)
            pos = record.where(rng.choice(record.names))
            size = rng.choice((1, 2, 4, 8))
        else:
            pos, size = rng.randrange(len(data)), rng.choice((1, 4, 8))
        value = rng.choice(EDGES) if rng.random() < 0.6 else rng.getrandbits(64)
        chunk = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        data[pos:pos + size] = chunk[:max(0, len(data) - pos)]
    if rng.random() < 0.1:
        del data[rng.randrange(len(data)):]
    return bytes(data)


def judge(bench, number, data):
    path = bench.write(f"{number}.o", data)
    done = bench.run(path)
    assert done.returncode in (0, 1), \
        f"mutant {number}: exit {done.returncode}: {done.stderr}"
    after = bench.read(path)
    if done.returncode:
        assert after == data, f"mutant {number} was changed"
        assert done.stderr.count("\n") == 1, \
            f"mutant {number}: {done.stderr!r}"
    else:
        again = bench.run(path, fast=True)
        assert again.returncode == 0, f"mutant {number}: {again.stderr}"
        assert bench.read(path) == after, f"mutant {number} changed twice"
    return done.returncode


def survive(bench, data, seed):
    rng = random.Random(seed)
    mutants = [damage(data, rng) for _ in range(MUTANTS)]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda i: judge(bench, i, mutants[i]),
                                range(MUTANTS)))
    bench.no_leftover()
    assert 0 in results and 1 in results, "all of one kind: no test"


def compiled(bench):
    path = bench.compile("functions.c", *KERNEL)
    survive(bench, bench.read(path), 612)


def compiled_weak(bench):
    path = bench.compile("weak.c", *KERNEL, "-ffunction-sections")
    survive(bench, bench.read(path), 613)


def mips(bits, big, kind, seed):
    def body(bench):
        b = Builder(EM_MIPS, bits, big, kind)
        for i in range(3):
            jal = 0x0c000000.to_bytes(4, "big" if big else "little")
            text = b.section(f".text.{i}", jal * 2)
            b.symbol(f"w{i}", text, 0, WEAK, FUNC)
            b.reloc(text, 4, 5 + i, 4)
        b.symbol("", 1, bind=LOCAL, kind=SECTION)
        for i in range(4):
            b.symbol("_mcount")
        survive(bench, b.build(), seed)
    return body


CASES = [
    ("mutants: x86-64", compiled),
    ("mutants: x86-64 in need of section symbols", compiled_weak),
    ("mutants: mips 32-bit big endian", mips(32, True, REL, 614)),
    ("mutants: mips 64-bit little endian", mips(64, False, RELA, 615)),
]
