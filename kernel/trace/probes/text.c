// SPDX-License-Identifier: GPL-2.0
/*
 * Texts of all kinds of probes: logging of errors, words, and names of groups and events.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/string.h>

#include "command/error_log.h"
#include "events/events.h"
#include "text.h"

/* Texts for error_log. Tools and tests search for some of them, so they do not change. */
static const char *probe_errors[NR_PROBE_ERRORS] = {
	[PROBE_ERR_NO_FILE]		= "Failed to find the given file",
	[PROBE_ERR_NOT_REGULAR]		= "Not a regular file",
	[PROBE_ERR_REFCNT]		= "Invalid reference counter offset",
	[PROBE_ERR_REFCNT_OPEN]		= "Reference counter brace is not closed",
	[PROBE_ERR_REFCNT_SUFFIX]	= "Reference counter has wrong suffix",
	[PROBE_ERR_UPROBE_OFFSET] = "Invalid uprobe offset",
	[PROBE_ERR_MAXACTIVE_ENTRY]	= "Maxactive is only for function exit",
	[PROBE_ERR_MAXACTIVE]		= "Invalid maxactive number",
	[PROBE_ERR_MAXACTIVE_BIG]	= "Maxactive is too big",
	[PROBE_ERR_PLACE]		= "Invalid probed address or symbol",
	[PROBE_ERR_NOT_UNIQUE]		= "The symbol is not unique",
	[PROBE_ERR_TRACEPOINT]		= "Invalid character in tracepoint name",
	[PROBE_ERR_NO_TRACEPOINT]	= "Tracepoint is not found",
	[PROBE_ERR_RETURN]		= "Retprobe address must be an function entry",
	[PROBE_ERR_SUFFIX]		= "Invalid probed address suffix",
	[PROBE_ERR_NO_GROUP]		= "Group name is not specified",
	[PROBE_ERR_GROUP_LONG]		= "Group name is too long",
	[PROBE_ERR_GROUP]		=
		"Group name must follow the same rules as C identifiers",
	[PROBE_ERR_NO_EVENT]		= "Event name is not specified",
	[PROBE_ERR_GROUP_TAKEN]		= "Group name is reserved for a file in events/",
	[PROBE_ERR_EVENT_TAKEN]		= "Event name is reserved for a file of its group",
	[PROBE_ERR_EVENT_LONG]		= "Event name is too long",
	[PROBE_ERR_EVENT]		=
		"Event name must follow the same rules as C identifiers",
	[PROBE_ERR_EXISTS]		=
		"Given group/event name is already used by another event",
	[PROBE_ERR_RETVAL]		= "$retval is not available on probe",
	[PROBE_ERR_STACK]		= "Invalid stack number",
	[PROBE_ERR_ARG_NUMBER]		= "Invalid argument number",
	[PROBE_ERR_VARIABLE]		= "Invalid $-variable specified",
	[PROBE_ERR_REGISTER]		= "Invalid register name",
	[PROBE_ERR_ADDRESS]		= "Invalid memory address",
	[PROBE_ERR_IMMEDIATE]		= "Invalid immediate value",
	[PROBE_ERR_STRING_OPEN]		= "String is not closed with '\"'",
	[PROBE_ERR_FILE_ON_KPROBE]	= "File offset is not available with kprobe",
	[PROBE_ERR_FILE_OFFSET]		= "Invalid file offset value",
	[PROBE_ERR_SYMBOL_ON_UPROBE]	= "Symbol is not available with uprobe",
	[PROBE_ERR_MANY_LOADS]		= "Dereference is too much nested",
	[PROBE_ERR_LOAD_BRACE]		= "Dereference needs a brace",
	[PROBE_ERR_LOAD_OFFSET]		= "Invalid dereference offset",
	[PROBE_ERR_LOAD_OPEN]		= "Dereference brace is not closed",
	[PROBE_ERR_LOAD_COMM]		= "$comm can not be dereferenced",
	[PROBE_ERR_FETCH]		= "Invalid fetch argument",
	[PROBE_ERR_ARRAY_OPEN]		= "Array is not closed",
	[PROBE_ERR_ARRAY_SUFFIX]	= "Array has wrong suffix",
	[PROBE_ERR_ARRAY]		= "Invalid array size",
	[PROBE_ERR_ARRAY_BIG]		= "Array number is too big",
	[PROBE_ERR_TYPE]		= "Unknown type is specified",
	[PROBE_ERR_STRING]		= "String accepts only memory argument",
	[PROBE_ERR_SYMSTR]		= "Symbol String doesn't accept data/userdata",
	[PROBE_ERR_BITS]		= "Invalid bitfield",
	[PROBE_ERR_NAME_LONG]		= "Argument name is too long",
	[PROBE_ERR_NO_NAME]		= "Argument name is not specified",
	[PROBE_ERR_NAME]		=
		"Argument name must follow the same rules as C identifiers",
	[PROBE_ERR_NAME_USED]		= "This argument name is already used",
	[PROBE_ERR_ARG_LONG]		= "Argument expression is too long",
	[PROBE_ERR_NO_ARG]		= "No argument expression",
	[PROBE_ERR_BOUNDARY]		= "Probe point is not an instruction boundary",
	[PROBE_ERR_REFUSED]		= "Failed to register probe event",
	[PROBE_ERR_OTHER_KIND]		= "Probe type is different from existing probe",
	[PROBE_ERR_OTHER_ARGS]		=
		"Argument type or name is different from existing probe",
	[PROBE_ERR_SAME]		= "There is already the exact same probe event",
	[PROBE_ERR_NO_ATTACH]		= "This requires both group and event name to attach",
	[PROBE_ERR_ATTACH]		= "Attached event does not exist",
	[PROBE_ERR_ATTACH_FIELD]	= "Attached event does not have this field",
	[PROBE_ERR_NO_FILTER]		= "No filter rule after 'if'",
	[PROBE_ERR_NO_BTF]		= "BTF is not available or not supported",
	[PROBE_ERR_ALL_ARGS]		=
		"$arg* must be an independent parameter without name etc.",
	[PROBE_ERR_NOT_ENTRY]		= "$arg* can be used only on function entry or exit",
	[PROBE_ERR_STRING_ONLY]		= "$comm and immediate-string only accepts string type",
	[PROBE_ERR_NO_RETVAL]		= "This function returns 'void' type",
	[PROBE_ERR_NO_BTF_ARG]		= "This variable is not found at this probe point",
	[PROBE_ERR_NO_BTF_ENTRY]	= "No BTF entry for this probe point",
	[PROBE_ERR_ARGS_TWICE]		= "$arg* can be used only once in the parameters",
	[PROBE_ERR_NOT_POINTER]		= "This is not a pointer to union/structure.",
	[PROBE_ERR_NO_DOT]		=
		"Non pointer structure/union argument is not supported.",
	[PROBE_ERR_HYPHEN]		= "Failed to parse single hyphen. Forgot '>'?",
	[PROBE_ERR_NO_MEMBER]		= "This field is not found.",
	[PROBE_ERR_TYPE_OF_STRING]	= "This type does not fit for string.",
	[PROBE_ERR_LONG]		= "Event too big (too many fields?)",
};

/*
 * Position of @at in the text; 0 if @at is not inside the text: the words that $arg* expands to
 * are allocated separately.
 */
static unsigned int probe_text_position(const struct probe_text *text, const char *at)
{
	size_t len = strlen(text->whole);

	/* A missing last word is logged after a blank that was trimmed from the end. */
	return at >= text->text && at <= text->text + len + 1 ? at - text->text : 0;
}

int probe_refuse(const struct probe_text *text, const char *at, enum probe_error what)
{
	tracing_log_err(NULL, text->who, text->whole, probe_errors[what],
			probe_text_position(text, at));
	return -EINVAL;
}

char *probe_next_word(char **rest)
{
	char *word;

	do
		word = strsep(rest, " \t");
	while (word && !*word);
	return word;
}

/* Limit of the calls of one function that can be in flight. */
#define INSTANCES_MAX	4096U

int probe_instances_parse(const struct probe_text *text, const char *word, unsigned int *nr)
{
	if (kstrtouint(word, 0, nr) || !*nr)
		return probe_refuse(text, word, PROBE_ERR_MAXACTIVE);
	return *nr > INSTANCES_MAX ? probe_refuse(text, word, PROBE_ERR_MAXACTIVE_BIG) : 0;
}

int probe_return_parse(const struct probe_text *text, char *word, bool *returns)
{
	char *suffix = strchr(word, '%');

	if (!suffix)
		return 0;
	if (strcmp(suffix, "%return"))
		return probe_refuse(text, suffix, PROBE_ERR_SUFFIX);
	*suffix = '\0';
	*returns = true;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Names								*/

bool probe_is_name(const char *name)
{
	if (!isalpha(*name) && *name != '_')
		return false;
	while (isalnum(*name) || *name == '_')
		name++;
	return !*name;
}

/* Some systems have a ``-`` in their names. */
static bool probe_is_system_name(const char *name)
{
	if (!isalpha(*name) && *name != '_')
		return false;
	while (isalnum(*name) || *name == '_' || *name == '-')
		name++;
	return !*name;
}

void probe_name_clean(char *name)
{
	name[strnlen(name, PROBE_NAME_MAX - 1)] = '\0';
	for (; *name; name++)
		if (!isalnum(*name))
			*name = '_';
}

/* Parse the first @len characters of @word, up to the slash or dot, as the name of a system. */
static int probe_parse_system(const struct probe_text *text, char *word, size_t len,
			      struct probe_name *name)
{
	if (!len)
		return probe_refuse(text, word, PROBE_ERR_NO_GROUP);
	if (len >= PROBE_NAME_MAX)
		return probe_refuse(text, word, PROBE_ERR_GROUP_LONG);
	word[len] = '\0';
	name->system = word;
	if (event_system_name_is_taken(word))
		return probe_refuse(text, word, PROBE_ERR_GROUP_TAKEN);
	return probe_is_system_name(word) ? 0 : probe_refuse(text, word, PROBE_ERR_GROUP);
}

int probe_name_parse(const struct probe_text *text, char *word, struct probe_name *name)
{
	char *slash = strchr(word, '/') ?: strchr(word, '.');
	int err = 0;

	*name = (struct probe_name){};
	if (slash) {
		err = probe_parse_system(text, word, slash - word, name);
		word = slash + 1;
		if (!err && !*word)
			return 0;
	}
	if (err)
		return err;
	if (!*word)
		return probe_refuse(text, word, PROBE_ERR_NO_EVENT);
	if (strlen(word) >= PROBE_NAME_MAX)
		return probe_refuse(text, word, PROBE_ERR_EVENT_LONG);
	name->event = word;
	if (event_name_is_taken(word))
		return probe_refuse(text, word, PROBE_ERR_EVENT_TAKEN);
	return probe_is_name(word) ? 0 : probe_refuse(text, word, PROBE_ERR_EVENT);
}
