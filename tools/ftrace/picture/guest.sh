#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest: records what a small workload does with function_graph, and prints the
# record as a file for the host (picture.sh).

cd /sys/kernel/tracing || exit
mkdir -p /tmp/work

# That of the demo.
workload()
{
	echo hello >/tmp/work/file
	cat /tmp/work/file >/dev/null
	ls -l /tmp/work >/dev/null
	rm /tmp/work/file
}

# Once before, for what is done only the first time. Of what is recorded, what trace-cmd
# itself does is no part.
workload
trace-cmd start -q -b 16384 -p function_graph -O nosleep-time -O nofuncgraph-irqs \
	>/dev/null || exit
echo 0 >tracing_on
echo >trace
echo 1 >tracing_on
workload
echo 0 >tracing_on
trace-cmd extract -o /tmp/picture.dat >/dev/null || exit
echo "file picture.dat"
gzip -c /tmp/picture.dat | base64
echo "end of picture.dat"
