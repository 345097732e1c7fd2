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
 * of the kernel: tp_btf TRACEPOINT; fentry, fexit and fmod_ret FUNCTION,... (a program for each).
 * PLACE may be @FILE, which has a place in each line.
 *
 * -r N		the program returns N; 0 unless told
 * -g cookie	the value is the cookie of the attachment; ip: the address of the function;
 *		ctx:OFFSET: eight bytes of the context; task: the current PID and TGID
 * -d HELPER	the program also calls a helper: override (the function returns -12), print,
 *		signal (SIGUSR1), output (without a buffer: its error is the value), stack (its
 *		length is), top (the first address of the stack is)
 * -c N,...	cookies, one for each place
 * -n N		attach so many programs; the values are of all
 * -p PID	count only in this process
 * -I		the perf event counts in this process; the command inherits it
 * -i		attach by ioctl() instead of by a link
 * -l		print what the kernel tells of the attachment
 * -S		the program may sleep
 * -e		the program is empty: nothing is counted nor printed
 * -f N		the Nth allocation while it is attached fails; prints what is left of N
 * -t		print how many nanoseconds it takes to attach and to detach
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
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
#include <time.h>
#include <unistd.h>

#include "bpf_call.h"
#include "bpf_info.h"
#include "bpf_insns.h"
#include "bpf_types.h"

#define PLACES_MAX	65536

/* How the program is made and attached. */
static const char *get, *helper;
static unsigned long long cookies[PLACES_MAX];
static unsigned int nr_cookies, nr_programs = 1;
static int answer, pid = -1;
static bool by_ioctl, inherited, tell, may_sleep, is_empty, is_timed;

static int map;

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

/* The value is the length of the stack, or its first address. */
static void emit_stack_helper(bool top)
{
	emit_move(BPF_REG_1, BPF_REG_6);
	emit_stack(BPF_REG_2, 256);
	emit_number(BPF_REG_3, 128);
	emit_number(BPF_REG_4, 0);
	emit_call(BPF_FUNC_get_stack);
	if (top)
		emit(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_7, BPF_REG_10, -256, 0);
	else
		emit_move(BPF_REG_7, BPF_REG_0);
}

static void emit_output_helper(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_PERF_EVENT_ARRAY, .key_size = 4, .value_size = 4,
		.max_entries = 8,
	};
	int output = check(bpf(BPF_MAP_CREATE, &attr), "no map for output");

	emit_move(BPF_REG_1, BPF_REG_6);
	emit_map(BPF_REG_2, output);
	emit(BPF_ALU | BPF_MOV | BPF_K, BPF_REG_3, 0, 0, (int)BPF_F_CURRENT_CPU);
	emit_stack(BPF_REG_4, 8);
	emit_number(BPF_REG_5, 8);
	emit_call(BPF_FUNC_perf_event_output);
	emit_move(BPF_REG_7, BPF_REG_0);
}

static void emit_helper(void)
{
	int hit;

	memcpy(&hit, "hit", sizeof(hit));
	emit(BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, -8, hit);
	emit(BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, -4, 0);
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
	} else if (!strcmp(helper, "stack") || !strcmp(helper, "top")) {
		emit_stack_helper(!strcmp(helper, "top"));
	} else {
		emit_output_helper();
	}
}

/* Count in the first word of the map's value, and leave r7 in the second one. */
static void emit_count(void)
{
	emit(BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, -12, 0);
	emit_stack(BPF_REG_2, 12);
	emit_map(BPF_REG_1, map);
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

/* Returns the number of the function, or of the type of the tracepoint. */
static int find_target(const char *name)
{
	char typedef_name[128];
	int id;

	if (is("tp_btf")) {
		snprintf(typedef_name, sizeof(typedef_name), "btf_trace_%s", name);
		id = find_type(BTF_KIND_TYPEDEF, typedef_name);
	} else {
		id = find_type(BTF_KIND_FUNC, name);
	}
	errno = ENOENT;
	return check(id - !id, "no such type");
}

static void emit_program(void)
{
	nr_insns = 0;
	if (!is_empty) {
		emit_move(BPF_REG_6, BPF_REG_1);
		emit_get();
		emit_helper();
		emit_count();
	}
	emit_number(BPF_REG_0, answer);
	emit(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

/* Only programs that know types are loaded for a certain place. */
static int load_program(const char *name)
{
	static char log[65536];
	union bpf_attr attr = {
		.prog_type = program_type(), .expected_attach_type = attach_type(),
		.insns = pointer(insns), .license = pointer("GPL"),
		.prog_flags = may_sleep ? BPF_F_SLEEPABLE : 0,
		.log_buf = pointer(log), .log_size = sizeof(log), .log_level = 1,
		.attach_btf_id = is_typed() ? find_target(name) : 0,
	};
	int program;

	emit_program();
	attr.insn_cnt = nr_insns;
	program = bpf(BPF_PROG_LOAD, &attr);
	if (program < 0 && getenv("BPF_LOG"))
		fputs(log, stderr);
	return check(program, "not loaded");
}

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
	struct perf_event_attr attr = { .size = sizeof(attr), .inherit = inherited };
	int task = inherited ? 0 : pid;
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
	return check(syscall(__NR_perf_event_open, &attr, task, task == -1 ? 0 : -1, -1,
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
	static const char *names[PLACES_MAX];
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
	static unsigned long offsets[PLACES_MAX];
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

static void parse_cookies(char *text)
{
	char *word;

	while ((word = strsep(&text, ",")) && nr_cookies < PLACES_MAX)
		cookies[nr_cookies++] = strtoull(word, NULL, 0);
}

/* Returns the places: what is given, or the lines of the file, with commas between them. */
static const char *read_places(const char *given)
{
	static char text[4 << 20];
	FILE *f;
	size_t len;

	if (*given != '@')
		return given;
	f = fopen(given + 1, "r");
	if (!f)
		fail("no such file");
	len = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	if (len)
		text[len - 1] = '\0';
	for (char *end = text; (end = strchr(end, '\n'));)
		*end = ',';
	return text;
}

static void parse(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "+r:g:d:c:n:p:f:IilSet")) >= 0) {
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
		else if (option == 'f')
			failing = optarg;
		else if (option == 'I')
			inherited = true;
		else if (option == 'i')
			by_ioctl = true;
		else if (option == 'l')
			tell = true;
		else if (option == 'S')
			may_sleep = true;
		else if (option == 'e')
			is_empty = true;
		else if (option == 't')
			is_timed = true;
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

static int attached[PLACES_MAX];
static unsigned int nr_attached;
static long long attach_time;

static long long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void attach_one(const char *name)
{
	int program = load_program(name);
	long long start = now();

	if (failing)
		check(pwrite(fail_nth, failing, strlen(failing), 0), "no failures on demand");
	attached[nr_attached] = attach(program);
	if (failing)
		print_left();
	attach_time += now() - start;
	nr_attached++;
}

static void attach_all(void)
{
	char *rest, *name;

	for (unsigned int i = 0; i < nr_programs; i++) {
		rest = strdup(place);
		while (is_typed() && (name = strsep(&rest, ",")))
			attach_one(name);
		if (!is_typed())
			attach_one(NULL);
	}
}

static void print_times(void)
{
	long long start = now();

	while (nr_attached)
		close(attached[--nr_attached]);
	printf("attach %lld detach %lld\n", attach_time, now() - start);
}

int main(int argc, char **argv)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 16, .max_entries = 1,
	};

	if (argc < 3) {
		fprintf(stderr, "usage: %s KIND PLACE [OPTION...] -- COMMAND...\n", argv[0]);
		return 2;
	}
	kind = argv[1];
	place = read_places(argv[2]);
	parse(argc - 2, argv + 2);
	if (failing)
		fail_nth = check(open("/proc/self/fail-nth", O_RDWR), "no failures on demand");
	map = check(bpf(BPF_MAP_CREATE, &attr), "no map");
	attach_all();
	if (tell && by_ioctl)
		tell_event(attached[nr_attached - 1]);
	else if (tell)
		tell_link(attached[nr_attached - 1]);
	fflush(stdout);
	run(argv + 2 + optind);
	if (!is_empty)
		print_hits();
	if (is_timed)
		print_times();
	return 0;
}
