#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs the base's ftracetest with the cases that /cases lists. Prints KTAP, with the logs of failed
# and skipped cases as comments.

cd /selftests/ftrace || exit
# Each word is a case.
# shellcheck disable=SC2046
exec ./ftracetest -K -v --fail-unsupported --fail-unresolved --logdir /tmp/logs \
	$(sed -e 's/#.*//' -e 's,^,test.d/,' /cases)
