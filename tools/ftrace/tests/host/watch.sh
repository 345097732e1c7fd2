#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# What ends a guest, or a part of the suite, and what does not.

. "$(dirname "$0")/../../lib.sh"

python3 "$TOOLS/tests/watch_test.py"
