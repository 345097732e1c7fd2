// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace_lock, which serializes all changes of traced functions.
 */
#include <linux/mutex.h>

#include "lock.h"

/*
 * lock.h says what ftrace_lock protects and its place in the lock order.
 * Not DEFINE_MUTEX(), which checkpatch misreads on the last line of a file.
 */
struct mutex ftrace_lock = __MUTEX_INITIALIZER(ftrace_lock);
