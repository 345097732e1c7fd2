/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Texts that users write in the languages of the tracer: triggers, histograms, probes, synthetic
 * events. A parser works on a copy of the text, which it cuts into words, and refuses a text with
 * cmd_refuse(), which logs the error with a caret under the wrong word.
 *
 * Each language has one list of errors, a macro for the message of each.
 */
#ifndef _KERNEL_TRACE_COMMAND_TEXT_H
#define _KERNEL_TRACE_COMMAND_TEXT_H

struct trace_array;

/**
 * struct cmd_text - a text that is being parsed
 * @tr: instance whose error_log gets the errors in the text, or NULL for the top instance
 * @parser: name of the parser: the first words of its errors
 * @whole: the text as the user wrote it
 * @text: copy of @whole, which parsing cuts into words
 * @instead: place in @text of errors in words outside @text, which are copies of what stands
 *	there; NULL for the start of @text
 */
struct cmd_text {
	struct trace_array	*tr;
	const char		*parser;
	const char		*whole;
	char			*text;
	const char		*instead;
};

/**
 * cmd_refuse - log an error in a text
 * @text: the text
 * @at: place of the error in @text->text, or NULL for the start of the text
 * @error: message of the error
 *
 * Context: may sleep.
 * Return: -EINVAL.
 */
int cmd_refuse(const struct cmd_text *text, const char *at, const char *error);

/**
 * cmd_refuse_with - log an error in a text, and return an errno other than -EINVAL
 * @text: the text
 * @at: place of the error in @text->text, or NULL for the start of the text
 * @error: message of the error
 * @err: errno to return
 *
 * Context: may sleep.
 * Return: @err.
 */
static inline int cmd_refuse_with(const struct cmd_text *text, const char *at, const char *error,
				  int err)
{
	cmd_refuse(text, at, error);
	return err;
}

/**
 * cmd_refuse_end - log that a word is missing at the end of a text
 * @text: the text
 * @error: message of the error
 *
 * The caret is one column behind the text.
 *
 * Context: may sleep.
 * Return: -EINVAL.
 */
int cmd_refuse_end(const struct cmd_text *text, const char *error);

#endif /* _KERNEL_TRACE_COMMAND_TEXT_H */
