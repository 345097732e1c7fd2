// SPDX-License-Identifier: GPL-2.0
/*
 * The lock of whatever changes what is traced.
 */
#include <linux/mutex.h>

#include "lock.h"

/* See lock.h for what it guards, and which locks are outside and inside of it. */
DEFINE_MUTEX(ftrace_lock);
