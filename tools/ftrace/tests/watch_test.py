#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests watch.py with toy processes: which it reports as stuck."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOOLS))

import watch  # noqa: E402

SLEEPS = "import time; time.sleep(60)"
COMPUTES = "while True: pass"
WRITES = "import time\nfor n in range(12): time.sleep(0.25); print(n, flush=True)"


class Rule(unittest.TestCase):
    """Tests is_stuck()."""

    def test_sleeping(self):
        self.assertFalse(watch.is_stuck(99, 1, 100))
        self.assertTrue(watch.is_stuck(100, 1, 100))

    def test_computing(self):
        self.assertFalse(watch.is_stuck(99, 99, 100))
        self.assertTrue(watch.is_stuck(101, 100, 100))

    def test_gets_little_of_a_busy_machine(self):
        self.assertFalse(watch.is_stuck(900, 90, 100))
        self.assertTrue(watch.is_stuck(1000, 100, 100))


class Watched(unittest.TestCase):
    """Tests watch()."""

    def setUp(self):
        self.output = tempfile.NamedTemporaryFile(mode="w", suffix=".output")
        self.addCleanup(self.output.close)

    def watch(self, code: str, *words: str, parent: str | None = None) -> str | None:
        """Returns the result of watch() for a process that runs the code."""
        process = subprocess.Popen(
            [sys.executable, "-c", code], stdout=self.output, start_new_session=True
        )
        self.addCleanup(process.wait)
        self.addCleanup(os.killpg, process.pid, signal.SIGKILL)
        return watch.watch(
            watch.parse_args(
                ["--nap", "0.1", "--quiet", "1", *words, str(process.pid), self.output.name]
            )
        )

    def say(self, text: str):
        """Writes a text to the output, before the process does."""
        self.output.write(text)
        self.output.flush()

    def test_ends(self):
        self.assertIsNone(self.watch("pass"))

    def test_is_gone_before(self):
        self.assertIsNone(watch.watch(watch.parse_args([str(2**22)])))

    def test_sleeps(self):
        self.assertIn("written nothing", self.watch(SLEEPS))

    def test_computes(self):
        self.assertIn("written nothing", self.watch(COMPUTES))

    def test_group_computes(self):
        code = f"import os\nif os.fork() == 0:\n    {COMPUTES}\nos.wait()"
        self.assertIn("written nothing", self.watch(code, "--group"))

    def test_writes(self):
        self.assertIsNone(self.watch(WRITES))

    def test_takes_longer_than_the_limit(self):
        self.assertIn("after 1 s", self.watch(WRITES, "--limit", "1"))

    def test_has_reported(self):
        self.say("WARNING: known\nWARNING: x\n")
        said = self.watch(WRITES, "--trouble", "WARNING:", "--allow", "known")
        self.assertIn("reported an error", said)

    def test_has_reported_what_is_known(self):
        self.say("WARNING: known\nsafe\n")
        self.assertIsNone(self.watch(WRITES, "--trouble", "WARNING:", "--allow", "known"))

    def test_is_over(self):
        self.say("System halted\n")
        self.assertEqual("", self.watch(SLEEPS, "--over", "System halted"))

    def test_nobody_waits(self):
        waiter = subprocess.Popen([sys.executable, "-c", "pass"])
        waiter.wait()
        self.assertIn("that waited for it", self.watch(SLEEPS, "--parent", str(waiter.pid)))


if __name__ == "__main__":
    unittest.main()
