// SPDX-License-Identifier: GPL-2.0
/*
 * perf_tp [-aisTu] [-p PERIOD] [-F BAD] [-f FILTER] ID COMMAND...: runs the command and prints the
 * number of hits of the event ID in it. With -i it also counts forked tasks, and requests the
 * records, which needs privilege. With -a it counts on all CPUs, and with -u only in user mode. BAD
 * is a filter that the kernel has to reject first. With -T it also has to reject a second filter.
 *
 * ID can also be kprobe:SYMBOL+OFFSET, kprobe:0xADDRESS or uprobe:OFFSET[(COUNTER)]:FILE, or one of
 * these with an r in front for a return probe.
 *
 * With -s it prints a line for each hit, or for each PERIODth on a CPU: id and pid in the record,
 * bytes of the record, address of the sample, and the first two addresses of its call chain behind
 * the context mark.
 */
#include <err.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CPUS_MAX	16
#define DATA_PAGES	64

static struct perf_event_attr attr = {
	.type		= PERF_TYPE_TRACEPOINT,
	.size		= sizeof(attr),
	.disabled	= 1,
};

static bool all, samples, twice;
static unsigned long period = 1;
static const char *filter, *bad;
static int fds[CPUS_MAX], cpus;
static void *rings[CPUS_MAX];
static size_t page;

/* Starts a child that waits until the events are open. */
static pid_t start(char **command, int go[2])
{
	pid_t child = fork();
	char c;

	if (child)
		return child;
	close(go[1]);
	if (read(go[0], &c, 1) != 1)
		exit(1);
	execvp(command[0], command);
	err(errno, "%s", command[0]);
}

static void open_on(int cpu, pid_t pid)
{
	int fd = syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		err(errno, "perf_event_open");
	if (bad && !ioctl(fd, PERF_EVENT_IOC_SET_FILTER, bad))
		errx(1, "accepted %s", bad);
	if (filter && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter))
		err(errno, "filter");
	if (twice && (!ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter) || errno != EEXIST))
		err(1, "accepted a second filter");
	if (samples) {
		rings[cpu] = mmap(NULL, page * (DATA_PAGES + 1), PROT_READ | PROT_WRITE,
				  MAP_SHARED, fd, 0);
		if (rings[cpu] == MAP_FAILED)
			err(errno, "mmap");
	}
	fds[cpu] = fd;
}

static void enable(bool on)
{
	for (int cpu = 0; cpu < cpus; cpu++)
		if (ioctl(fds[cpu], on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0))
			err(errno, "enable");
}

static unsigned long long count(void)
{
	unsigned long long value, sum = 0;

	for (int cpu = 0; cpu < cpus; cpu++) {
		if (read(fds[cpu], &value, sizeof(value)) != sizeof(value))
			err(errno, "read");
		sum += value;
	}
	return sum;
}

/* Copies from the ring. A sample may continue at its beginning. */
static void copy(void *to, const void *ring, uint64_t at, size_t len)
{
	const char *data = (const char *)ring + page;

	for (size_t i = 0; i < len; i++)
		((char *)to)[i] = data[(at + i) % (page * DATA_PAGES)];
}

static void show(const char *sample)
{
	uint64_t ip, nr, chain[2] = { 0, 0 };
	const char *raw;
	uint16_t type;
	uint32_t size;
	int32_t pid;

	memcpy(&ip, sample, 8);
	memcpy(&nr, sample + 8, 8);
	/* The first address is PERF_CONTEXT_KERNEL. */
	for (int i = 0; i < 2; i++)
		if (nr > (uint64_t)i + 1)
			memcpy(&chain[i], sample + 16 + 8 * (i + 1), 8);
	raw = sample + 16 + nr * 8;
	memcpy(&size, raw, 4);
	memcpy(&type, raw + 4, 2);
	memcpy(&pid, raw + 8, 4);
	printf("%u %d %u %llx %llx %llx\n", type, pid, size, (unsigned long long)ip,
	       (unsigned long long)chain[0], (unsigned long long)chain[1]);
}

static void show_all(const void *ring)
{
	const struct perf_event_mmap_page *head = ring;
	struct perf_event_header header;
	static char sample[1 << 16];

	for (uint64_t at = 0; at < head->data_head; at += header.size) {
		copy(&header, ring, at, sizeof(header));
		copy(sample, ring, at + sizeof(header), header.size - sizeof(header));
		if (header.type == PERF_RECORD_SAMPLE)
			show(sample);
	}
}

static unsigned int pmu_type(const char *pmu)
{
	char path[64];
	unsigned int type;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", pmu);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%u", &type) != 1)
		err(errno, "%s", path);
	fclose(f);
	return type;
}

static void kprobe(char *place)
{
	char *plus = strchr(place, '+');

	attr.type = pmu_type("kprobe");
	if (!strncmp(place, "0x", 2)) {
		attr.kprobe_addr = strtoull(place, NULL, 0);
		return;
	}
	if (plus) {
		*plus++ = '\0';
		attr.probe_offset = strtoull(plus, NULL, 0);
	}
	attr.kprobe_func = (unsigned long)place;
}

static void uprobe(char *place)
{
	char *end;

	attr.type = pmu_type("uprobe");
	attr.probe_offset = strtoull(place, &end, 0);
	if (*end == '(') {
		attr.config |= strtoull(end + 1, &end, 0) << 32;
		end++;
	}
	attr.uprobe_path = (unsigned long)(end + 1);
}

static void what(char *id)
{
	bool returns = *id == 'r';

	attr.config = returns;
	id += returns;
	if (!strncmp(id, "kprobe:", 7))
		kprobe(id + 7);
	else if (!strncmp(id, "uprobe:", 7))
		uprobe(id + 7);
	else
		attr.config = strtoull(id, NULL, 0);
}

static char **options(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "+aisuTf:F:p:")) > 0) {
		all |= option == 'a';
		samples |= option == 's';
		twice |= option == 'T';
		if (option == 'i') {
			attr.inherit = 1;
			attr.sample_type |= PERF_SAMPLE_RAW;
		}
		if (option == 'u')
			attr.exclude_kernel = 1;
		if (option == 'f')
			filter = optarg;
		if (option == 'F')
			bad = optarg;
		if (option == 'p')
			period = strtoul(optarg, NULL, 0);
	}
	if (argc - optind < 2)
		errx(EINVAL,
		     "usage: perf_tp [-aisTu] [-p PERIOD] [-F BAD] [-f FILTER] ID COMMAND...");
	what(argv[optind]);
	if (samples) {
		attr.sample_period = period;
		attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW;
		attr.exclude_callchain_user = 1;
	}
	return argv + optind + 1;
}

int main(int argc, char **argv)
{
	char **command = options(argc, argv);
	int go[2], status;
	pid_t child;

	page = sysconf(_SC_PAGESIZE);
	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (cpus > CPUS_MAX)
		errx(EINVAL, "more than %d CPUs", CPUS_MAX);
	if (pipe(go))
		err(errno, "pipe");
	child = start(command, go);
	for (int cpu = 0; cpu < cpus; cpu++)
		open_on(cpu, all ? -1 : child);
	enable(true);
	if (write(go[1], "", 1) != 1 || waitpid(child, &status, 0) != child)
		err(errno, "wait");
	enable(false);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		errx(1, "%s failed", command[0]);
	for (int cpu = 0; samples && cpu < cpus; cpu++)
		show_all(rings[cpu]);
	if (!samples)
		printf("%llu\n", count());
	return 0;
}
