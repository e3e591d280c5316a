// What threads did over time: they ran, or waited for one reason or another.  Waits are intervals with the label `reason`;
// a thread runs when it does not wait, from the first to the last that is known of it.
import {formatCount} from './format.js';

// The color of each is a number of color.js.
const STATE_COLORS = {running: 5, 'cpu wait': 25, lock: 49, disk: 31, network: 43, pipe: 40, poll: 37, fault: 52, child: 46, sleep: 1, other: 0};
export const STATES = Object.keys(STATE_COLORS);
const FRAMES_TOLD = 12; // of a stack that is told

export const stateColor = (state) => STATE_COLORS[STATES[state]];

const labelValue = ({labelSets}, labels, key) => labelSets[labels].find((label) => label.key === key)?.value ?? '';

// By label set: the number of its reason among STATES, or -1.
const reasonsOf = (profile) => profile.labelSets.map((_, set) => STATES.indexOf(labelValue(profile, set, 'reason')));

// The waits of a profile, {nr, state, begin, end, …} as intervals have them, with times as ticks have them; null: there are none.
export function findWaits(profile) {
	const all = profile.intervals(), reasons = reasonsOf(profile);
	if (!all || !all.labels.some((set) => reasons[set] >= 0))
		return null;
	const shift = all.start - (profile.ticks()?.start ?? all.start);
	return {...all, state: Array.from(all.labels, (set) => reasons[set]), begin: all.begin.map((t) => t + shift), end: all.end.map((t) => t + shift)};
}

// By row and bin of equal length: 1 + the state that took most of it; 0: nothing is known.  row: by thread, or -1.
export function stateCells(waits, ticks, {start, span}, bins, row, rows) {
	const nr = STATES.length, time = new Float32Array(rows * bins * nr), size = span / bins, cells = new Uint8Array(rows * bins);
	const first = new Float64Array(rows).fill(Infinity), last = new Float64Array(rows).fill(-Infinity);
	const live = (r, from, to) => {
		first[r] = Math.min(first[r], from);
		last[r] = Math.max(last[r], to);
	};
	for (let i = 0; i < ticks.nr; i++)
		if (row[ticks.thread[i]] >= 0)
			live(row[ticks.thread[i]], ticks.time[i], ticks.time[i]);
	for (let i = 0; i < waits.nr; i++) {
		const r = row[waits.thread[i]] ?? -1, from = waits.begin[i] - start, to = Math.min(waits.end[i] - start, span);
		if (r < 0 || waits.state[i] < 0 || to <= from)
			continue;
		live(r, waits.begin[i], Math.min(waits.end[i], start + span));
		// One that stands for several, or of which a part was waiting for a CPU, is not that long.
		const part = Math.min(1, waits.weight[i] / (waits.end[i] - waits.begin[i]) || 0);
		for (let bin = Math.max(0, Math.floor(from / size)); bin < bins && bin * size < to; bin++)
			time[(r * bins + bin) * nr + waits.state[i]] += part * (Math.min(to, (bin + 1) * size) - Math.max(from, bin * size));
	}
	for (let cell = 0; cell < cells.length; cell++) {
		const r = Math.floor(cell / bins), begin = start + cell % bins * size, own = time.subarray(cell * nr, (cell + 1) * nr);
		own[0] = Math.min(last[r], begin + size) - Math.max(first[r], begin) - own.reduce((a, b) => a + b, 0);
		const most = own.indexOf(Math.max(...own));
		cells[cell] = own[most] > 0 ? 1 + most : 0;
	}
	return cells;
}

// The wait of a thread at a time, or -1: of several, the one that takes most of its own time.
export function waitAt(waits, thread, time) {
	const share = (i) => waits.weight[i] / (waits.end[i] - waits.begin[i]);
	let found = -1;
	for (let i = 0; i < waits.nr; i++)
		if (waits.thread[i] === thread && waits.state[i] >= 0 && waits.begin[i] <= time && time < waits.end[i] && (found < 0 || share(i) > share(found)))
			found = i;
	return found;
}

// The names of a stack from its leaf: a < b < c.
function leafFirst({stacks, words}, stack) {
	const names = [];
	for (let s = stack; s && names.length <= FRAMES_TOLD; s = stacks.caller[s])
		for (let k = words.first[stacks.frame[s] + 1] - 1; k >= words.first[stacks.frame[s]]; k--)
			names.push(words.name[words.of[k]]);
	return names.slice(0, FRAMES_TOLD).join(' < ') + (names.length > FRAMES_TOLD ? ' < …' : '');
}

// What is known of a wait: how long, why, for which lock and where; who held it.
export function tellWait(profile, waits, i, threadName) {
	const lock = labelValue(profile, waits.labels[i], 'lock'), lines = [];
	lines.push(`${threadName(waits.thread[i])}: ${formatCount(waits.end[i] - waits.begin[i], 'ns')}${lock && ' for ' + lock}: ${leafFirst(profile, waits.stack[i])}`);
	for (let link = profile.links[waits.link[i]]; link; link = profile.links[link.next])
		lines.push(`${{holder: 'held by ', waker: 'woken by '}[link.kind] ?? ''}${threadName(link.thread)}${link.stack ? ': ' + leafFirst(profile, link.stack) : ', which ran'}`);
	if (lock && lines.length === 1)
		lines.push('holder unknown');
	return lines;
}
