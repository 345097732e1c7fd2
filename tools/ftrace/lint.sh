#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# `make lint`: prints warnings of checkpatch, sparse, shellcheck, docutils and the compiler (W=1)
# about our files, files that MAINTAINERS does not have, and directories of kernel/trace that use a
# higher one or its private headers (rooms.sh). Prints nothing if there are none.

. "$(dirname "$0")/lib.sh"
. "$TOOLS/packages.sh"
. "$TOOLS/kbuild.sh"
. "$TOOLS/overlay.sh"
. "$TOOLS/rooms.sh"

report=$LOG/lint.report
: >"$report"

# checked_files: prints our files for checkpatch, without the sources that the tests of
# recordmcount compile, which are no kernel code
checked_files()
{
	{ overlay_files; git ls-files --cached --others --exclude-standard \
		'tools/ftrace/*.[ch]' | sed "s,^,$TOP/,"; } |
		grep -E '\.([chS]|rst|tc|py)$|/(Kconfig|Makefile)$' |
		grep -v '/tests/recordmcount/'
}

# check_patches: runs checkpatch on whole files. It runs in build/linux, so files that are not laid
# over it have absolute paths. FILE_PATH_CHANGES only makes sense for a patch; checkpatch wants
# the documentation of a parameter in the same patch, so check_parameters looks for it instead.
check_patches()
{
	checked_files | checkpatch | sed "s,^$TOP/,," | allowed_by_design | sort >>"$report"
}

checkpatch()
{
	cd "$LINUX"
	xargs -d '\n' -n 1 -P "$JOBS" perl scripts/checkpatch.pl --strict \
		--terse --no-summary --show-types \
		--ignore FILE_PATH_CHANGES,UNDOCUMENTED_SETUP -f 2>&1 || true
}

# allowed_by_design: drops warnings about macros of event headers, which may ignore arguments, be
# whole definitions or parts of one, or contain a path; about the usual layout of TRACE_EVENT();
# about names of the base; about headers that include the architecture's header of the same
# name; about asm/nmi.h, which linux/nmi.h includes only in some configurations; and about RCU tasks
# trace, which belongs to BPF: programs of uprobes run in it.
allowed_by_design()
{
	grep -vE -e '^include/trace/.*:(MACRO_ARG_[A-Z]+|SPACING|TRAILING_SEMICOLON):' \
		-e '^include/trace/.*:(MULTISTATEMENT_MACRO_USE_DO_WHILE|COMPLEX_MACRO):' \
		-e '_events\.h:.*:(PARENTHESIS_ALIGNMENT|OPEN_ENDED_LINE|SPACING):' \
		-e ': CHECK:CAMELCASE: Avoid CamelCase: <__NR_(O32|N32|64)_Linux(_syscalls)?>' \
		-e '^include/linux/(ftrace|trace_clock)\.h.*:INCLUDE_LINUX:' \
		-e '^arch/x86/kernel/ftrace_kunit\.c.*:ARCH_INCLUDE_LINUX:.*nmi\.h' \
		-e '^kernel/trace/(bpf|perf|probes)/.*:RCU_TASKS_TRACE:' \
		-e '^tools/ftrace/tests/modules/ftrace_(nmi|counted)\.c.*:INCLUDE_LINUX:.*nmi\.h' || true
}

# check_parameters: checks that each of our kernel parameters is documented
check_parameters()
{
	local name known=$LINUX/Documentation/admin-guide/kernel-parameters.txt

	overlay_files | grep '\.c$' |
		xargs -d '\n' sed -n 's/^__setup("\([^"=]*=*\)".*/\1/p' |
		while read -r name; do
			grep -q "^[[:space:]]*$name" "$known" ||
				say "$name: kernel parameter missing in kernel-parameters.txt"
		done >>"$report"
}

# check_maintainers: checks that get_maintainer.pl finds a list for each file. In the directories
# that are ours, or the tests', one file of each is enough.
check_maintainers()
{
	overlay_files | awk '{ of = $0 }
		/^(kernel\/trace|include\/trace|tools\/testing)\// { sub(/[^\/]*$/, "", of) }
		!seen[of]++' |
		maintained_files 2>/dev/null | sort >>"$report"
}

maintained_files()
{
	cd "$LINUX"
	# shellcheck disable=SC2016
	xargs -d '\n' -n 1 -P "$JOBS" sh -c 'perl scripts/get_maintainer.pl --no-tree --no-git \
		--no-git-fallback --no-n --no-rolestats -f "$0" | grep -q linux-trace-kernel ||
		echo "$0: MAINTAINERS has no list for it"'
}

# check_documents: checks that the files of kernel-doc directives exist: all of those in our
# documents; in the base's documents those that base/removed deletes
check_documents()
{
	local document path

	(cd "$LINUX" && grep -roP '^\.\. kernel-doc:: *\K\S+' Documentation) | sort -u |
		while IFS=: read -r document path; do
			[ -f "$LINUX/$path" ] || { [ ! -f "$PRISTINE/$path" ] &&
				[[ $document != Documentation/trace/* ]]; } ||
				say "$document: kernel-doc of $path, which does not exist"
		done >>"$report"
}

# check_kernel_doc: checks the kernel-doc comments of our headers; make W=1 reads those of .c files
check_kernel_doc()
{
	overlay_files | grep -E '^(arch|include|kernel)/.*\.h$' |
		(cd "$LINUX" && xargs -d '\n' perl scripts/kernel-doc -none -Werror 2>&1) >>"$report" ||
		true
}

# check_markup: checks our documents with docutils. Roles and directives of Sphinx and the kernel
# are unknown to it. It takes a heading with a short underline for text, so these are searched
# separately.
check_markup()
{
	local documents document

	mapfile -t documents < <(git ls-files --cached --others --exclude-standard \
		'Documentation/*.rst')
	for document in "${documents[@]}"; do
		rst2html5 --report=warning --halt=5 "$document" /dev/null 2>&1 || true
	done | grep -E '^[^ ]+:[0-9]*:? \([A-Z]+/[0-9]\) ' |
		grep -vE -e 'Unknown interpreted text role "(doc|ref|c:[a-z]+)"' \
			-e 'Unknown directive type "(kernel-doc|toctree|c:[a-z]+)"' \
			>>"$report" || true
	awk '/^(==+|--+)$/ && before !~ /^(=*|-*)$/ && length($0) < length(before) {
		print FILENAME ":" FNR ": shorter than the line above it"
	}
	{ before = $0 }' "${documents[@]}" >>"$report"
}

# unused_words: prints the words that design.rst says are not used
unused_words()
{
	sed -n '/^Words that are not used$/,$p' Documentation/trace/design.rst |
		sed -n 's/^\([a-z_, ]*[a-z]\)   .*/\1/p' | sed 's/, /\n/g'
}

# check_words: names and comments use the terms of the glossary. Test cases have sentences as names.
check_words()
{
	local words

	words=$(unused_words | paste -sd '|')
	[ -n "$words" ] || die "design.rst does not list the words that are not used"
	git grep -nE "(^|[^a-zA-Z])($words)([^a-zA-Z]|\$)" -- 'kernel/*.[ch]' 'include/*.h' \
		'arch/*.[chS]' 'scripts/*.[ch]' ':!*kunit*' ':!kernel/trace/selftest' \
		':!kernel/trace/files/readme.c' >>"$report" || true
}

# our_objects: prints our objects that the kernel contains
our_objects()
{
	local object

	overlay_files | sed -n 's/\.[cS]$/.o/p' | while read -r object; do
		[ ! -f "$BUILD/$ARCH/$object" ] || printf '%s\n' "$object"
	done
}

# check_objects: runs sparse and W=1, in a separate build directory because the flags differ
check_objects()
{
	local objects

	mapfile -t objects < <(our_objects)
	mkdir -p "$BUILD/lint"
	cmp -s "$BUILD/$ARCH/.config" "$BUILD/lint/.config" ||
		cp "$BUILD/$ARCH/.config" "$BUILD/lint/.config"
	check_compiled lint "${objects[@]}"
}

# check_other_objects: runs sparse and W=1 on the code of other architectures, without building
# their kernels
check_other_objects()
{
	local arch fragments objects

	for arch in $(other_archs); do (
		arch_row "$arch"
		mkdir -p "$BUILD/lint-$arch"
		mapfile -t fragments < <(arch_fragments "$arch")
		logged lint-setup configure "$LINUX" "lint-$arch" "${fragments[@]}" \
			base/configs/tracer.config
		mapfile -t objects < <(arch_objects "$BUILD/lint-$arch/.config")
		check_compiled "lint-$arch" "${objects[@]}"
	) done
}

# arch_objects config: prints our objects below arch/$SRC_ARCH that this configuration builds
arch_objects()
{
	local object options

	overlay_files | sed -n "/^arch\/$SRC_ARCH\//s/\.c$/.o/p" | while read -r object; do
		[[ $object != *_64*.o ]] || grep -q '^CONFIG_64BIT=y' "$1" || continue
		options=$(sed -n "s/^[[:space:]]*obj-\$(\([A-Z0-9_]*\)).*[[:space:]]$(basename "$object")\b.*/^\1=y/p" \
			"$LINUX/$(dirname "$object")/Makefile")
		! grep -q "$options" "$1" || printf '%s\n' "$object"
	done
}

# check_compiled name objects: compiles, and drops warnings that are about files of the base
check_compiled()
{
	local log=$LOG/$1-objects.log

	kmake "$LINUX" "$1" -s C=2 W=1 "${@:2}" </dev/null >"$log" 2>&1 ||
		grep -E '\*\*\*' "$log" >>"$report" || true
	sed -e "s,$LINUX/,," -e 's,^\.\./linux/,,' "$log" | grep -E ': (warning|error):' |
		while IFS= read -r line; do
			[ ! -f "${line%%:*}" ] || printf '%s\n' "$line"
		done | sort -u >>"$report"
}

# check_scripts: runs shellcheck on the harness
check_scripts()
{
	local scripts

	mapfile -t scripts < <(git ls-files --cached --others --exclude-standard |
		grep -E '^(tools/ftrace/.*\.sh|tools/ftrace/guest/(init|nice)|\.ci/run)$')
	shellcheck -x -P "$TOOLS" -e SC1091 "${scripts[@]}" >>"$report" || true
}

needs lint >"$LOG/lint-setup.log"
logged lint-setup "$TOOLS/kernel.sh"
check_patches
check_parameters
check_maintainers
check_documents
check_kernel_doc
check_markup
check_words
check_objects
check_other_objects
check_rooms "$BUILD/$ARCH" >>"$report"
check_scripts
cat "$report"
[ ! -s "$report" ]
