#include "serve/http.h"

#include "base/alloc.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct connection {
	int fd; /* -1: free */
	int64_t deadline;
	char head[HTTP_HEAD_MAX];
	size_t nr_head;
	struct strbuf response;
	struct span body;
	size_t sent; /* of both */
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int make_token(struct http_server *s, struct error *e)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char bytes[HTTP_TOKEN_SIZE / 2];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return error_sys(e, "getrandom");
	for (size_t i = 0; i < sizeof(bytes); i++) {
		s->token[2 * i] = digits[bytes[i] >> 4];
		s->token[2 * i + 1] = digits[bytes[i] & 15];
	}
	return 0;
}

int http_open(struct http_server *s, uint16_t port, struct error *e)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons(port),
				  .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t size = sizeof(at);
	int on = 1;

	s->listen = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (s->listen < 0)
		return error_sys(e, "socket");
	setsockopt(s->listen, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(s->listen, (struct sockaddr *)&at, sizeof(at)) ||
	    listen(s->listen, HTTP_CONNECTIONS_MAX) ||
	    getsockname(s->listen, (struct sockaddr *)&at, &size)) {
		error_sys(e, "127.0.0.1:%u", port);
		http_close(s);
		return -1;
	}
	s->port = ntohs(at.sin_port);
	return make_token(s, e);
}

void http_close(struct http_server *s)
{
	if (s->listen >= 0)
		close(s->listen);
	s->listen = -1;
}

static void drop(struct connection *c)
{
	close(c->fd);
	c->fd = -1;
	strbuf_release(&c->response);
	c->response = (struct strbuf){ 0 };
}

static void take_connection(struct http_server *s, struct connection *c)
{
	int fd = accept4(s->listen, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	c->fd = fd;
	c->nr_head = c->sent = 0;
	c->body = SPAN("");
	c->deadline = now_ms() + HTTP_REQUEST_MS;
}

/* Reads the available bytes of the head; if it is complete, or too long, prepares a response. */
static void read_head(const struct http_server *s, struct connection *c)
{
	ssize_t n = read(c->fd, c->head + c->nr_head, sizeof(c->head) - c->nr_head);
	struct span head;
	size_t end;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		drop(c);
		return;
	}
	c->nr_head += (size_t)n;
	head = (struct span){ .at = c->head, .size = c->nr_head };
	end = span_find_text(head, "\r\n\r\n");
	if (end >= head.size && c->nr_head < sizeof(c->head))
		return;
	http_respond(s, span_upto(head, end < head.size ? end + 4 : end), &c->response, &c->body);
	c->deadline = now_ms() + HTTP_STALLED_MS;
}

static void send_response(struct connection *c)
{
	struct span part = c->sent < c->response.size
				   ? span_from(strbuf_peek(&c->response), c->sent)
				   : span_from(c->body, c->sent - c->response.size);
	ssize_t n = send(c->fd, part.at, part.size, MSG_NOSIGNAL);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0) {
		c->sent += (size_t)n;
		c->deadline = now_ms() + HTTP_STALLED_MS;
	}
	if (n <= 0 || c->sent == c->response.size + c->body.size)
		drop(c);
}

static int open_signals(struct error *e)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (fd < 0)
		error_sys(e, "signalfd");
	return fd;
}

enum { POLL_SIGNAL, POLL_LISTEN, POLL_FIRST };

static void serve_ready(struct http_server *s, struct connection *conn, const struct pollfd *ready)
{
	int64_t now = now_ms();

	for (size_t i = 0; i < HTTP_CONNECTIONS_MAX; i++) {
		if (conn[i].fd < 0)
			continue;
		if (ready[POLL_FIRST + i].revents && conn[i].response.size)
			send_response(&conn[i]);
		else if (ready[POLL_FIRST + i].revents)
			read_head(s, &conn[i]);
		if (conn[i].fd >= 0 && conn[i].deadline < now)
			drop(&conn[i]);
	}
}

int http_run(struct http_server *s, struct error *e)
{
	struct connection *conn = xcalloc(HTTP_CONNECTIONS_MAX, sizeof(*conn));
	int signals = open_signals(e), ret = signals < 0 ? -1 : 0;

	for (size_t i = 0; i < HTTP_CONNECTIONS_MAX; i++)
		conn[i].fd = -1;
	while (!ret) {
		struct pollfd ready[POLL_FIRST + HTTP_CONNECTIONS_MAX] = {
			[POLL_SIGNAL] = { .fd = signals, .events = POLLIN },
			[POLL_LISTEN] = { .fd = s->listen, .events = POLLIN },
		};
		struct connection *room = NULL;
		bool any = false;

		for (size_t i = 0; i < HTTP_CONNECTIONS_MAX; i++) {
			ready[POLL_FIRST + i].fd = conn[i].fd;
			ready[POLL_FIRST + i].events = conn[i].response.size ? POLLOUT : POLLIN;
			any |= conn[i].fd >= 0;
			if (conn[i].fd < 0)
				room = &conn[i];
		}
		/* At the limit of connections, further ones wait in the kernel's queue. */
		if (!room)
			ready[POLL_LISTEN].fd = -1;
		if (poll(ready, ARRAY_SIZE(ready), any ? 1000 : -1) < 0 && errno != EINTR)
			ret = error_sys(e, "poll");
		if (ret || ready[POLL_SIGNAL].revents)
			break;
		serve_ready(s, conn, ready);
		if (room && room->fd < 0 && ready[POLL_LISTEN].revents)
			take_connection(s, room);
	}
	for (size_t i = 0; i < HTTP_CONNECTIONS_MAX; i++)
		if (conn[i].fd >= 0)
			drop(&conn[i]);
	if (signals >= 0)
		close(signals);
	free(conn);
	return ret;
}
