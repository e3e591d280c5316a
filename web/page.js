// The page: reads the profile it carries, and lets people look at it from all sides.
import {unbase64} from './bytes.js';
import {SCHEMES, colorByChange, colorScheme} from './color.js';
import {Names, cellsOf, changeOfNode, changeOfRow, detailOf, sayNode} from './detail.js';
import {afterPicture, byId, copyText, el, legible, on} from './dom.js';
import {FlameView} from './flame.js';
import {formatCount, formatDelta, formatShare} from './format.js';
import {followPath, linkPath, readLink, writeLink} from './link.js';
import {openMenu} from './menu.js';
import {Model, STEPS, VIEWS, wordMarks} from './model.js';
import {capitalized, openHelp, openInfo, openNotes, openThreads} from './panels.js';
import {readPack} from './profile.js';
import {matchNodes, matchTotal, matchWords, parseSearch} from './search.js';
import {shorten} from './shorten.js';
import {TableView} from './table.js';
import {TimelineView} from './timeline.js';
import {findPath, pathOf} from './tree.js';

const VIEW_TITLES = {flame: 'Flame graph', reverse: 'Reverse flame graph', timeline: 'Flame graph of the chosen time'};
const INKS = ['ground', 'text', 'muted', 'accent', 'hit', 'sliver', 'mark', 'glow', 'hot', 'raised', 'one', 'two'];
const MOST_LABELS = 20000;
const AHEAD_MS = 150;

let profile, model, names, state, main, callers, callees, table, side, timeline, scheme, schemeKey;
let hits = null, found = [], foundAt = -1, foundFor = null, trail = [], themed = null, ahead = 0;
const host = {ink: null, marks: null, font: 'monospace'};
const shortened = new Map();
const root = document.documentElement;
const darkness = matchMedia('(prefers-color-scheme: dark)'), touch = matchMedia('(pointer: coarse)');

const isDark = () => themed ? themed === 'dark' : darkness.matches;
const rawName = (word) => profile.words.name[word];
const isFunction = (word) => word < profile.words.name.length && profile.words.kind[word] !== 3;
// What the details are made of; sums of all are made when they are asked for.
const about = (view, tree) => ({
	names, unit: model.choice(state).unit, zoomed: view ? view.node : 0,
	get top() {
		return model.top(state);
	},
	get noise() {
		return model.noise(tree);
	},
});

// --- state ---

// Takes changes over, remembers them in the address, and shows what they lead to.
function go(changes, replace) {
	Object.assign(state, changes);
	remember(replace);
	refresh();
}

function remember(replace) {
	const link = '#' + writeLink(state, model.usual);
	if (link === (location.hash || '#'))
		return;
	try {
		history[replace ? 'replaceState' : 'pushState'](null, '', link);
	} catch {
		// A page in a frame may not be allowed to: it works without.
	}
}

function recall() {
	if ('#' + writeLink(state, model.usual) === (location.hash || '#'))
		return;
	state = model.checked(readLink(location.hash, model.usual));
	byId('search').value = state.search;
	refresh();
}

// --- what the views ask ---

// Is the change of a node one that noise could make as well?
function isQuiet(tree, node) {
	const noise = model.noise(tree);
	return noise.claim && !noise.significant[node];
}

// A name that fits; with its sign where two recordings are compared.
function labelOf(tree, node, chars) {
	let sign = '';
	if (tree.total.length > 1 && node && !isQuiet(tree, node)) {
		sign = formatDelta(changeOfNode(tree, node)).replace(/\s*pt$/, ' ');
		sign = sign[0] === '±' ? '' : chars < 12 ? sign[0] : sign;
	}
	const room = chars - sign.length, word = tree.word[node], name = names.of(word), key = word * 512 + Math.min(room, 511);
	if (name.length <= room)
		return sign + name;
	let text = shortened.get(key);
	if (text === undefined) {
		if (shortened.size > MOST_LABELS)
			shortened.clear();
		shortened.set(key, text = shorten(name, Math.min(room, 511)));
	}
	return sign + text;
}

function showDetail(view, node) {
	const {tree} = view;
	byId('detail').replaceChildren(...detailOf(tree, node, about(view, tree)));
}

function showHint() {
	const hints = touch.matches ? [['tap', 'zoom'], ['long press', 'more'], ['pinch', 'zoom freely']] : state.view === 'table' ?
		[['Enter', 'callers and callees'], ['right click', 'more'], ['/', 'filter'], ['?', 'help']] :
		[['click', 'zoom'], ['Esc', 'back'], ['arrows', 'walk'], ['/', 'search'], ['right click', 'more'], ['?', 'help']];
	byId('detail').replaceChildren(el('p', {className: 'hints'}, ...hints.map(([key, text]) => el('span', {}, el('kbd', {}, key), ' ' + text))));
}

Object.assign(host, {
	label: labelOf,
	id: (view) => view === main ? '' : view === callers ? '-callers' : '-callees',
	facts: (tree, node) => cellsOf(tree, node, about()),
	hover(view, node, event) {
		const tip = byId('tip');
		tip.hidden = node < 0;
		if (node < 0) {
			if (view.chosen >= 0)
				showDetail(view, view.chosen);
			else
				showHint();
			return;
		}
		if (node !== tip.node || view !== tip.view) {
			showDetail(view, node);
			tip.textContent = sayNode(view.tree, node, about(view));
		}
		Object.assign(tip, {node, view});
		tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 6) + 'px';
		tip.style.top = (event.clientY + 22 + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 12 : event.clientY + 20) + 'px';
	},
	choose(view, node) {
		if (node >= 0)
			byId('live').textContent = sayNode(view.tree, node, about(view));
	},
	tell(view, node) {
		if (node < 0)
			showHint();
		else
			showDetail(view, node);
	},
	zoomed(view, node, free) {
		if (view === main) {
			if (!free)
				trail.push(state.zoom);
			state.zoom = zoomText(view.tree, node);
			remember(free);
			byId('reset').hidden = !node;
		}
		byId('tip').hidden = true;
		if (free)
			return;
		const finer = refined(view.tree, node);
		if (finer.tree !== view.tree)
			Object.assign(view, {tree: finer.tree, hovered: -1, chosen: -1});
		view.zoomTo(finer.node);
	},
	menu(view, node, x, y) {
		openFunctionMenu(view.tree.word[node], x, y, view.canvas, view, node);
	},
	threadName: (thread) => legible(model.threadName(thread)),
	setRange(range, second) {
		if (second && state.range)
			go({range2: range, zoom: ''});
		else
			go({range, range2: null, zoom: ''});
	},
});

// What a reverse tree left out below a node, since it was too narrow to be seen, is there once it is zoomed to.
function refined(tree, node) {
	if (!node || !tree.cut || !tree.cut.subarray(node, tree.end[node]).includes(1))
		return {tree, node};
	const path = pathOf(tree, node), finer = model.tree('reverse', state, 0, path), same = findPath(finer, path);
	return same < 0 ? {tree, node} : {tree: finer, node: same};
}

const zoomText = (tree, node) => linkPath(pathOf(tree, node).map(rawName));

const tableHost = (open) => ({
	choose(word) {
		const tree = model.tree('flame', state), node = tree.word.indexOf(word);
		if (node > 0)
			byId('detail').replaceChildren(...detailOf(tree, node, about(null, tree)));
	},
	click: open ? undefined : (word) => state.pivot !== rawName(word) && go({pivot: rawName(word)}),
	open: (word) => go({view: 'sandwich', pivot: rawName(word)}),
	menu: (word, x, y, owner) => openFunctionMenu(word, x, y, owner),
});

function addStep(op, text) {
	go({transforms: [...state.transforms, {op, text}]});
}

// Everything that can be done with a function, or with one frame of it.
function openFunctionMenu(word, x, y, owner, view, node) {
	const off = !isFunction(word), name = off ? '' : rawName(word), module = off ? '' : names.module(word);
	const base = module.slice(module.lastIndexOf('/') + 1);
	byId('tip').hidden = true;
	openMenu(x, y, names.of(word), [
		{text: 'Zoom', key: 'Enter', off: !view, run: () => view.enter(node)},
		{text: 'Sandwich: callers and callees', key: 's', off, run: () => go({view: 'sandwich', pivot: name})},
		{text: 'Focus: only stacks with it', off, run: () => addStep('focus', name)},
		{text: 'Drop: without stacks with it', off, run: () => addStep('ignore', name)},
		{text: 'Hide: its cost goes to its callers', off, run: () => addStep('hide', name)},
		{text: 'Begin stacks here', off, run: () => addStep('base', name)},
		{text: 'Collapse recursion', off: state.transforms.some(({op}) => op === 'recursion'), run: () => addStep('recursion', '')},
		{text: base ? `Collapse module ${base}` : 'Collapse module', off: !base, run: () => addStep('module', base)},
		{text: 'Copy name', off: off && !node, run: () => copied(off ? names.of(word) : name, 'name')},
		{text: 'Copy stack', off: !view, run: () => copied(pathOf(view.tree, node).map(rawName).join('\n'), 'stack')},
	], owner);
}

async function copied(text, what) {
	await copyText(text);
	byId('live').textContent = `Copied the ${what}.`;
}

// --- toolbar ---

function fillSelect(id, options, value) {
	const select = byId(id);
	select.replaceChildren(...options.map(([key, text]) => el('option', {value: key, selected: key === value}, text)));
	select.parentNode.hidden = options.length < 2;
}

function showTools() {
	const compares = model.compares(state), {view} = profile, palette = view.get('color');
	const schemes = SCHEMES.filter((name) => name !== 'diff' || compares);
	if (profile.words.color && palette && !schemes.includes(palette))
		schemes.unshift(palette);
	fillSelect('event', model.choices.map(({key, text}) => [key, legible(text)]), model.choice(state).key);
	fillSelect('width', compares ? [['after', 'after'], ['before', 'before'], ['either', 'either']] : [], state.width);
	fillSelect('color', schemes.map((name) => [name, capitalized(name)]), model.color(state));
	fillSelect('order', [['name', 'Name'], ['width', 'Width'], ...model.hasTimes ? [['time', 'Time']] : []], model.order(state));
	byId('order').parentNode.hidden = state.view === 'table';
	byId('flip').setAttribute('aria-pressed', state.flip);
	byId('threads').hidden = profile.threads.length < 2;
	byId('tab-timeline').disabled = !model.hasTimes;
	byId('tab-timeline').title = model.hasTimes ? '' : 'This recording has no times.';
	for (const name of VIEWS) {
		const tab = byId('tab-' + name), selected = name === state.view;
		tab.setAttribute('aria-selected', selected);
		tab.tabIndex = selected ? 0 : -1;
		if (selected)
			byId('stage').setAttribute('aria-labelledby', tab.id);
	}
	showChips();
}

function chip(text, undo) {
	const button = el('button', {'aria-label': 'Undo: ' + text, title: 'Undo'}, '✕');
	on(button, 'click', undo);
	return el('li', {}, el('span', {title: text}, text), button);
}

function showChips() {
	const time = (range) => range.map((t) => formatCount(t, 'ns')).join(' – ');
	const chips = state.transforms.map(({op, text}, i) =>
		chip(STEPS[op] + (text ? ' ' + legible(text) : ''), () => go({transforms: state.transforms.toSpliced(i, 1)})));
	if (state.threads)
		chips.push(chip(`${state.threads.length} of ${profile.threads.length - 1} threads`, () => go({threads: null})));
	if (state.range)
		chips.push(chip('Time ' + time(state.range), () => go({range: null, range2: null})));
	if (state.range && state.range2)
		chips.push(chip('Compared with ' + time(state.range2), () => go({range2: null})));
	byId('chips').replaceChildren(...chips);
	byId('legend').replaceChildren(...scheme.legend.map(({css, text}) => {
		const box = el('i');
		box.style.background = css;
		return el('li', {}, box, legible(text));
	}));
}

// --- search ---

// Finds the words that match, and says how much of a tree they are.
function search(text, tree) {
	const input = byId('search'), output = byId('found');
	const parsed = text ? parseSearch(text) : null;
	hits = parsed && matchWords(profile, parsed);
	found = [];
	foundAt = -1;
	foundFor = null;
	const share = hits ? matchTotal(tree, hits) / (tree.whole || 1) : 0;
	const some = hits && hits.includes(1) && share > 0;
	output.textContent = !text ? '' : (parsed.error ? parsed.error + ' · ' : '') + (some ? formatShare(share) + ' matched' : 'no match');
	output.classList.toggle('wrong', !!text && (!!parsed.error || !some));
	input.setAttribute('aria-invalid', !!parsed?.error);
	byId('next').disabled = byId('previous').disabled = !some;
}

// Goes from match to match, the widest first.
function step(by) {
	const view = state.view === 'sandwich' ? callees : main, {tree} = view;
	if (!hits || !tree)
		return;
	if (state.view === 'table') {
		table.go(foundAt < 0 ? 0 : (table.at || 0) + by);
		foundAt = 0;
		return;
	}
	if (foundFor !== tree) {
		found = [...matchNodes(tree, hits)].filter((node) => tree.width[node]).sort((a, b) => tree.width[b] - tree.width[a]);
		foundFor = tree;
		foundAt = by > 0 ? -1 : 0;
	}
	if (!found.length)
		return;
	foundAt = (foundAt + by + found.length) % found.length;
	const node = found[foundAt], [from, to] = view.window;
	// A match too narrow to be seen is zoomed to.
	if (tree.width[node] / (to - from) * view.painter.width < 3 || tree.left[node] >= to || tree.left[node] + tree.width[node] <= from)
		host.zoomed(view, tree.width[node] * 40 > tree.width[tree.parent[node]] ? tree.parent[node] : node);
	view.choose(node);
	byId('found').textContent = `${foundAt + 1} of ${found.length} · ${formatShare(matchTotal(tree, hits) / tree.whole)} matched`;
}

// --- views ---

function refresh() {
	const name = model.color(state), key = name + isDark();
	if (key !== schemeKey) {
		scheme = colorScheme(name, profile, isDark());
		schemeKey = key;
		if (name === 'diff')
			scheme = quietened(scheme);
	}
	showSummary();
	showTools();
	byId('reset').hidden = !state.zoom || state.view === 'sandwich' || state.view === 'table';
	byId('search').placeholder = state.view === 'table' ? 'Filter functions' : touch.matches ? 'Search' : 'Search   /';
	({sandwich: showSandwich, table: showTable}[state.view] || showFlame)();
}

// What cannot be told from noise has no color.
function quietened({css, legend}) {
	const same = css.indexOf(legend[1].css);
	return {css, legend: legend.map((entry, i) => i === 1 ? {...entry, text: 'same, or inside the noise'} : entry), of(tree, node) {
		return tree.total.length > 1 && isQuiet(tree, node) ? same : colorByChange(changeOfNode(tree, node));
	}};
}

function showSummary() {
	const {unit, text} = model.choice(state), tree = model.tree(state.view === 'reverse' ? 'reverse' : 'flame', state);
	const whole = tree.total.map((total) => formatCount(total[0], unit)).join(' → ');
	const facts = new Map(profile.info);
	byId('summary').textContent = [whole, text === unit ? '' : text, profile.view.get('subtitle'), facts.get('command'), facts.get('captured')]
		.filter(Boolean).map(legible).join(' · ');
}

// Shows elements, which keep their state while they are away.
function stage(...elements) {
	const place = byId('stage');
	if (elements.length === place.children.length && elements.every((e, i) => e === place.children[i]))
		return;
	const inside = place.contains(document.activeElement);
	place.replaceChildren(...elements);
	// Who was in the old view goes on in the new one.
	if (inside)
		place.focus({preventScroll: true});
}

function show(view, tree, options) {
	if (view.tree === tree && view.flip === options.flip) {
		view.restyle({scheme, hits});
		if (view.node !== options.node)
			view.zoomTo(options.node);
		return;
	}
	view.show(tree, {scheme, hits, ...options});
}

function showFlame() {
	const whole = model.tree(state.view === 'reverse' ? 'reverse' : 'flame', state);
	const {tree, node} = refined(whole, followPath(whole, rawName, state.zoom));
	if (state.view === 'timeline') {
		const event = model.choice(state).columns[0], ticks = profile.ticks(), {threads} = model.query(state);
		timeline ??= new TimelineView(host);
		stage(timeline.element, main.element);
		timeline.show(ticks, (i) => event[ticks.event[i]] && (!threads || threads[ticks.thread[i]]), [state.range, state.range2]);
	} else {
		stage(main.element);
	}
	main.canvas.setAttribute('aria-label', VIEW_TITLES[state.view] + '. Arrow keys walk, Enter zooms, Shift-F10 opens the menu.');
	search(state.search, tree);
	// In the order of time a path may be there many times: stay where it is looked at.
	const stays = main.tree === tree && zoomText(tree, main.node) === state.zoom;
	show(main, tree, {flip: state.flip, node: stays ? main.node : node});
	showHint();
	// The details need the sums of every function: made while the picture is looked at, not at the first click.
	clearTimeout(ahead);
	ahead = setTimeout(() => model.top(state), AHEAD_MS);
}

function columnsOfTable(top) {
	const column = top.total.length - 1, {unit} = model.choice(state);
	const share = (which, k) => (row) => top.whole[k] ? which[k][row] / top.whole[k] : 0;
	// Of what is counted the column needs no unit.
	const amount = (n) => formatCount(n, unit).replace(/\s[a-z]{5,}$/, '');
	const cost = (key, title, which, k, main) => ({
		key, title, main, value: (row) => which[k][row], text: (row) => formatShare(share(which, k)(row)), share: share(which, k),
		note: (row) => amount(which[k][row]),
	});
	const name = {key: 'name', title: 'Function', up: true, value: (row) => rawName(top.word[row]), text: (row) => names.of(top.word[row])};
	const modules = profile.modules.path.length > 1 ? [{key: 'module', title: 'Module', up: true, value: (row) => names.module(top.word[row]), text: (row) => names.module(top.word[row])}] : [];
	if (!column)
		return [cost('self', 'Self', top.self, 0, true), cost('total', 'Total', top.total, 0), name, ...modules];
	const change = (row) => changeOfRow(top, row), noise = model.topNoise(top, model.tree('flame', state));
	const quiet = (row) => noise.claim && !noise.significant[row];
	return [{key: 'change', title: 'Change', main: true, value: (row) => quiet(row) ? 0 : Math.abs(change(row)),
		text: (row) => formatDelta(change(row)), note: (row) => quiet(row) ? 'noise' : ''},
		cost('before', 'Before', top.total, 0), cost('after', 'After', top.total, 1), name, ...modules];
}

function fillTable(view) {
	const top = model.top(state);
	view.show(columnsOfTable(top), top.word, (row) => isFunction(top.word[row]) && (!hits || hits[top.word[row]]));
}

function showTable() {
	table ??= new TableView(tableHost(true), 'Functions');
	stage(table.element);
	search(state.search, model.tree('flame', state));
	fillTable(table);
	showHint();
}

// The function with most cost of its own, when none was chosen.
function pivotWord() {
	const word = profile.words.name.indexOf(state.pivot);
	if (state.pivot && word >= 0)
		return word;
	const top = model.top(state), self = top.self.at(-1);
	let best = -1;
	top.word.forEach((w, row) => {
		if (isFunction(w) && (best < 0 || self[row] > self[best]))
			best = row;
	});
	return best < 0 ? -1 : top.word[best];
}

// A table of functions beside two graphs: made when it is looked at, as table and timeline are.
function makeSandwich() {
	callers = new FlameView(host, 'Callers');
	callees = new FlameView(host, 'Callees');
	side = new TableView(tableHost(false), 'Functions');
	side.above = el('h2');
	side.below = el('h2');
	side.sandwich = el('div', {className: 'sandwich'}, side.element,
		el('div', {className: 'panes'}, side.above, callers.element, side.below, callees.element));
}

function showSandwich() {
	if (!side)
		makeSandwich();
	const word = pivotWord(), name = word < 0 ? '' : names.of(word);
	stage(side.sandwich);
	search(state.search, model.tree('flame', state));
	fillTable(side);
	side.above.replaceChildren('Callers of ', el('b', {}, name));
	side.below.replaceChildren('What ', el('b', {}, name), ' calls');
	if (word < 0)
		return;
	const above = model.tree('callers', state, word);
	if (!above.whole)
		side.above.append(', which is not in what is shown');
	show(callers, above, {flip: true, node: 0});
	show(callees, model.tree('callees', state, word), {flip: false, node: 0});
	showDetail(callees, 0);
}

// --- theme ---

// The theme that was chosen before.  Asking for it waits for another process, so it comes after the first picture.
function readTheme() {
	try {
		useTheme(localStorage.getItem('wick-theme'));
	} catch {
		// Nothing is remembered.
	}
}

function useTheme(theme) {
	if (!theme || theme === themed)
		return;
	themed = theme;
	applyTheme();
	refresh();
}

function applyTheme() {
	if (themed)
		root.dataset.theme = themed;
	// All together, so that the page is styled once.
	const probes = INKS.map((name) => {
		const probe = el('i', {hidden: true});
		probe.style.color = `var(--${name})`;
		return probe;
	});
	byId('app').append(...probes);
	const ink = Object.fromEntries(INKS.map((name, i) => [name, getComputedStyle(probes[i]).color]));
	probes.forEach((probe) => probe.remove());
	host.font = getComputedStyle(root).getPropertyValue('--mono');
	host.ink = {...ink, veil: ink.raised, range: [ink.one, ink.two], heat: shades(ink.raised, ink.hot, 12)};
}

function shades(from, to, nr) {
	const [a, b] = [from, to].map((css) => css.match(/[\d.]+/g).map(Number));
	return Array.from({length: nr + 1}, (_, i) => `rgb(${a.map((x, k) => Math.round(x + (b[k] - x) * i / nr)).slice(0, 3)})`);
}

function toggleTheme() {
	useTheme(isDark() ? 'light' : 'dark');
	try {
		localStorage.setItem('wick-theme', themed);
	} catch {
		// Remembered for as long as the page is open.
	}
}

// --- keys and buttons ---

function back() {
	const view = state.view === 'sandwich' ? null : main;
	if (!view) {
		[callers, callees].forEach((v) => v.zoomTo(0));
	} else if (state.zoom) {
		const zoom = trail.pop() ?? '';
		go({zoom: zoom === state.zoom ? '' : zoom});
	} else if (state.search) {
		setSearch('');
	}
}

function setSearch(text) {
	byId('search').value = text;
	go({search: text}, true);
}

const chosenWord = () => {
	const view = state.view === 'sandwich' ? callees : main, node = view.chosen >= 0 ? view.chosen : view.hovered;
	return view.tree && node > 0 ? view.tree.word[node] : -1;
};

const KEYS = {
	'/': () => byId('search').select(), '?': openHelp, n: () => step(1), N: () => step(-1), i: () => go({flip: !state.flip}),
	r: () => go({view: state.view === 'reverse' ? 'flame' : 'reverse', zoom: ''}), d: toggleTheme, c: nextColor, Escape: back,
	Backspace: back, 0: () => state.view === 'sandwich' ? back() : go({zoom: ''}),
	s: () => go({view: 'sandwich', pivot: isFunction(chosenWord()) ? rawName(chosenWord()) : state.pivot}),
};

function nextColor() {
	const options = [...byId('color').options].map(({value}) => value);
	go({color: options[(options.indexOf(model.color(state)) + 1) % options.length]});
}

function onKey(e) {
	const typing = e.target.matches('input, select, textarea');
	if ((e.ctrlKey || e.metaKey) && e.key === 'f' && !e.shiftKey && !e.altKey) {
		e.preventDefault();
		byId('search').select();
		return;
	}
	if (typing || e.ctrlKey || e.metaKey || e.altKey || byId('panel').open)
		return;
	const view = VIEWS[e.key - 1], run = view ? () => selectView(view) : Object.hasOwn(KEYS, e.key) && KEYS[e.key];
	if (run) {
		e.preventDefault();
		run();
	}
}

function selectView(view) {
	if (!byId('tab-' + view).disabled)
		go({view, zoom: view === state.view ? state.zoom : ''});
}

function onSearchKey(e) {
	if (e.key === 'Enter') {
		step(e.shiftKey ? -1 : 1);
	} else if (e.key === 'Escape') {
		e.preventDefault();
		if (state.search)
			setSearch('');
		else
			byId('stage').querySelector('canvas, tr[tabindex="0"]')?.focus();
	}
}

function onTabKey(e) {
	const by = {ArrowRight: 1, ArrowLeft: -1}[e.key];
	if (!by)
		return;
	const open = VIEWS.filter((name) => !byId('tab-' + name).disabled);
	const view = open[(open.indexOf(state.view) + by + open.length) % open.length];
	selectView(view);
	byId('tab-' + view).focus();
}

function chooseThreads() {
	const weight = new Float64Array(profile.threads.length), {counts} = profile, {columns, samples, unit} = model.choice(state);
	for (const {event, thread, begin, end} of counts.groups)
		for (let i = begin; i < end && columns.at(-1)[event]; i++)
			weight[thread] += samples ? counts.nr_samples[i] : counts.weight[i];
	const threads = Array.from(weight, (w, thread) => ({thread, weight: w, name: model.threadName(thread)}))
		.filter(({weight: w}) => w).sort((a, b) => b.weight - a.weight);
	const chosen = state.threads && new Set(threads.map((t) => t.thread).filter((t) => state.threads.includes(model.threadKey(t))));
	openThreads(threads, {chosen, whole: weight.reduce((a, b) => a + b, 0), unit, roots: state.roots},
		(list) => go({threads: list && list.map((t) => model.threadKey(t))}, true), (roots) => go({roots, zoom: ''}));
}

function listen() {
	const click = (id, run) => on(byId(id), 'click', run);
	for (const id of ['event', 'width', 'color', 'order'])
		on(byId(id), 'change', (e) => go({[id]: e.target.value}));
	for (const view of VIEWS)
		click('tab-' + view, () => selectView(view));
	click('flip', KEYS.i);
	click('reset', () => go({zoom: ''}));
	click('theme', toggleTheme);
	click('help', openHelp);
	click('info', () => openInfo(profile, byId('summary').textContent));
	click('notes', () => openNotes(profile));
	click('threads', chooseThreads);
	click('next', () => step(1));
	click('previous', () => step(-1));
	click('close', () => byId('panel').close());
	on(byId('panel'), 'click', (e) => e.target === byId('panel') && byId('panel').close());
	on(byId('tabs'), 'keydown', onTabKey);
	on(byId('search'), 'keydown', onSearchKey);
	on(byId('search'), 'input', (e) => go({search: e.target.value}, true));
	on(document, 'keydown', onKey);
	on(window, 'popstate hashchange', recall);
	on(window, 'beforeprint', unfoldPicture);
	on(matchMedia('print'), 'change', unfoldPicture);
	on(darkness, 'change', () => {
		applyTheme();
		refresh();
	});
}

// --- boot ---

// The picture for paper and for browsers without scripts is text until it is needed: those with scripts do not
// have to build it before they show the page.
function unfoldPicture() {
	const folded = document.querySelector('noscript');
	folded?.replaceWith(...new DOMParser().parseFromString(folded.textContent, 'text/html').body.childNodes);
}

function fail(error) {
	console.error(error);
	unfoldPicture();
	root.dataset.failed = root.dataset.ready = '1';
	document.body.prepend(el('p', {role: 'alert', className: 'empty'}, 'This page cannot show its profile: ' + error.message));
	byId('app').hidden = true;
	byId('static').hidden = false;
}

async function boot() {
	const began = performance.now(), timings = {}, data = byId('wick');
	const bytes = unbase64(data.textContent);
	data.remove();
	profile = await readPack(bytes);
	timings.read = performance.now() - began;
	names = new Names(profile);
	model = new Model(profile);
	host.marks = wordMarks(profile);
	state = model.checked(readLink(location.hash, model.usual));
	const title = profile.view.get('title') || 'Flame graph', lost = profile.notes.length;
	byId('title').textContent = legible(title);
	byId('notes').textContent = lost === 1 ? '1 note' : lost + ' notes';
	byId('notes').hidden = !lost;
	byId('search').value = state.search;
	byId('static').hidden = true;
	byId('app').hidden = false;
	applyTheme();
	main = new FlameView(host, 'Flame graph');
	listen();
	refresh();
	timings.shown = performance.now() - began;
	window.wick = {
		timings, view: main, zoom: (node) => host.zoomed(main, node),
		get views() {
			return {main, callers, callees};
		},
		get tree() {
			return main.tree;
		},
		get state() {
			return state;
		},
	};
	root.dataset.ready = '1';
	afterPicture(readTheme);
}

boot().catch(fail);
