# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Sourced in the guest, with our tracer or with the stock one, in the directory of tracefs.

# write text file: appends the text; prints the text, the error and error_log
write()
{
	echo "> $1"
	echo >error_log
	why=$( (echo "$1" >>"$2") 2>&1) || echo "${why##*: }"
	sed 's/^\[[ 0-9.]*\] //' error_log
}
