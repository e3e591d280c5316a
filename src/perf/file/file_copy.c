/*
 * perf.data → perf.data: copies everything, but samples get finished call chains in place of stack
 * copies, and AUX data (hardware traces) is dropped.
 */
#include "perf/file/perf_data.h"
#include "perf/file/recording.h"

/* Where to write; NULL: nothing is copied. */
static struct recording *copy(const struct perf_data *d)
{
	return d->b->o->copy;
}

void perf_copy_begin(struct perf_data *d)
{
	d->ingest.chains_only = copy(d) != NULL;
	if (copy(d))
		recording_order(copy(d), d->order);
}

void perf_copy_attr(struct perf_data *d, struct span bytes)
{
	if (copy(d))
		recording_add_event(copy(d), bytes);
}

void perf_copy_ids(struct perf_data *d, struct span bytes)
{
	if (copy(d))
		recording_add_ids(copy(d), d->attrs.nr - 1, bytes);
}

void perf_copy_feature(struct perf_data *d, unsigned feature, struct span bytes)
{
	if (!copy(d))
		return;
	switch (feature) {
	case FEATURE_EVENT_DESC: /* written again: samples have other attrs */
	case FEATURE_AUXTRACE:
	case FEATURE_DIR_FORMAT:
	case FEATURE_COMPRESSED:
		return;
	default:
		recording_set_feature(copy(d), feature, bytes);
	}
}

void perf_copy_build_id(struct perf_data *d, struct span record)
{
	if (copy(d))
		recording_add_feature(copy(d), FEATURE_BUILD_ID, record);
}

void perf_copy_user_record(struct perf_data *d, struct span bytes, uint32_t type)
{
	if (!copy(d))
		return;
	switch (type) {
	case USER_ID_INDEX:
	case USER_THREAD_MAP:
	case USER_CPU_MAP:
	case USER_TIME_CONV:
	case USER_FINISHED_INIT:
		recording_add(copy(d), bytes);
		return;
	default:
		return;
	}
}

/*
 * Drops records about AUX data, which is not copied, and deferred chains, which are part of the
 * samples by now.
 */
static bool is_left_out(struct span record, enum byte_order order)
{
	switch (record_header(record.at, order).type) {
	case PERF_RECORD_AUX:
	case PERF_RECORD_ITRACE_START:
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
	case PERF_RECORD_DEFERRED:
		return true;
	default:
		return false;
	}
}

void perf_copy_record(struct perf_data *d, struct span bytes, const struct record *r,
		      const struct attr *a)
{
	struct words chain = chain_words(&d->ingest.chain);

	if (!copy(d) || is_left_out(bytes, d->order))
		return;
	if (r->kind == RECORD_SAMPLE)
		recording_add_open_sample(copy(d), r, a, &chain, d->ingest.chain.ticket);
	else
		recording_add(copy(d), bytes);
}

void perf_copy_end(struct perf_data *d)
{
	struct strbuf name = { 0 };

	if (!copy(d))
		return;
	recording_settle(copy(d), ingest_root, &d->ingest);
	for (size_t i = 0; i < d->attrs.nr; i++) {
		strbuf_reset(&name);
		attrs_name(&name, &d->attrs, i);
		recording_name_event(copy(d), i, strbuf_peek(&name));
	}
	strbuf_release(&name);
	if (recording_nr_truncated(copy(d)))
		notes_add(&d->b->p->notes, NOTE_TOO_DEEP, recording_nr_truncated(copy(d)), 0,
			  SPAN(""));
}
