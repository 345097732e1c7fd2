// SPDX-License-Identifier: GPL-2.0
/*
 * File README: a summary of the other files. Tools search it for phrases to learn what a
 * kernel supports, so it must only mention what this kernel has.
 */
#include <linux/seq_file.h>

#include "tracefs/files.h"

static const char readme_first_text[] =
"The kernel's tracer: every file here is text; cat and echo are all you need.\n"
"Who owns them is said by mount -t tracefs -o [mode=<mode>][uid=<uid>][gid=<gid>]\n";

static const char readme_function_text[] =
"\n"
"To see functions being called:\n"
"    echo function > current_tracer\n"
"    cat trace_pipe\n"
"and to end it:\n"
"    echo nop > current_tracer\n";

static const char readme_general_text[] =
"\n"
"Reading the trace\n"
"  trace             what is in the buffer; reading leaves it there\n"
"                    echo > trace empties the buffer\n"
"  trace_pipe        the same, but what is read is gone, and it waits for more\n"
"  per_cpu/cpuN/     trace, trace_pipe, trace_pipe_raw (pages of the buffer as\n"
"                    they are), stats and buffer_size_kb of one CPU\n"
"  error_log         mistakes in commands that an errno cannot tell, such as in\n"
"                    the filters of events\n"
"  saved_cmdlines    names of the tasks in the trace, by pid\n"
"  saved_cmdlines_size  how many names are remembered\n"
"  saved_tgids       thread groups of the tasks, with option record-tgid\n"
"  printk_formats    strings that trace_printk() records point to\n"
"\n"
"Recording\n"
"  available_tracers what current_tracer can be set to\n"
"  current_tracer    the tracer in use, nop is none\n"
"  tracing_on        0 stops recording at once, 1 goes on\n"
"  tracing_cpumask   the CPUs that record, as a hexadecimal mask\n"
"  trace_marker      what is written here becomes a record\n"
"  trace_marker_raw  likewise, binary: a four byte tag and data\n"
"  trace_options     how to record and to print; no in front switches off\n"
"  options/          the same, a file for each: 0 or 1\n"
"  trace_clock       the clock that records carry\n"
"                      local: fast, may differ between CPUs\n"
"                      global: the same on all CPUs, slower\n"
"                      counter: just counts the records\n"
"                      uptime: in jiffies since boot\n"
"                      perf: the clock of perf\n"
"                      mono, mono_raw, boot, tai: the kernel's clocks\n"
"                      x86-tsc: cycles of the processor, where it has them\n"
"  timestamp_mode    how records carry their time\n"
"  instances/        mkdir makes another buffer there with files of its own,\n"
"                    rmdir removes it\n"
"\n"
"The buffer\n"
"  buffer_size_kb    its size for each CPU\n"
"  buffer_total_size_kb  the sum\n"
"  buffer_subbuf_size_kb  size of the pieces that raw pages come in\n"
"  buffer_percent    how full it must be to wake a reader of pages\n"
"  free_buffer       gives the memory back when it is closed\n";

static const char readme_filter_text[] =
"\n"
"Choosing functions\n"
"  available_filter_functions  all that can be traced\n"
"  available_filter_functions_addrs  the same with addresses\n"
"  set_ftrace_filter   trace only these; none means all\n"
"                      accepts: a name or a glob-matching-pattern, several of\n"
"                      them, and numbers of lines of available_filter_functions\n"
"                      > replaces, >> adds, a ! in front takes away\n"
"                      <pattern>:mod:<module>  those of a module, also of one\n"
"                      that is not loaded yet\n"
"                      <function>:<command>[:count]  does something when the\n"
"                      function is called, at most count times:\n"
"                      traceon, traceoff, stacktrace, dump, cpudump"
#ifdef CONFIG_TRACER_SNAPSHOT
", snapshot"
#endif
",\n"
"                      enable_event:<system>:<event>,\n"
"                      disable_event:<system>:<event>\n"
"                      echo '!<function>:<command>' >> takes it back, with :0\n"
"                      behind it if it had a count\n"
"  set_ftrace_notrace  never trace these; no commands\n"
"  enabled_functions   those being traced, by how many users, and who they are\n"
"  touched_functions   those that ever were\n"
"  dyn_ftrace_total_info  number of call sites, memory, the longest stop\n"
"  ftraced_enabled     functions that are in no table are found when they run:\n"
"                      1 or enable, 0 or disable\n";

static const char readme_graph_text[] =
"\n"
"To see functions from their entry to their return, with the time between:\n"
"    echo function_graph > current_tracer\n"
"  set_graph_function  only these functions, and what they call; written to\n"
"                      like set_ftrace_filter, without commands\n"
"  set_graph_notrace   not these, nor what they call\n"
"  max_graph_depth     how many levels of calls, 0 for all\n"
"  tracing_thresh      only calls that take as many microseconds\n";

static const char readme_snapshot_text[] =
"\n"
"Putting the trace aside\n"
"  snapshot          like trace, of what was put aside: echo 1 > snapshot does\n"
"                    that, 0 gives the memory back, 2 forgets what is there\n"
"  per_cpu/cpuN/     snapshot and snapshot_raw of one CPU\n";

static const char readme_latency_text[] =
"\n"
"To see what takes longest: tracers irqsoff, preemptoff, preemptirqsoff, wakeup,\n"
"wakeup_rt, wakeup_dl, as far as available_tracers has them\n"
"  tracing_max_latency how long that took, in microseconds; 0 begins anew\n"
"  tracing_thresh      in microseconds: what takes less does not count\n";

static const char readme_stack_text[] =
"\n"
"How deep the kernel's stacks become, while kernel.stack_tracer_enabled is 1\n"
"  stack_max_size      the most bytes that a function was called with; to be\n"
"                      written to: only more than that counts\n"
"  stack_trace         the functions of that stack, and how much each took\n";

static const char readme_stack_filter_text[] =
"  stack_trace_filter  looked at in these functions only; like\n"
"                      set_ftrace_filter, without commands\n";

static const char readme_profile_text[] =
"\n"
"To count how often functions are called, and how long that takes:\n"
"    echo 1 > function_profile_enabled\n"
"  function_profile_enabled  1 begins, with all numbers at 0; 0 ends it and\n"
"                      keeps them; set_ftrace_filter and set_ftrace_notrace say\n"
"                      which functions\n"
"  trace_stat/functionN  the numbers of one CPU: hits, time, its average and its\n"
"                      variance\n";

static const char readme_task_text[] =
"\n"
"Choosing tasks\n"
"  set_ftrace_pid      trace only these pids\n"
"  set_ftrace_notrace_pid  do not trace these\n";

static const char readme_event_text[] =
"\n"
"Events, which are where the kernel says something of itself\n"
"  available_events  all that there are\n"
"  set_event         those that are on: echo sched:sched_switch >> set_event,\n"
"                    <system>:*, or <event>; a ! in front takes it away\n"
"  set_event_pid     only those of tasks with these pids\n"
"  set_event_notrace_pid  not those of these\n"
"  events/           a directory for each system, in it one for each event\n"
"    enable            1 or 0, for all in a directory; a * behind it: a trigger,\n"
"                      or a command on functions, may switch it\n"
"    filter            which records are kept:\n"
"                      echo 'prev_prio < 100 && prev_comm ~ \"k*\"' > filter\n"
"                      0 for all\n"
"    filter_stats      how many records were kept, and how many were not\n"
"    trigger           what it makes happen: traceon, traceoff, snapshot,\n"
"                      stacktrace, enable_event:<system>:<event>, disable_event:...\n"
"                      [:count] [if <filter>]; a ! in front takes it away\n"
#ifdef CONFIG_HIST_TRIGGERS
"                      hist:keys=<field>[,...][:vals=<field>[,...]][:sort=...]\n"
"                      [:size=n][:name=...][:pause|cont|clear][:nohitcount];\n"
"                      [:<var1>=<field|var_ref|numeric_literal>[,...]], where\n"
"                      <var_ref> is $<var> or <system>.<event>.$<var>; + - * / between;\n"
"                      fields with .hex .sym .sym-offset .syscall .execname .log2\n"
"                      .buckets=n .usecs .stacktrace; vals also with .percent .graph\n"
"                      .avg .min .max; .percentile behind .log2 or .buckets=n adds\n"
"                      a line with p50, p90 and p99; a <field>\n"
"                      can be any field, or the special string 'common_stacktrace'\n"
"                      [:<handler>.<action>], when a key has come: onmatch(<system>.<event>),\n"
"                      onmax(var), onchange(var), with trace(<synthetic_event>,param list),\n"
"                      <synthetic_event>(param list), save(field,...), snapshot()\n"
"                      enable_hist:..., disable_hist:...\n"
"    hist              what histograms have counted\n"
#endif
#ifdef CONFIG_HIST_TRIGGERS_DEBUG
"    hist_debug        how histograms are built\n"
#endif
"    format            the fields, and how they print\n"
"    id                its number, for perf\n"
"    header_page, header_event  how pages are laid out\n"
#ifdef CONFIG_TRACE_EVENT_INJECT
"    inject            records what is written: <field>=<value> ...\n"
#endif
#ifdef CONFIG_SYNTH_EVENTS
"  synthetic_events  events that histograms and modules make come:\n"
"                    echo 'wakeup u64 lat; pid_t pid; char comm[16]' >> synthetic_events\n"
"                    echo 'late u64 lat; unsigned long[] stack' >> synthetic_events\n"
"  dynamic_events    the same as s:[synthetic/]<event> <fields>; -:<event> takes it away\n"
#endif
#ifdef CONFIG_FPROBE_EVENTS
"    f[:[<group>/][<event>]] <func-name>[%return] [<args>]\n"
"                    a function may be <module>:<func-name>; $retval implies %return\n"
"    t[:[<group>/][<event>]] <tracepoint> [<args>]\n"
#endif
#ifdef CONFIG_PROBE_EVENTS
"    e[:[<group>/][<event>]] <attached-group>.<attached-event> [<args>] [if <filter>]\n"
"                    an event of the fields of another one; $<field> is one of them\n"
#endif
#ifdef CONFIG_KPROBE_EVENTS
"  kprobe_events     Create/append/remove/show events of probes in the kernel:\n"
"                    echo 'p:opened do_sys_openat2 name=+0(%si):ustring' >> kprobe_events\n"
"    p[:[<group>/][<event>]] <place> [<args>]\n"
"    r[maxactive][:[<group>/][<event>]] <place> [<args>]\n"
"    -:[<group>/][<event>]\n"
"    place: [<module>:]<symbol>[+<offset>]|<memaddr>\n"
"    place (kretprobe): [<module>:]<symbol>[+<offset>]%return|<memaddr>\n"
#ifdef CONFIG_HAVE_FUNCTION_ARG_ACCESS_API
"    kernel return probes support: $arg<N>, as it was when the function began\n"
#endif
"  kprobe_profile    how often probes were hit, and were not though they should have been\n"
#endif
#ifdef CONFIG_FPROBE_EVENTS
"  fprobe_profile    how often probes of functions and of tracepoints were hit, and were\n"
"                    not though they should have been\n"
#endif
#ifdef CONFIG_UPROBE_EVENTS
"  uprobe_events     Create/append/remove/show events of probes in programs:\n"
"    place (uprobe): <path>:<offset>[%return][(ref_ctr_offset)]\n"
"  uprobe_profile    how often they were hit\n"
#endif
#ifdef CONFIG_USER_EVENTS
"  user_events_data  where programs register events of their own, and write them\n"
"                    (Documentation/trace/user_events.rst)\n"
"  user_events_status  these events, and by whom each is used\n"
#endif
#ifdef CONFIG_PROBE_EVENTS
"  what all probes take:\n"
"    args: <name>=fetcharg[:type]\n"
"    fetcharg: (%<register>|$<efield>), @<address>, @<symbol>[+|-<offset>],\n"
"              $stack<index>, $stack, $retval, $comm,"
#ifdef CONFIG_HAVE_FUNCTION_ARG_ACCESS_API
" $arg<N>,"
#endif
#ifdef CONFIG_PROBE_EVENTS_BTF_ARGS
" $arg*,\n"
"              <argname>[->field[->field|.field...]],"
#endif
"\n"
"              +|-[u]<offset>(<fetcharg>), \\imm-value, \\\"imm-string\"\n"
"    type: s8/16/32/64, u8/16/32/64, x8/16/32/64, char, string, symbol, %pd/%pD,\n"
"          b<bit-width>@<bit-offset>/<container-size>, ustring, symstr,\n"
"          <type>\\[<array-size>\\]\n"
#endif
#ifdef CONFIG_TRACE_EVAL_MAP_FILE
"  eval_map          values of names in formats\n"
#endif
;

static int readme_show(struct seq_file *m, const struct trace_node *at)
{
	seq_puts(m, readme_first_text);
	if (IS_ENABLED(CONFIG_FUNCTION_TRACER))
		seq_puts(m, readme_function_text);
	seq_puts(m, readme_general_text);
	seq_puts(m, readme_event_text);
	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE))
		seq_puts(m, readme_filter_text);
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER))
		seq_puts(m, readme_graph_text);
	if (IS_ENABLED(CONFIG_TRACE_LATENCIES))
		seq_puts(m, readme_latency_text);
	if (IS_ENABLED(CONFIG_STACK_TRACER))
		seq_puts(m, readme_stack_text);
	if (IS_ENABLED(CONFIG_STACK_TRACER) && IS_ENABLED(CONFIG_DYNAMIC_FTRACE))
		seq_puts(m, readme_stack_filter_text);
	if (IS_ENABLED(CONFIG_FUNCTION_PROFILER))
		seq_puts(m, readme_profile_text);
	if (IS_ENABLED(CONFIG_FUNCTION_TRACER))
		seq_puts(m, readme_task_text);
	if (IS_ENABLED(CONFIG_TRACER_SNAPSHOT))
		seq_puts(m, readme_snapshot_text);
	return 0;
}

static const struct trace_file readme_files[] = {
	{
		.name	= "README",
		.mode	= TRACE_FILE_RO,
		.place	= IN_TOP,
		.show	= readme_show,
	},
	{ }
};

TRACE_FILES(readme_files);
