// The states of threads over time: running, or waiting for some reason.  Waits are intervals with the label `reason`;
// between its first and its last sample or wait, a thread that does not wait is running.
import {formatCount} from './format.js';
import {childOf} from './tree.js';

// By state: its first color, a number of color.js, and the number of its shades.
const STATE_SHADES = {running: [4, 4], 'cpu wait': [24, 3], lock: [48, 3], disk: [30, 3], network: [42, 3], pipe: [39, 3], poll: [36, 3], fault: [51, 3],
	child: [45, 3], sleep: [0, 4], other: [33, 3]};
export const STATES = Object.keys(STATE_SHADES);
const FRAMES_SHOWN = 12; // shown of a stack

export const stateColor = (state) => STATE_SHADES[STATES[state]][0] + 1;

// A shade of a state, by the hash of a name.
export function shadeOfState(state, hash) {
	const [first, nr] = STATE_SHADES[STATES[state]];
	return first + hash % nr;
}

// The state of a frame's name such as [lock]; 0 (running) if that is not a reason.
export const stateOfName = (name) => name[0] === '[' && name.at(-1) === ']' ? Math.max(0, STATES.indexOf(name.slice(1, -1))) : 0;

// By node of a tree: the state in which most of its time was spent.  A node's waits are the sums of the reasons among
// its descendants; during the rest of its time, it ran.
export function statesOfNodes({nr, parent, word, total}, names) {
	const ofWord = names.map(stateOfName), time = total.at(-1), own = new Uint8Array(nr), most = new Uint8Array(nr);
	const waits = new Float64Array(nr), longest = new Float64Array(nr);
	for (let i = 1; i < nr; i++)
		own[i] = own[parent[i]] || ofWord[word[i]];
	for (const state of new Set(own)) {
		const ofState = state ? new Float64Array(nr) : null;
		for (let i = nr; ofState && i-- > 0;) {
			if (own[i]) {
				if (own[i] === state && !own[parent[i]])
					ofState[parent[i]] += time[i];
				continue;
			}
			waits[i] += ofState[i];
			if (ofState[i] > longest[i] || ofState[i] === longest[i] && ofState[i] && state < most[i]) {
				longest[i] = ofState[i];
				most[i] = state;
			}
			if (i)
				ofState[parent[i]] += ofState[i];
		}
	}
	for (let i = 0; i < nr; i++)
		if (own[i] || time[i] - waits[i] >= longest[i])
			most[i] = own[i];
	return most;
}

// The time of a node by state.
function timesOf({end, parent, total, word}, node, ofWord) {
	const time = total.at(-1), times = new Float64Array(STATES.length);
	for (let n = node; n; n = parent[n])
		if (ofWord[word[n]]) {
			times[ofWord[word[n]]] = time[node];
			return times;
		}
	times[0] = time[node];
	for (let i = node + 1; i < end[node]; i++) {
		const state = ofWord[word[i]];
		if (state) {
			times[state] += time[i];
			times[0] -= time[i];
			i = end[i] - 1;
		}
	}
	return times;
}

// The same as statesOfNodes() for the callers of a function: the states of its frames are taken from the tree of all
// stacks.
export function statesOfCallers(tree, everything, names) {
	const ofWord = names.map(stateOfName), nr = STATES.length, times = new Float64Array(tree.nr * nr), {end, parent, word} = everything;
	for (let n = 1; n < everything.nr; n++) {
		if (word[n] !== tree.word[0])
			continue;
		const own = timesOf(everything, n, ofWord);
		for (let at = 0, up = n; at >= 0; up = parent[up], at = up ? childOf(tree, at, word[up]) : -1)
			own.forEach((time, state) => times[at * nr + state] += time);
		n = end[n] - 1;
	}
	return Uint8Array.from({length: tree.nr}, (_, node) => {
		const own = times.subarray(node * nr, (node + 1) * nr);
		return own.indexOf(Math.max(...own));
	});
}

const labelValue = ({labelSets}, labels, key) => labelSets[labels].find((label) => label.key === key)?.value ?? '';

// By label set: the number of its reason among STATES, or -1.
const reasonsOf = (profile) => profile.labelSets.map((_, set) => STATES.indexOf(labelValue(profile, set, 'reason')));

// The intervals of a profile, {nr, begin, end, …}, with times relative to the same start as ticks; null: there are
// none.
export function findIntervals(profile) {
	const all = profile.intervals(), shift = all && all.start - (profile.ticks()?.start ?? all.start);
	return all && {...all, begin: all.begin.map((t) => t + shift), end: all.end.map((t) => t + shift)};
}

// The intervals with the state of each, -1 if it is not a wait; null: there are no waits.
export function findWaits(profile, all = findIntervals(profile)) {
	const reasons = reasonsOf(profile);
	if (!all || !all.labels.some((set) => reasons[set] >= 0))
		return null;
	return {...all, state: Array.from(all.labels, (set) => reasons[set])};
}

// By row and bin of equal length: 1 + the state that took most of it; 0: unknown.  row: by thread, or -1.
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
		// A wait that represents several, or a part of which was waiting for a CPU, has a smaller weight than
		// its length.
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

// The wait of a thread at a time, or -1; of several, the one whose weight is the largest share of its length.
export function waitAt(waits, thread, time) {
	const share = (i) => waits.weight[i] / (waits.end[i] - waits.begin[i]);
	let found = -1;
	for (let i = 0; i < waits.nr; i++)
		if (waits.thread[i] === thread && waits.state[i] >= 0 && waits.begin[i] <= time && time < waits.end[i] && (found < 0 || share(i) > share(found)))
			found = i;
	return found;
}

// The interval of a thread at a time, or -1; of several, the innermost one, which is the shortest.
export function intervalAt(all, thread, time) {
	const long = (i) => all.end[i] - all.begin[i];
	let found = -1;
	for (let i = 0; i < all.nr; i++)
		if (all.thread[i] === thread && all.begin[i] <= time && time < all.end[i] && (found < 0 || long(i) <= long(found)))
			found = i;
	return found;
}

// The words of a stack from its leaf.
function wordsOf({stacks, words}, stack) {
	const found = [];
	for (let s = stack; s; s = stacks.caller[s])
		for (let k = words.first[stacks.frame[s] + 1] - 1; k >= words.first[stacks.frame[s]]; k--)
			found.push(words.of[k]);
	return found;
}

// The names of a stack from its leaf.
export const namesOf = (profile, stack) => wordsOf(profile, stack).map((w) => profile.words.name[w]);

// The same as text: a < b < c.  Of a long stack, only the leaf of the kernel's part is shown: user code is more
// informative.
function leafFirst(profile, stack) {
	const found = wordsOf(profile, stack), names = found.map((w) => profile.words.name[w]);
	const inKernel = found.map((w) => profile.words.kind[w] === 1), from = inKernel.indexOf(true) + 1, to = inKernel.lastIndexOf(true) + 1;
	if (names.length > FRAMES_SHOWN && from < to && to < names.length)
		names.splice(from, to - from, '…');
	return names.slice(0, FRAMES_SHOWN).join(' < ') + (names.length > FRAMES_SHOWN ? ' < …' : '');
}

const LINK_WORDS = {holder: 'held by ', waker: 'woken by ', parent: 'part of ', async: 'started by '};

// A link as text: the thread and its stack.  A waker without a thread is an interrupt; a holder without a lock is a
// thread that is waited for.
function linkText(profile, {kind, thread, stack}, threadName, lock) {
	const wakes = kind === 'waker' || kind === 'holder', who = thread ? threadName(thread) : wakes ? 'an interrupt' : 'an unknown thread';
	return (kind === 'holder' && !lock ? 'waits for ' : LINK_WORDS[kind]) + who + (stack ? ': ' + leafFirst(profile, stack) : wakes ? ', stack unknown' : '');
}

// The length of an interval; if its weight is only a part of that, both.
function lengthText({events}, {begin, end, event, weight}, i) {
	const length = end[i] - begin[i], {extent, unit} = events[event[i]], spread = extent === 'share' && unit === 'ns' && weight[i] < 0.99 * length;
	return (spread ? formatCount(weight[i], unit) + ' in ' : '') + formatCount(length, 'ns');
}

// Describes a wait or another interval as lines of {text, thread, stack}: its duration, reason, lock and stack; the
// holder of the lock, the waker or starter, and the enclosing interval.
export function describeWait(profile, waits, i, threadName) {
	const lock = labelValue(profile, waits.labels[i], 'lock'), lines = [];
	const add = (thread, stack, text) => lines.push({thread, stack, text});
	const thread = waits.thread[i], stack = waits.stack[i];
	let link = profile.links[waits.link[i]], held = !lock;
	add(thread, stack, `${threadName(thread)}: ${lengthText(profile, waits, i)}${lock && ' for ' + lock}: ${leafFirst(profile, stack)}`);
	for (; link; link = profile.links[link.next]) {
		held ||= link.kind === 'holder';
		add(link.thread, link.stack, linkText(profile, link, threadName, lock));
	}
	if (!held)
		add(0, 0, 'holder unknown');
	return lines;
}
