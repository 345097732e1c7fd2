// SPDX-License-Identifier: GPL-2.0
/* Strings in records: called by the probes of events, in any context. */
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/sprintf.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "events.h"

void __trace_event_assign_str(char *to, unsigned int size, const char *from)
{
	/* __string_len() may have reserved more than EVENT_NULL_STR needs. */
	if (unlikely(!from))
		strscpy_pad(to, EVENT_NULL_STR, size);
	else
		memcpy(to, from, size - 1);
	to[size - 1] = '\0';
}
EXPORT_SYMBOL_GPL(__trace_event_assign_str);

int __printf(1, 0) __trace_event_vstr_len(const char *fmt, va_list *va)
{
	va_list args;
	int len;

	va_copy(args, *va);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	return min(len + 1, TRACE_EVENT_STR_MAX);
}
EXPORT_SYMBOL_GPL(__trace_event_vstr_len);

__printf(3, 0)
void __trace_event_assign_vstr(char *to, unsigned int size, const char *fmt, va_list *va)
{
	va_list args;

	/* Where va_list is an array, vsnprintf() would consume the caller's. */
	va_copy(args, *va);
	vsnprintf(to, size, fmt, args);
	va_end(args);
}
EXPORT_SYMBOL_GPL(__trace_event_assign_vstr);
