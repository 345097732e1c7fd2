#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest: nothing, for tests that the kernel runs while it boots.
exit 0
