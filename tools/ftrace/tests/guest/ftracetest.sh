#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest: the base's own ftracetest on the cases listed in /cases, as
# KTAP. What the log of a failed case says comes along as comments. A case that needs a
# file that is not there has failed, but in a kernel that has not all of them.

cd /selftests/ftrace || exit
# Words, one case each.
# shellcheck disable=SC2046
exec ./ftracetest -K -v --fail-unresolved \
	$([ -e /cases-may-lack-files ] || echo --fail-unsupported) \
	--logdir /tmp/logs $(sed -e 's/#.*//' -e 's,^,test.d/,' /cases)
