// Pointer, fingers and wheel over a flame graph: hover, click, menu, drag, pinch.
import {on} from './dom.js';
import {panWindow, zoomWindow} from './zoom.js';

const LONG_PRESS_MS = 500;
const DRAG_PIXELS = 4;

export class Gestures {
	constructor(view) {
		this.view = view;
		this.pointers = new Map(); // by id: the last event of each pointer that is down
		this.moved = false; // the press was a drag, not a click
		this.listen(view.canvas);
	}

	listen(canvas) {
		const {view} = this;
		on(canvas, 'pointerdown', (e) => this.press(e));
		on(canvas, 'pointermove', (e) => this.drag(e));
		on(canvas, 'pointerup pointercancel', (e) => this.release(e));
		on(canvas, 'pointerleave', (e) => e.pointerType === 'mouse' && view.hover(-1, e));
		on(canvas, 'wheel', (e) => this.wheel(e), {passive: false});
		on(canvas, 'click', (e) => {
			const node = view.nodeAt(e);
			if (!this.moved && node >= 0)
				view.enter(node);
		});
		on(canvas, 'contextmenu', (e) => {
			e.preventDefault();
			this.openMenu(e);
		});
	}

	openMenu(e) {
		const {view} = this, node = view.nodeAt(e);
		this.moved = true;
		if (node >= 0) {
			view.choose(node);
			view.host.menu(view, node, e.clientX, e.clientY);
		}
	}

	press(e) {
		const {window, scroll} = this.view;
		if (e.button)
			return;
		this.pointers.set(e.pointerId, e);
		this.moved = this.pointers.size > 1;
		this.from = {window, scroll, gap: this.gap()};
		clearTimeout(this.timer);
		if (e.pointerType !== 'mouse' && !this.moved)
			this.timer = setTimeout(() => this.openMenu(e), LONG_PRESS_MS);
	}

	// Distance and middle of two fingers.
	gap() {
		const [a, b] = this.pointers.values(), {canvas, painter} = this.view, {left} = canvas.getBoundingClientRect();
		return b ? {size: Math.abs(a.clientX - b.clientX) + 1, share: ((a.clientX + b.clientX) / 2 - left) / painter.width} : null;
	}

	drag(e) {
		const {view, from} = this, start = this.pointers.get(e.pointerId), {canvas, painter, tree} = view;
		if (!start) {
			if (e.pointerType === 'mouse')
				view.hover(view.nodeAt(e), e);
			return;
		}
		const dx = e.clientX - start.clientX, dy = e.clientY - start.clientY;
		if (from.gap) {
			this.pointers.set(e.pointerId, e);
			const gap = this.gap();
			view.free(zoomWindow(from.window, gap.size / from.gap.size, gap.share, tree.whole));
			return;
		}
		if (!this.moved && Math.hypot(dx, dy) < DRAG_PIXELS)
			return;
		if (!this.moved)
			canvas.setPointerCapture(e.pointerId);
		this.moved = true;
		clearTimeout(this.timer);
		if (e.pointerType === 'mouse')
			view.scrollTo(from.scroll - dy);
		view.free(panWindow(from.window, -dx / painter.width, tree.whole));
	}

	release(e) {
		clearTimeout(this.timer);
		this.pointers.delete(e.pointerId);
		this.from = {...this.from, window: this.view.window, gap: null};
	}

	wheel(e) {
		const {painter: {width}, tree: {whole}, window} = this.view, zooms = e.ctrlKey || e.metaKey;
		if (!zooms && Math.abs(e.deltaX) <= Math.abs(e.deltaY) && !e.shiftKey)
			return;
		e.preventDefault();
		this.view.free(zooms ? zoomWindow(window, Math.exp(-e.deltaY / (e.deltaMode ? 8 : 240)), e.offsetX / width, whole) :
			panWindow(window, (e.deltaX || e.deltaY) / width, whole));
	}
}
