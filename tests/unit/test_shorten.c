/* Long names in little room: the cases that web/shorten.js is held to as well. */
#include "render/shorten.h"

#include "base/utf8.h"
#include "span_tap.h"

#include <stdlib.h>

static struct span column(struct span *row)
{
	struct span field = span_upto(*row, span_find(*row, '\t'));

	*row = span_from(*row, field.size + 1);
	return field;
}

static void test_cases(void)
{
	FILE *f = fopen(TESTS_DIR "/shorten/cases.tsv", "re");
	struct strbuf out = { 0 };
	char *line = NULL;
	size_t cap = 0;

	if (!ok(f, "the cases of shorten() can be opened"))
		return;
	while (getline(&line, &cap, f) > 0) {
		struct span row, name;
		uint64_t max = 0;

		line[strcspn(line, "\n")] = '\0';
		row = span_of(line);
		if (!row.size || row.at[0] == '#')
			continue;
		name = column(&row);
		span_u64(column(&row), &max);
		strbuf_reset(&out);
		shorten(&out, name, max);
		is_bytes(strbuf_peek(&out), row, line);
	}
	strbuf_release(&out);
	free(line);
	fclose(f);
}

/* Whatever the bytes are, the result keeps to its length, and none is read that is not there. */
static void test_any_bytes(void)
{
	static const char letters[] = "a:(<[{)>]}. /\\operator,-1\xc3\xa9 as ";
	struct strbuf out = { 0 };
	unsigned state = 1;
	bool kept = true;
	char *name = NULL;

	for (int round = 0; round < 3000; round++) {
		size_t size = (size_t)round % 60, max = (size_t)round % 23;

		/* Of its very size, so that a sanitizer sees a byte too much. */
		name = realloc(name, size + 1);
		for (size_t i = 0; i < size; i++) {
			state = state * 1103515245 + 12345;
			name[i] = letters[(state >> 16) % (sizeof(letters) - 1)];
		}
		strbuf_reset(&out);
		shorten(&out, (struct span){ .at = name, .size = size }, max);
		kept &= utf8_length(strbuf_peek(&out)) <= max;
	}
	ok(kept, "shorten() never exceeds the length for any bytes");
	free(name);
	strbuf_release(&out);
}

int main(void)
{
	test_cases();
	test_any_bytes();
	return done();
}
