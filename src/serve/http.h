/*
 * Serves a few files over HTTP, to a browser on this machine: 127.0.0.1 only, and only to clients
 * that know the token in the URL.  Other web pages may fetch a file only if the file names their
 * origin.
 *
 * Requests are untrusted: heads, connections and time are bounded, and everything unknown is
 * refused.
 */
#ifndef WICK_SERVE_HTTP_H
#define WICK_SERVE_HTTP_H

#include "base/error.h"
#include "base/span.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	HTTP_TOKEN_SIZE = 32, /* hexadecimal digits */
	HTTP_HEAD_MAX = 8 * 1024,
	HTTP_CONNECTIONS_MAX = 32,
	HTTP_REQUEST_MS = 10 * 1000, /* limit for receiving a request */
	HTTP_STALLED_MS = 60 * 1000, /* limit for a client that does not read the response */
};

/* Appends the response to a query, the decoded part of the URL after the question mark. */
typedef void http_make(void *arg, struct span query, struct strbuf *body);

struct http_file {
	const char *name; /* after the token; "" is the page */
	const char *type;
	const char *origin; /* web page origin that may fetch it; NULL: none */
	struct span body;
	http_make *make; /* NULL: the body is always the same */
	void *arg;
};

struct http_server {
	const struct http_file *file;
	size_t nr_file;
	char token[HTTP_TOKEN_SIZE + 1];
	uint16_t port;
	int listen; /* a file descriptor */
};

enum http_method { HTTP_GET, HTTP_HEAD, HTTP_OPTIONS, HTTP_OTHER };

struct http_request {
	enum http_method method;
	struct span target, host, origin; /* empty: not given */
};

/* Parses a complete head, up to the empty line; false: it is malformed. */
bool http_request_parse(struct span head, struct http_request *r);

/* Appends the head of the response, and returns its body. */
void http_respond(const struct http_server *s, struct span head, struct strbuf *response,
		  struct span *body);

/* Listens on the port; 0: on any free one.  Creates the token. */
int http_open(struct http_server *s, uint16_t port, struct error *e);

/* Serves until SIGINT or SIGTERM. */
int http_run(struct http_server *s, struct error *e);
void http_close(struct http_server *s);

#endif
