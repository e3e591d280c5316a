// The message if filters leave no samples: names the filters, with buttons that remove them.
import {app} from './app.js';
import {el, on} from './dom.js';
import {go} from './route.js';
import {activeFilters} from './toolbar.js';

function undoButton(text, undo) {
	const button = el('button', {}, text);
	on(button, 'click', () => go(undo));
	return button;
}

// what: the subject without samples; weigh(state): the weight that it would have in that state.
export function emptyNote(what, weigh) {
	const filters = activeFilters(), guilty = filters.filter(({undo}) => weigh({...app.state, ...undo}));
	const named = guilty.length ? guilty : filters, all = Object.assign({}, ...filters.map(({undo}) => undo), {transforms: []});
	return el('div', {className: 'empty', role: 'status'},
		el('p', {}, filters.length ? `${named.length > 1 ? 'These filters leave' : 'This filter leaves'} no samples of ${what}:` : `No samples of ${what}.`),
		...named.map(({text, undo}) => el('p', {}, undoButton('Remove: ' + text, undo))),
		...filters.length > 1 ? [el('p', {}, undoButton('Remove all filters', all))] : []);
}
