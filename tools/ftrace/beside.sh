# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by test.sh: the suite on the other architectures, one after the other,
# beside that on $ARCH: neither has work for all CPUs all of the time.

# begin_others: in the background, as a process group that ends with us
begin_others()
{
	step "Beside it: $(other_archs | paste -sd ' ') (build/log/test-ARCH.log)"
	other_archs | sed "s,.*,$LOG/test-&.log $RESULTS/&.sum," | xargs rm -f
	set -m
	run_others </dev/null &
	others_pid=$!
	set +m
	trap 'kill -- -$others_pid 2>/dev/null' EXIT
}

# With what the rest leaves of the CPUs: that takes longer. The guests of one do not need
# all of that either, so the kernels for the next ones are built meanwhile.
run_others()
{
	local arch

	renice -n 10 -p $BASHPID >/dev/null
	build_others &
	for arch in $(other_archs); do
		export ARCH=$arch BESIDE=1
		"$TOOLS/test.sh" >"$LOG/test-$arch.log" 2>&1 || true
		echo "   ended $((SECONDS / 60)) min after make test began" \
			>>"$LOG/test-$arch.log"
	done
}

# If one does not build, who tests it will say so.
build_others()
{
	local arch variant

	for arch in $(other_archs); do
		for variant in '' $(small_kernels "$arch"); do
			ARCH=$arch VARIANT=$variant "$TOOLS/kernel.sh" \
				>"$LOG/ahead-$arch-$variant.log" 2>&1 || true
		done
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
		ktap_take_over "$arch" "$LOG/test-$arch.log"
	done
}
