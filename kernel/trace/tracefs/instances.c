// SPDX-License-Identifier: GPL-2.0
/*
 * The tracefs trees of the top level and of the other instances. The tree of an instance is
 * one of its parts (instance/part.h).
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
#include "internal.h"

/* The directory "instances"; NULL until it is created. */
static struct dentry *instances_dir;

/* Place of the directory of an instance, which may be NULL. */
static struct dentry **instance_dir(const struct trace_array *tr)
{
	struct trace_tree *tree = instance_part(tr, &trace_files_part);

	return &tree->dir;
}

bool trace_files_exist(const struct trace_array *tr)
{
	return *instance_dir(tr);
}

static void instance_remove_tree(struct trace_array *tr)
{
	struct dentry **dir = instance_dir(tr);

	if (!*dir)
		return;
	trace_files_remove(tr);
	tracefs_remove(*dir);
	*dir = NULL;
}

/*
 * Create the directory and the files of an instance. If it was created before tracefs is set
 * up, trace_files_init() calls this again later.
 */
static int instance_create_tree(struct trace_array *tr)
{
	struct dentry **dir = instance_dir(tr);
	int err;

	if (!instances_dir || !tr->name || *dir)
		return 0;
	/* tracefs creates no directory if the kernel was locked down after the tree was set up. */
	if (security_locked_down(LOCKDOWN_TRACEFS))
		return -EPERM;
	*dir = tracefs_create_dir(tr->name, instances_dir);
	if (!*dir)
		return -EEXIST;
	err = trace_files_create(tr, *dir);
	if (err)
		instance_remove_tree(tr);
	return err;
}

struct instance_part trace_files_part = {
	.size	= sizeof(struct trace_tree),
	.init	= instance_create_tree,
	.unlisted	= instance_remove_tree,
};

static void __init instance_create_tree_at_boot(struct trace_array *tr)
{
	if (instance_create_tree(tr))
		pr_warn("tracefs: no files for instance %s\n", tr->name);
}

/* Mount tracefs below debugfs, for tools that know only debugfs. */
static struct vfsmount *tracefs_mount_below_debugfs(struct dentry *dir, void *unused)
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
	instances_dir = tracefs_create_instance_dir("instances", NULL,
						    trace_instance_make,
						    trace_instance_remove);
	trace_instances_visit(instance_create_tree_at_boot);
	debugfs_create_automount("tracing", NULL, tracefs_mount_below_debugfs, NULL);
	return 0;
}
fs_initcall(trace_files_init);
