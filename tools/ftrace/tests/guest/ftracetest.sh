#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest: the base's own ftracetest on the cases listed in /cases, as
# KTAP. What the log of a case says that failed, or was skipped, comes along as comments.

cd /selftests/ftrace || exit
# Words, one case each.
# shellcheck disable=SC2046
exec ./ftracetest -K -v --fail-unsupported --fail-unresolved --logdir /tmp/logs \
	$(sed -e 's/#.*//' -e 's,^,test.d/,' /cases)
