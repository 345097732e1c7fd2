// SPDX-License-Identifier: GPL-2.0
/*
 * A program with events of its own. Its arguments are what it does, one after another, and it
 * prints what came of each: a number, or the name of an errno.
 *
 * open, look, close: user_events_data, the second one for reading alone
 * reg BIT TEXT, persist BIT TEXT, multi BIT TEXT, flags N BIT TEXT: register
 * const BIT TEXT: with a structure that cannot be written
 * unreg BIT, del NAME
 * write SLOT ITEMS: a record; items with blanks between them are 1:N, 2:N, 4:N and 8:N for
 *	numbers, t:TEXT for one that ends by a NUL, r:TEXT for one that does not, and z:N for
 *	N bytes
 * bits: the word that the bits are in
 * size N, at OFFSET: of that word, and in its page
 * sh COMMAND: have it done
 * child ... end, thread ... end: a child, or a thread, does that, and is waited for
 * exec: the rest is done by this program again
 * cut: the page of the bits is gone
 * readonly: it can only be read
 * fault: what a record is read from is not there
 * races: a record is written from memory that another thread changes all the time
 * both: two threads register one bit at a time, again and again
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
		errx(1, "there is a word missing");
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

/* A structure that cannot be written: what it holds is known, and nothing is told of it. */
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

/* Up to the word "end", which the rest is behind. */
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

/* The length of a text, which holds, and does not, and holds... */
static void *change(void *at)
{
	uint16_t *len = at;

	/* On one CPU it is left where a task lets others run. */
	while (!__atomic_load_n(&ends, __ATOMIC_RELAXED)) {
		__atomic_store_n(len, 8, __ATOMIC_RELAXED);
		sched_yield();
		__atomic_store_n(len, 0x7fff, __ATOMIC_RELAXED);
		sched_yield();
	}
	return NULL;
}

/* One text: u32, and 8 bytes of it. A __rel_loc has its length in the upper half. */
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

/* Return: how many of a hundred rounds it could register the bit in. */
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
		/* Whoever comes first takes it away again. */
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
		errx(1, "%s: what is that?", word);
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
