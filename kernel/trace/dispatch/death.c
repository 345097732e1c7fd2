// SPDX-License-Identifier: GPL-2.0
/*
 * The death of the tracer.  Any code that patches and finds unexpected code at a call site
 * kills it.  Patching knows nothing of the layers above that have to stop then, so a
 * notifier chain calls them.
 */
#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/notifier.h>

#include "death.h"

ATOMIC_NOTIFIER_HEAD(ftrace_death);

static atomic_t tracer_dead = ATOMIC_INIT(0);

bool ftrace_is_dead(void)
{
	return atomic_read(&tracer_dead);
}

/**
 * ftrace_kill() - turn function tracing off for good (SPEC D8)
 *
 * No site is patched any more, and no ops can be registered.  All instances stop
 * recording.  Sites continue to call their ops until these are unregistered.
 *
 * A change of sites that is in progress is completed.
 *
 * Context: any but NMI, with ftrace_lock or without.
 */
void ftrace_kill(void)
{
	if (atomic_xchg(&tracer_dead, 1))
		return;
	kprobe_ftrace_kill();
	atomic_notifier_call_chain(&ftrace_death, 0, NULL);
}
