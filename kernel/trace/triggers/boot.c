// SPDX-License-Identifier: GPL-2.0
/* Triggers of the command line: trace_trigger=. */
#define pr_fmt(fmt) "trace triggers: " fmt

#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <asm/setup.h>

#include "command/words.h"
#include "events/events.h"
#include "instance/instance.h"
#include "internal.h"
#include "triggers.h"

static char boot_triggers[COMMAND_LINE_SIZE] __initdata;

/* Several trace_trigger= parameters add up. */
static int __init trace_trigger_setup(char *str)
{
	tracing_note_boot_parameter("trace_trigger=");
	words_add_boot(boot_triggers, sizeof(boot_triggers), str);
	return 1;
}
__setup("trace_trigger=", trace_trigger_setup);

/* Return: the key of the event called @name, or 0 if there is none. */
static u32 __init boot_trigger_event_key(const char *name)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	file = event_file_named(&global_trace, NULL, name);
	return file ? record_type_key(&file->event->type) : 0;
}

/* Add the trigger of a word ``EVENT.TRIGGER``. */
static int __init boot_trigger_add(char *word)
{
	char *trigger = word, *event = strsep(&trigger, ".");
	u32 key = boot_trigger_event_key(event);

	if (!key || !trigger)
		return -EINVAL;
	return triggers_write(&global_trace, key, trigger);
}

void __init triggers_boot(void)
{
	char *word, *words = boot_triggers;

	if (!tracing_initialized())
		return;
	while ((word = strsep(&words, ",")))
		if (*word && boot_trigger_add(word))
			pr_warn("trace_trigger=%s: not set\n", word);
}
