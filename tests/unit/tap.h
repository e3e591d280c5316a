/*
 * What a unit test needs: checks that print TAP, and the plan at the end.
 *
 *	int main(void)
 *	{
 *		is_int(text_left(&t), 0, "an empty text has nothing left");
 *		return done();
 *	}
 *
 * A check evaluates its arguments once and returns whether it passed, so that what depends on it
 * can stop: `if (!ok(p, "opens")) return done();`
 */
#ifndef TAP_H
#define TAP_H

#include <inttypes.h>
#include <regex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static unsigned tap_nr, tap_nr_failed;

/* Prints one result; a failure also names the place. */
static inline bool tap_result(bool passed, const char *what, const char *file, int line)
{
	printf("%sok %u - %s\n", passed ? "" : "not ", ++tap_nr, what);
	if (!passed) {
		tap_nr_failed++;
		printf("# failed at %s:%d\n", file, line);
	}
	/* A crash in what follows must not take this line with it. */
	fflush(stdout);
	return passed;
}

static inline bool tap_ok(bool passed, const char *condition, const char *what, const char *file,
			  int line)
{
	if (!tap_result(passed, what, file, line))
		printf("# false: %s\n", condition);
	return passed;
}

static inline bool tap_is_int(intmax_t got, intmax_t want, const char *what, const char *file,
			      int line)
{
	bool passed = tap_result(got == want, what, file, line);

	if (!passed)
		printf("#   got %" PRIdMAX "\n#  want %" PRIdMAX "\n", got, want);
	return passed;
}

/* As a TAP comment: every line of the value gets its own '#'. */
static inline void tap_show(const char *label, const char *s)
{
	printf("# %s ", label);
	if (!s) {
		printf("NULL\n");
		return;
	}
	putchar('"');
	for (; *s; s++)
		if (*s == '\n')
			printf("\\n\n#       ");
		else
			putchar(*s);
	printf("\"\n");
}

static inline bool tap_is_str(const char *got, const char *want, const char *what, const char *file,
			      int line)
{
	bool same = got && want ? strcmp(got, want) == 0 : got == want;

	if (!tap_result(same, what, file, line)) {
		tap_show(" got", got);
		tap_show("want", want);
	}
	return same;
}

static inline bool tap_like(const char *got, const char *pattern, const char *what,
			    const char *file, int line)
{
	bool found = false;
	regex_t re;

	if (regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB) == 0) {
		found = got && regexec(&re, got, 0, NULL, 0) == 0;
		regfree(&re);
	}
	if (!tap_result(found, what, file, line)) {
		tap_show(" got", got);
		tap_show("like", pattern);
	}
	return found;
}

/* The condition holds. */
#define ok(cond, what) tap_ok((cond), #cond, (what), __FILE__, __LINE__)
/* Two whole numbers are equal; unsigned ones past INTMAX_MAX need ok(). */
#define is_int(got, want, what) \
	tap_is_int((intmax_t)(got), (intmax_t)(want), (what), __FILE__, __LINE__)
/* Two strings are equal, or both are NULL. */
#define is_str(got, want, what) tap_is_str((got), (want), (what), __FILE__, __LINE__)
/* A string contains a match of the extended regular expression. */
#define like(got, pattern, what) tap_like((got), (pattern), (what), __FILE__, __LINE__)

/* Prints the plan; main() returns what this returns. */
static inline int done(void)
{
	printf("1..%u\n", tap_nr);
	return tap_nr_failed != 0;
}

#endif
