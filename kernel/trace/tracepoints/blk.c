// SPDX-License-Identifier: GPL-2.0
/*
 * What a request to a block device is, in letters, as the events of block show it.
 */
#include <linux/blk_types.h>
#include <linux/blktrace_api.h>
#include <linux/export.h>
#include <linux/kernel.h>

static const char *letters_of(blk_opf_t opf)
{
	switch (opf & REQ_OP_MASK) {
	case REQ_OP_READ:
		return "R";
	case REQ_OP_WRITE:
		return "W";
	case REQ_OP_FLUSH:
		return "F";
	case REQ_OP_DISCARD:
		return "D";
	case REQ_OP_SECURE_ERASE:
		return "DE";
	default:
		return "N";
	}
}

static const struct {
	blk_opf_t	flag;
	char		letter;
} flags[] = {
	{ REQ_FUA,	'F' },
	{ REQ_RAHEAD,	'A' },
	{ REQ_SYNC,	'S' },
	{ REQ_META,	'M' },
	{ REQ_ATOMIC,	'U' },
};

/**
 * blk_fill_rwbs - describe a request
 * @rwbs: RWBS_LEN bytes
 * @opf: what is to be done, and how
 *
 * F for a flush before, the operation, then the letters of flags.
 *
 * Context: any.
 */
void blk_fill_rwbs(char *rwbs, blk_opf_t opf)
{
	if (opf & REQ_PREFLUSH)
		*rwbs++ = 'F';
	for (const char *op = letters_of(opf); *op; op++)
		*rwbs++ = *op;
	for (unsigned int i = 0; i < ARRAY_SIZE(flags); i++)
		if (opf & flags[i].flag)
			*rwbs++ = flags[i].letter;
	*rwbs = '\0';
}
EXPORT_SYMBOL_GPL(blk_fill_rwbs);
