// Dialogs: help, facts of the recording, dropped data, threads.
import {byId, el, on} from './dom.js';
import {formatCount, formatNumber, formatShare} from './format.js';
import {legible} from './legible.js';

function openPanel(title, ...children) {
	const panel = byId('panel');
	byId('panel-title').textContent = title;
	byId('panel-body').replaceChildren(...children);
	if (!panel.open)
		panel.showModal();
}

export const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const list = (pairs) => el('dl', {}, ...pairs.flatMap(([key, value]) => [el('dt', {}, key), el('dd', {}, value)]));

const HELP = [
	['click, Enter', 'zoom to a frame'],
	['Esc, Backspace', 'go back one step'],
	['0', 'reset zoom'],
	['arrows', 'move to caller, callee, sibling'],
	['/, Ctrl-F', 'search: text or regular expression; ignores case unless it has capitals'],
	['n, N', 'next and previous match'],
	['right click, long press, Shift-F10', 'menu: focus, hide, drop, collapse, copy'],
	['1 … 5', 'flame, reverse, sandwich, table, timeline'],
	['i', 'flip: root at the top or bottom'],
	['r', 'reverse: start at the leaves'],
	['s', 'sandwich: callers and callees'],
	['c', 'next color scheme'],
	['d', 'dark or light theme'],
	['Ctrl-wheel, pinch, + −', 'zoom freely; drag to move'],
	['arrows in the timeline', 'move to a thread, to its previous or next wait'],
	['Shift-drag in the timeline', 'select a second range to compare with the first'],
];

export function openHelp() {
	openPanel('How to use this page', list(HELP.map(([keys, text]) => [el('kbd', {}, keys), text])),
		el('p', {}, 'The width of a frame is its cost; the order from left to right is not time. The URL holds the current view: copy it to share it.'));
}

// Shows the facts of the recording, its events, and its notes.
export function openInfo({info, notes, events, threads}, nrStacks, summary) {
	const facts = [['Shown', summary], ...info.map(([key, value]) => [capitalized(legible(key)), legible(value)]),
		['Events', events.map(({name, unit}) => legible(name === unit ? name : `${name} (${unit})`)).join(', ')],
		['Stacks', formatNumber(nrStacks)], ['Threads', formatNumber(threads.length - 1)]];
	openPanel('Recording', list(facts), ...noteList(notes));
}

export function openNotes({notes}) {
	openPanel('Lost or unresolved', ...noteList(notes));
}

// Advice comes first.  For notes without a line and a text, the count is enough.
function noteList(notes) {
	const helps = ({code}) => code === 'ADVICE';
	return notes.toSorted((a, b) => helps(b) - helps(a)).flatMap(({code, what, count, notes: some}) => [
		el('h3', {}, code === 'ADVICE' ? 'How to fix' : `${capitalized(legible(what))}: ${formatNumber(count)}`),
		el('ul', {}, ...some.filter(({line, text}) => line || text)
			.map(({line, text}) => el('li', {}, (line ? `line ${formatNumber(line)}: ` : '') + legible(text)))),
	]);
}

const MOST_THREADS = 1000; // that are listed
const ROOTS = {comm: 'process or thread name', group: 'process or thread name, numbered threads grouped', thread: 'each thread', none: 'the first function'};

// Selects threads, and the roots of stacks.  chosen: 1 by selected thread, or null for all; done(list of threads, or
// null).
export function openThreads(threads, {chosen, whole, unit, roots, canGroup}, done, rooted) {
	let counts = (thread) => !chosen || chosen[thread]; // one that is not listed
	const change = () => {
		const some = threads.map((t) => t.thread).filter((thread, i) => boxes[i]?.firstChild.checked ?? counts(thread));
		done(some.length === threads.length ? null : some);
	};
	const boxes = threads.slice(0, MOST_THREADS).map(({thread, name, weight}) => {
		const box = el('input', {type: 'checkbox', checked: counts(thread)});
		on(box, 'change', change);
		return el('label', {}, box, el('span', {}, legible(name)),
			el('small', {}, `${formatShare(whole ? weight / whole : 0)} · ${formatCount(weight, unit)}`));
	});
	const all = (checked) => {
		const button = el('button', {}, checked ? 'All' : 'None');
		on(button, 'click', () => {
			boxes.forEach((box) => box.firstChild.checked = checked);
			counts = () => checked;
			change();
		});
		return button;
	};
	const select = el('select', {}, ...Object.entries(ROOTS).filter(([value]) => value !== 'group' || canGroup).map(([value, text]) => el('option', {value, selected: value === roots}, text)));
	on(select, 'change', () => rooted(select.value));
	openPanel('Threads', el('label', {}, 'Start stacks with', select), el('p', {}, all(true), ' ', all(false)), ...boxes,
		threads.length > MOST_THREADS ? `The ${MOST_THREADS} most expensive of ${threads.length} threads` : '');
}
