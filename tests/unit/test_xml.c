#include "base/alloc.h"
#include "base/stream.h"
#include "base/xml.h"
#include "tap.h"

#include <stdlib.h>

/* A document that is being read, and what holds it. */
struct reading {
	struct error e;
	struct source *source;
	struct text text;
	struct xml x;
};

static void reading_init(struct reading *r, struct span document)
{
	*r = (struct reading){ 0 };
	r->source = source_new(stream_over(document), &r->e);
	source_split(r->source, SPLIT_ANYWHERE, NULL);
	text_init(&r->text, r->source);
	xml_init(&r->x, &r->text);
}

static void reading_release(struct reading *r)
{
	xml_release(&r->x);
	text_release(&r->text);
	source_free(r->source);
}

/* A document as one line: +name, -name, and text in brackets; ours until the next call. */
static const char *pieces(const char *document)
{
	static struct strbuf out;
	struct reading r;
	enum xml_piece piece;

	reading_init(&r, span_of(document));
	strbuf_reset(&out);
	strbuf_add(&out, SPAN(""));
	while ((piece = xml_next(&r.x)) != XML_END) {
		switch (piece) {
		case XML_OPEN:
		case XML_CLOSE:
			strbuf_addf(&out, "%c%.*s", piece == XML_OPEN ? '+' : '-',
				    (int)r.x.name.size, r.x.name.at);
			break;
		case XML_TEXT:
			strbuf_addf(&out, "[%.*s]", (int)r.x.content.size, r.x.content.at);
			break;
		case XML_END:
			break;
		}
	}
	if (r.x.broken)
		strbuf_add(&out, SPAN(" broken"));
	reading_release(&r);
	return out.at;
}

static void test_pieces(void)
{
	static const struct {
		const char *document, *want, *what;
	} cases[] = {
		{ "", "", "nothing" },
		{ "no tag", "[no tag]", "text alone" },
		{ "<a></a>", "+a-a", "an element" },
		{ "<a/>", "+a-a", "an empty element opens and closes" },
		{ "<a b='/'></a>", "+a-a", "a slash in a value closes nothing" },
		{ "<a\n b = \"1\" / >x</a >", "+a[x]-a", "blanks in tags" },
		{ "<a>1<b>2</b>3</a>", "+a[1]+b[2]-b[3]-a", "text between elements" },
		{ "<?xml version='1.0'?><!DOCTYPE a \"x>y\"><a/>", "+a-a", "what stands before" },
		{ "<a>1<!-- <b> -- ' --->2</a>", "+a[12]-a", "a comment is not there" },
		{ "<a>&lt;<![CDATA[&lt;]]]>&gt;</a>", "+a[<&lt;]>]-a", "CDATA is taken as it is" },
		{ "<a><![CDATA[]]></a>", "+a-a", "empty CDATA is no text" },
		{ "<a b=\"<c>\" d='>'>x</a>", "+a[x]-a", "tags in values are none" },
		{ "&amp;&lt;&gt;&quot;&apos;", "[&<>\"']", "the five entities" },
		{ "&#65;&#x42;&#xe9;&#x20AC;&#x1F525;", "[AB\xc3\xa9\xe2\x82\xac\xf0\x9f\x94\xa5]",
		  "numbers of characters" },
		{ "&#0;&#xD800;&#x110000;&#99999999999;",
		  "[\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd]", "numbers of none" },
		{ "& &; &amp &own; &#; &#x; &#65", "[& &; &amp &own; &#; &#x; &#65]",
		  "other entities stay as they are" },
		{ "<a", " broken", "the end in a tag" },
		{ "<a b='>", " broken", "the end in a value" },
		{ "x<!-- ", "[x] broken", "the end in a comment" },
		{ "<a>", "+a", "the end in an element" },
		{ "<", " broken", "the end in front of a tag" },
		{ "</a></b>", "-a-b", "ends without a beginning" },
		{ "<!-x>1<!>2<!DOCTYPE a/>3", "[123]", "declarations of no kind" },
		{ "<></>", "+-", "tags without a name" },
		{ "<xlink:a/>", "+xlink:a-xlink:a", "a prefix is part of the name" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		is_str(pieces(cases[i].document), cases[i].want, cases[i].what);
}

static void has(struct reading *r, const char *name, const char *want, const char *what)
{
	struct span value;
	char *got = NULL;

	if (xml_attribute(&r->x, name, &value)) {
		got = xmalloc(value.size + 1);
		memcpy(got, value.at, value.size);
		got[value.size] = '\0';
	}
	is_str(got, want, what);
	free(got);
}

static void test_attributes(void)
{
	struct reading r;

	reading_init(
		&r,
		SPAN("<a id=\"1\" name='f&lt;T&gt;(&quot;x&quot;)'\n two = \"2\" bare=3 on id=\"9\"\n"
		     "><b/></a>"));
	is_int(xml_next(&r.x), XML_OPEN, "an element opens");
	has(&r, "name", "f<T>(\"x\")", "entities in a value are resolved");
	has(&r, "two", "2", "blanks around the =");
	has(&r, "id", "1", "the first of two");
	has(&r, "bare", "3", "a value without quotes");
	has(&r, "on", "", "an attribute without a value");
	has(&r, "i", NULL, "an attribute that is not there");
	is_int(r.x.depth, 1, "one element is open");
	is_int(r.text.line, 3, "lines are counted");
	is_int(xml_next(&r.x), XML_OPEN, "another opens");
	has(&r, "id", NULL, "which does not have the attributes of the one before");
	is_int(r.x.depth, 2, "inside of the first");
	is_int(xml_next(&r.x), XML_CLOSE, "and closes");
	is_int(r.x.depth, 1, "so that one is open");
	reading_release(&r);
}

/* More than fits in a chunk, so that pieces are put together. */
static void test_long(void)
{
	enum { ROWS = 40000, LONG = XML_PIECE_MAX + 100000 };
	struct strbuf document = { 0 };
	struct reading r;
	size_t nr = 0, good = 0;
	enum xml_piece piece;
	struct span id;

	for (size_t i = 0; i < ROWS; i++)
		strbuf_addf(&document, "<row id='%zu' name='&amp;'>text &lt; %zu</row><!-- -->", i,
			    i);
	reading_init(&r, strbuf_peek(&document));
	while ((piece = xml_next(&r.x)) != XML_END) {
		char want[64];

		if (piece == XML_OPEN) {
			snprintf(want, sizeof(want), "%zu", nr);
			good += xml_attribute(&r.x, "id", &id) && span_is(id, want);
		} else if (piece == XML_TEXT) {
			snprintf(want, sizeof(want), "text < %zu", nr++);
			good += span_is(r.x.content, want);
		}
	}
	is_int(good, 2 * ROWS, "pieces that cross from chunk to chunk are whole");
	reading_release(&r);

	strbuf_reset(&document);
	strbuf_add(&document, SPAN("<a x='"));
	for (size_t i = 0; i < LONG; i++)
		strbuf_addch(&document, 'x');
	strbuf_add(&document, SPAN("'/>"));
	for (size_t i = 0; i < LONG; i++)
		strbuf_addch(&document, 'x');
	reading_init(&r, strbuf_peek(&document));
	is_int(xml_next(&r.x), XML_OPEN, "a tag that is too long opens an element");
	ok(r.x.cut && span_is(r.x.name, "a"), "whose name is known, and that it was cut");
	is_int(xml_next(&r.x), XML_CLOSE, "and also its end");
	is_int(xml_next(&r.x), XML_TEXT, "a text that is too long");
	ok(r.x.cut && r.x.content.size == XML_PIECE_MAX, "is cut");
	is_int(xml_next(&r.x), XML_END, "and nothing follows");
	ok(!r.x.broken, "which is fine");
	reading_release(&r);
	strbuf_release(&document);
}

int main(void)
{
	test_pieces();
	test_attributes();
	test_long();
	return done();
}
