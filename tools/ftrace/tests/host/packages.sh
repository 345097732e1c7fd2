#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# On a machine without packages each target first prints what to install, and does nothing else; so
# does each part of the suite that needs more.

unset DEBUG ONLY VARIANT

. "$(dirname "$0")/../../lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/parts.sh"
. "$TOOLS/tests/checks.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LIST=$TOOLS/packages.list
NO_ROOT="error: packages are missing, and only root may install them"

mapfile -t targets < <(sed -n 's/^TARGETS := help //p' Makefile | tr ' ' '\n')

# Each target of the Makefile is in the list, and so is each +name in it.
lists_all_targets()
{
	local name

	for name in "${targets[@]}" $(grep -v '^#' "$LIST" | grep -o '+[^ $]*\( \|$\)' | tr -d +); do
		grep -q "^$name: *[^ ]" "$LIST" || fault "$LIST has no packages for $name"
	done
	for name in "${ARCHES[@]}"; do
		same "$name" 3 "$(grep -cE "^(compiler|guest|guest-programs)-$name:" "$LIST")"
	done
}

# asked_packages target: prints the packages that the target asks for, one per line; fails if it
# does anything else. Functions take the place of dpkg-query, id and apt-get.
# shellcheck disable=SC2317
asked_packages()
(
	dpkg-query() { return 1; }
	id() { echo 1000; }
	apt-get() { echo "apt-get was run"; }
	export -f dpkg-query id apt-get
	export ARCH VARIANT ONLY RUN=$TOOLS/tests/guest/true.sh
	# With ARCH= it would test one architecture only.
	[ "$1" != test-all ] || unset ARCH
	! "$TOOLS/$1.sh" >"$work/said" 2>&1 </dev/null &&
		[ "$(grep -v '^ ' "$work/said")" = "$NO_ROOT" ] &&
		sed -n 's/^ *sudo apt-get install --no-install-recommends //p' "$work/said" |
		tr ' ' '\n'
)

# asks_first target name...: fails unless it asks for the packages of these names, and does nothing
# else
asks_first()
{
	asked_packages "$1" >"$work/asked" ||
		fault "make $1 ARCH=$ARCH ONLY=$ONLY does not begin by asking for packages:" \
			"$(head -n 3 "$work/said")"
	same "make $1 ARCH=$ARCH ONLY=$ONLY" "" "$(packages_for "$@" | comm -23 - "$work/asked")"
}

targets_ask()
{
	local target

	ONLY='' VARIANT=''
	for ARCH in x86_64 mips; do
		for target in "${targets[@]}"; do
			[[ $ARCH-$target == mips-@(picture|test-all) ]] || asks_first "$target"
		done
	done
}

parts_ask()
{
	local id names

	ARCH=x86_64 VARIANT=''
	for id in $(all_ids); do
		mapfile -t names < <(package_names "$id")
		[ -n "$(packages_for "${names[@]}")" ] || continue
		ONLY=$id
		asks_first test "${names[@]}"
	done
}

# Without the security updates there is no base package: the error says what to do. Functions take
# the place of dpkg-query, id and apt-get.
# shellcheck disable=SC2317
says_where_base_is()
(
	dpkg-query() { return 1; }
	id() { echo 0; }
	apt-get() { echo "E: Unable to locate package $BASE_PACKAGE"; return 100; }
	export -f dpkg-query id apt-get
	export BASE_PACKAGE
	refuses "deb http://deb.debian.org/debian-security bookworm-security main" \
		"$TOOLS/prepare.sh"
)

for test in lists_all_targets targets_ask parts_ask says_where_base_is; do
	("$test")
	echo "$test: fine"
done
