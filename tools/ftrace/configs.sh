# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: the kernels of tests/configs, which only have to build. Each has a
# directory build/configs-NAME. file and row[] are those of the part.
# shellcheck disable=SC2034,SC2154

CONFIGS=$TOOLS/tests/configs

config_names()
{
	sed -n 's/^\[\([a-z0-9-]*\)\]$/\1/p' "$CONFIGS" | grep -vx all
}

# config_lines name: the lines below [name]
config_lines()
{
	awk -v head="[$1]" '
		/^\[/ { inside = $0 == head; next }
		inside && (/=/ || / is not set$/)' "$CONFIGS"
}

# config_builds name: this kernel, as far as vmlinux
config_builds()
(
	out=configs-$1
	fragment=$BUILD/$out.config

	mapfile -t KMAKE_WORDS < <(config_lines "$1" |
		sed -n -e '/CONFIG_/d' -e "s,^CC=,&$TOOLS/cc.sh ," -e p)
	config_lines all >"$fragment.all"
	config_lines "$1" | sed -n '/CONFIG_/p' >"$fragment"
	lock "$out"
	mkdir -p "$BUILD/$out"
	configure "$LINUX" "$out" "$fragment.all" "$fragment"
	kmake "$LINUX" "$out" -s vmlinux </dev/null
)

# config_test: a warning of the compiler fails, too
config_test()
{
	local name=${row[name]#*/} log=$LOG/$file.log status=0

	(config_builds "$name") >"$log" 2>&1 || status=1
	! grep -q 'warning:' "$log" || status=1
	ktap_open "$file"
	ktap_case $status "$name builds" "$log"
	ktap_close
}
