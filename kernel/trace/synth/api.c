// SPDX-License-Identifier: GPL-2.0
/*
 * Synthetic events of modules: what <linux/trace_events.h> offers to make them, and their
 * records.
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
/* Made and taken away							*/

static int run(struct dynevent_cmd *cmd)
{
	char *line __free(kfree) = kstrdup(seq_buf_str(&cmd->seq), GFP_KERNEL);

	if (!line)
		return -ENOMEM;
	guard(mutex)(&dyn_events_lock);
	return synth_obey(skip_spaces(line), cmd->private_data);
}

/**
 * synth_event_cmd_init - begin a command that makes a synthetic event
 * @cmd: the command
 * @buf: where it is put together
 * @maxlen: how long that is
 *
 * Context: any.
 */
void synth_event_cmd_init(struct dynevent_cmd *cmd, char *buf, int maxlen)
{
	*cmd = (struct dynevent_cmd){ .type = DYNEVENT_TYPE_SYNTH, .run_command = run };
	seq_buf_init(&cmd->seq, buf, maxlen);
}
EXPORT_SYMBOL_GPL(synth_event_cmd_init);

static int append(struct dynevent_cmd *cmd, const char *fmt, const char *a, const char *b)
{
	if (cmd->type != DYNEVENT_TYPE_SYNTH || !a || !b)
		return -EINVAL;
	return seq_buf_printf(&cmd->seq, fmt, a, b) ? -E2BIG : 0;
}

static int append_field(struct dynevent_cmd *cmd, const char *fmt, const char *a, const char *b)
{
	int err = append(cmd, fmt, a, b);

	if (err)
		return err;
	return ++cmd->n_fields > SYNTH_FIELDS_MAX ? -EINVAL : 0;
}

/**
 * synth_event_add_field - add a field
 * @cmd: the command
 * @type: of the field
 * @name: of the field
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if it is none, or one too many; -E2BIG if there is no room for it.
 */
int synth_event_add_field(struct dynevent_cmd *cmd, const char *type, const char *name)
{
	if (!type || !synth_is_type(type))
		return -EINVAL;
	return append_field(cmd, " %s %s;", type, name);
}
EXPORT_SYMBOL_GPL(synth_event_add_field);

/**
 * synth_event_add_field_str - add a field as it would be written
 * @cmd: the command
 * @type_name: ``TYPE NAME``
 *
 * Context and return: as synth_event_add_field().
 */
int synth_event_add_field_str(struct dynevent_cmd *cmd, const char *type_name)
{
	return append_field(cmd, " %s%s", type_name, ";");
}
EXPORT_SYMBOL_GPL(synth_event_add_field_str);

/**
 * synth_event_add_fields - add some fields
 * @cmd: the command
 * @fields: the fields
 * @n_fields: how many
 *
 * Context and return: as synth_event_add_field().
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

static int start(struct dynevent_cmd *cmd, const char *name, struct module *mod)
{
	if (!name || !synth_is_name(name))
		return -EINVAL;
	cmd->event_name = name;
	cmd->private_data = mod;
	return append(cmd, "%s%s", name, "");
}

/**
 * __synth_event_gen_cmd_start - say what the event is called, and some of its fields
 * @cmd: from synth_event_cmd_init()
 * @name: of the event
 * @mod: whose it is, NULL for the kernel
 * @...: pairs of type and name, ended by a NULL: see synth_event_gen_cmd_start()
 *
 * Context and return: as synth_event_add_field().
 */
int __synth_event_gen_cmd_start(struct dynevent_cmd *cmd, const char *name, struct module *mod,
				...)
{
	const char *type, *field;
	int err = start(cmd, name, mod);
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
 * synth_event_gen_cmd_array_start - the same with an array of fields
 * @cmd: likewise
 * @name: likewise
 * @mod: likewise
 * @fields: the fields
 * @n_fields: how many
 *
 * Context and return: likewise.
 */
int synth_event_gen_cmd_array_start(struct dynevent_cmd *cmd, const char *name,
				    struct module *mod, struct synth_field_desc *fields,
				    unsigned int n_fields)
{
	return start(cmd, name, mod) ?: synth_event_add_fields(cmd, fields, n_fields);
}
EXPORT_SYMBOL_GPL(synth_event_gen_cmd_array_start);

/**
 * synth_event_create - make a synthetic event
 * @name: of the event
 * @fields: its fields
 * @n_fields: how many
 * @mod: whose it is, NULL for the kernel
 *
 * Context: process, may sleep.
 * Return: 0; -EEXIST if there is one; -EINVAL; -ENOMEM.
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
 * synth_event_delete - take a synthetic event away
 * @name: of the event
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
/* A record at once							*/

static const struct synth_event *synth_of(const struct trace_event_file *file)
{
	return synth_event_of(file->event->call);
}

/* Not even for its triggers. */
static bool is_off(const struct trace_event_file *file)
{
	return !READ_ONCE(file->on);
}

/**
 * synth_event_trace_array - make a record of a synthetic event
 * @file: the event in an instance, from trace_get_event_file()
 * @vals: the value of each field: a number, or the address of a string
 * @n_vals: how many
 *
 * Context: any.
 * Return: 0, also while it is off; -EINVAL if it has not so many fields, or nothing is recorded.
 */
int synth_event_trace_array(struct trace_event_file *file, u64 *vals, unsigned int n_vals)
{
	const struct synth_event *event = synth_of(file);
	struct synth_vals from = { .vals = vals };
	struct trace_event_buffer b __uninitialized;
	unsigned int room;
	void *rec;

	if (is_off(file))
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
 * synth_event_trace - the same with the values as arguments
 * @file: likewise
 * @n_vals: likewise
 * @...: so many u64
 *
 * Context and return: likewise.
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
/* A record piece by piece						*/

static bool has_dynamic(const struct synth_event *event)
{
	for (unsigned int i = 0; i < event->nr_fields; i++)
		if (event->fields[i].kind > SYNTH_TEXT)
			return true;
	return false;
}

static int begin(struct trace_event_file *file, struct synth_event_trace_state *state)
{
	const struct synth_event *event = synth_of(file);
	bool stopped;

	preempt_disable_notrace();
	/* Which its own trigger may change. */
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
 * @file: the event in an instance, from trace_get_event_file()
 * @trace_state: for the functions below, until synth_event_trace_end()
 *
 * Context: any; preemption is off from here until synth_event_trace_end(), if there is a record.
 * Return: 0, also while it is off; -ENOTSUPP if it has a string without a length; -EINVAL if
 * nothing is recorded.
 */
int synth_event_trace_start(struct trace_event_file *file,
			    struct synth_event_trace_state *trace_state)
{
	if (!trace_state)
		return -EINVAL;
	*trace_state = (struct synth_event_trace_state){ .event = synth_of(file) };
	if (is_off(file)) {
		trace_state->disabled = true;
		return 0;
	}
	if (has_dynamic(trace_state->event)) {
		trace_state->disabled = true;
		return -ENOTSUPP;
	}
	return begin(file, trace_state);
}
EXPORT_SYMBOL_GPL(synth_event_trace_start);

static int put(struct synth_event_trace_state *state, const struct synth_field *f, u64 val)
{
	if (f->kind == SYNTH_TEXT && !val)
		return -EINVAL;
	synth_put(state->entry, f, val, SYNTH_TEXT_MAX);
	return 0;
}

/**
 * synth_event_add_next_val - set the next field
 * @val: its value, as that of synth_event_trace_array()
 * @trace_state: from synth_event_trace_start()
 *
 * Context: as there.
 * Return: 0; -EINVAL if there is no other field, or synth_event_add_val() has been called.
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
	return put(trace_state, &event->fields[trace_state->cur_field++], val);
}
EXPORT_SYMBOL_GPL(synth_event_add_next_val);

/**
 * synth_event_add_val - set a field
 * @field_name: its name
 * @val: its value, as that of synth_event_trace_array()
 * @trace_state: from synth_event_trace_start()
 *
 * Context: as there.
 * Return: 0; -EINVAL if there is no such field, or synth_event_add_next_val() has been called.
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
			return put(trace_state, &event->fields[i], val);
	return -EINVAL;
}
EXPORT_SYMBOL_GPL(synth_event_add_val);

/**
 * synth_event_trace_end - the record is complete
 * @trace_state: from synth_event_trace_start()
 *
 * Context: as there.
 * Return: 0, or -EINVAL without a @trace_state.
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
