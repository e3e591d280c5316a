// A flame graph that can be walked: canvas, scrolling, zoom, pointer, touch and keys.  What it means to
// choose, zoom or open a menu is the host's matter.
import {afterPicture, el, on} from './dom.js';
import {Painter, nodeAt} from './draw.js';
import {betweenWindows, eased, nodeOfWindow, panWindow, rowsUnder, zoomWindow} from './zoom.js';

const MOTION_MS = 140;
const LONG_PRESS_MS = 500;
const DRAG_PIXELS = 4;
const MOST_MIRRORED = 20;

const still = matchMedia('(prefers-reduced-motion: reduce)');
const coarse = matchMedia('(pointer: coarse)');

export class FlameView {
	// host: {label(tree, node, chars), facts(tree, node), hover(view, node, event), choose(view, node),
	// tell(view, node), zoomed(view, node), menu(view, node, x, y), ink, marks}
	constructor(host, title) {
		this.host = host;
		this.mirror = el('div', {role: 'treegrid', 'aria-label': title});
		this.canvas = el('canvas', {role: 'application', tabIndex: 0, 'aria-label': title + '. Arrow keys walk, Enter zooms.',
			'aria-roledescription': 'flame graph'}, this.mirror);
		const overlay = el('canvas', {className: 'overlay', 'aria-hidden': 'true'});
		this.spacer = el('div');
		this.element = el('div', {className: 'flame'}, el('div', {className: 'stick'}, this.canvas, overlay), this.spacer);
		this.painter = new Painter(this.canvas, overlay);
		this.pointers = new Map();
		this.hovered = this.chosen = -1;
		this.node = 0;
		this.scroll = 0; // asking the element would lay the page out
		this.tree = null;
		this.timings = {};
		this.listen();
		new ResizeObserver(() => this.resize()).observe(this.element);
	}

	// Shows a tree; options: {flip, scheme, hits, node}.
	show(tree, {flip, scheme, hits, node}) {
		this.tree = tree;
		this.flip = flip;
		this.scheme = scheme;
		this.hits = hits;
		this.hovered = this.chosen = -1;
		this.untold = false;
		this.place(node);
		this.resize(true);
	}

	// Everything but the tree may change alone.
	restyle(changes) {
		Object.assign(this, changes);
		this.hitRows = [];
		this.redraw();
	}

	// fresh: of a new tree; otherwise only when the size is a new one.
	resize(fresh) {
		const width = this.element.clientWidth, height = this.element.clientHeight, scale = devicePixelRatio || 1;
		const {painter} = this;
		if (!this.tree || !width || !height)
			return;
		this.scrolled();
		if (!fresh && painter.width === width && painter.height === height && painter.scale === scale)
			return;
		this.rowHeight = coarse.matches ? 24 : 19;
		this.painter.resize(width, height);
		this.painter.setFont((coarse.matches ? '13px ' : '12px ') + this.host.font);
		this.fit();
		if (fresh)
			this.scrollTo(this.flip ? this.content : 0);
		this.paint();
	}

	// Takes over where the element was scrolled to.
	scrolled() {
		if (this.scroll === this.element.scrollTop)
			return;
		this.scroll = this.element.scrollTop;
		this.redraw();
	}

	scrollTo(top) {
		const within = Math.min(Math.max(top, 0), this.content - this.room);
		if (within !== this.scroll)
			this.element.scrollTop = this.scroll = within;
	}

	fit() {
		const {height} = this.painter, content = Math.max(this.rows * this.rowHeight + 4, height);
		if (content === this.content && height === this.room)
			return;
		this.content = content;
		this.room = height;
		this.spacer.style.height = content - height + 'px';
		// As the element does by itself, later.
		this.scroll = Math.min(this.scroll, content - height);
	}

	// The window and the rows of a node, without drawing.
	place(node) {
		const {left, width} = this.tree;
		this.node = node;
		this.hitRows = [];
		this.window = [left[node], left[node] + (width[node] || 1)];
		this.rows = rowsUnder(this.tree, node);
	}

	y(depth) {
		return (this.flip ? this.content - (depth + 1) * this.rowHeight : depth * this.rowHeight) - this.scroll;
	}

	redraw() {
		this.pending ||= requestAnimationFrame(() => {
			this.pending = 0;
			this.paint();
		});
	}

	paint() {
		if (!this.tree || !this.painter.width)
			return;
		const began = performance.now();
		this.scene = {
			tree: this.tree, window: this.window, rows: this.rows, rowHeight: this.rowHeight, flip: this.flip,
			scheme: this.scheme, hits: this.hits, hitRows: this.hitRows, ink: this.host.ink, marks: this.host.marks,
			dimmed: this.tree.depth[this.node], label: this.host.label, y: (depth) => this.y(depth),
		};
		this.painter.paint(this.scene);
		this.paintLight();
		this.timings.paint = performance.now() - began;
	}

	paintLight() {
		const word = this.hovered > 0 ? this.tree.word[this.hovered] : -1;
		this.painter.paintLight(this.scene, word, this.hovered, this.chosen);
	}

	// Zooms to a node, with a short motion where motion is welcome.
	zoomTo(node, animate = true) {
		const began = performance.now(), from = this.window, before = this.tree.depth[node] < this.rows && this.y(this.tree.depth[node]);
		if (!this.tree.width[node])
			return;
		this.place(node);
		this.fit();
		// What was clicked stays under the pointer.
		if (before !== false)
			this.scrollTo(this.scroll + this.y(this.tree.depth[node]) - before);
		this.move(from, this.window, animate && !still.matches);
		this.timings.zoom = performance.now() - began;
	}

	move(from, to, animate) {
		cancelAnimationFrame(this.motion);
		if (!animate) {
			this.window = to;
			this.paint();
			return;
		}
		const start = performance.now();
		const step = (now) => {
			const t = Math.min(1, Math.max(0, (now - start) / MOTION_MS));
			this.window = t < 1 ? betweenWindows(from, to, eased(t)) : to;
			this.paint();
			this.timings.slowest = Math.max(this.timings.slowest, this.timings.paint);
			if (t < 1)
				this.motion = requestAnimationFrame(step);
		};
		this.window = from;
		// The zoom costs its handler and, in the worst frame of the motion, this much more.
		this.timings.slowest = 0;
		this.motion = requestAnimationFrame(step);
	}

	// A window that no frame fills: by wheel, pinch or drag.
	free(window) {
		cancelAnimationFrame(this.motion);
		const node = nodeOfWindow(this.tree, window), depth = this.tree.depth[node], before = this.y(depth);
		if (node !== this.node) {
			this.node = node;
			this.rows = rowsUnder(this.tree, node);
			this.fit();
			this.scrollTo(this.scroll + this.y(depth) - before);
			this.host.zoomed(this, node, true);
		}
		this.window = window;
		this.redraw();
	}

	nodeAt(event) {
		const {left, top} = this.canvas.getBoundingClientRect(), [from, to] = this.window;
		const y = event.clientY - top + this.scroll;
		const depth = Math.floor((this.flip ? this.content - y : y) / this.rowHeight);
		const x = from + (event.clientX - left) / this.painter.width * (to - from);
		return this.tree && depth >= 0 && depth < this.rows ? nodeAt(this.tree, depth, x) : -1;
	}

	// Where a node is on the screen.
	rectOf(node) {
		const {left, top, right} = this.canvas.getBoundingClientRect(), [from, to] = this.window;
		const x = left + (this.tree.left[node] - from) / (to - from) * this.painter.width;
		return {x: Math.min(Math.max(x, left), right - 40), y: top + this.y(this.tree.depth[node]) + this.rowHeight};
	}

	hover(node, event) {
		if (node !== this.hovered) {
			this.hovered = node;
			if (this.scene)
				this.paintLight();
		}
		this.untold = false;
		this.host.hover(this, node, event);
	}

	// Chooses a node, brings it into sight and tells what it is.
	choose(node) {
		this.pick(node);
		this.tell();
	}

	pick(node) {
		const {tree} = this, [from, to] = this.window;
		this.chosen = node;
		if (node >= 0) {
			if (tree.left[node] + tree.width[node] <= from || tree.left[node] >= to)
				this.host.zoomed(this, tree.parent[node]);
			const y = this.y(tree.depth[node]), room = this.room - this.rowHeight;
			if (y < 0 || y > room) {
				this.scrollTo(this.scroll + (y < 0 ? y - this.rowHeight : y - room + this.rowHeight));
				this.redraw();
			}
		}
		if (this.scene)
			this.paintLight();
		this.untold = true;
		this.host.choose(this, node);
	}

	// All that is to be known of the chosen node, unless the pointer asked for another one since.
	tell() {
		this.reflect();
		if (this.untold)
			this.host.tell(this, this.chosen);
		this.untold = false;
	}

	// Zooms to a node and chooses it; in a finer tree it may have another number.  The picture comes first.
	enter(node) {
		this.host.zoomed(this, node);
		this.pick(this.node);
		afterPicture(() => this.tell());
	}

	listen() {
		const {canvas, element} = this;
		on(element, 'scroll', (e) => {
			this.scrolled();
			if (this.hovered >= 0)
				this.hover(-1, e);
		});
		on(canvas, 'pointerdown', (e) => this.press(e));
		on(canvas, 'pointermove', (e) => this.drag(e));
		on(canvas, 'pointerup pointercancel', (e) => this.release(e));
		on(canvas, 'pointerleave', (e) => e.pointerType === 'mouse' && this.hover(-1, e));
		on(canvas, 'wheel', (e) => this.wheel(e), {passive: false});
		on(canvas, 'click', (e) => {
			const node = this.nodeAt(e);
			if (this.moved || node < 0)
				return;
			this.enter(node);
		});
		on(canvas, 'contextmenu', (e) => {
			e.preventDefault();
			this.openMenu(e);
		});
		on(canvas, 'keydown', (e) => this.key(e));
		on(canvas, 'focus', () => this.chosen < 0 && this.tree && canvas.matches(':focus-visible') && this.choose(this.node));
	}

	openMenu(e) {
		const node = this.nodeAt(e);
		this.moved = true;
		if (node >= 0) {
			this.choose(node);
			this.host.menu(this, node, e.clientX, e.clientY);
		}
	}

	press(e) {
		if (e.button)
			return;
		this.pointers.set(e.pointerId, e);
		this.moved = this.pointers.size > 1;
		this.from = {window: this.window, scroll: this.scroll, gap: this.gap()};
		clearTimeout(this.timer);
		if (e.pointerType !== 'mouse' && !this.moved)
			this.timer = setTimeout(() => this.openMenu(e), LONG_PRESS_MS);
	}

	// Distance and middle of two fingers.
	gap() {
		const [a, b] = this.pointers.values(), {left} = this.canvas.getBoundingClientRect();
		return b ? {size: Math.abs(a.clientX - b.clientX) + 1, share: ((a.clientX + b.clientX) / 2 - left) / this.painter.width} : null;
	}

	drag(e) {
		const start = this.pointers.get(e.pointerId);
		if (!start) {
			if (e.pointerType === 'mouse')
				this.hover(this.nodeAt(e), e);
			return;
		}
		const dx = e.clientX - start.clientX, dy = e.clientY - start.clientY;
		if (this.from.gap) {
			this.pointers.set(e.pointerId, e);
			const gap = this.gap();
			this.free(zoomWindow(this.from.window, gap.size / this.from.gap.size, gap.share, this.tree.whole));
			return;
		}
		if (!this.moved && Math.hypot(dx, dy) < DRAG_PIXELS)
			return;
		if (!this.moved)
			this.canvas.setPointerCapture(e.pointerId);
		this.moved = true;
		clearTimeout(this.timer);
		if (e.pointerType === 'mouse')
			this.scrollTo(this.from.scroll - dy);
		this.free(panWindow(this.from.window, -dx / this.painter.width, this.tree.whole));
	}

	release(e) {
		clearTimeout(this.timer);
		this.pointers.delete(e.pointerId);
		this.from = {...this.from, window: this.window, gap: null};
	}

	wheel(e) {
		const share = e.offsetX / this.painter.width, {whole} = this.tree;
		if (!e.ctrlKey && !e.metaKey && Math.abs(e.deltaX) <= Math.abs(e.deltaY) && !e.shiftKey)
			return;
		e.preventDefault();
		if (e.ctrlKey || e.metaKey)
			this.free(zoomWindow(this.window, Math.exp(-e.deltaY / (e.deltaMode ? 8 : 240)), share, whole));
		else
			this.free(panWindow(this.window, (e.deltaX || e.deltaY) / this.painter.width, whole));
	}

	// The neighbor of the chosen node in a direction, or -1.
	neighbor(way) {
		const {parent, end, width} = this.tree, node = this.chosen;
		const within = node ? end[parent[node]] : 1;
		if (way === 'parent')
			return node ? parent[node] : -1;
		if (way === 'child') {
			let best = -1;
			for (let i = node + 1; i < end[node]; i = end[i])
				if (width[i] && (best < 0 || width[i] > width[best]))
					best = i;
			return best;
		}
		if (way === 'next') {
			let i = end[node];
			while (i < within && !width[i])
				i = end[i];
			return i < within ? i : -1;
		}
		let last = -1;
		for (let i = node ? parent[node] + 1 : 0; i < node; i = end[i])
			if (width[i])
				last = i;
		return last;
	}

	key(e) {
		const {key} = e, ways = {ArrowLeft: 'previous', ArrowRight: 'next'};
		ways[this.flip ? 'ArrowUp' : 'ArrowDown'] = 'child';
		ways[this.flip ? 'ArrowDown' : 'ArrowUp'] = 'parent';
		if (e.ctrlKey || e.altKey || e.metaKey || !this.tree)
			return;
		if (this.chosen < 0)
			this.chosen = this.node;
		if (ways[key]) {
			const node = this.neighbor(ways[key]);
			if (node >= 0)
				this.choose(node);
		} else if (key === 'Enter' || key === ' ') {
			this.enter(this.chosen);
		} else if (key === 'ContextMenu' || key === 'F10' && e.shiftKey) {
			const {x, y} = this.rectOf(this.chosen);
			this.host.menu(this, this.chosen, x, y);
		} else if (key === '+' || key === '=' || key === '-') {
			this.free(zoomWindow(this.window, key === '-' ? 1 / 1.5 : 1.5, 0.5, this.tree.whole));
		} else {
			return;
		}
		e.preventDefault();
		e.stopPropagation();
	}

	// The chosen frame among its parent, siblings and children, for those who do not see the canvas.
	reflect() {
		const {tree, chosen, mirror} = this, rows = [];
		mirror.replaceChildren();
		this.canvas.removeAttribute('aria-activedescendant');
		if (chosen < 0)
			return;
		const childrenOf = (node) => {
			const list = [];
			for (let i = node + 1; i < tree.end[node]; i = tree.end[i])
				list.push(i);
			return list.sort((a, b) => tree.width[b] - tree.width[a]);
		};
		const add = (node, set) => {
			const at = set.indexOf(node) + 1;
			rows.push(el('div', {role: 'row', id: node === chosen ? 'chosen' + this.host.id(this) : '', 'aria-level': tree.depth[node] + 1,
				'aria-posinset': at, 'aria-setsize': set.length, 'aria-selected': node === chosen,
				'aria-expanded': tree.end[node] > node + 1 && node <= chosen && chosen < tree.end[node]},
			...this.host.facts(tree, node).map((text) => el('span', {role: 'gridcell'}, text))));
		};
		const parent = tree.parent[chosen];
		if (chosen)
			add(parent, [parent]);
		const siblings = chosen ? childrenOf(parent) : [0];
		const some = siblings.slice(0, MOST_MIRRORED);
		if (!some.includes(chosen))
			some.push(chosen);
		for (const node of some) {
			add(node, siblings);
			if (node === chosen) {
				const children = childrenOf(node);
				children.slice(0, MOST_MIRRORED).forEach((child) => add(child, children));
			}
		}
		mirror.append(...rows);
		this.canvas.setAttribute('aria-activedescendant', 'chosen' + this.host.id(this));
	}
}
