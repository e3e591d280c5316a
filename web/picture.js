// The script of the SVG.  The file opens as a plain picture; then the profile inside it is read, and from
// there on the frames that can be seen are drawn from it, at any zoom: nothing that was recorded is out of reach.
import {unbase64} from './bytes.js';
import {readPack} from './profile.js';
import {buildTree} from './tree.js';
import {matchTotal, matchWords, parseSearch} from './search.js';
import {shorten} from './shorten.js';
import {formatCount, formatDelta, formatShare} from './format.js';
import {changeOf, colorByChange, colorHash, colorScheme} from './color.js';
import {peerScheme} from './peer.js';
import {columnFactors} from './times.js';

const SVG_NS = 'http://www.w3.org/2000/svg';
const XHTML_NS = 'http://www.w3.org/1999/xhtml';
const MARGIN = 10;
const LEAST_LETTERS = 3;
const CHANGE_LETTERS = 12; // room for the number of a change and some of the name
const THIN = '\u2009';
const SEAM = 0.5;
const NARROW = 600; // pixels
const LARGER = {row: 4 / 3, base: 4 / 3, letter: 7 / 6}; // what a finger finds
const BUTTONS = 160; // the room they take in the head
const HINT = 'click: zoom, /: search, Esc: back', TOUCH_HINT = 'tap: zoom';
const STYLE = `
#frames g,#frames>rect:not(.more){cursor:pointer}
#frames g:hover rect,#frames .at rect,#frames>rect:not(.more):hover,#frames>.at{stroke:#1a1a1a;stroke-width:1;stroke-opacity:1;stroke-dasharray:none}
#frames .up rect{fill-opacity:.5}
#frames.found g:not(.hit) rect,#frames.found>rect:not(.hit,.more){fill-opacity:.4}
#frames.peer text{fill:#000;pointer-events:none}
#frames .hit{fill:var(--hit,#f48be0)}
.button{cursor:pointer}
.button:hover,.button:focus{text-decoration:underline}
.off{display:none}
svg:focus{outline:none}
#frames.large text{font-size:14px}
@media (prefers-color-scheme:dark){#frames.wick g:hover rect,#frames.wick .at rect,#frames.wick>rect:not(.more):hover,#frames.wick>.at{stroke:#f2f2f2}
#frames.wick .hit{fill:var(--hit,#a8329a)}}`;

// Names are written by others: what would break the text or turn its direction is replaced.
function plainText(text) {
	return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, '\ufffd');
}

function make(name, attributes, text) {
	const element = document.createElementNS(SVG_NS, name);
	for (const key in attributes)
		element.setAttribute(key, attributes[key]);
	if (text !== undefined)
		element.textContent = text;
	return element;
}

// Is it used with fingers?
const isTouched = () => matchMedia('(pointer: coarse)').matches;

// Phones lay out what does not say so for a desk, and show it small.
function fillScreen(svg) {
	const meta = document.createElementNS(XHTML_NS, 'meta');
	meta.setAttribute('name', 'viewport');
	meta.setAttribute('content', 'width=device-width, initial-scale=1');
	svg.prepend(meta);
}

// How the file was drawn: the writer left it on the frames' element.
function readLook(frames) {
	const {row, base, letter, top, room, up, fluid, hit, nametype, peer, ui, cut} = frames.dataset;
	return {row: +row, base: +base, letter: +letter, top: +top, room: +room, up: up === '1', fluid: fluid === '1',
		hit, nametype: nametype ? plainText(nametype) + ' ' : '', peer: peer === '1', ui, cut};
}

// By event, 1 where its number is in the list.
function eventColumn(profile, numbers) {
	const column = new Uint8Array(profile.events.length);
	for (const n of (numbers ?? '0').split(','))
		column[n] = 1;
	return column;
}

// What the file was asked to show.
function queryOf(profile) {
	const {view} = profile;
	const columns = view.has('before') ? [eventColumn(profile, view.get('before')), eventColumn(profile, view.get('after'))]
		: [eventColumn(profile, view.get('event'))];
	return {columns, samples: view.get('weight') === 'samples', factors: columns.length > 1 ? columnFactors(view) : null, threads: null, range: null, range2: null, transforms: [],
		reverse: view.get('tree') === 'reverse', order: view.get('sort') ?? 'name', byThread: 'comm',
		widthOf: view.get('width') === 'either' ? 'either' : 1, least: 0};
}

// Hashes of the ways to all nodes: a link names the stack it means, whatever the picture's size.
function hashWays(profile, tree) {
	const word = profile.words.name.map(colorHash), ways = new Uint32Array(tree.nr);
	for (let i = 1; i < tree.nr; i++)
		ways[i] = Math.imul(ways[tree.parent[i]] ^ word[tree.word[i]], 0x9e3779b1) + 1;
	return ways;
}

class Picture {
	constructor(frames) {
		this.frames = frames;
		this.svg = frames.ownerSVGElement;
		this.look = readLook(frames);
		this.drawn = {...this.look};
		this.height = +this.svg.getAttribute('height');
		this.zoomed = 0;
		this.before = []; // where the zoom was
		this.at = 0; // the frame that the keyboard is at
		this.search = null;
		this.nodes = new WeakMap(); // of the elements
		this.elements = new Map(); // of the nodes
	}

	async read() {
		const pack = this.svg.querySelector('#wick');
		this.profile = await readPack(unbase64(pack.textContent));
		this.view = this.profile.view;
		this.tree = buildTree(this.profile, queryOf(this.profile));
		this.colors = this.look.peer ? peerScheme(this.profile, this.tree)
			: colorScheme(this.view.get('color'), this.profile, false);
		// wick's own colors are classes, so that they can be dark or light.
		this.named = this.look.peer || this.profile.words.color !== null;
		this.unit = plainText(this.view.get('unit') ?? 'samples');
	}

	// The page around the frames: lines of text, buttons, and what they do.
	start() {
		const {svg, look} = this;
		svg.prepend(make('style', {}, STYLE));
		if (look.hit)
			svg.style.setProperty('--hit', look.hit);
		this.frames.classList.add(look.peer ? 'peer' : 'wick');
		svg.setAttribute('tabindex', '0');
		this.addHead();
		if (look.fluid) {
			fillScreen(svg);
			svg.removeAttribute('viewBox');
			svg.setAttribute('width', '100%');
			addEventListener('resize', () => this.later());
		}
		addEventListener('scroll', () => this.stick());
		addEventListener('keydown', (e) => this.key(e));
		addEventListener('popstate', () => this.followLink());
		this.frames.addEventListener('click', (e) => this.click(e));
		this.frames.addEventListener('mouseover', (e) => this.hover(e));
		this.frames.addEventListener('mouseleave', () => this.tell(this.at));
		this.ways = hashWays(this.profile, this.tree);
		this.changed = !look.peer && this.view.has('changed') ?
			new Set(this.view.get('changed').split(',').map((way) => parseInt(way, 16))) : null;
		this.readLink();
		this.draw();
		this.tell(this.zoomed);
		document.documentElement.dataset.ready = '1';
	}

	addHead() {
		const {svg, look} = this;
		this.head = svg.querySelector('#head') ?? svg;
		this.details = svg.querySelector('#details') ?? this.addText({id: 'details'});
		this.said = this.details.textContent;
		this.reset = this.addButton('Reset zoom', () => this.zoom(0));
		this.open = this.addButton('Search', () => this.openSearch());
		this.found = this.addText({class: 'legend', 'text-anchor': 'end', role: 'status'});
		this.details.setAttribute('role', 'status');
		this.box = make('foreignObject', {class: 'off', width: 170, height: 26});
		this.input = document.createElementNS(XHTML_NS, 'input');
		Object.assign(this.input, {type: 'search', placeholder: 'name or /regex/', spellcheck: false});
		this.input.setAttribute('aria-label', 'Search');
		Object.assign(this.input.style, {width: '160px', height: '22px', boxSizing: 'border-box', font: '12px monospace'});
		this.input.addEventListener('input', () => this.find(this.input.value));
		this.box.append(this.input);
		this.head.append(this.box);
		if (!look.peer)
			this.head.prepend(make('rect', {id: 'lid', width: '100%', height: look.room - 16}));
	}

	addText(attributes, text = '') {
		const element = make('text', this.look.ui ? {fill: this.look.ui, ...attributes} : attributes, text);
		this.head.append(element);
		return element;
	}

	addButton(text, act) {
		const button = this.addText({class: 'button', tabindex: '0', role: 'button'}, text);
		button.addEventListener('click', act);
		button.addEventListener('keydown', (e) => {
			if (e.key === 'Enter' || e.key === ' ') {
				e.preventDefault();
				e.stopPropagation();
				act();
			}
		});
		return button;
	}

	width() {
		return Math.max(this.look.fluid ? this.svg.getBoundingClientRect().width : +this.svg.getAttribute('width'), 100);
	}

	// Many changes of the size are one drawing.
	later() {
		cancelAnimationFrame(this.waiting);
		this.waiting = requestAnimationFrame(() => this.draw());
	}

	// The head stays in sight where a tall picture is scrolled.
	stick() {
		if (this.head !== this.svg)
			this.head.setAttribute('transform', `translate(0 ${Math.max(scrollY, 0)})`);
	}

	placeHead(width) {
		const y = 24, {look} = this;
		this.open.setAttribute('x', width - MARGIN - (look.peer ? 110 : 50));
		this.open.setAttribute('y', y);
		this.reset.setAttribute('x', look.peer ? MARGIN : width - MARGIN - 135);
		this.reset.setAttribute('y', y);
		this.box.setAttribute('x', width - MARGIN - 165);
		this.box.setAttribute('y', look.peer ? y - 16 : 32);
		this.found.setAttribute('x', width - MARGIN - (this.box.classList.contains('off') ? 0 : 175));
		if (look.peer) {
			this.details.setAttribute('x', MARGIN);
			this.details.setAttribute('y', look.up ? this.height - 17 : look.top - 6);
		}
		this.found.setAttribute('y', this.details.getAttribute('y'));
		this.reset.classList.toggle('off', !this.zoomed);
		this.placeLegend(width - BUTTONS);
	}

	// As many of the colors as there is room for between the title and this place.
	placeLegend(right) {
		const legend = this.svg.querySelector('#legend'), rects = [...legend?.querySelectorAll('rect') ?? []];
		if (!rects.length || right === this.legendRight)
			return;
		this.legendRight = right;
		const begins = rects.map((rect) => +rect.getAttribute('x')), first = begins[0], title = this.svg.querySelector('#title');
		const room = right - 2 * MARGIN - title.getComputedTextLength() - MARGIN, ends = [...begins.slice(1), this.drawnWidth() - MARGIN];
		const nr = ends.filter((end) => end - first <= room).length;
		[...legend.children].forEach((part, i) => part.classList.toggle('off', i >= 2 * nr));
		legend.setAttribute('transform', `translate(${right - MARGIN - (nr ? ends[nr - 1] : first)} 0)`);
	}

	drawnWidth() {
		return this.firstWidth ??= +this.frames.getAttribute('width') + 2 * MARGIN;
	}

	// What can be seen: nodes with their place in pixels, and neighbors that together can be.
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

	draw() {
		const width = this.width(), inner = width - 2 * MARGIN;
		this.fitRows(width);
		const {shown, more} = this.visible(inner);
		let deepest = 0;
		this.drawnWidth();
		for (const box of shown)
			deepest = Math.max(deepest, this.tree.depth[box.node]);
		for (const box of more)
			deepest = Math.max(deepest, box.depth);
		this.height = Math.max(this.height, (deepest + 1) * this.look.row + this.look.room);
		this.rows = Math.round((this.height - this.look.room) / this.look.row);
		const all = document.createDocumentFragment();
		for (const box of more)
			all.append(make('rect', {class: 'more', ...this.rectOf(box.depth, box)}));
		this.elements.clear();
		for (const box of shown)
			all.append(this.frame(box));
		this.frames.replaceChildren(all);
		this.frames.setAttribute('width', inner);
		this.frames.classList.toggle('found', this.hits !== undefined && this.hits !== null);
		this.svg.setAttribute('height', this.height);
		this.placeHead(width);
		this.mark();
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

	rectOf(depth, box) {
		return {x: box.x.toFixed(1), y: this.top(depth), width: Math.max(box.width - SEAM, 0.1).toFixed(1),
			height: Math.max(this.look.row - 1, 0)};
	}

	// A rectangle, and where there is room for a name, one element around both: most frames are narrow.
	frame(box) {
		const {node} = box, depth = this.tree.depth[node], color = this.colorOf(node);
		const hit = this.hits && node && this.hits[this.tree.word[node]];
		const style = (box.up ? 'up ' : '') + (hit ? 'hit ' : '') + (this.named ? '' : 'c' + color);
		const letters = Math.floor((box.width - 6) / this.look.letter), rect = make('rect', this.rectOf(depth, box));
		const frame = letters < LEAST_LETTERS ? rect : make('g', {});
		frame.setAttribute('class', style);
		if (this.named && !hit)
			frame.setAttribute('fill', this.colors.css[color]);
		if (frame !== rect)
			frame.append(rect, make('text', {x: (box.x + 3).toFixed(1), y: this.top(depth) + this.look.base}, this.label(node, letters)));
		this.nodes.set(frame, node);
		this.elements.set(node, frame);
		return frame;
	}

	name(node) {
		return node ? plainText(this.profile.words.name[this.tree.word[node]]) : 'all';
	}

	// Is the change of a node one that chance explains?  The writer knows.
	isNoise(node) {
		return this.changed !== null && !this.changed.has(this.ways[node]);
	}

	colorOf(node) {
		return this.view.get('color') === 'diff' && this.isNoise(node) ? colorByChange(0) : this.colors.of(this.tree, node);
	}

	// Pictures of other programs' kind cut names as those do.
	label(node, letters) {
		const name = this.name(node);
		if (this.look.peer)
			return this.cut([...name], letters);
		const change = this.tree.total.length === 2 ? changeOf(this.tree, node, this.view) : 0;
		if (Math.abs(change) < 0.001 || this.isNoise(node))
			return shorten(name, letters);
		const points = formatDelta(change).replace(/\s*pt$/, ' '), sign = letters < CHANGE_LETTERS ? points[0] + THIN : points;
		return sign + shorten(name, letters - sign.length);
	}

	cut(name, letters) {
		const keep = Math.max(letters - 2, 0);
		if (name.length < letters)
			return name.join('');
		return this.look.cut === 'left' ? '..' + name.slice(name.length - keep).join('') : name.slice(0, keep).join('') + '..';
	}

	// All about a node, in a line.
	describe(node) {
		const {tree, zoomed} = this;
		let text = `${this.name(node)} (${tree.total.length === 2 ? this.describeChange(node) : this.describeWidth(node)}`;
		if (zoomed && node >= zoomed && node < tree.end[zoomed])
			text += `, ${formatShare(tree.width[node] / (tree.width[zoomed] || 1))} of the zoom`;
		return text + ')';
	}

	describeWidth(node) {
		const width = this.tree.width[node], whole = Math.max(this.tree.width[0], +this.view.get('total') || 0);
		return `${formatCount(width * (+this.view.get('factor') || 1), this.unit)}, ${formatShare(width / (whole || 1))}`;
	}

	// The width of a comparison is of neither side: both are told.
	describeChange(node) {
		const {total} = this.tree, change = changeOf(this.tree, node, this.view);
		return total.map(t => formatCount(t[node], this.unit)).join(' → ') + ', '
			+ total.map(t => formatShare(t[node] / (t[0] || 1))).join(' → ') + ', '
			+ formatDelta(change) + (change && this.isNoise(node) ? ', inside the noise' : '');
	}

	tell(node) {
		if (node)
			this.details.textContent = this.look.nametype + this.describe(node);
		else
			this.details.textContent = this.look.peer ? this.said : `${this.said} \u2013 ${isTouched() ? TOUCH_HINT : HINT}`;
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
			g.prepend(make('title', {}, this.describe(node)));
		this.tell(node);
	}

	zoom(node) {
		if (node !== this.zoomed)
			this.before.push(this.zoomed);
		this.show(node);
		this.writeLink();
	}

	show(node) {
		this.zoomed = this.at = node;
		this.draw();
		this.tell(node);
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

	// To a node, with the keyboard; one that is too narrow to be seen is not gone to.
	walk(node) {
		if (!this.elements.has(node))
			return;
		this.keyboard = true;
		this.at = node;
		this.mark();
		this.tell(node);
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

	// The widest frame that this one calls.
	child() {
		const {tree, at} = this;
		let widest = -1;
		for (let i = at + 1; i < tree.end[at]; i = tree.end[i])
			if (widest < 0 || tree.width[i] > tree.width[widest])
				widest = i;
		this.walk(widest);
	}

	key(event) {
		const {key} = event, typing = event.target === this.input;
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

	// First the search goes, then the zoom.
	escape() {
		if (this.search === null) {
			this.back();
			return;
		}
		this.box.classList.add('off');
		this.input.value = '';
		this.find('');
		this.search = null;
		this.svg.focus({preventScroll: true});
		this.placeHead(this.width());
	}

	openSearch() {
		this.search ??= '';
		this.box.classList.remove('off');
		this.placeHead(this.width());
		this.input.focus();
		this.input.select();
	}

	find(text) {
		this.search = text;
		const search = parseSearch(text);
		this.hits = text ? matchWords(this.profile, search) : null;
		const share = text ? matchTotal(this.tree, this.hits) / (this.tree.whole || 1) : 0;
		this.found.textContent = !text ? '' : search.error ?? (share ? `${formatShare(share)} matched` : 'no match');
		this.draw();
		this.writeLink();
	}

	// The state is in the link, so that it can be sent to somebody.
	writeLink() {
		const link = new URLSearchParams();
		if (this.zoomed)
			link.set('zoom', this.ways[this.zoomed].toString(36));
		if (this.search)
			link.set('search', this.search);
		try {
			const hash = String(link);
			history[this.search ? 'replaceState' : 'pushState'](null, '', hash ? '#' + hash : location.pathname + location.search);
		} catch {
			// A place whose link cannot be changed, such as a frame that is locked up: the picture works without.
		}
	}

	readLink() {
		const link = new URLSearchParams(location.hash.slice(1));
		const way = parseInt(link.get('zoom') ?? '', 36);
		this.zoomed = this.at = way ? Math.max(this.ways.indexOf(way), 0) : 0;
		const search = link.get('search');
		if (!search)
			return;
		this.openSearch();
		this.input.value = search;
		this.find(search);
	}

	followLink() {
		this.readLink();
		this.draw();
		this.tell(this.zoomed);
	}
}

// Once all of the file is there and painted: reading is not to keep the picture waiting.
async function firstPaint() {
	const frame = () => new Promise((done) => requestAnimationFrame(done));
	if (document.readyState !== 'complete')
		await new Promise((done) => addEventListener('load', done));
	await frame();
	await frame();
	await new Promise((done) => setTimeout(done));
}

async function startPicture() {
	const frames = document.getElementById('frames');
	const picture = new Picture(frames);
	await firstPaint();
	try {
		await picture.read();
		picture.start();
	} catch (e) {
		console.error(`wick: the picture stays as it is: ${e.message}`);
	}
}

startPicture();
