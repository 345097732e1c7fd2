#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Reads the examples of documents: literal blocks with commands, which begin with "# " and the name
of a program, and below each command what it prints.

  guide.py scripts DIR DOCUMENT...    writes each example as DIR/NNN-RUN, a script for the guest
  guide.py judge OUTPUT DOCUMENT...   compares the output of these scripts with the documents, and
                                      prints KTAP
  guide.py modules DIR DOCUMENT...    writes the modules

These comments of a document concern the next example:

  .. not run: REASON       it cannot run in the guest of the test
  .. continued             it needs what the example before it has set; all others begin with a
                           tracer at rest
  .. exact                 numbers are as shown
  .. any task              tasks may differ
  .. three times           one of three runs has to print what is shown, because interrupts and a
                           busy machine disturb it
  .. module: NAME          the literal block is the source of a module

In the output of an example, the line [...] stands for any number of lines. Two lines are the same
if they differ only in numbers, in the signs of the context, and in the number of blanks.
"""

import difflib
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

PROGRAMS = ("cat", "cd", "chrt", "cp", "dd", "dmesg", "echo", "grep", "head", "ls", "mkdir",
            "modprobe", "perf", "rmdir", "rmmod", "sed", "sleep", "tail", "taskset", "trace-cmd")
COMMAND = re.compile(rf"# ((?:{'|'.join(PROGRAMS)})(?: .*)?)$")
COMMENT = re.compile(r" *\.\. (not run|continued|exact|any task|three times|module)(?:: (.*))?$")
ELIDED = "[...]"
# A document shows no line for the moment when the first record of a CPU was read.
STARTED = re.compile(r"^##### CPU \d+ buffer started ####$")
# What may differ, in this order, and what it is replaced by.
SHAPES = ((r"^[0-9a-f]{8}( +[0-9a-f]{2})+ +\|.*\|$", "bytes"),
          (r"(?<![\w.])(?=[a-f]*\d)[0-9a-f]{5,}(?![\w.])|\b0x[0-9a-f]+", "N"),
          (r"(?<=\] )[.\w]{5}(?= )", "....."),
          (r"(?<=\d)[.\w]{5}(?= +\d+us)", "....."),
          (r"\| +[.dbD][.nNp][.hHsSzZ][.0-9a-f]{2} +\|", "| ..... |"),
          (r"(?<![\w.])\d+(\.\d+)?", "N"),
          (r"([+!#*@$] +)?N us", "N us"),
          (r"us[+!#*@$ ]:", "us:"),
          (r"\| *#* *\|$", "| bar |"),
          (r"\( +", "("),
          (r"\s+", " "))
# What may differ in an example for which any task will do.
TASKS = ((r"^.*-\d+ +\[", "TASK ["), (r"_comm=\S+", "_comm=TASK"), (r"_state=\S+", "_state=S"),
         (r"\) +\S+-\d+ +(?=\|)", ") TASK "),
         (r"\d+: *\d+:\S+ ==> (\[\d+\]) +\d+: *\d+:\S+ +\S+", r"TASK ==> \1 TASK"))


# Lines that the commands of an example have printed, by step.
Run = dict[int, list[str]]


@dataclass
class Example:
    """A literal block of a document. Steps are pairs of a command and the lines below it."""

    place: str
    notes: dict[str, str]
    lines: list[str]
    steps: list[tuple[str, list[str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for line in self.lines:
            command = COMMAND.match(line)
            if command:
                self.steps.append((command[1], []))
            elif self.steps:
                self.steps[-1][1].append(line)

    @property
    def title(self) -> str:
        return f"{self.place}: {self.steps[0][0]}".replace("#", "")


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def block_after(lines: list[str], start: int) -> list[str]:
    """Returns the literal block that the line before start announces, without its indent."""
    outer = indent_of(lines[start - 1])
    end = start
    while end < len(lines) and (not lines[end].strip() or indent_of(lines[end]) > outer):
        end += 1
    block = lines[start:end]
    indent = min((indent_of(line) for line in block if line.strip()), default=0)
    return "\n".join(line[indent:] for line in block).strip("\n").split("\n")


def blocks_of(path: str) -> list[Example]:
    """Returns the literal blocks of a document."""
    lines = Path(path).read_text(encoding="utf-8").split("\n")
    found, notes, start = [], {}, 0
    while start < len(lines):
        line = lines[start]
        start += 1
        comment = COMMENT.match(line)
        if comment:
            notes[comment[1]] = comment[2] or ""
        elif line.endswith("::") and not lines[start].strip():
            block = block_after(lines, start)
            found.append(Example(f"{Path(path).name}:{start}", notes, block))
            notes = {}
            start += len(block)
    return found


def examples_of(paths: list[str]) -> list[Example]:
    return [block for path in paths for block in blocks_of(path) if block.steps]


def write_scripts(directory: str, paths: list[str]) -> None:
    """Writes a script for each example that can run, together with those that continue it. It
    prints a line "@ NNN STEP" before the output of each command."""
    scripts: dict[str, list[str]] = {}
    lines: list[str] = []
    for number, example in enumerate(examples_of(paths)):
        if "not run" in example.notes:
            continue
        if "continued" not in example.notes:
            lines = []
            runs = 3 if "three times" in example.notes else 1
            scripts.update({f"{number:03}-{run}": lines for run in range(runs)})
        for step, (command, _) in enumerate(example.steps):
            lines += [f"echo '@ {number:03} {step}'", command]
    Path(directory).mkdir(parents=True, exist_ok=True)
    for name, lines in scripts.items():
        Path(directory, name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_modules(directory: str, paths: list[str]) -> None:
    """Writes the sources of the modules, and a Kbuild for them. A file that would not change is
    not written, so that it is not compiled again."""
    blocks = [block for path in paths for block in blocks_of(path) if "module" in block.notes]
    files = {f"{block.notes['module']}.c": "\n".join(block.lines) + "\n" for block in blocks}
    files["Kbuild"] = "".join(f"obj-m += {block.notes['module']}.o\n" for block in blocks)
    Path(directory).mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = Path(directory, name)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def shape(line: str, notes: dict[str, str]) -> str:
    """Returns a line without what may differ."""
    shapes = SHAPES[-1:] if "exact" in notes else SHAPES
    for pattern, text in (TASKS if "any task" in notes else ()) + shapes:
        line = re.sub(pattern, text, line)
    return line.strip()


def trimmed(lines: list[str]) -> list[str]:
    """Returns lines without those at the end that are empty, and without STARTED."""
    lines = [line for line in lines if not STARTED.match(line)]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def is_same(shown: list[str], said: list[str]) -> bool:
    """Tells whether lines that were printed are those that are shown."""
    pattern = "".join(r"(?:.*\n)*?" if line == ELIDED else re.escape(line) + r"\n"
                      for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in said)) is not None


def complaints(example: Example, said: Run) -> list[str]:
    """Returns how the output of a run differs from what the document shows."""
    found = []
    for step, (command, shown) in enumerate(example.steps):
        if step not in said:
            return [*found, f"it did not run: {command}"]
        sides = [[shape(line, example.notes) for line in trimmed(lines)]
                 for lines in (shown, said[step])]
        if not is_same(*sides):
            found += [f"# {command}"]
            found += difflib.unified_diff(*sides, "shown", "printed", lineterm="")
            found += ["as it was printed:", *said[step][:60]]
    return found


def read_output(path: str) -> dict[int, list[Run]]:
    """Returns the runs of each example."""
    said: dict[int, list[Run]] = {}
    lines: list[str] = []
    for line in Path(path).read_text(encoding="utf-8", errors="replace").split("\n"):
        line = line.rstrip("\r")
        begin = re.match(r"@ (\d+) (\d+)$", line)
        if begin:
            number, step = int(begin[1]), int(begin[2])
            if step == 0:
                said.setdefault(number, []).append({})
            lines = said[number][-1].setdefault(step, [])
        else:
            lines.append(line)
    return said


def judge(path: str, paths: list[str]) -> None:
    """Prints a result for each example."""
    said = read_output(path)
    examples = examples_of(paths)
    print(f"KTAP version 1\n1..{len(examples)}")
    for number, example in enumerate(examples):
        reason = example.notes.get("not run")
        runs = [] if reason else [complaints(example, run) for run in said.get(number, [{}])]
        wrong = [] if [] in runs else sum(runs, [])
        print("".join(f"# {line}\n" for line in wrong), end="")
        skipped = f" # SKIP {reason}" if reason else ""
        print("not ok" if wrong else "ok", number + 1, example.title + skipped)


if __name__ == "__main__":
    {"scripts": write_scripts, "judge": judge, "modules": write_modules}[sys.argv[1]](
        sys.argv[2], sys.argv[3:])
