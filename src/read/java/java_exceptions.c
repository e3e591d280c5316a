/*
 * Stack traces of Java exceptions in a log.  Any other line ends a stack: the
 * cause of an exception is a separate stack.
 */
#include "read/java/java.h"
#include "read/readers.h"

static int java_exceptions_line(struct listing *l, struct span line, struct error *e)
{
	if (java_frame(&line)) {
		java_push(l, line);
		return 0;
	}
	/* "- waiting on <0x1> (a java.lang.Object)" may be between frames. */
	return span_contains(line, "waiting on ") ? 0 : listing_end(l, e);
}

static int java_exceptions_read(struct build *b, struct error *e)
{
	return listing_read(&(struct listing){ .b = b, .line = java_exceptions_line }, e);
}

/* A frame with its source in parentheses. */
static bool java_exceptions_accepts(struct span head)
{
	while (head.size) {
		struct span line = span_trim_end(span_line(&head));
		size_t paren;

		if (!java_frame(&line) || !span_ends(line, ")"))
			continue;
		paren = span_find(line, '(');
		if (paren && span_find(line, ' ') > paren)
			return true;
	}
	return false;
}

const struct reader reader_java_exceptions = {
	.name = "java-exceptions",
	.title = "Java exceptions in a log",
	.accepts = java_exceptions_accepts,
	.read = java_exceptions_read,
};
