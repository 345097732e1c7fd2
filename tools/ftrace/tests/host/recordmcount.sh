#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests scripts/recordmcount on the host: builds it twice, like Kbuild and with sanitizers, and
# runs the cases of tests/recordmcount. Prints KTAP; exits with 1 if a case failed.

set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../.." && pwd)
cases=$top/tools/ftrace/tests/recordmcount
work=$top/build/host-tests/recordmcount
source=$top/scripts/recordmcount.c
cc=${HOSTCC:-gcc}
flags=(-std=gnu11 -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Werror)

rm -rf "$work"
mkdir -p "$work"
"$cc" "${flags[@]}" -O2 -fomit-frame-pointer "$source" -o "$work/recordmcount"

checked=$work/recordmcount
if "$cc" "${flags[@]}" -g -fsanitize=address,undefined \
	-fno-sanitize-recover=all "$source" -o "$work/recordmcount-checked" \
	2>"$work/sanitizers.log"; then
	checked=$work/recordmcount-checked
fi

# With many bits of address randomization, older address sanitizers sometimes find no space for
# their shadow memory.
fixed=()
if setarch -R true 2>/dev/null; then
	fixed=(setarch -R)
fi

exec "${fixed[@]}" python3 -B "$cases/run.py" --program "$work/recordmcount" \
	--checked "$checked" --work "$work" --cc "$cc" "$@"
