// SPDX-License-Identifier: GPL-2.0
/*
 * The interface by which modules create probes of kernel code: kprobe_event_*() of
 * <linux/trace_events.h>. A command is built up to the line that a user would write.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "kprobe.h"

static int kprobe_api_apply(const char *text)
{
	char *line __free(kfree) = kstrdup(text, GFP_KERNEL);

	return line ? dyn_event_apply_line(&kprobe_kind.dyn, line) : -ENOMEM;
}

static int kprobe_api_run(struct dynevent_cmd *cmd)
{
	return kprobe_api_apply(seq_buf_str(&cmd->seq));
}

/**
 * kprobe_event_cmd_init - begin a command that creates a probe and its event
 * @cmd: the command
 * @buf: buffer for the text of the command
 * @maxlen: size of the buffer in bytes
 *
 * Context: any.
 */
void kprobe_event_cmd_init(struct dynevent_cmd *cmd, char *buf, int maxlen)
{
	*cmd = (struct dynevent_cmd){ .type = DYNEVENT_TYPE_KPROBE, .run_command = kprobe_api_run };
	seq_buf_init(&cmd->seq, buf, maxlen);
}
EXPORT_SYMBOL_GPL(kprobe_event_cmd_init);

static int kprobe_api_append(struct dynevent_cmd *cmd, const char *word)
{
	return seq_buf_printf(&cmd->seq, " %s", word) ? -E2BIG : 0;
}

static int kprobe_api_append_fields(struct dynevent_cmd *cmd, va_list args)
{
	const char *field;
	int err = 0;

	while (!err && (field = va_arg(args, const char *)))
		err = cmd->n_fields++ < PROBE_ARGS_MAX ? kprobe_api_append(cmd, field) : -EINVAL;
	return err;
}

static int kprobe_api_start(struct dynevent_cmd *cmd, bool kretprobe, const char *name,
			    const char *loc)
{
	if (cmd->type != DYNEVENT_TYPE_KPROBE || !name || !loc)
		return -EINVAL;
	cmd->event_name = name;
	if (seq_buf_printf(&cmd->seq, "%c:%s/%s", kretprobe ? 'r' : 'p', kprobe_kind.system, name))
		return -E2BIG;
	return kprobe_api_append(cmd, loc);
}

/**
 * __kprobe_event_gen_cmd_start - add the name, the place and some fields to a command
 * @cmd: the command, after kprobe_event_cmd_init()
 * @kretprobe: the probe is hit at the return of the function
 * @name: name of the event, in the system kprobes
 * @loc: place of the probe, as in kprobe_events
 * @...: fields, as in kprobe_events, ended by a NULL; see kprobe_event_gen_cmd_start()
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if @name or @loc is NULL, @cmd is one of another type, or there are too many
 * fields; -E2BIG if the buffer is too small.
 */
int __kprobe_event_gen_cmd_start(struct dynevent_cmd *cmd, bool kretprobe, const char *name,
				 const char *loc, ...)
{
	int err = kprobe_api_start(cmd, kretprobe, name, loc);
	va_list args;

	va_start(args, loc);
	err = err ?: kprobe_api_append_fields(cmd, args);
	va_end(args);
	return err;
}
EXPORT_SYMBOL_GPL(__kprobe_event_gen_cmd_start);

/**
 * __kprobe_event_add_fields - add some fields to a command
 * @cmd: the command, after kprobe_event_gen_cmd_start()
 * @...: fields, as in kprobe_events, ended by a NULL; see kprobe_event_add_fields()
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if @cmd is one of another type, or there are too many fields; -E2BIG if the
 * buffer is too small.
 */
int __kprobe_event_add_fields(struct dynevent_cmd *cmd, ...)
{
	va_list args;
	int err;

	if (cmd->type != DYNEVENT_TYPE_KPROBE)
		return -EINVAL;
	va_start(args, cmd);
	err = kprobe_api_append_fields(cmd, args);
	va_end(args);
	return err;
}
EXPORT_SYMBOL_GPL(__kprobe_event_add_fields);

/**
 * kprobe_event_delete - remove an event and its probes
 * @name: name of the event, in the system kprobes
 *
 * Context: process, may sleep.
 * Return: 0; -ENOENT if there is no such event; -EBUSY while it is on, or in use; -ENOMEM.
 */
int kprobe_event_delete(const char *name)
{
	char *line __free(kfree) = kasprintf(GFP_KERNEL, "-:%s/%s", kprobe_kind.system, name);

	return line ? kprobe_api_apply(line) : -ENOMEM;
}
EXPORT_SYMBOL_GPL(kprobe_event_delete);
