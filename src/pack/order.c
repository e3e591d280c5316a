#include "pack/order.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/sort_text.h"

#include <stdlib.h>

/* The argument of qsort_r() for comparing two rows. */
struct sorting {
	const struct profile *p;
	const struct orders *o;
};

typedef int compare_rows(const void *a, const void *b, void *sorting);

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* The rows of a table, sorted by content; row 0 stays first. */
static uint32_t *sort_rows(const struct profile *p, const struct orders *o, size_t nr,
			   compare_rows *by)
{
	struct sorting s = { .p = p, .o = o };
	uint32_t *row = xcalloc(nr, sizeof(*row));

	for (uint32_t i = 1; i < nr; i++)
		row[i] = i;
	if (nr > 2)
		qsort_r(row + 1, nr - 1, sizeof(*row), by, &s);
	return row;
}

static void set_numbers(struct order *o, size_t nr_row)
{
	o->number = xcalloc(nr_row, sizeof(*o->number));
	for (uint32_t i = 0; i < o->nr; i++)
		o->number[o->row[i]] = i;
}

/*
 * Most frequently used rows first, so that their numbers are small; equally used ones stay sorted.
 */
static void order_by_use(struct order *o, uint32_t *sorted, size_t nr, const uint32_t *used)
{
	uint64_t *key = xcalloc(nr, sizeof(*key));

	for (size_t i = 1; i < nr; i++)
		key[i] = sort_key(UINT32_MAX - used[sorted[i]], sorted[i]);
	if (nr > 2)
		sort_keys(key + 1, nr - 1);
	for (size_t i = 1; i < nr; i++)
		sorted[i] = sort_what(key[i]);
	*o = (struct order){ .row = sorted, .nr = nr };
	free(key);
}

/* Strings */

/* By string: the number of rows that refer to it. */
static uint32_t *count_strings(const struct profile *p)
{
	uint32_t *used = xcalloc(p->strings.nr, sizeof(*used));

	for (size_t i = 0; i < p->nr_module; i++) {
		used[p->module[i].path.i]++;
		used[p->module[i].build_id.i]++;
	}
	for (size_t i = 0; i < p->nr_frame; i++)
		for (size_t k = 0; k < p->frame[i].nr_line; k++) {
			used[p->frame[i].line[k].function.i]++;
			used[p->frame[i].line[k].file.i]++;
		}
	for (size_t i = 0; i < p->nr_thread; i++)
		used[p->thread[i].comm.i]++;
	for (size_t i = 0; i < p->nr_event; i++) {
		used[p->event[i].name.i]++;
		used[p->event[i].unit.i]++;
	}
	for (size_t i = 0; i < p->nr_labels; i++)
		for (size_t k = 0; k < p->labels[i].nr; k++) {
			used[p->labels[i].label[k].key.i]++;
			used[p->labels[i].label[k].value.i]++;
		}
	for (size_t i = 0; i < p->nr_series; i++) {
		used[p->series[i].name.i]++;
		used[p->series[i].unit.i]++;
		used[p->series[i].scope.i]++;
	}
	for (size_t i = 0; i < p->nr_info; i++) {
		used[p->info[i].key.i]++;
		used[p->info[i].value.i]++;
	}
	return used;
}

static void order_strings(struct orders *o, const struct profile *p)
{
	struct sort_text *text = xcalloc(p->strings.nr, sizeof(*text));
	uint32_t *used = count_strings(p), *sorted;
	size_t nr = 1;

	for (uint32_t i = 1; i < p->strings.nr; i++)
		if (used[i])
			text[nr++] = sort_text(profile_peek(p, (str_id){ i }), i);
	sort_texts(text + 1, nr - 1, 2);
	o->text = xcalloc(p->strings.nr, sizeof(*o->text));
	sorted = xcalloc(nr, sizeof(*sorted));
	for (uint32_t i = 1; i < nr; i++) {
		sorted[i] = text[i].what;
		o->text[sorted[i]] = i;
	}
	free(text);
	order_by_use(&o->strings, sorted, nr, used);
	set_numbers(&o->strings, p->strings.nr);
	free(used);
}

/* Modules */

static int by_path(const void *a, const void *b, void *arg)
{
	const struct sorting *s = arg;
	const struct module *x = &s->p->module[*(const uint32_t *)a],
			    *y = &s->p->module[*(const uint32_t *)b];
	int order = compare(s->o->text[x->path.i], s->o->text[y->path.i]);

	return order ? order : compare(s->o->text[x->build_id.i], s->o->text[y->build_id.i]);
}

static void order_modules(struct orders *o, const struct profile *p)
{
	uint32_t *used = xcalloc(p->nr_module, sizeof(*used));

	for (size_t i = 0; i < p->nr_frame; i++)
		used[p->frame[i].module.i]++;
	order_by_use(&o->modules, sort_rows(p, o, p->nr_module, by_path), p->nr_module, used);
	set_numbers(&o->modules, p->nr_module);
	free(used);
}

/* Frames */

/* By the functions of the lines, outermost first, then by their files and line numbers. */
static int by_lines(const struct frame *x, const struct frame *y, const uint32_t *text)
{
	size_t nr = x->nr_line < y->nr_line ? x->nr_line : y->nr_line;
	int order = 0;

	for (size_t i = 1; i <= nr && !order; i++)
		order = compare(text[x->line[x->nr_line - i].function.i],
				text[y->line[y->nr_line - i].function.i]);
	if (!order)
		order = compare(x->nr_line, y->nr_line);
	for (size_t i = nr; i-- > 0 && !order;) {
		order = compare(text[x->line[i].file.i], text[y->line[i].file.i]);
		if (!order)
			order = compare(x->line[i].line, y->line[i].line);
	}
	return order;
}

static int by_name(const void *a, const void *b, void *arg)
{
	const struct sorting *s = arg;
	const struct frame *x = &s->p->frame[*(const uint32_t *)a],
			   *y = &s->p->frame[*(const uint32_t *)b];
	int order = by_lines(x, y, s->o->text);

	if (!order)
		order = compare(s->o->modules.number[x->module.i],
				s->o->modules.number[y->module.i]);
	if (!order)
		order = compare(x->address, y->address);
	if (!order)
		order = compare(x->kind, y->kind);
	return order ? order : compare(x->flags, y->flags);
}

/*
 * Sorts by the outermost function, which is enough for most frames; the others are compared in
 * full.
 */
static uint32_t *sort_frames(const struct profile *p, const struct orders *o)
{
	struct sorting s = { .p = p, .o = o };
	uint64_t *key = xcalloc(p->nr_frame, sizeof(*key));
	uint32_t *row = xcalloc(p->nr_frame, sizeof(*row));
	size_t begin, end;

	for (size_t i = 1; i < p->nr_frame; i++) {
		const struct frame *f = &p->frame[i];
		uint32_t name = f->nr_line ? 1 + o->text[f->line[f->nr_line - 1].function.i] : 0;

		key[i] = sort_key(name, i);
	}
	sort_keys(key + 1, p->nr_frame - 1);
	for (size_t i = 1; i < p->nr_frame; i++)
		row[i] = sort_what(key[i]);
	for (begin = 1; begin < p->nr_frame; begin = end) {
		for (end = begin + 1;
		     end < p->nr_frame && sort_by(key[end]) == sort_by(key[begin]);)
			end++;
		if (end - begin > 1)
			qsort_r(row + begin, end - begin, sizeof(*row), by_name, &s);
	}
	free(key);
	return row;
}

static void order_frames(struct orders *o, const struct profile *p)
{
	uint32_t *used = xcalloc(p->nr_frame, sizeof(*used)), *sorted;

	for (size_t i = 1; i < p->nr_stack; i++)
		used[p->stack[i].frame.i]++;
	sorted = sort_frames(p, o);
	o->name = xcalloc(p->nr_frame, sizeof(*o->name));
	for (uint32_t i = 0; i < p->nr_frame; i++)
		o->name[sorted[i]] = i;
	order_by_use(&o->frames, sorted, p->nr_frame, used);
	set_numbers(&o->frames, p->nr_frame);
	free(used);
}

/* Label sets */

static int by_label(const void *a, const void *b, void *arg)
{
	const struct label *x = a, *y = b;
	const uint32_t *text = arg;
	int order = compare(text[x->key.i], text[y->key.i]);

	return order ? order : compare(text[x->value.i], text[y->value.i]);
}

static void sort_label_sets(struct orders *o, const struct profile *p)
{
	o->label_set = xcalloc(p->nr_labels, sizeof(*o->label_set));
	for (size_t i = 0; i < p->nr_labels; i++) {
		size_t nr = p->labels[i].nr;
		struct label *label;

		if (!nr)
			continue;
		label = arena_take(&o->label, nr * sizeof(*label));
		memcpy(label, p->labels[i].label, nr * sizeof(*label));
		qsort_r(label, nr, sizeof(*label), by_label, o->text);
		o->label_set[i] = (struct label_set){ .label = label, .nr = nr };
	}
}

static int by_labels(const void *a, const void *b, void *arg)
{
	const struct sorting *s = arg;
	const struct label_set *x = &s->o->label_set[*(const uint32_t *)a],
			       *y = &s->o->label_set[*(const uint32_t *)b];
	int order = compare(x->nr, y->nr);

	for (size_t i = 0; i < x->nr && !order; i++)
		order = by_label(&x->label[i], &y->label[i], s->o->text);
	return order;
}

static void order_labels(struct orders *o, const struct profile *p)
{
	uint32_t *used = xcalloc(p->nr_labels, sizeof(*used));

	sort_label_sets(o, p);
	for (size_t i = 0; i < p->nr_count; i++)
		used[p->count[i].labels.i]++;
	for (size_t i = 0; i < p->nr_tick; i++)
		used[p->tick[i].labels.i]++;
	for (size_t i = 0; i < p->nr_interval; i++)
		used[p->interval[i].labels.i]++;
	order_by_use(&o->labels, sort_rows(p, o, p->nr_labels, by_labels), p->nr_labels, used);
	set_numbers(&o->labels, p->nr_labels);
	free(used);
}

/* Threads */

static int by_id(const void *a, const void *b, void *arg)
{
	const struct sorting *s = arg;
	const struct thread *x = &s->p->thread[*(const uint32_t *)a],
			    *y = &s->p->thread[*(const uint32_t *)b];
	/* Plus 1, as in the pack: THREAD_UNKNOWN becomes 0 and comes first. */
	int order = compare(x->pid + 1, y->pid + 1);

	if (!order)
		order = compare(x->tid + 1, y->tid + 1);
	return order ? order : compare(s->o->text[x->comm.i], s->o->text[y->comm.i]);
}

void orders_init(struct orders *o, const struct profile *p)
{
	*o = (struct orders){ 0 };
	order_strings(o, p);
	order_modules(o, p);
	order_frames(o, p);
	order_labels(o, p);
	o->threads.row = sort_rows(p, o, p->nr_thread, by_id);
	o->threads.nr = p->nr_thread;
	set_numbers(&o->threads, p->nr_thread);
	free(o->text);
	o->text = NULL;
}

void orders_release(struct orders *o)
{
	struct order *all[] = { &o->strings, &o->modules, &o->frames, &o->labels, &o->threads };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		free(all[i]->row);
		free(all[i]->number);
	}
	free(o->name);
	free(o->label_set);
	arena_release(&o->label);
	*o = (struct orders){ 0 };
}
