# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: the kernels of tests/configs, which only have to build. Each has a
# directory build/configs-NAME.
# shellcheck disable=SC2034

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
	name=$1
	out=configs-$name
	fragment=$BUILD/$out.config

	mapfile -t KMAKE_WORDS < <(config_lines "$name" |
		sed -n -e '/CONFIG_/d' -e "s,^CC=,&$TOOLS/cc.sh ," -e p)
	config_lines all >"$fragment.all"
	config_lines "$name" | sed -n '/CONFIG_/p' >"$fragment"
	lock "$out"
	mkdir -p "$BUILD/$out"
	configure "$LINUX" "$out" "$fragment.all" "$fragment"
	kmake "$LINUX" "$out" -s vmlinux </dev/null
)

# configs_test [pattern]: a warning of the compiler fails too
configs_test()
{
	local name log status start

	step "Kernels that must build"
	ktap_open configs
	while read -r name; do
		# shellcheck disable=SC2053
		[[ $name == ${1:-*} ]] || continue
		log=$LOG/configs-$name.log
		status=0
		start=$SECONDS
		(config_builds "$name") >"$log" 2>&1 || status=1
		! grep -q 'warning:' "$log" || status=1
		say "   $name: $((SECONDS - start)) s"
		ktap_case $status "$name builds" "$log"
	done < <(config_names)
	ktap_close
}
