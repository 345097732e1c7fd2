// SPDX-License-Identifier: GPL-2.0
/*
 * A program for probes.
 *
 * probed offsets: prints lines with a name and the file offset of its functions and data.
 * probed call VALUE: calls user_args() with VALUE and -2, user_text() with "user text", and
 *	user_page() with the address of a page that was not read yet and begins with \177ELF.
 * probed calls: calls user_args() until it is killed.
 * probed counter: prints the reference counter, which is incremented while a probe names it.
 * probed byte: prints the first byte of user_args().
 * probed child: prints the same in a child that has called user_args().
 * probed bytes: prints the same for each line on stdin.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The compiler knows nothing about these functions at their calls. */
#define probed __attribute__((noipa))

static const char user_word[8] = "a word";

/* The file contains this structure, because not all of it is 0. */
static struct {
	unsigned short	used;
	unsigned short	counter;
} user_data = { .used = 1 };

/* Prevents that the compiler omits a value. */
static void use(long value)
{
	__asm__ volatile("" : : "r" (value));
}

long probed user_args(long a, long b)
{
	__asm__ volatile("" : "+r" (a));
	return a + b;
}

const char *probed user_text(const char *text)
{
	__asm__ volatile("" : "+r" (text));
	return text + 5;
}

int probed user_page(const void *page)
{
	__asm__ volatile("" : "+r" (page));
	return 0;
}

/* Returns the file offset of what is mapped at @at. */
static unsigned long offset_of(unsigned long at)
{
	unsigned long from, to, offset, found = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];

	if (!maps)
		err(errno, "maps");
	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %*s %lx", &from, &to, &offset) == 3 && at >= from &&
		    at < to)
			found = offset + at - from;
	fclose(maps);
	return found;
}

static void tell(const char *name, const void *at)
{
	printf("%s 0x%lx\n", name, offset_of((unsigned long)at));
}

static void tell_all(void)
{
	tell("user_args", user_args);
	tell("user_text", user_text);
	tell("user_page", user_page);
	tell("user_word", user_word);
	tell("user_counter", &user_data.counter);
}

static void call(long value)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	void *page = mmap(NULL, getpagesize(), PROT_READ, MAP_PRIVATE, fd, 0);

	if (page == MAP_FAILED)
		err(errno, "mmap");
	use(user_args(value, -2));
	use(*user_text("user text"));
	use(user_page(page));
}

static void call_on_and_on(void)
{
	for (;;)
		use(user_args(1, 2));
}

/* Returns the counter, which the kernel changes. */
static unsigned int counter(void)
{
	const unsigned short *at = &user_data.counter;

	__asm__ volatile("" : "+r" (at) : : "memory");
	return *at;
}

static void byte(void)
{
	printf("%02x\n", __atomic_load_n((unsigned char *)user_args, __ATOMIC_RELAXED));
	fflush(stdout);
}

static void child(void)
{
	pid_t pid = fork();

	if (!pid) {
		use(user_args(1, 2));
		byte();
		exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void bytes(void)
{
	char line[16];

	while (fgets(line, sizeof(line), stdin))
		byte();
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "offsets"))
		tell_all();
	else if (argc == 3 && !strcmp(argv[1], "call"))
		call(strtol(argv[2], NULL, 0));
	else if (argc == 2 && !strcmp(argv[1], "calls"))
		call_on_and_on();
	else if (argc == 2 && !strcmp(argv[1], "counter"))
		printf("%u\n", counter());
	else if (argc == 2 && !strcmp(argv[1], "byte"))
		byte();
	else if (argc == 2 && !strcmp(argv[1], "child"))
		child();
	else if (argc == 2 && !strcmp(argv[1], "bytes"))
		bytes();
	else
		errx(EINVAL, "usage: probed offsets|call VALUE|calls|counter|byte|bytes|child");
	return 0;
}
