// SPDX-License-Identifier: GPL-2.0
/*
 * Lines that create probes: what the parsers of all kinds of probes begin and end with.
 */
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "internal.h"

int probe_begin(struct probe_line *line, const char *whole, const struct probe_kind *kind)
{
	*line = (struct probe_line){
		.text	= { .parser = kind->parser, .whole = whole },
		.spec	= { .kind = kind },
	};
	line->text.text = kstrdup(whole, GFP_KERNEL);
	line->probe = probe_alloc(kind);
	return line->text.text && line->probe ? 0 : -ENOMEM;
}

int probe_line_parse_name(struct probe_line *line, char *name)
{
	line->name = name;
	return name ? probe_name_parse(&line->text, name, &line->spec.name) : 0;
}

int probe_end(struct probe_line *line, int err)
{
	if (err && line->probe)
		line->spec.kind->free(line->probe);
	kfree(line->default_name);
	kfree(line->text.text);
	return err;
}
