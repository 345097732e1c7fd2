// SPDX-License-Identifier: GPL-2.0
/*
 * The state of all ops together: which are registered, and whether call sites call them (SPEC
 * D7). Sites do not while kernel.ftrace_enabled is 0, and not after the tracer has died, which may
 * happen at any time.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kconfig.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/notifier.h>

#include "dispatch/death.h"
#include "dispatch/dispatch.h"
#include "internal.h"
#include "ops.h"
#include "sites/lock.h"

LIST_HEAD(ftrace_ops_registered);

/* Written under ftrace_lock, except for ops_disable_at_death(), which may run at any time. */
int ftrace_enabled __read_mostly = 1;

int ops_are_attached(void)
{
	/*
	 * Must be read first. Pairs with the release in ops_disable_at_death(): a reader that
	 * sees its 0 also sees the tracer dead, and does not take the sites for nops.
	 */
	int enabled = smp_load_acquire(&ftrace_enabled);

	lockdep_assert_held(&ftrace_lock);
	return ftrace_is_dead() ? -ENODEV : !!enabled;
}

/*
 * Note sites that are in no table if and only if tracing is on. Called after each change of
 * ftrace_enabled. Sites that cannot be changed are never noted.
 */
static void ops_update_noting(void)
{
	if (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE))
		return;
	dispatch_note_sites(READ_ONCE(ftrace_enabled));
	/*
	 * Pairs with ftrace_kill(), which marks the tracer dead before it calls this: the later
	 * of the two calls stops the noting.
	 */
	smp_mb();
	if (ftrace_is_dead())
		dispatch_note_sites(false);
}

void ops_set_enabled(bool on)
{
	WRITE_ONCE(ftrace_enabled, on);
	/* Pairs with the release in ops_disable_at_death(): the later of the two writes 0. */
	smp_mb();
	if (ftrace_is_dead())
		WRITE_ONCE(ftrace_enabled, 0);
	ops_update_noting();
}

static int ops_disable_at_death(struct notifier_block *nb, unsigned long action, void *data)
{
	/* Pairs with the acquire in ops_are_attached(). */
	smp_store_release(&ftrace_enabled, 0);
	ops_update_noting();
	return NOTIFY_OK;
}

static struct notifier_block ops_death_notifier = {
	.notifier_call = ops_disable_at_death,
};

void __init ftrace_ops_init(void)
{
	atomic_notifier_chain_register(&ftrace_death, &ops_death_notifier);
}
