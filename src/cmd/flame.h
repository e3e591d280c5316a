/* wick flame: what any profiler wrote in, a flame graph out. */
#ifndef WICK_CMD_FLAME_H
#define WICK_CMD_FLAME_H

#include "cmd/collapse.h"
#include "render/color.h"
#include "render/svg.h"

enum flame_format { FLAME_SVG, FLAME_HTML, FLAME_WICK };

struct flame_output {
	const char *path; /* "-" is standard output */
	enum flame_format format;
};

/* Whose picture it is. */
enum flame_look { LOOK_WICK, LOOK_PEER };

struct flame_opts {
	struct collapse_opts in; /* what is read, and which events count */
	const struct flame_output *output;
	size_t nr_output;
	enum flame_look look;
	bool is_static; /* a picture and nothing else: no data, no script */
	struct svg_opts svg;
	enum color_scheme scheme; /* of wick's own picture, unless it has a palette */
	bool scheme_given;	  /* else a comparison is colored by change */
	bool has_palette;
	bool either;	     /* of a comparison, the wider side decides about widths */
	bool not_normalized; /* … and the change of weights counts, not that of shares */
	const double
		*run_time; /* … in the same time: the seconds of runs, before's first; or NULL */
	size_t nr_run[2];  /* … how many runs a side has, where there are times */
	double confidence; /* … of what is said to be more than noise; 0: 0.95 */
	const char *background; /* a name or "#rrggbb"; NULL: the palette's */
	enum palette palette;
	enum shade shade;
	enum name_rules rules;
	enum tree_order order;
	bool chart; /* in the order of the samples, not merged */
	enum chart_direction direction;
	bool reverse;
	bool draw_empty;   /* a picture that says so, when there is nothing to draw */
	bool sorted_input; /* it is an error when the lines are not in order */
	const char *const *base;
	size_t nr_base;
	double min_percent;	/* of the whole */
	double min_pixels;	/* the wider of the two counts */
	const char *attributes; /* a file, or NULL */
	attributes_watcher *watcher;
	void *watcher_arg;
	const char *color_map; /* a file, or NULL */
};

#define SVG_OPTS_DEFAULT \
	{ \
		.title = "Flame Graph", .count_name = "samples", .font = "monospace", \
		.font_size = 12, .font_width = 0.59, .row_height = 16, .factor = 1, \
	}

struct flame_result {
	struct collapse_result in;
	size_t nr_bad_colors; /* lines of the color map that made no sense */
	bool empty;	      /* there was nothing to draw */
	double total;	      /* what was drawn */
	char *unit;	      /* … and what it is counted in */
	size_t nr_stack;      /* different ones */
};

/*
 * Reads, lays out and draws, and prints no word.  The result must be released, also
 * after -1.
 */
int flame(const struct flame_opts *o, struct flame_result *r, struct error *e);

/* The same for a profile that was read already, into r->in. */
int flame_draw(const struct flame_opts *o, struct flame_result *r, const struct chosen *c,
	       struct error *e);
void flame_release(struct flame_result *r);

/* Says that a file was written, and what is in it. */
void flame_tell(const struct flame_opts *o, const struct flame_result *r,
		const struct flame_output *to);

/* Does the file's name end in one of the formats, ".svg"? */
bool flame_format_find(const char *path, enum flame_format *format);

/* Can whoever opens the files look at every event?  A picture shows what was chosen. */
bool flame_keeps_events(const struct flame_output *output, size_t nr);

/* -1: a file would be written twice. */
int flame_paths_check(const char *const *path, size_t nr, struct error *e);

int flame_main(int argc, char **argv);
extern const struct option_table flame_table;

#endif
