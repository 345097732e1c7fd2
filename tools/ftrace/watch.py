#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Waits until a process has ended, or has made no progress for too long.

Progress is output: a file that grows. A process that writes nothing counts as stuck after a
time (--quiet): seconds of CPU time while it computes, seconds of the clock while it sleeps. So a
process does not look stuck because the machine is slow or busy with something else.

Exits with 0 if the process has ended, or with 1 and the reason on stdout if it has to be killed.
"""

import argparse
import os
import re
import select
import sys
import time
from pathlib import Path

# A guest that only waits for interrupts takes less than this share of a CPU.
SLEEPING_SHARE = 0.05


def read_stat(pid: int) -> list[str] | None:
    """Returns the fields of /proc/PID/stat from the state on, or None without the process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def has_ended(process: int | None, seconds: float) -> bool:
    """Waits up to so many seconds for the end of a process: a pidfd, or None without one."""
    return process is None or bool(select.select([process], [], [], seconds)[0])


def open_process(pid: int) -> int | None:
    """Returns a pidfd, or None if there is no such process."""
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        return None


def group_stats(group: int) -> list[list[str]]:
    """Returns read_stat() of each process of a process group."""
    pids = (int(name) for name in os.listdir("/proc") if name.isdigit())
    stats = (read_stat(pid) for pid in pids)
    return [stat for stat in stats if stat and int(stat[2]) == group]


def cpu_seconds(pid: int, group: bool) -> float:
    """Returns the CPU time of a process, or of its group and their children that have ended."""
    stat = read_stat(pid)
    stats = group_stats(pid) if group else [stat] if stat else []
    ticks = sum(int(field) for stat in stats for field in stat[11 : 15 if group else 13])
    return ticks / os.sysconf("SC_CLK_TCK")


def total_size(paths: list[str]) -> int:
    """Returns the sum of the sizes of files, and of those below directories."""
    size = 0
    for path in map(Path, paths):
        for file in path.rglob("*") if path.is_dir() else [path]:
            try:
                size += file.stat().st_size
            except OSError:
                pass
    return size


def is_stuck(clock: float, cpu: float, quiet: float) -> bool:
    """Tells whether a process is stuck that has written nothing for so many seconds."""
    return cpu >= quiet or clock >= quiet and cpu < clock * SLEEPING_SHARE


class Reader:
    """Reads the new lines of growing files."""

    def __init__(self, paths: list[str]):
        self.at = {path: 0 for path in paths if not os.path.isdir(path)}

    def new_lines(self) -> list[str]:
        """Returns the lines that were added since the last call."""
        lines = []
        for path, at in self.at.items():
            try:
                with open(path, "rb") as file:
                    file.seek(at)
                    text = file.read()
            except OSError:
                continue
            whole = text[: text.rfind(b"\n") + 1]
            self.at[path] = at + len(whole)
            lines += whole.decode(errors="replace").splitlines()
        return lines


def fits(pattern: str | None, lines: list[str], but: str | None = None) -> bool:
    """Tells whether a line matches the first pattern and not the second one."""
    return any(
        pattern and re.search(pattern, line) and not (but and re.search(but, line))
        for line in lines
    )


def watch(args: argparse.Namespace) -> str | None:
    """Returns why the process has to be ended, or None once it has ended."""
    start = last = time.monotonic()
    cpu_then, size_then, reported = 0.0, -1, None
    reader = Reader(args.files)
    process = open_process(args.pid)
    parent = open_process(args.parent) if args.parent else None
    while not has_ended(process, args.nap):
        if args.parent and has_ended(parent, 0):
            return "killed because the process that waited for it has ended"
        now = time.monotonic()
        cpu, size = cpu_seconds(args.pid, args.group), total_size(args.files)
        lines = reader.new_lines() if args.over or args.trouble else []
        if fits(args.over, lines):
            return ""
        if reported is None and fits(args.trouble, lines, args.allow):
            reported = now
        if size != size_then:
            last, cpu_then, size_then = now, cpu, size
        if is_stuck(now - last, cpu - cpu_then, args.quiet):
            return f"killed because it had written nothing for {now - last:.0f} s"
        if reported is not None and now - reported > args.quiet:
            return f"killed {args.quiet:.0f} s after its kernel reported an error"
        if args.limit and now - start > args.limit:
            return f"killed after {args.limit:.0f} s"
    return None


def parse_args(words: list[str]) -> argparse.Namespace:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quiet", type=float, default=900,
                        help="seconds without output until the process counts as stuck")
    parser.add_argument("--limit", type=float, default=0, help="seconds in total; 0: no limit")
    parser.add_argument("--group", action="store_true", help="watch the process group PID")
    parser.add_argument("--parent", type=int, help="process that waits: kill when it has ended")
    parser.add_argument("--over", help="pattern of a line after which to kill at once")
    parser.add_argument("--trouble", help="pattern of an error line: kill --quiet seconds later")
    parser.add_argument("--allow", help="pattern of lines that are no errors")
    parser.add_argument("--nap", type=float, default=5, help="seconds between two checks")
    parser.add_argument("pid", type=int)
    parser.add_argument("files", nargs="*", help="files or directories that grow")
    return parser.parse_args(words)


def main() -> int:
    """Runs the command."""
    why = watch(parse_args(sys.argv[1:]))
    if why:
        print(why, flush=True)
    return why is not None


if __name__ == "__main__":
    sys.exit(main())
