// SPDX-License-Identifier: GPL-2.0
/* A second ftrace_user, for tests with two modules. */
#include "ftrace_user.c"
