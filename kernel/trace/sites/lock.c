// SPDX-License-Identifier: GPL-2.0
/*
 * The lock of whatever changes what is traced: lock.h says of what, and in which order
 * it is taken with others.
 */
#include <linux/mutex.h>

#include "lock.h"

/* Outside of module_mutex, text_mutex and the CPU hotplug lock. */
struct mutex ftrace_lock = __MUTEX_INITIALIZER(ftrace_lock);
