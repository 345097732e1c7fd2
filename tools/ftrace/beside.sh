# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by test.sh: the suite on the other architectures, one after the other,
# beside that on $ARCH: neither has work for all CPUs all of the time.

# begin_others: in the background, as a process group that ends with us
begin_others()
{
	step "Beside it: $(other_archs | paste -sd ' ') (build/log/test-ARCH.log)"
	rm -f "$LOG"/test-*.log "$RESULTS"/*.sum
	set -m
	run_others </dev/null &
	others_pid=$!
	set +m
	trap 'kill -- -$others_pid 2>/dev/null' EXIT
}

# This takes longest of all. The guests of one do not need all of the CPUs, so the kernels
# for the next ones are built meanwhile.
run_others()
{
	local arch

	build_others &
	for arch in $(other_archs); do
		export ARCH=$arch BESIDE=arch_tests
		"$TOOLS/test.sh" >"$LOG/test-$arch.log" 2>&1 || true
		echo "   ended $((SECONDS / 60)) min after make test began" \
			>>"$LOG/test-$arch.log"
	done
}

# If one does not build, who tests it will say so.
build_others()
{
	local arch

	for arch in $(other_archs); do
		ARCH=$arch "$TOOLS/kernel.sh" >"$LOG/ahead-$arch.log" 2>&1 || true
	done
}

# end_others: waits for them; what they said, and their results
end_others()
{
	local arch

	step "The other architectures"
	wait "$others_pid" || true
	trap - EXIT
	for arch in $(other_archs); do
		step "ARCH=$arch"
		cat "$LOG/test-$arch.log"
		ktap_take_over "$arch-arch_tests" "$LOG/test-$arch.log"
	done
}
