#include "base/error.h"

#include "tap.h"

#include <errno.h>

static void test_words(void)
{
	struct error e = ERROR_INIT;

	is_int(e.kind, ERROR_NONE, "no error at first");
	is_int(error_set(&e, ERROR_INPUT, "line %d", 3), -1, "every helper returns -1");
	is_int(e.kind, ERROR_INPUT, "the kind is kept");
	is_str(e.text, "line 3", "and the text");
	is_int(error_within(&e, "%s", "a.txt"), -1, "so does error_within");
	is_int(error_within(&e, "%s", "reading"), -1, "at every level");
	is_str(e.text, "reading: a.txt: line 3", "the outermost level stands first");
	is_int(e.kind, ERROR_INPUT, "and the kind is that of the innermost");
	is_int(error_hint(&e, "try %s", "this"), -1, "so does error_hint");
	is_str(e.hint, "try this", "which is kept apart");
	is_int(error_add(&e, ", %s", "4"), -1, "so does error_add");
	is_str(e.text, "reading: a.txt: line 3, 4", "which goes on behind");
	is_int(error_is_full(&e), 0, "where there is room");
	error_set(&e, ERROR_USAGE, "other");
	is_str(e.hint, "", "and belongs to one error only");
}

static void test_errno(void)
{
	struct error e = ERROR_INIT;

	errno = ENOENT;
	is_int(error_sys(&e, "%s", "a.txt"), -1, "error_sys");
	is_str(e.text, "a.txt: No such file or directory", "says what errno means");
	is_int(e.kind, ERROR_SYSTEM, "and that the machine refused");
	errno = EPIPE;
	error_sys(&e, "write");
	is_int(e.kind, ERROR_PIPE, "a reader that went away is an error of its own");
}

static void test_length(void)
{
	struct error e = ERROR_INIT;
	char longer[3000];

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	error_set(&e, ERROR_INPUT, "%s", longer);
	is_int(strlen(e.text), sizeof(e.text) - 1, "a text too long is cut");
	error_within(&e, "%s", longer);
	is_int(strlen(e.text), sizeof(e.text) - 1, "at every level");
	is_int(error_is_full(&e), 1, "which is told");
	error_add(&e, "%s", longer);
	is_int(strlen(e.text), sizeof(e.text) - 1, "and nothing goes behind");
	error_hint(&e, "%s", longer);
	is_int(strlen(e.hint), sizeof(e.hint) - 1, "and so is a hint");
	errno = ENOENT;
	error_sys(&e, "%s", longer);
	is_int(strlen(e.text), sizeof(e.text) - 1, "and a path");
}

int main(void)
{
	test_words();
	test_errno();
	test_length();
	return done();
}
