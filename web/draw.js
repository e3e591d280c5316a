// Boxes on a canvas.  The work is bounded by the pixels of the screen, not by the number of frames: each row
// is entered by a binary search, and frames narrower than a pixel are drawn as one sliver for each pixel.

const SLIVER = 0.7; /* of a pixel: narrower frames are merged */
const PADDING = 4;
const LEAST_CHARS = 3;
const NARROW = /^[ -~…]*$/; // characters of width charWidth

// The first frame of a row whose right edge is beyond x.
function firstEndingPast({left, width}, row, x) {
	let low = 0, high = row.length;
	while (low < high) {
		const middle = (low + high) >>> 1, i = row[middle];
		if (left[i] + width[i] <= x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// The first frame of a row, from `low` on, that begins at x or later.
function firstStartingAt({left}, row, low, x) {
	let high = low + 1;
	for (let step = 8; high < row.length && left[row[high]] < x; step *= 4) {
		low = high;
		high += step;
	}
	high = Math.min(high, row.length);
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (left[row[middle]] < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// The node at a weight in a row, or -1.
export function nodeAt(tree, depth, x) {
	const row = tree.rows[depth];
	if (!row)
		return -1;
	let j = firstEndingPast(tree, row, x);
	while (j < row.length && !tree.width[row[j]])
		j++;
	return j < row.length && tree.left[row[j]] <= x ? row[j] : -1;
}

// The number of hits among the first j frames of a row, for all j: says whether a sliver hides a hit.
function hitsBefore(scene, depth) {
	const {tree, hits} = scene;
	return scene.hitRows[depth] ||= (() => {
		const row = tree.rows[depth], sums = new Uint32Array(row.length + 1);
		for (let j = 0; j < row.length; j++)
			sums[j + 1] = sums[j] + (hits[tree.word[row[j]]] || 0);
		return sums;
	})();
}

export class Painter {
	constructor(canvas, overlay) {
		this.canvas = canvas;
		this.overlay = overlay;
		this.lit = false;
		this.grow(4096);
	}

	// Makes room for nr boxes on the screen.
	grow(nr) {
		const larger = (Type, old) => {
			const list = new Type(nr);
			if (old)
				list.set(old);
			return list;
		};
		this.boxNode = larger(Uint32Array, this.boxNode);
		this.boxX = larger(Float32Array, this.boxX);
		this.boxWidth = larger(Float32Array, this.boxWidth);
		this.boxY = larger(Float32Array, this.boxY);
		this.boxPaint = larger(Uint32Array, this.boxPaint);
	}

	resize(width, height) {
		this.width = width;
		this.height = height;
		this.scale = devicePixelRatio || 1;
		this.context ??= this.canvas.getContext('2d', {alpha: false});
		this.fit(this.context);
		this.context.textBaseline = 'middle';
		// The overlay is created when needed, or soon after the first picture.
		if (this.light)
			this.fit(this.light);
	}

	openLight() {
		if (!this.light) {
			this.fit(this.light = this.overlay.getContext('2d'));
			// The browser allocates a canvas at the first drawing.
			this.light.clearRect(0, 0, 1, 1);
		}
		return this.light;
	}

	fit(context) {
		const {canvas} = context;
		canvas.width = Math.round(this.width * this.scale);
		canvas.height = Math.round(this.height * this.scale);
		canvas.style.width = this.width + 'px';
		canvas.style.height = this.height + 'px';
		context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
	}

	// A font whose characters are all equally wide is measured once.
	setFont(font) {
		this.context.font = this.font = font;
		this.charWidth = this.context.measureText('mmmmmmmmmm').width / 10;
	}

	paint(scene) {
		const g = this.context;
		g.font = this.font;
		g.globalAlpha = 1;
		g.fillStyle = scene.ink.ground;
		g.fillRect(0, 0, this.width, this.height);
		this.nrBoxes = 0;
		for (let depth = 0; depth < scene.rows; depth++) {
			const y = scene.y(depth);
			if (y > -scene.rowHeight && y < this.height)
				this.paintRow(scene, depth, y);
		}
		this.paintBoxes(scene);
		this.paintMarks(scene);
		this.paintLabels(scene);
	}

	paintRow(scene, depth, y) {
		const {tree, hits, ink, window: [from, to]} = scene, {css} = scene.scheme, {left, width, word} = tree;
		const g = this.context, row = tree.rows[depth], k = this.width / (to - from), scale = this.scale;
		const height = scene.rowHeight - 1, sums = hits && hitsBefore(scene, depth), quiet = depth < scene.dimmed;
		let start = -1, end = -1, found = false, inked = null;
		const flush = () => {
			if (start < 0)
				return;
			// Setting a color costs as much as drawing: it is set only when it changes.
			if (found !== inked) {
				g.globalAlpha = hits && !found || quiet ? 0.35 : 1;
				g.fillStyle = found ? ink.hit : ink.sliver;
				inked = found;
			}
			g.fillRect(start / scale, y, (end - start) / scale, height);
			start = -1;
		};
		for (let j = firstEndingPast(tree, row, from); j < row.length; j++) {
			const i = row[j];
			if (left[i] >= to)
				break;
			const x = (left[i] - from) * k, w = width[i] * k;
			if (w < SLIVER) {
				const pixel = Math.max(0, Math.floor(x * scale)), past = from + (pixel + 1) / scale / k;
				// Mostly the next frame starts in another pixel already.
				const next = j + 1 < row.length && left[row[j + 1]] < past ? firstStartingAt(tree, row, j + 1, past) : j + 1;
				const last = row[next - 1], hit = sums !== null && sums[next] > sums[j];
				if (left[last] + width[last] > left[i]) {
					if (pixel > end || hit !== found)
						flush();
					if (start < 0)
						start = pixel;
					end = pixel + 1;
					found = hit;
				}
				// Only the last frame that starts in a pixel can extend beyond it: continues there.
				j = Math.max(j, next - 2);
				continue;
			}
			flush();
			const snapped = Math.max(0, Math.round(x * scale) / scale);
			const right = Math.min(this.width, Math.round((x + w) * scale) / scale);
			const hit = hits !== null && hits[word[i]];
			if (this.nrBoxes === this.boxNode.length)
				this.grow(2 * this.nrBoxes);
			this.boxNode[this.nrBoxes] = i;
			this.boxX[this.nrBoxes] = snapped;
			this.boxWidth[this.nrBoxes] = right - snapped;
			this.boxPaint[this.nrBoxes] = 2 * (hit ? css.length : scene.scheme.of(tree, i)) + (hits && !hit || quiet ? 1 : 0);
			this.boxY[this.nrBoxes++] = y;
		}
		flush();
	}

	// Boxes are sorted by color, since changing it costs more than a box.  boxPaint is twice the color, plus 1 if it is dim.
	paintBoxes({ink, rowHeight, scheme: {css}}) {
		const g = this.context, {nrBoxes, boxPaint, scale} = this;
		const next = new Uint32Array(2 * css.length + 4), order = new Uint32Array(nrBoxes);
		for (let b = 0; b < nrBoxes; b++)
			next[boxPaint[b] + 1]++;
		for (let p = 1; p < next.length; p++)
			next[p] += next[p - 1];
		for (let b = 0; b < nrBoxes; b++)
			order[next[boxPaint[b]]++] = b;
		for (let i = 0, paint = -1; i < nrBoxes; i++) {
			const b = order[i], width = this.boxWidth[b];
			if (boxPaint[b] !== paint) {
				paint = boxPaint[b];
				g.fillStyle = css[paint >> 1] ?? ink.hit;
				g.globalAlpha = paint & 1 ? 0.35 : 1;
			}
			g.fillRect(this.boxX[b], this.boxY[b], width > 2 ? width - 1 / scale : Math.max(width, 1 / scale), rowHeight - 1);
		}
	}

	// For people who cannot see the colors: kernel frames have a line, inlined ones a dotted edge to their
	// caller.
	paintMarks({tree, marks, ink, rowHeight, flip}) {
		const g = this.context;
		g.globalAlpha = 1;
		g.fillStyle = ink.mark;
		for (let b = 0; b < this.nrBoxes; b++) {
			const mark = marks[tree.word[this.boxNode[b]]];
			if (!mark || this.boxWidth[b] < 3)
				continue;
			const width = this.boxWidth[b] - 1;
			if (mark === 1)
				g.fillRect(this.boxX[b], this.boxY[b] + (flip ? 0 : rowHeight - 3), width, 2);
			else
				for (let x = 1; x < width - 1; x += 4)
					g.fillRect(this.boxX[b] + x, this.boxY[b] + (flip ? rowHeight - 2 : 0), 2, 1);
		}
	}

	paintLabels({tree, ink, label, rowHeight}) {
		const g = this.context;
		g.globalAlpha = 1;
		g.fillStyle = ink.text;
		for (let b = 0; b < this.nrBoxes; b++) {
			const room = this.boxWidth[b] - 2 * PADDING;
			const chars = Math.floor(room / this.charWidth);
			if (chars < LEAST_CHARS)
				continue;
			const text = label(tree, this.boxNode[b], chars), x = this.boxX[b] + PADDING, y = this.boxY[b] + rowHeight / 2;
			// Other characters may be wider: then the browser has to measure and squeeze the text.
			if (NARROW.test(text))
				g.fillText(text, x, y);
			else
				g.fillText(text, x, y, room);
		}
	}

	// On the overlay: all frames of the function under the pointer, that frame, and the chosen one.
	paintLight({tree, ink, rowHeight}, word, hovered, chosen) {
		const lit = word >= 0 || hovered >= 0 || chosen >= 0;
		if (!lit && !this.lit)
			return;
		const g = this.openLight();
		this.lit = lit;
		g.clearRect(0, 0, this.width, this.height);
		g.lineWidth = 2;
		for (let b = 0; b < this.nrBoxes; b++) {
			const node = this.boxNode[b];
			const mine = node === chosen || node === hovered;
			if (!mine && (word < 0 || tree.word[node] !== word))
				continue;
			const x = this.boxX[b], y = this.boxY[b], width = Math.max(this.boxWidth[b] - 1, 1);
			g.fillStyle = ink.glow;
			if (tree.word[node] === word)
				g.fillRect(x, y, width, rowHeight - 1);
			if (mine || width > 3) {
				g.strokeStyle = node === chosen ? ink.accent : ink.text;
				g.globalAlpha = mine ? 1 : 0.5;
				g.strokeRect(x + 1, y + 1, width - 2, rowHeight - 3);
				g.globalAlpha = 1;
			}
		}
	}
}
