// What the runs of a comparison are divided by, where it is not one of shares: how long they took, or how often they
// were sampled.

// By side the sizes of its runs, or null.
export function runSizes(view) {
	if (view.get('normalize') === 'total')
		return null;
	const sides = (view.get('times') ?? '').split(';').map((side) => side.split(',').map(Number));
	return sides.length === 2 && sides.flat().every((size) => size > 0) ? sides : null;
}

export const sumOf = (list) => list.reduce((sum, n) => sum + n, 0);

// By column: what weights are multiplied by, so that before is in the time, or at the sampling rate, of after.
export function columnFactors(view) {
	const sizes = runSizes(view);
	return sizes ? [sumOf(sizes[1]) / sumOf(sizes[0]), 1] : null;
}

// Are changes those of weights, not normalized?  Otherwise they are changes of shares.
export function isAsItIs(view) {
	return view.get('normalize') === 'none' || runSizes(view) !== null;
}
