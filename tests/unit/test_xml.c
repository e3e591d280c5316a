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
		{ "", "", "an empty document has no pieces" },
		{ "no tag", "[no tag]", "a document without tags is one text" },
		{ "<a></a>", "+a-a", "an element opens and closes" },
		{ "<a/>", "+a-a", "an empty element opens and closes" },
		{ "<a b='/'></a>", "+a-a", "a slash in a value closes nothing" },
		{ "<a\n b = \"1\" / >x</a >", "+a[x]-a",
		  "blanks and newlines in tags are ignored" },
		{ "<a>1<b>2</b>3</a>", "+a[1]+b[2]-b[3]-a",
		  "text between elements is a piece of its own" },
		{ "<?xml version='1.0'?><!DOCTYPE a \"x>y\"><a/>", "+a-a",
		  "the XML declaration and the DOCTYPE are skipped" },
		{ "<a>1<!-- <b> -- ' --->2</a>", "+a[12]-a",
		  "a comment is skipped, and the text around it is one piece" },
		{ "<a>&lt;<![CDATA[&lt;]]]>&gt;</a>", "+a[<&lt;]>]-a",
		  "entities in CDATA are not resolved" },
		{ "<a><![CDATA[]]></a>", "+a-a", "empty CDATA is not a text" },
		{ "<a b=\"<c>\" d='>'>x</a>", "+a[x]-a", "tags in attribute values are not tags" },
		{ "&amp;&lt;&gt;&quot;&apos;", "[&<>\"']",
		  "the five predefined entities are resolved" },
		{ "&#65;&#x42;&#xe9;&#x20AC;&#x1F525;", "[AB\xc3\xa9\xe2\x82\xac\xf0\x9f\x94\xa5]",
		  "decimal and hexadecimal character references are resolved" },
		{ "&#0;&#xD800;&#x110000;&#99999999999;",
		  "[\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd]",
		  "invalid character references become U+FFFD" },
		{ "& &; &amp &own; &#; &#x; &#65", "[& &; &amp &own; &#; &#x; &#65]",
		  "unknown and malformed entities stay as they are written" },
		{ "<a", " broken", "a document that ends in a tag is broken" },
		{ "<a b='>", " broken", "a document that ends in an attribute value is broken" },
		{ "x<!-- ", "[x] broken", "a document that ends in a comment is broken" },
		{ "<a>", "+a", "a document that ends in an open element is not broken" },
		{ "<", " broken", "a document that ends after a '<' is broken" },
		{ "</a></b>", "-a-b", "closing tags without opening ones close" },
		{ "<!-x>1<!>2<!DOCTYPE a/>3", "[123]", "malformed declarations are skipped" },
		{ "<></>", "+-", "tags without a name open and close" },
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
	is_int(xml_next(&r.x), XML_OPEN, "a tag with attributes opens an element");
	has(&r, "name", "f<T>(\"x\")", "entities in a value are resolved");
	has(&r, "two", "2", "blanks around the '=' of an attribute are ignored");
	has(&r, "id", "1", "the first of two attributes of the same name counts");
	has(&r, "bare", "3", "an attribute value without quotes is found");
	has(&r, "on", "", "an attribute without a value is empty");
	has(&r, "i", NULL, "an attribute is not found by the beginning of its name");
	is_int(r.x.depth, 1, "the depth is 1 after an element has opened");
	is_int(r.text.line, 3, "newlines in a tag are counted as lines");
	is_int(xml_next(&r.x), XML_OPEN, "a nested element opens");
	has(&r, "id", NULL, "a nested element does not have the attributes of its parent");
	is_int(r.x.depth, 2, "the depth is 2 after a nested element has opened");
	is_int(xml_next(&r.x), XML_CLOSE, "a nested empty element closes");
	is_int(r.x.depth, 1, "the depth is 1 after the nested element has closed");
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
	is_int(good, 2 * ROWS, "pieces that cross chunk boundaries are whole");
	reading_release(&r);

	strbuf_reset(&document);
	strbuf_add(&document, SPAN("<a x='"));
	for (size_t i = 0; i < LONG; i++)
		strbuf_addch(&document, 'x');
	strbuf_add(&document, SPAN("'/>"));
	for (size_t i = 0; i < LONG; i++)
		strbuf_addch(&document, 'x');
	reading_init(&r, strbuf_peek(&document));
	is_int(xml_next(&r.x), XML_OPEN, "a tag above XML_PIECE_MAX opens an element");
	ok(r.x.cut && span_is(r.x.name, "a"),
	   "a tag above XML_PIECE_MAX has its name, and is marked as truncated");
	is_int(xml_next(&r.x), XML_CLOSE, "an empty tag above XML_PIECE_MAX closes its element");
	is_int(xml_next(&r.x), XML_TEXT, "a text above XML_PIECE_MAX is one text");
	ok(r.x.cut && r.x.content.size == XML_PIECE_MAX,
	   "a text above XML_PIECE_MAX is truncated, and marked as such");
	is_int(xml_next(&r.x), XML_END, "nothing follows a text above XML_PIECE_MAX");
	ok(!r.x.broken, "a document with truncated pieces is not broken");
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
