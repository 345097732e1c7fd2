# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: builds the modules that the tests load: our own, and samples of the base, which use
# its API for modules.

# build_modules tree name source-dir option...: builds modules for build/NAME, adds them to
# build/NAME/testmods. An option is a variable of make that enables a sample.
build_modules()
{
	local tree=$1 name=$2 source=$3
	local work out=$BUILD/$2/testmods

	work=$BUILD/$name/extmod/$(basename "$source")
	mkdir -p "$work" "$out"
	rsync -rpc "$source/" "$work/"
	delete_outdated_modules "$name" "$work"
	logged "modules-$name-$(basename "$source")" \
		kmake "$tree" "$name" "M=$work" "${@:4}" modules
	find "$work" -name '*.ko' -exec cp -u -t "$out" {} +
}

# delete_outdated_modules name dir: with BTF, deletes modules that are older than the kernel, so
# that they are linked again. A module's types are numbered after those of the kernel, which does
# not load a module whose types do not fit.
delete_outdated_modules()
{
	! grep -qsx CONFIG_DEBUG_INFO_BTF_MODULES=y "$BUILD/$1/.config" ||
		find "$2" -name '*.ko' ! -newer "$BUILD/$1/vmlinux" -delete
}

# build_test_modules tree name: builds all modules that cases load
build_test_modules()
{
	local tree=$1 name=$2

	build_modules "$tree" "$name" "$TOOLS/tests/modules"
	build_modules "$tree" "$name" "$tree/samples/trace_printk" CONFIG_SAMPLE_TRACE_PRINTK=m
	# Each word is an option.
	# shellcheck disable=SC2046
	build_modules "$tree" "$name" "$tree/samples/ftrace" CONFIG_SAMPLE_FTRACE_OPS=m \
		CONFIG_SAMPLE_TRACE_ARRAY=m $(direct_samples "$name")
	build_modules "$tree" "$name" "$tree/samples/trace_events" \
		CONFIG_SAMPLE_TRACE_EVENTS=m CONFIG_SAMPLE_TRACE_CUSTOM_EVENTS=m
	build_modules "$tree" "$name" "$tree/kernel/trace/delay_test" \
		CONFIG_PREEMPTIRQ_DELAY_TEST=m
	build_modules "$tree" "$name" "$tree/samples/fprobe" CONFIG_SAMPLE_FPROBE=m
	build_modules "$tree" "$name" "$(base_test synth_event_gen_test)"
	build_modules "$tree" "$name" "$(base_test kprobe_event_gen_test)"
	build_modules "$tree" "$name" "$(guide_modules)"
}

# direct_samples name: prints the options of the samples with direct calls, if the base has them for
# the architecture
direct_samples()
{
	! grep -qsx CONFIG_HAVE_SAMPLE_FTRACE_DIRECT=y "$BUILD/$1/.config" ||
		say CONFIG_SAMPLE_FTRACE_DIRECT=m CONFIG_SAMPLE_FTRACE_DIRECT_MULTI=m
}

# base_test name: prints a directory with a test module of the base. Its source is one of the
# files that base/removed deletes, and is taken from the pristine tree.
base_test()
{
	local dir=$BUILD/base-tests/$1

	mkdir -p "$dir"
	cp -u "$PRISTINE/kernel/trace/$1.c" "$dir/"
	[ -f "$dir/Kbuild" ] || say "obj-m += $1.o" >"$dir/Kbuild"
	say "$dir"
}
