/* Numbers as people read them: the cases that web/format.js is held to as well. */
#include "render/number.h"

#include "span_tap.h"

#include <stdlib.h>

static struct span column(struct span *row)
{
	struct span field = span_upto(*row, span_find(*row, '\t'));

	*row = span_from(*row, field.size + 1);
	return field;
}

int main(void)
{
	FILE *f = fopen(TESTS_DIR "/number/cases.tsv", "re");
	struct strbuf out = { 0 };
	char line[512];

	if (!ok(f, "tests/number/cases.tsv opens"))
		return done();
	while (fgets(line, sizeof(line), f)) {
		struct span row, what, unit;
		double number;

		line[strcspn(line, "\n")] = '\0';
		row = span_of(line);
		if (row.at[0] == '#')
			continue;
		what = column(&row);
		/* strtod() knows 1e+21 and -0.5 as JavaScript writes them. */
		number = strtod(column(&row).at, NULL);
		unit = column(&row);
		strbuf_reset(&out);
		if (span_is(what, "count"))
			number_add_count(&out, number, unit);
		else if (span_is(what, "share"))
			number_add_share(&out, number);
		else
			number_add_change(&out, number);
		is_bytes(strbuf_peek(&out), row, line);
	}
	fclose(f);
	strbuf_release(&out);
	return done();
}
