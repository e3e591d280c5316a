#include "cli/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void message(const char *format, ...)
{
	va_list ap;

	fputs("wick: ", stderr);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void message_error(const struct error *e)
{
	if (e->kind == ERROR_PIPE)
		return;
	message("%s", e->text);
	if (e->hint[0])
		fprintf(stderr, "hint: %s\n", e->hint);
}

int message_status(const struct error *e)
{
	return e->kind == ERROR_USAGE ? 2 : 1;
}

void messages_init(void)
{
	/* Opened the wrong way around, so that using them is still an error. */
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
