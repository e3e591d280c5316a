#include "serve/http.h"

#include "base/alloc.h"

#include <stdio.h>
#include <strings.h>

/* Requests */

/* A line without its end, \r\n. */
static bool take_line(struct span *head, struct span *line)
{
	size_t end = span_find_text(*head, "\r\n");

	if (end >= head->size)
		return false;
	*line = span_upto(*head, end);
	*head = span_from(*head, end + 2);
	for (size_t i = 0; i < line->size; i++)
		if ((unsigned char)line->at[i] < ' ' && line->at[i] != '\t')
			return false;
	return true;
}

static bool is_named(struct span name, const char *as)
{
	return name.size == strlen(as) && !strncasecmp(name.at, as, name.size);
}

/* "GET /path HTTP/1.1" */
static bool parse_first(struct span line, struct http_request *r)
{
	static const struct {
		const char *name;
		enum http_method method;
	} methods[] = { { "GET", HTTP_GET }, { "HEAD", HTTP_HEAD }, { "OPTIONS", HTTP_OPTIONS } };
	size_t one = span_find(line, ' '), two;
	struct span rest = span_from(line, one + 1);

	two = span_find(rest, ' ');
	if (one >= line.size || two >= rest.size ||
	    !span_starts(span_from(rest, two + 1), "HTTP/1."))
		return false;
	r->method = HTTP_OTHER;
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++)
		if (span_is(span_upto(line, one), methods[i].name))
			r->method = methods[i].method;
	r->target = span_upto(rest, two);
	return span_starts(r->target, "/");
}

bool http_request_parse(struct span head, struct http_request *r)
{
	struct span line;

	*r = (struct http_request){ 0 };
	if (!take_line(&head, &line) || !parse_first(line, r))
		return false;
	while (take_line(&head, &line)) {
		size_t colon = span_find(line, ':');
		struct span name = span_upto(line, colon),
			    value = span_trim(span_from(line, colon + 1));
		struct span *to = is_named(name, "Host")     ? &r->host
				  : is_named(name, "Origin") ? &r->origin
							     : NULL;

		if (!line.size)
			return true;
		/* A repeated header is rejected: a proxy may have used the other one. */
		if (colon >= line.size || (to && to->at))
			return false;
		if (to)
			*to = value;
	}
	return false;
}

/* Responses */

/*
 * Rejects DNS rebinding: a foreign page whose name resolves to 127.0.0.1 sends its own name as
 * host.
 */
static bool is_own_host(const struct http_server *s, struct span host)
{
	char own[2][32];

	snprintf(own[0], sizeof(own[0]), "127.0.0.1:%u", s->port);
	snprintf(own[1], sizeof(own[1]), "localhost:%u", s->port);
	return span_is(host, own[0]) || span_is(host, own[1]);
}

static bool is_own_origin(const struct http_server *s, struct span origin)
{
	return span_starts(origin, "http://") && is_own_host(s, span_from(origin, 7));
}

/* Compares in constant time. */
static bool is_token(const struct http_server *s, struct span text)
{
	unsigned differ = 0;

	if (text.size != HTTP_TOKEN_SIZE)
		return false;
	for (size_t i = 0; i < HTTP_TOKEN_SIZE; i++)
		differ |= (unsigned char)text.at[i] ^ (unsigned char)s->token[i];
	return !differ;
}

/* Parses "/TOKEN/name"; the query is ignored. */
static const struct http_file *find_file(const struct http_server *s, struct span target)
{
	struct span path = span_from(span_upto(target, span_find(target, '?')), 1);
	size_t slash = span_find(path, '/');

	if (slash >= path.size || !is_token(s, span_upto(path, slash)))
		return NULL;
	path = span_from(path, slash + 1);
	for (size_t i = 0; i < s->nr_file; i++)
		if (span_is(path, s->file[i].name))
			return &s->file[i];
	return NULL;
}

static int choose_status(const struct http_server *s, const struct http_request *r,
			 const struct http_file *file)
{
	if (!is_own_host(s, r->host))
		return 403;
	if (!file)
		return 404;
	if (r->method == HTTP_OTHER)
		return 405;
	if (r->origin.size && !is_own_origin(s, r->origin) &&
	    !(file->origin && span_is(r->origin, file->origin)))
		return 403;
	return r->method == HTTP_OPTIONS ? 204 : 200;
}

static const char *words_of(int status)
{
	switch (status) {
	case 200:
		return "OK";
	case 204:
		return "No Content";
	case 400:
		return "Bad Request";
	case 403:
		return "Forbidden";
	case 404:
		return "Not Found";
	default:
		return "Method Not Allowed";
	}
}

static bool hex_digit(char c, unsigned *value)
{
	uint64_t digit;

	if (!span_hex((struct span){ .at = &c, .size = 1 }, &digit))
		return false;
	*value = *value << 4 | (unsigned)digit;
	return true;
}

/* "a%20b" → "a b" */
static void add_decoded(struct strbuf *to, struct span text)
{
	for (size_t i = 0; i < text.size; i++) {
		unsigned value = 0;

		if (text.at[i] == '%' && i + 2 < text.size && hex_digit(text.at[i + 1], &value) &&
		    hex_digit(text.at[i + 2], &value)) {
			strbuf_addch(to, (char)value);
			i += 2;
		} else {
			strbuf_addch(to, text.at[i]);
		}
	}
}

static void make_body(const struct http_file *file, struct span target, struct strbuf *body)
{
	struct strbuf query = { 0 };

	add_decoded(&query, span_from(target, span_find(target, '?') + 1));
	file->make(file->arg, strbuf_peek(&query), body);
	strbuf_release(&query);
}

void http_respond(const struct http_server *s, struct span head, struct strbuf *response,
		  struct span *body)
{
	const struct http_file *file = NULL;
	struct strbuf made = { 0 };
	struct http_request r;
	int status = 400;

	*body = SPAN("");
	if (http_request_parse(head, &r)) {
		file = find_file(s, r.target);
		status = choose_status(s, &r, file);
	}
	strbuf_addf(response,
		    "HTTP/1.1 %d %s\r\nConnection: close\r\nCache-Control: no-store\r\n"
		    "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n",
		    status, words_of(status));
	if (status == 405)
		strbuf_addf(response, "Allow: GET, HEAD, OPTIONS\r\n");
	if (file && file->origin && status < 300)
		strbuf_addf(response,
			    "Access-Control-Allow-Origin: %s\r\nVary: Origin\r\n"
			    "Access-Control-Allow-Methods: GET, HEAD\r\n"
			    "Access-Control-Allow-Private-Network: true\r\n",
			    file->origin);
	if (status == 200 && file && file->make)
		make_body(file, r.target, &made);
	if (status == 200 && file) {
		strbuf_addf(response, "Content-Type: %s\r\nContent-Length: %zu\r\n", file->type,
			    file->make ? made.size : file->body.size);
		*body = r.method == HTTP_GET ? file->body : SPAN("");
	} else if (status != 204) {
		strbuf_addf(response, "Content-Type: text/plain\r\nContent-Length: %zu\r\n",
			    strlen(words_of(status)) + 1);
	}
	strbuf_addf(response, "\r\n");
	if (status == 200 && r.method == HTTP_GET)
		strbuf_add(response, strbuf_peek(&made));
	strbuf_release(&made);
	if (status >= 300 && !(status != 400 && r.method == HTTP_HEAD))
		strbuf_addf(response, "%s\n", words_of(status));
}
