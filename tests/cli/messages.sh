#!/bin/sh
# scripts/messages: the texts that users read, from the source.
. "$(dirname "$0")/lib.sh"

cat >one.c <<'END'
/* "a comment is no message" */
#include "not a message.h"
static const struct option options[] = { { "quiet", 'q', OPTION_FLAG, 0, NULL, "print errors only" } };
int f(struct error *e)
{
	message("wrote %s: "
		"%zu samples", path, nr);
	return error_set(e, ERROR_USAGE, "%s: no such \"file\"", "word");
}
END
run "$repo/scripts/messages" one.c
is "$status" 0 'scripts/messages succeeds'
is "$out" "$(printf '%s\t%s\t%s\n' one.c:3 table 'print errors only' one.c:6 message 'wrote %s: %zu samples' \
	one.c:8 error_set '%s: no such \"file\"')" 'scripts/messages lists each message with its place and function'
printf '<p>Some text</p><button aria-label="Zoom in"></button><script>var text = "not this";</script>\n' >one.html
run "$repo/scripts/messages" one.html
is "$out" "$(printf 'one.html:1\t%s\t%s\n' text 'Some text' aria-label 'Zoom in')" 'scripts/messages lists the labels of a page'
run "$repo/scripts/messages"
like "$out" '^src/cmd/record/record.c:[0-9]+	' 'scripts/messages lists the texts of all sources'
unlike "$out" '^src/dropin/' "scripts/messages leaves out other programs' words"

plan
