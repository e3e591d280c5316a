#include "read/folded/folded_rows.h"

#include "base/alloc.h"
#include "base/text.h"
#include "profile/profile.h"

#include <stdlib.h>

bool folded_cut_count(struct span *line, struct span *count)
{
	struct span s = span_trim_end(*line);
	size_t at = s.size;
	bool point = false;

	while (at > 0 && (is_digit(s.at[at - 1]) || (s.at[at - 1] == '.' && !point))) {
		point |= s.at[at - 1] == '.';
		at--;
	}
	if (at == s.size || at == 0 || !is_blank(s.at[at - 1]) || s.at[at] == '.')
		return false;
	*count = span_from(s, at);
	*line = span_trim_end(span_upto(s, at));
	return true;
}

bool folded_is_comment(struct span line)
{
	return span_starts(line, "# ") || span_is(line, "#");
}

/* How many names are looked up together, so that their cache misses overlap. */
enum { BATCH = 32 };

static void reserve_batch(struct folded_rows *r)
{
	while (r->nr_name + BATCH > r->cap_name)
		GROW(r->name, r->cap_name, r->cap_name);
	while (r->nr_end + BATCH > r->cap_end)
		GROW(r->end, r->cap_end, r->cap_end);
}

static uint32_t number_of(struct folded_rows *r, struct span name, struct print print)
{
	uint32_t number = print_memo_find(&r->names, print);

	if (number != MEMO_NONE)
		return number;
	GROW(r->fresh, r->nr_fresh, r->cap_fresh);
	r->fresh[r->nr_fresh++] = name;
	print_memo_add(&r->names, print, r->nr_number);
	return r->nr_number++;
}

/* Adds the names of `a;b;c`. */
static void add_names(struct folded_rows *r, struct span text)
{
	struct span name[BATCH];
	struct print print[BATCH];
	uint32_t end = r->nr_end ? r->end[r->nr_end - 1] + 1 : 0;
	bool more = true;

	while (more) {
		size_t nr = 0;

		reserve_batch(r);
		for (; more && nr < BATCH; nr++) {
			name[nr] = span_upto(text, span_find(text, ';'));
			more = name[nr].size < text.size;
			text = span_from(text, name[nr].size + 1);
			if (r->trim_leaf && !more)
				name[nr] = span_trim_start(name[nr]);
			print[nr] = print_of(name[nr], r->seed);
			print_memo_fetch(&r->names, print[nr]);
		}
		for (size_t i = 0; i < nr; i++) {
			r->name[r->nr_name++] = number_of(r, name[i], print[i]);
			end += (uint32_t)name[i].size;
			r->end[r->nr_end++] = end++;
		}
	}
}

/* Drops frames from the root until the stack is no deeper than PROFILE_DEPTH_MAX. */
static struct span cut_depth(struct span text)
{
	size_t depth = 1;

	for (size_t i = 0; i < text.size; i++)
		depth += text.at[i] == ';';
	for (; depth > PROFILE_DEPTH_MAX; depth--)
		text = span_from(text, span_find(text, ';') + 1);
	return text;
}

/*
 * Keeps the frames of the row before with which the text begins; returns the offset of their end.
 */
static size_t keep_shared(struct folded_rows *r, struct span text)
{
	size_t same = span_common(text, r->last);

	for (; r->nr_end; r->nr_end--) {
		size_t end = r->end[r->nr_end - 1];

		if (end <= same && (end == text.size || text.at[end] == ';'))
			return end;
	}
	return 0;
}

/* Most lines share their first frames with the line before: those are compared, not looked up. */
static void cut_stack(struct folded_rows *r, struct folded_row *row, struct span text)
{
	size_t end, known = r->nr_name;

	/* What is the leaf of one line and trimmed may be a caller in the next. */
	if (r->trim_leaf)
		r->nr_end = 0;
	end = keep_shared(r, text);
	row->nr_shared = (uint32_t)r->nr_end;
	if (!r->nr_end)
		add_names(r, text);
	else if (end < text.size)
		add_names(r, span_from(text, end + 1));
	row->nr_name = (uint32_t)(r->nr_name - known);
	r->last = text;
}

/* Cuts a line into stack and counts; without a count it is none. */
static void cut_line(struct folded_rows *r, struct folded_row *row)
{
	struct span text = row->text, count;

	if (!folded_cut_count(&text, &count) || !text.size)
		return;
	if (r->pairs)
		folded_cut_count(&text, &row->before);
	if (!text.size)
		return;
	row->count = count;
	/* `a;  3`: perf's symbol without a name is a blank. */
	if (!r->trim_names && text.at[text.size - 1] == ';' && is_blank(text.at[text.size + 1]))
		text.size++;
	/* heaptrack_print -F ends each frame with a ; */
	while (!r->empty_leaf && text.size > 1 && text.at[text.size - 1] == ';')
		text.size--;
	if (text.size > PROFILE_DEPTH_MAX) {
		struct span cut = cut_depth(text);

		row->cut = cut.size < text.size;
		text = cut;
	}
	cut_stack(r, row, text);
}

static void add_row(struct folded_rows *r, struct span line)
{
	struct folded_row row = { .line = r->nr_line, .text = line };

	cut_line(r, &row);
	GROW(r->row, r->nr_row, r->cap_row);
	r->row[r->nr_row++] = row;
}

static void cut_lines(struct folded_rows *r, struct span bytes, bool at_start)
{
	struct text text;
	struct span line;

	text_over(&text, bytes);
	for (; text_line(&text, &line); at_start = false) {
		r->nr_line++;
		if (line.size && (is_blank(line.at[0]) || line.at[0] == '#' || at_start)) {
			/* A byte order mark. */
			if (at_start && span_starts(line, "\xef\xbb\xbf"))
				line = span_from(line, 3);
			line = span_trim(line);
			if (folded_is_comment(line))
				continue;
		}
		if (line.size)
			add_row(r, line);
	}
}

/* Where names hardly repeat, what was seen is of no use: it is forgotten, and numbers begin anew. */
static void forget_names(struct folded_rows *r)
{
	r->nr_fresh = 0;
	if (r->nr_number <= PRINT_MEMO_MAX / 4)
		return;
	print_memo_forget(&r->names);
	r->nr_number = 0;
}

void folded_rows_cut(struct folded_rows *r, const struct chunk *c)
{
	struct span bytes = { .at = c->buf, .size = c->size };
	size_t skip = c->skipped ? c->skip_at : c->size;

	if (!r->seed)
		r->seed = print_seed();
	forget_names(r);
	r->nr_row = r->nr_name = r->nr_end = 0;
	r->nr_line = 0;
	r->last = (struct span){ 0 };
	cut_lines(r, span_upto(bytes, skip), !c->number);
	r->nr_line += c->skipped;
	cut_lines(r, span_from(bytes, skip), false);
}

void folded_rows_release(struct folded_rows *r)
{
	print_memo_release(&r->names);
	free(r->fresh);
	free(r->row);
	free(r->name);
	free(r->end);
	*r = (struct folded_rows){ 0 };
}
