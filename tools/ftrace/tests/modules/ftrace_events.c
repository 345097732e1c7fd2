// SPDX-License-Identifier: GPL-2.0
/*
 * A module with events. A write of a number to the parameter "happen" triggers each event once
 * with this number, on one CPU. "wanted" is the number of users of the event wanted.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#define CREATE_TRACE_POINTS
#include "ftrace_events.h"

static int wanted;
module_param(wanted, int, 0400);

int events_wanted(void)
{
	wanted++;
	return 0;
}

void events_unwanted(void)
{
	wanted--;
}

/* One page from vmalloc(); the page behind it is not mapped. */
static char *kept;

/* A constant string, NULL, an address that cannot be read, and a string that may change. */
static void point(void)
{
	trace_pointing("is here");
	trace_pointing(NULL);
	trace_pointing(kept + PAGE_SIZE);
	trace_pointing(kept);
}

static void lengthen(void)
{
	trace_lengthy("short", 4);
	trace_lengthy("long", 3000);
	trace_lengthy("short", 4);
}

/* Records of all lengths, from short ones to those that are copied in another way. */
static void count_words(void)
{
	for (int count = 1; count <= 24; count++)
		trace_words(count);
}

/* The first record is followed by another one. */
static void leave_open(void)
{
	trace_unended(4);
	trace_unended(8);
}

/* Longer than a scratch record, and than a sub-buffer of one page. */
#define MUCH	5000

/* Text of the event behind: MUCH bytes long for this value. */
static const char *text_for(int value)
{
	static char much[MUCH];

	if (value != MUCH)
		return "some text";
	memset(much, 'x', MUCH - 1);
	return much;
}

static noinline __printf(1, 2) void speak(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	trace_spoken(fmt, &args);
	va_end(args);
}

static int happen_set(const char *text, const struct kernel_param *kp)
{
	static const unsigned long bits[] = { 0x15, 2, 0 };
	int value, list[] = { 1, 2, 3 }, err = kstrtoint(text, 0, &value);

	if (err)
		return err;
	if (value < 0)
		list[2] = value;
	trace_numbers(value);
	trace_behind(text_for(value), list, ARRAY_SIZE(list), cpumask_of(0), bits);
	trace_related("relative", 3, bits);
	trace_one_of_them(value, (void *)0x1234);
	trace_other_words(value, NULL);
	trace_odd_ones(value, NULL);
	trace_wanted(value, NULL);
	trace_wide((1ULL << 40) | 1, 5000000000ULL + value);
	speak("%d %s %d", value, "and", value + 1);
	if (trace_pointing_enabled())
		point();
	if (trace_lengthy_enabled())
		lengthen();
	if (trace_words_enabled())
		count_words();
	if (trace_unended_enabled())
		leave_open();
	return 0;
}

static const struct kernel_param_ops happen_ops = {
	.set = happen_set,
};

module_param_cb(happen, &happen_ops, NULL, 0200);
MODULE_PARM_DESC(happen, "triggers the events with this number");

static int __init events_test_init(void)
{
	kept = vmalloc(PAGE_SIZE);
	if (!kept)
		return -ENOMEM;
	strscpy(kept, "held", PAGE_SIZE);
	return 0;
}

static void __exit events_test_exit(void)
{
	vfree(kept);
}

module_init(events_test_init);
module_exit(events_test_exit);
MODULE_DESCRIPTION("Events with a field of each kind, for the tracer's tests");
MODULE_LICENSE("GPL");
