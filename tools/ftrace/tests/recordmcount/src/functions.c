// SPDX-License-Identifier: GPL-2.0
/*
 * Functions in each kind of section, for golden/functions.*: what calls the
 * profiling function, and of these what is recorded.
 */
#define section(name)	__attribute__((section(name), noinline, noclone))
#define keep		__attribute__((noinline, noclone, used))
#define notrace		__attribute__((no_instrument_function))

int sink;

int first(int x)
{
	sink += x;
	return x + 1;
}

static keep int local_function(int x)
{
	return first(x) * 3;
}

__attribute__((weak)) int weak_function(int x)
{
	return local_function(x) - 1;
}

notrace int untraced(int x)
{
	return x * 7;
}

static keep int in_the_middle(int x)
{
	return weak_function(x) + untraced(x);
}

section(".text.unlikely") int cold(int x)
{
	return in_the_middle(x) + 2;
}

section(".text.exit") int destructor(int x)
{
	return first(x) + 3;
}

section(".init.text") int at_init(int x)
{
	return first(x) + 4;
}

section(".ref.text") int reference(int x)
{
	return first(x) + 5;
}

section(".sched.text") int scheduling(int x)
{
	return first(x) + 6;
}

section(".spinlock.text") int locking(int x)
{
	return first(x) + 7;
}

section(".irqentry.text") int interrupt(int x)
{
	return first(x) + 8;
}

section(".softirqentry.text") int soft_interrupt(int x)
{
	return first(x) + 9;
}

section(".kprobes.text") int probed(int x)
{
	return first(x) + 10;
}

section(".cpuidle.text") int idling(int x)
{
	return first(x) + 11;
}

section(".exit.text") int at_exit(int x)
{
	return first(x) + 12;
}

section(".exit.text") int at_exit_too(int x)
{
	return first(x) + 13;
}

section(".head.text") int before_all(int x)
{
	return first(x) + 14;
}

section(".noinstr.text") int uninstrumented(int x)
{
	return first(x) + 15;
}

section(".textual") int not_quite_text(int x)
{
	return first(x) + 16;
}

int (*table[])(int) = { first, cold, untraced };
