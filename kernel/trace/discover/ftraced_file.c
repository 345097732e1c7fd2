// SPDX-License-Identifier: GPL-2.0
/*
 * The file ftraced_enabled: enables and disables the kthread ftraced (SPEC D14).
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "discover.h"
#include "internal.h"
#include "tracefs/files.h"

static int ftraced_show(struct seq_file *m, const struct trace_node *at)
{
	seq_puts(m, ftraced_is_enabled() ? "enabled\n" : "disabled\n");
	return 0;
}

static int ftraced_store(const struct trace_node *at, char *text)
{
	static const char * const words[] = { "0", "disable", "1", "enable" };
	int word = match_string(words, ARRAY_SIZE(words), text);
	int ret;

	if (word < 0)
		return -EINVAL;
	/* Each write converts the sites that are noted until now, even if ftraced is disabled. */
	ret = discover_convert();
	if (ret == -ENOMEM || ret == -ENODEV)
		return ret;
	/* Ignore -EBUSY: that two ops cannot share a site does not concern the writer. */
	ftraced_enable(word >= 2);
	return 0;
}

static const struct trace_file ftraced_files[] = {
	{
		.name	= "ftraced_enabled",
		.mode	= TRACE_FILE_RW,
		.place	= IN_TOP,
		.show	= ftraced_show,
		.store	= ftraced_store,
	},
	{ }
};

TRACE_FILES(ftraced_files);
