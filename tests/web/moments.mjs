// What happened when: ticks, and intervals in their place.
import {momentsOf} from '../../web/moments.js';
import {done, is} from './tap.mjs';

const EVENTS = [{extent: 'share'}, {extent: 'self'}, {extent: 'whole'}];
const intervals = (rows, start = 1000) => {
	const column = (Type, key, none = 0) => Type.from(rows, (row) => row[key] ?? none);
	return {nr: rows.length, quantum: 1, start, begin: column(Float64Array, 'begin'), end: column(Float64Array, 'end', Infinity), event: column(Uint32Array, 'event'),
		thread: column(Uint32Array, 'thread'), stack: column(Uint32Array, 'stack'), labels: column(Uint32Array, 'labels'),
		weight: Float64Array.from(rows, ({weight, begin, end}) => weight ?? end - begin)};
};
const ticks = (rows, timed = true) => ({nr: rows.length, quantum: 1, timed, start: 990, time: Float64Array.from(rows, ({time}) => time), event: Uint32Array.from(rows, ({event}) => event),
	thread: new Uint32Array(rows.length), stack: new Uint32Array(rows.length), labels: new Uint32Array(rows.length), weight: new Float64Array(rows.length).fill(1)});
const told = (m) => Array.from(m.time, (time, i) => [m.stack[i], time, m.until[i], m.weight[i]]);

is(momentsOf({events: EVENTS}, null, null), null, 'a profile without ticks and intervals has no times');

const waits = momentsOf({events: EVENTS}, null, intervals([{begin: 5, end: 9, stack: 1}, {begin: 0, end: 3, stack: 2}]));
is(told(waits), [[2, 0, 3, 3], [1, 5, 9, 4]], 'intervals without ticks are in order of time, from begin to end');
is(waits.start, 1000, 'times count from the earliest interval');

const spans = momentsOf({events: EVENTS}, null, intervals([
	{event: 1, begin: 0, end: 10, stack: 1, weight: 4}, {event: 1, begin: 2, end: 8, stack: 2, weight: 4}, {event: 1, begin: 4, end: 6, stack: 3, weight: 2},
	{event: 1, thread: 1, begin: 1, end: 2, stack: 4}, {event: 1, begin: 10, end: 10, stack: 5, weight: 7},
]));
is(told(spans), [[1, 0, 2, 2], [4, 1, 2, 1], [2, 2, 4, 2], [3, 4, 6, 2], [2, 6, 8, 2], [1, 8, 10, 2], [5, 10, 10, 7]],
	'a span counts where it is the innermost one of its thread; one that takes no time is a moment');
is([...spans.first], [1, 1, 1, 1, 0, 0, 1], 'only the first piece of a span is one');

const together = momentsOf({events: EVENTS}, null, intervals([{event: 1, begin: 0, end: 2, stack: 2}, {event: 1, begin: 0, end: 5, stack: 1, weight: 3}]));
is(told(together), [[2, 0, 2, 2], [1, 2, 5, 3]], 'of spans that begin together, the longer one is the outer one');

const open = momentsOf({events: EVENTS}, null, intervals([{event: 0, begin: 0, end: Infinity, stack: 1, weight: 9}, {event: 0, begin: 3, end: 9, stack: 2}]));
is(told(open)[0], [1, 0, 9, 9], 'what has no end lasts as long as anything');

const heap = momentsOf({events: EVENTS}, null, intervals([{event: 2, begin: 4, end: 9, stack: 1, weight: 64}]));
is(told(heap), [[1, 4, 4, 64]], 'an allocation counts when it is made');

const mixed = momentsOf({events: EVENTS}, ticks([{time: 0, event: 1}, {time: 30, event: 0}]), intervals([{event: 0, begin: 5, end: 9, stack: 1}, {event: 1, begin: 0, end: 4, stack: 2}]));
is(told(mixed), [[0, 0, 0, 1], [1, 15, 19, 4]], 'ticks stay, but for those of waits');
is(momentsOf({events: EVENTS}, ticks([{time: 1, event: 2}], false), intervals([{begin: 0, end: 4}])).timed, false, 'line numbers are not mixed with times');
is(told(momentsOf({events: EVENTS}, ticks([{time: 1, event: 0}], false), intervals([{begin: 0, end: 4, stack: 3}]))), [[3, 0, 4, 4]],
	'intervals take the place of line numbers of the same event');
done();
