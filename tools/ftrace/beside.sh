# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by test.sh: the suite on the other architectures, one after the other, beside that
# on $ARCH: neither has work for all CPUs all of the time.
# shellcheck disable=SC2153,SC2154

# begin_others: sets others
begin_others()
{
	step "Beside it: $(other_archs | paste -sd ' ') (build/log/test-ARCH.log)"
	rm -f "$LOG"/test-*.log
	begin run_others
	others=$job
}

# This takes longest of all. The guests of one do not need all of the CPUs, so the kernels
# for the next ones are built meanwhile.
run_others()
{
	local arch archs

	mapfile -t archs < <(other_archs)
	build_ahead '' "${archs[@]}" &
	for arch in "${archs[@]}"; do
		rm -f "$RESULTS/$arch.sum"
		ARCH=$arch BESIDE=1 "$TOOLS/test.sh" >"$LOG/test-$arch.log" 2>&1 || true
		[ -f "$RESULTS/$arch.sum" ] || arch_failed "$arch" >>"$LOG/test-$arch.log"
		echo "   ended $((SECONDS / 60)) min after make test began" \
			>>"$LOG/test-$arch.log"
	done
}

# arch_failed arch: it was not tested to the end
arch_failed()
{
	ktap_open "test-$1"
	ktap_case 1 "$1 is tested" "$LOG/test-$1.log"
	ktap_close
	ktap_hand_over "$1"
}

# build_ahead variant arch...: with what guests leave of the CPUs. If one does not build, who
# tests it will say so.
build_ahead()
{
	local variant=$1 arch

	for arch in "${@:2}"; do
		ARCH=$arch VARIANT=$variant nice -n 10 "$TOOLS/kernel.sh" \
			>"$LOG/ahead-$arch${variant:+-$variant}.log" 2>&1 || true
	done
}

# variants_ahead: those that this architecture's suite has
variants_ahead()
{
	local name

	for name in $(suite_kernels | grep -vx -e none -e usual); do
		build_ahead "$name" "$ARCH"
	done
}

# end_others: what they said, and their results
end_others()
{
	local arch

	step "The other architectures"
	finish "$others" || true
	for arch in $(other_archs); do
		step "ARCH=$arch"
		cat "$LOG/test-$arch.log"
		ktap_take_over "$arch"
	done
}
