// The page: reads the embedded profile, and shows its views.
import {app, openProfile} from './app.js';
import {unbase64} from './bytes.js';
import {afterPicture, byId, el, on} from './dom.js';
import {FlameView} from './flame.js';
import {host, zoomView} from './host.js';
import {listenToPeople} from './keys.js';
import {legible} from './legible.js';
import {fillPaper} from './paper.js';
import {readPack} from './profile.js';
import {readRoute, recall} from './route.js';
import {applyTheme, darkness, readTheme} from './theme.js';
import {refresh} from './views.js';

const root = document.documentElement;

// The picture for browsers without scripts is in <noscript>, so that browsers with scripts need not build it; this
// inserts it if the page cannot work.
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

// Listens to changes of the URL and the window, and to printing.
function listenToBrowser() {
	on(window, 'popstate hashchange', recall);
	on(window, 'beforeprint', fillPaper);
	on(matchMedia('print'), 'change', (e) => e.matches && fillPaper());
	on(darkness, 'change', () => {
		applyTheme();
		refresh();
	});
}

function showHead({notes, view}) {
	byId('title').textContent = legible(view.get('title') || 'Flame graph');
	byId('notes').textContent = notes.length === 1 ? '1 note' : notes.length + ' notes';
	byId('notes').hidden = !notes.length;
	byId('static').hidden = true;
	byId('app').hidden = false;
}

// An interface for measurements and tests.
function openDoor(timings) {
	window.wick = {
		timings, view: app.main, zoom: (node) => zoomView(app.main, node),
		get views() {
			return app;
		},
		get tree() {
			return app.main.tree;
		},
		get state() {
			return app.state;
		},
	};
}

async function boot() {
	const began = performance.now(), timings = {}, data = byId('wick');
	const bytes = unbase64(data.textContent);
	data.remove();
	openProfile(await readPack(bytes));
	timings.read = performance.now() - began;
	app.refresh = refresh;
	readRoute();
	showHead(app.profile);
	applyTheme();
	app.main = new FlameView(host, 'Flame graph');
	listenToPeople();
	listenToBrowser();
	refresh();
	timings.shown = performance.now() - began;
	openDoor(timings);
	root.dataset.ready = '1';
	afterPicture(readTheme);
}

boot().catch(fail);
