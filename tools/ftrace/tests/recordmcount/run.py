#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Runs the cases of recordmcount and prints KTAP; see host/recordmcount.sh."""

import argparse
import os
import shutil
import subprocess
import sys
import traceback

import cases_compiled
import cases_crossed
import cases_faults
import cases_files
import cases_machines
import cases_mutants

MODULES = (cases_compiled, cases_crossed, cases_machines, cases_files,
           cases_faults, cases_mutants)

# Seconds after which a program counts as hung, and its case as failed.
PATIENCE = 120


class Skip(Exception):
    """This machine cannot run the case."""


class Bench:
    """Runs recordmcount and tools for a case, in a directory of the case."""

    Skip = Skip

    def __init__(self, options):
        self.options = options
        self.source = os.path.join(os.path.dirname(__file__), "src")
        self.golden = os.path.join(os.path.dirname(__file__), "golden")
        self.dir = None

    def enter(self, number):
        self.dir = os.path.join(self.options.work, f"case-{number}")
        os.mkdir(self.dir)

    def leave(self):
        shutil.rmtree(self.dir, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.dir, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    @staticmethod
    def read(path):
        with open(path, "rb") as file:
            return file.read()

    @staticmethod
    def tool(*command, **options):
        """Runs a tool that has to succeed; returns its standard output."""
        done = subprocess.run(command, capture_output=True, text=True,
                              check=False, timeout=PATIENCE, **options)
        assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
        return done.stdout

    def compile(self, source, *flags, name="object.o", compiler=None):
        """Compiles a file of src/, or a text, to an object; returns its path."""
        if "\n" in source:
            self.write("input.s", source.encode())
            source = self.path("input.s")
        else:
            source = os.path.join(self.source, source)
        self.tool(compiler or self.options.cc, "-c", "-O2", "-w", *flags,
                  source, "-o", self.path(name))
        return self.path(name)

    def run(self, *arguments, fast=False, **options):
        program = self.options.program if fast else self.options.checked
        return subprocess.run([program, *arguments], capture_output=True,
                              text=True, check=False, errors="replace",
                              timeout=PATIENCE, **options)

    def record(self, *arguments):
        """Runs recordmcount on valid objects; returns what it prints."""
        done = self.run(*arguments)
        assert done.returncode == 0, f"exit {done.returncode}: {done.stderr}"
        self.no_leftover()
        return done.stderr

    def no_leftover(self):
        left = [name for name in os.listdir(self.dir) if "tmp_" in name]
        assert not left, f"left over: {left}"


def parse():
    parser = argparse.ArgumentParser()
    for name in ("program", "checked", "work", "cc"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("only", nargs="?", default="",
                        help="part of the names of the cases to run")
    return parser.parse_args()


def run_case(bench, number, name, body):
    bench.enter(number)
    try:
        body(bench)
    except Skip as reason:
        print(f"ok {number} {name} # SKIP {reason}")
    except Exception:  # pylint: disable=broad-except
        for line in traceback.format_exc().splitlines():
            print("# " + line)
        print(f"not ok {number} {name}")
        return False
    else:
        print(f"ok {number} {name}")
    finally:
        bench.leave()
        sys.stdout.flush()
    return True


def main():
    options = parse()
    os.environ.update(ASAN_OPTIONS="exitcode=99", LC_ALL="C",
                      UBSAN_OPTIONS="exitcode=99")
    bench = Bench(options)
    cases = [case for module in MODULES for case in module.CASES
             if options.only in case[0]]
    print("KTAP version 1")
    print(f"1..{len(cases)}")
    passed = [run_case(bench, number + 1, *case)
              for number, case in enumerate(cases)]
    print(f"# {sum(passed)} passed, {len(cases) - sum(passed)} failed")
    return 0 if cases and all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
