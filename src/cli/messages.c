#include "cli/messages.h"

#include "base/alloc.h"
#include "base/legible.h"
#include "base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Replaces control characters: messages quote names from files, whose escape sequences must not
 * reach a terminal.
 */
static void say(const char *before, const char *text)
{
	struct strbuf shown = { 0 };

	strbuf_add(&shown, span_of(before));
	legible_add(&shown, span_of(text));
	fprintf(stderr, "%s\n", shown.at);
	strbuf_release(&shown);
}

static char *__attribute__((format(printf, 1, 0))) text_of(const char *format, va_list ap)
{
	char *text;

	return vasprintf(&text, format, ap) < 0 ? xstrdup(format) : text;
}

void message(const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = text_of(format, ap);
	va_end(ap);
	say("wick: ", text);
	free(text);
}

void message_peer(FILE *to, const char *format, ...)
{
	struct strbuf shown = { 0 };
	const char *rest;
	va_list ap;
	char *text;

	va_start(ap, format);
	rest = text = text_of(format, ap);
	va_end(ap);
	while (*rest) {
		size_t n = strcspn(rest, "\n\t");

		legible_add(&shown, (struct span){ rest, n });
		rest += n;
		for (; *rest == '\n' || *rest == '\t'; rest++)
			strbuf_addch(&shown, *rest);
	}
	fwrite(shown.at, 1, shown.size, to);
	fflush(to);
	strbuf_release(&shown);
	free(text);
}

void message_error(const struct error *e)
{
	if (e->kind == ERROR_PIPE)
		return;
	message("%s", e->text);
	if (e->hint[0])
		say("hint: ", e->hint);
}

int message_status(const struct error *e)
{
	return e->kind == ERROR_USAGE ? 2 : 1;
}

int message_result(int ret, const struct error *e)
{
	if (ret >= 0)
		return ret;
	message_error(e);
	return message_status(e);
}

void messages_init(void)
{
	/* Opens them for the wrong direction, so that using them is still an error. */
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", fd ? O_RDONLY : O_WRONLY);
}

int messages_end(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (errno != EPIPE)
		message("standard output: %s", strerror(errno));
	return status ? status : 1;
}
