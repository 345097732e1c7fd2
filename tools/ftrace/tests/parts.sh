# shellcheck shell=bash disable=SC2086
# SPDX-License-Identifier: GPL-2.0
# The parts of the suite, one row each: `make test` runs them, and ONLY= selects from them. To
# add a part, write its row and its script in tests/guest, and run tools/ftrace/documents.sh.
# Packages that only this part needs are in packages.list.
#
#	part name "title" KEY=value...
#
# Where and when a part runs:
#   kernels   kernels in which the whole suite runs it: usual (the default), rows of
#             variants.sh, or none if it needs no kernel
#   hand      kernels in which it runs only if ONLY= names it
#   archs     architectures, by name or as x86 or mips for both word sizes; default: all
#   once=yes  only in the suite of x86_64, because the result is the same for all
#   all=yes   only in make test-all
#   parallel=no  not on an architecture that is tested in parallel to another one
#   takes     duration in seconds on two idle CPUs (30); VARIANT=debug takes four times as long
# A part that boots a guest:
#   RUN       name of the script in tests/guest. Every key in capitals is passed to boot.sh;
#             `make help` describes these variables. APPEND is empty by default; the word
#             ROUNDS in it becomes a number of rounds that take some minutes
#   longer    duration of one round, as a multiple of a round of stress
#   add       function that adds files to the guest's root, besides our programs
#   result    function that reads the results; by default the output of RUN is KTAP
# A part that does something else:
#   run       function to call
#   which     for cases/: function that lists the cases. In some kernels and architectures the
#             whole suite runs a short list instead, for both parts
#   cases     for ftracetest: name of the list of cases, tests/NAME.list
#   has       for console_has: pattern that a line of the console has to match
#   stock     yes: also build the kernel with the stock tracer
#   options   configuration of the kernel to build, without CONFIG_
#   cc        compiler of that kernel
#   boots     for boots_test: function that prints the boots, one a line
# A row that has only a title names the group of the parts below its name and a slash.

# Words that several rows share.
traced="ftrace=function"
in_turns=ACCEL=$CPUS_IN_TURNS
on_host="kernels=none once=yes"

part host "tests that need no guest"
part host/cc "ccache never returns an outdated object" $on_host run=host_test
part host/documents "README.md, hacking.rst and api.rst list what exists" \
	$on_host run=host_test
part host/fold "the figures that make picture draws" $on_host run=host_test
part host/guide "how examples of documents are read and compared" $on_host run=host_test
part host/harness "prepare, mutants and boots, on a toy tree" $on_host run=host_test
part host/mutants "each mutant applies and names the test that catches it" $on_host run=host_test \
	all=yes takes=150
part host/packages "each target and part first asks for its packages" $on_host run=host_test
part host/parts "the table of parts, and how parts run" $on_host run=host_test
part host/recordmcount "scripts/recordmcount on sound and malformed objects of each architecture" \
	kernels= hand=none once=yes run=host_test
part host/rooms "how make lint checks dependencies between rooms" $on_host run=host_test
part host/series "the patch of make series applies" $on_host run=host_test
part host/watch "which processes the watchdog ends as stuck" $on_host run=host_test

part cases "KUnit, the boot-time self-tests and ftracetest"
part cases/own "ftracetest with the cases of this repository" \
	kernels=usual hand="large debug static discover kcsan rt" parallel=no takes=480 which=own_cases \
	RUN=ftracetest SMP=2 add=add_cases result=report_own_cases
part cases/base "KUnit, the boot-time self-tests, and ftracetest with the base's cases" \
	kernels="usual large debug static discover" hand="kcsan rt" takes=330 which=base_cases \
	RUN=ftracetest SMP=2 APPEND=kunit.enable=1 add=add_cases result=report_cases
part arguments "the cases that show arguments of functions" kernels= hand=btf cases=btf \
	RUN=ftracetest SMP=2 APPEND=kunit.enable=1 add=add_cases result=report_cases
part stress "the tracer, filters, modules and a CPU switch on and off under load, without leaks" \
	kernels="usual debug" hand="kcsan rt" all=yes takes=300 RUN=stress SMP=4 \
	APPEND="stress.rounds=ROUNDS"
# On a slow machine the base's deadline scheduler warns when a CPU goes offline: it miscounts
# bandwidth.
part stress-events "events, probes, instances, modules and perf switch on and off under load" \
	kernels= hand="usual debug kcsan rt" longer=10 takes=200 RUN=stress-events SMP=4 \
	ALLOW='WARNING: .* at kernel/sched/deadline\.c:' \
	APPEND="stress.rounds=ROUNDS"
part stress-bpf "BPF programs are attached and detached under load" archs=x86 \
	kernels= hand="usual debug kcsan rt btf bpf" longer=4 takes=200 RUN=stress-bpf SMP=4 \
	ALLOW='WARNING: .* at kernel/sched/deadline\.c:' \
	APPEND="stress.rounds=ROUNDS"
part tracers "stress with each tracer, on CPUs that QEMU runs in turns" \
	kernels= hand="usual debug kcsan rt" RUN=stress SMP=4 "$in_turns" \
	APPEND="stress.rounds=ROUNDS stress.tracers=all"
part guide "examples of the documents print what these show" archs=x86_64 takes=60 RUN=guide SMP=2 \
	add=add_guide result=report_guide
part anomaly "a damaged call site turns the tracer off, and the machine goes on" \
	kernels="usual debug" RUN=anomaly SMP=2

# On x86 boot-trace/filters runs on a CPU with mitigations that change how functions return. The
# command line of MIPS has room for 255 characters.
part boot-trace "tracing from the first moments of the boot"
part boot-trace/filters "filters, options and a clock on the command line" RUN=boot-trace SMP=2 \
	QEMU_ARGS="$([ "$SRC_ARCH" != x86 ] || echo -cpu EPYC)" \
	APPEND="$([ "$SRC_ARCH" != x86 ] || echo retbleed=unret spec_rstack_overflow=off) \
		$traced ftrace_filter=sched_init,kernel_init,rcu_* ftrace_notrace=rcu_seg* \
		trace_clock=mono trace_buf_size=2M trace_options=sym-addr,noprint-parent"
# The global clock evaluates the static key of sched_clock_stable() in each call.
part boot-trace/all "all functions, with the global clock" RUN=boot-trace-all SMP=2 "$in_turns" \
	APPEND="$traced trace_clock=global stacktrace_filter=kernel_init,rcu_* \
		tracing_thresh=100 alloc_snapshot trace_event=initcall:*,!initcall_level"
part boot-trace/graph "function_graph with function lists and a depth" RUN=boot-trace-graph SMP=2 \
	APPEND="ftrace=function_graph ftrace_graph_filter=do_filp_open \
		ftrace_graph_notrace=vfs_open ftrace_graph_max_depth=3 stacktrace \
		ftrace_boot_snapshot"
# The kernel panics because init gets more words than it has room for. The words are short, as is
# the command line of MIPS. On x86 preempt_count() holds the need-resched flag, inverted.
part boot-trace/early-panic "a panic before the first initcall prints the recorded calls" \
	RUN=true result=console_has has="0d[p.].1. .*us : sched_init <-start_kernel" \
	ENDS="Kernel panic - not syncing: Too many boot env vars" \
	APPEND="$traced ftrace_dump_on_oops ftrace_filter=sched_init,rcu_init \
		$(printf ' %s=' {a..z} {A..M})"
part boot-trace/printk "events printed as kernel messages, and triggers" parallel=no \
	RUN=boot-printk SMP=2 \
	APPEND="tp_printk tp_printk_stop_on_boot \
		trace_event=initcall:initcall_level,sched:sched_process_exec,syscalls:sys_enter_umask \
		trace_trigger=initcall_start.traceon,sched_process_wait.stacktrace:0"
part boot-trace/instances "instances created at boot, with events and snapshots" \
	RUN=boot-instances SMP=2 \
	APPEND="ftrace_boot_snapshot=a alloc_snapshot=b \
		trace_instance=a,initcall,!initcall_level,sys_enter_umask \
		trace_instance=b^traceoff^printk,initcall_level trace_instance=c^d@1 \
		$([ "$SRC_ARCH" = mips ] || echo trace_instance=a/b)"
part boot-trace/kept "self-tests and KUnit keep the records of the boot" archs=x86 all=yes \
	takes=60 RUN=boot-kept SMP=2 \
	APPEND="kunit.enable=1 kunit.filter_glob=ftrace_* trace_event=initcall:* trace_instance=kept,initcall \
		trace_trigger=\"sched_switch.stacktrace:3 if prev_pid >= 0\" kprobe_event=p:at_boot,kernel_execve"
# Each $ belongs to a fetch argument.
# shellcheck disable=SC2016
part boot-trace/probes "probes of the command line are enabled at boot" archs=x86 \
	RUN=boot-probes SMP=2 \
	APPEND="$(printf 'kprobe_event=%s;%s;%s;;%s;%s' \
		'p:at_boot,kernel_execve,f=+0($arg1):string,c=$comm' 'p:bad,no_such_function' \
		'r:ours/opened,do_filp_open,$retval' 'p,vfs_open' \
		'p:to_come,ftrace_probed:probed_args,a=$arg1:s32')"
part boot-variant "tracing from the boot on, with filters" kernels="static discover" \
	RUN=boot-variant SMP=2 \
	APPEND="$traced ftrace_filter=vfs_*,yet_to_come ftrace_notrace=vfs_read"
part found "call sites are found when they first run, and traced if a filter names them" \
	kernels=discover RUN=found SMP=2

# With -icount QEMU delivers interrupts between any two instructions, also between a jump and
# its delay slot. The clock with which the guest calibrates its timer has to count instructions,
# too. On x86 a call site is one instruction, so no task can be preempted inside.
part preempted "a task is preempted at each instruction of a call site that is being patched" \
	archs=mips RUN=preempted SMP=1 QEMU_ARGS="-icount shift=3 -rtc clock=vm"
part kexec "kexec to other kernels while all functions are traced, once after a panic" \
	kernels=large archs=x86_64 RUN=kexec SMP=2 add=add_kernel_image \
	ALLOW='Kernel panic - not syncing: sysrq triggered crash' \
	APPEND="crashkernel=256M kexec.stage=1"
part nmi "NMIs while call sites are patched" archs=x86 parallel=no takes=90 \
	RUN=nmi SMP=2 MONITOR=1
part counted "a histogram loses no hit from any context of four CPUs" \
	kernels= hand="usual debug" RUN=counted SMP=4 \
	MONITOR="$([ "$SRC_ARCH" != x86 ] || echo 1)"
part dump "an oops dumps the buffers, and a warning stops recording" parallel=no \
	RUN=dump SMP=2 ALLOW='Oops: invalid opcode|WARNING: .* warn\+0x.*\[ftrace_oops\]' \
	APPEND="traceoff_on_warning ftrace_dump_on_oops=foo=2,bar"
part carried "programs of this machine read what a guest has recorded" all=yes takes=45 \
	RUN=recordings SMP=2 result=compare_recordings
part no-memory "each allocation of each operation fails once" kernels=debug \
	RUN=no-memory SMP=1
part no-memory-bpf "each allocation while a BPF program is attached fails once" archs=x86 \
	kernels= hand=debug takes=120 RUN=no-memory SMP=1 APPEND="no-memory=bpf"
part alike "this tracer and the one that it replaces show the same"
part alike/calls "function calls and latencies" \
	kernels= hand=sections RUN=alike SMP=1 run=compare_calls stock=yes
part alike/events "the events, their formats, and a line of each" \
	kernels= hand="usual large" RUN=alike-events SMP=1 run=compare_output stock=yes \
	APPEND="no_hash_pointers"
part alike/hist "messages, counts and actions of triggers, histograms and synthetic events" \
	kernels= hand="usual large" RUN=alike-hist SMP=1 run=compare_hist stock=yes
part alike/probes "lists, error messages and records of probes" archs=x86_64 \
	kernels= hand="usual large" RUN=alike-probes SMP=1 run=compare_output stock=yes
part alike/cases "the cases of the base that pass with the stock tracer" \
	kernels= hand="usual large" RUN=ftracetest SMP=2 which=base_cases add=add_base_cases \
	run=compare_base_cases stock=yes

part alike/bpf-tools "programs that trace with BPF work as with the stock tracer" archs=x86_64 \
	kernels= hand=bpf takes=3600 RUN=bpf-tools SMP=2 DISK=1 ALLOW='^# ' add=add_bpf_tools \
	run=compare_bpf_tools stock=yes

# ALLOW is for warnings of the programs.
part bpf "programs that trace with BPF"
part bpf/tools "libbpf-tools, bpftrace, bpftool and perf print what a known load makes them print" \
	archs=x86_64 kernels= hand=bpf takes=1800 RUN=bpf-tools SMP=2 DISK=1 ALLOW='^# ' \
	add=add_bpf_tools result=report_bpf_tools

part boots "many boots in a row, each with its own parameters"
boots="archs=x86_64 RUN=boots run=boots_test"
part boots/listed "the boots of tests/boots.list: each tracer with each clock" $boots \
	kernels= hand="usual large" \
	boots=listed_boots APPEND=boots.do=use \
	ALLOW='(Speculative Return Stack Overflow|RETBleed): WARNING: '
part boots/noted "self-tests keep what a boot parameter has traced" $boots takes=60 \
	boots=noted_boots APPEND=boots.do=noted
part boots/off "each tracer starts at boot and is then switched off" $boots \
	kernels= hand="usual large" \
	boots=off_boots APPEND=boots.do=off
part boots/clocks "few entries are reads of the clock by the tracer itself" $boots \
	kernels= hand=large \
	boots=clock_boots APPEND=boots.do=count

part configs "kernels of other configurations, which only have to build"
builds="kernels= hand=none archs=x86_64 run=config_test"
part configs/no-modules "no modules, and the frame pointer unwinder" $builds \
	options="MODULES=n MODULE_UNLOAD=n UNWINDER_FRAME_POINTER=y FPROBE=y"
part configs/no-tracer "no function tracer: only what lockdep's tracepoints select" $builds \
	options="FUNCTION_TRACER=n DYNAMIC_FTRACE=n FTRACE_KUNIT_TEST=n FTRACE_STARTUP_TEST=n PROVE_LOCKING=y"
part configs/no-tracing "no tracing, but perf and BPF" $builds \
	options="FTRACE=n FUNCTION_TRACER=n DYNAMIC_FTRACE=n FTRACE_KUNIT_TEST=n FTRACE_STARTUP_TEST=n PERF_EVENTS=y BPF_SYSCALL=y"
part configs/static "call sites that are never patched" $builds options=DYNAMIC_FTRACE=n
part configs/discover "no table of call sites" $builds options=FTRACE_MCOUNT_RECORD=n
part configs/one-cpu "one CPU" $builds options=SMP=n
part configs/realtime "PREEMPT_RT" $builds options="PREEMPT_RT=y PREEMPT=n"
part configs/defconfig "the base's defconfig for a PC, which also boots and records events" \
	kernels= hand=none archs=x86_64 run=defconfig_test RUN=events \
	APPEND=
part configs/clang "built by clang; scripts/recordmcount finds the call sites" $builds \
	cc=clang

part formats "each base event prints the same as with the stock headers, and programs can parse it" \
	kernels= hand=none once=yes archs=x86 run=formats_test takes=600

part lint "make lint prints nothing" once=yes all=yes run=lint_test takes=420
