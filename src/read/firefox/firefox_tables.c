/* Reads the tables of a Firefox Profiler profile, from either kind of file. */
#include "base/alloc.h"
#include "base/decimal.h"
#include "base/json_tree.h"
#include "read/firefox/firefox.h"
#include "read/json_walk.h"

#include <stdlib.h>

static const struct {
	const char *table, *name;
	int digits;
} columns[NR_FIREFOX_COLUMNS] = {
	[STACK_FRAME] = { "stackTable", "frame", 0 },
	[STACK_PREFIX] = { "stackTable", "prefix", 0 },
	[STACK_PREFIX_OFFSET] = { "stackTable", "prefixOffset", 0 },
	[CALL_FUNC] = { "frameTable", "func", 0 },
	[CALL_LIB] = { "frameTable", "lib", 0 },
	[CALL_ADDRESS] = { "frameTable", "address", 0 },
	[CALL_LINE] = { "frameTable", "line", 0 },
	[CALL_DEPTH] = { "frameTable", "inlineDepth", 0 },
	[CALL_CATEGORY] = { "frameTable", "category", 0 },
	[CALL_SYMBOL] = { "frameTable", "nativeSymbol", 0 },
	[CALL_LOCATION] = { "frameTable", "location", 0 },
	[FUNC_NAME] = { "funcTable", "name", 0 },
	[FUNC_RESOURCE] = { "funcTable", "resource", 0 },
	[FUNC_FILE] = { "funcTable", "fileName", 0 },
	[FUNC_SOURCE] = { "funcTable", "source", 0 },
	[FUNC_LINE] = { "funcTable", "lineNumber", 0 },
	[RESOURCE_LIB] = { "resourceTable", "lib", 0 },
	[SYMBOL_LIB] = { "nativeSymbols", "libIndex", 0 },
	[SOURCE_FILE] = { "sources", "filename", 0 },
	[SAMPLE_STACK] = { "samples", "stack", 0 },
	[SAMPLE_TIME] = { "samples", "time", FIREFOX_DIGITS },
	[SAMPLE_DELTA] = { "samples", "timeDeltas", FIREFOX_DIGITS },
	[SAMPLE_WEIGHT] = { "samples", "weight", FIREFOX_DIGITS },
	[SAMPLE_DURATION] = { "samples", "duration", FIREFOX_DIGITS },
	[SAMPLE_CPU] = { "samples", "threadCPUDelta", 0 },
	[MARKER_NAME] = { "markers", "name", 0 },
	[MARKER_START] = { "markers", "startTime", FIREFOX_DIGITS },
	[MARKER_END] = { "markers", "endTime", FIREFOX_DIGITS },
	[MARKER_PHASE] = { "markers", "phase", 0 },
	[MARKER_CAUSE_STACK] = { "markers", "data.cause.stack", 0 },
	[MARKER_CAUSE_TID] = { "markers", "data.cause.tid", 0 },
};

void firefox_tables_release(struct firefox_tables *t)
{
	for (size_t i = 0; i < NR_FIREFOX_COLUMNS; i++)
		free(t->column[i].value);
	free(t->string);
	for (size_t i = 0; i < t->nr_lib; i++)
		free(t->lib[i].piece);
	free(t->lib);
	free(t->lib_order);
	free(t->frame);
	free(t->has_frame);
	free(t->stack);
	free(t->path);
	strbuf_release(&t->weight_type);
	arena_release(&t->arena);
	*t = (struct firefox_tables){ .shared = t->shared };
}

/* Looking up */

static const struct firefox_list *find_list(const struct firefox_tables *t, enum firefox_column c)
{
	return t->column[c].seen || !t->shared ? &t->column[c] : &t->shared->column[c];
}

int64_t firefox_at(const struct firefox_tables *t, enum firefox_column column, int64_t row)
{
	const struct firefox_list *list = find_list(t, column);

	return row >= 0 && (uint64_t)row < list->nr ? list->value[row] : FIREFOX_NONE;
}

size_t firefox_rows(const struct firefox_tables *t, enum firefox_column column)
{
	return find_list(t, column)->nr;
}

size_t firefox_strings(const struct firefox_tables *t)
{
	return !t->nr_string && t->shared ? t->shared->nr_string : t->nr_string;
}

struct span firefox_string(const struct firefox_tables *t, int64_t i)
{
	if (!t->nr_string && t->shared)
		t = t->shared;
	return i >= 0 && (uint64_t)i < t->nr_string ? t->string[i] : SPAN("");
}

struct firefox_lib *firefox_lib(const struct firefox_tables *t, int64_t i)
{
	if (!t->nr_lib && t->shared)
		t = t->shared;
	return i >= 0 && (uint64_t)i < t->nr_lib ? &t->lib[i] : NULL;
}

struct firefox_lib *firefox_lib_around(const struct firefox_tables *t, uint64_t address)
{
	size_t low = 0, high;

	if (!t->nr_lib && t->shared)
		t = t->shared;
	high = t->nr_lib;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->lib[t->lib_order[middle]].begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address >= t->lib[t->lib_order[low - 1]].end)
		return NULL;
	return &t->lib[t->lib_order[low - 1]];
}

/* Numbers */

static void add_value(struct firefox_list *list, int64_t value)
{
	GROW(list->value, list->nr, list->cap);
	list->value[list->nr++] = value;
	list->seen = true;
}

struct reading {
	struct firefox_tables *t;
	struct build *b;
	struct span table;
	struct firefox_list *list; /* the list being read */
	int digits;
	/* Rows, which may come before their schema */
	struct firefox_list cell, row_begin;
	int column[SCHEMA_MAX]; /* by position in a row; -1: not read */
};

int firefox_digits(enum firefox_column column)
{
	return columns[column].digits;
}

int firefox_number(struct build *b, int digits, const struct json *j, enum json_token token,
		   int64_t *value, struct error *e)
{
	struct decimal d;

	*value = FIREFOX_NONE;
	if (token == JSON_NUMBER && (!decimal_parse(j->value, &d) || !decimal_at(d, digits, value)))
		return build_note(b, NOTE_BAD_COUNT, j->value, e);
	return 0;
}

/* Elements that are not numbers are kept as FIREFOX_NONE, so that row numbers stay valid. */
static enum json_token read_cell(void *arg, struct json *j, enum json_token token, struct error *e)
{
	struct reading *r = arg;
	int64_t value;

	if (firefox_number(r->b, r->digits, j, token, &value, e))
		return JSON_ERROR;
	add_value(r->list, value);
	return json_skip(j, token, e);
}

/* Data of markers: a list of objects, of which only `cause` is read. */

static enum json_token cause_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct reading *r = arg;
	enum firefox_column column = span_is(name, "tid") ? MARKER_CAUSE_TID : MARKER_CAUSE_STACK;
	struct firefox_list *list = &r->t->column[column];
	bool known = column == MARKER_CAUSE_TID || span_is(name, "stack");
	enum json_token token = json_next(j, e);
	uint64_t value;

	/* IDs of threads may be strings. */
	if (known && (token == JSON_NUMBER || token == JSON_STRING) && span_u64(j->value, &value) &&
	    value <= UINT32_MAX)
		list->value[list->nr - 1] = (int64_t)value;
	return json_skip(j, token, e);
}

static enum json_token data_member(void *arg, struct json *j, struct span name, struct error *e)
{
	return span_is(name, "cause") ? json_object_of(j, cause_member, arg, e)
				      : json_pass_over(j, e);
}

static enum json_token read_data(struct reading *r, struct json *j, enum json_token token,
				 struct error *e)
{
	add_value(&r->t->column[MARKER_CAUSE_STACK], FIREFOX_NONE);
	add_value(&r->t->column[MARKER_CAUSE_TID], FIREFOX_NONE);
	return token == JSON_OBJECT ? json_each_member(j, data_member, r, e)
				    : json_skip(j, token, e);
}

/* Rows */

static enum json_token read_row(void *arg, struct json *j, enum json_token token, struct error *e)
{
	struct reading *r = arg;

	if (token != JSON_ARRAY && span_is(r->table, "markers"))
		return read_data(r, j, token, e);
	add_value(&r->row_begin, (int64_t)r->cell.nr);
	return token == JSON_ARRAY ? json_each_element(j, read_cell, r, e) : json_skip(j, token, e);
}

static int find_column(struct span table, struct span name)
{
	for (int i = 0; i < NR_FIREFOX_COLUMNS; i++)
		if (span_is(table, columns[i].table) && span_is(name, columns[i].name))
			return i;
	return -1;
}

static enum json_token schema_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct reading *r = arg;
	int column = find_column(r->table, name);
	enum json_token token = json_next(j, e);
	uint64_t place;

	if (token == JSON_NUMBER && span_u64(j->value, &place) && place < SCHEMA_MAX)
		r->column[place] = column;
	return json_skip(j, token, e);
}

/* Cells were read with FIREFOX_DIGITS; removes those that the column does not have. */
static int64_t without_digits(int64_t value, int digits)
{
	for (; value != FIREFOX_NONE && digits < FIREFOX_DIGITS; digits++)
		value /= 10;
	return value;
}

static void spread_rows(struct reading *r)
{
	for (size_t place = 0; place < SCHEMA_MAX; place++) {
		int column = r->column[place];

		if (column < 0)
			continue;
		for (size_t i = 0; i < r->row_begin.nr; i++) {
			size_t cell = (size_t)r->row_begin.value[i] + place;
			size_t end = i + 1 < r->row_begin.nr ? (size_t)r->row_begin.value[i + 1]
							     : r->cell.nr;

			add_value(&r->t->column[column],
				  cell < end ? without_digits(r->cell.value[cell],
							      columns[column].digits)
					     : FIREFOX_NONE);
		}
	}
}

/* Tables */

/* Samples are not stored: there are many, while other tables only have distinct rows. */
static bool is_samples(struct span table)
{
	return span_is(table, "samples");
}

static enum json_token table_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct reading *r = arg;
	int column = find_column(r->table, name);

	if (span_is(name, "schema"))
		return json_object_of(j, schema_member, r, e);
	if (span_is(name, "data") && is_samples(r->table))
		return json_place_of(j, &r->t->samples.rows, e);
	if (span_is(name, "data")) {
		r->list = &r->cell;
		r->digits = FIREFOX_DIGITS;
		return json_array_of(j, read_row, r, e);
	}
	if (span_is(name, "weightType"))
		return json_string_of(j, &r->t->weight_type, e);
	if (column < 0)
		return json_pass_over(j, e);
	if (is_samples(r->table))
		return json_place_of(j, &r->t->samples.list[column - SAMPLE_STACK], e);
	r->list = &r->t->column[column];
	r->list->nr = 0;
	r->digits = columns[column].digits;
	return json_array_of(j, read_cell, r, e);
}

static enum json_token read_table(struct reading *r, struct json *j, struct error *e)
{
	enum json_token token;

	for (size_t i = 0; i < SCHEMA_MAX; i++)
		r->column[i] = -1;
	token = json_object_of(j, table_member, r, e);
	if (is_samples(r->table))
		memcpy(r->t->samples.column, r->column, sizeof(r->column));
	else
		spread_rows(r);
	free(r->cell.value);
	free(r->row_begin.value);
	return token;
}

/* Strings and libraries */

static struct span keep(struct arena *a, struct span s)
{
	char *copy = arena_take(a, s.size + 1);

	if (s.size)
		memcpy(copy, s.at, s.size);
	return (struct span){ .at = copy, .size = s.size };
}

static enum json_token read_string(void *arg, struct json *j, enum json_token token,
				   struct error *e)
{
	struct reading *r = arg;
	struct firefox_tables *t = r->t;

	GROW(t->string, t->nr_string, t->cap_string);
	t->string[t->nr_string++] = token == JSON_STRING ? keep(&t->arena, j->value) : SPAN("");
	return json_skip(j, token, e);
}

static struct span text(const struct json_node *n, const char *name)
{
	n = json_find(n, name);
	return n && n->type == JSON_STRING ? n->text : SPAN("");
}

static uint64_t number(const struct json_node *n, const char *name)
{
	uint64_t value = 0;

	n = json_find(n, name);
	return n && n->type == JSON_NUMBER && span_u64(n->text, &value) ? value : 0;
}

/* The build ID of an ELF file; the code IDs of other formats are not build IDs. */
static struct span elf_build_id(const struct json_node *n)
{
	struct span id = text(n, "codeId");

	for (size_t i = 0; i < id.size; i++)
		if (!is_digit(id.at[i]) && !(id.at[i] >= 'a' && id.at[i] <= 'f'))
			return SPAN("");
	return id.size >= 32 && id.size % 2 == 0 ? id : SPAN("");
}

static enum json_token read_lib(void *arg, struct json *j, enum json_token token, struct error *e)
{
	struct reading *r = arg;
	struct firefox_tables *t = r->t;
	struct arena arena = { 0 };
	const struct json_node *n = json_tree_take(&arena, j, token, e);
	struct span path = text(n, "path");

	if (!path.size)
		path = text(n, "debugPath");
	if (!path.size)
		path = text(n, "name");
	GROW(t->lib, t->nr_lib, t->cap_lib);
	t->lib[t->nr_lib++] = (struct firefox_lib){ .path = keep(&t->arena, path),
						    .build_id = keep(&t->arena, elf_build_id(n)),
						    .code_id = keep(&t->arena, text(n, "codeId")),
						    .begin = number(n, "start"),
						    .end = number(n, "end"),
						    .offset = number(n, "offset") };
	arena_release(&arena);
	return n ? JSON_OBJECT_END : JSON_ERROR;
}

static int by_begin(const void *a, const void *b, void *arg)
{
	const struct firefox_lib *lib = arg;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;

	if (lib[i].begin != lib[k].begin)
		return lib[i].begin < lib[k].begin ? -1 : 1;
	return i < k ? -1 : i > k;
}

/* Up to version 3, the list is a string that contains JSON. */
static enum json_token read_lib_string(struct reading *r, struct span string, struct error *e)
{
	enum json_token token;
	struct json json;
	struct text text;

	text_over(&text, string);
	json_init(&json, &text);
	token = json_array_of(&json, read_lib, r, e);
	json_release(&json);
	text_release(&text);
	return token == JSON_ERROR ? token : JSON_STRING;
}

static enum json_token read_libs(struct reading *r, struct json *j, struct error *e)
{
	struct firefox_tables *t = r->t;
	enum json_token token = json_next(j, e);

	if (token == JSON_STRING)
		token = read_lib_string(r, j->value, e);
	else if (token == JSON_ARRAY)
		token = json_each_element(j, read_lib, r, e);
	else
		token = json_skip(j, token, e);
	t->lib_order = xreallocarray(t->lib_order, t->nr_lib + 1, sizeof(*t->lib_order));
	for (size_t i = 0; i < t->nr_lib; i++)
		t->lib_order[i] = (uint32_t)i;
	qsort_r(t->lib_order, t->nr_lib, sizeof(*t->lib_order), by_begin, t->lib);
	return token;
}

enum json_token firefox_tables_member(struct firefox_tables *t, struct build *b, struct json *j,
				      struct span name, struct error *e)
{
	struct reading r = { .t = t, .b = b };

	if (span_is(name, "stringArray") || span_is(name, "stringTable"))
		return json_array_of(j, read_string, &r, e);
	if (span_is(name, "libs"))
		return read_libs(&r, j, e);
	for (size_t i = 0; i < NR_FIREFOX_COLUMNS; i++) {
		if (!span_is(name, columns[i].table))
			continue;
		r.table = span_of(columns[i].table);
		return read_table(&r, j, e);
	}
	return JSON_NAME;
}
