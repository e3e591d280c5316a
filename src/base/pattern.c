/* Patterns by PCRE2, set to the dialect of JavaScript. */
#define PCRE2_CODE_UNIT_WIDTH 8

#include "base/pattern.h"

#include "base/alloc.h"

#include <pcre2.h>
#include <stdlib.h>

enum {
	/* Backtracking steps for one name: about 20 ms, and far more than a sane pattern takes. */
	STEPS_MAX = 1000000,
	SHOWN_MAX = 80, /* bytes of a text in a message */
};

struct pattern {
	char *text;
	pcre2_code *code;
	pcre2_match_context *context;
	pcre2_match_data *data;
};

/* Options for JavaScript's dialect, and for names that are not UTF-8. */
static const uint32_t dialect = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_ALT_BSUX |
				PCRE2_ALLOW_EMPTY_CLASS | PCRE2_MATCH_UNSET_BACKREF |
				PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C;

/* Does it have an upper-case letter?  Escapes such as \S do not count. */
static bool has_capital(struct span text)
{
	for (size_t i = 0; i < text.size; i++) {
		if (text.at[i] == '\\')
			i++;
		else if (text.at[i] >= 'A' && text.at[i] <= 'Z')
			return true;
	}
	return false;
}

static int bad_pattern(struct span text, int code, size_t at, struct error *e)
{
	PCRE2_UCHAR why[160] = "";
	struct span shown = span_upto(text, SHOWN_MAX);

	pcre2_get_error_message(code, why, sizeof(why));
	return error_set(e, ERROR_USAGE, "invalid pattern '%.*s': at character %zu: %s",
			 (int)shown.size, shown.at, at + 1, (const char *)why);
}

struct pattern *pattern_new(struct span text, struct error *e)
{
	struct pattern *p = xcalloc(1, sizeof(*p));
	uint32_t options = dialect | (has_capital(text) ? 0 : PCRE2_CASELESS);
	int code;
	size_t at;

	p->code = pcre2_compile((PCRE2_SPTR)text.at, text.size, options, &code, &at, NULL);
	if (!p->code) {
		bad_pattern(text, code, at, e);
		pattern_free(p);
		return NULL;
	}
	p->text = xcalloc(text.size + 1, 1);
	memcpy(p->text, text.at, text.size);
	p->context = pcre2_match_context_create(NULL);
	p->data = pcre2_match_data_create(1, NULL);
	if (!p->context || !p->data) {
		error_set(e, ERROR_SYSTEM, "out of memory");
		pattern_free(p);
		return NULL;
	}
	pcre2_set_match_limit(p->context, STEPS_MAX);
	return p;
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	pcre2_code_free(p->code);
	pcre2_match_context_free(p->context);
	pcre2_match_data_free(p->data);
	free(p->text);
	free(p);
}

int pattern_match(const struct pattern *p, struct span s, bool *matches, struct error *e)
{
	int found = pcre2_match(p->code, (PCRE2_SPTR)(s.at ? s.at : ""), s.size, 0, 0, p->data,
				p->context);
	struct span shown = span_upto(s, SHOWN_MAX);

	*matches = found >= 0;
	if (found >= 0 || found == PCRE2_ERROR_NOMATCH)
		return 0;
	error_set(e, ERROR_USAGE, "pattern '%.*s' takes too long to match '%.*s'", SHOWN_MAX,
		  p->text, (int)shown.size, shown.at);
	return error_hint(e, "simplify the pattern: repetition inside repetition is slow");
}
