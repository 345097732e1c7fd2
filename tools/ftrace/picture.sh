#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make picture`: what a small workload does in the kernel, recorded in the guest by
# trace-cmd with function_graph and with events, as KernelShark shows it and as a flame
# graph, and how long tasks waited on a busy machine, as a histogram has counted it; all in
# Documentation/trace. README shows them.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/programs.sh"
. "$TOOLS/carried.sh"

# Brings flamegraph.pl, and much that is not needed for that: it is unpacked, not installed.
FLAMES_PACKAGE=libdevel-nytprof-perl
FLAMES=usr/share/perl5/Devel/NYTProf/flamegraph.pl
# Who is not at work, and who records it.
NO_WORK='^(<idle>|trace-cmd|rcu_preempt|ksoftirqd/|kworker/|migration/|kcompactd)'
WIDTH=1280
HEIGHT=720
work=$BUILD/picture
pictures=$TOP/Documentation/trace

# record: $work/picture.dat, $work/events.dat and $work/waits.hist
record()
{
	step "Recording in build/$ARCH"
	mkdir -p "$work/root/bin"
	copy_program "$work/root" trace-cmd
	env RUN="$TOOLS/picture/guest.sh" SMP=2 BOOT_NAME=picture ROOT="$work/root" \
		"$TOOLS/boot.sh" >"$work/output" ||
		die "nothing was recorded" "The guest's console: $LOG/picture.console"
	unload "$work/output" "$work"
}

# find_flames: unpacks it
find_flames()
{
	[ ! -f "$work/$FLAMES" ] || return 0
	step "Fetching Debian's package $FLAMES_PACKAGE, for flamegraph.pl"
	(cd "$work" && apt_get download -o APT::Sandbox::User=root "$FLAMES_PACKAGE") ||
		apt_failed download "$FLAMES_PACKAGE"
	dpkg-deb -x "$work/$FLAMES_PACKAGE"_*.deb "$work"
}

# still: a picture, out of one that a browser lets its reader walk through
still()
{
	perl -0pe 's/<script.*?<\/script>\s*//s; s/ on\w+="[^"]*"//g;
		s/<text[^>]*id="[^>]*>[^<]*<\/text>\s*//g; s/<text[^>]*><\/text>\n//g'
}

# In the same order each time.
draw_flames()
{
	export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0
	step "Drawing Documentation/trace/flamegraph.svg"
	trace-cmd report -i "$work/picture.dat" 2>"$work/report.log" |
		awk -v SKIP="$NO_WORK" -f "$TOOLS/picture/fold.awk" | sort >"$work/folded"
	[ -s "$work/folded" ] || die "there is no call in what was recorded"
	perl "$work/$FLAMES" --title "Time in functions of the kernel, by task" \
		--countname ns --minwidth 1 --hash "$work/folded" | still \
		>"$pictures/flamegraph.svg"
}

draw_waits()
{
	step "Drawing Documentation/trace/waits.svg"
	awk -v TASKS=6 -f "$TOOLS/picture/waits.awk" "$work/waits.hist" >"$work/waits" ||
		die "nobody has waited in what was counted"
	gnuplot -c "$TOOLS/picture/waits.gnuplot" "$work/waits" "$pictures/waits.svg"
}

# await what command...: until the command says something, which is printed
await()
{
	local what=$1 tries=120

	shift
	until "$@" 2>/dev/null | grep .; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || die "$what did not come"
		sleep 0.5
	done
}

# window by what: the first one that is seen
window()
{
	xdotool search --onlyvisible "$1" "$2" | head -n 1
}

# It asks root whether he is sure.
await_window()
{
	[ "$(id -u)" -ne 0 ] || {
		await "KernelShark's warning" window --class kernelshark >/dev/null
		xdotool key Return
	}
	await "KernelShark's window" window --name '^Kernel Shark'
}

# shoot id: when the window no longer changes. It gives itself a size as well.
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

# a_screen: what KernelShark is shown on. Its settings are none of whoever runs this.
a_screen()
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

# show_in_kernelshark record picture
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

[ -z "$DEB_ARCH" ] || die "make picture is for this machine's architecture: ARCH=x86_64"
needs picture
shark='' xvfb=''
mkdir -p "$work"
"$TOOLS/kernel.sh"
record
find_flames
draw_flames
draw_waits
a_screen
show_in_kernelshark picture.dat kernelshark.png
show_in_kernelshark events.dat kernelshark-events.png
ls -l "$pictures"/{kernelshark.png,kernelshark-events.png,flamegraph.svg,waits.svg}
