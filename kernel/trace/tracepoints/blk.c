// SPDX-License-Identifier: GPL-2.0
/*
 * The letters by which block events describe a request to a block device.
 */
#include <linux/blk_types.h>
#include <linux/blktrace_api.h>
#include <linux/export.h>
#include <linux/kernel.h>

static const char *blk_op_letters(blk_opf_t opf)
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
} blk_flag_letters[] = {
	{ REQ_FUA,	'F' },
	{ REQ_RAHEAD,	'A' },
	{ REQ_SYNC,	'S' },
	{ REQ_META,	'M' },
	{ REQ_ATOMIC,	'U' },
};

/**
 * blk_fill_rwbs() - describe a request by letters
 * @rwbs: buffer of RWBS_LEN bytes for the string
 * @opf: operation and flags of the request
 *
 * The string is F if a flush precedes the operation, the letters of the operation, and the letters
 * of the flags.
 *
 * Context: any.
 */
void blk_fill_rwbs(char *rwbs, blk_opf_t opf)
{
	if (opf & REQ_PREFLUSH)
		*rwbs++ = 'F';
	for (const char *op = blk_op_letters(opf); *op; op++)
		*rwbs++ = *op;
	for (unsigned int i = 0; i < ARRAY_SIZE(blk_flag_letters); i++)
		if (opf & blk_flag_letters[i].flag)
			*rwbs++ = blk_flag_letters[i].letter;
	*rwbs = '\0';
}
EXPORT_SYMBOL_GPL(blk_fill_rwbs);
