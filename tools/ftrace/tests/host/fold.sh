#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The figures that make picture draws. fold.awk computes the own time of each function, by task,
# without calls whose begin or end is missing. waits.awk computes how often each task waited how
# long, and adds up the tasks that waited least often.

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

cat >"$work/hist" <<'END'
# event histogram
#
# trigger info: hist:keys=comm,lat.log2:vals=hitcount:sort=comm,lat:size=2048 [active]
#

{ comm: kworker/0:1, lat: x                               , lat: ~ 2^4  } hitcount:          2
{ comm: ls                                                , lat: ~ 2^4  } hitcount:         30  lat.max:         16
{ comm: ls                                                , lat: ~ 2^10 } hitcount:          1  lat.max:        900
{ comm: sort                                              , lat: ~ 2^8  } hitcount:          3  lat.max:        256
{ comm: two words                                         , lat: ~ 2^8  } hitcount:         50  lat.max:        256
{ comm: wc                                                , lat: ~ 2^11 } hitcount:          3  lat.max:       2048

Totals:
    Hits: 89
    Entries: 6
    Dropped: 0
    lat:  p50: ~ 2^8   p90: ~ 2^13  p99: ~ 2^14  max: ~ 2^15
END
cat >"$work/expected" <<'END'
"up to" "two words" "ls" "sort" "others"
"16 us" 0 30 0 2
"32 us" 0 0 0 0
"64 us" 0 0 0 0
"128 us" 0 0 0 0
"256 us" 50 0 3 0
"512 us" 0 0 0 0
"1 ms" 0 1 0 0
"2 ms" 0 0 0 3
END
awk -v TASKS=3 -f "$TOOLS/picture/waits.awk" "$work/hist" | diff "$work/expected" -
! awk -v TASKS=3 -f "$TOOLS/picture/waits.awk" /dev/null
