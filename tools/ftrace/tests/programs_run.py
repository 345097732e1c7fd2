#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Finds the programs that scripts may run: programs_run.py tools-directory script...

Follows sourced files, called scripts and functions. Prints a line for each command: the
script, the command, and the place that runs it. Functions are printed as name(); builtins
of the shell and our own scripts are not printed. Expansions in a command are printed as
${name} or ${name[@]}."""

import functools
import json
import os
import re
import subprocess
import sys

# Commands that run another command: the number of arguments before that command, and the
# options that have a value. inner() knows how variables precede the command of env.
RUNNERS = {
    "await": (1, ""), "begin": (0, ""), "env": (0, "uC"), "exec": (0, "a"), "logged": (1, ""),
    "nice": (0, "n"), "refuses": (1, ""), "setarch": (0, ""),
    "timeout": (1, "ks"), "xargs": (0, "adEILnPs"), "${fixed[@]}": (0, ""),
}
# "$@" or a slice of it: the caller names the command.
GIVEN = re.compile(r"\$\{@(\[.*)?\}")
# How our Python programs run commands: subprocess.run(), and Bench.tool() and .compile() of
# the tests of recordmcount.
PYTHON = re.compile(r'(?:tool|which)\([^")]*"(\w[\w.+-]*)"|subprocess\.run\(\["(\w+)"'
                    r'|compiler="(\w+)"')


def text_of(parts):
    """Returns a word as text, without its quotes."""
    text = ""
    for part in parts or []:
        if part["Type"] in ("Lit", "SglQuoted"):
            text += part.get("Value", "")
        elif part["Type"] == "DblQuoted":
            text += text_of(part.get("Parts"))
        elif part["Type"] == "ParamExp":
            index = text_of((part.get("Index") or {}).get("Parts"))
            text += f"${{{part['Param']['Value']}{index and f'[{index}]'}}}"
        else:
            text += "<>"
    return text


def inner(words):
    """Returns the command that a command runs, or an empty list."""
    if words[0] == "find":
        return words[words.index("-exec") + 1:] if "-exec" in words else []
    if words[0] not in RUNNERS:
        return []
    count, valued = RUNNERS[words[0]]
    rest = words[1:]
    while rest and (rest[0].startswith("-") or words[0] == "env" and
                    ("=" in rest[0] or rest[0].endswith(("@}", "@]}")))):
        rest = rest[2 if rest[0][1:] in list(valued) else 1:]
    return rest[count:]


class Script:
    """A file: its functions, and the commands outside of them."""

    def __init__(self, path):
        self.path, self.functions = path, {}
        with open(path, encoding="utf-8") as file:
            self.outside = self.read(file.read())
        every = [self.outside, *self.functions.values()]
        self.sources = [words[1] for calls in every for words, _ in calls
                        if words[0] == "."]

    def read(self, text):
        """Returns the commands of a text, as shfmt parses it."""
        done = subprocess.run(["shfmt", "-tojson"], input=text, text=True,
                              capture_output=True, check=False)
        if done.returncode:
            sys.exit(f"FAULT: {self.path}: {done.stderr}")
        return list(self.calls(json.loads(done.stdout)))

    def calls(self, node):
        """Yields the commands in a part of the syntax tree, each with its place."""
        if isinstance(node, list):
            for item in node:
                yield from self.calls(item)
        elif isinstance(node, dict) and node.get("Type") == "FuncDecl":
            self.functions[node["Name"]["Value"]] = list(self.calls(node["Body"]))
        elif isinstance(node, dict):
            if node.get("Type") == "CallExpr" and node.get("Args"):
                words = [text_of(word.get("Parts")) for word in node["Args"]]
                yield words, f"{os.path.basename(self.path)}:{node['Pos']['Line']}"
                if words[0] == "trap" and words[1] != "-":
                    for inside, _ in self.read(words[1]):
                        yield inside, f"{os.path.basename(self.path)}, a trap"
            if node.get("Type") == "WordIter":
                yield ["for", *(text_of(word.get("Parts"))
                                for word in node.get("Items") or [])], ""
            for value in node.values():
                yield from self.calls(value)


script = functools.lru_cache(None)(Script)


class Reach:
    """The programs that one script may run."""

    def __init__(self, tools, path):
        self.tools, self.programs, self.followed = tools, {}, set()
        self.follow(path)

    def path_of(self, word, by):
        """Returns the path of the file that a word names, if it is one of ours."""
        name = re.sub(r"^.*[}>]/(\.\./)*", "", word)
        if name == word or not name.endswith((".sh", ".py")):
            return None
        tops = [self.tools, os.path.join(self.tools, "../.."), os.path.dirname(by)]
        tops += [entry.path for entry in os.scandir(os.path.join(self.tools, "tests"))]
        paths = [os.path.normpath(os.path.join(top, name)) for top in tops]
        return next(filter(os.path.isfile, paths), None)

    def follow(self, path):
        """Follows a script, with the files that it sources as a part of it."""
        if path in self.followed:
            return
        self.followed.add(path)
        if path.endswith(".py"):
            self.python(os.path.dirname(path))
            return
        functions, todo, sourced = {}, [], [path]
        for one in sourced:
            functions.update(script(one).functions)
            todo += script(one).outside
            for word in script(one).sources:
                found = self.path_of(word, one)
                if not found:
                    sys.exit(f"FAULT: {one} sources {word}, which does not exist")
                sourced += [found] if found not in sourced else []
        while todo:
            words, where = todo.pop()
            # A function that is named in any word may be called.
            for name in {word.split("=")[-1] for word in words} & functions.keys():
                calls = functions.pop(name)
                functions[name] = ()
                todo += calls
                self.programs[name + "()"] = where
                self.runs_what_it_is_given(name, calls)
            if inner(words):
                todo.append((inner(words), where))
            self.command(words, where, path, functions)

    @staticmethod
    def runs_what_it_is_given(name, calls):
        """Exits if a function runs its arguments as a command and is not in RUNNERS."""
        for words, where in calls:
            if GIVEN.fullmatch((inner(words) or words)[0]) and name not in RUNNERS:
                sys.exit(f"FAULT: {where}: {name}() runs its arguments as a command: "
                         f"add it to RUNNERS of {__file__}")

    def command(self, words, where, path, functions):
        """Adds a command, and follows it if it is one of our scripts."""
        for word in words:
            ours = self.path_of(word, path)
            if ours and (word is words[0] or ours.endswith(".py")):
                self.follow(ours)
        known = words[0] in functions or words[0] in BUILTINS
        if not known and not self.path_of(words[0], path) and not GIVEN.fullmatch(words[0]):
            self.programs.setdefault(words[0], where)

    def python(self, directory):
        """Adds the programs that the Python programs in a directory run."""
        for name in sorted(os.listdir(directory)):
            if name.endswith(".py"):
                with open(os.path.join(directory, name), encoding="utf-8") as file:
                    for words in PYTHON.findall(file.read()):
                        self.programs.setdefault("".join(words), name)


BUILTINS = subprocess.run(["bash", "-c", "compgen -bk"], capture_output=True, text=True,
                          check=True).stdout.split()
for name in sys.argv[2:]:
    reach = Reach(os.path.realpath(sys.argv[1]), os.path.realpath(name))
    for program, place in sorted(reach.programs.items()):
        print(os.path.basename(name), program, place, sep="\t")
