#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# watch.py finds out which guests, and which parts of the suite, are stuck and have to be killed.

. "$(dirname "$0")/../../lib.sh"

python3 "$TOOLS/tests/watch_test.py"
