#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# What make picture draws: of each function the time that it took itself, that of a call
# that is not whole nowhere, and of each task by itself.

. "$(dirname "$0")/../../lib.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/report" <<'END'
cpus=2
              ls-7     [000]     1.000001: funcgraph_exit:         9.000 us   |  }
              ls-7     [000]     1.000002: funcgraph_entry:                   |  outer() {
              ls-7     [000]     1.000003: funcgraph_entry:        1.500 us   |    leaf();
             cat-8     [001]     1.000004: funcgraph_entry:                   |  other() {
          <idle>-0     [001]     1.000005: funcgraph_entry:        5.000 us   |  idles();
              ls-7     [001]     1.000006: funcgraph_entry:                   |    middle [some_mod]() {
              ls-7     [001]     1.000007: funcgraph_entry:      + 11.000 us  |      leaf();
              ls-7     [001]     1.000008: funcgraph_exit:       + 12.000 us  |    }
              ls-7     [001]     1.000009: funcgraph_entry:        0.500 us   |    leaf();
              ls-7     [001]     1.000010: funcgraph_exit:       + 20.000 us  |  }
END
cat >"$work/expected" <<'END'
ls;outer 6000
ls;outer;leaf 2000
ls;outer;middle 1000
ls;outer;middle;leaf 11000
END
awk -v SKIP='<idle>' -f "$TOOLS/picture/fold.awk" "$work/report" | sort |
	diff "$work/expected" -
