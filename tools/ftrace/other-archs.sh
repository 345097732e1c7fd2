# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by test.sh: tests the other architectures, one after another, in parallel to $ARCH.
# Neither suite alone keeps all CPUs busy.
# shellcheck disable=SC2034,SC2153,SC2154

# Minutes after which the tests of no other architecture begin: continuous integration kills a run
# that takes too long, and then there are no results.
MINUTES=${MINUTES:-40}

# begin_other_archs: tests the other architectures in a background job; sets other_archs_job
begin_other_archs()
{
	local arch

	step "In parallel: $(other_archs | paste -sd ' ') (build/log/test-ARCH.log)"
	for arch in $(other_archs); do
		: >"$LOG/test-$arch.log"
	done
	begin test_other_archs
	other_archs_job=$job
}

# test_other_archs: tests the other architectures, with a log for each. report_other_archs() takes
# the last line for the end of a log.
test_other_archs()
{
	local arch

	for arch in $(other_archs); do
		rm -f "$RESULTS/$arch.sum"
		if has_minutes_left; then
			ARCH=$arch IN_PARALLEL=1 "$TOOLS/test.sh" || true
		else
			leave_out_arch "$arch"
		fi >>"$LOG/test-$arch.log" 2>&1
		echo "   ended $(minutes_since_begin) min after make test began" >>"$LOG/test-$arch.log"
	done
}

# has_minutes_left: true if the tests of another architecture may begin
has_minutes_left()
{
	[ "$(minutes_since_begin)" -lt "$MINUTES" ]
}

# leave_out_arch arch: prints that it is not tested, and saves sums without a result
leave_out_arch()
{
	say "   NOT TESTED: $1, because more than $MINUTES minutes had passed."
	say "   To test it: make test ARCH=$1, or make test-all with a larger MINUTES=n."
	passed=0 failed=0 failed_reports=()
	ktap_save_sums "$1"
}

# report_other_archs: prints the logs of the other architectures as they grow, and adds their sums
report_other_archs()
{
	local arch

	for arch in $(other_archs); do
		step "ARCH=$arch"
		sed -u '/^   ended [0-9]* min after/q' \
			< <(tail -n +1 -s 1 -f --pid="$other_archs_job" "$LOG/test-$arch.log")
		ktap_take_over "$arch" "ARCH=$arch"
	done
	finish "$other_archs_job" || true
}
