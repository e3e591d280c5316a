/* Checks of tap.h for spans: is_span(got, "want", "what"). */
#ifndef SPAN_TAP_H
#define SPAN_TAP_H

#include "base/span.h"
#include "tap.h"

static inline bool tap_is_span(struct span got, struct span want, const char *what,
			       const char *file, int line)
{
	bool same = span_eq(got, want);

	if (!tap_result(same, what, file, line)) {
		printf("#  got %zu bytes \"%.*s\"\n", got.size, (int)got.size, got.at);
		printf("# want %zu bytes \"%.*s\"\n", want.size, (int)want.size, want.at);
	}
	return same;
}

/* A span holds exactly this text. */
#define is_span(got, want, what) tap_is_span((got), span_of(want), (what), __FILE__, __LINE__)
/* … or exactly these bytes, which may be NUL. */
#define is_bytes(got, want, what) tap_is_span((got), (want), (what), __FILE__, __LINE__)

#endif
