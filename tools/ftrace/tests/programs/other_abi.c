// SPDX-License-Identifier: GPL-2.0
/*
 * other_abi: calls getppid() as a 32-bit program does, by another number. Prints the result. If the
 * kernel does not support 32-bit system calls, it prints nothing, and exits with 1.
 */
#include <stdio.h>
#include <unistd.h>

#ifdef __x86_64__
#define GETPPID_32	64

static long ask(void)
{
	long ret;

	asm volatile("int $0x80" : "=a" (ret) : "a" (GETPPID_32)
		     : "memory", "r8", "r9", "r10", "r11");
	return ret;
}
#else
static long ask(void)
{
	return -1;
}
#endif

int main(void)
{
	long parent = ask();

	if (parent != getppid())
		return 1;
	printf("%ld\n", parent);
	return 0;
}
