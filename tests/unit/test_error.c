#include "base/error.h"

#include "tap.h"

#include <errno.h>

static void test_words(void)
{
	struct error e = ERROR_INIT;

	is_int(e.kind, ERROR_NONE, "a new error has no kind");
	is_int(error_set(&e, ERROR_INPUT, "line %d", 3), -1, "error_set() returns -1");
	is_int(e.kind, ERROR_INPUT, "error_set() sets the kind");
	is_str(e.text, "line 3", "error_set() sets the text");
	is_int(error_within(&e, "%s", "a.txt"), -1, "error_within() returns -1");
	is_int(error_within(&e, "%s", "reading"), -1, "a second error_within() returns -1");
	is_str(e.text, "reading: a.txt: line 3",
	       "error_within() prepends, so the outermost level comes first");
	is_int(e.kind, ERROR_INPUT, "error_within() keeps the kind");
	is_int(error_hint(&e, "try %s", "this"), -1, "error_hint() returns -1");
	is_str(e.hint, "try this", "error_hint() sets the hint");
	is_int(error_add(&e, ", %s", "4"), -1, "error_add() returns -1");
	is_str(e.text, "reading: a.txt: line 3, 4", "error_add() appends to the text");
	is_int(error_is_full(&e), 0, "error_is_full() is false while there is room");
	error_set(&e, ERROR_USAGE, "other");
	is_str(e.hint, "", "error_set() clears the hint of the error before");
}

static void test_errno(void)
{
	struct error e = ERROR_INIT;

	errno = ENOENT;
	is_int(error_sys(&e, "%s", "a.txt"), -1, "error_sys() returns -1");
	is_str(e.text, "a.txt: No such file or directory",
	       "error_sys() appends the meaning of errno");
	is_int(e.kind, ERROR_SYSTEM, "error_sys() sets the kind ERROR_SYSTEM");
	errno = EPIPE;
	error_sys(&e, "write");
	is_int(e.kind, ERROR_PIPE, "error_sys() sets the kind ERROR_PIPE for EPIPE");
}

static void test_length(void)
{
	struct error e = ERROR_INIT;
	char longer[3000];

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	error_set(&e, ERROR_INPUT, "%s", longer);
	is_int(strlen(e.text), sizeof(e.text) - 1, "error_set() truncates a text that is too long");
	error_within(&e, "%s", longer);
	is_int(strlen(e.text), sizeof(e.text) - 1,
	       "error_within() truncates a text that is too long");
	is_int(error_is_full(&e), 1, "error_is_full() is true when the text is truncated");
	error_add(&e, "%s", longer);
	is_int(strlen(e.text), sizeof(e.text) - 1, "error_add() appends nothing to a full text");
	error_hint(&e, "%s", longer);
	is_int(strlen(e.hint), sizeof(e.hint) - 1,
	       "error_hint() truncates a hint that is too long");
	errno = ENOENT;
	error_sys(&e, "%s", longer);
	is_int(strlen(e.text), sizeof(e.text) - 1, "error_sys() truncates a path that is too long");
}

int main(void)
{
	test_words();
	test_errno();
	test_length();
	return done();
}
