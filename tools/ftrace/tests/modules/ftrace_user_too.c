// SPDX-License-Identifier: GPL-2.0
/* A second ftrace_user, to see how two of them get along. */
#include "ftrace_user.c"
