# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: modules that the tests load, built against a kernel of build/.
# Our own, and samples of the base, which show that its module API holds.

# build_modules tree name source-dir option...: adds its modules to
# build/name/testmods. An option is make's word that switches a sample on.
build_modules()
{
	local tree=$1 name=$2 source=$3
	local work out=$BUILD/$2/testmods

	work=$BUILD/$name/extmod/$(basename "$source")
	mkdir -p "$work" "$out"
	rsync -rpc "$source/" "$work/"
	drop_types_of_older "$name" "$work"
	logged "modules-$name-$(basename "$source")" \
		kmake "$tree" "$name" "M=$work" "${@:4}" modules
	find "$work" -name '*.ko' -exec cp -u -t "$out" {} +
}

# drop_types_of_older name dir: modules in it that are older than the kernel build/name have
# to be linked again if they have types of their own (BTF): these count on from those of the
# kernel, and one whose types do not fit is not loaded.
drop_types_of_older()
{
	! grep -qsx CONFIG_DEBUG_INFO_BTF_MODULES=y "$BUILD/$1/.config" ||
		find "$2" -name '*.ko' ! -newer "$BUILD/$1/vmlinux" -delete
}

build_test_modules()
{
	local tree=$1 name=$2

	build_modules "$tree" "$name" "$TOOLS/tests/modules"
	build_modules "$tree" "$name" "$tree/samples/trace_printk" CONFIG_SAMPLE_TRACE_PRINTK=m
	build_modules "$tree" "$name" "$tree/samples/ftrace" CONFIG_SAMPLE_FTRACE_OPS=m \
		CONFIG_SAMPLE_TRACE_ARRAY=m
	build_modules "$tree" "$name" "$tree/samples/trace_events" \
		CONFIG_SAMPLE_TRACE_EVENTS=m CONFIG_SAMPLE_TRACE_CUSTOM_EVENTS=m
	build_modules "$tree" "$name" "$tree/kernel/trace/delay_test" \
		CONFIG_PREEMPTIRQ_DELAY_TEST=m
	build_modules "$tree" "$name" "$tree/samples/fprobe" CONFIG_SAMPLE_FPROBE=m
	build_modules "$tree" "$name" "$(base_test synth_event_gen_test)"
	build_modules "$tree" "$name" "$(base_test kprobe_event_gen_test)"
}

# base_test name: a directory with a test of the base's that is a module. It is a file of
# the tracer that is left out.
base_test()
{
	local dir=$BUILD/base-tests/$1

	mkdir -p "$dir"
	cp -u "$PRISTINE/kernel/trace/$1.c" "$dir/"
	[ -f "$dir/Kbuild" ] || say "obj-m += $1.o" >"$dir/Kbuild"
	say "$dir"
}
