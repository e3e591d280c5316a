// The timeline: a heat map of seconds by moments within them, a strip for each thread, and ranges selected in both.
import {el, on, textScale} from './dom.js';
import {clampRange, heatCells, heatShape, stripCells, tickSpan} from './heat.js';
import {formatCount, formatNumber} from './format.js';
import {legible} from './legible.js';
import {cutMiddle} from './shorten.js';
import {STATES, findIntervals, findWaits, intervalAt, stateCells, stateColor, describeWait, waitAt} from './states.js';

const SECOND = 1e9;
const HEAT = 150; /* pixels: the height of the map */
const LARGER = textScale();
const STRIP = Math.round(24 * LARGER);
const AXIS = Math.round(16 * LARGER);
const LABEL = 9 * LARGER; /* pixels: from the top of a row to the middle of its text */
const MOST_STRIPS = 200;
const SHADES = 12;
const BAND = 5; /* pixels: the states of a thread, below its samples */
const SERIES = Math.round(34 * LARGER);

const isEmpty = (input) => !input.value && !input.validity.badInput;

export class TimelineView {
	// host: {ink, colors, setRange(range, second), back(), threadName(thread), showReason(reason), showStack(thread, stack)}
	constructor(host) {
		this.host = host;
		this.heat = el('canvas', {role: 'img', 'aria-label': 'Samples over time. Use the fields to select a range.'});
		this.strips = el('canvas', {role: 'application', tabIndex: 0, 'aria-label': 'Threads over time. Arrow keys move to threads and to their waits.'});
		this.place = null; // {thread, time}: the wait that is described
		this.fields = ['From', 'to', 'compare with', 'to'].map((text, i) => {
			const input = el('input', {type: 'number', min: 0, step: 'any', 'aria-label': ['From', 'To', 'Compare from', 'Compare to'][i] + ', seconds'});
			on(input, 'change', () => this.typed(i > 1));
			// An invalid number does not cause a change event, since the value stays empty.
			on(input, 'blur', () => input.validity.badInput && this.typed(i > 1));
			on(input, 'keydown', ({key}) => {
				if (key === 'Escape')
					this.clear(i > 1);
				else if (key === 'Enter' && input.validity.badInput)
					this.typed(i > 1);
			});
			return el('label', {}, text, input);
		});
		this.series = el('canvas', {role: 'img', 'aria-label': 'The system over time'});
		this.others = el('p', {className: 'others'});
		this.legend = el('p', {className: 'states'});
		this.described = el('div', {className: 'described', role: 'status'});
		this.said = el('p', {className: 'said'});
		this.wrong = el('p', {className: 'wrong', role: 'alert'});
		this.element = el('section', {className: 'timeline', 'aria-label': 'Timeline'},
			el('div', {className: 'heat'}, this.heat), el('div', {className: 'ranges'}, ...this.fields, ' s', this.wrong, this.said),
			el('div', {className: 'strips'}, this.strips), this.others, this.legend, this.described, el('div', {className: 'series'}, this.series));
		this.listen(this.heat, (x, y) => this.heatTime(x, y));
		this.listen(this.strips, (x) => this.start + Math.min(Math.max(x / this.width, 0), 1) * this.span);
		on(this.strips, 'keydown', (e) => this.walk(e));
		new ResizeObserver(() => this.draw()).observe(this.element);
	}

	// counts(i): does tick i count; chosen(thread): is it one of those that are shown; ranges: [range, range2]; timed: does the event have
	// ticks, which filters may have left out?
	show(profile, counts, chosen, ranges, timed) {
		const ticks = profile.ticks(), span = tickSpan(ticks);
		if (this.profile !== profile) {
			this.intervals = findIntervals(profile);
			this.waits = findWaits(profile, this.intervals);
		}
		Object.assign(this, {profile, ticks, counts, chosen, ranges, timed, start: span[0], span: span[1] - span[0]});
		this.fields.forEach((field, i) => {
			const range = ranges[i >> 1];
			field.lastChild.value = range ? +((range[i & 1] - this.start) / SECOND).toFixed(6) : '';
			field.lastChild.removeAttribute('aria-invalid');
		});
		this.wrong.textContent = '';
		this.draw();
	}

	inputs(second) {
		return this.fields.slice(second ? 2 : 0, second ? 4 : 2).map((field) => field.lastChild);
	}

	// Clears a range and its two fields; if they are empty already, the key acts as elsewhere.
	clear(second) {
		if (this.ranges[second ? 1 : 0] || !this.inputs(second).every(isEmpty))
			this.host.setRange(null, second);
		else
			this.host.back();
	}

	// Reads a range from its two fields, clamped to the recording; two empty ones are no range.
	typed(second) {
		const inputs = this.inputs(second), none = inputs.every(isEmpty);
		const [from, to] = inputs.map((input) => input.value * SECOND), bad = inputs.some((input) => input.validity.badInput);
		const half = !none && !bad && inputs.some(isEmpty);
		const why = none || half ? '' : bad ? 'expected seconds, such as 1.5' :
			second && !this.ranges[0] ? 'select the first range before the one to compare with' :
			from >= to ? 'the start must be before the end' :
			from >= this.span || to <= 0 ? 'the recording lasts from 0 s to ' + this.timeText(this.span) : '';
		this.wrong.textContent = half ? 'Enter both ends of the range.' : why && `Invalid range: ${why}.`;
		inputs.forEach((input) => input.setAttribute('aria-invalid', !!why));
		if (!why && !half)
			this.host.setRange(none ? null : clampRange([this.start + from, this.start + to], [this.start, this.start + this.span]), second);
	}

	// Resizes the canvas; null if it has no size.
	prepare(canvas, height) {
		const scale = devicePixelRatio || 1, width = canvas.parentNode.clientWidth;
		canvas.width = width * scale;
		canvas.height = height * scale;
		canvas.style.width = width + 'px';
		canvas.style.height = height + 'px';
		const g = canvas.getContext('2d');
		g.scale(scale, scale);
		g.font = `${11 * LARGER}px system-ui, sans-serif`;
		g.textBaseline = 'middle';
		g.fillStyle = this.host.ink.ground;
		g.fillRect(0, 0, width, height);
		this.width = width;
		return g;
	}

	draw() {
		if (!this.ticks || !this.element.clientWidth)
			return;
		this.drawHeat();
		this.drawStrips();
		this.drawSeries();
	}

	drawHeat() {
		const width = this.heat.parentNode.clientWidth;
		const shape = heatShape(this.span, SECOND, Math.floor(width / 5), this.span / this.ticks.nr);
		const columns = Math.ceil(this.span / shape.column), high = Math.floor(HEAT / shape.rows);
		const g = this.prepare(this.heat, shape.rows * high + AXIS);
		const cells = heatCells(this.ticks, this.start, shape, columns, this.counts);
		const most = cells.reduce((a, b) => Math.max(a, b), 0) || 1, cell = width / columns, {ink} = this.host;
		Object.assign(this, {shape, columns, high, cell});
		for (let i = 0; i < cells.length; i++) {
			const c = Math.floor(i / shape.rows), r = i % shape.rows;
			g.fillStyle = ink.heat[Math.ceil(Math.sqrt(cells[i] / most) * SHADES)];
			g.fillRect(c * cell, (shape.rows - 1 - r) * high, cell - (cell > 4 ? 1 : 0), high - (high > 4 ? 1 : 0.5));
		}
		g.fillStyle = ink.muted;
		for (let c = 0, every = Math.ceil(70 * LARGER / cell); c < columns; c += every) {
			const text = this.timeText(c * shape.column);
			g.fillText(text, Math.min(c * cell, width - g.measureText(text).width), shape.rows * high + LABEL);
		}
		this.ranges.forEach((range, which) => range && this.markHeat(g, range, which));
		// The message depends on the event: another one may have times.
		this.said.textContent = this.timed ? `A column is ${this.timeText(shape.column)}, a cell ${this.timeText(shape.column / shape.rows)}. Drag a range; ` +
			'drag another with Shift or Ctrl to compare.' : 'The selected event has no timestamps.';
	}

	timeText(time) {
		return formatCount(time, 'ns');
	}

	markHeat(g, [from, to], which) {
		const {shape, cell, high} = this, all = shape.rows * high;
		for (let c = 0; c < this.columns; c++) {
			const start = this.start + c * shape.column;
			const a = Math.max(0, (from - start) / shape.column), b = Math.min(1, (to - start) / shape.column);
			if (b > a)
				this.wash(g, which, c * cell, all * (1 - b), cell, all * (b - a));
		}
	}

	// Colors a range: sets its hue and keeps the lightness below, since a translucent color would mix to gray.
	wash(g, which, ...place) {
		const color = this.host.ink.range[which];
		g.fillStyle = color;
		g.fillRect(...place);
		g.globalCompositeOperation = 'color';
		g.fillStyle = `rgb(${color.match(/[\d.]+/g).slice(0, 3)})`;
		g.fillRect(...place);
		g.globalCompositeOperation = 'source-over';
	}

	drawStrips() {
		const {ticks, waits, host: {ink}} = this, weight = new Map(), band = waits ? BAND : 0;
		for (let i = 0; i < ticks.nr; i++)
			if (this.counts(i))
				weight.set(ticks.thread[i], (weight.get(ticks.thread[i]) || 0) + ticks.weight[i]);
		// Adds threads that only wait, which have no samples of CPU time.
		waits?.thread.forEach((thread, i) => waits.state[i] < 0 || weight.has(thread) || this.chosen(thread) && weight.set(thread, 0));
		const threads = this.threads = [...weight.keys()].sort((a, b) => weight.get(b) - weight.get(a)).slice(0, MOST_STRIPS);
		this.others.textContent = weight.size > MOST_STRIPS ? `The ${MOST_STRIPS} most expensive of ${weight.size} threads; choose others with Threads.` : '';
		const row = new Int32Array(this.profile.threads.length).fill(-1);
		threads.forEach((thread, i) => row[thread] = i);
		const g = this.prepare(this.strips, threads.length * STRIP), bins = Math.max(1, Math.floor(this.width / 2));
		const cells = stripCells(ticks, this.start, this.span, bins, row, threads.length, this.counts);
		const most = cells.reduce((a, b) => Math.max(a, b), 0) || 1;
		g.fillStyle = ink.heat[SHADES - 4];
		for (let i = 0; i < cells.length; i++)
			if (cells[i]) {
				const high = Math.max(2, Math.sqrt(cells[i] / most) * (STRIP - 4 - band));
				g.fillRect(i % bins * this.width / bins, (Math.floor(i / bins) + 1) * STRIP - 1 - band - high, this.width / bins, high);
			}
		if (waits)
			this.drawStates(g, bins, row, threads.length);
		threads.forEach((thread, i) => {
			// A long name leaves half of the strip: letters are 7 pixels wide.
			const text = cutMiddle(this.host.threadName(thread), this.width / 14 / LARGER), y = i * STRIP + LABEL;
			g.fillStyle = ink.veil;
			g.fillRect(0, y - LABEL + 1, g.measureText(text).width + 8, 15 * LARGER);
			g.fillStyle = ink.text;
			g.fillText(text, 4, y);
		});
		this.ranges.forEach((range, which) => {
			if (range)
				this.wash(g, which, (range[0] - this.start) / this.span * this.width, 0,
					Math.max(1, (range[1] - range[0]) / this.span * this.width), threads.length * STRIP);
		});
		this.markPlace(g);
	}

	// A band below the samples of each thread: the state that took most of the time.
	drawStates(g, bins, row, rows) {
		const cells = stateCells(this.waits, this.ticks, this, bins, row, rows), {colors} = this.host, wide = this.width / bins;
		cells.forEach((cell, i) => {
			g.fillStyle = cell ? colors[stateColor(cell - 1)] : this.host.ink.ground;
			g.fillRect(i % bins * wide, (Math.floor(i / bins) + 1) * STRIP - 1 - BAND, wide + 0.5, BAND);
		});
		const there = new Set([0, ...this.waits.state]);
		this.legend.replaceChildren(...STATES.flatMap((text, state) => {
			const mark = el('i');
			mark.style.background = colors[stateColor(state)];
			const button = there.has(state) && el(state ? 'button' : 'span', {}, mark, text);
			if (state && button)
				on(button, 'click', () => this.host.showReason(text));
			return button || [];
		}));
	}

	// The wait at a place, or else another interval; -1: none.
	lastingAt({thread, time}) {
		const {intervals, waits} = this, wait = waits ? waitAt(waits, thread, time) : -1;
		return wait < 0 && intervals ? intervalAt(intervals, thread, time) : wait;
	}

	// Describes a place, after a click on a strip or a key.
	describeAt(place) {
		const found = this.lastingAt(place);
		this.place = place;
		this.draw();
		this.described.replaceChildren(...found < 0 ? [] : describeWait(this.profile, this.intervals, found, this.host.threadName).map(({text, thread: of, stack}) => {
			const line = el(stack && of ? 'button' : 'p', {}, legible(text));
			if (stack && of)
				on(line, 'click', () => this.host.showStack(of, stack));
			return line;
		}));
		this.described.scrollIntoView({block: 'nearest'});
	}

	// Up and down move to another thread, left and right to the previous and the next wait.
	walk(e) {
		const down = {ArrowUp: -1, ArrowDown: 1}[e.key], right = {ArrowLeft: -1, ArrowRight: 1}[e.key], {intervals, threads} = this;
		if (!down && !right || e.ctrlKey || e.metaKey || e.altKey || !threads.length)
			return;
		e.preventDefault();
		const row = this.place ? threads.indexOf(this.place.thread) : -1, to = Math.min(Math.max(row + (down ?? 0), 0), threads.length - 1);
		let {time} = this.place ?? {time: this.start}, next = right * Infinity;
		for (let i = 0; right && i < intervals?.nr; i++)
			if (intervals.thread[i] === threads[to] && right * (intervals.begin[i] - time) > 0 && right * (next - intervals.begin[i]) > 0)
				next = intervals.begin[i];
		time = Number.isFinite(next) ? next : time;
		this.describeAt({thread: threads[to], time});
		const {parentNode: {clientHeight, scrollTop}} = this.strips, least = (to + 1) * STRIP - clientHeight;
		this.strips.parentNode.scrollTop = Math.min(Math.max(scrollTop, least), to * STRIP);
	}

	// Draws a frame around the described interval, or a line if there is none.
	markPlace(g) {
		const row = this.place ? this.threads.indexOf(this.place.thread) : -1;
		if (row < 0)
			return;
		const found = this.lastingAt(this.place), x = (time) => (time - this.start) / this.span * this.width;
		const [from, to] = found < 0 ? [x(this.place.time), 0] : [x(this.intervals.begin[found]), x(this.intervals.end[found])];
		g.strokeStyle = this.host.ink.text;
		g.lineWidth = 2;
		g.strokeRect(from, row * STRIP + 1, Math.max(1, to - from), STRIP - 2);
	}

	// Draws the series of the system: a line for each, scaled to its largest value.
	drawSeries() {
		const list = this.profile.series.filter(({time}) => time.length > 1), g = this.prepare(this.series, list.length * SERIES), {ink} = this.host;
		list.forEach(({name, scope, unit, time, value}, row) => {
			const most = value.reduce((a, b) => Math.max(a, b), 0), bottom = (row + 1) * SERIES - 1;
			const x = (i) => (time[i] - this.ticks.start - this.start) / this.span * this.width;
			g.beginPath();
			g.moveTo(x(0), bottom);
			for (let i = 0; i < time.length; i++)
				g.lineTo(x(i), bottom - (most && value[i] / most) * (SERIES - 2 * LABEL));
			g.lineTo(x(time.length - 1), bottom);
			g.fillStyle = ink.heat[SHADES - 4];
			g.fill();
			g.fillStyle = ink.text;
			const amount = unit === 'bytes' || unit === 'ns' ? formatCount(most, unit) : `${formatNumber(most, 1)} ${unit}`;
			g.fillText(legible(`${name} (${scope || 'target'}), up to ${amount}`), 4, bottom - SERIES + LABEL);
		});
	}

	heatTime(x, y) {
		const {shape, cell, high} = this, c = Math.min(Math.max(Math.floor(x / cell), 0), this.columns - 1);
		const r = Math.min(Math.max(Math.floor(shape.rows - y / high), 0), shape.rows - 1);
		return this.start + (c + r / shape.rows) * shape.column;
	}

	// Selects a range by dragging between two moments, in either order; in the map, whole cells.
	listen(canvas, timeAt) {
		let from = null, clicked;
		const rangeOf = (e) => {
			const a = from, b = timeAt(e.offsetX, e.offsetY), step = canvas === this.heat ? this.shape.column / this.shape.rows : 0;
			return [Math.max(this.start, Math.min(a, b)), Math.min(this.start + this.span, Math.max(a, b) + step)];
		};
		on(canvas, 'pointerdown', (e) => {
			if (e.button)
				return;
			from = timeAt(e.offsetX, e.offsetY);
			canvas.setPointerCapture(e.pointerId);
		});
		on(canvas, 'pointermove', (e) => {
			if (from === null)
				return;
			const second = e.ctrlKey || e.shiftKey || e.metaKey ? 1 : 0, kept = this.ranges;
			this.ranges = kept.with(second, rangeOf(e));
			this.draw();
			this.ranges = kept;
		});
		on(canvas, 'pointerup', (e) => {
			if (from === null)
				return;
			const [a, b] = rangeOf(e);
			from = null;
			clicked = canvas === this.strips && b - a < this.span * 2 / this.width;
			if (!clicked && b > a)
				this.host.setRange([a, b], e.ctrlKey || e.shiftKey || e.metaKey);
		});
		// Not before: what is described moves other things below the finger, and these would be tapped.
		on(canvas, 'click', (e) => clicked && this.describeAt({thread: this.threads[Math.floor(e.offsetY / STRIP)], time: timeAt(e.offsetX)}));
		on(canvas, 'pointercancel', () => {
			from = null;
			this.draw();
		});
	}
}

