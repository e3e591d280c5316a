/* Tables for people, and in Markdown. */
#include "cli/table.h"

#include "base/alloc.h"
#include "base/utf8.h"
#include "span_tap.h"

static void cut(struct strbuf *out, struct span name, size_t max)
{
	strbuf_add(out, span_upto(name, utf8_bytes(name, max)));
}

static const struct table_column columns[] = { { "share", TABLE_NUMBER, false },
					       { "", TABLE_BAR, false },
					       { "module", TABLE_NAME, true },
					       { "name", TABLE_NAME, false } };

static void fill(struct table *t)
{
	*t = (struct table){ .column = columns, .nr_column = ARRAY_SIZE(columns), .shorten = cut };
	table_add(t, SPAN("50 %"), STYLE_HOT);
	table_add_bar(t, 0.5);
	table_add(t, SPAN("app"), STYLE_PLAIN);
	table_add(t, SPAN("größe<a|b>\033[2J"), STYLE_PLAIN);
	table_add(t, SPAN("0.1 %"), STYLE_PLAIN);
	table_add_bar(t, 0.001);
	table_add(t, SPAN(""), STYLE_PLAIN);
	table_add(t, SPAN("a long `name` of a function"), STYLE_PLAIN);
}

static void check(struct term term, const char *want, const char *what)
{
	struct strbuf out = { 0 };
	struct table t;

	fill(&t);
	table_write(&t, &term, &out);
	is_str(out.at, want, what);
	strbuf_release(&out);
	table_release(&t);
}

int main(void)
{
	struct strbuf out = { 0 };
	struct table t;

	check((struct term){ 0 },
	      "share         module  name\n"
	      " 50 %  █████  app     größe<a|b>\\x1b[2J\n"
	      "0.1 %  ▏              a long `name` of a function\n",
	      "a table in a pipe has all columns and whole names");
	check((struct term){ .width = 40 },
	      "share         module  name\n"
	      " 50 %  █████  app     größe<a|b>\\x1b[2J\n"
	      "0.1 %  ▏              a long `name` of a\n",
	      "a table shortens names to the width of the terminal");
	check((struct term){ .width = 27 },
	      "share  module  name\n"
	      " 50 %  app     größe<a|b>\\x\n"
	      "0.1 %          a long `name\n",
	      "a narrow table leaves out the bar");
	check((struct term){ .width = 20 },
	      "share  name\n"
	      " 50 %  größe<a|b>\\x1\n"
	      "0.1 %  a long `name`\n",
	      "a table that is too narrow without the bar leaves out the spare column");
	check((struct term){ .width = 11 },
	      "share  name\n"
	      " 50 %  größ\n"
	      "0.1 %  a lo\n",
	      "the narrowest table still has names, shortened");
	check((struct term){ .width = 40, .color = true },
	      "\033[1mshare\033[0m         \033[1mmodule\033[0m  \033[1mname\033[0m\n"
	      " \033[31m50 %\033[0m  \033[31m█████\033[0m  app     größe<a|b>\\x1b[2J\n"
	      "0.1 %  ▏              a long `name` of a\n",
	      "a table in color has bold titles, and hot cells in red");
	t = (struct table){ .column = &(struct table_column){ "line", TABLE_PATH, false },
			    .nr_column = 1,
			    .shorten = cut };
	table_add(&t, SPAN("/usr/src/größe.c:12"), STYLE_PLAIN);
	table_write(&t, &(struct term){ .width = 13 }, &out);
	is_str(out.at, "line\n…c/größe.c:12\n",
	       "a path that is too long for the terminal keeps its end");
	strbuf_reset(&out);
	table_release(&t);
	fill(&t);
	table_write_markdown(&t, &out);
	is_str(out.at,
	       "| share | module | name |\n"
	       "|--:|---|---|\n"
	       "| 50 % | `app` | `größe<a\\|b>\\x1b[2J` |\n"
	       "| 0.1 % |  | `` a long `name` of a function `` |\n",
	       "a Markdown table has no bars, and escapes names");
	strbuf_release(&out);
	table_release(&t);
	return done();
}
