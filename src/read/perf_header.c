#include "read/perf_header.h"

#include <stdio.h>

/* "12" or "12/34" */
static bool parse_ids(struct span word, uint32_t *pid, uint32_t *tid)
{
	size_t slash = span_find(word, '/');
	uint64_t first, second;

	if (!word.size || !is_digit(word.at[0]) || !span_u64(span_upto(word, slash), &first))
		return false;
	*pid = UINT32_MAX;
	*tid = (uint32_t)first;
	if (slash < word.size) {
		if (!span_u64(span_from(word, slash + 1), &second))
			return false;
		*pid = (uint32_t)first;
		*tid = (uint32_t)second;
	}
	return true;
}

/* "94564.109216:" */
static bool parse_time(struct span word, uint64_t *time)
{
	uint64_t seconds, fraction, nanoseconds = 0;
	struct span digits;
	size_t point;

	if (word.size < 4 || word.at[word.size - 1] != ':' || !is_digit(word.at[0]))
		return false;
	word.size--;
	point = span_find(word, '.');
	digits = span_from(word, point + 1);
	if (!span_u64(span_upto(word, point), &seconds) || digits.size > 9 ||
	    !span_u64(digits, &fraction) || seconds > UINT64_MAX / 2000000000)
		return false;
	nanoseconds = fraction;
	for (size_t i = digits.size; i < 9; i++)
		nanoseconds *= 10;
	*time = seconds * 1000000000 + nanoseconds;
	return true;
}

/* "[003]" */
static bool is_cpu(struct span word)
{
	if (word.size < 3 || word.at[0] != '[' || word.at[word.size - 1] != ']')
		return false;
	for (size_t i = 1; i < word.size - 1; i++)
		if (!is_digit(word.at[i]))
			return false;
	return true;
}

/* The optional [cpu] and flags, and the time, at the front of *rest. */
static bool take_time(struct span *rest, uint64_t *time)
{
	struct span s = *rest, word = span_word(&s);

	if (is_cpu(word)) {
		*rest = s;
		word = span_word(&s);
	}
	/* `perf script --latency` and -F +flags put a short word between. */
	if (word.size && word.size <= 5 && word.at[word.size - 1] != ':') {
		struct span after = s;

		if (parse_time(span_word(&after), time)) {
			*rest = after;
			return true;
		}
	}
	if (!parse_time(word, time))
		return false;
	*rest = s;
	return true;
}

/*
 * Where the ids are: the first number that a time follows, else the first
 * number behind a word.  A process may be called "7" or "make -j 4".
 */
static bool find_ids(struct span line, struct perf_header *h, struct span *rest)
{
	struct span s = line, best = SPAN("");
	bool first = true;

	for (;;) {
		struct span before = s, word = span_word(&s), after = s;
		uint32_t pid, tid;
		uint64_t time;

		if (!word.size)
			break;
		if (parse_ids(word, &pid, &tid)) {
			if (take_time(&after, &time)) {
				best = word;
				break;
			}
			if (!first && !best.size && (s.size || before.size))
				best = word;
		}
		/* No name of a process looks like this: the event has begun. */
		if (word.at[word.size - 1] == ':' && !first)
			break;
		first = false;
	}
	if (!best.size)
		return false;
	parse_ids(best, &h->pid, &h->tid);
	h->comm = span_trim(span_between(line.at, best.at));
	h->who = span_between(h->comm.size ? h->comm.at : best.at, best.at + best.size);
	*rest = span_between(best.at + best.size, line.at + line.size);
	if (!take_time(rest, &h->time))
		h->time = 0;
	return true;
}

/* No ids: "bash [001] 123.456: cycles:" or "bash cycles:" */
static bool find_time(struct span line, struct perf_header *h, struct span *rest)
{
	struct span s = line;

	for (;;) {
		struct span before = s, word = span_word(&s), time = before;

		if (!word.size)
			return false;
		if (take_time(&time, &h->time)) {
			h->comm = h->who = span_trim(span_between(line.at, word.at));
			*rest = time;
			return true;
		}
		if (word.at[word.size - 1] == ':' && word.at > line.at) {
			h->comm = h->who = span_trim(span_between(line.at, word.at));
			*rest = before;
			return h->comm.size > 0;
		}
	}
}

/* "250000 cpu-clock:u: …", "sched:sched_switch: prev_comm=…", "cycles:" */
static void parse_event(struct span rest, struct perf_header *h)
{
	struct span s = rest, word = span_word(&s);

	if (span_starts(word, "PERF_RECORD_")) {
		h->record = true;
		if (span_starts(word, "PERF_RECORD_LOST")) {
			span_word(&s);
			(void)span_u64(span_word(&s), &h->lost);
		}
		return;
	}
	if (span_u64(word, &h->period)) {
		rest = s;
		word = span_word(&s);
	}
	if (word.size > 1 && word.at[word.size - 1] == ':') {
		h->event = span_upto(word, word.size - 1);
		rest = s;
	}
	h->tail = span_trim(rest);
}

bool perf_header_parse(struct span line, struct perf_header *h)
{
	struct span rest = line;

	*h = (struct perf_header){ .pid = UINT32_MAX, .tid = UINT32_MAX };
	if (!find_ids(line, h, &rest) && !find_time(line, h, &rest))
		return false;
	parse_event(rest, h);
	return true;
}

thread_id perf_header_thread(struct build *b, struct memo *threads, const struct perf_header *h)
{
	uint64_t hash = intern_hash(h->who);
	uint32_t thread = memo_find(threads, h->who, hash);

	if (thread == MEMO_NONE) {
		struct thread t = { .pid = h->pid,
				    .tid = h->tid,
				    .comm = profile_string(b->p, h->comm) };

		thread = profile_thread(b->p, &t).i;
		memo_add(threads, h->who, hash, thread);
	}
	return (thread_id){ thread };
}

struct span perf_event_name(struct span event, char *buf, size_t size)
{
	struct span name, modifiers;
	size_t slash;
	int n;

	if (!span_starts(event, "cpu_core/") && !span_starts(event, "cpu_atom/"))
		return event;
	name = span_from(event, 9);
	slash = span_rfind(name, '/');
	if (slash == name.size)
		return event;
	modifiers = span_from(name, slash + 1);
	name = span_upto(name, slash);
	if (modifiers.size && modifiers.at[0] == ':')
		modifiers = span_from(modifiers, 1);
	n = snprintf(buf, size, "%.*s%s%.*s", (int)name.size, name.at, modifiers.size ? ":" : "",
		     (int)modifiers.size, modifiers.at);
	return n > 0 && (size_t)n < size ? span_of(buf) : event;
}
