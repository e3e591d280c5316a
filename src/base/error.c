#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int error_set(struct error *e, enum error_kind kind, const char *format, ...)
{
	va_list ap;

	e->kind = kind;
	e->hint[0] = '\0';
	va_start(ap, format);
	vsnprintf(e->text, sizeof(e->text), format, ap);
	va_end(ap);
	return -1;
}

int error_sys(struct error *e, const char *format, ...)
{
	int saved = errno;
	va_list ap;

	e->kind = saved == EPIPE ? ERROR_PIPE : ERROR_SYSTEM;
	e->hint[0] = '\0';
	va_start(ap, format);
	vsnprintf(e->text, sizeof(e->text), format, ap);
	va_end(ap);
	/* The cause is the limit, not the file. */
	if (saved == EMFILE)
		error_hint(e, "raise the open file limit: ulimit -n 65536");
	return error_add(e, ": %s", strerror(saved));
}

int error_within(struct error *e, const char *format, ...)
{
	char inner[sizeof(e->text)];
	va_list ap;

	memcpy(inner, e->text, sizeof(inner));
	va_start(ap, format);
	vsnprintf(e->text, sizeof(e->text), format, ap);
	va_end(ap);
	return error_add(e, ": %s", inner);
}

int error_add(struct error *e, const char *format, ...)
{
	size_t at = strlen(e->text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(e->text + at, sizeof(e->text) - at, format, ap);
	va_end(ap);
	return -1;
}

bool error_is_full(const struct error *e)
{
	return strlen(e->text) + 1 == sizeof(e->text);
}

int error_hint(struct error *e, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(e->hint, sizeof(e->hint), format, ap);
	va_end(ap);
	return -1;
}
