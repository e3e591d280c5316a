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
	size_t at;

	e->kind = saved == EPIPE ? ERROR_PIPE : ERROR_SYSTEM;
	e->hint[0] = '\0';
	va_start(ap, format);
	vsnprintf(e->text, sizeof(e->text), format, ap);
	va_end(ap);
	at = strlen(e->text);
	snprintf(e->text + at, sizeof(e->text) - at, ": %s", strerror(saved));
	return -1;
}

int error_within(struct error *e, const char *format, ...)
{
	char inner[sizeof(e->text)];
	va_list ap;
	size_t at;

	memcpy(inner, e->text, sizeof(inner));
	va_start(ap, format);
	vsnprintf(e->text, sizeof(e->text), format, ap);
	va_end(ap);
	at = strlen(e->text);
	snprintf(e->text + at, sizeof(e->text) - at, ": %s", inner);
	return -1;
}

int error_hint(struct error *e, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(e->hint, sizeof(e->hint), format, ap);
	va_end(ap);
	return -1;
}
