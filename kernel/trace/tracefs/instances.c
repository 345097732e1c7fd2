// SPDX-License-Identifier: GPL-2.0
/*
 * The tree of the top level, and those of the instances beside it: a part of each
 * (instance/part.h).
 */
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/mount.h>
#include <linux/security.h>
#include <linux/trace.h>
#include <linux/tracefs.h>

#include "files.h"
#include "instance/instance.h"
#include "instance/part.h"

/* The directory instances, NULL until it is there. */
static struct dentry *instances;

/* Its directory, or NULL. */
static struct dentry **dir_of(const struct trace_array *tr)
{
	struct trace_tree *tree = instance_part(tr, &trace_files_part);

	return &tree->dir;
}

bool trace_files_exist(const struct trace_array *tr)
{
	return *dir_of(tr);
}

static void remove_tree(struct trace_array *tr)
{
	struct dentry **dir = dir_of(tr);

	if (!*dir)
		return;
	trace_files_remove(tr);
	tracefs_remove(*dir);
	*dir = NULL;
}

/* What was made before there was a tree gets its files from give_files(). */
static int make_tree(struct trace_array *tr)
{
	struct dentry **dir = dir_of(tr);
	int err;

	if (!instances || !tr->name || *dir)
		return 0;
	/* Locked down since: no directory would come. */
	if (security_locked_down(LOCKDOWN_TRACEFS))
		return -EPERM;
	*dir = tracefs_create_dir(tr->name, instances);
	if (!*dir)
		return -EEXIST;
	err = trace_files_create(tr, *dir);
	if (err)
		remove_tree(tr);
	return err;
}

struct instance_part trace_files_part = {
	.size	= sizeof(struct trace_tree),
	.init	= make_tree,
	.gone	= remove_tree,
};

static void __init give_files(struct trace_array *tr)
{
	if (make_tree(tr))
		pr_warn("tracefs: no files for instance %s\n", tr->name);
}

/* Tools that know only debugfs find tracefs mounted below it. */
static struct vfsmount *mount_below_debugfs(struct dentry *dir, void *unused)
{
	struct file_system_type *type = get_fs_type("tracefs");
	struct vfsmount *mnt;

	if (!type)
		return NULL;
	mnt = vfs_submount(dir, type, type->name, NULL);
	put_filesystem(type);
	return IS_ERR(mnt) ? NULL : mntget(mnt);
}

static int __init trace_files_init(void)
{
	int err;

	if (security_locked_down(LOCKDOWN_TRACEFS)) {
		pr_warn("tracefs: no files under lockdown\n");
		return 0;
	}
	if (!tracefs_initialized() || !tracing_initialized())
		return -ENODEV;
	err = trace_files_create(&global_trace, NULL);
	if (err)
		pr_warn("tracefs: the tree is incomplete (%d)\n", err);
	instances = tracefs_create_instance_dir("instances", NULL,
						trace_instance_make,
						trace_instance_remove);
	trace_instances_visit(give_files);
	debugfs_create_automount("tracing", NULL, mount_below_debugfs, NULL);
	return 0;
}
fs_initcall(trace_files_init);
