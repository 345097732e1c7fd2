# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by lint.sh and documents.sh: checks the order of the rooms, the directories below kernel/trace. A room may
# use only rooms that kernel/trace/Makefile names before it (lower rooms), and only their public
# headers, which are listed in the line above each.

ROOMS=kernel/trace

# rooms_in_order: prints the rooms, lowest first
rooms_in_order()
{
	sed -nE 's,^obj-[^#]*\+= *([a-z_]+)/$,\1,p' "$ROOMS/Makefile"
}

# rooms_offer: prints the public headers, as room/header.h, one per line
rooms_offer()
{
	awk '
		/^#( [a-z_]+\.h)+$/	{ offered = substr($0, 3); next }
		/^obj-.*\/$/ {
			n = split(offered, header, " ")
			for (i = 1; i <= n; i++)
				print $NF header[i]
		}
		{ offered = "" }' "$ROOMS/Makefile"
}

# table_offers: prints the public headers that the table of design.rst lists, without those in
# include/
# Back quotes are text.
# shellcheck disable=SC2016
table_offers()
{
	sed -nE 's,^``([a-z_]+/)`` +[^ ].*  +([^ ].*)$,\1 \2,p' Documentation/trace/design.rst |
		awk '{
			room = $1
			sub(/^[^ ]* /, "")
			gsub(/``<[^>]*>``/, "")
			n = split($0, header, /[, ]+/)
			for (i = 1; i <= n; i++)
				if (header[i] ~ /\.h$/)
					print room header[i]
		}'
}

# check_rooms build-directory: prints each use of a higher room or of a private header
check_rooms()
{
	room_lists_agree
	room_includes
	room_symbols "$1"
}

# room_lists_agree: compares the directories, the Makefile and the table of design.rst
room_lists_agree()
{
	local order

	order=$(rooms_in_order)
	diff <(find "$ROOMS" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort) \
		<(sort <<<"$order") >/dev/null ||
		say "$ROOMS/Makefile: its directories are not those of $ROOMS"
	# Back quotes are text.
	# shellcheck disable=SC2016
	diff <(sed -nE 's,^``([a-z_]+)/`` +[^ ].*,\1,p' Documentation/trace/design.rst) \
		<(printf '%s\n' "$order") >/dev/null ||
		say "Documentation/trace/design.rst: the table of rooms is not that of $ROOMS/Makefile"
	diff <(table_offers | sort) <(rooms_offer | sort) >/dev/null ||
		say "Documentation/trace/design.rst: the headers of rooms are not those of $ROOMS/Makefile"
	rooms_offer | while read -r path; do
		[ -f "$ROOMS/$path" ] || say "$ROOMS/Makefile: $path does not exist"
	done
}

# room_includes: prints each #include of a higher room or of a private header
room_includes()
{
	(cd "$ROOMS" && grep -nE '^#[[:space:]]*include "' ./*/*.[chS]) |
		awk -F '[:"]' -v order="$(rooms_in_order)" -v offer="$(rooms_offer)" \
			-v top="$ROOMS" '
		BEGIN {
			n = split(order, name, "\n"); while (n) { place[name[n]] = n; n-- }
			n = split(offer, name, "\n"); while (n) offered[name[n--]] = 1
		}
		{
			split($1, from, "/")
			where = top substr($1, 2) ":" $2
			if ($4 ~ /^\.\.?\//)
				print where ": \"" $4 "\": write it as room/header.h"
			else if (split($4, to, "/") > 1 && !(to[1] in place))
				print where ": \"" $4 "\": no such room"
			else if (to[1] in place && place[to[1]] > place[from[2]])
				print where ": " from[2] "/ includes \"" $4 "\" of a higher room"
			else if (to[1] in place && to[1] != from[2] && !($4 in offered) &&
				 $1 !~ /_kunit\.c$/)
				print where ": \"" $4 "\" is private to " to[1] "/"
		}'
}

# room_objects build-directory: prints our objects, without tests and without leftovers of
# deleted sources
room_objects()
{
	local object

	overlay_files | sed -nE 's,^((kernel/trace/.+/|arch/.+/ftrace).*)\.[cS]$,\1.o,p' |
		grep -v _kunit | while read -r object; do
		[ ! -f "$1/$object" ] || say "$object"
	done
}

# room_symbols build-directory: prints each symbol of a higher room that an object uses, and each
# symbol that an architecture uses although no ftrace_arch*.h declares it. Objects with
# tracepoints also contain events, whose macros may call what trace_events*.h declare.
room_symbols()
{
	local objects

	mapfile -t objects < <(room_objects "$1")
	(cd "$1" && nm -A "${objects[@]}") |
		awk -v order="$(rooms_in_order)" -v top="$ROOMS/" \
			-v declared="$(cat include/linux/ftrace_arch*.h |
				tr -cs 'A-Za-z0-9_' '\n' | sort -u)" \
			-v events="$(cat include/linux/trace_events*.h |
				tr -cs 'A-Za-z0-9_' '\n' | sort -u)" '
		BEGIN {
			n = split(order, name, "\n"); while (n) { place[name[n]] = n; n-- }
			n = split(declared, name, "\n"); while (n) arch_may[name[n--]] = 1
			n = split(events, name, "\n"); while (n) event_may[name[n--]] = 1
		}
		{ split($1, at, ":"); object = at[1] }
		$(NF - 1) ~ /U$/ { uses[object, $NF] = 1; next }
		index(object, top) && index("TDBRVWC", $(NF - 1)) { owner[$NF] = object }
		END {
			for (pair in uses) {
				split(pair, p, SUBSEP)
				to = owner[p[2]]
				if (!to)
					continue
				room(to, b)
				if (!room(p[1], a)) {
					if (!(p[2] in arch_may))
						print p[1] ": uses " p[2] " of " b[1] "/, which ftrace_arch.h does not declare"
				} else if (a[1] == "tracepoints" && p[2] in event_may)
					continue
				else if (place[b[1]] > place[a[1]])
					print p[1] ": " a[1] "/ uses " p[2] " of " to ", a higher room"
			}
		}
		function room(path, out)
		{
			if (!index(path, top))
				return 0
			return split(substr(path, length(top) + 1), out, "/")
		}' | sort
}
