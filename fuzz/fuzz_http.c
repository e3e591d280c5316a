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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct http_file files[] = {
		{ "", "text/html", NULL, { "page", 4 } },
		{ "profile.json", "application/json", "https://example.com", { "profile", 7 } },
	};
	struct http_server s = { .file = files,
				 .nr_file = 2,
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
	strbuf_release(&response);
	return 0;
}
