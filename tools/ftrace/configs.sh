# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: builds kernels of other configurations. row[] has the columns of the part (see
# tests/parts.sh); file is that of the part, too.
# shellcheck disable=SC2034,SC2154

# config_builds name: builds vmlinux in build/configs-NAME from tests/configs.config and the
# options of the row
config_builds()
(
	out=configs-$1

	[ -z "${row[cc]:-}" ] || KMAKE_WORDS=("CC=$TOOLS/cc.sh ${row[cc]}")
	lock "$out"
	mkdir -p "$BUILD/$out"
	# Each word is an option.
	# shellcheck disable=SC2086
	printf 'CONFIG_%s\n' ${row[options]:-} >"$BUILD/$out.config"
	configure "$LINUX" "$out" "$TOOLS/tests/configs.config" "$BUILD/$out.config"
	kmake "$LINUX" "$out" -s vmlinux </dev/null
)

# defconfig_builds: builds the kernel image of the base's defconfig
defconfig_builds()
(
	lock configs-defconfig
	mkdir -p "$BUILD/configs-defconfig"
	kmake "$LINUX" configs-defconfig defconfig
	kmake "$LINUX" configs-defconfig -s "$(basename "$IMAGE")" </dev/null
)

# defconfig_test: one result for the build, and those of a guest with that kernel
defconfig_test()
{
	local log=$LOG/$file-build.log status=0

	defconfig_builds >"$log" 2>&1 || status=1
	ktap_open "$file-build"
	ktap_case $status "${row[name]#*/} builds" "$log"
	ktap_close
	[ $status -eq 0 ] || return 0
	boot_row "$file" configs-defconfig
	script_result
	keep_console_if_failed "$file"
}

# config_test: one result, which a compiler warning fails, too
config_test()
{
	local name=${row[name]#*/} log=$LOG/$file.log status=0

	config_builds "$name" >"$log" 2>&1 || status=1
	! grep -q 'warning:' "$log" || status=1
	ktap_open "$file"
	ktap_case $status "$name builds" "$log"
	ktap_close
}
