#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make picture`: makes the pictures of README.md in Documentation/trace. A guest records a small
# workload with trace-cmd, with function_graph and with events, and counts in a histogram how
# long tasks wait on a busy machine. KernelShark, a flame graph and a chart show the results.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/programs.sh"
. "$TOOLS/recordings.sh"

# Contains flamegraph.pl, and much else: it is unpacked, not installed.
FLAMES_PACKAGE=libdevel-nytprof-perl
FLAMES=usr/share/perl5/Devel/NYTProf/flamegraph.pl
# Tasks that do not belong to the workload.
NO_WORK='^(<idle>|trace-cmd|rcu_preempt|ksoftirqd/|kworker/|migration/|kcompactd)'
WIDTH=1280
HEIGHT=720
work=$BUILD/picture
pictures=$TOP/Documentation/trace

# record: boots the guest; writes $work/picture.dat, $work/events.dat and $work/waits.hist
record()
{
	step "Recording in build/$ARCH"
	mkdir -p "$work/root/bin"
	copy_program "$work/root" trace-cmd
	env RUN="$TOOLS/picture/guest.sh" SMP=2 BOOT_NAME=picture ROOT="$work/root" \
		"$TOOLS/boot.sh" >"$work/output" ||
		die "nothing was recorded" "The guest's console: $LOG/picture.console"
	unpack_files "$work/output" "$work"
}

# find_flames: downloads and unpacks flamegraph.pl
find_flames()
{
	[ ! -f "$work/$FLAMES" ] || return 0
	step "Fetching Debian's package $FLAMES_PACKAGE, for flamegraph.pl"
	(cd "$work" && apt_get download -o APT::Sandbox::User=root "$FLAMES_PACKAGE") ||
		apt_failed download "$FLAMES_PACKAGE"
	dpkg-deb -x "$work/$FLAMES_PACKAGE"_*.deb "$work"
}

# static_svg: turns an interactive SVG on stdin into a static one
static_svg()
{
	perl -0pe 's/<script.*?<\/script>\s*//s; s/ on\w+="[^"]*"//g;
		s/<text[^>]*id="[^>]*>[^<]*<\/text>\s*//g; s/<text[^>]*><\/text>\n//g'
}

draw_flames()
{
	# Perl's hashes determine the order: make it the same each time.
	export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0
	step "Drawing Documentation/trace/flamegraph.svg"
	trace-cmd report -i "$work/picture.dat" 2>"$work/report.log" |
		awk -v SKIP="$NO_WORK" -f "$TOOLS/picture/fold.awk" | sort >"$work/folded"
	[ -s "$work/folded" ] || die "the recording has no calls" "See $work/report.log"
	perl "$work/$FLAMES" --title "Time in functions of the kernel, by task" \
		--countname ns --minwidth 1 --hash "$work/folded" | static_svg \
		>"$pictures/flamegraph.svg"
}

draw_waits()
{
	step "Drawing Documentation/trace/waits.svg"
	awk -v TASKS=6 -f "$TOOLS/picture/waits.awk" "$work/waits.hist" >"$work/waits" ||
		die "the histogram has no entries" "See $work/waits.hist"
	gnuplot -c "$TOOLS/picture/waits.gnuplot" "$work/waits" "$pictures/waits.svg"
}

# await what command...: repeats the command until it prints something, and prints that; exits
# after a minute
await()
{
	local what=$1 tries=120

	shift
	until "$@" 2>/dev/null | grep .; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || die "$what did not appear within a minute"
		sleep 0.5
	done
}

# window option text: prints the id of the first visible window that xdotool finds
window()
{
	xdotool search --onlyvisible "$1" "$2" | head -n 1
}

# await_window: prints the id of KernelShark's window. KernelShark shows root a warning first.
await_window()
{
	[ "$(id -u)" -ne 0 ] || {
		await "KernelShark's warning" window --class kernelshark >/dev/null
		xdotool key Return
	}
	await "KernelShark's window" window --name '^Kernel Shark'
}

# shoot id: takes a screenshot once the window no longer changes. The window also resizes itself
# when it appears, so its size is set each time.
shoot()
{
	local before='' now=none

	while [ "$before" != "$now" ]; do
		before=$now
		xdotool windowmove "$1" 0 0 windowsize "$1" $WIDTH $HEIGHT \
			>>"$LOG/kernelshark.log" 2>&1
		sleep 3
		import -window "$1" "$work/window.png"
		now=$(identify -format '%#' "$work/window.png")
	done
}

# start_screen: starts an X server, with an empty home, so that the user's settings do not matter
start_screen()
{
	export HOME=$work/home XDG_RUNTIME_DIR=$work/run
	mkdir -p "$HOME" "$XDG_RUNTIME_DIR"
	chmod 700 "$XDG_RUNTIME_DIR"
	rm -f "$work/display"
	(drop_locks; exec Xvfb -displayfd 3 -screen 0 "${WIDTH}x${HEIGHT}x24") \
		3>"$work/display" >"$LOG/xvfb.log" 2>&1 </dev/null &
	xvfb=$!
	trap 'kill $shark $xvfb 2>/dev/null' EXIT
	DISPLAY=:$(await "an X server" cat "$work/display")
	export DISPLAY
}

# show_in_kernelshark record picture: writes a screenshot of a recording
show_in_kernelshark()
{
	local id

	step "Taking Documentation/trace/$2"
	(drop_locks; exec kernelshark "$work/$1") >"$LOG/kernelshark.log" 2>&1 </dev/null &
	shark=$!
	id=$(await_window)
	shoot "$id"
	convert "$work/window.png" -strip -colors 64 "PNG8:$pictures/$2"
	kill "$shark"
	wait "$shark" || true
}

[ -z "$DEB_ARCH" ] || die "make picture works only for this machine's architecture, ARCH=x86_64"
needs picture
shark='' xvfb=''
mkdir -p "$work"
"$TOOLS/kernel.sh"
record
find_flames
draw_flames
draw_waits
start_screen
show_in_kernelshark picture.dat kernelshark.png
show_in_kernelshark events.dat kernelshark-events.png
ls -l "$pictures"/{kernelshark.png,kernelshark-events.png,flamegraph.svg,waits.svg}
