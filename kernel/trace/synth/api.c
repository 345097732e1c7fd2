// SPDX-License-Identifier: GPL-2.0
/*
 * Interface of modules to synthetic events, as declared in <linux/trace_events.h>: creating events,
 * and making their records.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "events/events.h"
#include "internal.h"

/* ------------------------------------------------------------------ */
/* Creation and removal							*/

static int run_synth_cmd(struct dynevent_cmd *cmd)
{
	char *line __free(kfree) = kstrdup(seq_buf_str(&cmd->seq), GFP_KERNEL);

	if (!line)
		return -ENOMEM;
	guard(mutex)(&dyn_events_lock);
	return synth_execute(skip_spaces(line), cmd->private_data);
}

/**
 * synth_event_cmd_init - begin a command that creates a synthetic event
 * @cmd: the command
 * @buf: buffer for the text of the command
 * @maxlen: size of @buf in bytes
 *
 * Context: any.
 */
void synth_event_cmd_init(struct dynevent_cmd *cmd, char *buf, int maxlen)
{
	*cmd = (struct dynevent_cmd){ .type = DYNEVENT_TYPE_SYNTH, .run_command = run_synth_cmd };
	seq_buf_init(&cmd->seq, buf, maxlen);
}
EXPORT_SYMBOL_GPL(synth_event_cmd_init);

static int append_to_cmd(struct dynevent_cmd *cmd, const char *fmt, const char *a, const char *b)
{
	if (cmd->type != DYNEVENT_TYPE_SYNTH || !a || !b)
		return -EINVAL;
	return seq_buf_printf(&cmd->seq, fmt, a, b) ? -E2BIG : 0;
}

static int append_field_to_cmd(struct dynevent_cmd *cmd, const char *fmt, const char *a,
			       const char *b)
{
	int err = append_to_cmd(cmd, fmt, a, b);

	if (err)
		return err;
	return ++cmd->n_fields > SYNTH_FIELDS_MAX ? -EINVAL : 0;
}

/**
 * synth_event_add_field - add a field to a command
 * @cmd: command from synth_event_cmd_init()
 * @type: type of the field
 * @name: name of the field
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if the type is invalid, or there are too many fields; -E2BIG if the buffer of
 * the command is too small.
 */
int synth_event_add_field(struct dynevent_cmd *cmd, const char *type, const char *name)
{
	if (!type || !synth_is_type(type))
		return -EINVAL;
	return append_field_to_cmd(cmd, " %s %s;", type, name);
}
EXPORT_SYMBOL_GPL(synth_event_add_field);

/**
 * synth_event_add_field_str - add a field to a command as text
 * @cmd: command from synth_event_cmd_init()
 * @type_name: ``TYPE NAME``; an invalid one is detected when the command is run
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if there are too many fields; -E2BIG if the buffer of the command is too
 * small.
 */
int synth_event_add_field_str(struct dynevent_cmd *cmd, const char *type_name)
{
	return append_field_to_cmd(cmd, " %s%s", type_name, ";");
}
EXPORT_SYMBOL_GPL(synth_event_add_field_str);

/**
 * synth_event_add_fields - add several fields to a command
 * @cmd: command from synth_event_cmd_init()
 * @fields: the fields
 * @n_fields: number of @fields
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if a type is invalid, or there are too many fields; -E2BIG if the buffer of
 * the command is too small.
 */
int synth_event_add_fields(struct dynevent_cmd *cmd, struct synth_field_desc *fields,
			   unsigned int n_fields)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < n_fields; i++)
		err = synth_event_add_field(cmd, fields[i].type, fields[i].name);
	return err;
}
EXPORT_SYMBOL_GPL(synth_event_add_fields);

static int start_synth_cmd(struct dynevent_cmd *cmd, const char *name, struct module *mod)
{
	if (!name || !synth_is_name(name))
		return -EINVAL;
	cmd->event_name = name;
	cmd->private_data = mod;
	return append_to_cmd(cmd, "%s%s", name, "");
}

/**
 * __synth_event_gen_cmd_start - set the name and the first fields of a command
 * @cmd: command from synth_event_cmd_init()
 * @name: name of the event
 * @mod: module that creates the event, or NULL for the kernel
 * @...: pairs of type and name of a field, terminated by NULL; synth_event_gen_cmd_start() adds
 *	the NULL
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if the name or a type is invalid, or there are too many fields; -E2BIG if the
 * buffer of the command is too small.
 */
int __synth_event_gen_cmd_start(struct dynevent_cmd *cmd, const char *name, struct module *mod,
				...)
{
	const char *type, *field;
	int err = start_synth_cmd(cmd, name, mod);
	va_list args;

	va_start(args, mod);
	while (!err && (type = va_arg(args, const char *)) &&
	       (field = va_arg(args, const char *)))
		err = synth_event_add_field(cmd, type, field);
	va_end(args);
	return err;
}
EXPORT_SYMBOL_GPL(__synth_event_gen_cmd_start);

/**
 * synth_event_gen_cmd_array_start - set the name of a command, and fields from an array
 * @cmd: command from synth_event_cmd_init()
 * @name: name of the event
 * @mod: module that creates the event, or NULL for the kernel
 * @fields: the fields
 * @n_fields: number of @fields
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if the name or a type is invalid, or there are too many fields; -E2BIG if the
 * buffer of the command is too small.
 */
int synth_event_gen_cmd_array_start(struct dynevent_cmd *cmd, const char *name,
				    struct module *mod, struct synth_field_desc *fields,
				    unsigned int n_fields)
{
	return start_synth_cmd(cmd, name, mod) ?: synth_event_add_fields(cmd, fields, n_fields);
}
EXPORT_SYMBOL_GPL(synth_event_gen_cmd_array_start);

/**
 * synth_event_create - create a synthetic event
 * @name: name of the event
 * @fields: fields of the event
 * @n_fields: number of @fields
 * @mod: module that creates the event, or NULL for the kernel
 *
 * Context: process, may sleep.
 * Return: 0; -EEXIST if there is such an event; -EINVAL if the name or a field is invalid, or there
 * are too many fields; -E2BIG if the definition is too long; -ENOMEM.
 */
int synth_event_create(const char *name, struct synth_field_desc *fields, unsigned int n_fields,
		       struct module *mod)
{
	char *buf __free(kfree) = kmalloc(MAX_DYNEVENT_CMD_LEN, GFP_KERNEL);
	struct dynevent_cmd cmd;

	if (!buf)
		return -ENOMEM;
	synth_event_cmd_init(&cmd, buf, MAX_DYNEVENT_CMD_LEN);
	return synth_event_gen_cmd_array_start(&cmd, name, mod, fields, n_fields) ?:
	       synth_event_gen_cmd_end(&cmd);
}
EXPORT_SYMBOL_GPL(synth_event_create);

/**
 * synth_event_delete - remove a synthetic event
 * @name: name of the event
 *
 * Context: process, may sleep.
 * Return: 0; -ENOENT if there is none; -EBUSY while it is on, or in use.
 */
int synth_event_delete(const char *name)
{
	guard(mutex)(&dyn_events_lock);
	return synth_event_remove(name);
}
EXPORT_SYMBOL_GPL(synth_event_delete);

/* ------------------------------------------------------------------ */
/* Records whose fields are set at once					*/

static const struct synth_event *file_to_synth(const struct trace_event_file *file)
{
	return synth_event_of(file->event->call);
}

/* True if the event is off, for its triggers as well. */
static bool is_synth_file_off(const struct trace_event_file *file)
{
	return !READ_ONCE(file->on);
}

/**
 * synth_event_trace_array - make a record of a synthetic event
 * @file: event in an instance, from trace_get_event_file()
 * @vals: value of each field: a number, or the address of a string
 * @n_vals: number of @vals
 *
 * Context: any.
 * Return: 0, also if the event is off; -EINVAL if the event has another number of fields, or
 * nothing could be recorded.
 */
int synth_event_trace_array(struct trace_event_file *file, u64 *vals, unsigned int n_vals)
{
	const struct synth_event *event = file_to_synth(file);
	struct synth_vals from = { .vals = vals };
	struct trace_event_buffer b __uninitialized;
	unsigned int room;
	void *rec;

	if (is_synth_file_off(file))
		return 0;
	if (n_vals != event->nr_fields)
		return -EINVAL;
	room = synth_room(event, &from);
	guard(preempt_notrace)();
	if (trace_event_is_stopped(file))
		return 0;
	rec = trace_event_buffer_reserve(&b, file, event->len + room);
	if (!rec)
		return -EINVAL;
	synth_fill(event, rec, room, &from);
	trace_event_buffer_commit(&b);
	return 0;
}
EXPORT_SYMBOL_GPL(synth_event_trace_array);

/**
 * synth_event_trace - make a record of a synthetic event, with the values as arguments
 * @file: event in an instance, from trace_get_event_file()
 * @n_vals: number of values
 * @...: value of each field as u64: a number, or the address of a string
 *
 * Context: any.
 * Return: 0, also if the event is off; -EINVAL if the event has another number of fields, or
 * nothing could be recorded.
 */
int synth_event_trace(struct trace_event_file *file, unsigned int n_vals, ...)
{
	u64 vals[SYNTH_FIELDS_MAX];
	va_list args;

	if (n_vals > SYNTH_FIELDS_MAX)
		return -EINVAL;
	va_start(args, n_vals);
	for (unsigned int i = 0; i < n_vals; i++)
		vals[i] = va_arg(args, u64);
	va_end(args);
	return synth_event_trace_array(file, vals, n_vals);
}
EXPORT_SYMBOL_GPL(synth_event_trace);

/* ------------------------------------------------------------------ */
/* Records whose fields are set one by one				*/

static bool has_dynamic_field(const struct synth_event *event)
{
	for (unsigned int i = 0; i < event->nr_fields; i++)
		if (event->fields[i].kind > SYNTH_TEXT)
			return true;
	return false;
}

static int begin_synth_record(struct trace_event_file *file, struct synth_event_trace_state *state)
{
	const struct synth_event *event = file_to_synth(file);
	bool stopped;

	preempt_disable_notrace();
	/* Read once: the reservation may run a trigger that changes it. */
	stopped = trace_event_is_stopped(file);
	if (!stopped)
		state->entry = trace_event_buffer_reserve(&state->fbuffer, file, event->len);
	if (!state->entry) {
		preempt_enable_notrace();
		state->disabled = true;
		return stopped ? 0 : -EINVAL;
	}
	memset((void *)state->entry + sizeof(struct trace_entry), 0,
	       event->len - sizeof(struct trace_entry));
	return 0;
}

/**
 * synth_event_trace_start - begin a record whose fields are set one by one
 * @file: event in an instance, from trace_get_event_file()
 * @trace_state: state of the record, filled in for synth_event_add_next_val(),
 *	synth_event_add_val() and synth_event_trace_end()
 *
 * Context: any; if there is a record, preemption is off from here until synth_event_trace_end().
 * Return: 0, also if the event is off; -ENOTSUPP if the event has a string of variable length or a
 * stack; -EINVAL if nothing could be recorded.
 */
int synth_event_trace_start(struct trace_event_file *file,
			    struct synth_event_trace_state *trace_state)
{
	if (!trace_state)
		return -EINVAL;
	*trace_state = (struct synth_event_trace_state){ .event = file_to_synth(file) };
	if (is_synth_file_off(file)) {
		trace_state->disabled = true;
		return 0;
	}
	if (has_dynamic_field(trace_state->event)) {
		trace_state->disabled = true;
		return -ENOTSUPP;
	}
	return begin_synth_record(file, trace_state);
}
EXPORT_SYMBOL_GPL(synth_event_trace_start);

static int put_synth_field(struct synth_event_trace_state *state, const struct synth_field *f,
			   u64 val)
{
	if (f->kind == SYNTH_TEXT && !val)
		return -EINVAL;
	synth_put_field(state->entry, f, val, SYNTH_TEXT_MAX);
	return 0;
}

/**
 * synth_event_add_next_val - set the next field of a record
 * @val: value of the field: a number, or the address of a string
 * @trace_state: state of the record, from synth_event_trace_start()
 *
 * Context: any, after synth_event_trace_start().
 * Return: 0; -EINVAL if all fields are set, @val is NULL for a string, or synth_event_add_val()
 * has been called.
 */
int synth_event_add_next_val(u64 val, struct synth_event_trace_state *trace_state)
{
	const struct synth_event *event;

	if (!trace_state || trace_state->add_name)
		return -EINVAL;
	trace_state->add_next = true;
	if (trace_state->disabled)
		return 0;
	event = trace_state->event;
	if (trace_state->cur_field >= event->nr_fields)
		return -EINVAL;
	return put_synth_field(trace_state, &event->fields[trace_state->cur_field++], val);
}
EXPORT_SYMBOL_GPL(synth_event_add_next_val);

/**
 * synth_event_add_val - set a field of a record by name
 * @field_name: name of the field
 * @val: value of the field: a number, or the address of a string
 * @trace_state: state of the record, from synth_event_trace_start()
 *
 * Context: any, after synth_event_trace_start().
 * Return: 0; -EINVAL if there is no such field, @val is NULL for a string, or
 * synth_event_add_next_val() has been called.
 */
int synth_event_add_val(const char *field_name, u64 val,
			struct synth_event_trace_state *trace_state)
{
	const struct synth_event *event;

	if (!trace_state || trace_state->add_next)
		return -EINVAL;
	trace_state->add_name = true;
	if (trace_state->disabled)
		return 0;
	event = trace_state->event;
	for (unsigned int i = 0; i < event->nr_fields; i++)
		if (!strcmp(event->fields[i].name, field_name))
			return put_synth_field(trace_state, &event->fields[i], val);
	return -EINVAL;
}
EXPORT_SYMBOL_GPL(synth_event_add_val);

/**
 * synth_event_trace_end - commit a record whose fields were set one by one
 * @trace_state: state of the record, from synth_event_trace_start()
 *
 * Context: any, after synth_event_trace_start(); enables preemption again.
 * Return: 0, or -EINVAL if @trace_state is NULL.
 */
int synth_event_trace_end(struct synth_event_trace_state *trace_state)
{
	if (!trace_state)
		return -EINVAL;
	if (trace_state->disabled)
		return 0;
	trace_event_buffer_commit(&trace_state->fbuffer);
	trace_state->disabled = true;
	preempt_enable_notrace();
	return 0;
}
EXPORT_SYMBOL_GPL(synth_event_trace_end);
