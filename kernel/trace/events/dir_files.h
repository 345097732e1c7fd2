/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files in the directories of events, as rows of tables. A room that shows or controls
 * something of each event defines a row for it:
 *
 *	static const struct trace_file my_event_files[] = {
 *		{ .name = "my_rate", .mode = TRACE_FILE_RO, .place = IN_EVENT,
 *		  .show = my_rate_show },
 *		{ }
 *	};
 *	EVENT_DIR_FILES(my_event_files);
 *
 * The functions of a row find their event by event_file_at().
 */
#ifndef _KERNEL_TRACE_EVENTS_DIR_FILES_H
#define _KERNEL_TRACE_EVENTS_DIR_FILES_H

#include <linux/bits.h>
#include <linux/init.h>
#include <linux/types.h>

#include "tracefs/files.h"

struct seq_file;
struct trace_event_file;

/**
 * enum event_file_place - directories in which a row appears, for &trace_file.place
 * @IN_EVENT: the directory of each event, except those in events/ftrace
 * @IN_PRINT_EVENT: events/ftrace/print, which cannot be switched, but has triggers
 * @IN_OWN_EVENT: the directories of other types of records in events/ftrace
 * @IN_OWN_EVENT_WITHOUT_ID: those of types of records that have no file id
 * @IN_SYSTEM: the directory of each system, except events/ftrace
 * @IN_EVENTS: events/
 */
enum event_file_place {
	IN_EVENT		= BIT(0),
	IN_PRINT_EVENT		= BIT(1),
	IN_OWN_EVENT		= BIT(2),
	IN_OWN_EVENT_WITHOUT_ID	= BIT(3),
	IN_SYSTEM		= BIT(4),
	IN_EVENTS		= BIT(5),
};

/**
 * event_dir_files_add - register a table of files
 * @rows: the rows; the last one is empty
 *
 * Context: EVENT_DIR_FILES(), before the first directory is created.
 */
void __init event_dir_files_add(const struct trace_file *rows);

/**
 * EVENT_DIR_FILES() - register an array of rows as a table
 * @_rows: an array of struct trace_file, whose last element is empty. &trace_file.place has the
 *	bits of enum event_file_place; &trace_file.populate, &trace_file.make and
 *	&trace_file.unmake are not used
 *
 * To be placed once behind each array. No other code needs to refer to the array. A directory
 * lists the files in the order in which the tables are linked.
 */
#define EVENT_DIR_FILES(_rows)						\
static int __init _rows##_add(void)					\
{									\
	event_dir_files_add(_rows);					\
	return 0;							\
}									\
core_initcall(_rows##_add)

/**
 * event_key_at - the key of the event that a file belongs to
 * @at: the file, which is IN_EVENT, IN_PRINT_EVENT or IN_OWN_EVENT
 *
 * Context: any.
 * Return: record_type_key() of the type of its records, also after the event has been removed.
 */
u32 event_key_at(const struct trace_node *at);

/**
 * event_file_at - the event in an instance that a file belongs to
 * @at: the file, which is IN_EVENT or IN_PRINT_EVENT
 *
 * Context: any; events_lock held.
 * Return: the event, or NULL if it has been removed, with its module, while the file is open.
 */
struct trace_event_file *event_file_at(const struct trace_node *at);

/**
 * event_show_with - show a file of an event
 * @m: destination
 * @at: the file, which is IN_EVENT or IN_PRINT_EVENT
 * @show: prints the content of the file. Context: may sleep; events_lock held
 *
 * Context: may sleep; takes events_lock.
 * Return: 0; -ENODEV if the event has been removed.
 */
int event_show_with(struct seq_file *m, const struct trace_node *at,
		    void (*show)(struct seq_file *m, struct trace_event_file *file));

#endif /* _KERNEL_TRACE_EVENTS_DIR_FILES_H */
