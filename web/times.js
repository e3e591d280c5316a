// How long the runs of a comparison took, where it is one of what happened in the same time.

// By side the seconds of its runs, or null.
export function runTimes(view) {
	if (view.get('normalize') !== 'duration')
		return null;
	const sides = (view.get('times') ?? '').split(';').map((side) => side.split(',').map(Number));
	return sides.length === 2 && sides.flat().every((time) => time > 0) ? sides : null;
}

export const sumOf = (list) => list.reduce((sum, n) => sum + n, 0);

// By column: what weights are multiplied by, so that before is in the time of after.
export function columnFactors(view) {
	const times = runTimes(view);
	return times ? [sumOf(times[1]) / sumOf(times[0]), 1] : null;
}

// Are changes those of weights, not normalized?  Otherwise they are changes of shares.
export function isAsItIs(view) {
	return view.get('normalize') === 'none' || runTimes(view) !== null;
}
