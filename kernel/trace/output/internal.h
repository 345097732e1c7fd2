/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of the files of output/ that other rooms do not use.
 */
#ifndef _KERNEL_TRACE_OUTPUT_INTERNAL_H
#define _KERNEL_TRACE_OUTPUT_INTERNAL_H

struct sym_cache;
struct trace_array;
struct trace_output;

/**
 * output_context() - print the columns that precede the text of a record
 * @o: the output, at a record
 *
 * Prints the task, the CPU, the flags and the time, as selected by the options, and ": ".
 * Prints nothing without room for all columns; then @o->seq counts as full.
 *
 * Context: as for record_print_fn.
 */
void output_context(struct trace_output *o);

/**
 * output_latency_context() - print the columns that precede the text, with option latency-format
 * @o: the output, at a record
 *
 * The delay to the next record is one of the columns. To read the time of the next record, the
 * current one may have to be copied: @o->r.ent points to the copy then, see reader_next_ts().
 *
 * Context: may sleep; record_types_lock() held.
 */
void output_latency_context(struct trace_output *o);

/**
 * output_reuse() - prepare an existing output for another instance or CPU
 * @o: output from output_alloc() for all CPUs, which is not in use
 * @tr: the instance
 * @cpu: CPU whose records are printed, or RING_BUFFER_ALL_CPUS
 *
 * For ftrace_dump(): allocates no memory, and marks the reader as one that must not sleep, see
 * reader_reuse(). Selects the latency format.
 *
 * Context: any, NMI included.
 */
void output_reuse(struct trace_output *o, struct trace_array *tr, int cpu);

/**
 * sym_cache_alloc() - create a cache for one reader
 *
 * Only one thread at a time may use the cache.
 *
 * Context: may sleep.
 * Return: the cache; NULL without memory. sym_cache_put() works with NULL, too, but is slower.
 */
struct sym_cache *sym_cache_alloc(void);

/**
 * sym_cache_free() - free a cache
 * @cache: the cache, or NULL
 *
 * Context: may sleep.
 */
void sym_cache_free(struct sym_cache *cache);

#endif /* _KERNEL_TRACE_OUTPUT_INTERNAL_H */
