#include "read/firefox/firefox_symbols.h"

#include "base/alloc.h"
#include "base/json_tree.h"
#include "base/source.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "read/json_walk.h"

#include <stdlib.h>
#include <unistd.h>

struct reading {
	struct firefox_symbols *s;
	struct strbuf code_id, key;
	uint32_t *symbol; /* of the library that is being read: its name */
	size_t nr, cap;
	/* Addresses may come before the symbols that they refer to. */
	struct known {
		uint64_t address, symbol;
	} * known;
	size_t nr_known, cap_known;
};

static void add_key(struct strbuf *key, struct span code_id, uint64_t address)
{
	strbuf_reset(key);
	strbuf_add(key, code_id);
	strbuf_addf(key, " %llx", (unsigned long long)address);
}

static enum json_token add_string(void *arg, struct json *j, enum json_token token, struct error *e)
{
	struct firefox_symbols *s = ((struct reading *)arg)->s;
	char *copy;

	GROW(s->string, s->nr_string, s->cap_string);
	s->string[s->nr_string] = SPAN("");
	if (token == JSON_STRING) {
		copy = arena_take(&s->arena, j->value.size + 1);
		memcpy(copy, j->value.at, j->value.size);
		s->string[s->nr_string] = (struct span){ .at = copy, .size = j->value.size };
	}
	s->nr_string++;
	return json_skip(j, token, e);
}

static uint64_t number(const struct json_node *n)
{
	uint64_t value;

	return n && n->type == JSON_NUMBER && span_u64(n->text, &value) ? value : UINT64_MAX;
}

static enum json_token add_symbol(void *arg, struct json *j, enum json_token token, struct error *e)
{
	struct reading *r = arg;
	struct arena arena = { 0 };
	const struct json_node *n = json_tree_take(&arena, j, token, e);
	uint64_t name = number(json_find(n, "symbol"));

	GROW(r->symbol, r->nr, r->cap);
	r->symbol[r->nr++] = name < UINT32_MAX ? (uint32_t)name : UINT32_MAX;
	arena_release(&arena);
	return n ? token : JSON_ERROR;
}

/* [address, symbol] */
static enum json_token add_known(void *arg, struct json *j, enum json_token token, struct error *e)
{
	struct reading *r = arg;
	struct arena arena = { 0 };
	const struct json_node *n = json_tree_take(&arena, j, token, e);
	const struct json_node *address = n ? n->first : NULL;

	GROW(r->known, r->nr_known, r->cap_known);
	r->known[r->nr_known++] =
		(struct known){ .address = number(address),
				.symbol = number(address ? address->next : NULL) };
	arena_release(&arena);
	return n ? token : JSON_ERROR;
}

static enum json_token library_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct reading *r = arg;

	if (span_is(name, "code_id"))
		return json_string_of(j, &r->code_id, e);
	if (span_is(name, "symbol_table"))
		return json_array_of(j, add_symbol, r, e);
	if (span_is(name, "known_addresses"))
		return json_array_of(j, add_known, r, e);
	return json_pass_over(j, e);
}

static enum json_token add_library(void *arg, struct json *j, enum json_token token,
				   struct error *e)
{
	struct reading *r = arg;
	struct firefox_symbols *s = r->s;

	if (token != JSON_OBJECT)
		return json_skip(j, token, e);
	strbuf_reset(&r->code_id);
	r->nr = r->nr_known = 0;
	token = json_each_member(j, library_member, r, e);
	for (size_t i = 0; i < r->nr_known; i++) {
		const struct known *known = &r->known[i];

		if (known->symbol >= r->nr)
			continue;
		add_key(&r->key, strbuf_peek(&r->code_id), known->address);
		if (intern(&s->keys, strbuf_peek(&r->key)) != s->nr_name)
			continue;
		GROW(s->name, s->nr_name, s->cap_name);
		s->name[s->nr_name++] = r->symbol[known->symbol];
	}
	return token;
}

static enum json_token member(void *arg, struct json *j, struct span name, struct error *e)
{
	if (span_is(name, "string_table"))
		return json_array_of(j, add_string, arg, e);
	if (span_is(name, "data"))
		return json_array_of(j, add_library, arg, e);
	return json_pass_over(j, e);
}

static int read_file(struct firefox_symbols *s, const char *path, struct error *e)
{
	struct stream *stream = stream_open(path, e);
	struct source *source = stream ? source_new(stream, e) : NULL;
	struct reading r = { .s = s };
	struct text text;
	struct json json;
	int ret = 0;

	if (!source)
		return -1;
	source_split(source, SPLIT_ANYWHERE, NULL);
	text_init(&text, source);
	json_init(&json, &text);
	if (json_object_of(&json, member, &r, e) == JSON_ERROR)
		ret = error_within(e, "%s", path);
	json_release(&json);
	text_release(&text);
	source_free(source);
	free(r.symbol);
	free(r.known);
	strbuf_release(&r.code_id);
	strbuf_release(&r.key);
	return ret;
}

/* profile.json.gz: profile.json.syms.json or profile.syms.json */
int firefox_symbols_read(struct firefox_symbols *s, const char *profile, struct error *e)
{
	static const char *const ends[] = { ".gz", ".json" };
	struct span base = span_of(profile);
	struct strbuf path = { 0 };
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(ends) && !s->nr_string && !ret; i++) {
		if (!span_ends(base, ends[i]))
			continue;
		base = span_upto(base, base.size - strlen(ends[i]));
		strbuf_reset(&path);
		strbuf_add(&path, base);
		strbuf_add(&path, SPAN(".syms.json"));
		if (!access(path.at, R_OK))
			ret = read_file(s, path.at, e);
	}
	strbuf_release(&path);
	return ret;
}

void firefox_symbols_release(struct firefox_symbols *s)
{
	intern_release(&s->keys);
	free(s->name);
	free(s->string);
	arena_release(&s->arena);
}

struct span firefox_symbols_find(const struct firefox_symbols *s, struct span code_id,
				 uint64_t address)
{
	struct strbuf key = { 0 };
	uint32_t i;

	if (!s->nr_name || !code_id.size)
		return SPAN("");
	add_key(&key, code_id, address);
	i = intern_find(&s->keys, strbuf_peek(&key), intern_hash(strbuf_peek(&key)));
	strbuf_release(&key);
	if (i == INTERN_NONE || s->name[i] >= s->nr_string)
		return SPAN("");
	return s->string[s->name[i]];
}
