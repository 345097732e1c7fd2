# SPDX-License-Identifier: GPL-2.0
# The profiling functions, so that test objects link to a program.
	.text
	.globl	__fentry__, mcount
__fentry__:
mcount:
	ret
