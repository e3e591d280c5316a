// Samples over time, as one list in order of time: ticks, and the intervals that replace them.  A wait counts during
// its whole duration, not at its begin; a span counts while it is the innermost one of its thread, so it may have
// several pieces.

// The pieces of intervals as columns: the row of the interval, begin and end, and the share of its weight.
class Pieces {
	constructor() {
		[this.row, this.from, this.to, this.share] = [[], [], [], []];
	}

	add(row, from, to, share) {
		this.row.push(row);
		this.from.push(from);
		this.to.push(to);
		this.share.push(share);
	}
}

// Adds the pieces of spans, rows of one event and thread.
function addSpans(pieces, rows, {begin, weight}, endOf) {
	const first = pieces.row.length, open = [], taken = new Map(), size = new Map();
	let now = 0;
	const pass = (time) => {
		if (open.length && time > now) {
			const row = open.at(-1);
			pieces.add(row, now, time, 0);
			taken.set(row, (taken.get(row) ?? 0) + time - now);
		}
		now = Math.max(now, time);
	};
	const close = (time) => {
		for (; open.length && endOf(open.at(-1)) <= time; open.pop())
			pass(endOf(open.at(-1)));
	};
	// Of spans that begin together, the outer one comes first.
	rows.sort((a, b) => begin[a] - begin[b] || endOf(b) - endOf(a) || a - b);
	for (const row of rows) {
		close(begin[row]);
		pass(begin[row]);
		now = begin[row];
		open.push(row);
	}
	close(Infinity);
	for (let i = first; i < pieces.row.length; i++)
		pieces.share[i] = (pieces.to[i] - pieces.from[i]) / taken.get(pieces.row[i]);
	// A span without a duration is a moment.
	for (const row of rows)
		if (!taken.has(row) && weight[row])
			pieces.add(row, begin[row], begin[row], 1);
}

function piecesOf(events, all, uses, endOf) {
	const pieces = new Pieces(), spans = new Map();
	for (let i = 0; i < all.nr; i++) {
		const event = all.event[i], {extent} = events[event];
		if (!uses[event])
			continue;
		if (extent !== 'self') {
			pieces.add(i, all.begin[i], extent === 'share' ? endOf(i) : all.begin[i], 1);
			continue;
		}
		const key = event * 2 ** 32 + all.thread[i];
		spans.set(key, spans.get(key) ?? []).get(key).push(i);
	}
	for (const rows of spans.values())
		addSpans(pieces, rows, all, endOf);
	return pieces;
}

const latest = (times) => times.reduce((a, b) => b < Infinity ? Math.max(a, b) : a, 0);

// The ticks of a profile, or null; intervals replace the ticks of their events, which say less or are missing.
// `until` is the end of each, `first` is 1 for a tick and for the first piece of an interval.
export function momentsOf({events}, given, all) {
	if (!all || !all.nr)
		return given;
	const has = events.map((_, event) => all.event.includes(event));
	const lacks = given && !given.timed && given.event.some((event) => !has[event]);
	// Ticks whose times are line numbers cannot be merged with times.
	if (lacks)
		return given;
	const ticks = given?.timed ? given : null, ticked = events.map((_, event) => !!ticks?.event.includes(event));
	const uses = events.map(({extent}, event) => has[event] && (extent === 'share' || !ticked[event]));
	if (!uses.includes(true))
		return given;
	const start = ticks?.start ?? all.start, shift = all.start - start, rows = [];
	const most = Math.max(latest(all.begin), latest(all.end), ticks ? latest(ticks.time) - shift : 0);
	const pieces = piecesOf(events, all, uses, (row) => Math.min(all.end[row], most));
	// Rows of ticks, and pieces as negative numbers.
	ticks?.event.forEach((event, i) => uses[event] || rows.push(i));
	pieces.row.forEach((_, i) => rows.push(~i));
	const timeOf = (i) => i < 0 ? pieces.from[~i] + shift : ticks.time[i];
	const order = Int32Array.from(rows).sort((a, b) => timeOf(a) - timeOf(b)), seen = new Set();
	const column = (Type, key) => Type.from(order, (i) => i < 0 ? all[key][pieces.row[~i]] : ticks[key][i]);
	const isFirst = (i) => i >= 0 || !seen.has(pieces.row[~i]) && !!seen.add(pieces.row[~i]);
	return {nr: order.length, quantum: Math.max(ticks?.quantum ?? 1, all.quantum), timed: true, start, time: Float64Array.from(order, timeOf),
		until: Float64Array.from(order, (i) => i < 0 ? pieces.to[~i] + shift : ticks.time[i]), first: Uint8Array.from(order, (i) => isFirst(i) ? 1 : 0),
		event: column(Uint32Array, 'event'), thread: column(Uint32Array, 'thread'), stack: column(Uint32Array, 'stack'), labels: column(Uint32Array, 'labels'),
		weight: Float64Array.from(order, (i) => i < 0 ? all.weight[pieces.row[~i]] * pieces.share[~i] : ticks.weight[i])};
}
