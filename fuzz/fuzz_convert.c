/*
 * A recording that is written again: whatever its bytes are, what comes out is one, has as many
 * samples as went in, and nothing is wrong with it.
 */
#include "fuzz.h"

#include "base/stream.h"
#include "perf/file/recording.h"
#include "profile/profile.h"
#include "read/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void die(const char *why)
{
	fprintf(stderr, "convert: %s\n", why);
	abort();
}

static uint64_t nr_samples(const struct profile *p)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < p->nr_count; i++)
		nr += p->count[i].nr;
	return nr;
}

static int read_from(struct stream *stream, struct recording *copy, struct profile *p)
{
	const struct reader *r = reader_find(SPAN("perf-data"));
	struct read_opts o = { .threads = 1, .copy = copy };
	struct read_result result;
	struct error e = ERROR_INIT;
	struct source *source = source_new(stream, &e);
	int ret = -1;

	if (source)
		ret = read_source(r, source, &o, p, &result, &e);
	source_free(source);
	return ret;
}

/* What was written, read: sound, and with all samples, of which a record may be several. */
static void check(const char *path, uint64_t nr_read)
{
	struct error e = ERROR_INIT;
	struct stream *stream = stream_open(path, &e);
	struct profile p;

	profile_init(&p);
	if (!stream || read_from(stream, NULL, &p))
		die("what was written cannot be read");
	if (p.notes.count[NOTE_BAD_RECORD] || p.notes.count[NOTE_NO_END] ||
	    p.notes.count[NOTE_BAD_HEADER])
		die("what was written is damaged");
	if (nr_samples(&p) + p.notes.count[NOTE_COUNT_TOO_LARGE] != nr_read)
		die("what was written has another number of samples");
	profile_release(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span bytes = { .at = (const char *)data, .size = size };
	char path[] = "/tmp/wick-fuzz.XXXXXX";
	struct error e = ERROR_INIT;
	struct recording *copy;
	uint64_t nr_read;
	struct profile p;
	int fd, ret;

	/* As it is read without being written. */
	profile_init(&p);
	ret = read_from(stream_over(bytes), NULL, &p);
	nr_read = nr_samples(&p) + p.notes.count[NOTE_COUNT_TOO_LARGE];
	profile_release(&p);
	fd = mkstemp(path);
	copy = recording_new(path, &e);
	if (fd < 0 || !copy)
		die("no place to write to");
	close(fd);
	profile_init(&p);
	if (read_from(stream_over(bytes), copy, &p) != ret)
		die("writing changes whether it can be read");
	profile_release(&p);
	if (ret || !recording_nr_sample(copy)) {
		recording_drop(copy);
	} else {
		if (recording_close(copy, &e))
			die("it cannot be written");
		check(path, nr_read);
	}
	unlink(path);
	return 0;
}
