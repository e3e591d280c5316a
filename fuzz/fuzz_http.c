/* Requests of any bytes to the server of `wick serve`: the body is one of its files, or none. */
#include "fuzz.h"

#include "serve/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *why)
{
	fprintf(stderr, "%s\n", why);
	abort();
}

/* Made for a request: what it asks for comes back. */
static void make(void *arg, struct span query, struct strbuf *body)
{
	(void)arg;
	strbuf_addf(body, "made of ");
	strbuf_add(body, query);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct http_file files[] = {
		{ .name = "", .type = "text/html", .body = { "page", 4 } },
		{ .name = "profile.json",
		  .type = "application/json",
		  .origin = "https://example.com",
		  .body = { "profile", 7 } },
		{ .name = "source", .type = "text/plain", .make = make },
	};
	struct http_server s = { .file = files,
				 .nr_file = 3,
				 .port = 1234,
				 .token = "0123456789abcdef0123456789abcdef",
				 .listen = -1 };
	struct span head = { (const char *)data, size }, body;
	struct strbuf response = { 0 };
	struct http_request r;

	http_respond(&s, head, &response, &body);
	if (!span_starts(strbuf_peek(&response), "HTTP/1.1 ") ||
	    !span_contains(strbuf_peek(&response), "\r\n\r\n"))
		die("a response that is none");
	if (body.size && (!http_request_parse(head, &r) || !span_contains(head, s.token) ||
			  (body.at != files[0].body.at && body.at != files[1].body.at)))
		die("a file for somebody without the token");
	if (span_contains(strbuf_peek(&response), "\r\n\r\nmade of ") &&
	    !span_contains(head, s.token))
		die("a made file for somebody without the token");
	strbuf_release(&response);
	return 0;
}
