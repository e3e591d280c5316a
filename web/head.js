// The head of an SVG: the line of details, buttons, the search box and the legend.
import {XHTML_NS, make, setShown} from './svg.js';

export const MARGIN = 10;
const BASELINE = 24;
const BUTTONS = 160; // their width
const BOX_STYLE = {width: '160px', height: '22px', boxSizing: 'border-box', font: '12px monospace'};

export class Head {
	// drawnWidth: that of the picture as it was written; on: {reset(), open(), input(text)}
	constructor(svg, look, drawnWidth, on) {
		Object.assign(this, {svg, look, drawnWidth});
		this.group = svg.querySelector('#head') ?? svg;
		this.details = svg.querySelector('#details') ?? this.addText({id: 'details'});
		this.said = this.details.textContent;
		this.reset = this.addButton('Reset zoom', on.reset);
		this.open = this.addButton('Search', on.open);
		this.found = this.addText({class: 'legend', 'text-anchor': 'end', role: 'status'});
		this.details.setAttribute('role', 'status');
		this.addBox(on.input);
		if (!look.peer)
			this.group.prepend(make('rect', {id: 'lid', fill: '#fff', width: '100%', height: look.room - 16}));
	}

	addText(attributes, text = '') {
		const element = make('text', this.look.ui ? {fill: this.look.ui, ...attributes} : attributes, text);
		this.group.append(element);
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

	addBox(typed) {
		const input = document.createElementNS(XHTML_NS, 'input');
		this.box = make('foreignObject', {display: 'none', width: 170, height: 26});
		this.input = input;
		Object.assign(input, {type: 'search', placeholder: 'name or /regex/', spellcheck: false});
		input.setAttribute('aria-label', 'Search');
		Object.assign(input.style, BOX_STYLE);
		input.addEventListener('input', () => typed(input.value));
		this.box.append(input);
		this.group.append(this.box);
	}

	// Keeps the head visible when a tall picture is scrolled.
	stick() {
		if (this.group !== this.svg)
			this.group.setAttribute('transform', `translate(0 ${Math.max(scrollY, 0)})`);
	}

	showBox(shown) {
		setShown(this.box, shown);
		if (!shown)
			return;
		this.input.focus();
		this.input.select();
	}

	// Places its parts in a picture of this size.
	place(width, height, zoomed) {
		const {look} = this, right = width - MARGIN;
		const put = (element, x, y) => {
			element.setAttribute('x', x);
			element.setAttribute('y', y);
		};
		put(this.open, right - (look.peer ? 110 : 50), BASELINE);
		put(this.reset, look.peer ? MARGIN : right - 135, BASELINE);
		put(this.box, right - 165, look.peer ? BASELINE - 16 : 32);
		if (look.peer)
			put(this.details, MARGIN, look.up || look.below ? height - 17 : look.top - 6);
		put(this.found, right - (this.box.getAttribute('display') === 'none' ? 0 : 175), this.details.getAttribute('y'));
		setShown(this.reset, zoomed);
		this.placeLegend(right - BUTTONS);
	}

	// Shows as many entries of the legend as fit between the title and x = right.
	placeLegend(right) {
		const legend = this.svg.querySelector('#legend'), rects = [...legend?.querySelectorAll('rect') ?? []];
		if (!rects.length || right === this.legendRight)
			return;
		this.legendRight = right;
		const begins = rects.map((rect) => +rect.getAttribute('x')), first = begins[0], title = this.svg.querySelector('#title');
		const room = right - 2 * MARGIN - title.getComputedTextLength(), ends = [...begins.slice(1), this.drawnWidth - MARGIN];
		// A single entry would suggest that there are no others.
		const some = ends.filter((end) => end - first <= room).length, nr = some < Math.min(2, ends.length) ? 0 : some;
		[...legend.children].forEach((part, i) => setShown(part, i < 2 * nr));
		legend.setAttribute('transform', `translate(${right - (nr ? ends[nr - 1] : first)} 0)`);
	}
}
