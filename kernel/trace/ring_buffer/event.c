// SPDX-License-Identifier: GPL-2.0
/*
 * What writers and readers ask of a record: where its data is, and how much.
 * Called from any context; knows nothing but the layout in event.h.
 */
#include <linux/export.h>

#include "event.h"

/**
 * ring_buffer_event_data - where a record's data is
 * @event: the record
 *
 * Context: any, NMI included.
 * Return: the data.
 */
void *ring_buffer_event_data(struct ring_buffer_event *event)
{
	return event->type_len ? &event->array[0] : &event->array[1];
}
EXPORT_SYMBOL_GPL(ring_buffer_event_data);

/**
 * ring_buffer_event_length - how much data a record has
 * @event: the record
 *
 * Context: any, NMI included.
 * Return: what was reserved, in bytes, rounded up to the alignment of records.
 */
unsigned int ring_buffer_event_length(struct ring_buffer_event *event)
{
	if (event->type_len)
		return event->type_len * 4;
	return event->array[0] - sizeof(u32);
}
EXPORT_SYMBOL_GPL(ring_buffer_event_length);
