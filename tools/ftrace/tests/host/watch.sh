#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# watch.py: which guests, and which parts of the suite, are killed as stuck.

. "$(dirname "$0")/../../lib.sh"

python3 "$TOOLS/tests/watch_test.py"
