// SPDX-License-Identifier: GPL-2.0
/*
 * The lock of whatever changes what is traced.
 */
#include <linux/mutex.h>

#include "lock.h"

/*
 * See lock.h for what it guards, and which locks are outside and inside of it.
 * DEFINE_MUTEX() on the last line of a file is more than checkpatch can read.
 */
struct mutex ftrace_lock = __MUTEX_INITIALIZER(ftrace_lock);
