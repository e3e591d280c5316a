/* Counters of several runs. */
#include "cmd/stat/stat_print.h"
#include "tap.h"

static void add_run(struct stat_rows *rows, double value)
{
	struct stat_rows run = { 0 };
	struct stat_row *row = stat_rows_add(&run, "");

	strbuf_addf(&row->name, "context-switches");
	row->counted = true;
	row->value = value;
	stat_rows_add_run(rows, &run);
	stat_rows_release(&run);
}

int main(void)
{
	struct stat_rows rows = { 0 };
	struct strbuf text = { 0 };

	add_run(&rows, 1);
	stat_print_json(&text, &rows);
	is_str(text.at,
	       "{\"status\": 0, \"runs\": 1, \"counters\": [\n"
	       "  {\"name\": \"context-switches\", \"value\": 1}\n]}\n",
	       "the count of one run is a whole number in JSON");
	add_run(&rows, 0);
	strbuf_reset(&text);
	stat_print_json(&text, &rows);
	is_str(text.at,
	       "{\"status\": 0, \"runs\": 2, \"counters\": [\n"
	       "  {\"name\": \"context-switches\", \"value\": 0.500, \"deviation\": 0.5}\n]}\n",
	       "the mean of several runs has its fraction in JSON");
	strbuf_reset(&text);
	stat_print_text(&text, &rows);
	is_str(text.at, "                0.50  ± 100.00 %  context-switches\n",
	       "the mean of several runs has its fraction in text");
	strbuf_release(&text);
	stat_rows_release(&rows);
	return done();
}
