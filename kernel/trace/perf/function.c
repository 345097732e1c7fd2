// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace:function of perf: the calls of functions as samples (SPEC E4).
 *
 * Each perf event is a user of functions by itself, with a filter of its own. Its callback
 * is called on every CPU, and looks whether the event counts there now.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/trace_events.h>

#include "internal.h"
#include "record/record.h"

#define NO_CPU	-1

/**
 * struct perf_function - what a perf event has of functions
 * @ops: calls called()
 * @events: the event, alone, for who takes a list
 * @cpu: where it counts now, or NO_CPU
 * @filter: which functions are wanted, as it was written, or NULL for all
 */
struct perf_function {
	struct ftrace_ops	ops;
	struct hlist_head	events;
	int			cpu;
	char			*filter;
};

/* As in events/ftrace/function/format, with what perf wants behind it. */
struct function_record {
	struct trace_entry	ent;
	unsigned long		ip;
	unsigned long		parent_ip;
	u32			padding;
} __packed __aligned(sizeof(u64));

static struct trace_event_class function_class = { .system = "ftrace" };

struct trace_event_call perf_function_call = {
	.class		= &function_class,
	.name		= "function",
	.event.type	= TRACE_FN,
};

/* Of events against each other: one that is opened may take its parent's filter. */
static DEFINE_MUTEX(functions_lock);

static struct perf_function *function_of(const struct perf_event *event)
{
	return event->pmu_private;
}

/* ------------------------------------------------------------------ */
/* A call								*/

static void sample(struct perf_function *pf, const struct function_record *rec, int context,
		   struct ftrace_regs *fregs)
{
	struct pt_regs *regs = this_cpu_ptr(&__perf_regs[context]);

	perf_arch_fetch_caller_regs(regs, rec->ip);
	/* The frame of the function itself is the first one that is not below. */
	if (fregs)
		arch_perf_frames_above(regs, ftrace_regs_get_stack_pointer(fregs) - sizeof(long));
	perf_tp_event(TRACE_FN, 1, (void *)rec, sizeof(*rec), regs, &pf->events, context, NULL);
}

static void called(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		   struct ftrace_regs *fregs)
{
	struct perf_function *pf = container_of(ops, struct perf_function, ops);
	unsigned int word = trace_preempt_word();
	struct function_record rec = { .ip = ip, .parent_ip = parent_ip };
	int context;

	guard(preempt_notrace)();
	if (READ_ONCE(pf->cpu) != raw_smp_processor_id())
		return;
	context = perf_swevent_get_recursion_context();
	if (context < 0)
		return;
	trace_entry_fill(&rec.ent, TRACE_FN, trace_ctx_full(word), current);
	sample(pf, &rec, context, fregs);
}

/* ------------------------------------------------------------------ */
/* Which functions							*/

/* The value of a comparison, with or without quotes. */
static char *take_value(char *text)
{
	size_t len = strlen(text);

	if (*text != '"' && *text != '\'')
		return text;
	if (len < 2 || text[len - 1] != *text)
		return NULL;
	text[len - 1] = '\0';
	return text + 1;
}

/* ``NAME, NAME ...``, each of which may be a glob. */
static int add_names(struct ftrace_ops *ops, char *names, bool not)
{
	char *name;
	int err = -EINVAL;

	while ((name = strsep(&names, " ,"))) {
		if (!*name)
			continue;
		err = not ? ftrace_set_notrace(ops, name, strlen(name), 0) :
			    ftrace_set_filter(ops, name, strlen(name), 0);
		if (err)
			break;
	}
	return err;
}

/* ``ip == NAMES`` or ``ip != NAMES`` */
static int add_comparison(struct ftrace_ops *ops, char *text)
{
	char *value;
	bool not;

	text = strim(text);
	if (!strstarts(text, "ip"))
		return -EINVAL;
	text = skip_spaces(text + strlen("ip"));
	not = strstarts(text, "!=");
	if (!not && !strstarts(text, "=="))
		return -EINVAL;
	value = take_value(skip_spaces(text + strlen("==")));
	return value ? add_names(ops, value, not) : -EINVAL;
}

/* Comparisons with || between them. */
static int add_comparisons(struct ftrace_ops *ops, char *text)
{
	char *next;
	int err;

	do {
		next = strstr(text, "||");
		if (next) {
			*next = '\0';
			next += strlen("||");
		}
		err = add_comparison(ops, text);
		text = next;
	} while (!err && text);
	return err;
}

static int limit(struct perf_function *pf, const char *text)
{
	char *copy __free(kfree) = kstrdup(text, GFP_KERNEL);
	int err;

	if (!copy)
		return -ENOMEM;
	if (pf->filter)
		return -EEXIST;
	err = add_comparisons(&pf->ops, copy);
	if (!err) {
		pf->filter = kstrdup(text, GFP_KERNEL);
		err = pf->filter ? 0 : -ENOMEM;
	}
	if (err) {
		ftrace_set_filter(&pf->ops, NULL, 0, 1);
		ftrace_set_notrace(&pf->ops, NULL, 0, 1);
	}
	return err;
}

int perf_function_limit(struct perf_event *event, const char *text)
{
	guard(mutex)(&functions_lock);
	return limit(function_of(event), text);
}

/* ------------------------------------------------------------------ */
/* Open and closed							*/

/*
 * Every function of the kernel is told to whoever has it. Of a sample nothing that the
 * user's memory is read for: that faults, and each function on that way would be a sample.
 */
static int may_have(struct perf_event *event)
{
	int err;

	if (event->parent)
		return 0;
	err = perf_allow_tracepoint();
	if (err || !is_sampling_event(event))
		return err;
	return !event->attr.exclude_callchain_user ||
	       event->attr.sample_type & PERF_SAMPLE_STACK_USER ? -EINVAL : 0;
}

static void function_free(struct perf_function *pf)
{
	ftrace_free_filter(&pf->ops);
	kfree(pf->filter);
	kfree(pf);
}

static struct perf_function *function_alloc(struct perf_event *event)
{
	struct perf_function *pf = kzalloc(sizeof(*pf), GFP_KERNEL);

	if (!pf)
		return NULL;
	pf->ops.func = called;
	pf->ops.flags = FTRACE_OPS_FL_RCU;
	pf->cpu = NO_CPU;
	hlist_add_head(&event->hlist_entry, &pf->events);
	return pf;
}

static int function_start(struct perf_function *pf, const struct perf_event *parent)
{
	const char *filter = parent ? function_of(parent)->filter : NULL;
	int err = filter ? limit(pf, filter) : 0;

	return err ?: register_ftrace_function(&pf->ops);
}

int perf_function_init(struct perf_event *event)
{
	struct perf_function *pf;
	int err = may_have(event);

	if (err)
		return err;
	guard(mutex)(&functions_lock);
	pf = function_alloc(event);
	if (!pf)
		return -ENOMEM;
	err = function_start(pf, event->parent);
	if (err) {
		function_free(pf);
		return err;
	}
	event->pmu_private = pf;
	event->tp_event = &perf_function_call;
	return 0;
}

void perf_function_destroy(struct perf_event *event)
{
	guard(mutex)(&functions_lock);
	unregister_ftrace_function(&function_of(event)->ops);
	function_free(function_of(event));
}

void perf_function_add(struct perf_event *event)
{
	WRITE_ONCE(function_of(event)->cpu, smp_processor_id());
}

void perf_function_del(struct perf_event *event)
{
	WRITE_ONCE(function_of(event)->cpu, NO_CPU);
}
