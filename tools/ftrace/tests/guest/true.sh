#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Does nothing, for tests that the kernel runs during the boot.
exit 0
