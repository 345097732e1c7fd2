// SPDX-License-Identifier: GPL-2.0
/*
 * bpf_count KIND PLACE [OPTION...] -- COMMAND [ARGUMENT...]
 *
 * Attaches a BPF program that counts its runs, runs the command, and prints ``hits N value V``.
 * Needs no compiler for BPF, and no library: the few instructions are below.
 *
 * KIND and PLACE: raw TRACEPOINT; tracepoint ID; kprobe-event ID; uprobe-event ID; kprobe FUNCTION;
 * kretprobe FUNCTION; uprobe FILE:OFFSET; uretprobe FILE:OFFSET; kprobe.multi FUNCTION,...;
 * kretprobe.multi FUNCTION,...; session FUNCTION,...; uprobe.multi FILE:OFFSET,...;
 * uretprobe.multi FILE:OFFSET,...; clock PERIOD (a perf event of the CPU's clock). With the types
 * of the kernel: tp_btf TRACEPOINT; fentry FUNCTION; fexit FUNCTION; fmod_ret FUNCTION.
 *
 * -r N		the program returns N; 0 unless told
 * -g cookie	the value is the cookie of the attachment; ip: the address of the function;
 *		ctx:OFFSET: eight bytes of the context; task: the current PID and TGID
 * -d HELPER	the program also calls a helper: override (the function returns -12), print, signal
 *		(SIGUSR1), output (without a buffer: its error is the value), stack (its length is)
 * -c N,...	cookies, one for each place
 * -n N		attach so many programs; the values are of all
 * -p PID	count only in this process
 * -i		attach by ioctl() instead of by a link
 * -l		print what the kernel tells of the attachment
 * -S		the program may sleep
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLACES_MAX	64
#define PROGRAMS_MAX	70

/* What is to be attached, and where. */
static const char *kind, *place, *get, *helper;
static unsigned long long cookies[PLACES_MAX];
static unsigned int nr_cookies, nr_programs = 1;
static int answer, pid = -1;
static bool by_ioctl, tell, may_sleep;

static int map;

static void fail(const char *what)
{
	fprintf(stderr, "%s %s: %s: %s\n", kind, place, what, strerror(errno));
	exit(1);
}

static int check(int result, const char *what)
{
	if (result < 0)
		fail(what);
	return result;
}

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(__NR_bpf, cmd, attr, sizeof(*attr));
}

static __u64 pointer(const void *to)
{
	return (uintptr_t)to;
}

static bool is(const char *name)
{
	return !strcmp(kind, name);
}

static bool has(const char *word)
{
	return strstr(kind, word);
}

/* ------------------------------------------------------------------ */
/* The program								*/

static struct bpf_insn insns[64];
static unsigned int nr_insns;

static void emit(int code, int dst, int src, int off, int imm)
{
	insns[nr_insns++] = (struct bpf_insn) {
		.code = code, .dst_reg = dst, .src_reg = src, .off = off, .imm = imm,
	};
}

static void emit_move(int to, int from)
{
	emit(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0);
}

static void emit_number(int to, int number)
{
	emit(BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, number);
}

static void emit_call(int function)
{
	emit(BPF_JMP | BPF_CALL, 0, 0, 0, function);
}

static void emit_map(int to)
{
	emit(BPF_LD | BPF_DW | BPF_IMM, to, BPF_PSEUDO_MAP_FD, 0, map);
	emit(0, 0, 0, 0, 0);
}

/* Let a register point so many bytes below the top of the stack. */
static void emit_stack(int to, int bytes)
{
	emit_move(to, BPF_REG_10);
	emit(BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, -bytes);
}

/* The context is in r6, and the value of -g goes to r7. */
static void emit_get(void)
{
	emit_number(BPF_REG_7, 0);
	if (!get)
		return;
	if (!strncmp(get, "ctx:", 4)) {
		emit(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_7, BPF_REG_6, atoi(get + 4), 0);
		return;
	}
	emit_move(BPF_REG_1, BPF_REG_6);
	emit_call(!strcmp(get, "cookie") ? BPF_FUNC_get_attach_cookie :
		  !strcmp(get, "ip") ? BPF_FUNC_get_func_ip : BPF_FUNC_get_current_pid_tgid);
	emit_move(BPF_REG_7, BPF_REG_0);
}

static void emit_stack_helper(void)
{
	emit_move(BPF_REG_1, BPF_REG_6);
	emit_stack(BPF_REG_2, 256);
	emit_number(BPF_REG_3, 128);
	emit_number(BPF_REG_4, 0);
	emit_call(BPF_FUNC_get_stack);
	emit_move(BPF_REG_7, BPF_REG_0);
}

static void emit_output_helper(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_PERF_EVENT_ARRAY, .key_size = 4, .value_size = 4,
		.max_entries = 8,
	};
	int own = map;

	map = check(bpf(BPF_MAP_CREATE, &attr), "no map for output");
	emit_move(BPF_REG_1, BPF_REG_6);
	emit_map(BPF_REG_2);
	emit(BPF_ALU | BPF_MOV | BPF_K, BPF_REG_3, 0, 0, (int)BPF_F_CURRENT_CPU);
	emit_stack(BPF_REG_4, 8);
	emit_number(BPF_REG_5, 8);
	emit_call(BPF_FUNC_perf_event_output);
	emit_move(BPF_REG_7, BPF_REG_0);
	map = own;
}

static void emit_helper(void)
{
	emit(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -8, 0x746968);	/* "hit" */
	if (!helper)
		return;
	if (!strcmp(helper, "override")) {
		emit_move(BPF_REG_1, BPF_REG_6);
		emit_number(BPF_REG_2, -ENOMEM);
		emit_call(BPF_FUNC_override_return);
	} else if (!strcmp(helper, "print")) {
		emit_stack(BPF_REG_1, 8);
		emit_number(BPF_REG_2, 4);
		emit_call(BPF_FUNC_trace_printk);
	} else if (!strcmp(helper, "signal")) {
		emit_number(BPF_REG_1, SIGUSR1);
		emit_call(BPF_FUNC_send_signal);
	} else if (!strcmp(helper, "stack")) {
		emit_stack_helper();
	} else {
		emit_output_helper();
	}
}

/* Count in the first word of the map's value, and leave r7 in the second one. */
static void emit_count(void)
{
	emit(BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, -12, 0);
	emit_stack(BPF_REG_2, 12);
	emit_map(BPF_REG_1);
	emit_call(BPF_FUNC_map_lookup_elem);
	emit(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 3, 0);
	emit_number(BPF_REG_1, 1);
	emit(BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_0, BPF_REG_1, 0, BPF_ADD);
	emit(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_0, BPF_REG_7, 8, 0);
}

static bool is_typed(void)
{
	return is("tp_btf") || is("fentry") || is("fexit") || is("fmod_ret");
}

static int program_type(void)
{
	if (is_typed())
		return BPF_PROG_TYPE_TRACING;
	if (is("raw"))
		return BPF_PROG_TYPE_RAW_TRACEPOINT;
	if (is("clock"))
		return BPF_PROG_TYPE_PERF_EVENT;
	return is("tracepoint") ? BPF_PROG_TYPE_TRACEPOINT : BPF_PROG_TYPE_KPROBE;
}

static int attach_type(void)
{
	if (is_typed())
		return is("tp_btf") ? BPF_TRACE_RAW_TP : is("fentry") ? BPF_TRACE_FENTRY :
		       is("fexit") ? BPF_TRACE_FEXIT : BPF_MODIFY_RETURN;
	if (is("session"))
		return BPF_TRACE_KPROBE_SESSION;
	if (is("uprobe.multi") || is("uretprobe.multi"))
		return BPF_TRACE_UPROBE_MULTI;
	return has(".multi") ? BPF_TRACE_KPROBE_MULTI : 0;
}

/* ------------------------------------------------------------------ */
/* The types of the kernel						*/

static const char *read_file(const char *path)
{
	static char content[32 << 20];
	FILE *f = fopen(path, "r");

	if (!f || !fread(content, 1, sizeof(content), f))
		fail("no types of the kernel");
	fclose(f);
	return content;
}

/* Bytes behind a type, by its kind. */
static size_t type_size(const struct btf_type *type)
{
	int nr = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return nr * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return nr * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return nr * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return nr * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return nr * sizeof(struct btf_var_secinfo);
	default:
		return 0;
	}
}

/* The number of the function, or of the type of the tracepoint. */
static int find_type(void)
{
	const char *btf = read_file("/sys/kernel/btf/vmlinux"), *text, *at, *end;
	int id, wanted = is("tp_btf") ? BTF_KIND_TYPEDEF : BTF_KIND_FUNC;
	const struct btf_header *head = (const void *)btf;
	const struct btf_type *type;
	char name[128];

	snprintf(name, sizeof(name), "%s%s", is("tp_btf") ? "btf_trace_" : "", place);
	text = btf + head->hdr_len + head->str_off;
	at = btf + head->hdr_len + head->type_off;
	end = at + head->type_len;
	for (id = 1; at < end; id++) {
		type = (const void *)at;
		if (BTF_INFO_KIND(type->info) == wanted && !strcmp(text + type->name_off, name))
			return id;
		at += sizeof(*type) + type_size(type);
	}
	errno = ENOENT;
	fail("no such type");
	return 0;
}

static int load_program(void)
{
	static char log[65536];
	union bpf_attr attr = {
		.prog_type = program_type(), .expected_attach_type = attach_type(),
		.insns = pointer(insns), .license = pointer("GPL"),
		.prog_flags = may_sleep ? BPF_F_SLEEPABLE : 0,
		.log_buf = pointer(log), .log_size = sizeof(log), .log_level = 1,
		.attach_btf_id = is_typed() ? find_type() : 0,
	};
	int program;

	nr_insns = 0;
	emit_move(BPF_REG_6, BPF_REG_1);
	emit_get();
	emit_helper();
	emit_count();
	emit_number(BPF_REG_0, answer);
	emit(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	attr.insn_cnt = nr_insns;
	program = bpf(BPF_PROG_LOAD, &attr);
	if (program < 0 && getenv("BPF_LOG"))
		fputs(log, stderr);
	return check(program, "not loaded");
}

/* ------------------------------------------------------------------ */
/* Attaching								*/

static int pmu_type(const char *name)
{
	char path[64];
	FILE *f;
	int type;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", name);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%d", &type) != 1)
		fail("no such PMU");
	fclose(f);
	return type;
}

/* Cut the offset off from behind a file. */
static unsigned long long take_offset(char *file)
{
	char *colon = strrchr(file, ':');

	if (!colon) {
		errno = EINVAL;
		fail("no offset");
	}
	*colon = '\0';
	return strtoull(colon + 1, NULL, 0);
}

static int open_event(void)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	char *text = strdup(place);

	if (has("-event") || is("tracepoint")) {
		attr.type = PERF_TYPE_TRACEPOINT;
		attr.config = atoi(place);
	} else if (is("clock")) {
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_CPU_CLOCK;
		attr.sample_period = atoi(place);
	} else if (has("uprobe") || has("uretprobe")) {
		attr.type = pmu_type("uprobe");
		attr.probe_offset = take_offset(text);
		attr.uprobe_path = pointer(text);
		attr.config = has("ret");
	} else {
		attr.type = pmu_type("kprobe");
		attr.kprobe_func = pointer(text);
		attr.config = has("ret");
	}
	/* One CPU, as libbpf does it: the program runs on all of them. */
	return check(syscall(__NR_perf_event_open, &attr, pid, pid == -1 ? 0 : -1, -1,
			     PERF_FLAG_FD_CLOEXEC), "not opened");
}

static int attach_to_event(int program)
{
	int event = open_event();
	union bpf_attr attr = {
		.link_create.prog_fd = program, .link_create.target_fd = event,
		.link_create.attach_type = BPF_PERF_EVENT,
		.link_create.perf_event.bpf_cookie = cookies[0],
	};

	if (by_ioctl)
		check(ioctl(event, PERF_EVENT_IOC_SET_BPF, program), "not attached");
	else
		event = check(bpf(BPF_LINK_CREATE, &attr), "not attached");
	return event;
}

static int attach_to_functions(int program)
{
	const char *names[PLACES_MAX];
	union bpf_attr attr = {
		.link_create.prog_fd = program, .link_create.attach_type = attach_type(),
		.link_create.kprobe_multi.syms = pointer(names),
		.link_create.kprobe_multi.cookies = nr_cookies ? pointer(cookies) : 0,
		.link_create.kprobe_multi.flags = has("ret") ? BPF_F_KPROBE_MULTI_RETURN : 0,
	};
	char *rest = strdup(place), *name;

	while ((name = strsep(&rest, ",")) && attr.link_create.kprobe_multi.cnt < PLACES_MAX)
		names[attr.link_create.kprobe_multi.cnt++] = name;
	return check(bpf(BPF_LINK_CREATE, &attr), "not attached");
}

static int attach_to_programs(int program)
{
	unsigned long offsets[PLACES_MAX];
	char *file = strdup(place), *rest = strchr(file, ':'), *offset;
	union bpf_attr attr = {
		.link_create.prog_fd = program, .link_create.attach_type = attach_type(),
		.link_create.uprobe_multi.path = pointer(file),
		.link_create.uprobe_multi.offsets = pointer(offsets),
		.link_create.uprobe_multi.cookies = nr_cookies ? pointer(cookies) : 0,
		.link_create.uprobe_multi.flags = has("ret") ? BPF_F_UPROBE_MULTI_RETURN : 0,
		.link_create.uprobe_multi.pid = pid == -1 ? 0 : pid,
	};

	if (rest)
		*rest++ = '\0';
	while ((offset = strsep(&rest, ",")) && attr.link_create.uprobe_multi.cnt < PLACES_MAX)
		offsets[attr.link_create.uprobe_multi.cnt++] = strtoul(offset, NULL, 0);
	return check(bpf(BPF_LINK_CREATE, &attr), "not attached");
}

static int attach(int program)
{
	union bpf_attr attr = {
		.link_create.prog_fd = program,
	};

	if (is("raw")) {
		memset(&attr, 0, sizeof(attr));
		attr.raw_tracepoint.name = pointer(place);
		attr.raw_tracepoint.prog_fd = program;
		attr.raw_tracepoint.cookie = cookies[0];
		return check(bpf(BPF_RAW_TRACEPOINT_OPEN, &attr), "not attached");
	}
	if (is_typed()) {
		attr.link_create.attach_type = attach_type();
		attr.link_create.tracing.cookie = cookies[0];
		return check(bpf(BPF_LINK_CREATE, &attr), "not attached");
	}
	if (is("uprobe.multi") || is("uretprobe.multi"))
		return attach_to_programs(program);
	return has(".multi") || is("session") ? attach_to_functions(program) :
						attach_to_event(program);
}

/* ------------------------------------------------------------------ */
/* What the kernel tells							*/

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

/* ------------------------------------------------------------------ */
/* Command line								*/

static void parse_cookies(char *text)
{
	char *word;

	while ((word = strsep(&text, ",")) && nr_cookies < PLACES_MAX)
		cookies[nr_cookies++] = strtoull(word, NULL, 0);
}

static void parse(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "+r:g:d:c:n:p:ilS")) >= 0) {
		if (option == 'r')
			answer = atoi(optarg);
		else if (option == 'g')
			get = optarg;
		else if (option == 'd')
			helper = optarg;
		else if (option == 'c')
			parse_cookies(optarg);
		else if (option == 'n')
			nr_programs = atoi(optarg);
		else if (option == 'p')
			pid = atoi(optarg);
		else if (option == 'i')
			by_ioctl = true;
		else if (option == 'l')
			tell = true;
		else if (option == 'S')
			may_sleep = true;
		else
			exit(2);
	}
}

static void run(char **argv)
{
	int status;

	if (!*argv)
		return;
	switch (fork()) {
	case -1:
		fail("no process");
	case 0:
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	wait(&status);
	if (WIFSIGNALED(status))
		printf("signal %d\n", WTERMSIG(status));
}

static void print_hits(void)
{
	unsigned long long value[2];
	__u32 key = 0;
	union bpf_attr attr = {
		.map_fd = map, .key = pointer(&key), .value = pointer(value),
	};

	check(bpf(BPF_MAP_LOOKUP_ELEM, &attr), "no value");
	printf("hits %llu value %lld\n", value[0], value[1]);
}

int main(int argc, char **argv)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 16, .max_entries = 1,
	};
	int attached = -1;

	if (argc < 3) {
		fprintf(stderr, "usage: %s KIND PLACE [OPTION...] -- COMMAND...\n", argv[0]);
		return 2;
	}
	kind = argv[1];
	place = argv[2];
	parse(argc - 2, argv + 2);
	map = check(bpf(BPF_MAP_CREATE, &attr), "no map");
	for (unsigned int i = 0; i < nr_programs; i++)
		attached = attach(load_program());
	if (tell && by_ioctl)
		tell_event(attached);
	else if (tell)
		tell_link(attached);
	fflush(stdout);
	run(argv + 2 + optind);
	print_hits();
	return 0;
}
