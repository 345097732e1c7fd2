# shellcheck shell=bash disable=SC2086
# SPDX-License-Identifier: GPL-2.0
# The parts of the suite, a row each: what `make test` runs, and what ONLY= takes. To add
# one, write its row and its script in tests/guest, and run tools/ftrace/documents.sh.
#
#	part name "what it is for" KEY=value...
#
# Where it runs, and for how long:
#   kernels   those in which the whole suite runs it: usual, which is meant without this,
#             rows of variants.sh, or none
#   hand      those in which it runs only when it is asked for
#   archs     names of architectures, or x86 or mips for all of a kind; without, all
#   once=yes  in the suite of x86_64 only, as it is the same for all
#   all=yes   in make test-all only
#   beside=no  not on an architecture that is tested beside another one
#   takes     seconds on two CPUs that are idle (30), in the kernel debug four times as long
#   packages  what not every part needs: of Debian, or what a target of make needs
# What it boots:
#   RUN       a script of tests/guest. So do other words in capitals go to boot.sh, which
#             says what they are. APPEND is without; ROUNDS in it, how often
#             something is to be done for it to last some minutes
#   longer    how many times as long as in stress that takes, once
#   lay       the function that lays in what the guest needs besides our programs
#   result    the function that reads what came of it; without, what RUN prints is KTAP
# Or what it does instead:
#   run       a function
#   which     of cases/: the function that lists them; the whole suite has a list of few for
#             some kernels and architectures, which stands for both
#   stock     yes: with the stock tracer's kernel, too
#   options   of a kernel that is built, without CONFIG_, and cc, what builds it
#   boots     of boots_test, what prints the boots, a line each
# A name with nothing but a text is one for all those that begin with it and a slash.

# What a guest is told, and what it is run by, in more than one row.
traced="ftrace=function"
in_turns=ACCEL=$CPUS_IN_TURNS
on_host="kernels=none once=yes"

part host "what needs no guest"
part host/cc "what ccache returns is what is compiled" $on_host run=host_test
part host/documents "what README.md and hacking.rst name is what there is" $on_host run=host_test
part host/fold "what make picture draws" $on_host run=host_test
part host/harness "what prepare, mutants and boots do, with toys" $on_host run=host_test
part host/mutants "each mutant applies, and says what catches it" $on_host run=host_test \
	all=yes takes=150
part host/packages "each target asks for the packages of all that it runs" \
	$on_host run=host_test packages=shfmt all=yes takes=120
part host/parts "what this table says, and what becomes of its rows" $on_host run=host_test
part host/recordmcount "scripts/recordmcount on objects, sound and malformed, of each architecture" \
	kernels= hand=none once=yes run=host_test packages="clang crossed"
part host/rooms "what lint says of arrows between rooms" $on_host run=host_test
part host/series "what make series writes applies" $on_host run=host_test
part host/watch "what ends a guest that is stuck, and what does not" $on_host run=host_test

part cases "KUnit, the boot-time self-tests and ftracetest"
part cases/own "ftracetest with our cases" kernels=usual hand="large debug static discover kcsan rt" \
	beside=no takes=480 which=own_cases RUN=ftracetest SMP=2 lay=lay_cases result=report_own_cases
part cases/base "KUnit, the boot-time self-tests, and ftracetest with the base's cases" \
	kernels="usual large debug static discover" hand="kcsan rt" takes=330 which=base_cases \
	RUN=ftracetest SMP=2 APPEND=kunit.enable=1 lay=lay_cases result=report_cases
part arguments "the cases that show arguments" kernels= hand=btf cases=btf \
	RUN=ftracetest SMP=2 APPEND=kunit.enable=1 lay=lay_cases result=report_cases
part stress "tracer, filters, modules and a CPU come and go under load; memory is counted" \
	kernels="usual debug" hand="kcsan rt" all=yes takes=300 RUN=stress SMP=4 \
	APPEND="stress.rounds=ROUNDS"
# The base's scheduler miscounts what it owes a CPU that goes, on a machine that is late.
part stress-events "events, probes, instances, filters, modules and perf come and go under load" \
	kernels= hand="usual debug kcsan rt" longer=10 takes=200 RUN=stress-events SMP=4 \
	ALLOW='WARNING: .* at kernel/sched/deadline\.c:' \
	APPEND="stress.rounds=ROUNDS"
part tracers "as stress, with each tracer, on CPUs that take turns" \
	kernels= hand="usual debug kcsan rt" RUN=stress SMP=4 "$in_turns" \
	APPEND="stress.rounds=ROUNDS stress.tracers=all"
part anomaly "a call site is damaged: the tracer turns itself off, the machine goes on" \
	kernels="usual debug" RUN=anomaly SMP=2

# On x86 on a CPU with mitigations that change how functions return. 255 characters are all
# that there is room for on MIPS.
part boot-trace "traced from the first moments of the boot"
part boot-trace/filters "with filters, options and a clock" RUN=boot-trace SMP=2 \
	QEMU_ARGS="$([ "$SRC_ARCH" != x86 ] || echo -cpu EPYC)" \
	APPEND="$([ "$SRC_ARCH" != x86 ] || echo retbleed=unret spec_rstack_overflow=off) \
		$traced ftrace_filter=sched_init,kernel_init,rcu_* ftrace_notrace=rcu_seg* \
		trace_clock=mono trace_buf_size=2M trace_options=sym-addr,noprint-parent"
# Each call of anything asks whether this clock can be relied upon yet.
part boot-trace/all "all functions, by the global clock" RUN=boot-trace-all SMP=2 "$in_turns" \
	APPEND="$traced trace_clock=global stacktrace_filter=kernel_init,rcu_* \
		tracing_thresh=100 alloc_snapshot trace_event=initcall:*,!initcall_level"
part boot-trace/graph "function_graph, with lists and a depth" RUN=boot-trace-graph SMP=2 \
	APPEND="ftrace=function_graph ftrace_graph_filter=do_filp_open \
		ftrace_graph_notrace=vfs_open ftrace_graph_max_depth=3 stacktrace \
		ftrace_boot_snapshot"
# init is given more words than there is room for, short ones for the sake of MIPS. On x86
# preempt_count() says itself that nobody has to be preempted yet.
part boot-trace/early-panic "a panic before the first initcall prints what was recorded" \
	RUN=true result=console_has has="0d[p.].1. .*us : sched_init <-start_kernel" \
	ENDS="Kernel panic - not syncing: Too many boot env vars" \
	APPEND="$traced ftrace_dump_on_oops ftrace_filter=sched_init,rcu_init \
		$(printf ' %s=' {a..z} {A..M})"
part boot-trace/printk "events are messages of the kernel, and have triggers" beside=no RUN=boot-printk SMP=2 \
	APPEND="tp_printk tp_printk_stop_on_boot \
		trace_event=initcall:initcall_level,sched:sched_process_exec,syscalls:sys_enter_umask \
		trace_trigger=initcall_start.traceon,sched_process_wait.stacktrace:0"
part boot-trace/instances "instances are there from the boot on, with events and snapshots" \
	RUN=boot-instances SMP=2 \
	APPEND="ftrace_boot_snapshot=a alloc_snapshot=b \
		trace_instance=a,initcall,!initcall_level,sys_enter_umask \
		trace_instance=b^traceoff^printk,initcall_level trace_instance=c^d@1 \
		$([ "$SRC_ARCH" = mips ] || echo trace_instance=a/b)"
part boot-trace/kept "self-tests and KUnit leave to a boot what it has traced" archs=x86 all=yes takes=60 \
	RUN=boot-kept SMP=2 \
	APPEND="kunit.enable=1 kunit.filter_glob=ftrace_* trace_event=initcall:* trace_instance=kept,initcall \
		trace_trigger=\"sched_switch.stacktrace:3 if prev_pid >= 0\" kprobe_event=p:at_boot,kernel_execve"
# Each $ is one of what is fetched.
# shellcheck disable=SC2016
part boot-trace/probes "probes of the command line are on from the beginning" archs=x86 \
	RUN=boot-probes SMP=2 \
	APPEND="$(printf 'kprobe_event=%s;%s;%s;;%s;%s' \
		'p:at_boot,kernel_execve,f=+0($arg1):string,c=$comm' 'p:bad,no_such_function' \
		'r:ours/opened,do_filp_open,$retval' 'p,vfs_open' \
		'p:to_come,ftrace_probed:probed_args,a=$arg1:s32')"
part boot-variant "traced from the boot on, with filters" kernels="static discover" \
	RUN=boot-variant SMP=2 \
	APPEND="$traced ftrace_filter=vfs_*,yet_to_come ftrace_notrace=vfs_read"
part found "call sites are found as they run, and traced if they were named" \
	kernels=discover RUN=found SMP=2

# With instructions counted QEMU has interrupts come between any two of them, also between a
# jump and its delay slot. The clock by which the guest finds out how fast it is has to go
# with them. Where a site is one instruction there is nothing to be preempted in.
part preempted "a task is preempted at each instruction of a site that is switched" \
	archs=mips RUN=preempted SMP=1 QEMU_ARGS="-icount shift=3 -rtc clock=vm"
part kexec "other kernels are entered while all is traced, one of them after a panic" \
	kernels=large archs=x86_64 RUN=kexec SMP=2 lay=lay_kernel \
	ALLOW='Kernel panic - not syncing: sysrq triggered crash' \
	APPEND="crashkernel=256M kexec.stage=1"
part nmi "NMIs come while call sites are switched" archs=x86 beside=no takes=90 \
	RUN=nmi SMP=2 MONITOR=1
part counted "all contexts of four CPUs count in one histogram: no hit is lost" \
	kernels= hand="usual debug" RUN=counted SMP=4 \
	MONITOR="$([ "$SRC_ARCH" != x86 ] || echo 1)"
part dump "what an oops prints of the buffers, and what a warning stops" beside=no \
	RUN=dump SMP=2 ALLOW='Oops: invalid opcode|WARNING: .* warn\+0x.*\[ftrace_oops\]' \
	APPEND="traceoff_on_warning ftrace_dump_on_oops=foo=2,bar"
part carried "what a guest has recorded is read by programs of this machine" all=yes takes=45 \
	RUN=carried SMP=2 result=compare_carried
part no-memory "each allocation of each operation fails once" kernels=debug \
	RUN=no-memory SMP=1
part alike "the same, shown by this tracer and by the one that it replaces"
part alike/calls "calls of functions, and latencies" \
	kernels= hand=sections RUN=alike SMP=1 run=alike_calls stock=yes
part alike/events "which events there are, their formats, and a line of each" \
	kernels= hand="usual large" RUN=alike-events SMP=1 run=alike_shown stock=yes \
	APPEND="no_hash_pointers"
part alike/hist "what triggers, histograms and synthetic events say, count and do" \
	kernels= hand="usual large" RUN=alike-hist SMP=1 run=alike_hist stock=yes
part alike/probes "how probes are listed, what is wrong with them, and what they record" archs=x86_64 \
	kernels= hand="usual large" RUN=alike-probes SMP=1 run=alike_shown stock=yes
part alike/cases "each case of the base that passes with the stock tracer" \
	kernels= hand="usual large" RUN=ftracetest SMP=2 lay=lay_base_cases \
	run=alike_cases stock=yes

part boots "boots with the parameters that others choose, one after another"
boots="archs=x86_64 RUN=boots run=boots_test"
part boots/listed "those of tests/boots.list: each tracer by each clock" $boots \
	kernels= hand="usual large" \
	boots=listed_boots APPEND=boots.do=use \
	ALLOW='(Speculative Return Stack Overflow|RETBleed): WARNING: '
part boots/noted "self-tests leave alone what each parameter has traced" $boots takes=60 \
	boots=noted_boots APPEND=boots.do=noted
part boots/off "each tracer begins with the kernel, and is switched off" $boots \
	kernels= hand="usual large" \
	boots=off_boots APPEND=boots.do=off
part boots/clocks "hardly an entry is the tracer's reading of its clock" $boots \
	kernels= hand=large \
	boots=clock_boots APPEND=boots.do=count

part configs "kernels of other configurations, which only have to build"
builds="kernels= hand=none archs=x86_64 run=config_test"
part configs/no-modules "without modules, and with another unwinder" $builds \
	options="MODULES=n MODULE_UNLOAD=n UNWINDER_FRAME_POINTER=y FPROBE=y"
part configs/no-tracer "the buffer and the files, which lockdep's tracepoints bring along" $builds \
	options="FUNCTION_TRACER=n DYNAMIC_FTRACE=n FTRACE_KUNIT_TEST=n FTRACE_STARTUP_TEST=n PROVE_LOCKING=y"
part configs/no-tracing "without any tracing, but with perf and BPF" $builds \
	options="FTRACE=n FUNCTION_TRACER=n DYNAMIC_FTRACE=n FTRACE_KUNIT_TEST=n FTRACE_STARTUP_TEST=n PERF_EVENTS=y BPF_SYSCALL=y"
part configs/static "all sites call one entry" $builds options=DYNAMIC_FTRACE=n
part configs/discover "no table of sites" $builds options=FTRACE_MCOUNT_RECORD=n
part configs/one-cpu "on one CPU" $builds options=SMP=n
part configs/realtime "for real time" $builds options="PREEMPT_RT=y PREEMPT=n"
part configs/defconfig "as the base has it for a PC: it boots, too, and records events" \
	kernels= hand=none archs=x86_64 run=defconfig_test RUN=events \
	APPEND=
part configs/clang "by clang, whose calls are found by scripts/recordmcount" $builds \
	cc=clang packages=clang

part formats "each event of the base prints what it does with the stock tracer's headers, and programs can parse it" \
	kernels= hand=none once=yes archs=x86 run=formats_test takes=600

part lint "what make lint says" once=yes all=yes run=lint_test packages=lint takes=420
