/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MIPS_KERNEL_COUNT_CLOCK_H
#define _MIPS_KERNEL_COUNT_CLOCK_H

/**
 * count_clock_init - make sched_clock() read the Count registers
 * @frequency: frequency of the registers, in Hz
 *
 * Does nothing unless the registers are synchronized when a CPU comes up (CONFIG_SYNC_R4K).
 *
 * Context: boot, before timers.
 */
#ifdef CONFIG_SYNC_R4K
void count_clock_init(unsigned int frequency);
#else
static inline void count_clock_init(unsigned int frequency) { }
#endif

#endif /* _MIPS_KERNEL_COUNT_CLOCK_H */
