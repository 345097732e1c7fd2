// SPDX-License-Identifier: GPL-2.0
/*
 * The end of the tracer.  Whoever finds a call site that is not what it should
 * be kills it, and that may be anybody who patches; what has to be stopped then
 * is in rooms that patching knows nothing of, so they are notified.
 */
#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/notifier.h>

#include "death.h"

ATOMIC_NOTIFIER_HEAD(ftrace_death);

static atomic_t dead = ATOMIC_INIT(0);

bool ftrace_is_dead(void)
{
	return atomic_read(&dead);
}

/**
 * ftrace_kill - turn function tracing off for good (SPEC D8)
 *
 * Nothing is patched any more, and nobody can register.  All instances stop
 * recording.  Sites go on calling what they call, until it is unregistered.
 *
 * A change that is under way is carried through.
 *
 * Context: any but NMI, with ftrace_lock or without.
 */
void ftrace_kill(void)
{
	if (atomic_xchg(&dead, 1))
		return;
	kprobe_ftrace_kill();
	atomic_notifier_call_chain(&ftrace_death, 0, NULL);
}
