# SPDX-License-Identifier: GPL-2.0
"""Writes events that formats.py has read as their format files have them.

How large a type is and what a name stands for, the compiler is asked. It is given all that the
preprocessor has made of the headers, which need not compile for that: only what is asked has to.
"""

import functools
import re
import subprocess
from collections.abc import Iterable

ANSWER = re.compile(r"^asked:(\d+):\d+: error: .*\bchar \(\*\)\[(\d+)\]", re.M)
OF_EVENT = re.compile(r"trace_event_|__tracepoint_|__bpf_trace_|trace_raw_output_")
ENUM = re.compile(r"\benum\s*\w*\s*\{")
# Is added to what is asked, which may be less than 0.
BASE = 1 << 40
ESCAPE = re.compile(r"\\(.)")
ESCAPED = {"n": "\n", "t": "\t"}
COMMON = (("unsigned short common_type", 0, 2, 0), ("unsigned char common_flags", 2, 1, 0),
          ("unsigned char common_preempt_count", 3, 1, 0), ("int common_pid", 4, 4, 1))
# Constants and functions, the words of print formats left out.
NAMED = re.compile(r'"(?:[^"\\]|\\.)*"|(?:->|\.)\w*|\b([A-Z][A-Z0-9_]{2,})\b|\b([a-z]\w*)\(|\w+')
OPERATORS = {"sizeof", "typeof", "offsetof"}
# What a field is if nobody knows.
GUESSED = {"size": 8, "align": 8, "len": 0, "is_signed": 0}


def is_of_event(line: str) -> bool:
    """Tells whether a line is all of a function or of an object that is made for an event, which
    nothing that is asked depends on."""
    return (len(line) > 200 and OF_EVENT.search(line) is not None and not ENUM.search(line)
            and line.rstrip().endswith((";", "}"))
            and line.count("(") == line.count(")") and line.count("{") == line.count("}"))


def ask_compiler(command: list[str], text: str, asked: Iterable[str]) -> dict[str, int]:
    """Returns what expressions are, as far as it is known behind a text of C: as the length of
    an array, which stands in what the compiler has against the value of a pointer to it."""
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
    """Returns what the source of a string stands for."""
    return ESCAPE.sub(lambda found: ESCAPED.get(found[1], found[1]), text)


def show_name(field: dict[str, str], length: int) -> str:
    """Returns type and name of a field, the brackets of an array behind the name."""
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
    """Returns what divides a print format into strings, members, words and these names."""
    longest_first = sorted(names, key=len, reverse=True)
    found = "|".join(map(re.escape, longest_first)) or r"\b\B"
    return re.compile(rf'"(?:[^"\\]|\\.)*"|(?:->|\.)\w*|({found})(?!\w)|\w+', re.S)


def questions_of(event) -> set[str]:
    """Returns what the compiler should know of an event: what its fields are, and the constants
    and functions that its print format names."""
    asked = {field[member] for field in event.members for member in GUESSED.keys() & field.keys()}
    for constant, function in NAMED.findall(unescape(event.text)):
        if constant and constant != "REC":
            asked.add(constant)
        elif function and function not in OPERATORS:
            asked.add(f"sizeof(&{function})")
    return asked


class Formats:
    """What the compiler knows of the events of a tree, and what their format files have."""

    def __init__(self, command: list[str]):
        self.command = command
        self.known: dict[str, dict[str, int]] = {}
        self.values: dict[str, dict[str, int | None]] = {}
        self.unknown: set[str] = set()

    def learn(self, text: str, events: dict, names: dict[tuple[str, str], str]) -> None:
        """Asks the compiler for what a preprocessed text says of events, by header, and of
        names in print formats, by system and name."""
        asked = {word for found in events.values() for event in found.values()
                 for word in questions_of(event)}
        known = ask_compiler(self.command, text, asked | set(names.values()))
        for header in events:
            self.known[header] = known
        for (system, name), value in names.items():
            values = self.values.setdefault(system, {})
            values[name] = known.get(value, values.get(name))

    def find_unsure(self, events: dict) -> list[str]:
        """Returns the headers of which the compiler has not known all."""
        return [header for header, found in events.items()
                if any(word not in self.known[header] and word not in
                       self.values.get(event.system, {})
                       for event in found.values() for word in questions_of(event))]

    def guess(self, what: str, number: int) -> int:
        """Returns a number for what is not known, and takes that down."""
        self.unknown.add(what)
        return number

    def show_print_format(self, system: str, text: str) -> str:
        """Returns a print format with the values of names, as the kernel shows it."""
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
        """Returns the formats of events by header, below a line each that says which."""
        shown = []
        common = "".join(show_field(*field) for field in COMMON)
        for header, found in sorted(events.items()):
            for name, event in sorted(found.items()):
                shown.append(f"== {header} {event.system} {name}\n"
                             f"name: {name}\nID: {len(shown) + 1}\nformat:\n{common}\n"
                             f"{self.show_fields(header, event.members)}\nprint fmt: "
                             f"{self.show_print_format(event.system, event.text)}\n")
        return "".join(shown)
