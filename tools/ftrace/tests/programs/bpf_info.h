/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel tells about an attachment. */
#ifndef BPF_INFO_H
#define BPF_INFO_H

#include <stddef.h>

#include "bpf_call.h"

static void tell_event(int event)
{
	char text[256] = "";
	union bpf_attr attr = {
		.task_fd_query.pid = getpid(), .task_fd_query.fd = event,
		.task_fd_query.buf = pointer(text), .task_fd_query.buf_len = sizeof(text),
	};

	check(bpf(BPF_TASK_FD_QUERY, &attr), "no query");
	printf("type %u name %s offset %#llx\n", attr.task_fd_query.fd_type, text,
	       (unsigned long long)attr.task_fd_query.probe_offset);
}

static void tell_link(int link)
{
	char text[256] = "";
	struct bpf_link_info info = { };
	union bpf_attr attr = {
		.info.bpf_fd = link, .info.info_len = sizeof(info), .info.info = pointer(&info),
	};

	check(bpf(BPF_OBJ_GET_INFO_BY_FD, &attr), "no information");
	printf("link %u ", info.type);
	if (info.type == BPF_LINK_TYPE_KPROBE_MULTI) {
		printf("count %u flags %u missed %llu\n", info.kprobe_multi.count,
		       info.kprobe_multi.flags, (unsigned long long)info.kprobe_multi.missed);
		return;
	}
	if (info.type == BPF_LINK_TYPE_UPROBE_MULTI) {
		printf("count %u flags %u pid %u\n", info.uprobe_multi.count,
		       info.uprobe_multi.flags, info.uprobe_multi.pid);
		return;
	}
	memset(&info.raw_tracepoint, 0, sizeof(info) - offsetof(typeof(info), raw_tracepoint));
	/* All kinds have the name of the place, and its length, in the same members. */
	info.perf_event.kprobe.func_name = pointer(text);
	info.perf_event.kprobe.name_len = sizeof(text);
	if (is("raw")) {
		info.raw_tracepoint.tp_name = pointer(text);
		info.raw_tracepoint.tp_name_len = sizeof(text);
	}
	check(bpf(BPF_OBJ_GET_INFO_BY_FD, &attr), "no information");
	if (is("raw"))
		printf("name %s\n", text);
	else if (is("tracepoint"))
		printf("type %u name %s\n", info.perf_event.type, text);
	else
		printf("type %u name %s offset %#x missed %llu\n", info.perf_event.type, text,
		       info.perf_event.kprobe.offset,
		       (unsigned long long)(has("kprobe") || has("kretprobe") ?
					    info.perf_event.kprobe.missed : 0));
}

#endif
