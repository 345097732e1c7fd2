#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# By hand, as root: checks that packages.list names all packages. Runs each command in a Debian 12
# of its own, in which debootstrap has installed nothing but git and make, on a clone of the last
# commit:
#
#	tools/ftrace/tests/bare.sh ['command'...]
#
# By default it runs a command for each target, which takes some hours. The commands share one
# directory build/, so that a kernel is built once, and the packages that apt has downloaded. Their
# output is in build/log/bare-N.log.

. "$(dirname "$0")/../lib.sh"

BARE=$BUILD/bare
MIRROR=http://deb.debian.org/debian

make_debian()
{
	local dir=$BARE/debian

	[ ! -f "$dir/etc/debian_version" ] || return 0
	step "Installing a bare Debian 12 in build/bare"
	rm -rf "$dir.new"
	mkdir -p "$BARE/archives"
	logged debootstrap debootstrap --variant=minbase --cache-dir="$BARE/archives" \
		--include=ca-certificates,git,make bookworm "$dir.new" "$MIRROR"
	printf 'deb %s main\n' "$MIRROR bookworm" "$MIRROR bookworm-updates" \
		"$MIRROR-security bookworm-security" >"$dir.new/etc/apt/sources.list"
	mv "$dir.new" "$dir"
}

# make_root: makes a new copy of that Debian, with a clone of this repository
make_root()
{
	rm -rf --one-file-system "$BARE/root"
	cp -a --reflink=auto "$BARE/debian" "$BARE/root"
	cp /etc/resolv.conf "$BARE/root/etc/"
	git clone -q "$TOP" "$BARE/root/root/ftrace"
	mkdir -p "$BARE"/{build,archives/partial} "$BARE/root/root/ftrace/build"
}

# run_in_root command: runs it there. The mounts end with it.
run_in_root()
{
	# The inner shells expand these variables.
	# shellcheck disable=SC2016
	unshare --mount --fork --kill-child sh -ec '
		mount -t proc proc "$1/root/proc"
		mount --bind "$1/build" "$1/root/root/ftrace/build"
		mount --bind "$1/archives" "$1/root/var/cache/apt/archives"
		exec env -i HOME=/root TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin \
			chroot "$1/root" sh -ec "cd /root/ftrace; $2"
	' sh "$BARE" "$1"
}

# check number command: runs a command and prints the result. A program that is not found also
# counts as a failure if the script goes on without it.
check()
{
	local log=$LOG/bare-$1.log start=$SECONDS status=0

	make_root
	touch "$BARE/begun"
	run_in_root "$2" >"$log" 2>&1 </dev/null || status=$?
	if find "$log" "$BARE/build/log" -name '*.log' -newer "$BARE/begun" -exec \
		grep -hE '^[^ ]*: line [0-9]+: .*: (command not found|No such file)|^env: ' {} +; then
		status="$status, and programs were not found"
	fi
	say "   $2: status $status, $((SECONDS - start)) s"
	[ "$status" = 0 ] || bad=1
}

[ "$(id -u)" -eq 0 ] || die "only root may run debootstrap and chroot"
command -v debootstrap >/dev/null ||
	die "debootstrap is not installed" "apt-get install debootstrap"
[ $# -gt 0 ] || set -- 'make help' 'make prepare' 'make series' 'make kernel' 'make stock' \
	'make boot RUN=tools/ftrace/tests/guest/true.sh' 'make demo' 'make lint' 'make test' \
	'make mutants ONLY="trigger-*"' 'make picture' 'make bench' '.ci/run'
bad=0
mkdir -p "$BARE"
lock bare
make_debian
n=0
for command; do
	n=$((n + 1))
	check $n "$command"
done
exit $bad
