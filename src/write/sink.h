/*
 * The last step of every command that writes files: the chosen part of a profile → a file in its
 * format.
 */
#ifndef WICK_WRITE_SINK_H
#define WICK_WRITE_SINK_H

#include "fold/chosen.h"
#include "write/formats.h"

struct sink {
	const char *path;   /* "-" is standard output */
	enum format format; /* not FORMAT_DATA: that is copied, not written from a profile */
};

/* For pictures, what->drawing must be set. */
int sink_write(const struct sink *to, const struct write_what *what, struct error *e);

/* The same, but makes the drawing itself if the format is a picture; an empty one is an error. */
struct draw_opts;
int sink_draw(const struct sink *to, const struct draw_opts *o, const struct write_what *what,
	      const struct chosen *c, struct error *e);

/* For writers; `event` is the requested one; NULL: formats that can hold several get all. */
struct write_what sink_what(const struct profile *p, const struct chosen *c, const char *event);

/* Does every one of them show all events?  An SVG and folded stacks show the chosen ones. */
bool sinks_keep_events(const struct sink *to, size_t nr);

/*
 * Does one of them drop the events that are not chosen?  Folded stacks do not count: they are
 * expected to.
 */
bool sinks_lose_events(const struct sink *to, size_t nr);

/* Is one of them a picture?  Then a drawing is needed. */
bool sinks_draw(const struct sink *to, size_t nr);

/* -1: a file would be written twice. */
int sinks_check_paths(const char *const *path, size_t nr, struct error *e);

#endif
