// What is shown where filters leave no samples: which of them, with buttons that remove them.
import {app} from './app.js';
import {el, on} from './dom.js';
import {go} from './route.js';
import {activeFilters} from './toolbar.js';

function undoButton(text, undo) {
	const button = el('button', {}, text);
	on(button, 'click', () => go(undo));
	return button;
}

// what: whose samples there are none of; weigh(state): how much there would be.
export function emptyNote(what, weigh) {
	const filters = activeFilters(), guilty = filters.filter(({undo}) => weigh({...app.state, ...undo}));
	const named = guilty.length ? guilty : filters, all = Object.assign({}, ...filters.map(({undo}) => undo), {transforms: []});
	return el('div', {className: 'empty', role: 'status'},
		el('p', {}, filters.length ? `${named.length > 1 ? 'These filters leave' : 'This filter leaves'} no samples of ${what}:` : `No samples of ${what}.`),
		...named.map(({text, undo}) => el('p', {}, undoButton('Remove: ' + text, undo))),
		...filters.length > 1 ? [el('p', {}, undoButton('Remove all filters', all))] : []);
}
