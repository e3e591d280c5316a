/* Records into the order of time. */
#include "perf/queue.h"

#include "tap.h"

static struct strbuf got;

static int sink(void *arg, struct span record, struct error *e)
{
	(void)arg;
	(void)e;
	strbuf_add(&got, record);
	return 0;
}

static void add(struct queue *q, uint64_t time, const char *record)
{
	struct error e = ERROR_INIT;

	queue_add(q, time, span_of(record), &e);
}

static const char *taken(void)
{
	strbuf_addch(&got, '\0');
	got.size = 0;
	return got.at;
}

/* Bytes that are changed after they were added: only those that stay show it. */
static void test_staying(void)
{
	char copied[] = "a", stays[] = "b";
	struct error e = ERROR_INIT;
	struct queue q;

	queue_init(&q, sink, NULL);
	queue_add_staying(&q, 0, span_of("now"), &e);
	is_str(taken(), "now", "a staying record without a time is passed on at once");
	queue_add_staying(&q, 20, span_of(stays), &e);
	queue_add(&q, 10, span_of(copied), &e);
	queue_add(&q, 20, span_of("c"), &e);
	queue_add_staying(&q, 40, span_of("e"), &e);
	queue_add(&q, 30, span_of("d"), &e);
	copied[0] = 'x';
	stays[0] = 'B';
	queue_round(&q, &e);
	queue_add(&q, 35, span_of("D"), &e);
	queue_round(&q, &e);
	is_str(taken(), "aBcdDe",
	       "staying records are passed on without a copy, sorted among copied ones");
	queue_add_staying(&q, 60, span_of("g"), &e);
	queue_add(&q, 50, span_of("f"), &e);
	queue_end(&q, &e);
	is_str(taken(), "fg", "queue_end() passes on staying and copied records by time");
	is_int(q.nr_late, 0, "no staying record that comes in time is counted as late");
	queue_release(&q);
}

/* A recorder that knows of records that are yet to come. */
/* Bytes that do not stay any longer are copied in time. */
static void test_keep(void)
{
	struct error e = ERROR_INIT;
	char stays[] = "b";
	struct queue q;

	queue_init(&q, sink, NULL);
	add(&q, 10, "a");
	queue_add_staying(&q, 20, span_of(stays), &e);
	add(&q, 30, "c");
	queue_keep(&q);
	stays[0] = 'x';
	queue_end(&q, &e);
	is_str(taken(), "abc", "queue_keep() copies the bytes of staying records");
	queue_release(&q);
}

static void test_limit(void)
{
	struct error e = ERROR_INIT;
	struct queue q;

	queue_init(&q, sink, NULL);
	add(&q, 10, "a");
	add(&q, 30, "c");
	q.limit = 15;
	queue_round(&q, &e);
	queue_round(&q, &e);
	is_str(taken(), "a", "records after the limit wait for several rounds");
	add(&q, 20, "b");
	q.limit = 40;
	queue_round(&q, &e);
	queue_round(&q, &e);
	is_str(taken(), "bc",
	       "a record after the limit is passed on by time although it came after newer ones");
	is_int(q.nr_late, 0, "no record after the limit is counted as late");
	queue_release(&q);
}

int main(void)
{
	struct error e = ERROR_INIT;
	struct queue q;

	queue_init(&q, sink, NULL);
	add(&q, 0, "now");
	is_str(taken(), "now", "a record without a time is passed on at once");
	add(&q, 10, "a");
	add(&q, 30, "c");
	queue_round(&q, &e);
	is_str(taken(), "", "the first round passes on nothing");
	add(&q, 20, "b");
	add(&q, 40, "d");
	queue_round(&q, &e);
	is_str(taken(), "abc",
	       "the second round passes on records up to the newest of the first, by time");
	add(&q, 35, "x");
	add(&q, 40, "e");
	queue_round(&q, &e);
	is_str(taken(), "xde",
	       "records of equal times are passed on in the order in which they came");
	is_int(q.nr_late, 0, "no record that comes in time is counted as late");
	add(&q, 5, "late");
	add(&q, 50, "f");
	queue_end(&q, &e);
	is_str(taken(), "latef", "queue_end() passes on all waiting records");
	is_int(q.nr_late, 1,
	       "a record that comes after a newer one was passed on is counted as late");
	queue_release(&q);
	test_staying();
	test_keep();
	test_limit();
	strbuf_release(&got);
	return done();
}
