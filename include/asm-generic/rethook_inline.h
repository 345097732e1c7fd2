/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An architecture may define arch_rethook_prepare() and arch_rethook_fixup_return() inline, each
 * together with a macro of the same name. This file is for architectures that define neither.
 */
