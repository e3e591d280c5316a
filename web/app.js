// State shared by the modules of the page, so that they need not import each other.
import {Names} from './detail.js';
import {Model, wordMarks} from './model.js';

export const app = {
	profile: null, model: null, names: null, // of the file; names as they are shown
	state: null, // what is shown: Model.usualState() has its fields
	trail: [], // zooms to go back to
	hits: null, // by word: 1 if the search matches; null: there is no search
	scheme: null, // of colors
	main: null, callers: null, callees: null, table: null, // the views; all but the first are created when first shown
	ink: null, marks: null, font: 'monospace', // colors and font of the views
	refresh: null, // shows the current state
};

// Sets the profile that the page shows.
export function openProfile(profile) {
	Object.assign(app, {profile, names: new Names(profile), model: new Model(profile), marks: wordMarks(profile)});
}

// The graphs that are on the screen: none beside a table, or where filters leave nothing of a sandwich.
export const graphsShown = () => [app.callers, app.callees, app.main].filter((view) => view?.element.isConnected);

// The name as it was recorded.
export const rawName = (word) => app.profile.words.name[word];

// Is the word the name of a frame?  [lock] and other labels are, as in `wick report`; names of threads are not.
export const isFunction = (word) => word < app.profile.words.name.length && !app.profile.words.roots.has(word);

// Is the change of a node within the noise?
export function isQuiet(tree, node) {
	const noise = app.model.noise(tree);
	return noise.claim && !noise.significant[node];
}
