// The script of the SVG.  The file opens as a plain picture; then the script reads the embedded profile, and draws
// the visible frames from it at any zoom, so that all recorded frames can be reached.
import {unbase64} from './bytes.js';
import {formatShare} from './format.js';
import {Head, MARGIN} from './head.js';
import {readPack} from './profile.js';
import {matchTotal, matchWords, parseSearch} from './search.js';
import {Subject} from './subject.js';
import {STYLE, fillScreen, firstPaint, isTouched, make, readLook} from './svg.js';

const LEAST_LETTERS = 3;
const SEAM = 0.5;
const NARROW = 600; // pixels
const MANY = 300; // frames
const LARGER = {row: 4 / 3, base: 4 / 3, letter: 7 / 6}; // sizes for touch screens
const HINT = 'click: zoom, /: search, Esc: back', TOUCH_HINT = 'tap: zoom';

const widthOf = (box) => Math.max(box.width - SEAM, 0.1).toFixed(1);

class Picture {
	constructor(frames) {
		this.frames = frames;
		this.svg = frames.ownerSVGElement;
		this.look = readLook(frames);
		this.drawn = {...this.look};
		this.height = +this.svg.getAttribute('height');
		this.zoomed = 0;
		this.before = []; // earlier zooms
		this.at = 0; // the frame selected by keyboard
		this.search = null;
		this.nodes = new WeakMap(); // of the elements
		this.elements = new Map(); // of the nodes
		this.models = new Map(); // of rectangles, by their style
	}

	async read() {
		const pack = this.svg.querySelector('#wick');
		this.subject = new Subject(await readPack(unbase64(pack.textContent)), this.look);
		this.tree = this.subject.tree;
	}

	// Sets up the page around the frames: texts, buttons and their actions.
	start() {
		const {svg, look} = this;
		svg.prepend(make('style', {}, STYLE));
		this.frames.classList.add(look.peer ? 'peer' : 'wick');
		svg.setAttribute('tabindex', '0');
		this.head = new Head(svg, look, +this.frames.getAttribute('width') + 2 * MARGIN,
			{reset: () => this.zoom(0), open: () => this.openSearch(), input: (text) => this.find(text)});
		if (look.fluid) {
			fillScreen(svg);
			svg.removeAttribute('viewBox');
			svg.setAttribute('width', '100%');
			addEventListener('resize', () => this.later());
		}
		addEventListener('scroll', () => this.head.stick());
		addEventListener('keydown', (e) => this.key(e));
		addEventListener('popstate', () => this.followLink());
		this.frames.addEventListener('click', (e) => this.click(e));
		this.frames.addEventListener('mouseover', (e) => this.hover(e));
		this.frames.addEventListener('mouseleave', () => this.describe(this.at));
		this.readLink();
		this.draw();
		this.describe(this.zoomed);
		document.documentElement.dataset.ready = '1';
	}

	width() {
		return Math.max(this.look.fluid ? this.svg.getBoundingClientRect().width : +this.svg.getAttribute('width'), 100);
	}

	// Redraws once for several changes of the size.
	later() {
		cancelAnimationFrame(this.waiting);
		this.waiting = requestAnimationFrame(() => this.draw());
	}

	// The visible nodes with their positions in pixels, and runs of narrow neighbors.
	visible(width) {
		const {tree, zoomed} = this, shown = [], more = [];
		for (let i = tree.parent[zoomed]; zoomed && i !== undefined; i = i ? tree.parent[i] : undefined)
			shown.push({node: i, x: 0, width, up: true});
		const scale = width / (tree.width[zoomed] || 1), origin = tree.left[zoomed], least = 1 / scale;
		const begin = new Float64Array(tree.maxDepth + 2), end = new Float64Array(tree.maxDepth + 2).fill(-1);
		const flush = (depth) => {
			if (end[depth] - begin[depth] >= least)
				more.push({depth, x: (begin[depth] - origin) * scale, width: (end[depth] - begin[depth]) * scale});
			end[depth] = -1;
		};
		for (let i = zoomed; i < tree.end[zoomed];) {
			const wide = tree.width[i], left = tree.left[i], depth = tree.depth[i];
			if (wide >= least || i === zoomed) {
				shown.push({node: i, x: (left - origin) * scale, width: wide * scale, up: false});
				i++;
				continue;
			}
			if (end[depth] !== left || wide === 0) {
				flush(depth);
				begin[depth] = left;
			}
			end[depth] = left + wide;
			i = tree.end[i];
		}
		for (let depth = 0; depth < end.length; depth++)
			flush(depth);
		return {shown, more};
	}

	// swift: if there are many frames, those without names are drawn with the next picture.
	draw(swift) {
		const width = this.width(), inner = width - 2 * MARGIN;
		this.fitRows(width);
		const {shown, more} = this.visible(inner);
		let deepest = 0;
		for (const box of shown)
			deepest = Math.max(deepest, this.tree.depth[box.node]);
		for (const box of more)
			deepest = Math.max(deepest, box.depth);
		this.height = Math.max(this.height, (deepest + 1) * this.look.row + this.look.room);
		this.rows = Math.round((this.height - this.look.room) / this.look.row);
		this.models.clear();
		this.elements.clear();
		const isNamed = (box) => this.lettersIn(box) >= LEAST_LETTERS, rest = shown.filter((box) => !isNamed(box));
		this.frames.replaceChildren(this.framesOf(shown.filter(isNamed)));
		cancelAnimationFrame(this.waiting);
		const fill = () => this.frames.append(this.pathOf(more), this.framesOf(rest));
		if (swift && rest.length > MANY)
			this.waiting = requestAnimationFrame(fill);
		else
			fill();
		this.frames.setAttribute('width', inner);
		this.frames.classList.toggle('found', this.hits !== undefined && this.hits !== null);
		this.svg.setAttribute('height', this.height);
		this.placeHead(width);
		this.mark();
	}

	framesOf(boxes) {
		const all = document.createDocumentFragment();
		for (const box of boxes)
			all.append(this.frame(box));
		return all;
	}

	// A run of narrow neighbors is one element.
	pathOf(boxes) {
		return make('path', {class: 'more', fill: '#d9dade', d: boxes.map((box) =>
			`M${box.x.toFixed(1)} ${this.top(box.depth)}h${widthOf(box)}v${this.barHeight()}h-${widthOf(box)}z`).join('')});
	}

	placeHead(width = this.width()) {
		this.head.place(width, this.height, this.zoomed);
	}

	// Larger rows on a phone.
	fitRows(width) {
		const {drawn, look} = this, large = look.fluid && !look.peer && width < NARROW && isTouched();
		if (large === this.frames.classList.contains('large'))
			return;
		this.frames.classList.toggle('large', large);
		for (const size in LARGER)
			look[size] = drawn[size] * (large ? LARGER[size] : 1);
		this.height = 0;
	}

	top(depth) {
		const {look} = this;
		return look.top + (look.up ? this.rows - 1 - depth : depth) * look.row;
	}

	barHeight() {
		return Math.max(this.look.row - 1, 0);
	}

	// Clones a rectangle of the same style: that is faster than creating a new one.
	rect(style, fill, depth, box) {
		const key = style + fill;
		if (!this.models.has(key))
			this.models.set(key, make('rect', {...style && {class: style}, fill, height: this.barHeight()}));
		const rect = this.models.get(key).cloneNode();
		rect.setAttribute('x', box.x.toFixed(1));
		rect.setAttribute('y', this.top(depth));
		rect.setAttribute('width', widthOf(box));
		return rect;
	}

	lettersIn(box) {
		return Math.floor((box.width - (this.look.snug ? 0 : 6)) / this.look.letter);
	}

	// A rectangle; if there is room for a name, a group of both.  Most frames are narrow.
	frame(box) {
		const {node} = box, depth = this.tree.depth[node], color = this.subject.colorOf(node);
		const hit = this.hits && node && this.hits[this.tree.word[node]];
		const state = (box.up ? 'up ' : '') + (hit ? 'hit ' : ''), dark = this.subject.named || hit ? '' : 'c' + color;
		const fill = hit ? this.look.hit : this.subject.colors.css[color], letters = this.lettersIn(box);
		let frame;
		if (letters < LEAST_LETTERS) {
			frame = this.rect(state + dark, fill, depth, box);
		} else {
			frame = make('g', {class: state});
			frame.append(this.rect(dark, fill, depth, box),
				make('text', {x: (box.x + 3).toFixed(1), y: this.top(depth) + this.look.base}, this.subject.label(node, letters)));
		}
		this.nodes.set(frame, node);
		this.elements.set(node, frame);
		return frame;
	}

	describe(node) {
		const {details, said} = this.head;
		if (node)
			details.textContent = this.look.nametype + this.subject.describe(node, this.zoomed, this.lettersOfName());
		else
			details.textContent = this.look.peer ? said : `${said} \u2013 ${isTouched() ? TOUCH_HINT : HINT}`;
	}

	// The length of a name in the line below the title: half of it, since the rest is for numbers.
	lettersOfName() {
		return Math.max(Math.floor(this.width() / this.look.letter / 2), 20);
	}

	nodeAt(event) {
		const {target} = event;
		return this.nodes.get(target) ?? this.nodes.get(target.parentNode);
	}

	click(event) {
		const node = this.nodeAt(event);
		if (node !== undefined)
			this.zoom(node);
	}

	hover(event) {
		const node = this.nodeAt(event);
		if (node === undefined)
			return;
		const g = this.elements.get(node);
		if (g && !g.querySelector('title'))
			g.prepend(make('title', {}, this.subject.tip(node, this.zoomed)));
		this.describe(node);
	}

	zoom(node) {
		if (node !== this.zoomed)
			this.before.push(this.zoomed);
		this.show(node);
		this.writeLink();
	}

	show(node) {
		this.zoomed = this.at = node;
		this.draw(true);
		this.describe(node);
	}

	back() {
		if (!this.zoomed)
			return;
		this.show(this.before.pop() ?? 0);
		this.writeLink();
	}

	mark() {
		this.marked?.classList.remove('at');
		this.marked = this.keyboard ? this.elements.get(this.at) : null;
		this.marked?.classList.add('at');
	}

	// Moves to a node, by keyboard; ignores nodes that are too narrow to be visible.
	walk(node) {
		if (!this.elements.has(node))
			return;
		this.keyboard = true;
		this.at = node;
		this.mark();
		this.describe(node);
		this.marked.scrollIntoView({block: 'nearest'});
	}

	sibling(step) {
		const {tree, at} = this, row = tree.rows[tree.depth[at]];
		let i = row.indexOf(at) + step;
		while (i >= 0 && i < row.length && !this.elements.has(row[i]))
			i += step;
		if (i >= 0 && i < row.length)
			this.walk(row[i]);
	}

	// The widest callee of the current frame.
	child() {
		const {tree, at} = this;
		let widest = -1;
		for (let i = at + 1; i < tree.end[at]; i = tree.end[i])
			if (widest < 0 || tree.width[i] > tree.width[widest])
				widest = i;
		this.walk(widest);
	}

	key(event) {
		const {key} = event, typing = event.target === this.head.input;
		const search = (event.ctrlKey || event.metaKey) && key === 'f' || key === 'F3' || !typing && key === '/';
		const keys = {Escape: () => this.escape(), Enter: () => this.zoom(this.at), Backspace: () => this.back(),
			0: () => this.zoom(0), ArrowLeft: () => this.sibling(-1), ArrowRight: () => this.sibling(1),
			[this.look.up ? 'ArrowDown' : 'ArrowUp']: () => this.walk(this.at && this.tree.parent[this.at]),
			[this.look.up ? 'ArrowUp' : 'ArrowDown']: () => this.child()};
		const act = search ? () => this.openSearch() : typing && key !== 'Escape' || event.ctrlKey || event.altKey || event.metaKey
			? null : keys[key];
		if (!act)
			return;
		event.preventDefault();
		act();
	}

	// Undoes the search, or else the zoom.
	escape() {
		if (this.search === null) {
			this.back();
			return;
		}
		this.head.showBox(false);
		this.head.input.value = '';
		this.find('');
		this.search = null;
		this.svg.focus({preventScroll: true});
		this.placeHead();
	}

	openSearch() {
		this.search ??= '';
		this.head.showBox(true);
		this.placeHead();
	}

	find(text) {
		this.search = text;
		const search = parseSearch(text);
		this.hits = text ? matchWords(this.subject.profile, search) : null;
		const share = text ? matchTotal(this.tree, this.hits) / (this.tree.whole || 1) : 0;
		this.head.found.textContent = !text ? '' : search.error ?? (share ? `${formatShare(share)} matched` : 'no match');
		this.draw();
		this.writeLink();
	}

	// Keeps the state in the URL, so that it can be shared.
	writeLink() {
		const link = new URLSearchParams();
		if (this.zoomed)
			link.set('zoom', this.subject.paths[this.zoomed].toString(36));
		if (this.search)
			link.set('search', this.search);
		try {
			const hash = String(link);
			history[this.search ? 'replaceState' : 'pushState'](null, '', hash ? '#' + hash : location.pathname + location.search);
		} catch {
			// Not allowed, as in a sandboxed frame: the picture works without.
		}
	}

	readLink() {
		const link = new URLSearchParams(location.hash.slice(1));
		const path = parseInt(link.get('zoom') ?? '', 36);
		this.zoomed = this.at = path ? Math.max(this.subject.paths.indexOf(path), 0) : 0;
		const search = link.get('search');
		if (!search)
			return;
		this.openSearch();
		this.head.input.value = search;
		this.find(search);
	}

	followLink() {
		this.readLink();
		this.draw();
		this.describe(this.zoomed);
	}
}

async function startPicture() {
	const frames = document.getElementById('frames');
	const picture = new Picture(frames);
	await firstPaint();
	try {
		await picture.read();
		picture.start();
	} catch (e) {
		console.error(`wick: cannot make the picture interactive: ${e.message}`);
	}
}

startPicture();
