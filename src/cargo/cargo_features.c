/* cargo flamegraph: finds the enabled features of a package. */
#include "base/alloc.h"
#include "cargo/cargo.h"

#include <stdlib.h>

/* If a package has more, all count as enabled; if they are not, cargo reports it. */
enum { FEATURES_MAX = 10000 };

struct features {
	const struct json_node **on;
	size_t nr, cap;
	const struct json_node *all; /* an object: the features that each of them enables */
};

static bool is_on(const struct features *f, const char *name)
{
	for (size_t i = 0; i < f->nr; i++)
		if (span_is(f->on[i]->name, name))
			return true;
	return false;
}

/* Enables a feature; ignores names that are not features of the package (dep:x, x/y). */
static void turn_on(struct features *f, const char *name)
{
	const struct json_node *feature = json_find(f->all, name);

	if (!feature || is_on(f, name))
		return;
	GROW(f->on, f->nr, f->cap);
	f->on[f->nr++] = feature;
}

/* Enables the features of "a,b c", which may also be written as PACKAGE/a. */
static void turn_on_words(struct features *f, const char *words, const char *package)
{
	char *copy = xstrdup(words), *save = NULL;
	size_t n = strlen(package);

	for (char *w = strtok_r(copy, ", ", &save); w; w = strtok_r(NULL, ", ", &save))
		turn_on(f, !strncmp(w, package, n) && w[n] == '/' ? w + n + 1 : w);
	free(copy);
}

/* Enables all features that enabled ones imply; the list grows while it is walked. */
static void follow(struct features *f)
{
	for (size_t i = 0; i < f->nr; i++)
		for (const struct json_node *n = f->on[i]->first; n; n = n->next)
			if (n->type == JSON_STRING)
				turn_on(f, n->text.at);
}

static const struct option_step *passed(const struct cargo *c, const char *name)
{
	for (size_t i = 0; i < c->passed.nr; i++)
		if (!strcmp(c->passed.at[i].name, name))
			return &c->passed.at[i];
	return NULL;
}

static bool are_too_many(const struct json_node *all)
{
	size_t nr = 0;

	for (const struct json_node *n = all ? all->first : NULL; n; n = n->next)
		nr++;
	return nr > FEATURES_MAX;
}

bool cargo_has_features(const struct cargo *c, const struct cargo_target *t)
{
	const struct json_node *wanted = json_find(t->target, "required-features");
	struct features f = { .all = json_find(t->package, "features") };
	const char *package = json_string(t->package, "name");
	bool has = true;

	if (!wanted || !wanted->first || !package || passed(c, "all-features") ||
	    are_too_many(f.all))
		return true;
	if (!passed(c, "no-default-features"))
		turn_on(&f, "default");
	for (size_t i = 0; i < c->passed.nr; i++)
		if (!strcmp(c->passed.at[i].name, "features"))
			turn_on_words(&f, c->passed.at[i].value, package);
	follow(&f);
	for (const struct json_node *n = wanted->first; n && has; n = n->next)
		has = n->type != JSON_STRING || is_on(&f, n->text.at);
	free(f.on);
	return has;
}
