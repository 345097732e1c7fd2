# SPDX-License-Identifier: GPL-2.0
"""ELF objects for the tests of recordmcount: Elf reads and patches an object,
Builder generates one, for any class and byte order.

The layouts are taken from the ELF specification, not from scripts/, so that an
error there is not repeated here.
"""

import struct

EHDR = {32: "HHIIIIIHHHHHH", 64: "HHIQQQIHHHHHH"}
SHDR = {32: "IIIIIIIIII", 64: "IIQQQQIIQQ"}
SYM = {32: "IIIBBH", 64: "IBBHQQ"}
EHDR_NAMES = ("e_type e_machine e_version e_entry e_phoff e_shoff e_flags "
              "e_ehsize e_phentsize e_phnum e_shentsize e_shnum "
              "e_shstrndx").split()
SHDR_NAMES = ("name type flags addr offset size link info addralign "
              "entsize").split()
SYM_NAMES = {32: "name value size info other shndx".split(),
             64: "name info other shndx value size".split()}

PROGBITS, SYMTAB, STRTAB, RELA, NOBITS, REL, GROUP, SHNDX = \
    1, 2, 3, 4, 8, 9, 17, 18
WRITE, ALLOC, EXEC, INFO_LINK, IN_GROUP = 1, 2, 4, 0x40, 0x200
LOCAL, GLOBAL, WEAK = 0, 1, 2
NOTYPE, OBJECT, FUNC, SECTION, FILE, IFUNC = 0, 1, 2, 3, 4, 10
LORESERVE, XINDEX = 0xff00, 0xffff

EM_386, EM_MIPS, EM_X86_64 = 3, 8, 62


class Record(dict):
    """The members of an ELF record, and its position in the file."""

    def __init__(self, names, fmt, data, pos, order):
        super().__init__(zip(names, struct.unpack_from(order + fmt, data, pos)))
        self.pos, self.fmt, self.order, self.names = pos, fmt, order, names

    def where(self, name):
        before = self.fmt[:self.names.index(name)]
        return self.pos + struct.calcsize(self.order + before)


class Elf:
    """An object in memory. set() changes a member of one of its records."""

    def __init__(self, data):
        self.data = bytearray(data)
        self.bits = 64 if data[4] == 2 else 32
        self.order = ">" if data[5] == 2 else "<"
        self.header = Record(EHDR_NAMES, EHDR[self.bits], data, 16, self.order)
        self.mips64 = self.bits == 64 and self.header["e_machine"] == EM_MIPS
        first = self._shdr(0)
        number = self.header["e_shnum"] or first["size"]
        self.sections = [self._shdr(i) for i in range(number)]
        index = self.header["e_shstrndx"]
        self.names = self.sections[first["link"] if index == XINDEX else index]
        for sec in self.sections:
            sec.label = self.string(self.names, sec["name"])
        self.symbols = self._symbols()

    def _shdr(self, index):
        size = struct.calcsize(self.order + SHDR[self.bits])
        return Record(SHDR_NAMES, SHDR[self.bits], self.data,
                      self.header["e_shoff"] + index * size, self.order)

    def _symbols(self):
        table = [sec for sec in self.sections if sec["type"] == SYMTAB]
        if not table:
            return []
        extended = [sec for sec in self.sections if sec["type"] == SHNDX]
        size = struct.calcsize(self.order + SYM[self.bits])
        strings = self.sections[table[0]["link"]]
        symbols = []
        for i in range(table[0]["size"] // size):
            sym = Record(SYM_NAMES[self.bits], SYM[self.bits], self.data,
                         table[0]["offset"] + i * size, self.order)
            sym.label = self.string(strings, sym["name"])
            sym.bind, sym.type = sym["info"] >> 4, sym["info"] & 15
            sym.section = sym["shndx"]
            if sym.section == XINDEX:
                sym.section = self.number(extended[0]["offset"] + 4 * i, 4)
            symbols.append(sym)
        return symbols

    def string(self, table, offset):
        start = table["offset"] + offset
        return self.data[start:self.data.index(0, start)].decode()

    def number(self, pos, size):
        return int.from_bytes(self.data[pos:pos + size],
                              "big" if self.order == ">" else "little")

    def set_number(self, pos, size, value):
        self.data[pos:pos + size] = value.to_bytes(
            size, "big" if self.order == ">" else "little")

    def set(self, record, name, value):
        size = struct.calcsize("=" + record.fmt[record.names.index(name)])
        self.set_number(record.where(name), size, value)
        record[name] = value
        return self

    def index(self, label):
        return [sec.label for sec in self.sections].index(label)

    def section(self, label):
        return self.sections[self.index(label)]

    def symbol(self, label):
        return [sym for sym in self.symbols if sym.label == label][0]

    def relocs(self, label):
        """Returns (position, offset, symbol index, type, addend) of each relocation."""
        sec = self.section(label)
        word = self.bits // 8
        size = word * (3 if sec["type"] == RELA else 2)
        found = []
        for pos in range(sec["offset"], sec["offset"] + sec["size"], size):
            offset = self.number(pos, word)
            info = self.number(pos + word, word)
            if self.mips64:
                sym, kind = self.number(pos + 8, 4), self.data[pos + 15]
            elif self.bits == 64:
                sym, kind = info >> 32, info & 0xffffffff
            else:
                sym, kind = info >> 8, info & 0xff
            addend = None
            if sec["type"] == RELA:
                addend = self.number(pos + 2 * word, word)
            found.append((pos, offset, sym, kind, addend))
        return found

    def sites(self):
        """Returns (section name, offset) of each word that __mcount_loc will have."""
        table = self.section("__mcount_loc")
        word = self.bits // 8
        names = [s.label for s in self.sections]
        relocs = self.relocs(".rela__mcount_loc" if ".rela__mcount_loc" in
                             names else ".rel__mcount_loc")
        found = []
        for i, (_, offset, index, kind, addend) in enumerate(relocs):
            assert offset == i * word, "a word has no relocation"
            if addend is None:
                addend = self.number(table["offset"] + offset, word)
            sym = self.symbols[index]
            assert sym.bind != WEAK, "relative to a weak symbol"
            mask = (1 << self.bits) - 1
            found.append((names[sym.section], (sym["value"] + addend) & mask))
        assert len(found) * word == table["size"], "words without relocation"
        return found


class Builder:
    """Generates a relocatable object. reloc() takes symbols as symbol() returns them.

    The sections are in the order in which they were added; relocations, symbol
    table and string tables follow.
    """

    def __init__(self, machine, bits=64, big=False, kind=RELA):
        self.machine, self.bits, self.kind = machine, bits, kind
        self.order = ">" if big else "<"
        self.big = big
        self.mips64 = machine == EM_MIPS and bits == 64
        self.parts = [dict(name="", type=0, data=b"")]
        self.locals, self.globals = [], []
        self.wanted = {}

    def section(self, name, data=b"", flags=ALLOC | EXEC, kind=PROGBITS, **more):
        self.parts.append(dict(name=name, type=kind, flags=flags, data=data,
                               addralign=4, **more))
        return len(self.parts) - 1

    def symbol(self, name, section=0, value=0, bind=GLOBAL, kind=NOTYPE):
        sym = dict(name=name, section=section, value=value,
                   info=bind << 4 | kind)
        (self.locals if bind == LOCAL else self.globals).append(sym)
        return sym

    def reloc(self, section, offset, sym, kind, addend=0):
        self.wanted.setdefault(section, []).append((offset, sym, kind, addend))

    def _reloc(self, offset, sym, kind, addend):
        index = self._index(sym)
        if self.mips64:
            packed = struct.pack(self.order + "QIBBBB", offset, index, 0, 0, 0,
                                 kind)
        elif self.bits == 64:
            packed = struct.pack(self.order + "QQ", offset, index << 32 | kind)
        else:
            packed = struct.pack(self.order + "II", offset, index << 8 | kind)
        if self.kind == RELA:
            packed += struct.pack(self.order + ("q" if self.bits == 64 else
                                                "i"), addend)
        return packed

    def _index(self, sym):
        for i, known in enumerate(self.locals + self.globals):
            if known is sym:
                return i + 1
        return sym

    def _symtab(self, strings):
        data, extended = bytearray(), bytearray()
        none = dict(name="", section=0, value=0, info=0)
        for sym in [none] + self.locals + self.globals:
            shndx, beyond = sym["section"], 0
            if shndx >= LORESERVE:
                shndx, beyond = XINDEX, sym["section"]
            values = dict(name=strings.add(sym["name"]), value=sym["value"],
                          size=0, info=sym["info"], other=0, shndx=shndx)
            data += struct.pack(self.order + SYM[self.bits],
                                *[values[n] for n in SYM_NAMES[self.bits]])
            extended += struct.pack(self.order + "I", beyond)
        return data, extended

    def build(self):
        parts = list(self.parts)
        word = self.bits // 8
        strings, names = Strings(), Strings()
        symtab, extended = self._symtab(strings)
        where = len(parts) + len(self.wanted)
        for target, relocs in self.wanted.items():
            prefix = ".rela" if self.kind == RELA else ".rel"
            parts.append(dict(
                name=prefix + parts[target]["name"], type=self.kind,
                flags=INFO_LINK, link=where, info=target, addralign=word,
                entsize=word * (3 if self.kind == RELA else 2),
                data=b"".join(self._reloc(*rel) for rel in relocs)))
        parts.append(dict(name=".symtab", type=SYMTAB, link=where + 1,
                          info=len(self.locals) + 1, addralign=word,
                          entsize=struct.calcsize("=" + SYM[self.bits]),
                          data=bytes(symtab)))
        parts.append(dict(name=".strtab", type=STRTAB, data=strings.data))
        parts.append(dict(name=".shstrtab", type=STRTAB, data=None))
        if len(parts) > LORESERVE:
            parts.append(dict(name=".symtab_shndx", type=SHNDX, link=where,
                              entsize=4, addralign=4, data=bytes(extended)))
        return self._layout(parts, names, where + 2)

    def _layout(self, parts, names, shstrtab):
        offsets = [names.add(part["name"]) for part in parts]
        parts[shstrtab]["data"] = names.data
        number = len(parts)
        ehdr_size = 52 if self.bits == 32 else 64
        body, headers = bytearray(ehdr_size), bytearray()
        for i, part in enumerate(parts):
            body += bytes(-len(body) % 8)
            values = dict(part, name=offsets[i], offset=len(body) if i else 0,
                          size=len(part["data"]))
            if not i and number >= LORESERVE:
                values["size"] = number
            if not i and shstrtab >= LORESERVE:
                values["link"] = shstrtab
            headers += struct.pack(self.order + SHDR[self.bits],
                                   *[values.get(n, 0) for n in SHDR_NAMES])
            body += part["data"]
        body += bytes(-len(body) % 8)
        ident = b"\x7fELF" + bytes([self.bits // 32, 1 + self.big, 1])
        values = dict(e_type=1, e_machine=self.machine, e_version=1,
                      e_shoff=len(body), e_ehsize=ehdr_size,
                      e_shentsize=len(headers) // number,
                      e_shnum=number if number < LORESERVE else 0,
                      e_shstrndx=min(shstrtab, XINDEX)
                      if shstrtab < LORESERVE else XINDEX)
        body[:ehdr_size] = ident.ljust(16, b"\0") + struct.pack(
            self.order + EHDR[self.bits],
            *[values.get(n, 0) for n in EHDR_NAMES])
        return bytes(body + headers)


class Strings:
    """A string table under construction."""

    def __init__(self):
        self.known, self.chunks, self.length = {"": 0}, [b"\0"], 1

    def add(self, text):
        if text not in self.known:
            self.known[text] = self.length
            self.chunks.append(text.encode() + b"\0")
            self.length += len(text) + 1
        return self.known[text]

    @property
    def data(self):
        return b"".join(self.chunks)
