// SPDX-License-Identifier: GPL-2.0
/*
 * The tracers irqsoff, preemptoff and preemptirqsoff keep the trace of the longest section
 * with interrupts off, with preemption off, or with any of them off (SPEC T4).
 *
 * A section belongs to a CPU. Its begin is recorded with the time; at its end its duration is
 * compared with the longest one so far, and nearly always that is all. If it is longer, the
 * records of the CPU are kept: see instance/latency.h.
 *
 * The tracers use probes of the tracepoints for disabling and enabling interrupts and
 * preemption, which cost nothing while none of these tracers is current. A probe does nothing
 * if the tracer does not consider that state, or if it considers the other state as well and
 * that one is off: then the section has begun before, or does not end yet.
 *
 * Nothing here may sleep, lock, allocate or print, except the control functions at the end.
 */
#include <linux/cpuhotplug.h>
#include <linux/ftrace.h>
#include <linux/hardirq.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/smp.h>

#include "function_graph.h"
#include "graph_lines.h"
#include "instance/instance.h"
#include "instance/latency.h"
#include "latency.h"
#include "record/record.h"
#include "record/stack.h"
#include "section_hooks.h"
#include "tracer_list.h"

#define IRQS_OFF	BIT(0)
#define PREEMPT_OFF	BIT(1)

/**
 * struct section - the section that a CPU is in
 * @start: time of its begin
 * @ip: code address of its begin
 * @round: value of @section_round at its begin
 * @open: true if the CPU is in a section
 * @busy: true while the CPU changes or keeps the section; probes and functions that are called
 *	meanwhile are ignored
 */
struct section {
	u64		start;
	unsigned long	ip;
	unsigned int	round;
	bool		open;
	bool		busy;
};

static DEFINE_PER_CPU(struct section, sections);

/* Instance whose tracer measures; NULL while no tracer of this file does. */
static struct trace_array *section_tr;
/* Incremented by each start: a section with an older value may have missed its end. */
static unsigned int section_round;
/* IRQS_OFF and PREEMPT_OFF, as the tracer considers them; constant while @section_tr is set. */
static unsigned int section_kinds;

/* True if preemption is off and considered. @word is trace_preempt_word() of the traced code. */
static __always_inline bool section_preempt_matters(unsigned int word)
{
	return (section_kinds & PREEMPT_OFF) &&
	       (word & (PREEMPT_MASK | SOFTIRQ_MASK | HARDIRQ_MASK | NMI_MASK));
}

/* True if interrupts are off and considered. */
static __always_inline bool section_irqs_matter(void)
{
	return (section_kinds & IRQS_OFF) && raw_irqs_disabled();
}

static __always_inline void section_begin(unsigned long ip, unsigned long parent_ip,
					  unsigned int word)
{
	struct trace_array *tr = READ_ONCE(section_tr);
	struct section *s = this_cpu_ptr(&sections);

	if (!tr || s->open || s->busy || in_nmi() || trace_is_off_here(tr))
		return;
	s->busy = true;
	barrier();
	ip = function_graph_caller(ip);
	parent_ip = function_graph_caller(parent_ip);
	s->start = ring_buffer_time_stamp(READ_ONCE(tr->buffer));
	s->ip = parent_ip ?: ip;
	s->round = READ_ONCE(section_round);
	latency_record_place(tr, ip, parent_ip, trace_ctx_full(word));
	s->open = true;
	barrier();
	s->busy = false;
}

/* Keep the trace of a section that lasted @ns, if it is still the longest. */
static noinline void section_keep(struct trace_array *tr, struct section *s, u64 ns,
				  unsigned long ip, unsigned long parent_ip,
				  unsigned int word)
{
	unsigned int ctx = trace_ctx_full(word);
	struct trace_latency new = {
		.ns = ns, .since = s->start,
		.cpu = raw_smp_processor_id(), .start_ip = s->ip, .end_ip = parent_ip ?: ip,
	};
	unsigned long flags;

	s->busy = true;
	barrier();
	latency_record_place(tr, ip, parent_ip, ctx);
	trace_stack_record(tr, ctx, ip, NULL);
	raw_local_irq_save(flags);
	latency_keep_cpu(tr, &new, current);
	raw_local_irq_restore(flags);
	barrier();
	s->busy = false;
}

static __always_inline void section_end(unsigned long ip, unsigned long parent_ip,
					unsigned int word)
{
	struct trace_array *tr = READ_ONCE(section_tr);
	struct section *s = this_cpu_ptr(&sections);
	u64 ns;

	if (!s->open || s->busy || in_nmi())
		return;
	s->open = false;
	if (!tr || s->round != READ_ONCE(section_round) || trace_is_off_here(tr))
		return;
	ns = ring_buffer_time_stamp(READ_ONCE(tr->buffer)) - s->start;
	if (unlikely(latency_should_keep(tr, ns)))
		section_keep(tr, s, ns, function_graph_caller(ip),
			     function_graph_caller(parent_ip), word);
}

/*
 * Probes of the tracepoints. A tracepoint disables preemption for its probes, which
 * trace_callers_word() subtracts.
 */

static void section_probe_irqs_off(void *data, unsigned long ip, unsigned long parent_ip)
{
	unsigned int word = trace_callers_word();

	if (!section_preempt_matters(word) && section_irqs_matter())
		section_begin(ip, parent_ip, word);
}

static void section_probe_irqs_on(void *data, unsigned long ip, unsigned long parent_ip)
{
	unsigned int word = trace_callers_word();

	if (!section_preempt_matters(word) && section_irqs_matter())
		section_end(ip, parent_ip, word);
}

static void section_probe_preempt_off(void *data, unsigned long ip, unsigned long parent_ip)
{
	unsigned int word = trace_callers_word();

	if (section_preempt_matters(word) && !section_irqs_matter())
		section_begin(ip, parent_ip, word);
}

static void section_probe_preempt_on(void *data, unsigned long ip, unsigned long parent_ip)
{
	unsigned int word = trace_callers_word();

	if (section_preempt_matters(word) && !section_irqs_matter())
		section_end(ip, parent_ip, word);
}

/**
 * start_critical_timings() - begin a section, after stop_critical_timings()
 *
 * Context: any, interrupts or preemption off.
 */
void start_critical_timings(void)
{
	unsigned int word = trace_preempt_word();

	if (READ_ONCE(section_tr) && (section_preempt_matters(word) || section_irqs_matter()))
		section_begin(CALLER_ADDR0, CALLER_ADDR1, word);
}
EXPORT_SYMBOL_GPL(start_critical_timings);
NOKPROBE_SYMBOL(start_critical_timings);

/**
 * stop_critical_timings() - end the section, although interrupts or preemption stay off
 *
 * For the idle loop, and for code that is known to take long, such as the console.
 *
 * Context: any, interrupts or preemption off.
 */
void stop_critical_timings(void)
{
	unsigned int word = trace_preempt_word();

	/* Close the section even while recording is off: it must not be open when that is on. */
	if (raw_cpu_read(sections.open) && (section_preempt_matters(word) || section_irqs_matter()))
		section_end(CALLER_ADDR0, CALLER_ADDR1, word);
}
EXPORT_SYMBOL_GPL(stop_critical_timings);
NOKPROBE_SYMBOL(stop_critical_timings);

/*
 * True if functions are to be recorded: the CPU is in a section, and the running code itself
 * has interrupts or preemption off. A task that was preempted in its section has left it.
 */
static __always_inline bool section_wants_calls(const struct trace_array *tr, unsigned int word)
{
	return raw_cpu_read(sections.open) && !raw_cpu_read(tr->cpus->skip) &&
	       (section_preempt_matters(word) || section_irqs_matter());
}

static __always_inline bool section_is_idle_here(void)
{
	return !raw_cpu_read(sections.busy);
}

static void section_function_call(unsigned long ip, unsigned long parent_ip,
				  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	unsigned int word = trace_preempt_word();

	if (section_wants_calls(op->private, word))
		latency_call(op->private, ip, parent_ip, word, section_is_idle_here);
}

static void section_function_entered(unsigned long ip, unsigned long parent_ip,
				     struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (section_wants_calls(op->private, trace_preempt_word()))
		latency_enter(op->private, ip, fregs, section_is_idle_here);
}

static void section_function_returned(struct fgraph_ops *gops,
				      const struct ftrace_ret_stack *call,
				      const struct ftrace_return *r, u64 now)
{
	struct trace_array *tr = gops->ops.private;

	if (section_wants_calls(tr, trace_callers_word()) && section_is_idle_here())
		function_graph_return(tr, call, r, now);
}

/* ------------------------------------------------------------------ */
/* Control								*/

static void sections_unhook(void)
{
	if (section_kinds & IRQS_OFF)
		unhook_irqs(section_probe_irqs_off, section_probe_irqs_on);
	if (section_kinds & PREEMPT_OFF)
		unhook_preempt(section_probe_preempt_off, section_probe_preempt_on);
}

/* hook_irqs() and hook_preempt() leave no probe registered if they fail. */
static int sections_hook(void)
{
	int ret = 0;

	if (section_kinds & IRQS_OFF)
		ret = hook_irqs(section_probe_irqs_off, section_probe_irqs_on);
	if (ret || !(section_kinds & PREEMPT_OFF))
		return ret;
	ret = hook_preempt(section_probe_preempt_off, section_probe_preempt_on);
	if (ret && (section_kinds & IRQS_OFF))
		unhook_irqs(section_probe_irqs_off, section_probe_irqs_on);
	return ret;
}

/* Wait until no probe uses the former @section_tr, also where RCU is not watching. */
static void sections_wait(void)
{
	kick_all_cpus_sync();
	synchronize_rcu();
}

static void sections_close_all(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(sections, cpu) = (struct section){};
}

/* A CPU goes down inside a section, which would still be open when the CPU comes up again. */
static int section_cpu_prepare(unsigned int cpu)
{
	per_cpu(sections, cpu) = (struct section){};
	return 0;
}

static int __init sections_watch_cpus(void)
{
	int ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "trace/sections:prepare",
					    section_cpu_prepare, NULL);

	return min(ret, 0);
}
core_initcall(sections_watch_cpus);

static void sections_start(struct trace_array *tr)
{
	WRITE_ONCE(section_round, section_round + 1);
	/*
	 * A probe that reads the new @section_tr reads the new @section_round as well: both are
	 * read with interrupts off.
	 */
	kick_all_cpus_sync();
	WRITE_ONCE(section_tr, tr);
}

static void sections_stop(struct trace_array *tr)
{
	WRITE_ONCE(section_tr, NULL);
}

static void sections_halt(struct trace_array *tr)
{
	sections_stop(tr);
	sections_wait();
}

static struct latency_kind section_tracers = {
	.called		= section_function_call,
	.entered	= section_function_entered,
	.returned	= section_function_returned,
	.hook		= sections_hook,
	.unhook		= sections_unhook,
	.start		= sections_start,
	.halt		= sections_halt,
};

static int sections_flag_changing(struct trace_array *tr, u32 mask, bool on)
{
	return latency_flag_changing(tr, &section_tracers, mask, on);
}

static int sections_may_begin(struct trace_array *tr)
{
	return latency_may_begin(tr, &section_tracers);
}

static int sections_init(struct trace_array *tr, unsigned int kinds)
{
	sections_close_all();
	section_kinds = kinds;
	return latency_begin(tr, &section_tracers);
}

static int sections_reset(struct trace_array *tr)
{
	return latency_end(tr, &section_tracers);
}

static int irqsoff_init(struct trace_array *tr)
{
	return sections_init(tr, IRQS_OFF);
}

static int preemptoff_init(struct trace_array *tr)
{
	return sections_init(tr, PREEMPT_OFF);
}

static int preemptirqsoff_init(struct trace_array *tr)
{
	return sections_init(tr, IRQS_OFF | PREEMPT_OFF);
}

#define SECTION_TRACER(_name)				\
struct tracer _name##_tracer = {			\
	.name			= #_name,		\
	.can_start		= sections_may_begin,	\
	.init			= _name##_init,		\
	.reset			= sections_reset,	\
	.flag_changing		= sections_flag_changing, \
	.start			= sections_start,	\
	.stop			= sections_stop,	\
	.print_line		= graph_line_if_wanted,	\
	.print_header		= graph_header_if_wanted, \
	.graph_opts		= LATENCY_GRAPH_OPTS,	\
	.allow_instances	= true,			\
	.uses_snapshot		= true,			\
}

SECTION_TRACER(irqsoff);
SECTION_TRACER(preemptoff);
SECTION_TRACER(preemptirqsoff);
