#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make test-all`: runs what every change has to pass before it lands.

export ALL=1
exec "$(dirname "$0")/test.sh"
