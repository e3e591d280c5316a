// What threads did over time, from waits made by hand.
import {STATES, findIntervals, findWaits, intervalAt, stateCells, statesOfCallers, statesOfNodes, describeWait, waitAt} from '../../web/states.js';
import {done, is, ok} from './tap.mjs';

const label = (reason, lock) => [{key: 'reason', value: reason}, ...lock ? [{key: 'lock', value: lock}] : []];
const names = ['main', 'take', '[lock]', 'hold', '[sleep]'];
const profile = {
	events: [{name: 'off-cpu', unit: 'ns', extent: 'share'}, {name: 'time', unit: 'ns', extent: 'self'}],
	labelSets: [[], label('lock', 'queue (app)'), label('sleep'), [{key: 'cpu', value: '1'}]],
	// Frame f has the word f; stacks: 1 main, 2 main take, 3 main take [lock], 4 hold, 5 hold [sleep].
	words: {name: names, kind: [0, 0, 2, 0, 2], first: [0, 1, 2, 3, 4, 5], of: [0, 1, 2, 3, 4]},
	stacks: {caller: [0, 0, 1, 2, 0, 4], frame: [0, 0, 1, 2, 3, 4]},
	links: [null, {kind: 'holder', thread: 2, stack: 5, next: 0}, {kind: 'holder', thread: 2, stack: 0, next: 0}],
	ticks: () => ({nr: 2, start: 1000, time: [0, 100], thread: [1, 1]}),
	// Intervals count from 1010.
	intervals: () => ({
		nr: 4, start: 1010, begin: Float64Array.of(10, 50, 0, 0), end: Float64Array.of(30, 70, 90, 90), weight: Float64Array.of(20, 20, 9, 90),
		event: [0, 0, 0, 1], thread: [1, 1, 1, 2], labels: [1, 1, 2, 3], stack: [3, 3, 5, 1], link: [1, 2, 0, 0],
	}),
};
const name = (thread) => 'thread ' + thread, tell = (...of) => describeWait(...of).map(({text}) => text);

const waits = findWaits(profile);
is([...waits.begin], [20, 60, 10, 10], 'times of waits count from the first sample');
is(findWaits({...profile, labelSets: [[], [], [], []]}), null, 'intervals without a reason are no waits');
is(findWaits({...profile, intervals: () => null}), null, 'a profile without intervals has no waits');

const cells = stateCells(waits, profile.ticks(), {start: 0, span: 120}, 12, [-1, 0, 1], 2);
const told = (row) => [...cells.subarray(row * 12, row * 12 + 12)].map((cell) => cell && STATES[cell - 1]);
is(told(0), ['running', 'running', 'lock', 'lock', 'running', 'running', 'lock', 'lock', 'running', 'running', 0, 0],
	'a thread runs where it does not wait, from its first sample to its last');
is(told(1), Array(12).fill(0), 'what has no reason is no state');

is(waitAt(waits, 1, 25), 0, 'finds the wait at a time, not the one that is spread over all of it');
is(waitAt(waits, 1, 45), 2, 'finds the wait that is spread where there is no other');
is(waitAt(waits, 2, 25), -1, 'finds no wait where there is none');
is(tell(profile, waits, 0, name), ['thread 1: 20\u00a0ns for queue (app): [lock] < take < main', 'held by thread 2: [sleep] < hold'],
	'tells the stack of a wait, and who held its lock, where');
is(tell(profile, waits, 1, name)[1], 'held by thread 2, stack unknown', 'tells a holder without a stack');
is(tell({...profile, links: [null, null, null]}, waits, 0, name)[1], 'holder unknown', 'tells that a holder is unknown');
ok(tell(profile, waits, 2, name).length === 1, 'a wait for no lock has no holder');
is(tell(profile, waits, 2, name)[0], 'thread 1: 9\u00a0ns in 90\u00a0ns: [sleep] < hold', 'tells how much of its time a wait is that is spread');
is(tell(profile, {...waits, weight: [0, 0, 0, 30]}, 3, name)[0], 'thread 2: 90\u00a0ns: main', 'tells the length of a span, whatever it costs itself');
is(tell(profile, {...waits, link: [0, 0, waits.link[1]]}, 2, name)[1], 'waits for thread 2, stack unknown', 'a thread that joins another waits for it: it holds no lock');

// main, take, twelve functions of the kernel, [lock]
const deep = Array.from({length: 15}, (_, i) => i), kernel = (i) => i > 1 && i < 14;
const long = {
	...profile, stacks: {caller: [0, ...deep], frame: [0, ...deep]}, links: [null, null, null],
	words: {name: deep.map((i) => kernel(i) ? 'k' + i : names[i] || '[lock]'), kind: deep.map((i) => +kernel(i)), first: [...deep, 15], of: deep},
};
is(tell(long, {...waits, stack: [15]}, 0, name)[0], 'thread 1: 20\u00a0ns for queue (app): [lock] < k13 < … < take < main',
	'shows the functions of the program in a long stack, and the innermost of the kernel');
is(tell(long, {...waits, stack: [14]}, 0, name)[0].split(' < ').length, 4, 'without a reason, too');
is(tell({...long, words: {...long.words, kind: deep.map(() => 1)}}, {...waits, stack: [15]}, 0, name)[0].split(' < ').length, 13,
	'shows a long stack of the kernel alone from its leaf');

const linked = {...profile, links: [null, {kind: 'parent', thread: 1, stack: 2, next: 0}, {kind: 'async', thread: 2, stack: 4, next: 1}, {kind: 'async', thread: 0, stack: 0, next: 0}]};
const spans = {...findIntervals(profile), link: [0, 0, 2, 3]};
is(intervalAt(spans, 1, 25), 0, 'finds the innermost interval of a thread');
is(intervalAt(spans, 2, 25), 3, 'finds an interval that is not a wait');
is(intervalAt(spans, 2, 150), -1, 'finds no interval where there is none');
is(tell(linked, spans, 2, name).slice(1), ['started by thread 2: hold', 'part of thread 1: take < main'], 'tells what started an interval, and what it is a part of');
is(tell(linked, spans, 3, name)[1], 'started by an unknown thread', 'tells that a thread is unknown');

// all; main 45 (run 10, wait 30 ([lock], woken by 30), both 5 ([disk] 2, 3 of itself)): tests/cli/flame.sh has the same.
const tree = {nr: 8, parent: [0, 0, 1, 1, 3, 4, 1, 6], word: [0, 0, 1, 2, 3, 4, 5, 6], total: [Float64Array.of(45, 45, 10, 30, 30, 30, 5, 2)]};
is([...statesOfNodes(tree, ['main', 'run', 'wait', '[lock]', 'wake', 'both', '[disk]'])].map((state) => STATES[state]),
	['lock', 'lock', 'running', 'lock', 'lock', 'lock', 'running', 'disk'], 'a frame has the state in which most of its time was spent');
// main calls take, which mostly waits for a lock; hold calls take, which mostly runs.
const everything = {nr: 7, parent: [0, 0, 1, 2, 0, 4, 5], word: [-1, 0, 1, 2, 3, 1, 4], end: [7, 4, 4, 4, 7, 7, 7], total: [[100, 70, 70, 60, 30, 30, 5]]};
const callers = {nr: 3, word: [1, 0, 3], end: [3, 2, 3]};
is(Array.from(statesOfCallers(callers, everything, names), (s) => STATES[s]).join(), 'lock,lock,running', 'callers of a function have the state of what it did for them');
const ofLock = {nr: 3, word: [2, 1, 0], end: [3, 3, 3]};
is(Array.from(statesOfCallers(ofLock, everything, names), (s) => STATES[s]).join(), 'lock,lock,lock', 'callers of a reason wait for it');

done();
