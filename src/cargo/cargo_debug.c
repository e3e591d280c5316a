/*
 * cargo flamegraph: if the build profile has no debug info, environment variables
 * (CARGO_PROFILE_…) add it.  Whether it does is seen in cargo's unit graph before the
 * build, or else in its messages afterwards.
 */
#include "base/alloc.h"
#include "cargo/cargo.h"
#include "cli/messages.h"
#include "cmd/doctor/doctor.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum lack { LACKS_DEBUGINFO = 1 << 0, LACKS_SYMBOLS = 1 << 1 };

static bool has_no_debuginfo(const struct json_node *profile)
{
	const struct json_node *d = json_find(profile, "debuginfo");

	/* Old versions of cargo do not report it: assumes that there is debug info. */
	return d && (d->type == JSON_NULL || (d->type == JSON_NUMBER && span_is(d->text, "0")));
}

static unsigned find_lacks(const struct cargo *c)
{
	unsigned lacks = 0;
	struct doctor_program p;

	if (has_no_debuginfo(json_find(c->artifact, "profile")))
		lacks |= LACKS_DEBUGINFO;
	doctor_program_open(&p, json_string(c->artifact, "executable"), &c->rs.job.o.naming);
	if (p.found && (!p.facts.symbols || (!p.facts.dwarf && !lacks)))
		lacks |= LACKS_SYMBOLS;
	doctor_program_close(&p);
	return lacks;
}

static const struct remedy {
	unsigned lack;
	const char *what, *variable, *value, *setting;
} remedies[] = {
	{ LACKS_DEBUGINFO, "has no debug info", "DEBUG", "true", "debug = true" },
	{ LACKS_SYMBOLS, "strips symbols", "STRIP", "false", "strip = false" },
};

/* CARGO_PROFILE_<P>_DEBUG */
static const char *variable(struct cargo *c, const struct remedy *r)
{
	struct strbuf name = { 0 };
	const char *text;

	for (const char *p = cargo_profile(c); *p; p++)
		strbuf_addch(&name, *p == '-' ? '_' : (char)toupper((unsigned char)*p));
	text = cargo_text(c, "CARGO_PROFILE_%s_%s", name.at, r->variable);
	strbuf_release(&name);
	return text;
}

/* Is the variable set already?  Then the user's choice is kept. */
static bool is_settled(const struct cargo *c, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < c->env.nr; i++)
		if (!strncmp(c->env.at[i], name, n) && c->env.at[i][n] == '=')
			return true;
	return getenv(name) != NULL;
}

/* Sets variables that add what is lacking; true: one was set, so a (new) build is needed. */
static bool remedy(struct cargo *c, unsigned lacks)
{
	bool changed = false;

	for (size_t i = 0; i < ARRAY_SIZE(remedies); i++) {
		const struct remedy *r = &remedies[i];
		const char *name = variable(c, r);

		if (!(lacks & r->lack) || is_settled(c, name))
			continue;
		if (c->keep_debuginfo) {
			message_peer(
				stderr,
				"warning: the %s profile %s: inlined calls, source lines and perhaps symbols will be missing\n"
				"hint: set %s in [profile.%s] of Cargo.toml, or %s=%s\n",
				cargo_profile(c), r->what, r->setting, cargo_profile(c), name,
				r->value);
			continue;
		}
		message_peer(
			stderr,
			"the %s profile %s: building with %s=%s (disable with --no-debuginfo-override)\n",
			cargo_profile(c), r->what, name, r->value);
		cargo_push(&c->env, cargo_text(c, "%s=%s", name, r->value));
		changed = true;
	}
	return changed;
}

bool cargo_debug_again(struct cargo *c)
{
	return remedy(c, find_lacks(c));
}

/* Before the build */

/*
 * Does the profile strip symbols or debug info?  Versions of cargo print "none",
 * {"named":"symbols"} or {"resolved":{"Named":"debuginfo"}}: the innermost string counts.
 */
static bool strips(const struct json_node *profile)
{
	const struct json_node *n = json_find(profile, "strip");

	while (n && n->type == JSON_OBJECT)
		n = n->first;
	if (!n || n->type != JSON_STRING)
		return false;
	/*
	 * Newer versions of cargo strip debuginfo by default if the profile has none: that does not
	 * count as a setting.
	 */
	return span_is(n->text, "symbols") ||
	       (span_is(n->text, "debuginfo") && !has_no_debuginfo(profile));
}

static unsigned foreseen_lacks(const struct cargo *c, const struct json_node *graph)
{
	const struct json_node *units = json_find(graph, "units");
	const char *want = json_string(c->target.package, "id");

	for (const struct json_node *u = units ? units->first : NULL; u && want; u = u->next) {
		const struct json_node *profile = json_find(u, "profile");
		const char *id = json_string(u, "pkg_id"), *mode = json_string(u, "mode");

		if (!id || strcmp(id, want) != 0 || !cargo_is_target(c, json_find(u, "target")) ||
		    !mode || strcmp(mode, cargo_is_test(c) ? "test" : "build") != 0)
			continue;
		return (has_no_debuginfo(profile) ? LACKS_DEBUGINFO : 0) |
		       (strips(profile) ? LACKS_SYMBOLS : 0);
	}
	return 0;
}

/*
 * Reads the unit graph, cargo's plan of the build, which needs unstable options (RUSTC_BOOTSTRAP).
 */
static unsigned foresee(struct cargo *c)
{
	struct option_list words = { 0 };
	struct error e = ERROR_INIT;
	struct arena arena = { 0 };
	struct strbuf out = { 0 };
	unsigned lacks = 0;

	cargo_words(c, &words, CARGO_BUILDS);
	cargo_push(&words, "--unit-graph");
	cargo_push(&words, "-Zunstable-options");
	cargo_push(&c->env, "RUSTC_BOOTSTRAP=1");
	if (!cargo_call(c, cargo_program(), &words, CARGO_QUIET, &out, &e))
		lacks = foreseen_lacks(c, json_tree_parse(&arena, strbuf_peek(&out), &e));
	c->env.nr--;
	arena_release(&arena);
	option_list_release(&words);
	strbuf_release(&out);
	return lacks;
}

void cargo_debug_foresee(struct cargo *c)
{
	if (c->keep_debuginfo)
		return;
	while (remedy(c, foresee(c)))
		;
}
