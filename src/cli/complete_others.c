/* powershell and elvish: the names of options, and what they do. */
#include "cli/complete.h"

/* Calls back for each spelling of each option that is shown. */
static void each_spelling(const struct option_table *t,
			  void (*put)(const struct option *o, const char *spelled))
{
	for (const struct option *o = t->option; o->name || o->letter; o++) {
		char spelled[64];

		if (!o->help)
			continue;
		if (o->letter) {
			snprintf(spelled, sizeof(spelled), "-%c", o->letter);
			put(o, spelled);
		}
		if (o->name) {
			snprintf(spelled, sizeof(spelled), "--%s", o->name);
			put(o, spelled);
		}
	}
}

/* In single quotes, a single quote is two, in both shells. */
static void put_quoted(const char *text)
{
	putchar('\'');
	complete_put_escaped(text, "'", '\'');
	putchar('\'');
}

static void put_powershell(const struct option *o, const char *spelled)
{
	printf("\t\t[System.Management.Automation.CompletionResult]::new('%s', '%s', "
	       "[System.Management.Automation.CompletionResultType]::ParameterName, ",
	       spelled, spelled);
	put_quoted(o->help);
	puts(")");
}

void complete_powershell(const struct program *p)
{
	printf("# PowerShell completion of %s; put it into $PROFILE\n\n"
	       "Register-ArgumentCompleter -Native -CommandName '%s' -ScriptBlock {\n"
	       "\tparam($word, $ast, $position)\n\t@(\n",
	       p->name, p->name);
	each_spelling(p->table, put_powershell);
	puts("\t) | Where-Object { $_.CompletionText -like \"$word*\" } |\n"
	     "\t\tSort-Object -Property ListItemText\n}");
}

static void put_elvish(const struct option *o, const char *spelled)
{
	printf("\t\tedit:complex-candidate %s &display=", spelled);
	fputs("(echo ", stdout);
	put_quoted(spelled);
	putchar(' ');
	put_quoted(o->help);
	puts(")");
}

void complete_elvish(const struct program *p)
{
	printf("# elvish completion of %s; put it into ~/.config/elvish/rc.elv\n\n"
	       "set edit:completion:arg-completer[%s] = {|@words|\n"
	       "\tif (and (> (count $words[-1]) 0) (eq $words[-1][0] -)) {\n",
	       p->name, p->name);
	each_spelling(p->table, put_elvish);
	puts("\t} else {\n\t\tedit:complete-filename $words[-1]\n\t}\n}");
}
