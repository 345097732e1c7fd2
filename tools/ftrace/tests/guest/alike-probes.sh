#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs with our tracer and with the stock one. Sends lists of probes, their formats, error messages
# for bad ones, and records to the host, which compares them (tools/ftrace/compare-stock.sh). No
# other process calls the probed functions.
# Each $ belongs to a fetch argument.
# shellcheck disable=SC2016

. /send.sh
. /alike-lib.sh
cd /sys/kernel/tracing || exit
made=alike/made
PROGRAM=$(command -v probed)

# offset name: prints the offset of a function or variable in the program
offset()
{
	probed offsets | sed -n "s/^$1 //p"
}

none()
{
	echo >dynamic_events
}

# format_of event: prints the lines of its format that depend on the probe
format_of()
{
	[ ! -f "events/$1/format" ] || grep -v '^ID:' "events/$1/format"
}

# listed file: defines each probe on stdin alone; prints the list of probes and the event's format
listed()
{
	while read -r text; do
		write "$text" "$1"
		cat dynamic_events
		sed 's/^[a-z]*[0-9]*:\([^ ]*\).*/\1/' dynamic_events | while read -r event; do
			format_of "$event"
		done
		none
	done
}

# refused file: tries to define each probe on stdin alone; prints the error and the list of probes
refused()
{
	while read -r text; do
		write "$text" "$1"
		cat dynamic_events
		none
	done
}

# happens file command...: defines each probe on stdin alone, enables its event and runs the
# command; prints the records
happens()
{
	file=$1
	shift
	while read -r text; do
		write "$text" "$file"
		echo >trace
		[ ! -e events/$made/enable ] || echo 1 >events/$made/enable
		"$@" >/dev/null 2>&1
		[ ! -e events/$made/enable ] || echo 0 >events/$made/enable
		sed -n 's/.*: made: /made: /p' trace
		none
	done
}

# write_each file: defines the probes on stdin one after another; prints the list after each
write_each()
{
	while read -r text; do
		write "$text" "$1"
		cat "$1"
	done
	cat dynamic_events
	none
}

# ------------------------------------------------------------------
# Probes of the kernel

kernel_lists()
{
	listed kprobe_events <<-'END'
		p vfs_read
		p:made vfs_read
		p:alike/made vfs_read
		p:alike.made vfs_read
		p:alike/ vfs_read
		p vfs_read+0
		p:made vfs_read+4
		p no_module:f
		p:made no_module:f+8
		r vfs_read
		r:made vfs_read
		r7:made vfs_read
		r:alike/made vfs_read $retval
		p:made vfs_read%return
		r:made no_module:f
		p vfs_read %di %si %dx %cx %ax %bx %bp %sp %ip %flags
		p vfs_read %r8 %r15 %cs %ss %orig_ax
		p vfs_read $arg1 $arg2 a=$arg3
		p vfs_read $stack $stack0 $stack1 a=$stack2
		p vfs_read $comm a=$comm $COMM b=$comm:string
		p vfs_read @vfs_write @vfs_write+8 @vfs_write-8 @0x1234
		p vfs_read \1 \-1 \0x10 a=\0x7fffffffffffffff
		p vfs_read \"text" a=\"text"
		p vfs_read +0(%si) -8(%si) +8(+16(%si)) a=+0(-8(+0(%si)))
		p vfs_read +u0(%si) a=+u8(+0(%si)) b=-u8(%si):u8
		p vfs_read %di:u8 %di:u16 %di:u32 %di:u64
		p vfs_read %di:s8 %di:s16 %di:s32 %di:s64
		p vfs_read %di:x8 %di:x16 %di:x32 %di:x64
		p vfs_read %di:char %di:symbol
		p vfs_read +0(%si):string +0(%si):ustring a=%si:string b=%si:ustring
		p vfs_read %di:symstr a=%di:symstr
		p vfs_read %di:b1@0/8 %di:b4@4/16 a=%di:b32@0/32 b=%di:b63@1/64
		p vfs_read +0(%si):u8[4] +0(%si):x32[2] +0(%si):s64[1] +0(%si):char[8]
		p vfs_read +0(%si):string[2] +0(%si):ustring[3] +0(%si):symbol[2]
		p vfs_read +0(%si):u8[64]
		p vfs_read +0(%si):b4@4/8[2]
		p vfs_read one=%di two=%si three=%dx four=%cx
		p vfs_read a=%di a2=%si _a=%dx A=%cx
		r vfs_read $retval a=$retval:s32 b=$retval:x64 +0($retval):string
		r vfs_read $comm $stack a=\1
		r vfs_read $arg1 a=$arg2:u8
		f vfs_read
		f:made vfs_read
		f:alike/made vfs_read a=$arg1 b=$arg2:u8
		f:made vfs_read%return a=$retval:s64
		f vfs_read%return
		f vfs_read $stack $comm \1
		t sched_process_exec
		t:made sched_process_exec
		t:alike/made sched_process_exec a=$arg1 b=$arg2:s32
	END
}

kernel_refuses()
{
	refused kprobe_events <<-'END'
		p
		p:
		p:made
		x vfs_read
		p vfs_read%
		p vfs_read%ret
		p: vfs_read
		p:/ vfs_read
		p:/made vfs_read
		p:1 vfs_read
		p:a-b vfs_read
		p:1a/b vfs_read
		p:a/1b vfs_read
		p:a/b/c vfs_read
		p5 vfs_read
		r5000 vfs_read
		p no_such_function
		p no_such_function+4
		p vfs_read+
		p vfs_read+x
		p vfs_read-8
		r vfs_read+4
		p vfs_read+4%return
		p vfs_read $
		p vfs_read $nothing
		p vfs_read $retval
		p vfs_read $stackx
		p vfs_read $stack99999
		p vfs_read $arg0
		p vfs_read $argx
		p vfs_read $arg999
		p vfs_read $arg*
		p vfs_read+4 $arg1
		p vfs_read %
		p vfs_read %nothing
		p vfs_read @1x
		p vfs_read @+1
		p vfs_read \
		p vfs_read \x
		p vfs_read \1x
		p vfs_read \"text
		p vfs_read \"text"x
		p vfs_read +
		p vfs_read +0
		p vfs_read +(%di)
		p vfs_read +x(%di)
		p vfs_read +0(
		p vfs_read +0()
		p vfs_read +0(%di
		p vfs_read +0(+0(%di)
		p vfs_read +0($comm)
		p vfs_read +u(%di)
		p vfs_read -x(%di)
		p vfs_read %di:
		p vfs_read %di:u
		p vfs_read %di:u7
		p vfs_read %di:u128
		p vfs_read %di:nothing
		p vfs_read %di:u8:u8
		p vfs_read %di:b
		p vfs_read %di:b1
		p vfs_read %di:b0@0/8
		p vfs_read %di:b8@8/8
		p vfs_read %di:b65@0/64
		p vfs_read %di:b1@0/7
		p vfs_read %di:b1@x/8
		p vfs_read %di:u8[
		p vfs_read %di:u8[]
		p vfs_read %di:u8[0]
		p vfs_read %di:u8[65]
		p vfs_read %di:u8[x]
		p vfs_read %di:u8[2
		p vfs_read %di:u8[2]x
		p vfs_read %di:u8[2]
		p vfs_read \1:u8[2]
		p vfs_read $comm:u8
		p vfs_read $comm:u8[2]
		p vfs_read %di:string[2]
		p vfs_read \1:string
		p vfs_read \"text":u8
		p vfs_read =%di
		p vfs_read a=
		p vfs_read 1a=%di
		p vfs_read a-b=%di
		p vfs_read a=%di a=%si
		p vfs_read __probe_ip=%di
		p vfs_read common_pid=%di
		p vfs_read nothing
		p vfs_read a=nothing
		p vfs_read &1
		r vfs_read $stack0
		r vfs_read $nothing
		f
		f:
		f no_such_function
		f vfs_read+4
		f vfs_read%nothing
		f vfs_read $retval
		f vfs_read $nothing
		f vfs_read %di
		f5 vfs_read
		t
		t:
		t no_such_tracepoint
		t sched_process_exec%return
		t sched_process_exec $retval
		t sched_process_exec $stack
		-
		-:
		-:nothing
		-:nothing/nothing
		-:kprobes/nothing
	END
	{
		printf 'p vfs_read'
		for n in $(seq 128); do
			printf ' a%s=\\%s' "$n" "$n"
		done
		echo
		printf 'p vfs_read'
		for n in $(seq 129); do
			printf ' a%s=\\%s' "$n" "$n"
		done
		echo
		echo 'p:a234567890123456789012345678901234567890123456789012345678901234 vfs_read'
		echo 'p:a234567890123456789012345678901234567890123456789012345678901234/made vfs_read'
		echo 'p vfs_read a2345678901234567890123456789012=%di'
		echo 'p vfs_read a23456789012345678901234567890123=%di'
	} | listed kprobe_events
}

kernel_several()
{
	write_each kprobe_events <<-'END'
		p:alike/made vfs_read a=%di
		p:alike/made vfs_write a=%di
		p:alike/made vfs_write a=%di
		p:alike/made vfs_open a=%di:u8
		p:alike/made vfs_open b=%di
		p:alike/made vfs_open a=%di b=%si
		p:alike/made vfs_open
		r:alike/made vfs_open a=$retval
		r:alike/back vfs_open a=$retval
		p vfs_read
		p vfs_read
		-:alike/made vfs_write
		-:alike/made vfs_write a=%di
		-:alike/made vfs_write a=%si
		-:made
		-:alike/back
		-:alike/back
		p:other/made vfs_read
		-:other/
		-:p_vfs_read_0
		-:kprobes/p_vfs_read_0
	END
}

# ------------------------------------------------------------------
# Records

makes_dir()
{
	mkdir /tmp/alike-made
	rmdir /tmp/alike-made
}

fails_to_make_dir()
{
	mkdir /proc/self/alike-made
}

calls_recorded()
{
	happens kprobe_events makes_dir <<-'END'
		p:alike/made do_mkdirat
		p:alike/made do_mkdirat name=+0(+0(%si)):string
		p:alike/made do_mkdirat name=+0(+0(%si)):string len=+0(+0(%si)):u8 x=+0(+0(%si)):x32
		p:alike/made do_mkdirat dfd=%di:s32 dfd=%di:x32
		p:alike/made do_mkdirat dfd=%di:s32 x=%di:x32 u=%di:u32 s8=%di:s8 x8=%di:x8 c=%di:char
		p:alike/made do_mkdirat mode=%dx:x16 m=%dx:b9@0/16 n=%dx:b3@6/16
		p:alike/made do_mkdirat a=$arg1:s32 b=+0(+0($arg2)):string c=$arg3:u16
		p:alike/made do_mkdirat +0(+0(%si)):u8[4] +0(+0(%si)):x8[4] +0(+0(%si)):char[10] +1(+0(%si)):s16[2]
		p:alike/made do_mkdirat +0(+0(%si)):b4@4/8[3]
		p:alike/made do_mkdirat $comm a=$comm:string \1 \-1 \0x10 \"text"
		p:alike/made do_mkdirat \-1:u8 \-1:s8 \-1:x16 \-1:u64 \300:u8 \300:char
		p:alike/made do_mkdirat +u0(+8(%si)):string +0(+8(%si)):ustring a=+8(%si):ustring
		p:alike/made do_mkdirat %ip:symstr a=%ip:symbol
		p:alike/made do_mkdirat a=@saved_command_line:x8[0]
		p:alike/made do_mkdirat a=@linux_banner:char[5]
		p:alike/made do_mkdirat a=@linux_banner+6:char[7]
		p:alike/made do_mkdirat a=+0(%si):string[1] b=+0(+0(%si)):string
		r:alike/made do_mkdirat
		r:alike/made do_mkdirat $retval a=$retval:s32 b=$retval:x8
		r:alike/made do_mkdirat $comm \1 a=$retval:u16
		r:alike/made do_mkdirat $arg1:s32 a=$arg3:u16 ret=$retval:s32
		p:alike/made do_mkdirat%return a=$retval:s32
		f:alike/made do_mkdirat
		f:alike/made do_mkdirat a=$arg1:s32 b=+0(+0($arg2)):string $comm
		f:alike/made do_mkdirat%return a=$retval:s32
		f:alike/made do_mkdirat%return a=$retval:s32 b=$arg1:s32 c=$arg3:u16
	END
	happens kprobe_events fails_to_make_dir <<-'END'
		r:alike/made do_mkdirat ret=$retval:s32 x=$retval:x32
		f:alike/made do_mkdirat%return ret=$retval:s32
	END
}

# hits_counted: prints the hits in kprobe_profile of an event with several probes and a filter
hits_counted()
{
	write 'p:alike/made do_mkdirat a=%di:s32' kprobe_events
	write 'p:alike/made do_rmdir a=%di:s32' kprobe_events
	write 'r:alike/back do_mkdirat a=$retval:s32' kprobe_events
	write 'p:alike/off do_mkdirat' kprobe_events
	cat kprobe_profile
	echo >trace
	echo 1 >events/alike/made/enable
	echo 1 >events/alike/back/enable
	makes_dir
	write '-:alike/made' kprobe_events
	write '-:alike/off' kprobe_events
	write '' kprobe_events
	echo 'a != 0' >events/alike/made/filter
	echo 'a == 5' >events/alike/back/filter
	cat events/alike/*/filter
	makes_dir
	echo 0 >events/alike/enable
	makes_dir
	cat kprobe_profile
	sed -n 's/.*: \(made\|back\): /\1: /p' trace
	none
	cat kprobe_profile
}

# ------------------------------------------------------------------
# Probes of programs, and of events

programs()
{
	args=$PROGRAM:$(offset user_args) text=$PROGRAM:$(offset user_text)
	word=@+$(offset user_word)
	listed uprobe_events <<-END
		p $args
		p:made $args
		p:alike/made $args a=%di b=%si
		r:alike/made $args a=\$retval
		p:made $args%return
		p $args $word:string a=$word:x8[2]
		p $args \$stack \$stack0 \$comm \\1
		p $args +0(%di):string +0(%di):ustring a=%di:u8
		p:made /bin/busybox:0x10
		p:made /bin/busybox:0x10(0x20)
	END
	refused uprobe_events <<-END
		p
		p:made
		p /
		p /bin
		p /bin/busybox
		p /bin/busybox:0x
		p /bin:0x10
		p /no/such:0x10
		p nothing:0x10
		p /bin/busybox:0x10(
		p /bin/busybox:0x10()
		p /bin/busybox:0x10(x)
		p /bin/busybox:0x10(0x20
		p /bin/busybox:0x10(0x20)x
		p /bin/busybox:0x10%nothing
		p: /bin/busybox:0x10
		p:1 /bin/busybox:0x10
		p:alike/1 /bin/busybox:0x10
		p $args \$retval
		p $args \$nothing
		p $args \$arg1
		p $args %nothing
		p $args @vfs_read
		p $args @+x
		p $args %di:symbol
		p $args %di:nothing
		p $args a=%di a=%si
		-:nothing
	END
	happens uprobe_events probed call 300 <<-END
		p:alike/made $args
		p:alike/made $args a=%di:s32 b=%si:s32 c=%di:u8 d=%si:x16
		p:alike/made $args \$comm \\1 $word:string $word:x8[2] $word:char[6]
		r:alike/made $args \$retval a=\$retval:s8
		p:alike/made $text +0(%di):string a=+0(%di):ustring b=+0(%di):u8[3] c=+5(%di):string
		r:alike/made $text +0(\$retval):string
		p:alike/made $text a=+0(\\0):string b=+0(\\0):u32
	END
	write "p:alike/made $args a=%di:s32" uprobe_events
	write "p:alike/made $args a=%di:s32" uprobe_events
	write "p:alike/made $text a=%di:s32" uprobe_events
	write "p:alike/made $text a=%di:u8" uprobe_events
	echo 1 >events/alike/made/enable
	probed call 5 >/dev/null
	write '-:alike/made' uprobe_events
	cat uprobe_profile
	echo 0 >events/alike/made/enable
	write "-:alike/made $text" uprobe_events
	cat uprobe_events
	none
}

events()
{
	listed dynamic_events <<-'END'
		e oom.oom_score_adj_update
		e oom/oom_score_adj_update
		e:made oom/oom_score_adj_update
		e:alike/made oom/oom_score_adj_update a=$pid b=$comm:string c=$oom_score_adj:s16
		e:alike/made oom/oom_score_adj_update pid=$pid:s32 if pid == 7
		e:alike/made kmem/kmalloc site=$call_site:symbol s=$call_site:symstr
		e:alike/made sched/sched_process_exec f=$filename:string +0($filename):string
	END
	refused dynamic_events <<-'END'
		e
		e:
		e:made
		e nothing
		e oom
		e oom/
		e oom/nothing
		e nothing/nothing
		e:made oom/oom_score_adj_update pid
		e:made oom/oom_score_adj_update a=$pid:nothing
		e:made oom/oom_score_adj_update a=$pid a=$comm
		e:made oom/oom_score_adj_update a=$pid if
		-:made
		x:made
	END
	happens dynamic_events scores_come <<-'END'
		e:alike/made oom/oom_score_adj_update
		e:alike/made oom/oom_score_adj_update b=$comm:string c=$oom_score_adj:s16
		e:alike/made oom/oom_score_adj_update a=$oom_score_adj:u8 x=$oom_score_adj:x16 y=$oom_score_adj:x64
		e:alike/made oom/oom_score_adj_update c=$oom_score_adj:s16 if oom_score_adj == 70
		e:alike/made oom/oom_score_adj_update +0($comm):string \1
	END
}

# scores_come: changes the score of a new task, so that it ends with the task
scores_come()
{
	sh -c 'for score in 7 70 300 1000; do echo $score >/proc/self/oom_score_adj; done'
}

none
kernel_lists 2>&1 | send_file probes.lists
kernel_refuses 2>&1 | send_file probes.refused
kernel_several 2>&1 | send_file probes.several
calls_recorded 2>&1 | send_file probes.recorded
hits_counted 2>&1 | send_file probes.counted
programs 2>&1 | send_file probes.programs
events 2>&1 | send_file probes.events
echo 'that is all' | send_file probes.end
