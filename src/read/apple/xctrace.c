/*
 * Time profiles of Apple's Instruments, exported by `xctrace export`.  An
 * element is written out once, with an id; later, a ref stands for it:
 *
 *	<row><sample-time id="1">57246708</sample-time>
 *	  <thread id="2" fmt="main  0x8480c1 (app, pid: 4937)">…</thread>
 *	  <backtrace id="10">
 *	    <frame id="11" name="work" addr="0x18d3df0f1"><binary id="12" name="dyld" …/></frame>
 *	    <frame ref="13"/></backtrace></row>
 *	<row><sample-time ref="1"/><thread ref="2"/><backtrace ref="10"/></row>
 *
 * The leaf comes first.  A row with a backtrace is a sample.  Only the few
 * elements below are read; others, and those at unexpected positions, are
 * skipped.
 */
#include "base/alloc.h"
#include "base/xml.h"
#include "read/build.h"
#include "read/readers.h"
#include "read/text/names.h"

#include <stdlib.h>

enum element { RESULT, ROW, TIME, THREAD, TAGGED, BACKTRACE, FRAME, BINARY, NR_ELEMENTS };

#define ELEMENT(name) \
	{ \
		"" name, sizeof(name) - 1 \
	}

static const struct {
	struct span name;
	enum element inside; /* its required parent; itself: any */
} elements[] = {
	[RESULT] = { ELEMENT("trace-query-result"), RESULT },
	[ROW] = { ELEMENT("row"), RESULT },
	[TIME] = { ELEMENT("sample-time"), ROW },
	[THREAD] = { ELEMENT("thread"), ROW },
	[TAGGED] = { ELEMENT("tagged-backtrace"), ROW },
	[BACKTRACE] = { ELEMENT("backtrace"), ROW },
	[FRAME] = { ELEMENT("frame"), BACKTRACE },
	[BINARY] = { ELEMENT("binary"), FRAME },
};

/* The values of the elements of one kind, by their ids. */
struct known {
	struct intern ids;
	uint64_t *value;
	size_t cap;
};

/* An open element, and its value so far. */
struct open {
	bool is;
	uint32_t id; /* in known.ids; INTERN_NONE: it has none */
	uint64_t value;
};

struct xctrace {
	struct build *b;
	struct xml xml;
	struct known known[NR_ELEMENTS];
	struct open open[NR_ELEMENTS];
	struct frame frame;
	struct line line;
	stack_id stack;
	bool has_stack, is_over;
	struct strbuf rust, plain;
};

static uint32_t keep_id(struct known *k, struct span id)
{
	uint32_t nr = k->ids.nr, i = intern(&k->ids, id);

	if (i == nr) {
		GROW(k->value, (size_t)nr, k->cap);
		k->value[i] = 0;
	}
	return i;
}

/* Elements whose value is in their attributes */

/* "main  0x8480c1 (app, pid: 4937)" */
static thread_id parse_thread(struct profile *p, struct span s)
{
	struct thread t = { .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN };
	size_t process = span_rfind_text(s, " ("), pid;
	struct span thread = span_upto(s, process);
	uint64_t number;

	thread = span_from(thread, span_rfind_text(thread, " 0x") + 3);
	if (span_hex(thread, &number) && number < THREAD_UNKNOWN)
		t.tid = (uint32_t)number;
	s = span_from(s, process + 2);
	pid = span_rfind_text(s, ", pid: ");
	t.comm = profile_string(p, span_upto(s, pid));
	s = span_from(s, pid + 7);
	if (span_u64(span_upto(s, span_find(s, ')')), &number) && number < THREAD_UNKNOWN)
		t.pid = (uint32_t)number;
	return profile_thread(p, &t);
}

static int parse_frame(struct xctrace *x, struct error *e)
{
	struct span s;

	x->frame = (struct frame){ 0 };
	if (xml_attribute(&x->xml, "name", &s)) {
		s = name_plain(name_rust(s, &x->rust), NULL, &x->plain);
		x->line = (struct line){ .function = profile_string(x->b->p, s) };
		x->frame.line = &x->line;
		x->frame.nr_line = 1;
		return 0;
	}
	if (xml_attribute(&x->xml, "addr", &s) && x->b->o->addresses)
		span_hex(span_from(s, 2), &x->frame.address);
	return build_note(x->b, NOTE_NO_FUNCTION, SPAN(""), e);
}

static int begin(struct xctrace *x, enum element element, struct error *e)
{
	uint64_t *value = &x->open[element].value;
	struct span s;

	switch (element) {
	case ROW:
		x->has_stack = false;
		x->b->thread = (thread_id){ 0 };
		x->b->time = 0;
		break;
	case THREAD:
		if (xml_attribute(&x->xml, "fmt", &s))
			*value = parse_thread(x->b->p, s).i;
		break;
	case BACKTRACE:
		build_drop(x->b);
		break;
	case FRAME:
		return parse_frame(x, e);
	case BINARY:
		if (xml_attribute(&x->xml, "path", &s) || xml_attribute(&x->xml, "name", &s))
			*value = profile_module(x->b->p, s, SPAN("")).i;
		break;
	case RESULT:
	case TIME:
	case TAGGED:
	case NR_ELEMENTS:
		break;
	}
	return 0;
}

/* Uses an element, which is written out here or a ref. */
static void use(struct xctrace *x, enum element element, uint64_t value)
{
	uint32_t handle = (uint32_t)value;

	switch (element) {
	case TIME:
		x->b->time = value;
		break;
	case THREAD:
		x->b->thread = (thread_id){ handle };
		break;
	case TAGGED:
	case BACKTRACE:
		x->stack = (stack_id){ handle };
		x->has_stack = true;
		break;
	case FRAME:
		build_push(x->b, (frame_id){ handle });
		break;
	case BINARY:
		x->frame.module = (module_id){ handle };
		break;
	case RESULT:
	case ROW:
	case NR_ELEMENTS:
		break;
	}
}

static int end(struct xctrace *x, enum element element, struct error *e)
{
	uint64_t *value = &x->open[element].value;
	stack_id stack;

	switch (element) {
	case RESULT:
		x->is_over = true;
		break;
	case ROW:
		return x->has_stack ? build_end_at(x->b, x->stack, 1, e) : 0;
	case TAGGED:
		*value = x->stack.i;
		break;
	case BACKTRACE:
		if (build_stack(x->b, LEAF_FIRST, &stack, e))
			return -1;
		*value = stack.i;
		break;
	case FRAME:
		*value = profile_frame(x->b->p, &x->frame).i;
		break;
	case TIME:
	case THREAD:
	case BINARY:
	case NR_ELEMENTS:
		break;
	}
	return 0;
}

/* Elements */

static enum element element_of(struct span name)
{
	int i = 0;

	while (i < NR_ELEMENTS && !span_eq(name, elements[i].name))
		i++;
	return (enum element)i;
}

static int use_ref(struct xctrace *x, enum element element, struct span ref, struct error *e)
{
	const struct known *k = &x->known[element];
	uint32_t i = intern_find(&k->ids, ref, intern_hash(ref));

	if (i != INTERN_NONE) {
		use(x, element, k->value[i]);
		return 0;
	}
	strbuf_reset(&x->plain);
	strbuf_add(&x->plain, elements[element].name);
	strbuf_add(&x->plain, SPAN(" ref id: "));
	strbuf_add(&x->plain, ref);
	return build_note(x->b, NOTE_BAD_REF, strbuf_peek(&x->plain), e);
}

static int open_element(struct xctrace *x, struct error *e)
{
	enum element element = element_of(x->xml.name), inside;
	struct open *open = &x->open[element];
	struct span s;

	if (element == NR_ELEMENTS || open->is || (element == TIME && !x->b->o->ticks))
		return 0;
	inside = elements[element].inside;
	if (inside != element && !x->open[inside].is)
		return 0;
	if (xml_attribute(&x->xml, "ref", &s))
		return use_ref(x, element, s, e);
	*open = (struct open){ .is = true, .id = INTERN_NONE };
	if (xml_attribute(&x->xml, "id", &s))
		open->id = keep_id(&x->known[element], s);
	return begin(x, element, e);
}

static int close_element(struct xctrace *x, struct error *e)
{
	enum element element = element_of(x->xml.name);
	struct open *open = &x->open[element];

	if (element == NR_ELEMENTS || !open->is)
		return 0;
	open->is = false;
	if (end(x, element, e))
		return -1;
	if (open->id != INTERN_NONE)
		x->known[element].value[open->id] = open->value;
	use(x, element, open->value);
	return 0;
}

static int xctrace_read(struct build *b, struct error *e)
{
	struct xctrace x = { .b = b };
	enum xml_piece piece = XML_TEXT;
	int ret = 0;

	b->event = profile_event(b->p, SPAN("samples"), SPAN("samples"));
	xml_init(&x.xml, b->text);
	while (!ret && !x.is_over && (piece = xml_next(&x.xml)) != XML_END) {
		if (piece == XML_OPEN)
			ret = open_element(&x, e);
		else if (piece == XML_CLOSE)
			ret = close_element(&x, e);
		else if (x.open[TIME].is)
			span_u64(span_trim(x.xml.content), &x.open[TIME].value);
	}
	if (piece == XML_END)
		ret = build_note(b, NOTE_NO_END, SPAN(""), e);
	for (int i = 0; i < NR_ELEMENTS; i++) {
		intern_release(&x.known[i].ids);
		free(x.known[i].value);
	}
	xml_release(&x.xml);
	strbuf_release(&x.rust);
	strbuf_release(&x.plain);
	return ret;
}

static bool xctrace_accepts(struct span head)
{
	return span_contains(head, "<?xml ") && span_contains(head, "<trace-query-result");
}

const struct reader reader_xctrace = {
	.name = "xctrace",
	.title = "xctrace time profiles",
	.accepts = xctrace_accepts,
	.read = xctrace_read,
	.timed = true,
	.split = SPLIT_ANYWHERE,
};
