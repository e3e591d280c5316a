// Samples over time: a strip for each thread, and a map whose columns are seconds and whose rows are the
// moments within a second.

// What the map is cut into: the span of a column and the number of rows, so that there are at most
// `most` columns.  Steps are in the unit of the times.
export function heatShape(span, second, most) {
	const spans = [1, 2, 5, 10, 30, 60, 300, 600, 3600];
	// A short recording has columns of less than a second.
	for (const part of [0.01, 0.02, 0.05, 0.1, 0.2, 0.5])
		if (span / (second * part) <= most / 2)
			return {column: second * part, rows: 20};
	for (const s of spans)
		if (span / (second * s) <= most)
			return {column: second * s, rows: 50};
	return {column: span / most, rows: 50};
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
