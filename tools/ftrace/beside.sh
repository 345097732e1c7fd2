# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by test.sh: tests the other architectures, one after another, in parallel to $ARCH,
# because neither suite keeps all CPUs busy all the time.
# shellcheck disable=SC2034,SC2153,SC2154

# Minutes after which no other architecture begins: continuous integration kills a run that
# takes too long, and then there are no results. Architectures that are left out are named.
MINUTES=${MINUTES:-40}

# begin_others: begins to test the other architectures in a background job; sets others
begin_others()
{
	local arch

	step "In parallel: $(other_archs | paste -sd ' ') (build/log/test-ARCH.log)"
	for arch in $(other_archs); do
		: >"$LOG/test-$arch.log"
	done
	begin run_others
	others=$job
}

# run_others: tests the other architectures, with a log for each. A last line marks its end.
run_others()
{
	local arch

	for arch in $(other_archs); do
		rm -f "$RESULTS/$arch.sum"
		if in_time; then
			ARCH=$arch BESIDE=1 "$TOOLS/test.sh" || true
		else
			leave_out "$arch"
		fi >>"$LOG/test-$arch.log" 2>&1
		echo "   ended $(minutes_on) min after make test began" >>"$LOG/test-$arch.log"
	done
}

in_time()
{
	[ "$(minutes_on)" -lt "$MINUTES" ]
}

# leave_out arch: hands over no results and no failure
leave_out()
{
	say "   NOT TESTED: $1, because more than $MINUTES minutes had passed."
	say "   To test it: make test ARCH=$1, or make test-all with a larger MINUTES=n."
	passed=0 failed=0 failed_reports=()
	ktap_save_sums "$1"
}

# build_ahead: builds the kernel of the first guests while parts without a guest run; then, at
# low priority, the kernels that are needed later. The parts that need a kernel report if it
# does not build.
build_ahead()
{
	local arch variant

	"$TOOLS/kernel.sh" || true
	[ -z "$EVERY_ARCH" ] || for arch in $(other_archs); do
		in_time || return 0
		ARCH=$arch nice -n 5 "$TOOLS/kernel.sh" || true
	done
	for variant in $(suite_kernels | grep -vx -e none -e usual); do
		VARIANT=$variant nice -n 5 "$TOOLS/kernel.sh" || true
	done
}

# end_others: shows the logs of the other architectures as they grow, and adds their results
end_others()
{
	local arch

	for arch in $(other_archs); do
		step "ARCH=$arch"
		sed -u '/^   ended [0-9]* min after/q' \
			< <(tail -n +1 -s 1 -f --pid="$others" "$LOG/test-$arch.log")
		ktap_take_over "$arch" "ARCH=$arch"
	done
	finish "$others" || true
}
