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

/* wick's own picture, or one as the program draws it that we stand in for. */
enum flame_look { LOOK_WICK, LOOK_PEER };

struct flame_opts {
	struct collapse_opts in; /* what is read, and which events count */
	const struct flame_output *output;
	size_t nr_output;
	enum flame_look look;
	bool is_static; /* the picture has neither data nor script */
	struct svg_opts svg;
	enum color_scheme scheme; /* of wick's own picture, unless it has a palette */
	bool scheme_given;	  /* if not, a comparison is colored by change */
	bool has_palette;	  /* use `palette` */
	/* Of a comparison: */
	bool either;	     /* a frame is as wide as its wider side, not as `after` */
	bool not_normalized; /* weights are compared, not shares of the total */
	const double *
		run_time; /* compare in the same time: seconds by run, those of before first; or NULL */
	size_t nr_run[2];  /* if run_time: how many runs before, after */
	double confidence; /* of claims that a change is more than noise; 0: 0.95 */
	/* Of all: */
	const char *background; /* a name or "#rrggbb"; NULL: the palette's */
	enum palette palette;
	enum shade shade;
	enum name_rules rules;
	enum tree_order order;
	bool chart; /* a flame chart: samples in their order, not merged */
	enum chart_direction direction;
	bool reverse;		 /* stacks begin with the leaf */
	bool draw_empty;	 /* if there are no stacks, draw a picture that says so */
	bool sorted_input;	 /* it is an error if the lines are not sorted */
	const char *const *base; /* stacks begin at these functions; none: at the root */
	size_t nr_base;
	/* Narrower boxes are not drawn; the larger limit counts. */
	double min_percent; /* of the whole */
	double min_pixels;
	const char *attributes;	     /* a file, or NULL */
	attributes_watcher *watcher; /* is told of unknown or repeated keys in it; NULL: none */
	void *watcher_arg;
	const char *color_map; /* a file that is read and written, or NULL */
};

#define SVG_OPTS_DEFAULT \
	{ \
		.title = "Flame Graph", .count_name = "samples", .font = "monospace", \
		.font_size = 12, .font_width = 0.59, .row_height = 16, .factor = 1, \
	}

struct flame_result {
	struct collapse_result in;
	size_t nr_bad_colors; /* invalid lines of the color map */
	bool empty;	      /* there was nothing to draw */
	double total;	      /* the weight that was drawn, in `unit` */
	char *unit;
	size_t nr_stack; /* distinct ones */
};

/*
 * Reads, lays out and draws.  Prints no messages.  The result must be released, also
 * after -1.
 */
int flame(const struct flame_opts *o, struct flame_result *r, struct error *e);

/* The same for a profile that is in r->in already. */
int flame_draw(const struct flame_opts *o, struct flame_result *r, const struct chosen *c,
	       struct error *e);
void flame_release(struct flame_result *r);

/* Prints that a file was written, and what is in it. */
void flame_tell(const struct flame_opts *o, const struct flame_result *r,
		const struct flame_output *to);

/* The format of a file by the ending of its name; false if it is none of these. */
bool flame_format_find(const char *path, enum flame_format *format);

/* Can every event be looked at in all outputs?  An SVG shows only the chosen ones. */
bool flame_keeps_events(const struct flame_output *output, size_t nr);

/* -1: a file would be written twice. */
int flame_paths_check(const char *const *path, size_t nr, struct error *e);

int flame_main(int argc, char **argv);
extern const struct option_table flame_table;

#endif
