#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compares the events that two trees generate from the same headers: formats.py OPTIONS

Each header that includes <trace/define_trace.h> is preprocessed in both trees, with
CREATE_TRACE_POINTS and with the tree's own include/. The output contains the print format of each
event, and the type, name, size and sign of each field. Nothing is compiled, so a header does not
need the headers that its C file includes before it.

Prints a line for each header: 0 (the same), 1 (different) or skip (not readable), then the header
and the number of its events. Differences, reasons for skipping, and the sum go to the file --log.
"""

import argparse
import bisect
import os
import re
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from formats_text import Formats

STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
PRINT_FORMAT = re.compile(r'\bprint_fmt_(\w+)\[\] = ((?:\s|"(?:[^"\\]|\\.)*")*);')
FIELDS = re.compile(r"\bstruct trace_event_fields trace_event_fields_(\w+)\[\] = \{(.*?)\};", re.S)
FIELD_BEGINS = re.compile(r"\{\s*(?=\.type\b)")
BETWEEN_MEMBERS = re.compile(r",\s*(?=\.\w+\s*=)")
MEMBER = re.compile(r"\.(\w+)\s*=\s*(.*?)[\s,{}]*$", re.S)
EVAL = re.compile(r"\bstruct trace_eval_map \S[^;{]* = \{([^;]*)\};")
SYSTEM = re.compile(r'\bstr__(\w+)\[\] = "([^"]*)"')
CLASS = re.compile(r"\bevent_class_(\w+) = \{([^;]*)\};")
EVENT = re.compile(r"\bstruct trace_event_call \S[^;=]*\bevent_(\w+) = \{([^;]*)\};")
MARKER = re.compile(r'# \d+ "((?:[^"\\]|\\.)*)"')
INCLUDED = re.compile(r'^#\s*include\s+[<"]([^>"]*)[>"]', re.M)
UNIQUE = re.compile(r"(__UNIQUE_ID_\w*?_?)\d+\b")
# Maximum number of headers that are preprocessed together.
BATCH = 150
# Macros that are undefined after each header. A header that does not define one would otherwise
# get the definition of the header before it.
LEFT_BEHIND = ("CREATE_TRACE_POINTS", "TRACE_INCLUDE_FILE", "TRACE_INCLUDE_PATH",
               "TRACE_SYSTEM_VAR")
COMPARED = ("type", "name", "size", "is_signed", "len")


# The members of an initializer: the source of each value, by the name of the member.
Members = dict[str, str]


class Event(NamedTuple):
    """The contents of an event's format file, and their source."""

    text: str
    fields: tuple[tuple[str, ...], ...]
    members: list[Members]
    system: str


# Events by header and name.
Events = dict[str, dict[str, Event]]
# Names in print formats: the source of each value, by system and name.
Names = dict[tuple[str, str], str]


class Tree(NamedTuple):
    """A tree, and how its files are compiled."""

    top: Path
    compiler: list[str]
    out: Path
    arch: str


# Headers that cannot be read: the first error of the compiler, by header.
Unread = dict[str, str]


class Read(NamedTuple):
    """What has been read from a tree, and the headers that could not be read."""

    events: Events
    names: Names
    unread: Unread


def find_headers(tree: Tree) -> list[str]:
    """Returns the headers of a tree that declare events, as paths in the tree."""
    found = subprocess.run(
        ["grep", "-rl", "--include=*.h", r"^#include <trace/define_trace.h>", "."],
        cwd=tree.top, capture_output=True, text=True, check=True)
    paths = (os.path.normpath(line) for line in found.stdout.splitlines())
    return sorted(path for path in paths if is_built(path, tree.arch))


def is_built(path: str, arch: str) -> bool:
    """Tells whether a file belongs to a kernel of that architecture."""
    first, second = path.split("/")[:2]
    return first != "tools" and (first != "arch" or second == arch)


def find_sources(tree: Tree) -> dict[str, list[str]]:
    """Returns the C files that generate the events of headers, by the file name of the header."""
    found = subprocess.run(
        ["grep", "-rlE", "--include=*.c", r"^#define\s+CREATE_TRACE_POINTS", "."],
        cwd=tree.top, capture_output=True, text=True, check=True)
    sources: dict[str, list[str]] = defaultdict(list)
    for path in sorted(filter(lambda path: is_built(path, tree.arch),
                              map(os.path.normpath, found.stdout.splitlines()))):
        text = (tree.top / path).read_text(errors="replace").partition("CREATE_TRACE_POINTS")[2]
        for header in INCLUDED.findall(text):
            sources[os.path.basename(header)].append(path)
    return sources


def source_of(sources: dict[str, list[str]], header: str) -> str:
    """Returns the C file that generates the events of a header; if there are several, the one
    that has most directories in common with it."""
    candidates = sources.get(os.path.basename(header), [])
    return max(candidates, default="",
               key=lambda path: len(os.path.commonpath([path, header])))


def fits_in(tree: Tree, header: str, batch: list[str]) -> bool:
    """Tells whether a header can be read together with others. Headers include themselves again
    by their file names, so no directory of a batch may have another header of that name."""
    place, name = os.path.split(header)
    return len(batch) < BATCH and all(
        place == os.path.dirname(other)
        or not (tree.top / place / os.path.basename(other)).exists()
        and not (tree.top / os.path.dirname(other) / name).exists()
        for other in batch)


def batches_of(tree: Tree, headers: list[str]) -> list[list[str]]:
    """Returns batches of headers that can be read together: the headers that they include take
    most of the time."""
    batches: list[list[str]] = []
    for header in headers:
        for batch in batches[-4:]:
            if fits_in(tree, header, batch):
                batch.append(header)
                break
        else:
            batches.append([header])
    return batches


def expand(text: str, variables: dict[str, str]) -> str:
    """Returns a text of a Makefile with variables expanded."""
    for _ in range(4):
        text = re.sub(r"\$[({](\w+)[)}]", lambda name: variables.get(name[1], name[0]), text)
    return text


def makefile_paths(tree: Tree, directory: Path) -> list[str]:
    """Returns the include directories that the Makefile of a directory adds."""
    for name in ("Kbuild", "Makefile"):
        file = tree.top / directory / name
        if file.is_file():
            break
    else:
        return []
    where = str(tree.top / directory)
    text = file.read_text().replace("\\\n", " ")
    variables = {"src": where, "obj": where, "srctree": str(tree.top), "SRCARCH": tree.arch}
    for name, value in re.findall(r"^(\w+)\s*:?=\s*(\S+)\s*$", text, re.M):
        variables.setdefault(name, value)
    paths = re.findall(r"-I\s*(\S+)", text)
    return [path for path in (expand(path, variables) for path in paths) if "$" not in path]


def search_paths(tree: Tree, headers: list[str]) -> list[str]:
    """Returns the compiler options for the additional include directories of headers."""
    paths = []
    for directory in dict.fromkeys(Path(header).parent for header in headers):
        paths.append(str(tree.top / directory))
        for place in (directory, *directory.parents):
            if place != Path("."):
                paths += makefile_paths(tree, place)
    return [f"-I{path}" for path in dict.fromkeys(paths)]


def kernel_options(tree: Tree) -> list[str]:
    """Returns the options that all C files of a kernel have in common."""
    top, out, arch = tree.top, tree.out, f"arch/{tree.arch}/include"
    paths = [top / arch, out / arch / "generated", top / "include", out / "include",
             top / arch / "uapi", out / arch / "generated/uapi", top / "include/uapi",
             out / "include/generated/uapi"]
    headers = ["compiler-version.h", "kconfig.h", "compiler_types.h"]
    options = ["-E", "-nostdinc", "-std=gnu11", "-O2", "-w", "-D__KERNEL__", "-DCC_USING_FENTRY",
               '-DKBUILD_MODNAME="formats"', '-DKBUILD_BASENAME="formats"']
    options += [f"-I{path}" for path in paths]
    for header in headers:
        options += ["-include", f"{top}/include/linux/{header}"]
    return options


def source_for(tree: Tree, headers: list[str]) -> str:
    """Returns a C file that generates the events of headers one after another."""
    left = "".join(f"#undef {name}\n" for name in LEFT_BEHIND)
    return "".join(f"{left}#define CREATE_TRACE_POINTS\n"
                   f"#define TRACE_HEADER_MULTI_READ\n#include \"{tree.top}/{header}\"\n"
                   for header in headers)


def preprocess(tree: Tree, source: str, files: list[str]) -> tuple[str, str]:
    """Returns the preprocessed source and the compiler's error messages. Include directories are
    those of these files."""
    words = [*tree.compiler, *kernel_options(tree), *search_paths(tree, files), "-xc", "-"]
    done = subprocess.run(words, cwd=tree.out, text=True, errors="replace", capture_output=True,
                          input=source, check=False)
    return done.stdout, done.stderr if done.returncode else ""


def blame(tree: Tree, headers: list[str], said: str) -> tuple[str, str]:
    """Returns a header that cannot be read, and the reason."""
    errors = [line for line in said.splitlines() if "error:" in line] or [said.strip()]
    bad = [header for header in headers if f"{tree.top}/{header}:" in said] or headers
    return bad[0], errors[0].replace(f"{tree.top}/", "")


def read_batch(tree: Tree, headers: list[str], unread: Unread) -> str:
    """Returns the preprocessed headers, without those that cannot be read."""
    while headers:
        print(f"{tree.top.name}: {len(headers)} headers, first {headers[0]}", file=sys.stderr,
              flush=True)
        text, said = preprocess(tree, source_for(tree, headers), headers)
        if not said:
            return text
        header, why = blame(tree, headers, said)
        unread[header] = why
        headers = [other for other in headers if other != header]
    return ""


class Text:
    """A preprocessed file, and the header that each part of it is from."""

    def __init__(self, text: str, top: Path):
        self.places, self.files, parts, length = [0], [""], [], 0
        for line in text.splitlines(keepends=True):
            marker = MARKER.match(line)
            if marker:
                self.places.append(length)
                self.files.append(os.path.relpath(os.path.normpath(marker[1]), top))
            else:
                parts.append(line)
                length += len(line)
        self.text = "".join(parts)

    def file_at(self, place: int) -> str:
        """Returns the path, in the tree, of the file that this part is from."""
        return self.files[bisect.bisect_right(self.places, place) - 1]


def join_strings(text: str) -> str:
    """Returns the string literals of a text, concatenated."""
    return "".join(STRING.findall(text))


def split_member(text: str) -> tuple[str, str]:
    """Returns the name and the value of one member of an initializer."""
    found = MEMBER.match(text.strip())
    return (found[1], found[2]) if found else ("", text)


def plain_value(text: str) -> str:
    """Returns a value in a normalized spelling."""
    return re.sub(r"\s+", "", text).replace("sizeof(u32)", "4").replace("sizeof(unsignedint)", "4")


def read_members(text: str) -> Members:
    """Returns the members of an initializer, strings without their quotes."""
    members = dict(map(split_member, BETWEEN_MEMBERS.split(text)))
    return {name: join_strings(value) if name in ("type", "name", "eval_string") else value
            for name, value in members.items()}


def read_fields(text: str) -> list[Members]:
    """Returns the fields in the initializer of a table."""
    return [read_members(field) for field in FIELD_BEGINS.split(text)[1:]]


def compared_members(members: Members) -> tuple[str, ...]:
    """Returns the members of a field that are compared; missing ones are 0."""
    return tuple(members.get(name, "0") if name in ("type", "name")
                 else plain_value(members.get(name, "0")) for name in COMPARED)


def find_name(pattern: str, text: str) -> str:
    """Returns the name after a prefix, or an empty string."""
    found = re.search(rf"\b{pattern}(\w+)", text)
    return found[1] if found else ""


def read_events(text: Text) -> Events:
    """Returns the events of a preprocessed file. The print format of an event may be that of its
    class, and the fields always are."""
    formats = {name: UNIQUE.sub(r"\1", join_strings(value))
               for name, value in PRINT_FORMAT.findall(text.text)}
    fields = {name: read_fields(value) for name, value in FIELDS.findall(text.text)}
    classes = dict(CLASS.findall(text.text))
    systems = dict(SYSTEM.findall(text.text))
    events: Events = defaultdict(dict)
    for event in EVENT.finditer(text.text):
        of_class = classes.get(find_name("event_class_", event[2]), "")
        name = find_name("print_fmt_", event[2]) or find_name("print_fmt_", of_class)
        members = fields.get(find_name("trace_event_fields_", of_class), [])
        events[text.file_at(event.start())][event[1]] = Event(
            formats.get(name, "none"), tuple(map(compared_members, members)), members,
            find_system(of_class, systems))
    return events


def find_system(text: str, systems: dict[str, str]) -> str:
    """Returns the system whose variable an initializer names."""
    return systems.get(find_name("str__", text), "none")


def read_names(text: Text) -> Names:
    """Returns the names of TRACE_DEFINE_ENUM() and TRACE_DEFINE_SIZEOF(), with their values."""
    names, systems = {}, dict(SYSTEM.findall(text.text))
    for initializer in EVAL.findall(text.text):
        members = read_members(initializer)
        system = find_system(members["system"], systems)
        names[system, members["eval_string"]] = members["eval_value"]
    return names


def read_source(tree: Tree, header: str, source: str) -> Text | None:
    """Returns the preprocessed C file that generates the events of a header, or None."""
    text, said = preprocess(tree, f'#include "{tree.top}/{source}"\n', [source, header])
    return None if said else Text(text, tree.top)


def add_text(read: Read, text: Text, formats: Formats | None, only: str = "") -> None:
    """Adds the events of a preprocessed file, or only those of a header, to read and formats."""
    events, names = read_events(text), read_names(text)
    if only:
        events = {only: events[only]} if only in events else {}
    for header, found in events.items():
        read.events[header] = found if only else found | read.events[header]
    read.names.update(names)
    if formats:
        formats.learn(text.text, events, names)


def read_again(tree: Tree, read: Read, headers: list[str], formats: Formats | None) -> list[str]:
    """Reads headers that cannot be compiled alone through the C files that generate their events,
    which include what the headers lack. Returns the headers that could not be read."""
    sources = find_sources(tree)

    def one(header: str) -> bool:
        source = source_of(sources, header)
        text = read_source(tree, header, source) if source else None
        if text:
            add_text(read, text, formats, header)
        return text is not None and header in read.events

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(one, headers))
    return [header for header, good in zip(headers, done) if not good]


def read_tree(tree: Tree, headers: list[str], formats: Formats | None) -> Read:
    """Returns the events of headers in a tree, and adds them to formats, too."""
    read = Read(defaultdict(dict), {}, {})
    for batch in batches_of(tree, headers):
        add_text(read, Text(read_batch(tree, batch, read.unread), tree.top), formats)
    return read


def read_trees(trees: list[Tree], headers: list[str], formats: Formats) -> list[Read]:
    """Returns the events of headers in each tree, and adds those of the first one to formats.
    Headers that cannot be read, or use unknown names, are read through their C files, in each
    tree."""
    first = (formats, None)
    with ThreadPoolExecutor() as pool:
        reads = list(pool.map(read_tree, trees, (headers, headers), first))
    again = set(formats.find_unsure(reads[0].events)).union(*(read.unread for read in reads))
    for tree, read, learning in zip(trees, reads, first):
        left = read_again(tree, read, sorted(again), learning)
        for header in read.unread.keys() - set(left):
            del read.unread[header]
    return reads


# Where a long has 32 bits, the stock tracer's formats have the code of __print_flags_u64() and
# __print_symbolic_u64(). Ours have the words that tools know: ftrace.rst, "Differences".
U64_TABLE = re.compile(r"\(\{ static const struct trace_print_flags_u64 (\w+)\[\] = \{ (.*?), "
                       r"\{ -1, \(\(void \*\)0\) \} \}; trace_print_(flags|symbols)_seq_u64\(p, "
                       r"(.*?), \1\); \}\)")


def write_words(found: re.Match[str]) -> str:
    """Returns the words for the code of a table of 64-bit numbers."""
    _, table, kind, arguments = found.groups()
    if kind == "symbols":
        return f"__print_symbolic({arguments}, {table})"
    delimiter, value = arguments.split(", ", 1)
    return f"__print_flags({value}, {delimiter}, {table})"


def list_differences(ours: dict[str, Event], stock: dict[str, Event]) -> list[str]:
    """Returns a line for each difference between the events of a header."""
    lines = []
    for name in sorted(ours.keys() | stock.keys()):
        if name not in ours or name not in stock:
            lines.append(f"{name}: exists only in {'ours' if name in ours else 'stock'}")
        elif ours[name].text != U64_TABLE.sub(write_words, stock[name].text):
            lines += [f"{name}: our print format: {ours[name].text}",
                      f"{name}: stock print format: {stock[name].text}"]
        elif ours[name].fields != stock[name].fields:
            pairs = set(ours[name].fields) ^ set(stock[name].fields)
            lines += [f"{name}: our fields: {', '.join(map(str, ours[name].fields))}",
                      f"{name}: stock fields: {', '.join(map(str, stock[name].fields))}",
                      f"{name}: different fields: {', '.join(map(str, sorted(pairs)))}"]
    return lines


def compare_names(ours: Names, stock: Names, log: list[str]) -> None:
    """Prints a line for the names in print formats that are shown as values."""
    differing = sorted(set(ours.items()) ^ set(stock.items()))
    log += [f"{system}: {name} is {value} in one tree" for (system, name), value in differing]
    print(int(bool(differing)), f"{len(stock)} names that formats show as values")


def count_events(events: Events) -> int:
    """Returns the number of events in all headers."""
    return sum(map(len, events.values()))


def compare(ours: Events, stock: Events, log: list[str]) -> None:
    """Prints a line for each header of the stock tree, and logs the differences."""
    equal = 0
    for header in sorted(stock):
        lines = list_differences(ours.get(header, {}), stock[header])
        bad = {line.split(":")[0] for line in lines}
        equal += len(stock[header].keys() - bad)
        log += [f"{header}: {line}" for line in lines]
        print(int(bool(lines)), f"{header}: {len(stock[header])} events")
    log.append(f"{len(stock)} headers, {count_events(stock)} stock events, "
               f"{count_events(ours)} of ours, {equal} equal")


def report_unread(ours: Unread, stock: Unread, empty: list[str], log: list[str]) -> None:
    """Prints a line for each header that could not be read: as skipped if it is unreadable in
    both trees, as different if in one. Also skips headers that generate no events here."""
    for header in empty:
        print(f"skip {header}: no events")
    for header in sorted(ours.keys() | stock.keys()):
        both = header in ours and header in stock
        why = ours.get(header) or stock[header]
        print("skip" if both else 1, f"{header}: {why}")
        log.append(f"{header}: not read{'' if both else ' in one tree'}: {why}")


def parse_args(words: list[str]) -> argparse.Namespace:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ours", type=Path, required=True, help="tree with our headers")
    parser.add_argument("--stock", type=Path, required=True, help="tree to compare with")
    parser.add_argument("--out", type=Path, required=True, help="configured build directory")
    parser.add_argument("--arch", required=True, help="directory below arch/")
    parser.add_argument("--only", type=re.compile, default=re.compile(""),
                        help="pattern of the headers to read")
    parser.add_argument("--formats", type=Path, required=True,
                        help="file for the formats of our events")
    parser.add_argument("--log", type=Path, required=True,
                        help="file for the differences and the sum")
    parser.add_argument("compiler", nargs="+")
    return parser.parse_args(words)


def main() -> int:
    """Runs the command."""
    args = parse_args(sys.argv[1:])
    log: list[str] = []
    trees = [Tree(path.resolve(), args.compiler, args.out.resolve(), args.arch)
             for path in (args.ours, args.stock)]
    lists = [[path for path in find_headers(tree) if args.only.search(path)] for tree in trees]
    both = sorted(set(lists[0]) & set(lists[1]))
    formats = Formats(args.compiler)
    ours, stock = read_trees(trees, both, formats)
    log.append(f"{len(both)} headers read; only in the stock tree: "
               f"{' '.join(sorted(set(lists[1]) - set(both))) or 'none'}")
    args.formats.write_text(formats.show(ours.events))
    log += [f"unknown, guessed: {word}" for word in sorted(formats.unknown)]
    compare_names(ours.names, stock.names, log)
    compare(ours.events, stock.events, log)
    known = ours.unread.keys() | stock.unread.keys() | stock.events.keys()
    report_unread(ours.unread, stock.unread, sorted(set(both) - known), log)
    args.log.write_text("".join(f"{line}\n" for line in log))
    return 0


if __name__ == "__main__":
    sys.exit(main())
