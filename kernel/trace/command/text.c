// SPDX-License-Identifier: GPL-2.0
/* Refusing texts that users write. */
#include <linux/errno.h>
#include <linux/string.h>

#include "error_log.h"
#include "text.h"

static unsigned int cmd_text_position(const struct cmd_text *text, const char *at)
{
	if (at < text->text || at > text->text + strlen(text->whole))
		at = text->instead;
	return at ? at - text->text : 0;
}

int cmd_refuse(const struct cmd_text *text, const char *at, const char *error)
{
	tracing_log_err(text->tr, text->parser, text->whole, error, cmd_text_position(text, at));
	return -EINVAL;
}

int cmd_refuse_end(const struct cmd_text *text, const char *error)
{
	tracing_log_err(text->tr, text->parser, text->whole, error, strlen(text->whole) + 1);
	return -EINVAL;
}
