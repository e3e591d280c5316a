/* Samples that are divided by the number of threads that ran. */
#include "fold/latency.h"

#include "fold/sums.h"

#include "tap.h"

static label_id parallelism(struct profile *p, const char *value)
{
	struct label label = { .key = profile_string(p, SPAN("parallelism")),
			       .value = profile_string(p, span_of(value)) };

	return profile_labels(p, &label, 1);
}

static stack_id stack(struct profile *p, const char *function)
{
	struct line line = { .function = profile_string(p, span_of(function)) };
	struct frame f = { .line = &line, .nr_line = 1 };

	return profile_push(p, (stack_id){ 0 }, profile_frame(p, &f));
}

static void add(struct profile *p, uint64_t time, const char *function, label_id labels)
{
	struct tick t = {
		.time = time, .stack = stack(p, function), .labels = labels, .weight = 1000000
	};

	profile_add(p, &t);
}

static int64_t weight_of(struct profile *p, uint32_t event, const char *function)
{
	stack_id at = stack(p, function);
	int64_t sum = 0;

	for (size_t i = 0; i < p->nr_count; i++)
		if (p->count[i].event == event && p->count[i].stack.i == at.i)
			sum += p->count[i].weight;
	return sum;
}

static int64_t ticks_of(const struct profile *p, uint32_t event)
{
	int64_t sum = 0;

	for (size_t i = 0; i < p->nr_tick; i++)
		sum += p->tick[i].event == event ? p->tick[i].weight : 0;
	return sum;
}

int main(void)
{
	const bool in[] = { true };
	struct profile p;
	struct latency l;
	uint32_t clock;

	profile_init(&p);
	profile_keep_ticks(&p, 1000);
	p.timed = true;
	clock = profile_event(&p, SPAN("cpu-clock"), SPAN("ns"));
	/* 9 ms of one thread, and 1 ms of 128. */
	for (unsigned i = 0; i < 9; i++)
		add(&p, 1 + i, "foo", parallelism(&p, "1"));
	for (unsigned i = 0; i < 128; i++)
		add(&p, 20, "bar", parallelism(&p, "128"));
	for (unsigned i = 0; i < 7; i++)
		add(&p, 30, "thirds", parallelism(&p, "3"));
	add(&p, 40, "alone", (label_id){ 0 });
	add(&p, 41, "nothing", parallelism(&p, "0"));
	add(&p, 42, "text", parallelism(&p, "two"));
	l = latency_add(&p, in);
	is_int(weight_of(&p, l.event, "foo"), 9000000,
	       "samples with parallelism 1 keep their weight");
	is_int(weight_of(&p, l.event, "bar"), 1000000,
	       "samples with parallelism 128 have 1/128 of their weight");
	is_int(weight_of(&p, l.event, "thirds"), 2333333,
	       "the latency of a stack is rounded once, not for each sample");
	is_int(weight_of(&p, l.event, "alone"), 1000000,
	       "a sample without parallelism keeps its weight");
	is_int(weight_of(&p, l.event, "nothing"), 1000000,
	       "a sample with parallelism 0 keeps its weight");
	is_int(weight_of(&p, l.event, "text"), 1000000,
	       "a sample whose parallelism is not a number keeps its weight");
	is_int((intmax_t)l.nr_alone, 3, "latency_add counts samples without valid parallelism");
	is_int((intmax_t)l.nr_sample, 147, "latency_add counts all samples");
	is_int(ticks_of(&p, l.event), 9000000 + 1000000 + 2333333 + 3000000,
	       "the ticks of latency add up to its counts");
	is_int(weight_of(&p, clock, "bar"), 128000000,
	       "latency_add leaves the weights of the event as they are");
	ok(!profile_check(&p), "the profile passes its check after latency_add");
	profile_release(&p);
	return done();
}
