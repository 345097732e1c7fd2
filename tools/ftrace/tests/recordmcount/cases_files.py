# SPDX-License-Identifier: GPL-2.0
"""The file of the object: its mode, its links, errors of opening and writing it."""

import os
import resource
import signal
import stat

from cases_compiled import KERNEL
from elfobj import Elf


def made(bench, name="object.o"):
    return bench.compile("weak.c", *KERNEL, "-ffunction-sections", name=name)


def refused(bench, path, message, **options):
    """Checks that recordmcount fails with one message, and leaves the file as it was."""
    before = bench.read(path) if os.path.isfile(path) else None
    done = bench.run(path, **options)
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert done.stderr.startswith(f"recordmcount: {path}: {message}"), \
        done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    bench.no_leftover()
    assert before is None or bench.read(path) == before


def twice_is_once(bench):
    path = made(bench)
    bench.record(path)
    once, info = bench.read(path), os.stat(path)
    bench.record(path)
    again = os.stat(path)
    assert bench.read(path) == once
    assert (info.st_ino, info.st_mtime_ns) == (again.st_ino, again.st_mtime_ns)


def only_left_out_twice(bench):
    source = ('\t.section .exit.text,"ax"\n\t.globl f\nf:\tcall __fentry__\n'
              '\tret\n')
    path = bench.compile(source)
    bench.record(path)
    once = bench.read(path)
    assert "__mcount_loc" not in [s.label for s in Elf(once).sections]
    assert "not recorded" not in bench.record("-w", path)
    assert bench.read(path) == once


def nothing_to_record(bench):
    path = bench.compile("plain.c", *KERNEL[2:])
    before, info = bench.read(path), os.stat(path)
    bench.record(path)
    again = os.stat(path)
    assert bench.read(path) == before
    assert (info.st_ino, info.st_mtime_ns) == (again.st_ino, again.st_mtime_ns)


def mode_is_kept(bench):
    path = made(bench)
    for mode in (0o640, 0o755, 0o600, 0o222 | 0o444):
        path = made(bench)
        os.chmod(path, mode)
        bench.record(path)
        assert stat.S_IMODE(os.stat(path).st_mode) == mode


def other_links_keep_the_original(bench):
    for mode in (0o644, 0o444):
        path, cached = made(bench), bench.path(f"cached-{mode}")
        os.link(path, cached)
        os.chmod(path, mode)
        before = bench.read(path)
        bench.record(path)
        assert bench.read(cached) == before, "the cache was written to"
        assert Elf(bench.read(path)).sites()
        assert stat.S_IMODE(os.stat(path).st_mode) == mode


def symbolic_link_stays(bench):
    path, link = made(bench), bench.path("link.o")
    os.symlink(path, link)
    bench.record(link)
    assert os.path.islink(link)
    assert Elf(bench.read(path)).sites()


def relative_name(bench):
    made(bench)
    done = bench.run("object.o", cwd=bench.dir)
    assert done.returncode == 0, done.stderr
    assert Elf(bench.read(bench.path("object.o"))).sites()


def several_objects(bench):
    paths = [made(bench, name=f"{i}.o") for i in range(3)]
    bench.record(*paths)
    for path in paths:
        assert len(Elf(bench.read(path)).sites()) == 4


def usage(bench):
    for arguments in ((), ("-w",), ("-x", made(bench))):
        done = bench.run(*arguments)
        assert done.returncode == 1
        assert "usage: recordmcount [-w] object..." in done.stderr


def read_only(bench):
    path = made(bench)
    os.chmod(path, 0o444)
    refused(bench, path, "read-only file")


def read_only_without_need(bench):
    path = made(bench)
    bench.record(path)
    os.chmod(path, 0o444)
    bench.record(path)


def missing(bench):
    refused(bench, bench.path("no.o"), "cannot open: No such file")


def directory(bench):
    refused(bench, bench.dir, "not a regular file")


def unwritable_directory(bench):
    if os.geteuid() == 0:
        raise bench.Skip("root may write anywhere")
    path = made(bench)
    os.chmod(bench.dir, 0o555)
    try:
        refused(bench, path, "cannot create")
    finally:
        os.chmod(bench.dir, 0o755)


def no_space(bench):
    """A limit on the size of files has the same effect as a full disk."""
    path = made(bench)

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))

    refused(bench, path, "cannot write", preexec_fn=limit)


CASES = [
    ("file: running twice changes nothing", twice_is_once),
    ("file: twice with nothing but calls left out", only_left_out_twice),
    ("file: without call sites it stays untouched", nothing_to_record),
    ("file: its mode is kept", mode_is_kept),
    ("file: other hard links keep the original", other_links_keep_the_original),
    ("file: a symbolic link stays one", symbolic_link_stays),
    ("file: a name without directory", relative_name),
    ("file: several objects", several_objects),
    ("file: usage", usage),
    ("file: read-only", read_only),
    ("file: read-only and complete", read_only_without_need),
    ("file: missing", missing),
    ("file: a directory", directory),
    ("file: directory not writable", unwritable_directory),
    ("file: no space", no_space),
]
