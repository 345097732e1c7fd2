# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by test.sh: the suite on the other architectures, one after the other, beside that
# on $ARCH: neither has work for all CPUs all of the time.
# shellcheck disable=SC2034,SC2153,SC2154

# None of them begins when as many minutes have passed: who has make test run ends it some
# time, and then it has said nothing. What is left out is named.
MINUTES=${MINUTES:-40}

# begin_others: sets others
begin_others()
{
	local arch

	step "Beside it: $(other_archs | paste -sd ' ') (build/log/test-ARCH.log)"
	for arch in $(other_archs); do
		: >"$LOG/test-$arch.log"
	done
	begin run_others
	others=$job
}

# This takes longest of all.
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

# leave_out arch: it has no results, and nothing in it has failed
leave_out()
{
	say "   NOT TESTED: $1, as more than $MINUTES minutes had passed."
	say "   \`make test ARCH=$1\` tests it now, and MINUTES=n waits longer."
	passed=0 failed=0 failed_reports=()
	ktap_hand_over "$1"
}

# The kernel that comes first, beside what needs none; then those that come later, with what
# guests leave of the CPUs. If one does not build, who tests it will say so.
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

# end_others: what they say, while they say it, and their results
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
