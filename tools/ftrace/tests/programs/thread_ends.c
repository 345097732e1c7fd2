// SPDX-License-Identifier: GPL-2.0
/*
 * thread_ends: starts a thread that ends at once, prints its id, and waits until it is killed.
 */
#include <err.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *thread(void *id)
{
	*(long *)id = syscall(SYS_gettid);
	return NULL;
}

int main(void)
{
	pthread_t of;
	long id;

	if (pthread_create(&of, NULL, thread, &id) || pthread_join(of, NULL))
		errx(1, "no thread");
	printf("%ld\n", id);
	fflush(stdout);
	for (;;)
		pause();
}
