/* JSON text as it is written: literals, quoted strings, numbers. */
#ifndef WICK_WRITE_JSON_OUT_H
#define WICK_WRITE_JSON_OUT_H

#include "base/output.h"
#include "base/strbuf.h"

#include <stdint.h>

struct json_out {
	struct output *out;
	struct strbuf text; /* to be released */
};

/* Raw text, such as brackets. */
static inline void json_out_text(struct json_out *w, const char *text)
{
	output_add(w->out, span_of(text));
}

void json_out_string(struct json_out *w, struct span s);
void json_out_number(struct json_out *w, uint64_t number);
void json_out_signed(struct json_out *w, int64_t number);

/* number / 10^digits, exactly. */
void json_out_decimal(struct json_out *w, int64_t number, unsigned digits);

#endif
