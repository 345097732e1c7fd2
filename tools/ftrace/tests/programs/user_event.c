// SPDX-License-Identifier: GPL-2.0
/*
 * A program with user events. It executes its arguments one after the other, and prints the result
 * of each: a number, or the name of an errno.
 *
 * open, look, close: open user_events_data, open it for reading only, close it
 * reg BIT TEXT, persist BIT TEXT, multi BIT TEXT, flags N BIT TEXT: register an event
 * const BIT TEXT: register an event, with a structure in read-only memory
 * unreg BIT: unregister the enable bit
 * del NAME: delete an event
 * write SLOT ITEMS: write a record; the items, separated by blanks, are 1:N, 2:N, 4:N and 8:N for
 *	numbers, t:TEXT for a string with a NUL, r:TEXT for one without, and z:N for N zero bytes
 * bits: print the word with the enable bits
 * size N, at OFFSET: set the size of that word, and its offset in its page
 * sh COMMAND: run a shell command
 * child ... end, thread ... end: execute this in a child or a thread, and wait for its end
 * exec: execute the rest by exec() of this program
 * cut: unmap the page of the enable bits
 * readonly: make the page read-only
 * fault: write a record from memory that is not mapped
 * races: write records from memory that another thread changes continuously
 * both: let two threads register the same bit concurrently, repeatedly
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/user_events.h>

#define DATA	"/sys/kernel/tracing/user_events_data"

static char **words;
static char *page;
static unsigned int offset, size = 4;
static int fd = -1;

static char *next(void)
{
	if (!*words)
		errx(1, "an argument is missing");
	return *words++;
}

static unsigned long number(void)
{
	return strtoul(next(), NULL, 0);
}

static void tell(const char *what, long ret)
{
	if (ret < 0)
		printf("%s: %s\n", what, strerrorname_np(errno));
	else
		printf("%s: %ld\n", what, ret);
}

/* Registers with a structure in read-only memory, to which the kernel cannot write the result. */
static void reg_const(const char *what)
{
	struct user_reg *reg = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (reg == MAP_FAILED)
		err(1, "mmap");
	reg->size = sizeof(*reg);
	reg->enable_size = size;
	reg->enable_addr = (unsigned long)(page + offset);
	reg->enable_bit = number();
	reg->name_args = (unsigned long)next();
	mprotect(reg, getpagesize(), PROT_READ);
	tell(what, ioctl(fd, DIAG_IOCSREG, reg));
	munmap(reg, getpagesize());
}

static void reg(const char *what, unsigned int flags)
{
	struct user_reg reg = {
		.size		= sizeof(reg),
		.enable_size	= size,
		.flags		= flags,
		.enable_addr	= (unsigned long)(page + offset),
	};
	long ret;

	reg.enable_bit = number();
	reg.name_args = (unsigned long)next();
	ret = ioctl(fd, DIAG_IOCSREG, &reg);
	tell(what, ret < 0 ? ret : (long)reg.write_index);
}

static void unreg(void)
{
	struct user_unreg unreg = {
		.size		= sizeof(unreg),
		.disable_addr	= (unsigned long)(page + offset),
	};

	unreg.disable_bit = number();
	tell("unreg", ioctl(fd, DIAG_IOCSUNREG, &unreg));
}

static size_t put_number(char *to, unsigned int bytes, uint64_t n)
{
	switch (bytes) {
	case 1:
		*(uint8_t *)to = n;
		break;
	case 2:
		memcpy(to, &(uint16_t){ n }, 2);
		break;
	case 4:
		memcpy(to, &(uint32_t){ n }, 4);
		break;
	default:
		memcpy(to, &n, 8);
	}
	return bytes;
}

static size_t put(char *to, const char *item)
{
	const char *value = item + 2;

	switch (*item) {
	case 't':
		memcpy(to, value, strlen(value) + 1);
		return strlen(value) + 1;
	case 'r':
		memcpy(to, value, strlen(value));
		return strlen(value);
	case 'z':
		memset(to, 0, strtoul(value, NULL, 0));
		return strtoul(value, NULL, 0);
	default:
		return put_number(to, *item - '0', strtoull(value, NULL, 0));
	}
}

static void write_record(void)
{
	static char rec[1 << 17];
	int slot = number();
	size_t len = put_number(rec, 4, slot);
	char *item, *items = strdup(next());

	while ((item = strsep(&items, " ")))
		if (*item)
			len += put(rec + len, item);
	tell("write", write(fd, rec, len));
}

static void write_fault(void)
{
	char *two = mmap(NULL, 2 * getpagesize(), PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *rec = two + getpagesize() - 8;

	munmap(two + getpagesize(), getpagesize());
	memset(rec, 0, 8);
	tell("write", write(fd, rec, 16));
}

static void tell_bits(void)
{
	if (size == 4)
		printf("bits: %#x\n",
		       __atomic_load_n((uint32_t *)(page + offset), __ATOMIC_RELAXED));
	else
		printf("bits: %#lx\n",
		       __atomic_load_n((unsigned long *)(page + offset), __ATOMIC_RELAXED));
}

static void run(const char *command)
{
	int status = system(command);

	if (status)
		errx(1, "%s: %d", command, status);
}

static void obey(void);

/* Executes the words up to "end", in a thread. */
static void *obey_part(void *unused)
{
	obey();
	return NULL;
}

static void skip_part(void)
{
	while (strcmp(next(), "end"))
		;
}

static void have_child(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		obey();
		exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		err(1, "fork");
	if (status)
		errx(1, "a child: %d", status);
	skip_part();
}

static void thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, obey_part, NULL))
		errx(1, "pthread_create");
	pthread_join(thread, NULL);
}

static void new_page(void)
{
	page = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	if (page == MAP_FAILED)
		err(1, "mmap");
	memset(page, 0, getpagesize());
}

static int ends;

/* Changes the length of a string between a valid and an invalid value. */
static void *change(void *at)
{
	uint16_t *len = at;

	/* With one CPU the other thread only runs when this one yields. */
	while (!__atomic_load_n(&ends, __ATOMIC_RELAXED)) {
		__atomic_store_n(len, 8, __ATOMIC_RELAXED);
		sched_yield();
		__atomic_store_n(len, 0x7fff, __ATOMIC_RELAXED);
		sched_yield();
	}
	return NULL;
}

/* Writes a record with one string of 8 bytes. The upper half of a __rel_loc is the length. */
static void write_changed(void)
{
	static struct {
		int32_t slot;
		uint32_t loc;
		char text[8];
	} rec = { .text = "1234567" };
	long done = 0, refused = 0;
	pthread_t thread;
	uint16_t *len = (uint16_t *)&rec.loc;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	len++;
#endif
	rec.slot = number();
	ends = 0;
	if (pthread_create(&thread, NULL, change, len))
		errx(1, "pthread_create");
	while ((done < 100 || refused < 100) && done + refused < 1000000) {
		if (write(fd, &rec, sizeof(rec)) == sizeof(rec))
			done++;
		else
			refused++;
	}
	__atomic_store_n(&ends, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	printf("races: %s\n", done >= 100 && refused >= 100 ? "both" : "only one");
}

/* Returns the number of rounds, of a hundred, in which this thread has registered the bit. */
static void *register_in_rounds(void *rounds)
{
	struct user_reg reg = {
		.size		= sizeof(reg),
		.enable_size	= size,
		.enable_addr	= (unsigned long)(page + offset),
		.name_args	= (unsigned long)"both",
	};
	long done = 0;

	for (int i = 0; i < 100; i++) {
		pthread_barrier_wait(rounds);
		done += !ioctl(fd, DIAG_IOCSREG, &reg);
		pthread_barrier_wait(rounds);
		/* One of the two threads unregisters the bit. */
		ioctl(fd, DIAG_IOCSUNREG, &(struct user_unreg){
			.size		= sizeof(struct user_unreg),
			.disable_addr	= (unsigned long)(page + offset),
		});
	}
	return (void *)done;
}

static void register_both(void)
{
	pthread_barrier_t rounds;
	pthread_t thread;
	void *done;
	long sum;

	pthread_barrier_init(&rounds, NULL, 2);
	if (pthread_create(&thread, NULL, register_in_rounds, &rounds))
		errx(1, "pthread_create");
	sum = (long)register_in_rounds(&rounds);
	pthread_join(thread, &done);
	printf("both: %ld\n", sum + (long)done);
}

static void do_word(const char *word)
{
	if (!strcmp(word, "open")) {
		fd = open(DATA, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			tell(word, fd);
	} else if (!strcmp(word, "look")) {
		fd = open(DATA, O_RDONLY | O_CLOEXEC);
	} else if (!strcmp(word, "close")) {
		close(fd);
	} else if (!strcmp(word, "reg")) {
		reg(word, 0);
	} else if (!strcmp(word, "const")) {
		reg_const(word);
	} else if (!strcmp(word, "persist")) {
		reg(word, USER_EVENT_REG_PERSIST);
	} else if (!strcmp(word, "multi")) {
		reg(word, USER_EVENT_REG_MULTI_FORMAT);
	} else if (!strcmp(word, "flags")) {
		reg(word, number());
	} else if (!strcmp(word, "unreg")) {
		unreg();
	} else if (!strcmp(word, "del")) {
		tell(word, ioctl(fd, DIAG_IOCSDEL, next()));
	} else if (!strcmp(word, "write")) {
		write_record();
	} else if (!strcmp(word, "bits")) {
		tell_bits();
	} else if (!strcmp(word, "size")) {
		size = number();
	} else if (!strcmp(word, "at")) {
		offset = number();
	} else if (!strcmp(word, "sh")) {
		run(next());
	} else if (!strcmp(word, "child")) {
		have_child();
	} else if (!strcmp(word, "thread")) {
		thread();
	} else if (!strcmp(word, "exec")) {
		execv("/proc/self/exe", words - 1);
		err(1, "exec");
	} else if (!strcmp(word, "cut")) {
		munmap(page, getpagesize());
	} else if (!strcmp(word, "readonly")) {
		mprotect(page, getpagesize(), PROT_READ);
	} else if (!strcmp(word, "fault")) {
		write_fault();
	} else if (!strcmp(word, "races")) {
		write_changed();
	} else if (!strcmp(word, "both")) {
		register_both();
	} else {
		errx(1, "unknown argument: %s", word);
	}
}

static void obey(void)
{
	const char *word;

	while (*words) {
		word = next();
		if (!strcmp(word, "end"))
			return;
		do_word(word);
	}
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	words = argv + 1;
	new_page();
	obey();
	return 0;
}
