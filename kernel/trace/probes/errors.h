/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages in error_log for errors in the texts of probes. Tools and tests search for some of them,
 * so they do not change.
 */
#ifndef _KERNEL_TRACE_PROBES_ERRORS_H
#define _KERNEL_TRACE_PROBES_ERRORS_H

/* Names of groups and events */
#define PROBE_ERR_NO_GROUP		"Group name is not specified"
#define PROBE_ERR_GROUP_LONG		"Group name is too long"
#define PROBE_ERR_GROUP			"Group name must follow the same rules as C identifiers"
#define PROBE_ERR_GROUP_TAKEN		"Group name is reserved for a file in events/"
#define PROBE_ERR_NO_EVENT		"Event name is not specified"
#define PROBE_ERR_EVENT_LONG		"Event name is too long"
#define PROBE_ERR_EVENT			"Event name must follow the same rules as C identifiers"
#define PROBE_ERR_EVENT_TAKEN		"Event name is reserved for a file of its group"
#define PROBE_ERR_EXISTS		"Given group/event name is already used by another event"

/* Places in the kernel */
#define PROBE_ERR_MAXACTIVE_ENTRY	"Maxactive is only for function exit"
#define PROBE_ERR_MAXACTIVE		"Invalid maxactive number"
#define PROBE_ERR_MAXACTIVE_BIG		"Maxactive is too big"
#define PROBE_ERR_PLACE			"Invalid probed address or symbol"
#define PROBE_ERR_NOT_UNIQUE		"The symbol is not unique"
#define PROBE_ERR_RETURN		"Retprobe address must be an function entry"
#define PROBE_ERR_SUFFIX		"Invalid probed address suffix"
#define PROBE_ERR_BOUNDARY		"Probe point is not an instruction boundary"
#define PROBE_ERR_REFUSED		"Failed to register probe event"
#define PROBE_ERR_TRACEPOINT		"Invalid character in tracepoint name"
#define PROBE_ERR_NO_TRACEPOINT		"Tracepoint is not found"

/* Places in programs */
#define PROBE_ERR_NO_FILE		"Failed to find the given file"
#define PROBE_ERR_NOT_REGULAR		"Not a regular file"
#define PROBE_ERR_UPROBE_OFFSET		"Invalid uprobe offset"
#define PROBE_ERR_REFCNT		"Invalid reference counter offset"
#define PROBE_ERR_REFCNT_OPEN		"Reference counter brace is not closed"
#define PROBE_ERR_REFCNT_SUFFIX		"Reference counter has wrong suffix"

/* Other events */
#define PROBE_ERR_NO_ATTACH		"This requires both group and event name to attach"
#define PROBE_ERR_ATTACH		"Attached event does not exist"
#define PROBE_ERR_ATTACH_FIELD		"Attached event does not have this field"
#define PROBE_ERR_NO_FILTER		"No filter rule after 'if'"

/* Names of arguments */
#define PROBE_ERR_NO_NAME		"Argument name is not specified"
#define PROBE_ERR_NAME_LONG		"Argument name is too long"
#define PROBE_ERR_NAME			"Argument name must follow the same rules as C identifiers"
#define PROBE_ERR_NAME_USED		"This argument name is already used"

/* Sources and loads */
#define PROBE_ERR_NO_ARG		"No argument expression"
#define PROBE_ERR_ARG_LONG		"Argument expression is too long"
#define PROBE_ERR_FETCH			"Invalid fetch argument"
#define PROBE_ERR_VARIABLE		"Invalid $-variable specified"
#define PROBE_ERR_RETVAL		"$retval is not available on probe"
#define PROBE_ERR_STACK			"Invalid stack number"
#define PROBE_ERR_ARG_NUMBER		"Invalid argument number"
#define PROBE_ERR_NOT_ENTRY		"$arg* can be used only on function entry or exit"
#define PROBE_ERR_ALL_ARGS		"$arg* must be an independent parameter without name etc."
#define PROBE_ERR_ARGS_TWICE		"$arg* can be used only once in the parameters"
#define PROBE_ERR_REGISTER		"Invalid register name"
#define PROBE_ERR_ADDRESS		"Invalid memory address"
#define PROBE_ERR_FILE_ON_KPROBE	"File offset is not available with kprobe"
#define PROBE_ERR_FILE_OFFSET		"Invalid file offset value"
#define PROBE_ERR_SYMBOL_ON_UPROBE	"Symbol is not available with uprobe"
#define PROBE_ERR_IMMEDIATE		"Invalid immediate value"
#define PROBE_ERR_STRING_OPEN		"String is not closed with '\"'"
#define PROBE_ERR_MANY_LOADS		"Dereference is too much nested"
#define PROBE_ERR_LOAD_BRACE		"Dereference needs a brace"
#define PROBE_ERR_LOAD_OFFSET		"Invalid dereference offset"
#define PROBE_ERR_LOAD_OPEN		"Dereference brace is not closed"
#define PROBE_ERR_LOAD_COMM		"$comm can not be dereferenced"

/* Arguments and members by name, with BTF */
#define PROBE_ERR_NO_BTF		"BTF is not available or not supported"
#define PROBE_ERR_NO_BTF_ENTRY		"No BTF entry for this probe point"
#define PROBE_ERR_NO_BTF_ARG		"This variable is not found at this probe point"
#define PROBE_ERR_NO_RETVAL		"This function returns 'void' type"
#define PROBE_ERR_NOT_POINTER		"This is not a pointer to union/structure."
#define PROBE_ERR_NO_DOT		"Non pointer structure/union argument is not supported."
#define PROBE_ERR_HYPHEN		"Failed to parse single hyphen. Forgot '>'?"
#define PROBE_ERR_NO_MEMBER		"This field is not found."

/* Types */
#define PROBE_ERR_TYPE			"Unknown type is specified"
#define PROBE_ERR_BITS			"Invalid bitfield"
#define PROBE_ERR_ARRAY_OPEN		"Array is not closed"
#define PROBE_ERR_ARRAY_SUFFIX		"Array has wrong suffix"
#define PROBE_ERR_ARRAY			"Invalid array size"
#define PROBE_ERR_ARRAY_BIG		"Array number is too big"
#define PROBE_ERR_STRING		"String accepts only memory argument"
#define PROBE_ERR_SYMSTR		"Symbol String doesn't accept data/userdata"
#define PROBE_ERR_STRING_ONLY		"$comm and immediate-string only accepts string type"
#define PROBE_ERR_TYPE_OF_STRING	"This type does not fit for string."
#define PROBE_ERR_LONG			"Event too big (too many fields?)"

/* Further probes of an event */
#define PROBE_ERR_OTHER_KIND		"Probe type is different from existing probe"
#define PROBE_ERR_OTHER_ARGS		"Argument type or name is different from existing probe"
#define PROBE_ERR_SAME			"There is already the exact same probe event"

#endif /* _KERNEL_TRACE_PROBES_ERRORS_H */
