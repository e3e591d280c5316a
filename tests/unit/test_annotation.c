/* One function from the inside. */
#include "fold/annotation.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "span_tap.h"

/* A frame of calls inlined into each other, innermost first: "twist 10", "work 3". */
static frame_id frame(struct profile *p, uint64_t address, unsigned flags, const char *inner,
		      uint32_t inner_line, const char *outer, uint32_t outer_line)
{
	struct line line[2] = { { .function = profile_string(p, span_of(inner)),
				  .file = profile_string(p, SPAN("a.c")),
				  .line = inner_line },
				{ .function = profile_string(p, span_of(outer)),
				  .file = profile_string(p, SPAN("a.c")),
				  .line = outer_line } };
	struct frame f = { .flags = flags | FRAME_IN_MODULE,
			   .module = profile_module(p, SPAN("/bin/app"), SPAN("")),
			   .address = address };
	frame_id id = profile_frame(p, &f);

	profile_name(p, id, line, *outer ? 2 : 1);
	return id;
}

static void add(struct profile *p, const frame_id *path, size_t nr, int64_t weight)
{
	struct tick t = { .weight = weight };

	t.stack = profile_push_path(p, t.stack, path, nr, ROOT_FIRST);
	profile_add(p, &t);
}

static void check(const struct profile *p, const char *function, const char *want, const char *what)
{
	static const bool first[] = { true };
	struct annotation_opts o = { .function = span_of(function), .in = first };
	struct strbuf got = { 0 };
	struct annotation a;
	weight_sum sum = 0;

	annotation_init(&a, p, &o);
	strbuf_addf(&got, "%lld/%lld/%lld", (long long)a.self, (long long)a.code,
		    (long long)a.total);
	for (size_t i = 0; i < a.nr_line; i++) {
		struct span name = profile_peek(p, a.line[i].function);

		strbuf_addf(&got, ", %s%.*s:%u %lld/%lld", a.line[i].is_own ? "" : "in ",
			    (int)name.size, name.at, a.line[i].line, (long long)a.line[i].self,
			    (long long)a.line[i].total);
	}
	for (size_t i = 0; i < a.nr_place; i++)
		strbuf_addf(&got, ", @%llx %lld/%lld", (unsigned long long)a.place[i].address,
			    (long long)a.place[i].self, (long long)a.place[i].total);
	is_str(got.at, want, what);
	for (size_t i = 0; i < a.nr_place; i++)
		sum += a.place[i].total;
	is_int(sum, a.placed_total, "totals of addresses add up to that of the function");
	strbuf_release(&got);
	annotation_release(&a);
}

int main(void)
{
	struct profile p;
	frame_id main_10, work_20, work_call, twist_in_work, twist_in_main, leaf, apart;

	profile_init(&p);
	profile_event(&p, SPAN("samples"), SPAN("samples"));
	main_10 = frame(&p, 0x15, FRAME_RETURN_ADDRESS, "main", 10, "", 0);
	work_20 = frame(&p, 0x20, 0, "work", 20, "", 0);
	work_call = frame(&p, 0x28, FRAME_RETURN_ADDRESS, "work", 21, "", 0);
	twist_in_work = frame(&p, 0x30, 0, "twist", 1, "work", 22);
	twist_in_main = frame(&p, 0x18, 0, "twist", 2, "main", 11);
	leaf = frame(&p, 0x50, 0, "leaf", 50, "", 0);
	add(&p, (frame_id[]){ main_10, work_20 }, 2, 1);
	add(&p, (frame_id[]){ main_10, twist_in_main }, 2, 16);
	add(&p, (frame_id[]){ main_10, work_call, leaf }, 3, 2);
	add(&p, (frame_id[]){ main_10, work_call, work_call, twist_in_work }, 4, 4);

	check(&p, "work",
	      "1/5/7, work:20 1/1, work:21 0/2, work:22 0/4, in twist:1 4/4, "
	      "@20 1/1, @27 0/2, @30 4/4",
	      "a function has its own lines, the lines inlined into it, and its addresses");
	check(&p, "twist", "20/20/20, twist:1 4/4, twist:2 16/16",
	      "a function that is inlined everywhere has lines and no addresses");
	check(&p, "main",
	      "0/16/23, main:10 0/7, main:11 0/16, in twist:2 16/16, @14 0/7, @18 16/16",
	      "a caller has the totals of its calls and of the code inlined into it");
	check(&p, "nobody", "0/0/0",
	      "a function that is not in the profile has no lines and no addresses");
	/* As readers of text have it. */
	apart = frame(&p, 0x60, FRAME_INLINED, "twist", 5, "", 0);
	add(&p, (frame_id[]){ main_10, work_20, apart }, 3, 32);
	check(&p, "work",
	      "1/37/39, work:20 1/33, work:21 0/2, work:22 0/4, in twist:1 4/4, "
	      "in twist:5 32/32, @20 33/33, @27 0/2, @30 4/4",
	      "frames marked as inlined count for the function they are inlined into");
	check(&p, "leaf", "2/2/2, leaf:50 2/2, @50 2/2",
	      "inlined frames of one function do not count for another");
	profile_release(&p);
	return done();
}
