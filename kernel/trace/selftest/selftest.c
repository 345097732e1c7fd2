// SPDX-License-Identifier: GPL-2.0
/*
 * Boot-time self-tests (SPEC D16), for everything that can only be tested in a booting kernel.
 * Real call sites are patched and called, and the tracers record what the kernel does.
 *
 * Each test is a row of a table. It prints one line that ends in PASSED, or in FAILED and the
 * reason. A test must undo everything that it registers or sets, even if it fails, because the
 * system continues to boot.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/ring_buffer.h>
#include <linux/trace.h>

#include "dispatch/death.h"
#include "instance/instance.h"
#include "instance/latency.h"
#include "selftest.h"
#include "tracefs/files.h"
#include "tracers/entries.h"
#include "tracers/tracers.h"
#include "types/types.h"

/* ------------------------------------------------------------------ */
/* Tracers								*/

/**
 * struct drained - records found in a buffer
 * @entries: number of records
 * @of_one: number of records of calls of ftrace_selftest_one()
 */
struct drained {
	unsigned int entries;
	unsigned int of_one;
};

/* Return: the call site of a function record; 0 for other records. */
static unsigned long site_of(const struct trace_entry *entry)
{
	switch (entry->type) {
	case TRACE_FN:
		return ((struct function_entry *)entry)->ip;
	case TRACE_GRAPH_ENT:
		return ((struct graph_ent_entry *)entry)->graph_ent.func;
	case TRACE_GRAPH_RET:
		return ((struct graph_ret_entry *)entry)->ret.func;
	}
	return 0;
}

static bool is_of_one(const struct trace_entry *entry)
{
	unsigned long size, offset, ip = site_of(entry);

	return kallsyms_lookup_size_offset(ip, &size, &offset) &&
	       ip - offset == (unsigned long)ftrace_selftest_one;
}

static const char time_went_back[] = "time went backwards";

/* Consume and check all records in the buffer of a CPU. */
static const char *drain_cpu(struct trace_array *tr, int cpu, struct drained *all)
{
	struct ring_buffer_event *event;
	u64 ts, last = 0;

	while ((event = ring_buffer_consume(tr->buffer, cpu, &ts, NULL))) {
		struct trace_entry *entry = ring_buffer_event_data(event);

		if (!entry->type || entry->type >= TRACE_FIRST_EVENT)
			return "an entry of no type";
		if (ts < last)
			return time_went_back;
		last = ts;
		all->entries++;
		all->of_one += is_of_one(entry);
	}
	return NULL;
}

static const char *drain_all_cpus(struct trace_array *tr, struct drained *all)
{
	const char *why = NULL;
	int cpu;

	*all = (struct drained) { };
	for_each_online_cpu(cpu)
		why = why ?: drain_cpu(tr, cpu, all);
	return why;
}

static const char *tracer_records(struct trace_array *tr, unsigned int per_call)
{
	struct drained on, off;
	const char *why;

	call_two();
	call_one();
	tracer_tracing_off(tr);
	why = drain_all_cpus(tr, &on);
	call_one();
	why = why ?: drain_all_cpus(tr, &off);
	tracer_tracing_on(tr);
	return why ?:
	       expect_true(on.of_one == per_call, "one call, but not its entries") ?:
	       expect_true(on.entries == per_call || !IS_ENABLED(CONFIG_DYNAMIC_FTRACE),
			   "not exactly the filtered function was recorded") ?:
	       expect_true(!off.entries, "recorded while tracing was off");
}

static const char *tracer_everything(struct trace_array *tr, unsigned int per_call)
{
	struct drained all;
	const char *why;

	filter_one(false);
	msleep(20);
	trace_array_stop(tr);
	why = drain_all_cpus(tr, &all);
	trace_array_start(tr);
	return why ?: expect_true(!all.entries == !per_call, "wrong with all functions");
}

/* Test a tracer that writes @per_call records for each call. */
static const char *try_tracer(const char *name, unsigned int per_call)
{
	struct trace_array *tr = &global_trace;
	const char *why;

	filter_one(true);
	why = expect_true(!tracing_set_tracer(tr, name), "cannot be selected");
	tracing_reset(tr, RING_BUFFER_ALL_CPUS);
	why = why ?: tracer_records(tr, per_call) ?: tracer_everything(tr, per_call);
	filter_one(false);
	why = expect_true(!tracing_set_tracer(tr, "nop"), "cannot be left") ?: why;
	tracing_reset(tr, RING_BUFFER_ALL_CPUS);
	return why;
}

static const char *test_tracer(const char *name, unsigned int per_call)
{
	const char *why = try_tracer(name, per_call);

	/* x86 refines the rate of its clock once, about a second after it was set up: try again. */
	return why == time_went_back ? try_tracer(name, per_call) : why;
}

static const char *test_nop_tracer(void)
{
	return test_tracer("nop", 0);
}

static const char *test_function_tracer(void)
{
	return test_tracer("function", 1);
}

static __maybe_unused const char *test_function_graph_tracer(void)
{
	return test_tracer("function_graph", 2);
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS

/* Trace the graph of a function that has a direct call, which finds the return address replaced. */
static __maybe_unused const char *test_graph_with_direct_call(void)
{
	static struct ftrace_ops direct;
	unsigned long addr = (unsigned long)ftrace_stub_direct_tramp;
	const char *why;

	if (ftrace_set_filter_ip(&direct, (unsigned long)ftrace_selftest_one, 0, 1) ||
	    register_ftrace_direct(&direct, addr))
		return "the direct call cannot be registered";
	why = test_tracer("function_graph", 2);
	return expect_true(!unregister_ftrace_direct(&direct, addr, true),
			   "the direct call cannot be unregistered") ?: why;
}

#endif

/* An instance that is created before tracefs is initialized, as a driver may do. */
static struct trace_array *early_instance;

static const char *try_instance(struct trace_array *tr)
{
	return expect_true(trace_files_exist(tr), "it has got no files") ?:
	       expect_true(__trace_array_puts(tr, _THIS_IP_, "early\n", 6) == 6,
			   "nothing can be recorded there");
}

static const char *test_early_instance(void)
{
	const char *why;

	if (!early_instance)
		return "it could not be made";
	why = try_instance(early_instance);
	trace_array_put(early_instance);
	return why ?: expect_true(!trace_array_destroy(early_instance), "it stays");
}

/* ------------------------------------------------------------------ */

static const struct selftest tracer_selftests[] = {
	{ "early instance",		test_early_instance },
	{ "tracer nop",			test_nop_tracer },
	{ "tracer function",		test_function_tracer },
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	{ "tracer function_graph",	test_function_graph_tracer },
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS
	{ "tracer function_graph with a direct call",	test_graph_with_direct_call },
#endif
#endif
	{ }
};

/*
 * The tests would disturb tracing that boot parameters have started. Return: such a parameter, or
 * NULL if the boot is not traced.
 */
static const char * __init selftest_find_user(void)
{
	const char *user = tracing_boot_user();

	if (!user && boot_is_filtered())
		return "ftrace_filter= or ftrace_notrace=";
	return user;
}

static int __init make_early_instance(void)
{
	if (tracing_initialized() && !selftest_find_user())
		early_instance = trace_array_get_by_name("selftest", NULL);
	return 0;
}
core_initcall(make_early_instance);

/* Return: the number of tests that failed. */
static unsigned int __init run_tests(const struct selftest *test)
{
	unsigned int failed = 0;

	for (; test->name; test++) {
		const char *why = test->run();

		if (why)
			pr_err("Testing %s: FAILED: %s\n", test->name, why);
		else
			pr_info("Testing %s: PASSED\n", test->name);
		failed += !!why;
	}
	return failed;
}

static int __init ftrace_selftest(void)
{
	unsigned int failed;
	const char *user;

	if (!tracing_initialized() || ftrace_is_dead())
		return 0;
	user = selftest_find_user();
	if (user) {
		pr_info("self-tests left out: the boot is traced (%s)\n", user);
		return 0;
	}
	find_targets();
	failed = run_tests(ops_selftests) + run_tests(tracer_selftests) +
		 run_tests(latency_selftests);
#ifdef CONFIG_EVENT_TRACE_STARTUP_TEST
	failed += run_tests(event_selftests);
#endif
	/* Discard the records and latencies of the tests. */
	tracing_reset(&global_trace, RING_BUFFER_ALL_CPUS);
	latency_reset(&global_trace);
	tracing_shrink(&global_trace);
	return failed ? -EIO : 0;
}
late_initcall(ftrace_selftest);
