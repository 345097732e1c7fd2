#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs with our tracer and with the stock one. Sends triggers, histograms and synthetic events as
# read back, error messages for bad ones, and what they count and do to the host, which compares
# them (tools/ftrace/compare-stock.sh). Records are injected, mostly into events that do not happen
# otherwise.
# Each $ belongs to a variable of a histogram.
# shellcheck disable=SC2016

. /send.sh
. /alike-lib.sh
cd /sys/kernel/tracing || exit
pages=kmem/mm_page_alloc_extfrag
score=oom/oom_score_adj_update
hang=sched/sched_process_hang
program=sched/sched_process_exec
alloc=kmem/kmalloc
call=raw_syscalls/sys_enter

# add_trigger event text: adds a trigger; prints the error and all triggers of the event
add_trigger()
{
	write "$2" "events/$1/trigger"
	print_triggers "$1"
}

# print_triggers event...: prints the triggers of events
print_triggers()
{
	for event; do
		grep -v '^#' "events/$event/trigger"
	done
}

# remove_triggers event...: removes all triggers. Truncating the file removes only histograms.
remove_triggers()
{
	for event; do
		: >"events/$event/trigger"
		sed -n '/^#/d; /^hist:/d; s/ if .*//; s/:unlimited$//; s/:count=.*//; s/^/!/p' \
			"events/$event/trigger" >/tmp/others
		while read -r other; do
			echo "$other" >>"events/$event/trigger"
		done </tmp/others
	done
}

# add_each_alone event: adds each line of stdin as a trigger, and removes it again
add_each_alone()
{
	while read -r text; do
		add_trigger "$1" "$text"
		remove_triggers "$1"
	done
}

# add_one_after_another event: adds all lines of stdin as triggers, and removes them at the end
add_one_after_another()
{
	while read -r text; do
		add_trigger "$1" "$text"
	done
	remove_triggers "$1"
}

# inject event fields...: injects a record for each argument
inject()
{
	event=$1
	shift
	for words; do
		echo "$words" >"events/$event/inject"
	done
}

# inject_pages: injects records whose keys differ in number
inject_pages()
{
	for n in 1 2 2 16 16 16 17 17 17 17 4095 4095 4095 4095 4095; do
		inject $pages "pfn=$n alloc_order=$((n % 10 - 3)) fallback_order=$n \
			alloc_migratetype=$((n / 10)) common_pid=$((n + 300))"
	done
}

inject_scores()
{
	inject $score 'pid=7 comm="seven" oom_score_adj=-7' \
		'pid=7 comm="seven" oom_score_adj=70' \
		'pid=8 comm="number eight" oom_score_adj=-1000' \
		'pid=7 comm="seven" oom_score_adj=17' \
		'pid=9 comm="as long as it can" oom_score_adj=70' \
		'pid=9 comm="as long as it can" oom_score_adj=100' \
		'pid=7 comm="seven" oom_score_adj=17'
}

# inject_others: injects records of events that also happen otherwise; filters drop real records
inject_others()
{
	inject $program 'filename="/bin/one" pid=1 old_pid=77777' \
		'filename="/bin/two" pid=2 old_pid=77777' \
		'filename="/bin/one" pid=3 old_pid=77777' \
		'filename="one of a name that is longer than anything would have room for in a column" old_pid=77777' \
		'filename="" old_pid=77777'
	inject $alloc "call_site=0x$here bytes_req=77777 bytes_alloc=80000" \
		"call_site=0x$here bytes_req=77777 bytes_alloc=90000" \
		'call_site=0 bytes_req=77777 bytes_alloc=100'
	inject $call 'id=0 common_pid=77777' 'id=39 common_pid=77777' 'id=0 common_pid=77777' \
		'id=4321 common_pid=77777' 'id=4321 common_pid=77777' 'id=4321 common_pid=77777'
}

# count_each event function: for each histogram on stdin, calls the function, which injects records,
# and prints what the histogram has counted
count_each()
{
	while read -r text; do
		write "$text" "events/$1/trigger"
		$2
		cat "events/$1/hist"
		remove_triggers "$1"
	done
}

definitions()
{
	add_each_alone $pages <<-'END'
		hist:keys=pfn
		hist:key=pfn
		hist:keys=pfn.hex
		hist:keys=pfn.sym
		hist:keys=pfn.sym-offset
		hist:keys=pfn.log2
		hist:keys=pfn.buckets=16
		hist:keys=pfn.bucket=10
		hist:keys=pfn.usecs
		hist:keys=alloc_order,fallback_order
		hist:keys=alloc_order,fallback_order,alloc_migratetype.log2
		hist:keys=pfn,pfn.log2
		hist:keys=common_pid
		hist:keys=common_pid.execname,pfn.hex
		hist:keys=common_type,common_flags,common_preempt_count
		hist:keys=common_cpu
		hist:keys=cpu
		hist:keys=CPU,pfn
		hist:keys=common_timestamp
		hist:keys=common_timestamp.usecs
		hist:keys=common_stacktrace
		hist:keys=stacktrace
		hist:keys=pfn,common_stacktrace
		hist:keys=alloc_order.syscall
		hist:keys=pfn:vals=hitcount
		hist:keys=pfn:vals=alloc_order
		hist:keys=pfn:val=alloc_order
		hist:keys=pfn:values=alloc_order,fallback_order
		hist:keys=pfn:vals=hitcount,alloc_order
		hist:keys=pfn:vals=alloc_order,hitcount
		hist:keys=pfn:vals=alloc_order.hex
		hist:keys=pfn:vals=alloc_order.percent
		hist:keys=pfn:vals=hitcount.percent
		hist:keys=pfn:vals=hitcount.graph,alloc_order.graph
		hist:keys=pfn:vals=hitcount.hex
		hist:keys=pfn:vals=alloc_order:nohitcount
		hist:keys=pfn:vals=alloc_order:NOHC
		hist:keys=pfn:sort=pfn
		hist:keys=pfn:sort=pfn.ascending
		hist:keys=pfn:sort=pfn.descending
		hist:keys=pfn:sort=hitcount
		hist:keys=pfn:sort=hitcount.descending
		hist:keys=pfn:vals=alloc_order:sort=alloc_order.descending
		hist:keys=pfn,alloc_order:vals=fallback_order:sort=alloc_order,pfn.descending
		hist:keys=pfn:sort=hitcount,pfn
		hist:sort=pfn:vals=alloc_order:keys=pfn
		hist:keys=pfn.log2:sort=pfn
		hist:keys=pfn:size=128
		hist:keys=pfn:size=200
		hist:keys=pfn:size=4096
		hist:keys=pfn:size=131072
		hist:keys=pfn:name=some
		hist:name=some:keys=pfn:vals=alloc_order
		hist:keys=pfn:pause
		hist:pause:keys=pfn
		hist:keys=pfn:clock=mono
		hist:keys=pfn:clear
		hist:keys=common_timestamp:clock=mono
		hist:keys=pfn if alloc_order > 3
		hist:keys=pfn:vals=alloc_order:sort=alloc_order if alloc_order > 3 && fallback_order != 2
		hist:keys=pfn:pause if (alloc_order == 1 || alloc_order == 2) && !(pfn & 0x10)
		hist:keys=pfn:x=alloc_order
		hist:keys=pfn:x=alloc_order,y=fallback_order
		hist:keys=pfn:x=alloc_order:y=fallback_order
		hist:keys=pfn:ts=common_timestamp
		hist:keys=pfn:ts0=common_timestamp.usecs
		hist:keys=pfn:p=common_pid.execname
		hist:keys=pfn:c=common_cpu
		hist:keys=pfn:s=common_stacktrace
		hist:keys=pfn:x=17
		hist:keys=pfn:x=0x11
		hist:keys=pfn:x=1+2*3
		hist:keys=pfn:x=alloc_order+1
		hist:keys=pfn:x=alloc_order+fallback_order*2
		hist:keys=pfn:x=alloc_order-fallback_order-1
		hist:keys=pfn:x=-(alloc_order)
		hist:keys=pfn:x=-(alloc_order+fallback_order)
		hist:keys=pfn:x=alloc_order/3
		hist:keys=pfn:x=alloc_order:y=$x
		hist:keys=pfn:x=alloc_order:y=$x+1
		hist:keys=pfn:x=alloc_order,y=fallback_order:z=$x+$y
		hist:keys=$x:x=alloc_order
		hist:keys=$x,pfn:vals=$y:x=alloc_order,y=fallback_order
		hist:keys=pfn:vals=$x:x=alloc_order
		hist:keys=pfn:vals=alloc_order+1
		hist:keys=pfn:vals=alloc_order*fallback_order,fallback_order
		hist:keys=pfn:x=alloc_order:onmax($x).save(fallback_order,pfn)
		hist:keys=pfn:x=alloc_order:onmax($x).save(fallback_order):onchange($x).snapshot()
		hist:keys=pfn:x=alloc_order:onchange($x).snapshot()
		hist:keys=pfn:x=alloc_order:onchange($x).snapshot
		hist:keys=pfn:x=alloc_order:onmax($x).save(common_pid.execname,pfn.hex)
		hist: keys = pfn
		hist:keys=pfn:vals=alloc_order:
		hist::keys=pfn
		hist:keys=pfn:unknown=alloc_order
	END
	add_each_alone $score <<-'END'
		hist:keys=comm
		hist:keys=comm,pid:vals=oom_score_adj:sort=pid.descending,comm
		hist:keys=comm:who=comm,p=pid
		hist:keys=oom_score_adj.log2
		hist:keys=pid:m=oom_score_adj:onmax($m).save(comm)
	END
	add_each_alone $program <<-'END'
		hist:keys=filename
		hist:keys=filename,pid
		hist:keys=pid:name=filename
		hist:keys=pid:f=filename
		hist:keys=filename if filename ~ "*sh"
	END
}

# several_triggers: several triggers at a time, of one event and of several
several_triggers()
{
	add_one_after_another $pages <<-'END'
		hist:keys=pfn
		hist:keys=alloc_order
		hist:keys=pfn
		hist:keys=pfn:vals=alloc_order
		hist:keys=pfn:sort=pfn
		hist:keys=pfn if alloc_order > 3
		hist:keys=pfn if alloc_order > 4
		hist:keys=pfn:size=256
		hist:keys=pfn:pause
		hist:keys=pfn:cont
		hist:keys=pfn:clear
		hist:keys=alloc_order:pause
		!hist:keys=pfn
		hist:keys=pfn:cont
		hist:keys=pfn:clear
		!hist:keys=nothing
		!hist:keys=fallback_order
		traceon
		!hist:keys=alloc_order
		!traceon
		!traceon
	END
	add_trigger $pages hist:name=some:keys=pfn
	add_trigger $hang hist:name=some:keys=pid
	add_trigger $score hist:name=some:keys=pfn
	add_trigger $pages hist:name=some:keys=pfn
	add_trigger $pages hist:name=some:pause
	add_trigger $pages hist:name=some:keys=alloc_order
	add_trigger $pages '!hist:name=some:keys=pfn'
	remove_triggers $hang $score $pages
	add_trigger $score hist:name=both:keys=pid
	add_trigger $hang hist:name=both:keys=pid
	add_trigger $hang hist:name=both
	add_trigger $hang hist:name=both:keys=pid:pause
	print_triggers $score
	remove_triggers $hang $score
	add_trigger $score hist:name=both:keys=comm
	add_trigger $hang hist:name=both
	inject_scores
	inject $hang 'comm="seven"'
	cat events/$hang/hist
	remove_triggers $hang $score
	add_trigger $score 'hist:keys=pid:m=oom_score_adj'
	add_trigger $hang 'hist:keys=pid:n=$m'
	add_trigger $hang 'hist:keys=pid:vals=$m'
	add_trigger $score '!hist:keys=pid:m=oom_score_adj'
	: >events/$score/trigger
	print_triggers $score
	remove_triggers $hang $score
	add_trigger $pages 'hist:keys=pid:n=$m'
}

other_triggers()
{
	cat events/$pages/trigger
	add_each_alone $pages <<-END
		traceon
		traceoff
		traceoff:3
		traceoff:3 if alloc_order > 3
		traceoff if alloc_order > 3
		snapshot
		snapshot:2
		stacktrace
		stacktrace:5 if pfn == 1
		enable_event:oom:oom_score_adj_update
		enable_event:oom:oom_score_adj_update:2
		disable_event:oom:oom_score_adj_update:2 if pfn == 1
		enable_hist:oom:oom_score_adj_update
		disable_hist:oom:oom_score_adj_update:7 if pfn == 1
		traceon:0
		traceon:0x10
		traceon:-1
		traceon:x
		traceon:
		traceon:1:2
		traceon:3 if
		traceon if nothing == 1
		traceon if alloc_order = 1
		traceon iff alloc_order == 1
		traceon+1
		nothing
		!nothing
		!traceon
		enable_event
		enable_event:oom
		enable_event:oom:nothing
		enable_event:nothing:nothing
		enable_event:oom:oom_score_adj_update:x
		enable_event:kmem:mm_page_alloc_extfrag
		enable_hist:oom
		stacktrace if alloc_order > 3 || comm == "x"
	END
	add_one_after_another $pages <<-END
		traceon
		traceoff
		traceon
		traceon:3
		traceoff:3 if pfn == 1
		stacktrace
		stacktrace:5
		snapshot
		enable_event:oom:oom_score_adj_update
		enable_event:oom:oom_score_adj_update:2
		disable_event:oom:oom_score_adj_update
		enable_event:sched:sched_process_hang
		!traceoff:3
		!enable_event:oom:oom_score_adj_update
		!stacktrace
		hist:keys=pfn
		!traceoff
	END
	add_trigger $pages 'traceon:3 if pfn == 1
stacktrace'
	add_trigger $pages 'stacktrace
traceon'
	add_trigger $pages 'hist:keys=pfn
hist:keys=alloc_order'
	remove_triggers $pages
}

# state: prints what triggers change
state()
{
	echo "tracing_on $(cat tracing_on), $score $(cat events/$score/enable)"
}

# run_trigger trigger value...: adds a trigger, injects a record for each value, prints the state
run_trigger()
{
	add_trigger $pages "$1"
	shift
	for n; do
		inject $pages "pfn=$n"
		state
	done
	print_triggers $pages
	remove_triggers $pages
	state
	echo 1 >tracing_on
}

# triggers_act: prints what triggers do. They have filters: with the stock tracer an injected record
# does not hit all triggers that have none.
triggers_act()
{
	run_trigger 'traceoff if pfn >= 0' 1 0
	run_trigger 'traceoff:1 if pfn == 2' 1 2
	run_trigger 'enable_event:oom:oom_score_adj_update if pfn >= 0' 1 1
	echo 0 >events/$score/enable
	run_trigger 'enable_event:oom:oom_score_adj_update:2 if pfn > 1' 1 2 3 4
	echo 1 >events/$score/enable
	run_trigger 'disable_event:oom:oom_score_adj_update:1 if pfn >= 0' 1 1
	echo 0 >events/$score/enable
	echo 1 >events/$pages/enable
	echo >trace
	run_trigger 'snapshot:1 if pfn == 2' 1 2 3 2
	sed -n 's/.*\(pfn=[^ ]*\).*/\1/p' snapshot
	echo now:
	sed -n 's/.*\(pfn=[^ ]*\).*/\1/p' trace
	echo 0 >events/$pages/enable
	echo >trace
	add_trigger $score hist:keys=pid:pause
	run_trigger 'enable_hist:oom:oom_score_adj_update if pfn >= 0' 1
	print_triggers $score
	run_trigger 'disable_hist:oom:oom_score_adj_update:1 if pfn >= 0' 1
	print_triggers $score
	remove_triggers $score
}

rows()
{
	count_each $pages inject_pages <<-'END'
		hist:keys=pfn
		hist:keys=pfn.hex
		hist:keys=pfn.log2
		hist:keys=pfn.buckets=16
		hist:keys=pfn.buckets=10
		hist:keys=pfn.usecs
		hist:keys=alloc_order:sort=alloc_order
		hist:keys=alloc_order.hex:sort=alloc_order
		hist:keys=alloc_order.log2:sort=alloc_order
		hist:keys=alloc_order:sort=alloc_order.descending
		hist:keys=common_pid
		hist:keys=common_pid.execname
		hist:keys=common_cpu
		hist:keys=comm,pfn
		hist:keys=pfn,alloc_order,fallback_order
		hist:keys=pfn.hex,alloc_order.log2
		hist:keys=pfn:vals=alloc_order
		hist:keys=pfn:vals=alloc_order,fallback_order
		hist:keys=pfn:vals=alloc_order.hex,fallback_order.hex
		hist:keys=pfn:vals=hitcount.percent,fallback_order.percent
		hist:keys=pfn:vals=hitcount.graph,fallback_order.graph
		hist:keys=pfn:vals=hitcount,fallback_order.percent,fallback_order.graph
		hist:keys=pfn:vals=fallback_order:nohitcount
		hist:keys=pfn:vals=fallback_order:sort=fallback_order.descending
		hist:keys=pfn:sort=pfn.descending
		hist:keys=pfn:sort=hitcount.descending
		hist:keys=alloc_migratetype,pfn:sort=alloc_migratetype.descending,pfn
		hist:keys=pfn if pfn > 10
		hist:keys=pfn if pfn > 10000
		hist:keys=pfn:pause
		hist:keys=pfn:x=alloc_order
		hist:keys=$x:x=fallback_order
		hist:keys=pfn:vals=$x:x=fallback_order
		hist:keys=pfn:x=fallback_order:onmax($x).save(alloc_order,common_pid)
		hist:keys=common_cpu:x=fallback_order:onmax($x).save(alloc_order,common_pid.execname)
		hist:keys=common_cpu:x=alloc_order:onmax($x).save(fallback_order)
		hist:keys=common_cpu:x=alloc_order:onchange($x).save(fallback_order,pfn)
		hist:keys=common_cpu:x=-(fallback_order):onchange($x).save(alloc_order)
	END
	count_each $score inject_scores <<-'END'
		hist:keys=comm:sort=comm
		hist:keys=comm:sort=comm.descending
		hist:keys=comm,oom_score_adj:sort=comm,oom_score_adj
		hist:keys=oom_score_adj:sort=oom_score_adj
		hist:keys=oom_score_adj.hex:sort=oom_score_adj
		hist:keys=oom_score_adj.buckets=100:sort=oom_score_adj
		hist:keys=pid:vals=oom_score_adj:sort=pid
		hist:keys=pid:vals=oom_score_adj:sort=oom_score_adj
		hist:keys=pid:vals=oom_score_adj.hex:sort=pid
		hist:keys=pid:m=oom_score_adj:onmax($m).save(comm,pid):sort=pid
		hist:keys=pid:m=oom_score_adj:onchange($m).save(comm):sort=pid
	END
	count_each $program inject_others <<-'END'
		hist:keys=filename:vals=pid:sort=filename if old_pid == 77777
		hist:keys=filename,pid:sort=pid,filename if old_pid == 77777
	END
	count_each $alloc inject_others <<-'END'
		hist:keys=call_site.hex if bytes_req == 77777
		hist:keys=call_site.sym:vals=bytes_alloc if bytes_req == 77777
		hist:keys=call_site.sym-offset if bytes_req == 77777
	END
	count_each $call inject_others <<-'END'
		hist:keys=id if common_pid == 77777
		hist:keys=id.syscall:vals=id if common_pid == 77777
	END
	echo 'two histograms'
	add_trigger $pages hist:keys=pfn
	add_trigger $pages hist:keys=common_cpu:vals=fallback_order
	inject_pages
	write hist:keys=pfn:pause events/$pages/trigger
	inject_pages
	cat events/$pages/hist
	write hist:keys=pfn:clear events/$pages/trigger
	write hist:keys=pfn:cont events/$pages/trigger
	inject_pages
	cat events/$pages/hist
	remove_triggers $pages
	cat events/$pages/hist
	echo 'a full histogram'
	add_trigger $pages hist:keys=pfn:size=128:sort=pfn
	for n in $(seq 300); do
		inject $pages "pfn=$n"
	done
	# The number of hits is left out: ours also counts hits that found no free row.
	sed -n '/^{/{s/.*/a row/p}; /^    [ED]/p' events/$pages/hist | uniq
	remove_triggers $pages
}

# umasks: makes system calls, whose records have real stacks
umasks()
{
	for mask in 022 077 022 027 022; do
		umask $mask
	done
}

calls_counted()
{
	count_each syscalls/sys_enter_umask umasks <<-'END'
		hist:keys=mask.hex,common_pid.execname:sort=mask
		hist:keys=common_stacktrace
		hist:keys=mask,stacktrace:sort=mask
		hist:keys=mask:s=common_stacktrace:sort=mask
	END
}

synthetic_definitions()
{
	cat synthetic_events
	while read -r text; do
		write "$text" synthetic_events
		cat synthetic_events
		name=${text%%[ ;]*}
		[ ! -f "events/synthetic/$name/format" ] ||
			grep -v '^ID:' "events/synthetic/$name/format"
		echo >synthetic_events
	done <<-'END'
		one u64 lat
		one u64 lat; pid_t pid; char comm[16]
		one u64 lat;pid_t pid;char comm[16];
		one  u64  lat ;  pid_t  pid
		one u8 a; u16 b; u32 c; u64 d; s8 e; s16 f; s32 g; s64 h
		one char a; unsigned char b; short c; unsigned short d
		one int a; unsigned int b; long c; unsigned long d; bool e; gfp_t f; size_t g
		one char a[]; char b[8]
		one unsigned long[] stack; u64 lat
		one long[] stack
		one long stack[]
		one char text[256]
		one char text[1]
		one u64 lat; u64 lat
		one
		one u64
		one lat
		one u64 lat pid
		one u64 lat,pid_t pid
		one nothing lat
		one u64 lat[2]
		one char text[0]
		one char text[257]
		one char text[-1]
		one char text[x]
		one char text[16
		one char text]16[
		one char text[4][4]
		one struct page *page
		one u64 lat-pid
		one u64 1lat
		one u64 common_pid
		one unsigned lat
		one unsigned long long lat
		one u64 *lat
		one-two u64 lat
		1one u64 lat
		!one
		!
		one ;
		one ; u64 lat
		one u64 lat;; u64 pid
		one char *text
		one const u64 lat
		one u64 a a; u64 b
		one u64 a; u64 b; u64 c; u64 d; u64 e; u64 f; u64 g; u64 h; u64 i; u64 j; u64 k; u64 l; u64 m; u64 n; u64 o; u64 p
	END
	write "one $(for n in $(seq 65); do echo "u64 a$n;"; done | xargs)" synthetic_events
	write 'one u64 a' synthetic_events
	write 'one u64 a' synthetic_events
	write 'one u32 b' synthetic_events
	write 'two u32 b' synthetic_events
	cat synthetic_events dynamic_events
	write '!one u64 a' synthetic_events
	write '!two' synthetic_events
	write '!two' synthetic_events
	write 's:three u64 a' dynamic_events
	write 's:synthetic/four u64 a' dynamic_events
	write 's:other/five u64 a' dynamic_events
	write 's:five' dynamic_events
	write 'five u64 a' dynamic_events
	write '-:none' dynamic_events
	write '-:three' dynamic_events
	cat synthetic_events
	write '-:synthetic/four' dynamic_events
	cat synthetic_events
}

# print_messages: prints records of synthetic events, and clears the trace
print_messages()
{
	sed -n 's/.*: \(alike[a-z]*: \)/\1/p' trace
	echo >trace
}

# actions: prints the actions of histograms that read variables of histograms of other events
actions()
{
	while read -r text; do
		echo "$text" >>synthetic_events
	done <<-'END'
		alike s16 d; pid_t pid; char comm[16]
		alikewide u64 d; int pid; char comm[16]
		alikenumbers s16 a; s32 b; int c; pid_t d
		aliketexts char a[16]; char b[]; int c
		alikewho pid_t pid; char comm[16]
	END
	echo 1 >events/synthetic/enable
	echo >trace
	note='hist:keys=pid:m=oom_score_adj,who=comm:sort=pid'
	while read -r text; do
		write "$note" events/$score/trigger
		write "$text" events/$hang/trigger
		print_triggers $score $hang
		inject_scores
		inject $hang 'pid=7 comm="the seventh"' 'pid=8 comm="the eighth"' \
			'pid=10 comm="the tenth"' 'pid=7 comm="again"' 'pid=10' 'pid=10'
		cat events/$hang/hist events/$score/hist
		print_messages
		remove_triggers $hang $score
	done <<-'END'
		hist:keys=pid:d=$m+1:onmatch(oom.oom_score_adj_update).alikewide($d,pid,comm)
		hist:keys=pid:d=$m+1:onmatch(oom.oom_score_adj_update).alike($d,pid,comm):sort=pid
		hist:keys=pid:onmatch(oom.oom_score_adj_update).alike($m,pid,comm)
		hist:keys=pid:onmatch(oom.oom_score_adj_update).alikewide($m,pid,comm)
		hist:keys=pid:d=$m*2:onmatch(oom.oom_score_adj_update).trace(alikewide,$d,pid,comm)
		hist:keys=pid:d=$m:onmatch(oom.oom_score_adj_update).alike($d,pid,comm) if pid == 8
		hist:keys=pid:onmatch(oom.oom_score_adj_update).alike(oom_score_adj,pid,comm)
		hist:keys=pid:onmatch(oom.oom_score_adj_update).alike(oom.oom_score_adj_update.oom_score_adj,pid,comm)
		hist:keys=pid:d=pid:onmatch(oom.oom_score_adj_update).alike(oom.oom_score_adj_update.$m,pid,comm)
		hist:keys=pid:d=$m*-1
		hist:keys=pid:d=$m-1:onmatch(oom.oom_score_adj_update).alikenumbers($d,$d,$d,$d)
		hist:keys=pid:d=$m-1:onmatch(oom.oom_score_adj_update).alikenumbers($d,pid,pid,pid)
		hist:keys=pid:d=$m,e=pid:onmatch(oom.oom_score_adj_update).alikenumbers($m,$e,pid,$e)
		hist:keys=pid:w=$who:onmatch(oom.oom_score_adj_update).aliketexts(comm,$w,pid)
		hist:keys=pid:w=$who:onmatch(oom.oom_score_adj_update).aliketexts($w,comm,pid)
		hist:keys=pid:onmatch(oom.oom_score_adj_update).aliketexts(comm,comm,pid)
		hist:keys=pid:d=$m:onmax($d).alike($d,pid,comm)
		hist:keys=pid:d=$m:onmax($d).trace(alike,$d,pid,comm):onmax($d).save(comm):sort=pid
		hist:keys=pid:d=$m:onchange($d).alike($d,pid,comm)
		hist:keys=pid:vals=$m:sort=pid
		hist:keys=pid:vals=$m+1:sort=pid
		hist:keys=pid:vals=oom.oom_score_adj_update.$m:sort=pid
		hist:keys=pid,comm:vals=$m:sort=pid,comm
		hist:keys=comm:vals=$m
	END
	echo 'an event with itself'
	count_each $score inject_scores <<-'END'
		hist:keys=pid:m=oom_score_adj:onmax($m).alike($m,pid,comm)
		hist:keys=common_cpu:m=oom_score_adj:onchange($m).alike($m,pid,comm)
		hist:keys=pid:onmatch(oom.oom_score_adj_update).alikewho(pid,comm)
	END
	print_messages
	echo 'a snapshot'
	echo 1 >events/$score/enable
	write 'hist:keys=pid:m=oom_score_adj:onmax($m).snapshot():sort=pid' events/$score/trigger
	cat events/$score/hist
	inject_scores
	cat events/$score/hist
	sed -n 's/.*: oom_score_adj_update: //p' snapshot
	echo 0 >events/$score/enable
	remove_triggers $score
	echo 'a histogram of a synthetic event'
	write 'hist:keys=pid:onmatch(oom.oom_score_adj_update).alikewho(pid,comm)' \
		events/$score/trigger
	write 'hist:keys=comm,pid.hex:vals=pid:sort=comm,pid' events/synthetic/alikewho/trigger
	write '!alikewho' synthetic_events
	write '' synthetic_events
	inject_scores
	cat events/synthetic/alikewho/hist
	remove_triggers synthetic/alikewho $score
	echo 0 >events/synthetic/enable
	echo >synthetic_events
	cat synthetic_events
}

refused()
{
	echo 'alike pid_t a; pid_t b; char comm[16]' >>synthetic_events
	add_each_alone $score <<-'END'
		hist
		hist:
		hist:keys
		hist:keys=
		hist:vals=pid
		hist:keys=nothing
		hist:keys=pid,nothing
		hist:keys=pid.nothing
		hist:keys=pid.
		hist:keys=pid.hex.hex
		hist:keys=pid.buckets
		hist:keys=pid.buckets=
		hist:keys=pid.buckets=0
		hist:keys=pid.buckets=x
		hist:keys=pid.execname
		hist:keys=comm.hex
		hist:keys=comm.log2
		hist:keys=comm.sym
		hist:keys=comm.execname
		hist:keys=pid.percent
		hist:keys=pid.graph
		hist:keys=pid.stacktrace
		hist:keys=common_timestamp.hex
		hist:keys=common_stacktrace.hex
		hist:keys=hitcount
		hist:keys=pid,comm,oom_score_adj,common_pid
		hist:keys=pid,
		hist:keys=,pid
		hist:keys=pid,pid
		hist:keys=pid:keys=comm
		hist:keys=pid:vals=
		hist:keys=pid:vals=nothing
		hist:keys=pid:vals=comm
		hist:keys=pid:vals=oom_score_adj.nothing
		hist:keys=pid:vals=oom_score_adj.log2
		hist:keys=pid:vals=oom_score_adj.sym
		hist:keys=pid:vals=oom_score_adj.buckets=10
		hist:keys=pid:vals=oom_score_adj.execname
		hist:keys=pid:vals=oom_score_adj,pid,common_pid
		hist:keys=pid:vals=common_stacktrace
		hist:keys=pid:vals=hitcount:nohitcount
		hist:keys=pid:nohitcount
		hist:keys=pid:nohitcount=1
		hist:keys=pid:sort=
		hist:keys=pid:sort=nothing
		hist:keys=pid:sort=comm
		hist:keys=pid:sort=pid.nothing
		hist:keys=pid:sort=pid.
		hist:keys=pid:sort=pid.descending.ascending
		hist:keys=pid:sort=pid,
		hist:keys=pid:sort=,pid
		hist:keys=pid:vals=oom_score_adj:sort=pid,oom_score_adj,hitcount
		hist:keys=pid:size=
		hist:keys=pid:size=0
		hist:keys=pid:size=1
		hist:keys=pid:size=127
		hist:keys=pid:size=131073
		hist:keys=pid:size=x
		hist:keys=pid:size=-1
		hist:keys=pid:name=
		hist:keys=pid:clock=
		hist:keys=pid:clock=nothing
		hist:keys=common_timestamp:clock=nothing
		hist:keys=pid:nothing
		hist:keys=pid:paused
		hist:keys=pid:pause:cont
		hist:keys=pid:cont
		hist:keys=pid if
		hist:keys=pid if nothing == 1
		hist:keys=pid if pid = 1
		hist:keys=pid if pid == 1 &&
		hist:keys=pid iff pid == 1
		hist:keys=pid:x=
		hist:keys=pid:x=nothing
		hist:keys=pid:=pid
		hist:keys=pid:x=pid,y
		hist:keys=pid:x=pid,x=comm
		hist:keys=pid:x=pid:x=pid
		hist:keys=pid:x=$nothing
		hist:keys=pid:x=oom.oom_score_adj_update.$nothing
		hist:keys=pid:x=nothing.nothing.$nothing
		hist:keys=pid:vals=$nothing
		hist:keys=$nothing
		hist:keys=pid:x=pid+
		hist:keys=pid:x=pid+nothing
		hist:keys=pid:x=pid+comm
		hist:keys=pid:x=comm+1
		hist:keys=pid:x=pid/0
		hist:keys=pid:x=1/0
		hist:keys=pid:x=pid+1x
		hist:keys=pid:x=1x
		hist:keys=pid:x=pid+1+2+3
		hist:keys=pid:x=pid+1+2+3+4
		hist:keys=pid:x=1+2+3+4+5
		hist:keys=pid:x=-(pid
		hist:keys=pid:x=-pid
		hist:keys=pid:x=(pid)
		hist:keys=pid:x=-(pid)+1
		hist:keys=pid:x=pid+-(pid)
		hist:keys=pid:x=pid.hex+1
		hist:keys=pid:x=pid.log2
		hist:keys=pid:x=common_timestamp-common_timestamp.usecs
		hist:keys=pid:x=18446744073709551616
		hist:keys=pid+1
		hist:keys=pid.log2+1
		hist:keys=pid:onmatch
		hist:keys=pid:onmatch(
		hist:keys=pid:onmatch()
		hist:keys=pid:onmatch(oom)
		hist:keys=pid:onmatch(oom.nothing)
		hist:keys=pid:onmatch(nothing.nothing).alike(pid,pid,comm)
		hist:keys=pid:onmatch(oom.nothing).alike(pid,pid,comm)
		hist:keys=pid:onmatch(oom_score_adj_update).alike(pid,pid,comm)
		hist:keys=pid:onmatch(oom.oom_score_adj_update
		hist:keys=pid:onmatch(oom.oom_score_adj_update)
		hist:keys=pid:onmatch(oom.oom_score_adj_update).
		hist:keys=pid:onmatch(oom.oom_score_adj_update).alike
		hist:keys=pid:onmatch(oom.oom_score_adj_update).alike(
		hist:keys=pid:onmatch(oom.oom_score_adj_update).alike()
		hist:keys=pid:onmatch(oom.oom_score_adj_update).nothing(pid)
		hist:keys=pid:onmatch(oom.oom_score_adj_update).trace(nothing,pid)
		hist:keys=pid:onmatch(oom.oom_score_adj_update).trace()
		hist:keys=pid:onmatch(oom.oom_score_adj_update).alike(pid)
		hist:keys=pid:onmatch(oom.oom_score_adj_update).alike(pid,pid,comm,pid)
		hist:keys=pid:onmatch(oom.oom_score_adj_update).alike(pid,pid,pid)
		hist:keys=pid:onmatch(oom.oom_score_adj_update).alike(comm,pid,comm)
		hist:keys=pid:onmatch(oom.oom_score_adj_update).alike(nothing,pid,comm)
		hist:keys=pid:onmatch(oom.oom_score_adj_update).alike($nothing,pid,comm)
		hist:keys=pid:onmatch(oom.oom_score_adj_update).alike(,pid,comm)
		hist:keys=pid:onmatch(oom.oom_score_adj_update).alike(oom_score_adj,pid,comm
		hist:keys=pid:onmatch(oom.oom_score_adj_update).save(comm)
		hist:keys=pid:onmatch(oom.oom_score_adj_update).snapshot()
		hist:keys=pid:onmax
		hist:keys=pid:onmax()
		hist:keys=pid:onmax(pid).save(comm)
		hist:keys=pid:onmax($nothing).save(comm)
		hist:keys=pid:m=pid:onmax($m)
		hist:keys=pid:m=pid:onmax($m).
		hist:keys=pid:m=pid:onmax($m).nothing
		hist:keys=pid:m=pid:onmax($m).nothing()
		hist:keys=pid:m=pid:onmax($m).save
		hist:keys=pid:m=pid:onmax($m).save()
		hist:keys=pid:m=pid:onmax($m).save(nothing)
		hist:keys=pid:m=pid:onmax($m).save(comm,nothing)
		hist:keys=pid:m=pid:onmax($m).save(comm
		hist:keys=pid:m=pid:onmax($m).save(comm).more
		hist:keys=pid:m=pid:onmax($m).save(comm):onmax($m).save(pid)
		hist:keys=pid:m=pid:onmax($m).snapshot(:
		hist:keys=pid:m=pid:onmax(m).save(comm)
		hist:keys=pid:m=comm:onmax($m).save(pid)
		hist:keys=pid:onmin($m).save(pid)
		hist:keys=pid:m=pid:onchange($m)
		hist:keys=pid:onchange(pid).save(comm)
		hist:keys=pid:onchange($nothing).save(comm)
	END
	add_each_alone $program <<-'END'
		hist:keys=filename.hex
		hist:keys=filename.log2
		hist:keys=pid:vals=filename
		hist:keys=pid:x=filename+1
		hist:keys=pid:name=filename:keys=pid
		hist:keys=pid:onmatch(sched.sched_process_exec).alike(pid,pid,filename)
	END
	echo >synthetic_events
}

here=$(sed -n 's/ T vfs_read$//p' /proc/kallsyms)
pass_pids
echo 4096 >buffer_size_kb
definitions 2>&1 | send_file hist.definitions
several_triggers 2>&1 | send_file hist.several
other_triggers 2>&1 | send_file hist.triggers
triggers_act 2>&1 | send_file hist.act
rows 2>&1 | send_file hist.rows
calls_counted 2>&1 | sed 's/\[ *[0-9]*\]/[pid]/; s/+0x.*//' | send_file hist.calls
synthetic_definitions 2>&1 | send_file hist.made
actions 2>&1 | send_file hist.actions
refused 2>&1 | send_file hist.bad
echo 'that is all' | send_file hist.end
