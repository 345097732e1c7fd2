#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# tests/guide.py: which lines of a document are commands, which differences between its output and
# what a guest has printed are allowed, and which are not.

. "$(dirname "$0")/../../lib.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/toy.rst" <<'END'
Text, and a block without commands::

    # tracer: nop

.. module: toy

A module::

    int toy;

A command, and two lines of output::

    # echo 1 > on; cat on
    # tracer: nop
                 ash-226     [001] .....    12.551306: vfs_open <-path_openat

.. continued

::

    # head -n 3 on
    first 12
    [...]
    last 0xffff 3.5 us

.. exact

The next number is the same everywhere::

    # cat size
    67

.. three times

This may fail twice::

    # tail -n 1 on
    done

.. not run: there is no such machine

::

    # cat nothing
END

cat >"$work/printed" <<'END'
@ 000 0
# tracer: nop
##### CPU 1 buffer started ####
             ash-9 [000] d..2.     2.000001: vfs_open <-path_openat
@ 001 0
first 7
second
last 0x12 + 70.25 us

@ 002 0
67
@ 003 0
too early
@ 003 0
done
@ 003 0
END

guide()
{
	python3 -B "$TOOLS/tests/guide.py" "$@" "$work/toy.rst"
}

# judged sed-script: prints the results for changed output
judged()
{
	sed -e "$1" "$work/printed" >"$work/changed"
	guide judge "$work/changed" | grep -E '^(not )?ok' |
		sed -E 's/ [0-9].*//; s/not ok/bad/' | paste -sd ' '
}

# expect results sed-script: compares the results for changed output
expect()
{
	[ "$(judged "$2")" = "$1" ] || die "$2: $(judged "$2")"
}

guide scripts "$work/scripts"
diff - <(cd "$work/scripts" && tail -n +1 -- *) <<'END'
==> 000-0 <==
echo '@ 000 0'
echo 1 > on; cat on
echo '@ 001 0'
head -n 3 on

==> 002-0 <==
echo '@ 002 0'
cat size

==> 003-0 <==
echo '@ 003 0'
tail -n 1 on

==> 003-1 <==
echo '@ 003 0'
tail -n 1 on

==> 003-2 <==
echo '@ 003 0'
tail -n 1 on
END
guide modules "$work/modules"
diff - <(cat "$work/modules/toy.c" "$work/modules/Kbuild") <<'END'
int toy;
obj-m += toy.o
END

expect 'ok ok ok ok ok' ''
expect 'bad ok ok ok ok' 's/vfs_open/vfs_read/'
expect 'bad ok ok ok ok' 's/ash-/cat-/'
expect 'bad ok ok ok ok' '/vfs_open/d'
expect 'ok bad ok ok ok' 's/first/1st/'
expect 'ok bad ok ok ok' 's/^last.*/&\nmore/'
expect 'ok bad ok ok ok' '/^last/d'
expect 'ok ok bad ok ok' 's/67/68/'
expect 'ok ok ok bad ok' 's/done/gone/'
expect 'ok ok bad bad ok' '/^@ 002/Q'
guide judge "$work/printed" | grep -q 'cat nothing # SKIP there is no such machine$'
