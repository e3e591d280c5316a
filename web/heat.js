// Samples over time: a strip for each thread, and a map whose columns are seconds and whose rows are the
// moments within a second.

const PARTS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 600, 3600];
const MOST_ROWS = 50, FEWEST_ROWS = 5;
const FEW_COLUMNS = 15;

// What the map is cut into: a column is a second where that gives some columns, less in a short recording,
// more in one so long that there would be more than `most`.  A cell is long enough for two samples, `gap`
// apart: finer ones would show the clock of the profiler.
export function heatShape(span, second, most, gap) {
	const fits = PARTS.filter((part) => span / (second * part) <= most && second * part >= 2 * FEWEST_ROWS * gap);
	const best = fits.includes(1) && span / second >= FEW_COLUMNS ? 1 : fits[0] ?? span / second / most;
	const rows = Math.floor(second * best / (2 * gap || 1));
	return {column: second * best, rows: Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, rows))};
}

// Weights by cell: cell = column * rows + row.  `counts` says which ticks do.
export function heatCells(ticks, start, shape, columns, counts) {
	const cells = new Float64Array(columns * shape.rows), size = shape.column / shape.rows;
	for (let i = 0; i < ticks.nr; i++) {
		const cell = Math.floor((ticks.time[i] - start) / size);
		if (counts(i) && cell >= 0 && cell < cells.length)
			cells[cell] += ticks.weight[i];
	}
	return cells;
}

// Weights by thread and bin of equal length.
export function stripCells(ticks, start, span, bins, row, rows, counts) {
	const cells = new Float64Array(rows * bins);
	for (let i = 0; i < ticks.nr; i++) {
		const bin = Math.min(bins - 1, Math.floor((ticks.time[i] - start) / span * bins));
		if (counts(i) && bin >= 0 && row[ticks.thread[i]] >= 0)
			cells[row[ticks.thread[i]] * bins + bin] += ticks.weight[i];
	}
	return cells;
}

// First and last time, the end excluded; null without ticks.
export function tickSpan(ticks) {
	if (!ticks || !ticks.nr)
		return null;
	let first = Infinity, last = -Infinity;
	for (let i = 0; i < ticks.nr; i++) {
		first = Math.min(first, ticks.time[i]);
		last = Math.max(last, ticks.time[i]);
	}
	return [first, last + Math.max(1, ticks.quantum)];
}
