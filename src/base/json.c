#include "base/json.h"

#include "base/alloc.h"
#include "base/utf8.h"

#include <stdlib.h>

enum { REPLACEMENT = 0xfffd };

static uint64_t position(const struct json *j)
{
	return j->before + (uint64_t)(j->text->at - j->chunk);
}

/* Is there another byte at text->at? */
static bool more(struct json *j)
{
	struct text *t = j->text;

	if (__builtin_expect(t->at < t->end, 1))
		return true;
	j->before = position(j);
	j->chunk = t->at;
	if (!text_refill(t))
		return false;
	j->chunk = t->at;
	return true;
}

void json_init(struct json *j, struct text *text)
{
	*j = (struct json){ .text = text, .chunk = text->at, .value_max = JSON_VALUE_MAX };
	text->line = 1;
	/* Windows tools begin text with a byte order mark. */
	if (more(j) && span_starts(span_between(text->at, text->end), "\xef\xbb\xbf"))
		text->at += 3;
}

void json_release(struct json *j)
{
	strbuf_release(&j->buf);
	free(j->open);
	*j = (struct json){ 0 };
}

static enum json_token wrong_at(const struct json *j, uint64_t at, const char *what,
				struct error *e)
{
	unsigned long long line = j->text->line, column = at - j->line_begin + 1;

	error_set(e, ERROR_INPUT, "line %llu, column %llu: %s", line, column, what);
	return JSON_ERROR;
}

static enum json_token wrong(const struct json *j, const char *what, struct error *e)
{
	return wrong_at(j, position(j), what, e);
}

static enum json_token cut_short(struct json *j)
{
	j->cut = true;
	return JSON_END;
}

/* After a newline. */
static void new_line(struct json *j)
{
	j->text->line++;
	j->line_begin = position(j);
}

static bool skip_blanks(struct json *j)
{
	while (more(j)) {
		char c = *j->text->at;

		if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
			return true;
		j->text->at++;
		if (c == '\n')
			new_line(j);
	}
	return false;
}

static void add_piece(struct json *j, struct span piece)
{
	strbuf_add(&j->buf, span_upto(piece, j->value_max - j->buf.size));
}

/* Strings */

static void add_utf8(struct json *j, uint32_t c)
{
	char u[4];
	size_t n = 0;

	if (c < 0x80) {
		u[n++] = (char)c;
	} else if (c < 0x800) {
		u[n++] = (char)(0xc0 | c >> 6);
		u[n++] = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		u[n++] = (char)(0xe0 | c >> 12);
		u[n++] = (char)(0x80 | (c >> 6 & 0x3f));
		u[n++] = (char)(0x80 | (c & 0x3f));
	} else {
		u[n++] = (char)(0xf0 | c >> 18);
		u[n++] = (char)(0x80 | (c >> 12 & 0x3f));
		u[n++] = (char)(0x80 | (c >> 6 & 0x3f));
		u[n++] = (char)(0x80 | (c & 0x3f));
	}
	add_piece(j, (struct span){ .at = u, .size = n });
}

/* A high surrogate without a low one becomes U+FFFD. */
static void end_half(struct json *j)
{
	if (j->half)
		add_utf8(j, REPLACEMENT);
	j->half = 0;
}

/* After \u: characters above U+FFFF are written as two surrogates. */
static bool take_unicode(struct json *j)
{
	uint32_t c = 0;

	for (int i = 0; i < 4; i++) {
		uint64_t digit;

		if (!more(j) || !span_hex((struct span){ .at = j->text->at, .size = 1 }, &digit))
			return false;
		c = c << 4 | (uint32_t)digit;
		j->text->at++;
	}
	if (j->half && c >= 0xdc00 && c < 0xe000) {
		add_utf8(j, 0x10000 + ((j->half - 0xd800) << 10) + (c - 0xdc00));
		j->half = 0;
		return true;
	}
	end_half(j);
	if (c >= 0xd800 && c < 0xdc00)
		j->half = c;
	else
		add_utf8(j, c >= 0xdc00 && c < 0xe000 ? REPLACEMENT : c);
	return true;
}

/* After the backslash. */
static bool take_escape(struct json *j)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *which;

	if (!more(j))
		return false;
	if (*j->text->at == 'u') {
		j->text->at++;
		return take_unicode(j);
	}
	which = memchr(from, *j->text->at, sizeof(from) - 1);
	if (!which)
		return false;
	end_half(j);
	add_piece(j, (struct span){ .at = to + (which - from), .size = 1 });
	j->text->at++;
	return true;
}

/* Bytes of a string that need no decoding. */
static inline bool is_plain(char c)
{
	return c != '"' && c != '\\' && c != '\n';
}

/* After the opening quote.  A string without escapes is not copied. */
static enum json_token take_string(struct json *j, enum json_token token, struct error *e)
{
	struct text *t = j->text;
	bool whole = true;

	strbuf_reset(&j->buf);
	j->half = 0;
	while (more(j)) {
		const char *begin = t->at, *at = begin;

		while (at < t->end && is_plain(*at))
			at++;
		t->at = at;
		if (at < t->end && *at == '"' && whole) {
			j->value = span_upto(span_between(begin, at), j->value_max);
			t->at++;
			return token;
		}
		whole = false;
		if (at > begin)
			end_half(j);
		add_piece(j, span_between(begin, at));
		if (at == t->end)
			continue;
		t->at++;
		if (*at == '"') {
			end_half(j);
			j->value = strbuf_peek(&j->buf);
			return token;
		}
		if (*at == '\n') {
			new_line(j);
			end_half(j);
			add_piece(j, SPAN("\n"));
		} else if (!take_escape(j)) {
			return more(j) ? wrong(j, "invalid escape in a string", e) : cut_short(j);
		}
	}
	return cut_short(j);
}

/* Numbers and words */

static size_t count_digits(struct span s)
{
	size_t n = 0;

	while (n < s.size && is_digit(s.at[n]))
		n++;
	return n;
}

/* -12.5e+3 */
static bool is_number(struct span s)
{
	size_t n;

	if (span_starts(s, "-"))
		s = span_from(s, 1);
	n = count_digits(s);
	if (!n || (n > 1 && s.at[0] == '0'))
		return false;
	s = span_from(s, n);
	if (span_starts(s, ".")) {
		n = count_digits(span_from(s, 1));
		if (!n)
			return false;
		s = span_from(s, n + 1);
	}
	if (s.size && (s.at[0] | 0x20) == 'e') {
		s = span_from(s, 1);
		if (span_starts(s, "+") || span_starts(s, "-"))
			s = span_from(s, 1);
		n = count_digits(s);
		if (!n)
			return false;
		s = span_from(s, n);
	}
	return !s.size;
}

static const struct {
	const char *word;
	enum json_token token;
} words[] = {
	{ "true", JSON_TRUE },	{ "false", JSON_FALSE },     { "null", JSON_NULL },
	{ "NaN", JSON_NUMBER }, { "Infinity", JSON_NUMBER }, { "-Infinity", JSON_NUMBER },
};

static inline bool is_bare(char c)
{
	return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '-' || c == '+' ||
	       c == '.';
}

/* Numbers, true, false, null, NaN, Infinity. */
static enum json_token take_bare(struct json *j, struct error *e)
{
	struct text *t = j->text;
	uint64_t begin_at = position(j);

	strbuf_reset(&j->buf);
	for (;;) {
		const char *begin = t->at, *at = begin;

		while (at < t->end && is_bare(*at))
			at++;
		t->at = at;
		j->value = span_between(begin, at);
		if (at < t->end && !j->buf.size)
			break;
		add_piece(j, j->value);
		j->value = strbuf_peek(&j->buf);
		if (at < t->end || !more(j))
			break;
	}
	if (is_number(j->value))
		return JSON_NUMBER;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (span_is(j->value, words[i].word))
			return words[i].token;
	return j->value.size && !more(j) ? cut_short(j)
					 : wrong_at(j, begin_at, "expected a value", e);
}

/* Nesting */

static enum json_token go_in(struct json *j, char bracket, struct error *e)
{
	if (j->depth == JSON_DEPTH_MAX)
		return wrong(j, "values nested too deeply", e);
	GROW(j->open, j->depth, j->cap);
	j->open[j->depth++] = bracket;
	j->text->at++;
	j->state = bracket == '{' ? JSON_AT_NAME : JSON_AT_FIRST;
	return bracket == '{' ? JSON_OBJECT : JSON_ARRAY;
}

static enum json_token go_out(struct json *j)
{
	j->text->at++;
	j->state = JSON_BEHIND_IT;
	return j->open[--j->depth] == '{' ? JSON_OBJECT_END : JSON_ARRAY_END;
}

static enum json_token take_value(struct json *j, struct error *e)
{
	char c = *j->text->at;

	if (c == '{' || c == '[')
		return go_in(j, c, e);
	j->state = JSON_BEHIND_IT;
	if (c != '"')
		return take_bare(j, e);
	j->text->at++;
	return take_string(j, JSON_STRING, e);
}

static enum json_token take_name(struct json *j, struct error *e)
{
	enum json_token token;

	if (*j->text->at == '}')
		return go_out(j);
	if (*j->text->at != '"')
		return wrong(j, "expected a name in quotes or }", e);
	j->text->at++;
	j->state = JSON_AT_VALUE;
	token = take_string(j, JSON_NAME, e);
	if (token != JSON_NAME)
		return token;
	/* The colon may be in the next chunk: the name must not be freed with this one. */
	if (j->text->at == j->text->end || *j->text->at != ':') {
		if (!j->buf.size)
			add_piece(j, j->value);
		j->value = strbuf_peek(&j->buf);
		if (!skip_blanks(j))
			return cut_short(j);
		if (*j->text->at != ':')
			return wrong(j, "expected a colon", e);
	}
	j->text->at++;
	return JSON_NAME;
}

/* After a value in an object or array; true if another name or value follows. */
static bool take_comma(struct json *j)
{
	if (*j->text->at != ',')
		return false;
	j->text->at++;
	j->state = j->open[j->depth - 1] == '{' ? JSON_AT_NAME : JSON_AT_FIRST;
	return true;
}

enum json_token json_next(struct json *j, struct error *e)
{
	if (!skip_blanks(j))
		return j->depth ? cut_short(j) : JSON_END;
	if (j->state == JSON_BEHIND_IT && j->depth) {
		char close = j->open[j->depth - 1] == '{' ? '}' : ']';

		if (*j->text->at == close)
			return go_out(j);
		if (!take_comma(j))
			return wrong(j, close == '}' ? "expected , or }" : "expected , or ]", e);
		if (!skip_blanks(j))
			return cut_short(j);
	}
	if (j->state == JSON_AT_NAME)
		return take_name(j, e);
	if (j->state == JSON_AT_FIRST && *j->text->at == ']')
		return go_out(j);
	return take_value(j, e);
}

enum json_token json_skip(struct json *j, enum json_token token, struct error *e)
{
	size_t depth = j->depth;

	if (token != JSON_OBJECT && token != JSON_ARRAY)
		return token;
	do
		token = json_next(j, e);
	while (j->depth >= depth && token != JSON_ERROR && token != JSON_END);
	return token;
}

void json_add_string(struct strbuf *out, struct span s)
{
	strbuf_addch(out, '"');
	while (s.size) {
		unsigned char c = (unsigned char)s.at[0];
		bool whole;
		size_t n = utf8_whole(s, &whole);

		if (!whole)
			strbuf_add(out, SPAN("\xef\xbf\xbd"));
		else if (c < ' ' || c == 0x7f)
			strbuf_addf(out, "\\u%04x", c);
		else if (c == '"' || c == '\\')
			strbuf_addf(out, "\\%c", c);
		else
			strbuf_add(out, span_upto(s, n));
		s = span_from(s, n);
	}
	strbuf_addch(out, '"');
}
