// SPDX-License-Identifier: GPL-2.0
/*
 * mmap() of per_cpu/cpuN/trace_pipe_raw: the pages of the buffer in the memory of a reader,
 * which gets the next page by the ioctl TRACE_MMAP_IOCTL_GET_READER.
 *
 * A mapping holds a reference to its file, and so to the instance and its tracer, and it
 * prevents snapshots: the instance has the same buffer as long as it is mapped.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/ring_buffer.h>

#include "trace_pipe_raw.h"

static struct raw_reader *raw_reader_of(const struct vm_area_struct *vma)
{
	return vma->vm_file->private_data;
}

/* Called when a mapping was split, moved, or inherited in spite of VM_DONTCOPY (MADV_DOFORK). */
static void raw_map_open(struct vm_area_struct *vma)
{
	struct raw_reader *raw = raw_reader_of(vma);

	snapshot_block_again(raw->tr);
	ring_buffer_map_dup(raw_buffer(raw), raw->cpu);
}

static void raw_map_close(struct vm_area_struct *vma)
{
	struct raw_reader *raw = raw_reader_of(vma);

	WARN_ON(ring_buffer_unmap(raw_buffer(raw), raw->cpu));
	snapshot_unblock(raw->tr);
}

static vm_fault_t raw_map_fault(struct vm_fault *vmf)
{
	struct raw_reader *raw = raw_reader_of(vmf->vma);
	struct page *page;

	page = ring_buffer_map_page(raw_buffer(raw), raw->cpu, vmf->pgoff);
	if (!page)
		return VM_FAULT_SIGBUS;
	get_page(page);
	vmf->page = page;
	return 0;
}

static const struct vm_operations_struct raw_map_ops = {
	.open	= raw_map_open,
	.close	= raw_map_close,
	.fault	= raw_map_fault,
};

int trace_pipe_raw_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct raw_reader *raw = file->private_data;
	int ret;

	/* The result is stable while the file is open: it keeps the tracer. */
	if (snapshot_is_owned(raw->tr))
		return -EBUSY;
	ret = snapshot_block(raw->tr);
	if (ret)
		return ret;
	ret = ring_buffer_map(raw_buffer(raw), raw->cpu, vma);
	if (ret)
		snapshot_unblock(raw->tr);
	else
		vma->vm_ops = &raw_map_ops;
	return ret;
}
