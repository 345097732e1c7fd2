#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# make prepare on a toy base tree: it checks the version; it applies base/removed and
# base/patches, or prints why not; it copies only those of our files that changed, and removes those
# that we no longer have; it prints what to do if packages, root, network or space are missing. Also
# tests functions for mutants, kernel options, programs of the guest, and consoles.

# Variables that this test was called with must not reach the scripts that it runs.
unset FRAGMENT ONLY MUTANT VARIANT BENCH

. "$(dirname "$0")/../../lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/base.sh"
. "$TOOLS/overlay.sh"
. "$TOOLS/kbuild.sh"
. "$TOOLS/console.sh"
. "$TOOLS/mutate.sh"
. "$TOOLS/mutant-groups.sh"
. "$TOOLS/programs.sh"
. "$TOOLS/tests/checks.sh"

own_repositories
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
BUILD=$work/build
LOG=$BUILD/log
LINUX=$BUILD/linux
PRISTINE=$BUILD/stock-linux

toy_base()
{
	cd "$work" || exit
	rm -rf "$BUILD" "$work"/{base,kernel,lists,MAINTAINERS}
	mkdir -p "$LOG" "$PRISTINE/kernel/trace/deep" base/patches kernel
	printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 3\nNAME = Toy\n' \
		>"$PRISTINE/Makefile"
	echo old >"$PRISTINE/kernel/trace/a.c"
	echo old >"$PRISTINE/kernel/trace/deep/b.c"
	echo stays >"$PRISTINE/kernel/fork.c"
	echo list >"$PRISTINE/MAINTAINERS"
	echo entry >MAINTAINERS
	echo 1 >"$BUILD/.stamp-base"
	echo 'kernel/trace' >base/removed
	: >base/patches/series
	git init -q .
	printf 'build\nMAINTAINERS\n' >.gitignore
}

prepares_the_base()
{
	toy_base
	prepare_base >/dev/null
	[ ! -e "$LINUX/kernel/trace" ] || fault "kernel/trace was not removed"
	same "untouched file" stays "$(cat "$LINUX/kernel/fork.c")"
	same "MAINTAINERS" "list entry" "$(xargs <"$LINUX/MAINTAINERS")"
	same "second time" "" "$(prepare_base)"
}

refuses_what_does_not_fit()
{
	toy_base
	echo 'kernel/trace/**/nothing-*.c' >>base/removed
	refuses "matches nothing" prepare_base

	toy_base
	printf -- '--- a/kernel/fork.c\n+++ b/kernel/fork.c\n@@ -1 +1 @@\n-other\n+new\n' \
		>base/patches/x.patch
	echo x.patch >base/patches/series
	refuses "does not apply" prepare_base
	rm base/patches/x.patch
	refuses "does not exist" prepare_base

	sed -i 's/12/13/' "$PRISTINE/Makefile"
	refuses "not 6.12.y" check_version "$PRISTINE"
	rm "$PRISTINE/Makefile"
	refuses "error" check_version "$PRISTINE"
}

applies_patches()
{
	toy_base
	printf -- '--- a/kernel/fork.c\n+++ b/kernel/fork.c\n@@ -1 +1 @@\n-stays\n+new\n' \
		>base/patches/x.patch
	printf '# comment\nx.patch\n' >base/patches/series
	prepare_base >/dev/null
	same "patched file" new "$(cat "$LINUX/kernel/fork.c")"
	same "pristine file" stays "$(cat "$PRISTINE/kernel/fork.c")"
}

lays_only_what_changed()
{
	toy_base
	prepare_base >/dev/null
	mkdir -p kernel/trace
	echo one >kernel/trace/one.c
	echo two >kernel/trace/two.c
	lay_overlay >/dev/null
	same "laid file" one "$(cat "$LINUX/kernel/trace/one.c")"
	touch -d @1 "$LINUX"/kernel/trace/*.c

	same "nothing to lay" "" "$(lay_overlay)"
	echo more >>kernel/trace/one.c
	lay_overlay >/dev/null
	same "edited file" "one more" "$(xargs <"$LINUX/kernel/trace/one.c")"
	same "other file's time" 1 "$(stat -c %Y "$LINUX/kernel/trace/two.c")"

	rm kernel/trace/two.c
	lay_overlay >/dev/null
	[ ! -e "$LINUX/kernel/trace/two.c" ] || fault "a deleted file stayed"

	echo mine >kernel/fork.c
	refuses "kernel/fork.c" lay_overlay
}

# mutant name file test: writes the patch of a mutant
mutant()
{
	cat >"$MUTANTS/$1.patch" <<-END
		# what it breaks: $2
		# caught by: ONLY=$3
		--- a/kernel/trace/$2.c
		+++ b/kernel/trace/$2.c
		@@ -1 +1 @@
		-$2
		+mutant
	END
}

# make mutants lays the files of a mutant in place of ours, for a time; it rejects unusable patches.
mutates_what_is_laid()
{
	toy_base
	MUTANTS=$work/mutants
	MUTATED=$BUILD/mutant
	mkdir -p "$MUTANTS" kernel/trace
	prepare_base >/dev/null
	echo one >kernel/trace/one.c
	echo two >kernel/trace/two.c
	mutant m one some_test
	same "its names" m "$(mutant_names 'm*')"
	same "other names" "" "$(mutant_names n)"
	same "its test" some_test "$(mutant_part m)"

	mutant n two other_test
	mutant o two some_test
	mutant p one third_test
	next_group 8 m n o p
	same "in one kernel" "m n / o p" "${group[*]} / ${remaining[*]}"
	next_group 1 m n
	same "alone" "m / n" "${group[*]} / ${remaining[*]}"
	mutate m n || fault "mutate failed"
	same "both" "mutant mutant" "$(xargs <<<"$(cat "$MUTATED"/kernel/trace/*.c)")"
	rm "$MUTANTS"/[nop].patch

	mutate m || fault "mutate failed"
	MUTANT=$MUTATED lay_overlay >/dev/null
	same "mutant laid" mutant "$(cat "$LINUX/kernel/trace/one.c")"
	same "other file" two "$(cat "$LINUX/kernel/trace/two.c")"
	same "file of the repository" one "$(cat kernel/trace/one.c)"
	lay_overlay >/dev/null
	same "laid again" one "$(cat "$LINUX/kernel/trace/one.c")"

	echo changed >kernel/trace/one.c
	refuses "no longer applies" mutate m
	rm kernel/trace/one.c
	refuses "not a file of the overlay" mutate m
}

# The verdict on a mutant depends on the last lines of a test run, here those of $work/said.
judges_a_mutant()
{
	toy_base
	TOOLS=$work/tools
	mkdir -p "$TOOLS"
	printf '#!/bin/sh\ncat "%s"\nexit 1\n' "$work/said" >"$TOOLS/test.sh"
	chmod +x "$TOOLS/test.sh"
	printf '[09:00:00] [FAILED] it_test\n3 passed, 1 failed\n' >"$work/said"
	run_part x "$LOG/part"
	same "failed test" "failed it_test" "$verdict $(first_failure "$LOG/part")"
	printf '[09:00:00] [FAILED] only: the guest was started\n0 passed, 1 failed\n' \
		>"$work/said"
	run_part x "$LOG/part"
	same "no guest" error "$verdict"
	echo "error: the kernel does not build" >"$work/said"
	run_part x "$LOG/part"
	same "no kernel" error "$verdict"
	sed -i 's/exit 1/exit 0/' "$TOOLS/test.sh"
	echo "4 passed, 0 failed" >"$work/said"
	run_part x "$LOG/part"
	same "passed" passed "$verdict"
}

# If a kernel has several mutants, the ones that count as caught are those whose tests failed in the
# shared boots.
finds_caught_mutants()
{
	toy_base
	MUTANTS=$work/mutants
	RESULTS=$work/results
	SELFTESTS=selftests
	mkdir -p "$RESULTS" "$SELFTESTS/test.d/control" "$LINUX/$SELFTESTS/test.d" "$MUTANTS"
	ids_named()
	{
		[ "$1" != some_part ] || say "$1"
	}
	echo '# description: some - case' >"$SELFTESTS/test.d/control/some.tc"
	echo '# description: other' >"$LINUX/$SELFTESTS/test.d/other.tc"
	printf '%s\n' 'ok 1 some - case' 'not ok 2 (instance) some - case' 'ok 3 other' \
		>"$RESULTS/$ARCH-only-ftracetest.ktap"
	printf '%s\r\n' '[  1.2] # said' '[  1.3][ T1]     not ok 1 a_test' \
		'[  1.3][ T1] not ok 1 some_suite' '[  1.4] ok 2 other_suite' \
		>"$RESULTS/$ARCH-only-suites-kunit.ktap"
	same "a case" "not ok" "$(result_of control/some.tc)"
	same "without its directory" "not ok" "$(result_of some.tc)"
	same "one of the base" ok "$(result_of other.tc)"
	same "a suite" "not ok" "$(result_of some_suite)"
	same "another suite" ok "$(result_of other_suite)"
	same "a test in a suite" "" "$(result_of a_test)"
	same "a part" "" "$(test_of some_part)"

	mutant m one some.tc
	mutant n two other_suite
	mutant o three other_suite
	same "the most of a part first" "n o m" "$(sort_by_part m n o | xargs)"
	! no_test_ended m n || fault "no_test_ended, although both tests ended"
	rm "$RESULTS"/*
	no_test_ended m n || fault "not no_test_ended, although no test ended"

	mutant p four control/none.tc
	same "the first case" "m" "$(stopped_mutants m n p | xargs)"
	printf '[  1.2][ T1] %s\n' '    # Subtest: first' '    # Subtest: other_suite' \
		'        # Subtest: a_test' \
		>"$RESULTS/$ARCH-only-suites-kunit.ktap"
	same "the last suite, too" "m n" "$(stopped_mutants m n p | xargs)"
	part_passes[other_suite]=passed
	survivors=() unfinished=() passed=0
	count_caught 0 n m
	same "no end" "n" "${unfinished[*]}"
	same "does not pass without it" "m" "${survivors[*]}"
	echo 'not ok 1 other_suite' >>"$RESULTS/$ARCH-only-suites-kunit.ktap"
	count_caught 0 n >/dev/null
	same "caught" 1 "$passed"
	rm "$work"/mutants/*.patch
}

# A program's libraries are copied to where the guest's loader looks for them and nothing is
# mounted, whatever this machine itself would load.
copies_programs()
{
	cd "$work" || exit
	mkdir -p libraries
	libc=$(ldd /bin/ls | sed -n 's/.*libc.so.6 => \([^ ]*\).*/\1/p')
	cp -L "$libc" libraries/
	echo other >>libraries/libc.so.6
	LD_LIBRARY_PATH=$work/libraries copy_program root ls
	cmp "$libc" root/lib/libc.so.6
	loader=$(echo root/lib64/ld-*)
	same "runs with them" "bin lib lib64" \
		"$("$loader" --inhibit-cache --library-path root/lib root/bin/ls root | xargs)"
	refuses "no installed package for the guest contains no-such" debian_file no-such
}

# VARIANT= takes the kernels of variants.sh, not any file of base/configs.
configures_variants()
{
	cd "$TOP" || exit
	for name in "${VARIANTS[@]}"; do
		VARIANT=$name kernel_options
		same "kernel" "$ARCH-$name" "$kernel"
		[ -f "${fragments[-1]}" ] || fault "no ${fragments[-1]}"
	done
	VARIANT=small refuses "There are: ${VARIANTS[*]}" kernel_options
}

# The console of a failed boot is kept when the next boot overwrites it.
keeps_consoles()
{
	toy_base
	boot_name=toy console=$LOG/toy.console output=$LOG/toy.output qemu_status=0
	echo first >"$console"
	: >"$output"
	refuses "ended before its script" judge_guest
	echo second >"$console"
	same "kept" first "$(cat "$LOG"/failed/toy.*.console)"
	echo "Kernel panic: as it should" >"$console"
	(ENDS='panic: as it' judge_guest) || fault "a guest failed although its console has ENDS"
	ENDS=other refuses "did not end with a line that matches: other" judge_guest
	# A CPU that is reset later than the others may print messages, which do not count.
	printf "%s\n" "WARNING: first" "reboot: Restarting system" "WARNING: second" >"$work/ended"
	same "unexpected lines" "WARNING: first" "$(unexpected_lines <"$work/ended" | grep WARNING)"
}

prepares_again_without_laying()
{
	toy_base
	prepare_base >/dev/null
	mkdir -p kernel/trace
	echo one >kernel/trace/one.c
	echo mine >kernel/trace/a.c
	lay_overlay >/dev/null
	touch -d @1 "$LINUX/kernel/trace/one.c"

	rm kernel/trace/a.c
	echo 'kernel/trace/deep' >base/removed
	prepare_base >/dev/null
	lay_overlay >/dev/null
	same "our file's time" 1 "$(stat -c %Y "$LINUX/kernel/trace/one.c")"
	same "file that came back" old "$(cat "$LINUX/kernel/trace/a.c")"
	[ ! -e "$LINUX/kernel/trace/deep" ] || fault "deep was not removed"
}

merges_options()
{
	cd "$work" || exit
	printf 'CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C=m\n' >f1
	printf '# text\nCONFIG_B=y\n# CONFIG_C is not set\n' >f2
	merge_fragments "$TOP/build/linux" . f1 f2 >/dev/null
	same "merged options" "# CONFIG_C is not set CONFIG_A=y CONFIG_B=y" \
		"$(grep CONFIG .requested | sort | xargs)"

	printf 'CONFIG_A=y\nCONFIG_B=y\nCONFIG_D=y\n' >.config
	check_requested "$TOP/build/linux" .
	printf 'CONFIG_A=m\nCONFIG_C=y\n' >.config
	for lost in " A m -> y" "+B y" " C y -> n"; do
		refuses "$lost" check_requested "$TOP/build/linux" .
	done
}

# A machine without packages, with and without root and network: these functions take the place of
# the programs that need_packages() runs.
missing_packages()
{
	printf '%s\n' "$@"
}

id()
{
	echo "$user"
}

apt-get()
{
	echo "apt-get $*"
	if [ "$busy" -gt 0 ]; then
		busy=$((busy - 1))
		echo "E: Could not get lock /var/lib/apt/lists/lock."
		return 100
	fi
	case $* in
	*update*)  "$update" && touch lists ;;
	*install*) "$install" && [ -e lists ] ;;
	esac
}

sleep()
{
	naps=$((naps + 1))
}

asks_for_packages()
{
	toy_base
	user=1000 busy=0 naps=0
	refuses "sudo apt-get install --no-install-recommends bc bison" \
		need_packages bc bison

	user=0 update=false install=true
	refuses "Check the network" need_packages bc
	refuses "apt-get update failed (wanted: bc)" need_packages bc
	update=true install=false
	refuses "apt-get install failed (wanted: bc)" need_packages bc

	rm lists "$LOG/apt-install.log"
	install=true
	need_packages bc >said
	same "announced" "== Installing Debian packages: bc" "$(head -n 1 said)"
	same "updated" "   updating the package lists" "$(tail -n 1 said)"
	same "installed" "bc" "$(grep -o '[^ ]*$' "$LOG/apt-install.log")"

	update=false
	need_packages bc >said
	same "no update" 1 "$(wc -l <said)"
	same "no lock" 0 "$naps"

	busy=2
	need_packages bc >said
	same "waits" "   waiting for another apt-get to finish" "$(tail -n +2 said)"
	same "waited for the lock" 2 "$naps"
	busy=1000
	refuses "apt-get update failed (wanted: bc)" need_packages bc
}

asks_for_space()
{
	toy_base
	need_space 1
	refuses "no space" need_space 999999999
	refuses "Free some space" need_space 999999999
	# From here on the free space of this machine does not matter.
	# shellcheck disable=SC2317
	need_space()
	{
		true
	}
	BASE_TARBALL=$work/no-such-file
	refuses "Reinstall it" unpack_base
	printf 'no archive' >"$work/file"
	BASE_TARBALL=$work/file
	refuses "'tar' failed" unpack_base
}

# oops place byte: prints a console with an oops at that place; the byte is the one before RIP
oops()
{
	cat <<-END
		[    0.705714] Oops: int3: 0000 [#1] PREEMPT SMP NOPTI
		[    0.706184] RIP: 0010:$1
		[    0.706507] Code: 90 90 41 54 55 53 $2 <90> e8 d5 94 f5 ff
		[    0.706756] Call Trace:
		[    0.707351]  a_caller+0xac/0xf0
	END
}

reads_the_console()
{
	console=$work/console
	output=/dev/null
	SMP=2
	oops sched_clock_cpu+0x5/0x190 66 >"$console"
	ran_old_breakpoint || fault "old breakpoint not recognized"
	same "digest" "report| a_caller+0xac" "$(digest_report | tail -n 1)"
	oops sched_clock_cpu+0x5/0x190 cc >"$console"
	! ran_old_breakpoint || fault "taken for old: a breakpoint that exists"
	oops sched_clock_tick+0x1/0xb0 66 >"$console"
	ran_old_breakpoint || fault "old breakpoint at the first byte not recognized"
	sed 's/RIP: 0010:/EIP: /' "$console" >"$console.32" && mv "$console.32" "$console"
	ran_old_breakpoint || fault "old breakpoint on 32 bits not recognized"
	for byte in 0f 3e e8; do
		for at in 0x1 0x5; do
			oops vfs_read+$at/0x190 $byte >"$console"
			! ran_old_breakpoint ||
				fault "taken for old: a breakpoint of the tracer: $byte, $at"
		done
	done
	{ echo 'UBSAN: before'; oops sched_clock_cpu+0x5/0x190 66; } >"$console"
	! ran_old_breakpoint || fault "taken for old: a breakpoint after a report"
	{ echo 'not ok 3 it'; oops sched_clock_cpu+0x5/0x190 66; } >"$console"
	! ran_old_breakpoint || fault "taken for old: a breakpoint after a failure"
	: >"$console"
	! ran_old_breakpoint || fault "taken for an old breakpoint: no report at all"
}

# A call trace has source lines if the kernel has debug information.
shows_lines()
{
	KERNEL=$work/kernel LINUX=$TOP/build/linux
	mkdir -p "$KERNEL"
	printf 'int f(int n)\n{\n\treturn n + 1;\n}\n\nint main(void)\n{\n\treturn f(1);\n}\n' \
		>"$KERNEL/toy.c"
	trace="[    0.707351]  f+0x1/0x10"
	gcc -o "$KERNEL/vmlinux" "$KERNEL/toy.c"
	same "no lines" "$trace" "$(with_lines <<<"$trace")"
	gcc -g -no-pie -o "$KERNEL/vmlinux" "$KERNEL/toy.c"
	[[ $(with_lines <<<"$trace") == *"toy.c:2)"* ]] || fault "$(with_lines <<<"$trace")"
}

for test in reads_the_console shows_lines asks_for_packages asks_for_space prepares_the_base applies_patches \
	refuses_what_does_not_fit lays_only_what_changed \
	copies_programs configures_variants keeps_consoles mutates_what_is_laid judges_a_mutant \
	finds_caught_mutants \
	prepares_again_without_laying merges_options; do
	("$test")
	echo "$test: fine"
done
