// SPDX-License-Identifier: GPL-2.0
/*
 * Location and length of the data of a record, for writers and readers. They follow from the
 * layout in event.h alone, in any context.
 */
#include <linux/export.h>

#include "event.h"

/**
 * ring_buffer_event_data - get the data of a record
 * @event: the record
 *
 * Context: any, NMI included.
 * Return: address of the first byte of the data.
 */
void *ring_buffer_event_data(struct ring_buffer_event *event)
{
	return event->type_len ? &event->array[0] : &event->array[1];
}
EXPORT_SYMBOL_GPL(ring_buffer_event_data);

/**
 * ring_buffer_event_length - get the length of the data of a record
 * @event: the record
 *
 * Context: any, NMI included.
 * Return: number of bytes that were reserved, rounded up to the alignment of records.
 */
unsigned int ring_buffer_event_length(struct ring_buffer_event *event)
{
	if (event->type_len)
		return event->type_len * 4;
	return event->array[0] - sizeof(u32);
}
EXPORT_SYMBOL_GPL(ring_buffer_event_length);
