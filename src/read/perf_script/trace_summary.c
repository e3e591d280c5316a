/*
 * The output of `perf trace -s`: for each thread, its system calls and the time they took.
 *
 *	 Summary of events:
 *
 *	 prog (9037), 100 events, 30.7%
 *
 *	   syscall            calls  errors  total       min       avg       max       stddev
 *	                                     (msec)    (msec)    (msec)    (msec)        (%)
 *	   --------------- --------  ------ -------- --------- --------- ---------     ------
 *	   futex                 40      0   207.162     0.014     5.179    23.470     27.47%
 *
 * Old versions have neither errors nor total.  With --summary-mode there is ` total, 100 events` or
 * ` cgroup /a/b, 100 events` in place of the thread.  The time is the event `syscalls`; calls and
 * errors are separate events.
 */
#include "base/alloc.h"
#include "profile/spelling.h"
#include "read/build.h"
#include "read/readers.h"

enum column { COLUMN_CALLS, COLUMN_ERRORS, COLUMN_TOTAL, COLUMN_AVERAGE, NR_COLUMNS };

static const char *const titles[NR_COLUMNS] = { "calls", "errors", "total", "avg" };

struct summary {
	struct build *b;
	uint32_t time, calls, errors; /* events */
	size_t column[NR_COLUMNS];    /* 0: there is none, as the first one is the call's name */
	bool in_table;
};

/* " prog (9037), 100 events": the part before the comma. */
static bool parse_heading(struct span line, struct span *who)
{
	size_t end = span_rfind_text(line, " events");
	struct span s = span_upto(line, end);
	size_t comma = span_rfind_text(s, ", ");
	uint64_t nr;

	if (end == line.size || comma == s.size || !span_u64(span_from(s, comma + 2), &nr))
		return false;
	*who = span_trim(span_upto(s, comma));
	return is_blank(span_at(line, 0)) && who->size;
}

/* "prog (9037)" */
static bool parse_thread(struct span who, struct span *comm, uint32_t *tid)
{
	size_t paren = span_rfind_text(who, " (");
	struct span number = span_from(who, paren + 2);
	uint64_t n;

	if (paren == who.size || !span_ends(number, ")") ||
	    !span_u64(span_upto(number, number.size - 1), &n) || n >= THREAD_UNKNOWN)
		return false;
	*comm = span_upto(who, paren);
	*tid = (uint32_t)n;
	return true;
}

/* Parses the titles: finds the position of each column. */
static bool parse_titles(struct span line, size_t *column)
{
	struct span word;

	if (!span_is(span_word(&line), "syscall"))
		return false;
	for (size_t at = 1; (word = span_word(&line)).size; at++)
		for (size_t i = 0; i < NR_COLUMNS; i++)
			if (span_is(word, titles[i]))
				column[i] = at;
	return column[COLUMN_CALLS] && (column[COLUMN_TOTAL] || column[COLUMN_AVERAGE]);
}

static void set_owner(struct summary *s, struct span who)
{
	struct thread thread = { .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN };
	struct profile *p = s->b->p;
	struct span comm;

	s->in_table = false;
	s->b->thread = (thread_id){ 0 };
	s->b->labels = (label_id){ 0 };
	if (parse_thread(who, &comm, &thread.tid)) {
		thread.comm = profile_string(p, comm);
		s->b->thread = profile_thread(p, &thread);
	} else if (span_starts(who, "cgroup ")) {
		struct label group = { .key = profile_string(p, SPAN("cgroup")),
				       .value = profile_string(p, span_from(who, 7)) };

		s->b->labels = profile_labels(p, &group, 1);
	}
}

/* Milliseconds, as microseconds. */
static bool parse_time(struct span s, int64_t *us)
{
	struct decimal ms;

	return decimal_parse(s, &ms) && decimal_at(ms, 3, us) && *us >= 0;
}

static int add(struct summary *s, uint32_t event, stack_id stack, int64_t weight, int64_t nr,
	       struct error *e)
{
	s->b->event = event;
	return build_add(s->b, stack, weight, (uint64_t)nr, e);
}

static bool parse_number(struct span s, int64_t *nr)
{
	uint64_t n;

	if (!span_u64(s, &n) || n > INT64_MAX)
		return false;
	*nr = (int64_t)n;
	return true;
}

/* "futex  40  0  207.162 …" */
static int row_line(struct summary *s, struct span line, struct error *e)
{
	struct span rest = line, name = span_word(&rest), word, field[NR_COLUMNS] = { 0 };
	int64_t calls, errors = 0, us;
	bool is_valid;
	stack_id stack;

	/* Skips the line of units, the ruler, and "ENOENT: 2" of --errno-summary. */
	if (span_starts(name, "(") || span_starts(name, "--") || span_ends(name, ":"))
		return 0;
	for (size_t at = 1; (word = span_word(&rest)).size; at++)
		for (size_t i = 0; i < NR_COLUMNS; i++)
			if (s->column[i] == at)
				field[i] = word;
	is_valid = parse_number(field[COLUMN_CALLS], &calls) &&
		   (!s->column[COLUMN_ERRORS] || parse_number(field[COLUMN_ERRORS], &errors));
	if (s->column[COLUMN_TOTAL])
		is_valid = is_valid && parse_time(field[COLUMN_TOTAL], &us);
	else
		is_valid = is_valid && parse_time(field[COLUMN_AVERAGE], &us) &&
			   !__builtin_mul_overflow(us, calls, &us);
	if (!is_valid)
		return build_note(s->b, NOTE_BAD_LINE, line, e);
	build_push(s->b, build_frame(s->b, FRAME_KERNEL, SPAN(""), name));
	if (build_stack(s->b, LEAF_FIRST, &stack, e) || add(s, s->time, stack, us, calls, e) ||
	    add(s, s->calls, stack, calls, calls, e))
		return -1;
	return errors ? add(s, s->errors, stack, errors, errors, e) : 0;
}

static uint32_t add_event(struct build *b, const char *name, const char *unit)
{
	b->event = profile_event(b->p, span_of(name), span_of(unit));
	build_measure(b, SOURCE_MEASURED, EXTENT_SHARE);
	return b->event;
}

static int trace_summary_read(struct build *b, struct error *e)
{
	struct summary s = { .b = b };
	struct span line, who;
	int ret = 0;

	s.time = add_event(b, "syscalls", "us");
	s.calls = add_event(b, "syscall-calls", "calls");
	s.errors = add_event(b, "syscall-errors", "errors");
	while (!ret && text_line(b->text, &line)) {
		if (parse_heading(line, &who)) {
			set_owner(&s, who);
		} else if (!s.in_table) {
			size_t column[NR_COLUMNS] = { 0 };

			s.in_table = parse_titles(line, column);
			memcpy(s.column, column, sizeof(column));
		} else if (span_trim(line).size) {
			ret = row_line(&s, line, e);
		}
	}
	return ret;
}

/* The titles of a table, directly below the thread that it is about. */
static bool trace_summary_accepts(struct span head)
{
	bool has_heading = false;

	while (head.size) {
		struct span line = span_line(&head), who;
		size_t column[NR_COLUMNS] = { 0 };

		if (!span_trim(line).size)
			continue;
		if (has_heading && parse_titles(line, column))
			return true;
		has_heading = parse_heading(line, &who);
	}
	return false;
}

const struct reader reader_perf_trace = {
	.name = "perf-trace",
	.title = "perf trace -s summaries",
	.accepts = trace_summary_accepts,
	.read = trace_summary_read,
	.spelling = SPELL_THREAD,
};
