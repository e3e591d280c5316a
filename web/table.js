// The table of functions, which can be sorted and filtered.  Only visible rows are in the document.
import {el, isTouched, on, textScale} from './dom.js';

const ROW = Math.round((isTouched() ? 36 : 26) * textScale());
const NAME_LETTER = 7.6 * textScale(); /* pixels of one in the column of names */
const CELL_PADDING = 20;
const SPARE = 12; /* rows above and below what is seen */

export class TableView {
	// host: {choose(word), open(word), menu(word, x, y, owner), find(event)}
	constructor(host, title) {
		this.host = host;
		this.head = el('tr');
		this.body = el('tbody');
		this.empty = el('p', {className: 'empty'});
		this.table = el('table', {'aria-label': title}, el('thead', {}, this.head), this.body);
		this.element = el('div', {className: 'table'}, this.table, this.empty);
		this.order = [];
		this.key = '';
		this.first = -1;
		on(this.element, 'scroll', () => this.fill());
		on(this.body, 'click dblclick contextmenu keydown', (e) => this.act(e));
		on(this.body, 'focusin', (e) => this.pick(e.target));
		new ResizeObserver(() => this.fill(true)).observe(this.element);
	}

	// columns: {key, title, value(row) → number or text, text(row), note(row), share(row), up, whole(row): its tooltip, cut(row, letters), quiet(row)}; rows: how many there are;
	// words: word by row; keep(row): is it shown.
	show(columns, words, keep) {
		if (!columns.some(({key}) => key === this.key))
			this.key = columns.find(({main}) => main).key;
		this.columns = columns;
		this.words = words;
		this.keep = keep;
		this.head.replaceChildren(...columns.map((column) => this.heading(column)));
		this.sort();
	}

	heading({key, title, up}) {
		const button = el('button', {}, title);
		on(button, 'click', () => {
			this.down = key === this.key ? !this.down : !up;
			this.key = key;
			this.show(this.columns, this.words, this.keep);
			this.head.querySelector('[aria-sort] button').focus();
		});
		const cell = el('th', {scope: 'col', className: key}, button);
		if (key === this.key)
			cell.setAttribute('aria-sort', this.down === false ? 'ascending' : 'descending');
		return cell;
	}

	sort() {
		const {value} = this.columns.find(({key}) => key === this.key), sign = this.down === false ? 1 : -1;
		const values = Array.from(this.words, (_, row) => value(row));
		const text = typeof values[0] === 'string', costs = this.columns.filter(({up}) => !up);
		// Of equal rows, the more expensive one comes first.
		const tie = (a, b) => costs.reduce((by, cost) => by || cost.value(b) - cost.value(a), 0) || a - b;
		this.order = [];
		for (let row = 0; row < this.words.length; row++)
			if (this.keep(row))
				this.order.push(row);
		this.order.sort((a, b) => sign * (text ? values[a] < values[b] ? -1 : values[a] > values[b] : values[a] - values[b]) || tie(a, b));
		this.table.setAttribute('aria-rowcount', this.order.length + 1);
		this.empty.hidden = this.order.length > 0;
		this.fill(true);
	}

	fill(always) {
		const first = Math.max(0, Math.floor(this.element.scrollTop / ROW) - SPARE) & ~1;
		if (first === this.first && !always || !this.columns)
			return;
		this.first = first;
		const last = Math.min(this.order.length, first + Math.ceil(this.element.clientHeight / ROW) + 2 * SPARE);
		const gap = (rows) => {
			const row = el('tr', {'aria-hidden': 'true', className: 'gap'});
			row.style.height = rows * ROW + 'px';
			return row;
		};
		this.letters = Array.from(this.head.children, (cell) => Math.floor((cell.offsetWidth - CELL_PADDING) / NAME_LETTER));
		const kept = this.body.contains(document.activeElement);
		this.body.replaceChildren(gap(first), ...this.order.slice(first, last).map((row, i) => this.row(row, first + i)),
			gap(this.order.length - last));
		if (kept)
			this.body.querySelector(`[data-at="${this.at}"]`)?.focus({preventScroll: true});
	}

	row(row, at) {
		const line = el('tr', {tabIndex: at === (this.at || 0) ? 0 : -1, 'aria-rowindex': at + 2});
		line.dataset.at = at;
		line.style.height = ROW + 'px';
		this.columns.forEach(({key, text, share, note, up, whole, cut, quiet}, i) => {
			const shown = text(row), fits = !up || this.letters[i] < 3 || shown.length <= this.letters[i];
			const cell = el('td', {className: key + (quiet?.(row) ? ' quiet' : '')}, fits ? shown : cut(row, this.letters[i]));
			if (note)
				cell.append(el('small', {}, note(row)));
			if (share)
				cell.style.setProperty('--share', (100 * share(row)).toFixed(2) + '%');
			if (whole)
				cell.title = whole(row);
			line.append(cell);
		});
		return line;
	}

	pick(target) {
		const line = target.closest('[data-at]');
		if (!line)
			return;
		this.body.querySelector('[tabindex="0"]')?.setAttribute('tabindex', -1);
		line.tabIndex = 0;
		this.at = +line.dataset.at;
		this.host.choose(this.words[this.order[this.at]]);
	}

	// Moves to a row and scrolls to it.
	go(at) {
		this.at = Math.min(Math.max(at, 0), this.order.length - 1);
		const top = this.at * ROW, room = this.element.clientHeight - 2 * ROW;
		if (top < this.element.scrollTop || top > this.element.scrollTop + room)
			this.element.scrollTop = top - room / 2;
		this.fill(true);
		this.body.querySelector(`[data-at="${this.at}"]`)?.focus({preventScroll: true});
	}

	act(e) {
		const line = e.target.closest('[data-at]');
		if (!line)
			return;
		const at = +line.dataset.at, word = this.words[this.order[at]], {left, bottom} = line.getBoundingClientRect();
		const page = Math.floor(this.element.clientHeight / ROW) - 2, open = () => this.host.open(word);
		const keys = {
			ArrowDown: () => this.go(at + 1), ArrowUp: () => this.go(at - 1), PageDown: () => this.go(at + page),
			PageUp: () => this.go(at - page), Home: () => this.go(0), End: () => this.go(this.order.length - 1),
			Enter: open, s: open, ContextMenu: () => this.host.menu(word, left + 40, bottom, line),
		};
		if (e.type === 'click') {
			line.focus({preventScroll: true});
			this.host.click?.(word);
		} else if (e.type === 'dblclick') {
			open();
		} else if (e.type === 'contextmenu') {
			e.preventDefault();
			this.host.menu(word, e.clientX, e.clientY, line);
		} else if (!e.ctrlKey && !e.metaKey && !e.altKey) {
			const run = keys[e.key === 'F10' && e.shiftKey ? 'ContextMenu' : e.key];
			if (!run)
				return;
			e.preventDefault();
			e.stopPropagation();
			run();
		}
	}
}
