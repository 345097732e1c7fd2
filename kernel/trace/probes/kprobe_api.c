// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of the kernel that modules make as events: what <linux/trace_events.h> offers for that.
 * A command is the line that a user would write.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "kprobe.h"

static int obey(const char *text)
{
	char *line __free(kfree) = kstrdup(text, GFP_KERNEL);

	return line ? dyn_event_obey(&kprobe_kind.dyn, line) : -ENOMEM;
}

static int run(struct dynevent_cmd *cmd)
{
	return obey(seq_buf_str(&cmd->seq));
}

/**
 * kprobe_event_cmd_init - begin a command that makes an event of a probe
 * @cmd: the command
 * @buf: where it is put together
 * @maxlen: how long that is
 *
 * Context: any.
 */
void kprobe_event_cmd_init(struct dynevent_cmd *cmd, char *buf, int maxlen)
{
	*cmd = (struct dynevent_cmd){ .type = DYNEVENT_TYPE_KPROBE, .run_command = run };
	seq_buf_init(&cmd->seq, buf, maxlen);
}
EXPORT_SYMBOL_GPL(kprobe_event_cmd_init);

static int append(struct dynevent_cmd *cmd, const char *word)
{
	return seq_buf_printf(&cmd->seq, " %s", word) ? -E2BIG : 0;
}

static int append_fields(struct dynevent_cmd *cmd, va_list args)
{
	const char *field;
	int err = 0;

	while (!err && (field = va_arg(args, const char *)))
		err = cmd->n_fields++ < PROBE_ARGS_MAX ? append(cmd, field) : -EINVAL;
	return err;
}

static int start(struct dynevent_cmd *cmd, bool kretprobe, const char *name, const char *loc)
{
	if (cmd->type != DYNEVENT_TYPE_KPROBE || !name || !loc)
		return -EINVAL;
	cmd->event_name = name;
	if (seq_buf_printf(&cmd->seq, "%c:%s/%s", kretprobe ? 'r' : 'p', kprobe_kind.system, name))
		return -E2BIG;
	return append(cmd, loc);
}

/**
 * __kprobe_event_gen_cmd_start - say what the event is called, where it comes, and some of its
 *	fields
 * @cmd: from kprobe_event_cmd_init()
 * @kretprobe: it comes at returns
 * @name: of the event, in the system kprobes
 * @loc: where, as in kprobe_events
 * @...: fields, as there, ended by a NULL: see kprobe_event_gen_cmd_start()
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if something is missing, or there are too many; -E2BIG if there is no room.
 */
int __kprobe_event_gen_cmd_start(struct dynevent_cmd *cmd, bool kretprobe, const char *name,
				 const char *loc, ...)
{
	int err = start(cmd, kretprobe, name, loc);
	va_list args;

	va_start(args, loc);
	err = err ?: append_fields(cmd, args);
	va_end(args);
	return err;
}
EXPORT_SYMBOL_GPL(__kprobe_event_gen_cmd_start);

/**
 * __kprobe_event_add_fields - add some fields
 * @cmd: the command
 * @...: fields, ended by a NULL: see kprobe_event_add_fields()
 *
 * Context and return: as __kprobe_event_gen_cmd_start().
 */
int __kprobe_event_add_fields(struct dynevent_cmd *cmd, ...)
{
	va_list args;
	int err;

	if (cmd->type != DYNEVENT_TYPE_KPROBE)
		return -EINVAL;
	va_start(args, cmd);
	err = append_fields(cmd, args);
	va_end(args);
	return err;
}
EXPORT_SYMBOL_GPL(__kprobe_event_add_fields);

/**
 * kprobe_event_delete - take an event of a probe away
 * @name: of the event, in the system kprobes
 *
 * Context: process, may sleep.
 * Return: 0; -ENOENT if there is none; -EBUSY while it is on, or in use; -ENOMEM.
 */
int kprobe_event_delete(const char *name)
{
	char *line __free(kfree) = kasprintf(GFP_KERNEL, "-:%s/%s", kprobe_kind.system, name);

	return line ? obey(line) : -ENOMEM;
}
EXPORT_SYMBOL_GPL(kprobe_event_delete);
