// SPDX-License-Identifier: GPL-2.0
/*
 * recordmcount: record the places where an object calls the profiling function.
 *
 * Kbuild runs this program on each object compiled for tracing, after objtool
 * where objtool works on single objects. The program adds a section
 * __mcount_loc that holds the address of every call site, and relocations by
 * which the linker fills in these addresses. The linker script gathers the
 * sections between __start_mcount_loc and __stop_mcount_loc; a module keeps its
 * own.
 *
 * Each machine is a row of machines[], and the form of its calls a row of
 * struct call_form. text_sections[] lists the sections whose code exists when
 * tracing runs. A call in any other section must not be recorded: when the
 * tracer writes to its address, the memory may be freed or used for something
 * else. Such calls are turned into nops where the machine allows it.
 *
 * All changes are made to a copy in memory, by the functions of
 * recordmcount_elf.h. The file is replaced as a whole at the very end, under
 * its old name and with its old mode. So a fault or an interruption leaves the
 * file unchanged, and other links to it (from a compiler cache, for example)
 * keep the original content.
 *
 * usage: recordmcount [-w] object...
 *	-w	warn about calls that are not recorded
 * Exit status: 0 if all objects are processed, 1 at the first object that
 * cannot be processed.
 */
#include "recordmcount.h"
#include "recordmcount_load.h"

#define TABLE_NAME	"__mcount_loc"

static bool warn_left_out;

/**
 * struct site - a call that is recorded in the table
 * @section: index of the section that contains the call
 * @offset: offset in the section of the first byte of the call
 */
struct site {
	u32 section;
	u64 offset;
};

/**
 * struct recording - state of processing one object
 * @obj: the object
 * @machine: row of machines[] for the object
 * @calls: indices of the symbols of the profiling function
 * @nr_calls: number of @calls; seldom more than one
 * @sites: the calls to be recorded, in the order of their relocations
 * @nr_sites: number of @sites
 * @kind: SHT_REL or SHT_RELA: type of the relocations of the sites
 * @changed: true if the image differs from the file
 */
struct recording {
	struct object obj;
	const struct machine *machine;
	u32 *calls;
	size_t nr_calls;
	struct site *sites;
	size_t nr_sites;
	u64 kind;
	bool changed;
};

/* Make room for one more element; the array has room for a power of two elements. */
static void *array_push(const struct object *obj, void *array, size_t nr, size_t size)
{
	if (nr & (nr - 1))
		return array;
	if (nr)
		array = realloc(array, 2 * nr * size);
	else
		array = calloc(1, size);
	if (!array)
		object_fault(obj, "out of memory");
	return array;
}

/* Local symbols are skipped: they are other functions with the name of the profiling function. */
static void find_call_symbols(struct recording *rec)
{
	struct object *obj = &rec->obj;
	struct symbol sym;

	for (u32 i = 1; i < obj->nr_symbols; i++) {
		sym = symbol_get(obj, i);
		if (sym.bind == STB_LOCAL ||
		    !is_profiling_name(rec->machine, sym.label))
			continue;
		rec->calls = array_push(obj, rec->calls, rec->nr_calls,
					sizeof(*rec->calls));
		rec->calls[rec->nr_calls++] = i;
	}
}

static bool is_call_symbol(const struct recording *rec, u32 symbol)
{
	for (size_t i = 0; i < rec->nr_calls; i++)
		if (rec->calls[i] == symbol)
			return true;
	return false;
}

/* Not sections of groups, of which the linker keeps only one, and not excluded sections. */
static bool is_recorded_section(const struct object *obj, u32 index)
{
	u64 flags = obj->sections[index].flags;

	return (flags & SHF_ALLOC) && !(flags & (SHF_GROUP | SHF_EXCLUDE)) &&
	       is_recorded_name(section_label(obj, index));
}

/*
 * True if there is a call at @rel in section @text. The caller has checked that
 * the relocated bytes are in the section.
 */
static bool is_call(const struct recording *rec, const struct section *text,
		    const struct reloc *rel, u64 *site)
{
	const struct call_form *form = rec->machine->forms;

	for (; form->width; form++) {
		if (form->reloc != rel->type || rel->offset < form->back)
			continue;
		*site = rel->offset - form->back;
		if ((image_get_bytes(&rec->obj, text->offset + *site, form->width) &
		     form->mask) == form->opcode)
			return true;
	}
	return false;
}

static void add_site(struct recording *rec, u32 section, u64 offset, u64 kind)
{
	if (!rec->nr_sites)
		rec->kind = kind;
	rec->sites = array_push(&rec->obj, rec->sites, rec->nr_sites,
				sizeof(*rec->sites));
	rec->sites[rec->nr_sites++] = (struct site) { section, offset };
}

/* Make the call at @site a nop, and its relocation at @pos one of type 0. */
static void remove_call(struct recording *rec, const struct section *text,
			u64 site, u64 pos, struct reloc *rel, u64 kind)
{
	if (!rec->machine->nop)
		return;
	memcpy(rec->obj.image + text->offset + site, rec->machine->nop,
	       rec->machine->nop_size);
	rel->type = 0;
	reloc_put(&rec->obj, pos, kind, rel);
	rec->changed = true;
}

/* A relocation of type 0 changes nothing, so its offset is not checked. */
static void check_reloc(const struct object *obj, u32 index,
			const struct section *text, const struct reloc *rel)
{
	if (rel->symbol >= obj->nr_symbols)
		object_fault(obj, "section %u (%s): symbol index %u out of range",
			     index, section_label(obj, index), rel->symbol);
	if (rel->type && !is_within(text->size, rel->offset, 1))
		object_fault(obj, "section %u (%s): relocation at %llu lies beyond its section",
			     index, section_label(obj, index), rel->offset);
}

/* Process the calls in relocation section @index, which belongs to a section of code. */
static void scan_relocs(struct recording *rec, u32 index)
{
	struct object *obj = &rec->obj;
	const struct section *sec = &obj->sections[index];
	const struct section *text = &obj->sections[sec->info];
	u64 entry = reloc_size(obj, sec->type);
	bool recorded = is_recorded_section(obj, sec->info);
	u64 site, pos, end = sec->offset + sec->size;
	size_t left_out = 0;

	for (pos = sec->offset; pos < end; pos += entry) {
		struct reloc rel = reloc_get(obj, pos, sec->type);

		check_reloc(obj, index, text, &rel);
		if (!is_call_symbol(rec, rel.symbol) || !rel.type)
			continue;
		/* Every form relocates part of a 32-bit unit. */
		if (!is_within(text->size, rel.offset, 4))
			object_fault(obj,
				     "section %u (%s): relocation at %llu reaches beyond its section",
				     index, section_label(obj, index), rel.offset);
		if (!is_call(rec, text, &rel, &site))
			continue;
		if (recorded) {
			add_site(rec, sec->info, site, sec->type);
		} else {
			remove_call(rec, text, site, pos, &rel, sec->type);
			left_out++;
		}
	}
	if (left_out && warn_left_out)
		fprintf(stderr,
			"recordmcount: %s: warning: section %s: %zu calls are not recorded\n",
			obj->path, section_label(obj, sec->info), left_out);
}

static void scan_object(struct recording *rec)
{
	const struct section *sec = rec->obj.sections;
	const struct section *text;

	for (u32 i = 1; i < rec->obj.nr_sections; i++) {
		if (!section_is_reloc(&sec[i]))
			continue;
		text = &sec[sec[i].info];
		if (text->type == SHT_PROGBITS && (text->flags & SHF_EXECINSTR))
			scan_relocs(rec, i);
	}
}

/**
 * struct anchor - the symbol to which a section's sites are relative
 * @symbol: index of the symbol
 * @value: offset of the symbol in the section
 * @rank: suitability of the symbol; 0 while none has been found
 * @wanted: true if the section has sites
 */
struct anchor {
	u32 symbol;
	u64 value;
	unsigned int rank;
	bool wanted;
};

/*
 * Suitability of a symbol as an anchor: it must name the same address after
 * linking. A weak symbol may be replaced by another object's. Assembler labels
 * (.L, on MIPS $L) may be dropped by any later step.
 */
static unsigned int anchor_rank(const struct symbol *sym)
{
	const char *label = sym->label;

	if (sym->type == STT_SECTION)
		return 3;
	if (sym->type != STT_FUNC && sym->type != STT_NOTYPE)
		return 0;
	if (!label[0] || ((label[0] == '.' || label[0] == '$') &&
			  label[1] == 'L'))
		return 0;
	if (sym->bind == STB_LOCAL)
		return 2;
	return sym->bind == STB_GLOBAL;
}

static void find_anchors(const struct recording *rec, struct anchor *anchors)
{
	const struct object *obj = &rec->obj;
	struct anchor *anchor;
	unsigned int rank;

	for (size_t i = 0; i < rec->nr_sites; i++)
		anchors[rec->sites[i].section].wanted = true;

	for (u32 i = 1; i < obj->nr_symbols; i++) {
		struct symbol sym = symbol_get(obj, i);

		anchor = &anchors[sym.section];
		rank = anchor_rank(&sym);
		if (!anchor->wanted || rank <= anchor->rank)
			continue;
		anchor->symbol = i;
		anchor->value = sym.value;
		anchor->rank = rank;
	}
}

/* Copy a table to the end of the image, with @gap free entries at index @first. */
static void copy_table(struct object *obj, struct section *sec, u64 first,
		       u64 gap, u64 entry)
{
	u64 head = first * entry;
	u64 pos = image_grow(obj, sec->size + gap * entry, 8);

	memcpy(obj->image + pos, obj->image + sec->offset, head);
	memcpy(obj->image + pos + head + gap * entry,
	       obj->image + sec->offset + head, sec->size - head);
	sec->offset = pos;
	sec->size += gap * entry;
}

static void put_section_symbol(struct object *obj, u32 index,
			       u32 section)
{
	u64 pos = symbol_pos(obj, index);
	bool extended = section >= SHN_LORESERVE;

	field_put(obj, pos, st_info,
		  ELF64_ST_INFO(STB_LOCAL, STT_SECTION));
	field_put(obj, pos, st_shndx, extended ? SHN_XINDEX : section);
	if (!extended)
		return;
	if (!obj->shndx)
		object_fault(obj, "section %u needs a section index table", section);
	image_put_bytes(obj, obj->sections[obj->shndx].offset +
			index * SHNDX_SIZE, SHNDX_SIZE, section);
}

static void renumber_relocs(struct object *obj, const struct section *sec,
			    u64 first, u32 added)
{
	u64 entry = reloc_size(obj, sec->type);
	u64 end = sec->offset + sec->size;

	for (u64 pos = sec->offset; pos < end; pos += entry) {
		struct reloc rel = reloc_get(obj, pos, sec->type);

		if (rel.symbol < first)
			continue;
		rel.symbol += added;
		reloc_put(obj, pos, sec->type, &rel);
	}
}

/* A section that is only a hint for the linker, which ignores it if its link is 0. */
#define SHT_ADDRESS_SIGNIFICANCE	0x6fff4c03

/* Update all symbol indices after @added symbols were inserted at index @first. */
static void renumber_symbols(struct object *obj, u64 first, u32 added)
{
	struct section *sec = obj->sections + 1;

	for (; sec < obj->sections + obj->nr_sections; sec++) {
		if (sec->link != obj->symtab)
			continue;
		if (section_is_reloc(sec))
			renumber_relocs(obj, sec, first, added);
		else if (sec->type == SHT_GROUP && sec->info >= first)
			sec->info += added;
		else if (sec->type == SHT_ADDRESS_SIGNIFICANCE)
			sec->link = 0;
	}
}

/*
 * Assemblers omit section symbols that nothing refers to. A section that
 * contains only weak functions has no suitable symbol then, so its section
 * symbol is added. The new symbols are inserted behind the other local symbols,
 * because local symbols must precede all global ones.
 */
static void add_section_symbols(struct object *obj, struct anchor *anchors)
{
	struct section *symtab = &obj->sections[obj->symtab];
	u32 first = symtab->info;
	u32 added = 0;

	for (u32 i = 1; i < obj->nr_sections; i++) {
		if (!anchors[i].wanted)
			continue;
		if (!anchors[i].rank)
			anchors[i].symbol = first + added++;
	}
	if (!added)
		return;

	copy_table(obj, symtab, first, added, sym_size[obj->wide]);
	if (obj->shndx)
		copy_table(obj, &obj->sections[obj->shndx], first, added,
			   SHNDX_SIZE);
	symtab->info += added;
	obj->nr_symbols += added;
	renumber_symbols(obj, first, added);

	for (u32 i = 1; i < obj->nr_sections; i++) {
		if (!anchors[i].wanted)
			continue;
		if (!anchors[i].rank)
			put_section_symbol(obj, anchors[i].symbol, i);
		else if (anchors[i].symbol >= first)
			anchors[i].symbol += added;
	}
}

/* Fill the table at @table and its relocations at @relocs. */
static void put_sites(struct recording *rec, const struct anchor *anchors,
		      u64 table, u64 relocs)
{
	u64 entry = reloc_size(&rec->obj, rec->kind);
	unsigned int word = rec->machine->word;
	const struct site *site = rec->sites;

	for (size_t i = 0; i < rec->nr_sites; i++, site++) {
		const struct anchor *anchor = &anchors[site->section];
		struct reloc rel = {
			.offset = i * word,
			.symbol = anchor->symbol,
			.type = rec->machine->word_reloc,
			.addend = site->offset - anchor->value,
		};

		reloc_put(&rec->obj, relocs + i * entry, rec->kind, &rel);
		if (rec->kind == SHT_REL)
			image_put_bytes(&rec->obj, table + i * word, word,
					rel.addend);
	}
}

/* Append room for @nr entries of a section to the image, and set offset and size of the section. */
static void place_section(struct object *obj, struct section *sec, u64 nr)
{
	sec->size = nr * sec->entsize;
	sec->offset = image_grow(obj, sec->size, sec->align);
}

/* Append the name of @relocs to the section names; its tail is the name of @table. */
static void append_section_names(struct object *obj, struct section *table,
				 struct section *relocs)
{
	static const char rela_name[] = ".rela" TABLE_NAME;
	static const char rel_name[] = ".rel" TABLE_NAME;
	const char *name = relocs->type == SHT_RELA ? rela_name : rel_name;
	struct section *names = &obj->sections[obj->names];
	u64 len = strlen(name);

	relocs->name = names->size;
	table->name = names->size + len - strlen(TABLE_NAME);
	copy_table(obj, names, names->size, len + 1, 1);
	memcpy(obj->image + names->offset + relocs->name, name, len + 1);
}

static void put_section_table(struct object *obj)
{
	u64 entry = shdr_size[obj->wide];
	u64 pos = image_grow(obj, obj->nr_sections * entry, 8);
	bool extended = obj->nr_sections >= SHN_LORESERVE;

	obj->sections[0].size = extended ? obj->nr_sections : 0;
	field_put(obj, 0, e_shnum, extended ? 0 : obj->nr_sections);
	field_put(obj, 0, e_shoff, pos);
	for (u32 i = 0; i < obj->nr_sections; i++)
		section_put(obj, pos + i * entry, &obj->sections[i]);
}

/* New parts are appended to the file; the parts that they replace stay, but are not used. */
static void append_site_table(struct recording *rec)
{
	struct object *obj = &rec->obj;
	struct anchor *anchors = object_alloc(obj, obj->nr_sections,
					      sizeof(*anchors));
	struct section table = {
		.type = SHT_PROGBITS, .flags = SHF_ALLOC,
		.align = rec->machine->word, .entsize = rec->machine->word,
	};
	struct section relocs = {
		.type = rec->kind, .flags = SHF_INFO_LINK,
		.link = obj->symtab, .info = obj->nr_sections,
		.align = rec->machine->word,
		.entsize = reloc_size(obj, rec->kind),
	};

	find_anchors(rec, anchors);
	add_section_symbols(obj, anchors);
	place_section(obj, &table, rec->nr_sites);
	place_section(obj, &relocs, rec->nr_sites);
	put_sites(rec, anchors, table.offset, relocs.offset);
	free(anchors);

	append_section_names(obj, &table, &relocs);
	obj->sections = realloc(obj->sections, (obj->nr_sections + 2ull) *
				sizeof(*obj->sections));
	if (!obj->sections)
		object_fault(obj, "out of memory");
	obj->sections[obj->nr_sections++] = table;
	obj->sections[obj->nr_sections++] = relocs;
	put_section_table(obj);
	rec->changed = true;
}

/*
 * Check that the file is writable, which replacing it does not need. A file with
 * more than one link is not checked: a compiler cache makes its links read-only
 * against writes through them, and replacing the file does not write through.
 */
static void check_writable(const struct object *obj)
{
	if (obj->links > 1)
		return;
	if (!(obj->mode & 0222) || access(obj->path, W_OK))
		object_fault(obj, "read-only file");
}

/* Remove the temporary file, and end with a fault. */
static noreturn void discard_temp(const struct object *obj, const char *temp,
				  const char *action)
{
	int err = errno;

	unlink(temp);
	object_fault(obj, "cannot %s %s: %s", action, temp, strerror(err));
}

static void write_image(const struct object *obj, int fd, const char *temp)
{
	u64 done = 0;
	ssize_t written;

	while (done < obj->size) {
		written = write(fd, obj->image + done, obj->size - done);
		if (written < 0)
			discard_temp(obj, temp, "write");
		done += written;
	}
	if (fchmod(fd, obj->mode & 07777))
		discard_temp(obj, temp, "set the mode of");
	if (close(fd))
		discard_temp(obj, temp, "close");
}

/* The name matches a pattern of "make clean", which removes the file after an interruption. */
static char *temp_name(const struct object *obj, const char *path)
{
	static const char format[] = "%.*s.tmp_%s.XXXXXX";
	const char *slash = strrchr(path, '/');
	int dir = slash ? slash + 1 - path : 0;
	size_t len = strlen(path) + sizeof(format);
	char *temp = object_alloc(obj, len, 1);

	snprintf(temp, len, format, dir, path, path + dir);
	return temp;
}

static void save_object(const struct object *obj)
{
	char *temp, *path;
	int fd;

	check_writable(obj);
	path = realpath(obj->path, NULL);
	if (!path)
		object_fault(obj, "cannot resolve: %s", strerror(errno));
	temp = temp_name(obj, path);
	fd = mkstemp(temp);
	if (fd < 0)
		object_fault(obj, "cannot create %s: %s", temp, strerror(errno));
	write_image(obj, fd, temp);
	if (rename(temp, path))
		discard_temp(obj, temp, "rename");
	free(temp);
	free(path);
}

static bool has_site_table(const struct object *obj)
{
	for (u32 i = 1; i < obj->nr_sections; i++)
		if (!strcmp(section_label(obj, i), TABLE_NAME))
			return true;
	return false;
}

static void record_object(const char *path)
{
	struct recording rec = { .obj = { .path = path } };

	object_read(&rec.obj);
	object_identify(&rec.obj);
	rec.machine = find_machine(&rec.obj);
	rec.obj.mips_info = rec.machine->mips_info;
	object_check(&rec.obj);

	if (!has_site_table(&rec.obj)) {
		find_call_symbols(&rec);
		scan_object(&rec);
		if (rec.nr_sites)
			append_site_table(&rec);
		if (rec.changed)
			save_object(&rec.obj);
	}
	free(rec.calls);
	free(rec.sites);
	free(rec.obj.sections);
	free(rec.obj.image);
}

int main(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "w")) == 'w')
		warn_left_out = true;
	if (option != -1 || optind == argc) {
		fprintf(stderr, "usage: recordmcount [-w] object...\n");
		return 1;
	}
	for (; optind < argc; optind++)
		record_object(argv[optind]);
	return 0;
}
