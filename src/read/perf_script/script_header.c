#include "read/perf_script/script_header.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>

/* The size of the cache, in headers: mostly there are few threads, but there may be thousands. */
enum { KNOWN_MIN = 64, KNOWN_MAX = 8192, EVENTS_MAX = 1024, EVENT_NAME_MAX = 64 };

/*
 * The name of a thread may contain anything, even text that looks like the fields after
 * it, so no single field is trusted.  A word that looks like a time or an event is an
 * anchor, scored by how well the words around it fit as the other fields.  The anchor
 * with the best score decides where the name ends; of equal scores the first, since
 * arguments of tracepoints, at the end of the line, may contain names, too.
 */

/* A word of the line and the four before it. */
struct cursor {
	struct span line, rest, word;
	struct span before[4]; /* nearest first */
};

static bool next_word(struct cursor *c)
{
	memmove(c->before + 1, c->before, sizeof(c->before) - sizeof(c->before[0]));
	c->before[0] = c->word;
	c->word = span_word(&c->rest);
	return c->word.size > 0;
}

/* The width of a word with the blanks before it, since perf pads numbers on the left. */
static size_t width_of(struct span line, struct span word)
{
	const char *at = word.at;

	while (at > line.at && is_blank(at[-1]))
		at--;
	return (size_t)(word.at - at) + word.size;
}

static bool ends_in_colon(struct span word)
{
	return word.size > 1 && word.at[word.size - 1] == ':';
}

/* "12", "-1" */
static bool parse_id(struct span s, uint32_t *id)
{
	uint64_t value;

	*id = THREAD_UNKNOWN;
	if (span_is(s, "-1"))
		return true;
	if (!span_u64(s, &value) || value >= THREAD_UNKNOWN)
		return false;
	*id = (uint32_t)value;
	return true;
}

/* "12" or "12/34" */
static bool parse_ids(struct span word, uint32_t *pid, uint32_t *tid)
{
	size_t slash = span_find(word, '/');

	*pid = THREAD_UNKNOWN;
	if (slash == word.size)
		return parse_id(word, tid);
	return parse_id(span_upto(word, slash), pid) && parse_id(span_from(word, slash + 1), tid);
}

/* "94564.109216:" */
static bool parse_time(struct span word, uint64_t *time)
{
	uint64_t seconds, fraction;
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
	for (size_t i = digits.size; i < 9; i++)
		fraction *= 10;
	*time = seconds * 1000000000 + fraction;
	return true;
}

static bool is_number(struct span word)
{
	for (size_t i = 0; i < word.size; i++)
		if (!is_digit(word.at[i]))
			return false;
	return word.size > 0;
}

/* "[003]" */
static bool is_cpu(struct span word)
{
	return word.size > 2 && word.at[0] == '[' && word.at[word.size - 1] == ']' &&
	       is_number(span_upto(span_from(word, 1), word.size - 2));
}

static struct span cpu_digits(struct span word)
{
	return span_upto(span_from(word, 1), word.size - 2);
}

/* "K", "d..2.": flags of the sample, from -F +misc or --latency. */
static bool is_misc(struct span word)
{
	return word.size > 0 && word.size < 6 && !is_digit(word.at[0]) &&
	       word.at[word.size - 1] != ':';
}

/* perf pads an ID to five digits: a narrower number may as well be a name. */
static bool is_as_wide_as_ids(struct span line, struct span word)
{
	enum { ID_WIDTH = 5 };

	return width_of(line, word) >= ID_WIDTH || span_find(word, '/') < word.size;
}

/*
 * Is the number before an anchor the period?  perf pads it to ten digits, and does not print the CPU after
 * it.
 */
static bool is_period(const struct cursor *c)
{
	enum { PERIOD_WIDTH = 11 };
	uint32_t pid, tid;

	return is_number(c->before[0]) &&
	       (width_of(c->line, c->before[0]) >= PERIOD_WIDTH ||
		(is_cpu(c->before[1]) && parse_ids(c->before[2], &pid, &tid)));
}

/* The score of an anchor: a sum of these. */
enum { FITS_CPU = 1, FITS_EVENT = 2, FITS_IDS = 4, FITS_ANCHOR = 8 };

/*
 * Parses CPU, IDs and name before the anchor, backwards from before[i]; returns the
 * score.
 */
static unsigned read_before(const struct cursor *c, size_t i, struct script_header *h)
{
	const char *end = i ? c->before[i - 1].at : c->word.at;
	unsigned fits = FITS_ANCHOR;
	uint32_t pid, tid;

	h->pid = h->tid = THREAD_UNKNOWN;
	if (is_misc(c->before[i]) && !is_cpu(c->before[i]) &&
	    (is_cpu(c->before[i + 1]) || parse_ids(c->before[i + 1], &pid, &tid)))
		end = c->before[i++].at;
	if (is_cpu(c->before[i])) {
		h->cpu = cpu_digits(c->before[i]);
		end = c->before[i++].at;
		fits |= FITS_CPU;
	}
	h->comm = h->who = span_trim(span_between(c->line.at, end));
	if (parse_ids(c->before[i], &pid, &tid)) {
		struct span comm = span_trim(span_between(c->line.at, c->before[i].at));

		if (!comm.size && !is_as_wide_as_ids(c->line, c->before[i]))
			return fits;
		h->comm = comm;
		h->pid = pid;
		h->tid = tid;
		fits |= FITS_IDS;
	}
	return fits;
}

/*
 * "250000 cpu-clock:u: …", "sched:sched_switch: prev_comm=…", "cycles:", "PERF_RECORD_LOST lost 3"
 */
static bool parse_event(struct span rest, struct script_header *h)
{
	struct span s = rest, word = span_word(&s);

	h->period = 0;
	h->record = span_starts(word, "PERF_RECORD_");
	if (h->record) {
		if (span_starts(word, "PERF_RECORD_LOST")) {
			span_word(&s);
			(void)span_u64(span_word(&s), &h->lost);
		}
		return true;
	}
	if (is_number(word)) {
		if (!span_u64(word, &h->period))
			h->period = UINT64_MAX;
		rest = s;
		word = span_word(&s);
	}
	h->event = SPAN("");
	if (ends_in_colon(word)) {
		h->event = span_upto(word, word.size - 1);
		rest = s;
	}
	h->tail = span_trim_end(rest);
	return h->event.size > 0;
}

/* Finds the time that is the best anchor; returns its score, 0 if there is none. */
static unsigned find_time(struct span line, struct script_header *h)
{
	struct cursor c = { .line = line, .rest = line };
	unsigned best = 0;

	while (best < FITS_ANCHOR + FITS_IDS + FITS_EVENT && next_word(&c)) {
		struct script_header with = { .has_time = true };
		unsigned fits;

		if (!parse_time(c.word, &with.time))
			continue;
		fits = read_before(&c, 0, &with);
		if (parse_event(c.rest, &with))
			fits |= FITS_EVENT;
		if (fits > best) {
			*h = with;
			best = fits;
		}
	}
	return best;
}

/* The same for an event, if no time is printed: "bash 12 [001] cycles:", "cycles:" */
static unsigned find_event(struct span line, struct script_header *h)
{
	struct cursor c = { .line = line, .rest = line };
	unsigned best = 0;

	while (next_word(&c)) {
		struct script_header with = { 0 };
		unsigned fits;

		if ((!ends_in_colon(c.word) && !span_starts(c.word, "PERF_RECORD_")) ||
		    parse_time(c.word, &with.time))
			continue;
		fits = read_before(&c, is_period(&c), &with);
		parse_event(span_between((is_period(&c) ? c.before[0] : c.word).at,
					 line.at + line.size),
			    &with);
		/* An event at the end of the line is not an argument of a tracepoint. */
		if (!with.tail.size)
			fits |= FITS_EVENT;
		if (fits > best) {
			*h = with;
			best = fits;
		}
	}
	return best;
}

/* Only a name and ids, and maybe the only frame: "bash    12 [001]     5654723d3221 main". */
static bool find_ids(struct span line, struct script_header *h)
{
	enum { ADDRESS_WIDTH = 17 };
	struct cursor c = { .line = line, .rest = line };
	struct span ids;
	uint64_t address;
	size_t i;

	while (next_word(&c))
		if (width_of(line, c.word) >= ADDRESS_WIDTH && span_hex(c.word, &address) &&
		    c.before[0].size) {
			read_before(&c, is_period(&c), h);
			h->tail = span_trim_end(span_between(c.before[0].at + c.before[0].size,
							     line.at + line.size));
			return true;
		}
	/* At the end of the line. */
	c.word = span_from(line, line.size);
	i = is_period(&c);
	ids = c.before[i + is_cpu(c.before[i])];
	return (read_before(&c, i, h) & FITS_IDS && is_as_wide_as_ids(line, ids)) ||
	       (i && h->comm.size);
}

bool script_header_parse(struct span line, struct script_header *h)
{
	struct script_header other;
	unsigned fits;

	fits = find_time(line, h);
	/* With a time and an event at the end of the line, ids are not needed. */
	if (fits & FITS_IDS || (fits & FITS_EVENT && !h->tail.size))
		return true;
	if (find_event(line, &other) > fits) {
		*h = other;
		return true;
	}
	if (fits)
		return true;
	*h = (struct script_header){ .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN };
	return find_ids(line, h);
}

/* Removes leading blanks; false if there are none. */
static bool cut_blanks(struct span *s)
{
	struct span rest = span_trim_start(*s);
	bool any = rest.size < s->size;

	*s = rest;
	return any;
}

/* Is it the header k, except for CPU, time and period?  Fills *h. */
static bool is_again(const struct perf_headers *all, const struct known_header *k, struct span line,
		     struct script_header *h)
{
	struct span rest = span_from(line, k->who_size), digits, cpu = SPAN(""), event;

	if (!k->who_size || line.size < k->who_size || memcmp(line.at, k->who, k->who_size) != 0 ||
	    !cut_blanks(&rest))
		return false;
	if (rest.size && rest.at[0] == '[') {
		struct span word = span_word(&rest);

		if (!is_cpu(word) || !cut_blanks(&rest))
			return false;
		cpu = cpu_digits(word);
	}
	*h = (struct script_header){ .pid = k->pid, .tid = k->tid, .cpu = cpu, .has_time = true };
	if (!parse_time(span_word(&rest), &h->time) || !cut_blanks(&rest))
		return false;
	digits = span_digits(rest);
	if (digits.size) {
		rest = span_from(rest, digits.size);
		if (!span_u64(digits, &h->period) || !cut_blanks(&rest))
			return false;
	}
	event = intern_peek(&all->events, k->event);
	if (rest.size <= event.size || memcmp(rest.at, event.at, event.size) != 0 ||
	    rest.at[event.size] != ':' ||
	    (rest.size > event.size + 1 && !is_blank(rest.at[event.size + 1])))
		return false;
	h->event = span_upto(rest, event.size);
	h->tail = span_trim_end(span_from(rest, event.size + 1));
	h->comm = (struct span){ .at = line.at + k->comm_at, .size = k->comm_size };
	h->who = span_upto(span_from(line, k->who_at), k->who_size - k->who_at);
	return true;
}

/* Hashes the text before the CPU, which is in brackets, or else before the time, which ends in a colon. */
static uint32_t hash_of(struct span line)
{
	struct span begin = span_upto(line, sizeof(((struct known_header *)NULL)->who));
	size_t cpu = span_find(begin, '[');

	if (cpu == begin.size) {
		begin = span_upto(begin, span_find(begin, ':'));
		cpu = span_rfind(begin, ' ');
	}
	return (uint32_t)intern_hash(span_upto(begin, cpu));
}

static struct known_header *place_of(const struct perf_headers *all, uint32_t hash)
{
	return &all->known[hash & (all->nr_known - 1)];
}

/* Doubles the cache, because too many headers replace each other. */
static void grow(struct perf_headers *all)
{
	struct known_header *old = all->known;
	uint32_t nr_old = old ? all->nr_known : 0;

	all->nr_known = old ? 2 * nr_old : KNOWN_MIN;
	all->nr_replaced = 0;
	all->known = xcalloc(all->nr_known, sizeof(*all->known));
	for (uint32_t i = 0; i < nr_old; i++)
		*place_of(all, old[i].hash) = old[i];
	free(old);
}

static void forget(struct perf_headers *all)
{
	memset(all->known, 0, all->nr_known * sizeof(*all->known));
	intern_release(&all->events);
}

static void remember(struct perf_headers *all, struct span line, uint32_t hash,
		     const struct script_header *h)
{
	size_t who_size = (size_t)(h->who.at + h->who.size - line.at);
	struct known_header *k = place_of(all, hash);

	if (!h->has_time || h->record || !h->comm.size || !h->event.size ||
	    h->tid == THREAD_UNKNOWN || who_size > sizeof(k->who) || h->event.size > EVENT_NAME_MAX)
		return;
	if (all->events.nr == EVENTS_MAX)
		forget(all);
	if (k->who_size && k->hash != hash && ++all->nr_replaced > all->nr_known / 4 &&
	    all->nr_known < KNOWN_MAX) {
		grow(all);
		k = place_of(all, hash);
	}
	*k = (struct known_header){ .hash = hash,
				    .event = intern(&all->events, h->event),
				    .pid = h->pid,
				    .tid = h->tid,
				    .who_size = (uint8_t)who_size,
				    .comm_at = (uint8_t)(h->comm.at - line.at),
				    .comm_size = (uint8_t)h->comm.size,
				    .who_at = (uint8_t)(h->who.at - line.at) };
	memcpy(k->who, line.at, who_size);
}

bool perf_headers_parse(struct perf_headers *all, struct span line, struct script_header *h)
{
	uint32_t hash = hash_of(line);

	if (!all->known)
		grow(all);
	if (is_again(all, place_of(all, hash), line, h))
		return true;
	if (!script_header_parse(line, h))
		return false;
	remember(all, line, hash, h);
	return true;
}

void perf_headers_release(struct perf_headers *all)
{
	free(all->known);
	intern_release(&all->events);
}

bool script_header_is_sure(const struct script_header *h)
{
	return h->has_time + (h->tid != THREAD_UNKNOWN) + (h->event.size || h->record) > 1;
}

thread_id script_header_thread(struct build *b, struct memo *threads, const struct script_header *h)
{
	uint64_t hash = intern_hash(h->who);
	uint32_t thread = memo_find(threads, h->who, hash);

	if (!h->who.size)
		return (thread_id){ 0 };
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

bool perf_event_is_clock(struct span event)
{
	return span_starts(event, "cpu-clock") || span_starts(event, "task-clock");
}

bool perf_event_is_cpu(struct span event)
{
	struct span name = perf_event_base(event);

	return span_is(name, "cycles") || span_is(name, "cpu-cycles") || perf_event_is_clock(name);
}

struct span perf_event_base(struct span event)
{
	size_t colon = span_rfind(event, ':');

	for (size_t i = colon + 1; i < event.size; i++)
		if (!strchr("ukhIGHpPSDWebR", event.at[i]))
			return event;
	return span_upto(event, colon);
}

uint32_t perf_event_add(struct profile *p, struct span event)
{
	char buf[256];
	struct span name = perf_event_name(event, buf, sizeof(buf));
	struct span unit = span_upto(name, span_find(name, ':'));

	if (!name.size)
		name = unit = SPAN("samples");
	return profile_event(p, name, perf_event_is_clock(name) ? SPAN("ns") : unit);
}
