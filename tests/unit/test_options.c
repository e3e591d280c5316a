#include "cli/options.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

struct filled {
	bool flag, off, negate, hidden;
	unsigned bits, number;
	int value, count, choice;
	const char *string, *maybe, *next;
	struct option_list list, pairs;
	struct option_steps steps;
};

#define AT(field) offsetof(struct filled, field)

static const struct option rows[] = {
	{ "flag", 'f', OPTION_FLAG, AT(flag), NULL, "a flag", 0 },
	{ "off", 0, OPTION_OFF, AT(off), NULL, "turns off", 0 },
	{ "negate", 0, OPTION_NEGATE, AT(negate), NULL, "on or off", 0 },
	{ "red", 0, OPTION_BITS, AT(bits), NULL, "one bit", 1 },
	{ "redder", 0, OPTION_BITS, AT(bits), NULL, "two bits", 6 },
	{ "seven", 0, OPTION_VALUE, AT(value), NULL, "becomes 7", 7 },
	{ "eight", 0, OPTION_VALUE, AT(value), NULL, "becomes 8", 8 },
	{ "verbose", 'v', OPTION_COUNT, AT(count), NULL, "more", 0 },
	{ "number", 'n', OPTION_UINT, AT(number), "N", "a number", 0 },
	{ "string", 's', OPTION_STRING, AT(string), "TEXT", "a text", 0 },
	{ "maybe", 'm', OPTION_MAYBE, AT(maybe), "TEXT", "with a text or without", 0 },
	{ "next", 0, OPTION_NEXT, AT(next), "[TEXT]", "with the next word or without", 0 },
	{ "list", 'l', OPTION_LIST, AT(list), "ITEM", "again and again", 0 },
	{ "pair", 'p', OPTION_TUPLE, AT(pairs), "NAME VALUE", "two words each time", 0 },
	{ "turn", 0, OPTION_STEP, AT(steps), "HOW", "a step", 1 },
	{ "wait", 0, OPTION_STEP, AT(steps), NULL, "another", 2 },
	{ "choice", 0, OPTION_CHOICE, AT(choice), "auto|samples|period", "one of them", 0 },
	{ "hidden", 0, OPTION_FLAG, AT(hidden), NULL, NULL, 0 },
	{ NULL, 'x', OPTION_FLAG, AT(flag), NULL, "only a letter", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

/* One command line, parsed. */
struct parsed {
	struct filled f;
	struct option_list operands;
	struct error e;
	int ret;
};

enum { MAX_WORDS = 8 };

/* Words separated by one blank; "" between two is an empty word. */
static struct parsed parse(enum option_syntax syntax, const char *line)
{
	struct option_table table = {
		.usage = "x", .about = "y", .option = rows, .syntax = syntax
	};
	struct parsed p = { .f = { .off = true } };
	static char words[256];
	char *argv[MAX_WORDS + 1] = { words }, *at = words;
	int argc = 1;

	snprintf(words, sizeof(words), "program %s", line);
	while ((at = strchr(at, ' ')) && argc < MAX_WORDS) {
		*at++ = '\0';
		argv[argc++] = at;
	}
	p.ret = options_parse(&table, &p.f, argc, argv, &p.operands, &p.e);
	return p;
}

static void release(struct parsed *p)
{
	option_list_release(&p->operands);
	option_list_release(&p->f.list);
	option_list_release(&p->f.pairs);
	option_steps_release(&p->f.steps);
}

/* The line is fine, and the condition on p.f holds. */
#define good(syntax, line, condition) \
	do { \
		struct parsed p = parse((syntax), (line)); \
		if (!ok(!p.ret && (condition), "options_parse accepts '" line "'")) \
			printf("# returned %d: %s\n", p.ret, p.e.text); \
		release(&p); \
	} while (0)

/* The line is wrong, and the message says so. */
#define bad(syntax, line, text_like, hint_like) \
	do { \
		struct parsed p = parse((syntax), (line)); \
		is_int(p.ret, -1, "options_parse rejects '" line "'"); \
		is_int(p.e.kind, ERROR_USAGE, \
		       "options_parse reports '" line "' as a usage error"); \
		like(p.e.text, (text_like), "the error for '" line "' says what is wrong"); \
		like(p.e.hint, (hint_like), \
		     "the error for '" line "' has the right hint, or none"); \
		release(&p); \
	} while (0)

static bool operands_are(const struct parsed *p, const char *first, const char *second)
{
	size_t nr = first ? second ? 2 : 1 : 0;

	return p->operands.nr == nr && (!first || !strcmp(p->operands.at[0], first)) &&
	       (!second || !strcmp(p->operands.at[1], second));
}

static bool step_is(const struct parsed *p, size_t i, unsigned what, const char *value)
{
	const struct option_step *s = &p->f.steps.at[i];

	return i < p->f.steps.nr && s->what == what &&
	       (value ? s->value && !strcmp(s->value, value) : !s->value);
}

/* What both syntaxes understand. */
static void test_types(enum option_syntax syntax)
{
	good(syntax, "--flag", p.f.flag);
	good(syntax, "--off", !p.f.off);
	good(syntax, "a", p.f.off && !p.f.flag && operands_are(&p, "a", NULL));
	good(syntax, "--negate", p.f.negate);
	good(syntax, "--negate --no-negate", !p.f.negate);
	good(syntax, "--no-negate --negate", p.f.negate);
	good(syntax, "--red", p.f.bits == 1);
	good(syntax, "--red --redder --red", p.f.bits == 7);
	good(syntax, "--seven --eight", p.f.value == 8);
	good(syntax, "--eight --seven", p.f.value == 7);
	good(syntax, "--verbose --verbose", p.f.count == 2);
	good(syntax, "--number 0", p.f.number == 0);
	good(syntax, "--number=4294967295", p.f.number == UINT32_MAX);
	good(syntax, "--string a", !strcmp(p.f.string, "a") && operands_are(&p, NULL, NULL));
	good(syntax, "--string=a=b", !strcmp(p.f.string, "a=b"));
	good(syntax, "--string a --string b", !strcmp(p.f.string, "b"));
	good(syntax, "--maybe a", !strcmp(p.f.maybe, "") && operands_are(&p, "a", NULL));
	good(syntax, "--maybe=-E a", !strcmp(p.f.maybe, "-E") && operands_are(&p, "a", NULL));
	good(syntax, "--next a b", !strcmp(p.f.next, "a") && operands_are(&p, "b", NULL));
	good(syntax, "--next --flag b", !strcmp(p.f.next, "") && p.f.flag);
	good(syntax, "--next -- b", !strcmp(p.f.next, "") && operands_are(&p, "b", NULL));
	good(syntax, "--next=-E a", !strcmp(p.f.next, "-E") && operands_are(&p, "a", NULL));
	good(syntax, "--next", !strcmp(p.f.next, ""));
	good(syntax, "--list a --list=b",
	     p.f.list.nr == 2 && !strcmp(p.f.list.at[0], "a") && !strcmp(p.f.list.at[1], "b"));
	good(syntax, "--wait --turn left --wait",
	     p.f.steps.nr == 3 && step_is(&p, 0, 2, NULL) && step_is(&p, 1, 1, "left") &&
		     step_is(&p, 2, 2, NULL));
	good(syntax, "--turn=a --turn=b", step_is(&p, 0, 1, "a") && step_is(&p, 1, 1, "b"));
	good(syntax, "--choice auto", p.f.choice == 0);
	good(syntax, "--choice=period", p.f.choice == 2);
	good(syntax, "--hidden", p.f.hidden);
	good(syntax, "a --flag -", p.f.flag && operands_are(&p, "a", "-"));
	good(syntax, "-- --flag -v", !p.f.flag && operands_are(&p, "--flag", "-v"));
	good(syntax, "a -- b", operands_are(&p, "a", "b"));
	good(syntax, "--string --", !strcmp(p.f.string, "--"));

	bad(syntax, "--choice other",
	    "^invalid value 'other' for --choice: expected auto, samples or period$", "^$");
	bad(syntax, "--choice=sample", "^invalid value 'sample' for --choice: expected",
	    "^did you mean 'samples'\\?$");
	bad(syntax, "--choice samples|period", "for --choice: expected auto", "^$");
	/* Getopt::Long has words of its own, and no suggestions. */
	if (syntax == SYNTAX_PERL) {
		bad(syntax, "--nummer 1", "^Unknown option: nummer$", "^$");
		bad(syntax, "--strnig=1", "^Unknown option: strnig$", "^$");
		bad(syntax, "--no-flag", "^Unknown option: no-flag$", "^$");
		bad(syntax, "--numb", "^Option number requires an argument$", "^$");
		bad(syntax, "--string=", "^Option string requires an argument$", "^$");
		bad(syntax, "--number=", "^Option number requires an argument$", "^$");
		bad(syntax, "--num x",
		    "^Value \"x\" invalid for option number \\(number expected\\)$", "^$");
		bad(syntax, "--fla=1", "^Option flag does not take an argument$", "^$");
		return;
	}
	bad(syntax, "--number", "^--number requires a value$", "^$");
	bad(syntax, "--number x",
	    "^invalid value 'x' for --number: expected a whole number from 0 to 4294967295$", "^$");
	bad(syntax, "--number -1", "'-1' for --number: expected a whole number", "^$");
	bad(syntax, "--number 4294967296", "'4294967296' for --number: expected a whole number",
	    "^$");
	bad(syntax, "--number=", "'' for --number: expected a whole number", "^$");
	bad(syntax, "--choice=", "'' for --choice: expected", "^$");
	bad(syntax, "--turn", "^--turn requires a value$", "^$");
	bad(syntax, "--wait=1", "^--wait takes no value$", "^$");
	bad(syntax, "--flag=1", "^--flag takes no value$", "^$");
	bad(syntax, "--nummer 1", "^unknown option '--nummer'$", "^did you mean --number\\?$");
	bad(syntax, "--strnig=1", "^unknown option '--strnig'$", "^did you mean --string\\?$");
	bad(syntax, "--somethingelse", "^unknown option", "^$");
	bad(syntax, "--hiddem", "^unknown option", "^$");
	bad(syntax, "--no-flag", "^unknown option '--no-flag'$", "^$");
}

static void test_gnu(void)
{
	good(SYNTAX_GNU, "--pair a 1 -p b -2 c",
	     p.f.pairs.nr == 4 && !strcmp(p.f.pairs.at[3], "-2") && operands_are(&p, "c", NULL));
	good(SYNTAX_GNU, "--pair=a 1 -pb 2", p.f.pairs.nr == 4 && !strcmp(p.f.pairs.at[2], "b"));
	bad(SYNTAX_GNU, "--pair a", "--pair requires NAME VALUE", "^$");
	good(SYNTAX_GNU, "--string=", !strcmp(p.f.string, ""));
	good(SYNTAX_GNU, "+flag", operands_are(&p, "+flag", NULL));
	good(SYNTAX_GNU, "-f", p.f.flag);
	good(SYNTAX_GNU, "-x", p.f.flag);
	good(SYNTAX_GNU, "-vfvv", p.f.flag && p.f.count == 3);
	good(SYNTAX_GNU, "-n5", p.f.number == 5);
	good(SYNTAX_GNU, "-n 5", p.f.number == 5);
	good(SYNTAX_GNU, "-n=5", p.f.number == 5);
	good(SYNTAX_GNU, "-vn5", p.f.number == 5 && p.f.count == 1);
	good(SYNTAX_GNU, "-vn 5 a",
	     p.f.number == 5 && p.f.count == 1 && operands_are(&p, "a", NULL));
	good(SYNTAX_GNU, "-flag", p.f.flag && p.f.list.nr == 1 && !strcmp(p.f.list.at[0], "ag"));
	good(SYNTAX_GNU, "-la -l b", p.f.list.nr == 2 && !strcmp(p.f.list.at[1], "b"));
	good(SYNTAX_GNU, "-s -v", !strcmp(p.f.string, "-v") && !p.f.count);

	bad(SYNTAX_GNU, "-n", "^-n requires a value$", "^$");
	bad(SYNTAX_GNU, "-vn", "^-n requires a value$", "^$");
	bad(SYNTAX_GNU, "-z", "^unknown option '-z'$", "^$");
	bad(SYNTAX_GNU, "-vz", "^unknown option '-z'$", "^$");
	bad(SYNTAX_GNU, "--flags", "^unknown option", "^did you mean --flag\\?$");
	bad(SYNTAX_GNU, "--fla", "^unknown option", "^did you mean --flag\\?$");
	bad(SYNTAX_GNU, "--FLAG", "^unknown option", "^$");
}

static void test_perl(void)
{
	good(SYNTAX_PERL, "-flag", p.f.flag);
	good(SYNTAX_PERL, "-f", p.f.flag);
	good(SYNTAX_PERL, "--FlAg", p.f.flag);
	good(SYNTAX_PERL, "-FLAG", p.f.flag);
	good(SYNTAX_PERL, "--fl", p.f.flag);
	good(SYNTAX_PERL, "-num 5", p.f.number == 5);
	good(SYNTAX_PERL, "-num=5", p.f.number == 5);
	good(SYNTAX_PERL, "+num=5 +FLAG", p.f.number == 5 && p.f.flag);
	good(SYNTAX_PERL, "+other", operands_are(&p, "+other", NULL));
	good(SYNTAX_PERL, "--red", p.f.bits == 1);
	good(SYNTAX_PERL, "--redd", p.f.bits == 6);
	good(SYNTAX_PERL, "--s a", !strcmp(p.f.string, "a"));
	good(SYNTAX_PERL, "--nonegate", !p.f.negate);
	good(SYNTAX_PERL, "--negate --noneg", !p.f.negate);

	bad(SYNTAX_PERL, "--re", "^Option re is ambiguous \\(red, redder\\)$", "^$");
	bad(SYNTAX_PERL, "-vv", "^Unknown option: vv$", "^$");
	bad(SYNTAX_PERL, "-n", "^Option number requires an argument$", "^$");
	bad(SYNTAX_PERL, "-x=1", "^Option x does not take an argument$", "^$");
	bad(SYNTAX_PERL, "-num a", "^Value \"a\" invalid for option number \\(number expected\\)$",
	    "^$");
}

static void test_help(void)
{
	static const char *const lines[] = { "--help", "-h", "--flag --help --nonsense" };
	struct parsed p;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		p = parse(SYNTAX_GNU, lines[i]);
		is_int(p.ret, 1, lines[i]);
		release(&p);
	}
	p = parse(SYNTAX_PERL, "-help");
	is_int(p.ret, 1, "options_parse reports -help as a request for help in Perl syntax");
	release(&p);
}

/* Every option that has help is in the help, and nothing else. */
static void test_help_text(void)
{
	struct option_table table = { .usage = "program [options]",
				      .about = "It does things.",
				      .option = rows,
				      .after = "And more." };
	char path[] = "/tmp/wick-help.XXXXXX", text[4096] = "", what[64];
	int fd = mkstemp(path), saved = dup(STDOUT_FILENO);

	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	options_help(&table);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	(void)!pread(fd, text, sizeof(text) - 1, 0);
	close(fd);
	unlink(path);
	like(text, "^Usage: program \\[options\\]\n+It does things\\.\n+Options:\n",
	     "options_help begins with usage, description and options");
	like(text, "\nAnd more\\.\n$", "options_help ends with the paragraph below the options");
	for (const struct option *o = rows; o->name || o->letter; o++) {
		const char *found = o->help ? strstr(text, o->help) : NULL;

		snprintf(what, sizeof(what), "options_help prints the help, if any, of %s",
			 o->name ? o->name : "-x");
		ok(!o->help || found, what);
	}
	ok(!strstr(text, "hidden"), "options_help leaves out an option without help");
	like(text, "\n  -n, --number N +a number\n",
	     "options_help prints letter, name, argument and help in a line");
	like(text, "\n      --\\[no-\\]negate +on or off\n",
	     "options_help prints [no-] for an option that can be negated");
	like(text, "\n  -x +only a letter\n",
	     "options_help prints a letter alone if the option has no name");
	like(text, "\n  -m, --maybe\\[=TEXT\\] +with a text",
	     "options_help prints an optional value in brackets");
}

/* Rows that another table has too fill the struct that this one has for them. */
static void test_shared(void)
{
	static const struct option own[] = {
		{ "own", 0, OPTION_FLAG, 0, NULL, "of this table alone", 0 }, { 0 }
	};
	struct {
		bool own;
		struct filled f;
	} into = { 0 };
	struct option_table table = { .option = own };
	char words[] = "program\0--own\0-f\0--number=3\0--nmuber";
	char *argv[5] = { words };
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	size_t nr = 0;

	for (size_t i = 1; i < ARRAY_SIZE(argv); i++)
		argv[i] = strchr(argv[i - 1], '\0') + 1;
	table.shared = (struct option_group){ rows, (size_t)((char *)&into.f - (char *)&into) };
	is_int(options_parse(&table, &into, 4, argv, &operands, &e), 0,
	       "options_parse accepts own and shared options");
	ok(into.own, "an option of the command fills its field");
	ok(into.f.flag, "a shared flag fills its field");
	is_int(into.f.number, 3, "a shared number fills its field");
	is_int(options_parse(&table, &into, 5, argv, &operands, &e), -1,
	       "options_parse rejects an option that neither table has");
	is_str(e.hint, "did you mean --number?",
	       "options_parse suggests a shared option for an unknown one");
	for (const struct option *o = option_next(&table, NULL); o; o = option_next(&table, o))
		nr++;
	is_int((long long)nr, (long long)ARRAY_SIZE(rows),
	       "option_next visits own and shared options");
	option_list_release(&operands);
}

int main(void)
{
	test_shared();
	test_types(SYNTAX_GNU);
	test_types(SYNTAX_PERL);
	test_gnu();
	test_perl();
	test_help();
	test_help_text();
	return done();
}
