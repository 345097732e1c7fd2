/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An architecture may have arch_rethook_prepare() and arch_rethook_fixup_return() inline, each
 * with a macro of its name. This one has them in a file of its own.
 */
