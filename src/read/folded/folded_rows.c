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

static uint32_t number_of(struct folded_rows *r, const struct folded_name *name)
{
	uint32_t number = print_memo_find(&r->names, name->print);

	if (number != MEMO_NONE)
		return number;
	GROW(r->fresh, r->nr_fresh, r->cap_fresh);
	r->fresh[r->nr_fresh++] = name->text;
	print_memo_add(&r->names, name->print, r->nr_number);
	return r->nr_number++;
}

/* Assigns numbers to the pending names, whose slots are in the cache by now. */
static void number_names(struct folded_rows *r)
{
	while (r->nr_name + r->nr_pending > r->cap_name)
		GROW(r->name, r->cap_name, r->cap_name);
	for (size_t i = 0; i < r->nr_pending; i++)
		r->name[r->nr_name++] = number_of(r, &r->pending[i]);
	r->nr_pending = 0;
}

static void add_name(struct folded_rows *r, struct span text)
{
	struct folded_name *name;

	if (r->nr_pending == FOLDED_NAMES)
		number_names(r);
	name = &r->pending[r->nr_pending++];
	name->text = text;
	name->print = print_of(text, r->seed);
	print_memo_fetch(&r->names, name->print);
}

/* Adds the names of `a;b;c`; returns how many. */
static uint32_t add_names(struct folded_rows *r, struct span text)
{
	uint32_t end = r->nr_end ? r->end[r->nr_end - 1] + 1 : 0, nr = 0;
	bool more = true;

	for (; more; nr++) {
		struct span name = span_upto(text, span_find(text, ';'));

		more = name.size < text.size;
		text = span_from(text, name.size + 1);
		end += (uint32_t)name.size;
		GROW(r->end, r->nr_end, r->cap_end);
		r->end[r->nr_end++] = end++;
		add_name(r, r->trim_leaf && !more ? span_trim_start(name) : name);
	}
	return nr;
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
 * Keeps the frames that the text shares with the previous row; returns the offset of their end.
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

enum {
	/* If stacks have no stems in common, this many rows try to find them … */
	CREDIT_FIRST = 1024,
	CREDIT_CHUNK = 16, /* … and this many of each chunk, as its rows may differ */
	CREDIT_HIT = 3,	   /* a hit saves the cost of this many misses */
	CREDIT_MAX = 4 * CREDIT_FIRST,
	STEM_NUMBERS_MAX = 64 * 1024,
};

/* Finds the ends of the frames of the next stem, from an offset on; false: no frame follows it. */
static bool find_stem(struct span text, size_t from, uint32_t end[FOLDED_STEM])
{
	for (size_t i = 0; i < FOLDED_STEM; i++, from++) {
		from += span_find(span_from(text, from), ';');
		if (from >= text.size)
			return false;
		end[i] = (uint32_t)from;
	}
	return true;
}

/* Looks for the next longer stem of the row; false: it is new, or there is none. */
static bool extend_stem(struct folded_rows *r, struct folded_row *row, struct span text)
{
	size_t level = r->nr_stem, depth = level * FOLDED_STEM;
	size_t from = level ? r->end[depth - 1] + 1 : 0;
	uint32_t before = level ? 1 + r->stem[level - 1] : 0, number, end[FOLDED_STEM];
	struct print print;

	if (level == FOLDED_STEMS_MAX || r->credit[level] <= 0 || !find_stem(text, from, end))
		return false;
	print = print_of(span_between(text.at + from, text.at + end[FOLDED_STEM - 1]),
			 r->seed + before);
	number = print_memo_find(&r->stems, print);
	r->nr_stem++;
	if (number == MEMO_NONE) {
		r->credit[level]--;
		print_memo_add(&r->stems, print, r->nr_stem_number);
		GROW(r->fresh_stem, r->nr_fresh_stem, r->cap_fresh_stem);
		r->fresh_stem[r->nr_fresh_stem++] =
			(struct folded_stem){ .before = before,
					      .depth = (uint32_t)depth + FOLDED_STEM };
		r->stem[level] = r->nr_stem_number;
		row->new_stem = ++r->nr_stem_number;
		return false;
	}
	if (r->credit[level] < CREDIT_MAX)
		r->credit[level] += CREDIT_HIT;
	r->stem[level] = number;
	row->stem = number + 1;
	while (depth + FOLDED_STEM > r->cap_end)
		GROW(r->end, r->cap_end, r->cap_end);
	memcpy(r->end + depth, end, sizeof(end));
	r->nr_end = depth + FOLDED_STEM;
	return true;
}

/*
 * A stack begins with frames of the previous line, which are compared, or of an earlier line, which are looked up as
 * stems: neither is done frame by frame.
 */
static void cut_stack(struct folded_rows *r, struct folded_row *row, struct span text)
{
	size_t end;

	/* A trimmed leaf may be a caller, which is not trimmed, in the next line. */
	if (r->trim_leaf)
		r->nr_end = 0;
	end = keep_shared(r, text);
	if (r->nr_stem > r->nr_end / FOLDED_STEM)
		r->nr_stem = r->nr_end / FOLDED_STEM;
	if (!r->no_stems && r->nr_end <= r->nr_stem * FOLDED_STEM + FOLDED_STEM / 2)
		while (extend_stem(r, row, text))
			end = r->end[r->nr_end - 1];
	row->nr_shared = (uint32_t)r->nr_end;
	if (!r->nr_end)
		row->nr_name = add_names(r, text);
	else if (end < text.size)
		row->nr_name = add_names(r, span_from(text, end + 1));
	r->last = text;
}

/* Splits a line into stack and counts; without a count, it is not a stack. */
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
	/* `a;  3`: perf prints a symbol without a name as a blank. */
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
			if (folded_is_comment(span_trim(line)))
				continue;
			line = r->keep_indent ? span_trim_end(line) : span_trim(line);
		}
		if (line.size)
			add_row(r, line);
	}
}

/* If names hardly repeat, the cache is of no use: clears it, and restarts the numbers. */
static void forget_names(struct folded_rows *r)
{
	r->nr_fresh = 0;
	if (r->nr_number <= PRINT_MEMO_MAX / 4)
		return;
	print_memo_forget(&r->names);
	r->nr_number = 0;
}

static void forget_stems(struct folded_rows *r)
{
	r->nr_fresh_stem = 0;
	for (size_t i = 0; i < FOLDED_STEMS_MAX; i++)
		r->credit[i] += CREDIT_CHUNK;
	if (r->nr_stem_number <= STEM_NUMBERS_MAX)
		return;
	print_memo_forget(&r->stems);
	r->nr_stem_number = 0;
}

void folded_rows_cut(struct folded_rows *r, const struct chunk *c)
{
	struct span bytes = { .at = c->buf, .size = c->size };
	size_t skip = c->skipped ? c->skip_at : c->size;

	if (!r->seed) {
		r->seed = print_seed();
		for (size_t i = 0; i < FOLDED_STEMS_MAX; i++)
			r->credit[i] = CREDIT_FIRST;
	}
	forget_names(r);
	forget_stems(r);
	r->nr_row = r->nr_name = r->nr_end = r->nr_stem = 0;
	r->nr_line = 0;
	r->last = (struct span){ 0 };
	cut_lines(r, span_upto(bytes, skip), !c->number);
	r->nr_line += c->skipped;
	cut_lines(r, span_from(bytes, skip), false);
	number_names(r);
}

void folded_rows_release(struct folded_rows *r)
{
	print_memo_release(&r->names);
	print_memo_release(&r->stems);
	free(r->fresh);
	free(r->fresh_stem);
	free(r->row);
	free(r->name);
	free(r->end);
	*r = (struct folded_rows){ 0 };
}
