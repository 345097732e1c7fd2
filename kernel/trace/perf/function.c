// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace:function of perf: the calls of functions as samples (SPEC E4).
 *
 * A perf event is a user of functions by itself, with a filter of its own, and those that
 * what it watches inherits share it: to fork() or to end changes no call site. The callback
 * is called on every CPU, and looks for events that count there now.
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
 * struct perf_functions - some functions that perf watches
 * @ops: calls called()
 * @events: of each CPU, the &struct perf_event that count there now, changed there with
 *	interrupts disabled
 * @users: how many &struct perf_event there are: one, and those that inherit it
 */
struct perf_functions {
	struct ftrace_ops		ops;
	struct hlist_head __percpu	*events;
	refcount_t			users;
};

/* As in events/ftrace/function/format; and perf wants the end of it to be aligned so. */
struct function_record {
	struct trace_entry	ent;
	unsigned long		ip;
	unsigned long		parent_ip;
	u32			end;
} __packed __aligned(sizeof(u32));

static struct trace_event_class function_class = { .system = "ftrace" };

struct trace_event_call perf_function_call = {
	.class		= &function_class,
	.name		= "function",
	.event.type	= TRACE_FN,
};

static struct perf_functions *functions_of(const struct perf_event *event)
{
	return event->pmu_private;
}

/* ------------------------------------------------------------------ */
/* A call								*/

/* What is in __perf_regs may be in use: perf's own functions are among those called here. */
static void sample(struct hlist_head *events, struct function_record *rec, int context,
		   struct ftrace_regs *fregs)
{
	struct pt_regs mine = {}, *regs = &mine;

	perf_arch_fetch_caller_regs(regs, rec->ip);
	/* Not every architecture has that. */
	instruction_pointer_set(regs, rec->ip);
	/* The frame of the function itself is the first one that is not below. */
	if (fregs)
		arch_perf_frames_above(regs, arch_perf_frame_of_call(fregs));
	perf_tp_event(TRACE_FN, 1, rec, sizeof(*rec), regs, events, context, NULL);
}

/* Preemption is off: FTRACE_OPS_FL_RCU is guarded. */
static void called(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		   struct ftrace_regs *fregs)
{
	struct perf_functions *pf = container_of(ops, struct perf_functions, ops);
	struct hlist_head *events = this_cpu_ptr(pf->events);
	struct function_record rec = { .ip = ip, .parent_ip = parent_ip };
	int context;

	if (hlist_empty(events))
		return;
	context = perf_swevent_get_recursion_context();
	if (context < 0)
		return;
	trace_entry_fill(&rec.ent, TRACE_FN, trace_ctx_full(trace_callers_word()), current);
	sample(events, &rec, context, fregs);
}

void perf_function_add(struct perf_event *event)
{
	hlist_add_head_rcu(&event->hlist_entry, this_cpu_ptr(functions_of(event)->events));
}

void perf_function_del(struct perf_event *event)
{
	hlist_del_rcu(&event->hlist_entry);
}

/* ------------------------------------------------------------------ */
/* Which functions							*/

/**
 * struct limit - a filter that is being made
 * @ops: whose it is to be
 * @begun: whether each side has a word of it, instead of those that it had
 */
struct limit {
	struct ftrace_ops	*ops;
	bool			begun[2];
};

static int add_name(struct limit *to, char *name, bool not)
{
	int reset = !to->begun[not];

	to->begun[not] = true;
	return not ? ftrace_set_notrace(to->ops, name, name ? strlen(name) : 0, reset) :
		     ftrace_set_filter(to->ops, name, name ? strlen(name) : 0, reset);
}

/* ``NAME, NAME ...``, each of which may be a glob. */
static int add_names(struct limit *to, char *names, bool not)
{
	char *name;
	int err = -EINVAL;

	while ((name = strsep(&names, " \t,"))) {
		if (!*name)
			continue;
		err = add_name(to, name, not);
		if (err)
			break;
	}
	return err;
}

/* What is between a first and a last character, without them. NULL if the last is missing. */
static char *between(char *text, char last)
{
	size_t len = strlen(text);

	if (len < 2 || text[len - 1] != last)
		return NULL;
	text[len - 1] = '\0';
	return strim(text + 1);
}

/* ``ip == NAMES`` or ``ip != NAMES``, the names perhaps in quotes, all in parentheses. */
static int add_comparison(struct limit *to, char *text)
{
	bool not;

	text = strim(text);
	while (text && *text == '(')
		text = between(text, ')');
	if (!text || !strstarts(text, "ip"))
		return -EINVAL;
	text = skip_spaces(text + strlen("ip"));
	not = strstarts(text, "!=");
	if (!not && !strstarts(text, "=="))
		return -EINVAL;
	text = skip_spaces(text + strlen("=="));
	if (*text == '"' || *text == '\'')
		text = between(text, *text);
	return text ? add_names(to, text, not) : -EINVAL;
}

/* Comparisons with || between them. */
static int add_comparisons(struct limit *to, char *text)
{
	char *next;
	int err;

	do {
		next = strstr(text, "||");
		if (next) {
			*next = '\0';
			next += strlen("||");
		}
		err = add_comparison(to, text);
		text = next;
	} while (!err && text);
	return err;
}

static int limit(struct ftrace_ops *ops, const char *text)
{
	char *copy __free(kfree) = kstrdup(text, GFP_KERNEL);
	struct limit to = { .ops = ops };
	int err;

	if (!copy)
		return -ENOMEM;
	err = add_comparisons(&to, copy);
	/* A side that was not mentioned is as if there was no filter. */
	for (int not = 0; !err && not < ARRAY_SIZE(to.begun); not++)
		if (!to.begun[not])
			err = add_name(&to, NULL, not);
	return err;
}

/* Does it make sense? Found out where nobody is called by it. */
static int may_limit(const char *text)
{
	struct ftrace_ops trial = { .func = ftrace_stub };
	int err = limit(&trial, text);

	ftrace_free_filter(&trial);
	return err;
}

/* One after the other. */
static DEFINE_MUTEX(functions_lock);

int perf_function_limit(struct perf_event *event, const char *text)
{
	int err = may_limit(text);

	if (err)
		return err;
	guard(mutex)(&functions_lock);
	return limit(&functions_of(event)->ops, text);
}

/* ------------------------------------------------------------------ */
/* Open and closed							*/

/*
 * Every function of the kernel is told to whoever has it. Of a sample nothing that the
 * user's memory is read for: that faults, and each function on that way would be a sample.
 */
static int may_have(struct perf_event *event)
{
	int err = perf_allow_tracepoint();

	if (err || !is_sampling_event(event))
		return err;
	return !event->attr.exclude_callchain_user ||
	       event->attr.sample_type & PERF_SAMPLE_STACK_USER ? -EINVAL : 0;
}

static void functions_free(struct perf_functions *pf)
{
	ftrace_free_filter(&pf->ops);
	free_percpu(pf->events);
	kfree(pf);
}

static struct perf_functions *functions_alloc(void)
{
	struct perf_functions *pf = kzalloc(sizeof(*pf), GFP_KERNEL);

	if (!pf)
		return NULL;
	pf->ops.func = called;
	pf->ops.flags = FTRACE_OPS_FL_RCU;
	refcount_set(&pf->users, 1);
	pf->events = alloc_percpu(struct hlist_head);
	if (!pf->events) {
		kfree(pf);
		return NULL;
	}
	return pf;
}

static int functions_open(struct perf_event *event)
{
	struct perf_functions *pf;
	int err = may_have(event);

	if (err)
		return err;
	pf = functions_alloc();
	if (!pf)
		return -ENOMEM;
	err = register_ftrace_function(&pf->ops);
	if (err) {
		functions_free(pf);
		return err;
	}
	event->pmu_private = pf;
	return 0;
}

int perf_function_init(struct perf_event *event)
{
	int err = 0;

	if (event->parent) {
		event->pmu_private = functions_of(event->parent);
		refcount_inc(&functions_of(event)->users);
	} else {
		err = functions_open(event);
	}
	if (!err)
		event->tp_event = &perf_function_call;
	return err;
}

void perf_function_destroy(struct perf_event *event)
{
	struct perf_functions *pf = functions_of(event);

	if (!refcount_dec_and_test(&pf->users))
		return;
	/* If it cannot be taken away its memory has to stay. */
	if (!WARN_ON_ONCE(unregister_ftrace_function(&pf->ops)))
		functions_free(pf);
}
