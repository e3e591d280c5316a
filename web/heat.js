// Samples over time: a strip for each thread, and a map whose columns are seconds and whose rows are the
// moments within a second.

const PARTS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 600, 3600];
const MOST_ROWS = 50, FEWEST_ROWS = 5;
const FEW_COLUMNS = 15;

// The shape of the map: a column is a second if that gives enough columns, less in a short recording, more in a long
// one, which would have more than `most` columns.  A cell is long enough for two samples, `gap` apart: smaller cells
// would show the sampling clock.
export function heatShape(span, second, most, gap) {
	const fits = PARTS.filter((part) => span / (second * part) <= most && second * part >= 2 * FEWEST_ROWS * gap);
	const best = fits.includes(1) && span / second >= FEW_COLUMNS ? 1 : fits[0] ?? span / second / most;
	const rows = Math.floor(second * best / (2 * gap || 1));
	return {column: second * best, rows: Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, rows))};
}

// Adds a tick to the cells of `size` ns from `first` on: a wait, which has a duration, is shared among the cells that
// it covers.
function addOver(cells, first, nr, {time, until, weight}, i, start, size) {
	const from = (time[i] - start) / size, to = until ? (until[i] - start) / size : from, last = Math.min(nr - 1, Math.floor(to));
	for (let cell = Math.max(0, Math.floor(Math.min(from, nr - 1))); cell <= last; cell++)
		cells[first + cell] += weight[i] * (to > from ? Math.max(0, Math.min(to, cell + 1) - Math.max(from, cell)) / (to - from) : 1);
}

// Weights by cell: cell = column * rows + row.  counts(i): is tick i counted?
export function heatCells(ticks, start, shape, columns, counts) {
	const cells = new Float64Array(columns * shape.rows);
	for (let i = 0; i < ticks.nr; i++)
		if (counts(i))
			addOver(cells, 0, cells.length, ticks, i, start, shape.column / shape.rows);
	return cells;
}

// Weights by thread and bin of equal length.
export function stripCells(ticks, start, span, bins, row, rows, counts) {
	const cells = new Float64Array(rows * bins);
	for (let i = 0; i < ticks.nr; i++)
		if (counts(i) && row[ticks.thread[i]] >= 0)
			addOver(cells, row[ticks.thread[i]] * bins, bins, ticks, i, start, span / bins);
	return cells;
}

// The begin and the exclusive end of the ticks; null without ticks.
export function tickSpan(ticks) {
	if (!ticks || !ticks.nr)
		return null;
	let first = Infinity, last = -Infinity;
	for (let i = 0; i < ticks.nr; i++) {
		first = Math.min(first, ticks.time[i]);
		last = Math.max(last, ticks.time[i], ticks.until ? ticks.until[i] - 1 : 0);
	}
	return [first, last + Math.max(1, ticks.quantum)];
}

// The part of a range within a span; if there is none, the range itself: the page then reports that no samples are
// left.
export function clampRange(range, [first, last]) {
	const from = Math.max(range[0], first), to = Math.min(range[1], last);
	return from < to ? [from, to] : range;
}
