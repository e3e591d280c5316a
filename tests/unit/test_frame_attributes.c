/* Attributes of functions, read from a file that people write by hand. */
#include "render/peer/frame_attributes.h"

#include "base/strbuf.h"
#include "span_tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/wick-attributes.XXXXXX";

static void tell(void *arg, enum attribute_trouble trouble, struct span key, struct span function)
{
	static const char *const name[] = {
		[ATTRIBUTE_UNKNOWN] = "unknown",
		[ATTRIBUTE_TWICE] = "twice",
		[ATTRIBUTE_NONE] = "none",
	};

	strbuf_addf(arg, "%s %.*s of %.*s\n", name[trouble], (int)key.size, key.at,
		    (int)function.size, function.at);
}

/* Reads the text; what is odd goes to *told. */
static int read_text(struct attributes *a, const char *text, struct strbuf *told)
{
	struct error e = ERROR_INIT;
	FILE *f = fopen(path, "w");

	if (!f)
		return -1;
	fputs(text, f);
	fclose(f);
	strbuf_reset(told);
	strbuf_add(told, SPAN(""));
	return attributes_read(a, path, tell, told, &e);
}

static void check(const struct attributes *a, const char *function, const char *want,
		  const char *what)
{
	const struct function_attributes *f = attributes_find(a, span_of(function));
	struct strbuf b = { 0 };

	strbuf_add(&b, SPAN(""));
	if (f && f->is_link)
		strbuf_add(&b, SPAN("link "));
	if (f && f->title.at)
		strbuf_addf(&b, "title=%.*s ", (int)f->title.size, f->title.at);
	for (size_t i = 0; f && i < f->nr; i++) {
		const struct attribute *x = &f->attribute[i];

		strbuf_addf(&b, "[%.*s=%.*s]", (int)x->name.size, x->name.at, (int)x->value.size,
			    x->value.at);
	}
	is_str(f ? b.at : NULL, want, what);
	strbuf_release(&b);
}

static void test_good(void)
{
	struct attributes a;
	struct strbuf told = { 0 };

	is_int(read_text(&a,
			 "main\ttitle=The main one\tid=m\n\n"
			 "read\thref=http://x/?a=b\n"
			 "write\thref=y\ttarget=_blank\tclass=\"a b\"\n"
			 "a b;c\tg_extra=x=1 y=\"2 3\" onclick=f()\ta_extra=z=4\n"
			 "bare\n"
			 "main\tclass=late\n",
			 &told),
	       0, "a file with one line without a tab is read");
	is_str(told.at, "none  of bare\n", "a line without a tab is reported, and nothing else");
	check(&a, "main", "title=The main one [id=m][class=late]",
	      "a function has its title and the attributes of all its lines");
	check(&a, "read", "link [xlink:href=http://x/?a=b][target=_top]",
	      "a link without a target has the target _top");
	check(&a, "write", "link [xlink:href=y][target=_blank][class=a b]",
	      "a link keeps its target, and values lose their quotes");
	check(&a, "a b;c", "[x=1][y=2 3][onclick=f()][z=4]",
	      "g_extra and a_extra hold several attributes");
	check(&a, "bare", "", "a function without attributes is found");
	check(&a, "other", NULL, "a function that is not in the file is not found");
	attributes_release(&a);
	strbuf_release(&told);
}

static void test_bad(void)
{
	struct error e = ERROR_INIT;
	struct attributes a;
	struct strbuf told = { 0 };

	is_int(read_text(&a, "f\tcolor=red\tid=1\tid=2\t=x\tnothing\n\tid=3\n", &told), 0,
	       "a file with unknown and repeated attributes is read");
	is_str(told.at, "unknown color of f\ntwice id of f\n",
	       "unknown and repeated attributes are reported");
	check(&a, "f", "[id=2]", "the last of repeated attributes counts");
	attributes_release(&a);

	is_int(read_text(&a,
			 "f\tg_extra=a<b=1 \"=2 9x=3 x:y=4 xmlns=5 xmlns:q=6 ok=7 xlink:show=8 "
			 "rest\n",
			 &told),
	       0, "a file with invalid attribute names is read");
	is_str(told.at,
	       "unknown a<b of f\nunknown \" of f\nunknown 9x of f\nunknown x:y of f\n"
	       "unknown xmlns of f\nunknown xmlns:q of f\n",
	       "invalid attribute names are reported");
	check(&a, "f", "[ok=7][xlink:show=8]", "attributes with invalid names are dropped");
	attributes_release(&a);

	is_int(read_text(&a, "f\tg_extra=a=\"never ends\nx", &told), 0,
	       "a file with an unclosed quote is read");
	check(&a, "f", "[a=never ends]", "an unclosed quote ends with its line");
	attributes_release(&a);

	is_int(attributes_read(&a, "/nonexistent/file", tell, &told, &e), -1,
	       "a missing file is an error");
	like(e.text, "nonexistent.*No such file",
	     "the error for a missing file has its path and the reason");
	attributes_release(&a);
	strbuf_release(&told);
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	test_good();
	test_bad();
	unlink(path);
	return done();
}
