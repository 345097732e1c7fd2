#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest, booted with every function traced by the global clock: clocks,
# the patching of text and the tracer itself run into each other all the time.
# Prints KTAP.

. /ktap.sh
cd /sys/kernel/tracing || exit
plan 3

[ "$(cat current_tracer)" = function ] && grep -qF '[global]' trace_clock
report $? "all is traced, by the global clock"

echo nop >current_tracer && [ ! -s enabled_functions ]
report $? "it stops"

echo nooverwrite >trace_options
echo >trace
echo function >current_tracer
echo 0 >tracing_on
[ "$(grep -c ': local_clock <-patch' trace)" -lt 2000 ]
report $? "writing 20,000 call sites does not read a traced clock for each"
all_reported
