#include "cli/help.h"

#include "base/strbuf.h"
#include "cli/manual.h"
#include "cli/messages.h"
#include "cli/pager.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct help {
	bool manual;
	int pager; /* enum pager_use */
};

#define AT(field) offsetof(struct help, field)

static const struct option options[] = {
	{ "man", 0, OPTION_FLAG, AT(manual), NULL, NULL, 0 },
	PAGER_OPTION(pager),
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

const struct option_table help_table = {
	.usage = "wick help [COMMAND]",
	.about =
		"Shows the manual page of the command, or its help if the page is not installed or standard\n"
		"output is not a terminal.",
	.option = options,
	.syntax = SYNTAX_GNU,
	.operand = "SUBCOMMAND",
};

static void add_program(const struct program *p, struct strbuf *out)
{
	strbuf_addf(out, "Usage: %s\n\n", p->table->usage);
	options_prose(p->table->about, out);
	strbuf_add(out, SPAN("\n\nCommands:\n"));
	for (const struct subcommand *c = p->command; c->name; c++)
		if (c->about)
			strbuf_addf(out, "  %-12s %s\n", c->name, c->about);
	strbuf_add(out, SPAN("\nOptions:\n"));
	options_rows(p->table, out);
	strbuf_addch(out, '\n');
	options_prose(p->table->after, out);
	strbuf_addch(out, '\n');
}

static void show_program(const struct program *p, enum pager_use use)
{
	struct strbuf text = { 0 };

	add_program(p, &text);
	pager_show(strbuf_peek(&text), use);
	strbuf_release(&text);
}

void help_program(const struct program *p)
{
	show_program(p, PAGER_ON_TERMINAL);
}

void help_missing(const struct program *p)
{
	struct strbuf text = { 0 };

	add_program(p, &text);
	fwrite(text.at, 1, text.size, stderr);
	strbuf_release(&text);
}

int help_unknown(const struct program *p, const char *name, struct error *e)
{
	const char *nearest = subcommand_nearest(p->command, name);

	error_set(e, ERROR_USAGE, "unknown command '%s'", name);
	if (nearest)
		error_hint(e, "did you mean %s %s?", p->name, nearest);
	else if (!access(name, R_OK))
		error_hint(e, "to draw that file: %s flame %s -o flamegraph.html", p->name, name);
	else
		error_hint(e, "`%s --help` lists the commands", p->name);
	return -1;
}

/* The prefix of the installation: two levels above the executable. */
static bool find_prefix(char *path, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 1);

	for (int up = 0; up < 2; up++) {
		while (n > 0 && path[n - 1] != '/')
			n--;
		if (n > 0)
			path[--n] = '\0';
	}
	return n > 0;
}

/* $WICK_PAGER and --no-pager also apply to manual pages; without them, man chooses the pager. */
static void choose_man_pager(enum pager_use use)
{
	const char *pager = use == PAGER_NEVER ? "" : getenv("WICK_PAGER");

	if (pager)
		setenv("MANPAGER", *pager ? pager : "cat", 1);
}

/*
 * Replaces this process by man with the installed page; returns if there is no such page, or no
 * terminal.
 */
static void show_page(const char *name, enum pager_use use)
{
	static const char *const ends[] = { "", ".gz" };
	char prefix[PATH_MAX];

	if (!isatty(STDOUT_FILENO) || !find_prefix(prefix, sizeof(prefix)))
		return;
	for (size_t i = 0; i < 2; i++) {
		struct strbuf path = { 0 };

		strbuf_addf(&path, "%s/share/man/man1/%s.1%s", prefix, name, ends[i]);
		if (!access(path.at, R_OK)) {
			choose_man_pager(use);
			execlp("man", "man", path.at, (char *)NULL);
		}
		strbuf_release(&path);
	}
}

static void show_table(const struct option_table *t, enum pager_use use)
{
	struct strbuf text = { 0 };

	options_text(t, &text);
	pager_show(strbuf_peek(&text), use);
	strbuf_release(&text);
}

static int help_about(const struct program *list, const char *name, const struct help *h,
		      struct error *e)
{
	const struct subcommand *c = subcommand_find(list->command, name);
	const struct program *p = program_find(list, name);
	const struct option_table *t = c ? c->table : p ? p->table : NULL;
	enum pager_use use = (enum pager_use)h->pager;
	struct strbuf page = { 0 };

	if (!t)
		return help_unknown(list, name, e);
	if (h->manual)
		return manual_fill(p && p->command ? p : NULL, t, e);
	strbuf_addf(&page, "%s%s%s", c ? list->name : "", c ? "-" : "", name);
	show_page(page.at, use);
	strbuf_release(&page);
	if (p && p->command)
		show_program(p, use);
	else
		show_table(t, use);
	return 0;
}

int help_main(const struct program *list, int argc, char **argv)
{
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	struct help h = { .pager = PAGER_ON_TERMINAL };
	int ret = options_parse(&help_table, &h, argc, argv, &operands, &e);

	if (ret > 0) {
		options_help(&help_table);
		ret = 0;
	} else if (!ret && operands.nr > 1) {
		ret = error_set(&e, ERROR_USAGE, "more than one command given");
	} else if (!ret && !operands.nr) {
		show_program(list, (enum pager_use)h.pager);
	} else if (!ret) {
		ret = help_about(list, operands.at[0], &h, &e);
	}
	option_list_release(&operands);
	if (!ret)
		return 0;
	message_error(&e);
	return message_status(&e);
}
