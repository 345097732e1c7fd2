// SPDX-License-Identifier: GPL-2.0
/*
 * The perf event ftrace:function: calls of functions as samples (SPEC E4).
 *
 * Each perf event has an ftrace_ops with its own filter. The events that child tasks inherit share
 * it, so fork() and exit change no call site. The callback runs on every CPU, and samples for the
 * perf events that currently count there.
 */
#include <linux/bug.h>
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "internal.h"
#include "record/record.h"

/**
 * struct perf_functions - the functions that a perf event counts
 * @ops: ops with the filter, whose callback is perf_function_called()
 * @events: for each CPU, each &struct perf_event that currently counts there; changed on that CPU
 *	with interrupts disabled
 * @users: number of &struct perf_event: the event, and those that inherit it
 */
struct perf_functions {
	struct ftrace_ops		ops;
	struct hlist_head __percpu	*events;
	refcount_t			users;
};

/* The layout of events/ftrace/function/format, with the alignment that perf needs behind it. */
struct perf_function_record {
	struct trace_entry	ent;
	unsigned long		ip;
	unsigned long		parent_ip;
	u32			end;
} __packed __aligned(sizeof(u32));

static struct trace_event_class perf_function_class = { .system = "ftrace" };

struct trace_event_call perf_function_call = {
	.class		= &perf_function_class,
	.name		= "function",
	.event.type	= TRACE_FN,
};

static struct perf_functions *perf_functions_of(const struct perf_event *event)
{
	return event->pmu_private;
}

/* ------------------------------------------------------------------ */
/* Sampling a call							*/

/* Does not use __perf_regs, which may be in use: functions of perf itself are traced, too. */
static void perf_function_sample(struct hlist_head *events, struct perf_function_record *rec,
				 int context, struct ftrace_regs *fregs)
{
	struct pt_regs mine = {}, *regs = &mine;

	perf_arch_fetch_caller_regs(regs, rec->ip);
	/* Not every architecture sets it in perf_arch_fetch_caller_regs(). */
	instruction_pointer_set(regs, rec->ip);
	/* Begin the stack with the frame of the called function. */
	if (fregs)
		arch_perf_frames_above(regs, arch_perf_frame_of_call(fregs));
	perf_tp_event(TRACE_FN, 1, rec, sizeof(*rec), regs, events, context, NULL);
}

/* Preemption is off, because FTRACE_OPS_FL_RCU makes the callback guarded. */
static void perf_function_called(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				 struct ftrace_regs *fregs)
{
	struct perf_functions *pf = container_of(ops, struct perf_functions, ops);
	struct hlist_head *events = this_cpu_ptr(pf->events);
	struct perf_function_record rec = { .ip = ip, .parent_ip = parent_ip };
	int context;

	if (hlist_empty(events))
		return;
	context = perf_swevent_get_recursion_context();
	if (context < 0)
		return;
	trace_entry_fill(&rec.ent, TRACE_FN, trace_ctx_full(trace_callers_word()), current);
	perf_function_sample(events, &rec, context, fregs);
}

void perf_function_add(struct perf_event *event)
{
	hlist_add_head_rcu(&event->hlist_entry, this_cpu_ptr(perf_functions_of(event)->events));
}

void perf_function_del(struct perf_event *event)
{
	hlist_del_rcu(&event->hlist_entry);
}

/* ------------------------------------------------------------------ */
/* Limiting the functions						*/

/**
 * struct perf_limit - a text that is being applied to the filter of an ops
 * @ops: the ops
 * @begun: for the filter and the notrace filter, true once its first name has replaced the
 *	previous ones
 */
struct perf_limit {
	struct ftrace_ops	*ops;
	bool			begun[2];
};

static int perf_limit_add_name(struct perf_limit *to, char *name, bool not)
{
	int reset = !to->begun[not];

	to->begun[not] = true;
	return not ? ftrace_set_notrace(to->ops, name, name ? strlen(name) : 0, reset) :
		     ftrace_set_filter(to->ops, name, name ? strlen(name) : 0, reset);
}

/* Add ``NAME, NAME ...``; each name may be a glob. */
static int perf_limit_add_names(struct perf_limit *to, char *names, bool not)
{
	char *name;
	int err = -EINVAL;

	while ((name = strsep(&names, " \t,"))) {
		if (!*name)
			continue;
		err = perf_limit_add_name(to, name, not);
		if (err)
			break;
	}
	return err;
}

/* Return: @text without its first character and the last one, @last; NULL if @last is missing. */
static char *perf_limit_strip_ends(char *text, char last)
{
	size_t len = strlen(text);

	if (len < 2 || text[len - 1] != last)
		return NULL;
	text[len - 1] = '\0';
	return strim(text + 1);
}

/* Add ``ip == NAMES`` or ``ip != NAMES``; NAMES may be in quotes, and all in parentheses. */
static int perf_limit_add_comparison(struct perf_limit *to, char *text)
{
	bool not;

	text = strim(text);
	while (text && *text == '(')
		text = perf_limit_strip_ends(text, ')');
	if (!text || !strstarts(text, "ip"))
		return -EINVAL;
	text = skip_spaces(text + strlen("ip"));
	not = strstarts(text, "!=");
	if (!not && !strstarts(text, "=="))
		return -EINVAL;
	text = skip_spaces(text + strlen("=="));
	if (*text == '"' || *text == '\'')
		text = perf_limit_strip_ends(text, *text);
	return text ? perf_limit_add_names(to, text, not) : -EINVAL;
}

/* Add comparisons with || between them. */
static int perf_limit_add_comparisons(struct perf_limit *to, char *text)
{
	char *next;
	int err;

	do {
		next = strstr(text, "||");
		if (next) {
			*next = '\0';
			next += strlen("||");
		}
		err = perf_limit_add_comparison(to, text);
		text = next;
	} while (!err && text);
	return err;
}

static int perf_limit_apply(struct ftrace_ops *ops, const char *text)
{
	char *copy __free(kfree) = kstrdup(text, GFP_KERNEL);
	struct perf_limit to = { .ops = ops };
	int err;

	if (!copy)
		return -ENOMEM;
	err = perf_limit_add_comparisons(&to, copy);
	/* Reset a filter to which the text adds no name. */
	for (int not = 0; !err && not < ARRAY_SIZE(to.begun); not++)
		if (!to.begun[not])
			err = perf_limit_add_name(&to, NULL, not);
	return err;
}

/* Check @text by applying it to an ops that is not registered. */
static int perf_limit_check(const char *text)
{
	struct ftrace_ops trial = { .func = ftrace_stub };
	int err = perf_limit_apply(&trial, text);

	ftrace_free_filter(&trial);
	return err;
}

/* Serializes perf_function_limit(). */
static DEFINE_MUTEX(functions_lock);

int perf_function_limit(struct perf_event *event, const char *text)
{
	int err = perf_limit_check(text);

	if (err)
		return err;
	guard(mutex)(&functions_lock);
	return perf_limit_apply(&perf_functions_of(event)->ops, text);
}

/* ------------------------------------------------------------------ */
/* Opening and closing							*/

/*
 * Counting functions shows the execution of the whole kernel, so it needs permission. A sample
 * must not read user memory: the read may fault, and each function called by the fault would be
 * another sample.
 */
static int perf_function_check_permission(struct perf_event *event)
{
	int err = perf_allow_tracepoint();

	if (err || !is_sampling_event(event))
		return err;
	return !event->attr.exclude_callchain_user ||
	       event->attr.sample_type & PERF_SAMPLE_STACK_USER ? -EINVAL : 0;
}

static void perf_functions_free(struct perf_functions *pf)
{
	ftrace_free_filter(&pf->ops);
	free_percpu(pf->events);
	kfree(pf);
}

static struct perf_functions *perf_functions_alloc(void)
{
	struct perf_functions *pf = kzalloc(sizeof(*pf), GFP_KERNEL);

	if (!pf)
		return NULL;
	pf->ops.func = perf_function_called;
	pf->ops.flags = FTRACE_OPS_FL_RCU;
	refcount_set(&pf->users, 1);
	pf->events = alloc_percpu(struct hlist_head);
	if (!pf->events) {
		kfree(pf);
		return NULL;
	}
	return pf;
}

static int perf_functions_open(struct perf_event *event)
{
	struct perf_functions *pf;
	int err = perf_function_check_permission(event);

	if (err)
		return err;
	pf = perf_functions_alloc();
	if (!pf)
		return -ENOMEM;
	err = register_ftrace_function(&pf->ops);
	if (err) {
		perf_functions_free(pf);
		return err;
	}
	event->pmu_private = pf;
	return 0;
}

int perf_function_init(struct perf_event *event)
{
	int err = 0;

	if (event->parent) {
		event->pmu_private = perf_functions_of(event->parent);
		refcount_inc(&perf_functions_of(event)->users);
	} else {
		err = perf_functions_open(event);
	}
	if (!err)
		event->tp_event = &perf_function_call;
	return err;
}

void perf_function_destroy(struct perf_event *event)
{
	struct perf_functions *pf = perf_functions_of(event);

	if (!refcount_dec_and_test(&pf->users))
		return;
	/* Keep the memory if the ops cannot be unregistered. */
	if (!WARN_ON_ONCE(unregister_ftrace_function(&pf->ops)))
		perf_functions_free(pf);
}
