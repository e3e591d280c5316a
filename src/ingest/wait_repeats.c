/*
 * Repeated stacks of waits and wakers: the recorder sends each stack once, with a key, and then only the key.
 * The key selects a slot, which a later stack may overwrite.
 */
#include "base/alloc.h"
#include "ingest/waits.h"

static struct wait_repeat *slot_of(struct waits *w, uint64_t key)
{
	return &w->repeat[key & (WAIT_SLOTS - 1)];
}

static struct wait_repeat *remember(struct waits *w, uint64_t key, enum wait_record_kind kind)
{
	struct wait_repeat *at;

	if (!w->repeat)
		w->repeat = xcalloc(WAIT_SLOTS, sizeof(*w->repeat));
	at = slot_of(w, key);
	*at = (struct wait_repeat){ .key = key, .kind = kind };
	return at;
}

/* NULL: the stack was lost, or overwritten. */
static const struct wait_repeat *find_repeat(struct waits *w, uint64_t key,
					     enum wait_record_kind kind)
{
	const struct wait_repeat *at = w->repeat ? slot_of(w, key) : NULL;

	return at && key && at->key == key && at->kind == kind ? at : NULL;
}

void waits_remember_out(struct waits *w, uint64_t key, const struct blocked_sample *sample)
{
	if (key)
		remember(w, key, WAIT_RECORD_OUT)->sample = *sample;
}

void waits_remember_waker(struct waits *w, uint64_t key, const struct wait_waking *by)
{
	if (key)
		remember(w, key, WAIT_RECORD_WAKE)->waker = *by;
}

void waits_repeat_out(struct waits *w, const struct record *r, uint64_t key)
{
	const struct wait_repeat *at = find_repeat(w, key, WAIT_RECORD_OUT);
	struct blocked_sample sample;

	if (!at)
		return;
	sample = at->sample;
	sample.since = sample.time = r->time;
	waits_out(w, r, &sample);
}

void waits_repeat_waker(struct waits *w, const struct record *r, uint64_t key, uint32_t tid)
{
	const struct wait_repeat *at = find_repeat(w, key, WAIT_RECORD_WAKE);
	const struct wait_waking unknown = { .tid = r->tid };

	waits_woken(w, tid, r->time, at ? &at->waker : &unknown);
}
