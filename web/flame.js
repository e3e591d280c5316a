// An interactive flame graph: canvas, scrolling, zoom and keys; gestures.js adds pointer and touch.  Its host
// implements choosing a frame, zooming and the menu.
import {afterPicture, el, isTouched, on, textScale} from './dom.js';
import {Painter, nodeAt} from './draw.js';
import {Gestures} from './gestures.js';
import {mirrorRows, neighborOf} from './mirror.js';
import {betweenWindows, eased, isWhole, nodeOfWindow, partOf, rowsUnder, zoomWindow} from './zoom.js';

const MOTION_MS = 140;

const still = matchMedia('(prefers-reduced-motion: reduce)');

export class FlameView {
	// host: {label(tree, node, chars), facts(tree, node), hover(view, node, event), choose(view, node),
	// describe(view, node), zoomed(view, node), menu(view, node, x, y), ink, marks}
	constructor(host, title) {
		this.host = host;
		this.mirror = el('div', {role: 'treegrid', 'aria-label': title});
		this.canvas = el('canvas', {role: 'application', tabIndex: 0, 'aria-label': title + '. Arrow keys move, Enter zooms.',
			'aria-roledescription': 'flame graph'}, this.mirror);
		const overlay = el('canvas', {className: 'overlay', 'aria-hidden': 'true'});
		this.spacer = el('div');
		this.element = el('div', {className: 'flame'}, el('div', {className: 'stick'}, this.canvas, overlay), this.spacer);
		this.painter = new Painter(this.canvas, overlay);
		this.hovered = this.chosen = -1;
		this.node = 0;
		this.scroll = 0; // a copy of scrollTop: reading that would force a layout of the page
		this.tree = null;
		this.timings = {};
		this.listen();
		this.gestures = new Gestures(this);
		new ResizeObserver(() => this.resize()).observe(this.element);
	}

	// Shows a tree; options: {flip, scheme, hits, node, part}.
	show(tree, {flip, scheme, hits, node, part}) {
		this.tree = tree;
		this.flip = flip;
		this.scheme = scheme;
		this.hits = hits;
		this.hovered = this.chosen = -1;
		this.untold = false;
		this.place(node, part);
		this.resize(true);
	}

	// Changes options without a new tree.
	restyle(changes) {
		Object.assign(this, changes);
		this.hitRows = [];
		this.redraw();
	}

	// fresh: the tree is new; otherwise nothing is done unless the size has changed.
	resize(fresh) {
		const width = this.element.clientWidth, height = this.element.clientHeight, scale = devicePixelRatio || 1;
		const {painter} = this;
		if (!this.tree || !width || !height)
			return;
		this.scrolled();
		if (!fresh && painter.width === width && painter.height === height && painter.scale === scale)
			return;
		const larger = textScale();
		this.rowHeight = Math.round((isTouched() ? 24 : 19) * larger);
		this.painter.resize(width, height);
		this.painter.setFont(`${(isTouched() ? 13 : 12) * larger}px ${this.host.font}`);
		this.fit();
		if (fresh)
			this.scrollTo(this.flip ? this.content : 0);
		this.paint();
	}

	// Takes over the scroll position of the element.
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
		// The browser clamps scrollTop in the same way, later.
		this.scroll = Math.min(this.scroll, content - height);
	}

	// The window and the rows of a node, or of a part of its width, without drawing.
	place(node, part = null) {
		const {left, width} = this.tree;
		this.node = node;
		this.part = part;
		this.hitRows = [];
		this.window = (part ?? [0, 1]).map((share) => left[node] + share * (width[node] || 1));
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

	// Zooms to a node, or to a part of its width; animated unless the user prefers reduced motion.
	zoomTo(node, part) {
		const began = performance.now(), from = this.window, before = this.tree.depth[node] < this.rows && this.y(this.tree.depth[node]);
		if (!this.tree.width[node])
			return;
		this.place(node, part);
		this.fit();
		// The clicked frame stays under the pointer.
		if (before !== false)
			this.scrollTo(this.scroll + this.y(this.tree.depth[node]) - before);
		this.move(from, this.window, !still.matches);
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
		// The slowest frame of the animation, for measurements.
		this.timings.slowest = 0;
		this.motion = requestAnimationFrame(step);
	}

	// Sets a window that is not that of a node: by wheel, pinch or drag.
	free(window) {
		if (String(window) === String(this.window))
			return;
		cancelAnimationFrame(this.motion);
		const {tree} = this, node = isWhole(tree, window) ? 0 : nodeOfWindow(tree, window), depth = tree.depth[node], before = this.y(depth);
		if (node !== this.node) {
			this.node = node;
			this.rows = rowsUnder(tree, node);
			this.fit();
			this.scrollTo(this.scroll + this.y(depth) - before);
		}
		this.window = window;
		this.part = partOf(tree, node, window);
		this.host.zoomed(this, node, true);
		this.redraw();
	}

	nodeAt(event) {
		const {left, top} = this.canvas.getBoundingClientRect(), [from, to] = this.window;
		const y = event.clientY - top + this.scroll;
		const depth = Math.floor((this.flip ? this.content - y : y) / this.rowHeight);
		const x = from + (event.clientX - left) / this.painter.width * (to - from);
		return this.tree && depth >= 0 && depth < this.rows ? nodeAt(this.tree, depth, x) : -1;
	}

	// The rectangle of a node on the screen.
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

	// Chooses a node, scrolls to it and shows its details.
	choose(node) {
		this.pick(node);
		this.describe();
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

	// Shows the details of the chosen node, unless the pointer has been on another one since.
	describe() {
		this.reflect();
		if (this.untold)
			this.host.describe(this, this.chosen);
		this.untold = false;
	}

	// Zooms to a node and chooses it; in a refined tree it may have another number.  The picture is drawn first.
	enter(node) {
		this.host.zoomed(this, node);
		this.pick(this.node);
		afterPicture(() => this.describe());
	}

	listen() {
		const {canvas, element} = this;
		on(element, 'scroll', (e) => {
			this.scrolled();
			if (this.hovered >= 0)
				this.hover(-1, e);
		});
		on(canvas, 'keydown', (e) => this.key(e));
		on(canvas, 'focus', () => this.chosen < 0 && this.tree && canvas.matches(':focus-visible') && this.choose(this.node));
	}

	// Describes the chosen node for screen readers.
	reflect() {
		const {canvas, chosen, host, tree} = this, id = 'chosen' + host.id(this);
		this.mirror.replaceChildren(...chosen < 0 ? [] : mirrorRows(tree, chosen, id, (node) => host.facts(tree, node)));
		if (chosen < 0)
			canvas.removeAttribute('aria-activedescendant');
		else
			canvas.setAttribute('aria-activedescendant', id);
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
			const node = neighborOf(this.tree, this.chosen, ways[key]);
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
}
