# SPDX-License-Identifier: GPL-2.0
"""Writes the format files of events that formats.py has read.

The compiler is asked for sizes of types and values of names. Its input is the whole output of the
preprocessor, which need not compile as long as the expressions in question do.
"""

import functools
import re
import subprocess
from collections.abc import Iterable

ANSWER = re.compile(r"^asked:(\d+):\d+: error: .*\bchar \(\*\)\[(\d+)\]", re.M)
OF_EVENT = re.compile(r"trace_event_|__tracepoint_|__bpf_trace_|trace_raw_output_")
ENUM = re.compile(r"\benum\s*\w*\s*\{")
# Added to the values that the compiler is asked for: they may be negative, and the answer is the
# length of an array.
BASE = 1 << 40
ESCAPE = re.compile(r"\\(.)")
ESCAPED = {"n": "\n", "t": "\t"}
COMMON = (("unsigned short common_type", 0, 2, 0), ("unsigned char common_flags", 2, 1, 0),
          ("unsigned char common_preempt_count", 3, 1, 0), ("int common_pid", 4, 4, 1))
# Constants and functions in a print format, without strings and members.
NAMED = re.compile(r'"(?:[^"\\]|\\.)*"|(?:->|\.)\w*|\b([A-Z][A-Z0-9_]{2,})\b|\b([a-z]\w*)\(|\w+')
OPERATORS = {"sizeof", "typeof", "offsetof"}
# Properties of a field that the compiler does not know.
GUESSED = {"size": 8, "align": 8, "len": 0, "is_signed": 0}


def is_of_event(line: str) -> bool:
    """Tells whether a line is a whole function or object that is generated for an event. The
    compiler does not need these to answer."""
    return (len(line) > 200 and OF_EVENT.search(line) is not None and not ENUM.search(line)
            and line.rstrip().endswith((";", "}"))
            and line.count("(") == line.count(")") and line.count("{") == line.count("}"))


def ask_compiler(command: list[str], text: str, asked: Iterable[str]) -> dict[str, int]:
    """Returns the values of expressions after a C text, as far as the compiler knows them. Each
    is made the length of an array; the pointer to it gets a wrong initializer, and the error
    message of the compiler contains the length."""
    words = sorted(asked)
    text = "".join(line for line in text.splitlines(keepends=True) if not is_of_event(line))
    source = "".join(f'# {line} "asked"\nchar (*asked_{line})[{BASE}L + (long)({word})] = 0.5;\n'
                     for line, word in enumerate(words, 1))
    options = ["-fsyntax-only", "-fpreprocessed", "-std=gnu11", "-w", "-fmax-errors=0",
               "-fno-diagnostics-show-caret", "-xc", "-"]
    done = subprocess.run(
        ["env", "LC_ALL=C", *command, *options], input=f"{text}\n{source}",
        capture_output=True, text=True, errors="replace", check=False)
    return {words[int(line) - 1]: int(length) - BASE
            for line, length in ANSWER.findall(done.stderr)}


def unescape(text: str) -> str:
    """Returns the value of a string literal."""
    return ESCAPE.sub(lambda found: ESCAPED.get(found[1], found[1]), text)


def show_name(field: dict[str, str], length: int) -> str:
    """Returns type and name of a field, with the brackets of an array after the name."""
    kind, name = field["type"], field["name"]
    before, bracket, behind = kind.partition("[")
    if not bracket or kind.startswith(("__data_loc", "__rel_loc")):
        return f"{kind} {name}"
    return f"{before} {name}[{length or behind.rstrip(']')}]"


def show_field(shown: str, offset: int, size: int, signed: int) -> str:
    """Returns the line of a field."""
    return f"\tfield:{shown};\toffset:{offset};\tsize:{size};\tsigned:{signed};\n"


@functools.lru_cache
def names_pattern(names: frozenset[str]) -> re.Pattern[str]:
    """Returns a pattern for strings, members, words and these names in a print format."""
    longest_first = sorted(names, key=len, reverse=True)
    found = "|".join(map(re.escape, longest_first)) or r"\b\B"
    return re.compile(rf'"(?:[^"\\]|\\.)*"|(?:->|\.)\w*|({found})(?!\w)|\w+', re.S)


def questions_of(event) -> set[str]:
    """Returns the expressions of an event for the compiler: the properties of its fields, and the
    constants and functions that its print format names."""
    asked = {field[member] for field in event.members for member in GUESSED.keys() & field.keys()}
    for constant, function in NAMED.findall(unescape(event.text)):
        if constant and constant != "REC":
            asked.add(constant)
        elif function and function not in OPERATORS:
            asked.add(f"sizeof(&{function})")
    return asked


class Formats:
    """What the compiler knows about the events of a tree, and their format files."""

    def __init__(self, command: list[str]):
        self.command = command
        self.known: dict[str, dict[str, int]] = {}
        self.values: dict[str, dict[str, int | None]] = {}
        self.unknown: set[str] = set()

    def learn(self, text: str, events: dict, names: dict[tuple[str, str], str]) -> None:
        """Asks the compiler about events, by header, and about names in print formats, by system
        and name, after a preprocessed text."""
        asked = {word for found in events.values() for event in found.values()
                 for word in questions_of(event)}
        known = ask_compiler(self.command, text, asked | set(names.values()))
        for header in events:
            self.known[header] = known
        for (system, name), value in names.items():
            values = self.values.setdefault(system, {})
            values[name] = known.get(value, values.get(name))

    def find_unsure(self, events: dict) -> list[str]:
        """Returns the headers with expressions that the compiler does not know."""
        return [header for header, found in events.items()
                if any(word not in self.known[header] and word not in
                       self.values.get(event.system, {})
                       for event in found.values() for word in questions_of(event))]

    def guess(self, what: str, number: int) -> int:
        """Notes an unknown expression, and returns the number to use for it."""
        self.unknown.add(what)
        return number

    def show_print_format(self, system: str, text: str) -> str:
        """Returns a print format with values in place of names, as the kernel shows it."""
        values = self.values.get(system, {})

        def show_value(word: re.Match[str]) -> str:
            if not word[1]:
                return word[0]
            value = values[word[1]]
            return str(self.guess(word[1], 1) if value is None else value)

        return names_pattern(frozenset(values)).sub(show_value, unescape(text))

    def show_fields(self, header: str, members: list[dict[str, str]]) -> str:
        """Returns the lines of an event's own fields."""
        lines, at, known = "", 8, self.known[header]
        for field in members:
            of = {}
            for member, number in GUESSED.items():
                value = known.get(field[member]) if member in field else 0
                of[member] = self.guess(field[member], number) if value is None else value
            at += -at % max(of["align"], 1)
            lines += show_field(show_name(field, of["len"]), at, of["size"], of["is_signed"])
            at += of["size"]
        return lines

    def show(self, events: dict) -> str:
        """Returns the formats of all events, each below a line with header, system and name."""
        shown = []
        common = "".join(show_field(*field) for field in COMMON)
        for header, found in sorted(events.items()):
            for name, event in sorted(found.items()):
                shown.append(f"== {header} {event.system} {name}\n"
                             f"name: {name}\nID: {len(shown) + 1}\nformat:\n{common}\n"
                             f"{self.show_fields(header, event.members)}\nprint fmt: "
                             f"{self.show_print_format(event.system, event.text)}\n")
        return "".join(shown)
