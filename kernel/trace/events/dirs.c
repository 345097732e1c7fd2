// SPDX-License-Identifier: GPL-2.0
/*
 * events/: a directory for each event of each system, in each instance. There are thousands of
 * them, so eventfs makes their files at the first lookup.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/string.h>
#include <linux/tracefs.h>

#include "dirs.h"
#include "events.h"
#include "internal.h"
#include "lookup.h"
#include "tracefs/files.h"

/* The directory of the tracer's own events. */
#define OWN_SYSTEM	"ftrace"

bool event_system_name_is_taken(const char *system)
{
	return event_dir_has_file(IN_EVENTS, system) || !strcmp(system, OWN_SYSTEM);
}

bool event_name_is_taken(const char *name)
{
	return event_dir_has_file(IN_SYSTEM, name);
}

static void *event_node_data(unsigned int number)
{
	return (void *)(unsigned long)number;
}

/*
 * Create a directory with its files. The data of the files is *@node_id, which stands for @tr and
 * @number until trace_node_remove().
 */
static struct eventfs_inode *event_create_dir(struct trace_array *tr, const char *name,
					      struct eventfs_inode *parent,
					      enum event_file_place place, unsigned int number,
					      u32 *node_id)
{
	int err = trace_node_add(tr, event_node_data(number), node_id);
	struct eventfs_inode *dir;

	if (err)
		return ERR_PTR(err);
	dir = event_dir_make(place, name, parent, event_node_data(*node_id));
	if (IS_ERR(dir))
		trace_node_remove(*node_id);
	return dir;
}

static int event_system_dir_create(struct instance_events *in, struct event_system *system)
{
	struct eventfs_inode *dir;

	if (system->dir)
		return 0;
	dir = event_create_dir(in->tr, system->name, in->dir, IN_SYSTEM, system->number,
			       &system->node_id);
	if (IS_ERR(dir))
		return PTR_ERR(dir);
	system->dir = dir;
	return 0;
}

void event_system_dir_remove(struct event_system *system)
{
	if (!system->dir)
		return;
	eventfs_remove_dir(system->dir);
	trace_node_remove(system->node_id);
	system->dir = NULL;
}

int event_dir_create(struct trace_event_file *file)
{
	struct instance_events *in = events_of(file->tr);
	struct eventfs_inode *dir;
	int err = event_system_dir_create(in, file->system);

	if (err)
		return err;
	dir = event_create_dir(file->tr, file->event->type.name, file->system->dir, IN_EVENT,
			       record_type_key(&file->event->type), &file->node_id);
	if (IS_ERR(dir))
		return PTR_ERR(dir);
	file->dir = dir;
	return 0;
}

void event_dir_remove(struct trace_event_file *file)
{
	if (!file->dir)
		return;
	eventfs_remove_dir(file->dir);
	trace_node_remove(file->node_id);
	file->dir = NULL;
}

static enum event_file_place event_place_of_own_type(const struct record_type *type)
{
	if (type->id == TRACE_PRINT)
		return IN_PRINT_EVENT;
	return type->has_id ? IN_OWN_EVENT : IN_OWN_EVENT_WITHOUT_ID;
}

static int event_own_dir_create(struct trace_array *tr, struct eventfs_inode *parent,
				const struct record_type *type)
{
	u32 node_id;

	return PTR_ERR_OR_ZERO(event_create_dir(tr, type->name, parent,
						event_place_of_own_type(type), type->id,
						&node_id));
}

/* Make events/ftrace/. The tracer's own events cannot be switched. */
static int event_own_dirs_create(struct trace_array *tr, struct eventfs_inode *parent)
{
	struct eventfs_inode *dir = eventfs_create_dir(OWN_SYSTEM, parent, NULL, 0, NULL);
	const struct record_type *type;
	int err = PTR_ERR_OR_ZERO(dir);

	for (unsigned int id = 0; id < TRACE_FIRST_EVENT && !err; id++) {
		type = record_type_of(id);
		if (type)
			err = event_own_dir_create(tr, dir, type);
	}
	return err;
}

static int event_dirs_create(struct instance_events *in)
{
	struct trace_event_file *file;
	int err;

	list_for_each_entry(file, &in->files, node) {
		err = event_dir_create(file);
		if (err)
			return err;
	}
	return 0;
}

static int events_dir_make(struct trace_array *tr, const char *name, struct dentry *parent)
{
	struct instance_events *in = events_of(tr);
	u32 id;
	int err = trace_node_add(tr, NULL, &id);

	if (err)
		return err;
	guard(mutex)(&events_lock);
	in->dir = event_top_dir_make(name, parent, event_node_data(id));
	if (IS_ERR(in->dir)) {
		err = PTR_ERR(in->dir);
		in->dir = NULL;
		return err;
	}
	if (event_system_is_wanted(tr, OWN_SYSTEM)) {
		err = event_own_dirs_create(tr, in->dir);
		if (err)
			return err;
	}
	return event_dirs_create(in);
}

static void events_dir_unmake(struct trace_array *tr)
{
	struct instance_events *in = events_of(tr);
	struct trace_event_file *file;
	struct event_system *system;

	guard(mutex)(&events_lock);
	if (!in->dir)
		return;
	list_for_each_entry(file, &in->files, node)
		event_dir_remove(file);
	list_for_each_entry(system, &in->systems, node)
		event_system_dir_remove(system);
	eventfs_remove_events_dir(in->dir);
	in->dir = NULL;
}

static const struct trace_file events_dir_files[] = {
	{
		.name		= "events",
		.place		= IN_INSTANCE,
		.make		= events_dir_make,
		.unmake		= events_dir_unmake,
	},
	{ }
};

TRACE_FILES(events_dir_files);
