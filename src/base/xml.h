/*
 * A pull parser for untrusted XML: tags open and close, between them is text.  It does not
 * check that the document is well-formed.  Only the five predefined entities and character
 * references are resolved; a document's own entities are left as they are written, so that
 * nothing can expand without bound.  Comments, processing instructions and declarations are
 * skipped.
 *
 *	struct xml x;
 *	struct span id;
 *
 *	xml_init(&x, text);
 *	while ((piece = xml_next(&x)) != XML_END)
 *		if (piece == XML_OPEN && span_is(x.name, "g") && xml_attribute(&x, "id", &id))
 *			…
 *	xml_release(&x);
 *
 * The source may be SPLIT_ANYWHERE, so a document of a single line can be read.  text->line is kept up
 * to date.
 */
#ifndef WICK_BASE_XML_H
#define WICK_BASE_XML_H

#include "base/strbuf.h"
#include "base/text.h"

enum xml_piece {
	XML_END,   /* of the input: there is no more */
	XML_OPEN,  /* <name …> */
	XML_CLOSE, /* </name>, and after XML_OPEN for <name …/> */
	XML_TEXT,  /* everything between two tags */
};

enum {
	XML_PIECE_MAX = 1024 * 1024, /* bytes; longer tags and texts are truncated */
	XML_ATTRIBUTES_MAX = 256,
};

struct xml_attribute {
	struct span name, value;
};

struct xml {
	struct text *text;
	/* All of these are valid until the next xml_next(). */
	struct span name;    /* XML_OPEN, XML_CLOSE: as written, with its prefix */
	struct span content; /* XML_TEXT */
	bool cut;	     /* the piece was longer than XML_PIECE_MAX */
	bool broken;	     /* XML_END: the input ended in the middle of a tag */
	size_t depth;	     /* number of open elements, including the one that just opened */

	/* Private */
	struct span tag;		   /* without < and > */
	struct strbuf raw, decoded, plain; /* for pieces that cross chunks or need decoding */
	struct xml_attribute *attribute;
	size_t nr_attribute, cap_attribute;
	char last;	     /* the last byte that was read */
	bool in_markup;	     /* the < of the next tag was read */
	bool has_attributes; /* the attributes of the tag are parsed */
	bool closes;	     /* <name/>: the next piece is its end */
};

void xml_init(struct xml *x, struct text *text);
void xml_release(struct xml *x);

enum xml_piece xml_next(struct xml *x);

/* The value of an attribute of the element that just opened; false if it does not have it. */
bool xml_attribute(struct xml *x, const char *name, struct span *value);

#endif
