// The window: the part of the total weight that is on the screen, [from, to).

// The limit of the zoom, as a share of the whole: below this, doubles run out of digits.
const NARROWEST = 1e-12;

// Moves a window inside [0, whole], keeping its width if possible.
export function clampWindow([from, to], whole) {
	const width = Math.min(Math.max(to - from, whole * NARROWEST), whole);
	const start = Math.min(Math.max(from, 0), whole - width);
	return [start, start + width];
}

// Zooms by a factor while the weight under `share` of the width stays where it is.
export function zoomWindow([from, to], factor, share, whole) {
	const width = (to - from) / factor, fixed = from + (to - from) * share;
	return clampWindow([fixed - width * share, fixed + width * (1 - share)], whole);
}

export function panWindow([from, to], share, whole) {
	const by = (to - from) * share;
	return clampWindow([from + by, to + by], whole);
}

// Interpolates between two windows, t in 0…1: the width changes by equal factors in equal times, and the point that
// both show at the same position stays there, so that the eye can follow.
export function betweenWindows(a, b, t) {
	const wa = a[1] - a[0], wb = b[1] - b[0];
	const width = wa * (wb / wa) ** t;
	const done = Math.abs(wb - wa) < 1e-9 * wa ? t : (width - wa) / (wb - wa);
	const from = a[0] + (b[0] - a[0]) * done;
	return [from, from + width];
}

// Easing: fast, then slow.
export const eased = (t) => 1 - (1 - t) ** 3;

// The deepest node that contains the whole window.
export function nodeOfWindow(tree, [from, to]) {
	const {left, width, end} = tree, slack = (to - from) * 1e-9;
	let node = 0;
	for (let child = 1; child < end[node];) {
		if (width[child] && left[child] <= from + slack && left[child] + width[child] >= to - slack) {
			node = child++;
			continue;
		}
		if (left[child] > from + slack)
			break;
		child = end[child];
	}
	return node;
}

export const isWhole = ({whole}, [from, to]) => to - from >= whole * (1 - 1e-9);

const SHARE_PARTS = 1e6; // resolution of a share: finer ones would be written with an exponent

// The part of a node's width that a window shows, as two shares, or null for all of it.
export function partOf({left, width}, node, window) {
	const [from, to] = window.map((x) => Math.min(Math.max(Math.round((x - left[node]) / width[node] * SHARE_PARTS), 0), SHARE_PARTS));
	const begin = Math.min(from, SHARE_PARTS - 1);
	return from || to < SHARE_PARTS ? [begin / SHARE_PARTS, Math.max(to, begin + 1) / SHARE_PARTS] : null;
}

// The number of rows of a node's subtree, counted from the root: it ends at the first row without a node of it.
export function rowsUnder({rows, depth, end, maxDepth}, node) {
	let d = depth[node] + 1;
	while (d <= maxDepth && hasNodeOf(rows[d], node, end[node]))
		d++;
	return d;
}

// Is a node of the row, which is sorted, in [begin, end)?
function hasNodeOf(row, begin, end) {
	let low = 0, high = row.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (row[middle] < begin)
			low = middle + 1;
		else
			high = middle;
	}
	return low < row.length && row[low] < end;
}
