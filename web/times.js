// The sizes by which runs are divided in a comparison that is not one of shares: their durations, or their sampling
// rates.

// By side: the sizes of its runs, or null.
export function runSizes(view) {
	if (view.get('normalize') === 'total')
		return null;
	const sides = (view.get('times') ?? '').split(';').map((side) => side.split(',').map(Number));
	return sides.length === 2 && sides.flat().every((size) => size > 0) ? sides : null;
}

export const sumOf = (list) => list.reduce((sum, n) => sum + n, 0);

// By column: the factors of weights, which scale before to the duration, or the sampling rate, of after.
export function columnFactors(view) {
	const sizes = runSizes(view);
	return sizes ? [sumOf(sizes[1]) / sumOf(sizes[0]), 1] : null;
}

// Are changes those of weights (not normalized), not of shares?
export function isAsItIs(view) {
	return view.get('normalize') === 'none' || runSizes(view) !== null;
}
