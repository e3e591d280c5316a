/* powershell and elvish: only the names of commands and options are completed, no values. */
#include "cli/complete.h"

#include <stdio.h>

/* Prints a completion: a text and its description. */
typedef void putter(const char *text, const char *help);

static void each_spelling(const struct option_table *t, putter *put)
{
	for (const struct option *o = option_next(t, NULL); o; o = option_next(t, o)) {
		char spelled[64];

		if (!o->help)
			continue;
		if (o->letter) {
			snprintf(spelled, sizeof(spelled), "-%c", o->letter);
			put(spelled, o->help);
		}
		if (o->name) {
			snprintf(spelled, sizeof(spelled), "--%s", o->name);
			put(spelled, o->help);
		}
		if (o->type == OPTION_NEGATE) {
			snprintf(spelled, sizeof(spelled), "--no-%s", o->name);
			put(spelled, o->help);
		}
	}
}

static void each_command(const struct program *p, putter *put)
{
	for (const struct subcommand *c = p->command; c->name; c++)
		if (c->about)
			put(c->name, c->about);
}

/* In both shells a single quote is doubled inside of single quotes. */
static void put_quoted(const char *text)
{
	putchar('\'');
	complete_put_escaped(text, "'", '\'');
	putchar('\'');
}

static void put_powershell(const char *text, const char *help)
{
	printf("\t\t[System.Management.Automation.CompletionResult]::new('%s', '%s', "
	       "[System.Management.Automation.CompletionResultType]::%s, ",
	       text, text, *text == '-' ? "ParameterName" : "ParameterValue");
	put_quoted(help);
	puts(")");
}

/* The options of the subcommand; while that is being typed, the subcommands. */
static void put_powershell_commands(const struct program *p)
{
	puts("\tswitch -CaseSensitive ($command) {\n\t'' {");
	each_command(p, put_powershell);
	each_spelling(p->table, put_powershell);
	puts("\t}");
	for (const struct subcommand *c = p->command; c->name; c++) {
		printf("\t'%s' {\n", c->name);
		each_spelling(c->table, put_powershell);
		puts("\t}");
	}
	puts("\t}");
}

void complete_powershell(const struct program *p)
{
	printf("# PowerShell completion for %s: add this to $PROFILE\n\n"
	       "Register-ArgumentCompleter -Native -CommandName '%s' -ScriptBlock {\n"
	       "\tparam($word, $ast, $position)\n",
	       p->name, p->name);
	if (p->command)
		puts("\t$command = ''\n"
		     "\t$first = $ast.CommandElements | Select-Object -Skip 1 -First 1\n"
		     "\tif ($first -and $first.Extent.EndOffset -lt $position) {\n"
		     "\t\t$command = $first.ToString()\n"
		     "\t}");
	puts("\t@(");
	if (p->command)
		put_powershell_commands(p);
	else
		each_spelling(p->table, put_powershell);
	puts("\t) | Where-Object { $_.CompletionText -like \"$word*\" } |\n"
	     "\t\tSort-Object -Property ListItemText\n}");
}

static void put_elvish(const char *text, const char *help)
{
	printf("\t\tedit:complex-candidate %s &display=", text);
	fputs("(echo ", stdout);
	put_quoted(text);
	putchar(' ');
	put_quoted(help);
	puts(")");
}

static void put_elvish_commands(const struct program *p)
{
	puts("\tif (== (count $words) 2) {");
	each_command(p, put_elvish);
	each_spelling(p->table, put_elvish);
	puts("\t} elif (not (str:has-prefix $words[-1] -)) {\n\t\tedit:complete-filename $words[-1]");
	for (const struct subcommand *c = p->command; c->name; c++) {
		printf("\t} elif (eq $words[1] %s) {\n", c->name);
		each_spelling(c->table, put_elvish);
	}
	puts("\t}\n}");
}

void complete_elvish(const struct program *p)
{
	printf("# elvish completion for %s: add this to ~/.config/elvish/rc.elv\n\n"
	       "%sset edit:completion:arg-completer[%s] = {|@words|\n",
	       p->name, p->command ? "use str\n" : "", p->name);
	if (p->command) {
		put_elvish_commands(p);
		return;
	}
	puts("\tif (and (> (count $words[-1]) 0) (eq $words[-1][0] -)) {");
	each_spelling(p->table, put_elvish);
	puts("\t} else {\n\t\tedit:complete-filename $words[-1]\n\t}\n}");
}
