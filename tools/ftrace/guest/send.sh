# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Sourced in the guest: sends files to the host, in the output of the script. On the host
# unpack_files() of recordings.sh unpacks them.

# send_file name: sends stdin as a file of that name
send_file()
{
	echo "file $1"
	gzip -c | base64
	echo "end of $1"
}

# pass_pids: uses up small pids, so that pids, and thus columns, have the same width in each boot
pass_pids()
{
	until [ "$(sh -c 'echo $$')" -gt 300 ]; do :; done
}
