// From a state to trees, and what may be said of them: the page's model.
import {readPack} from '../../web/profile.js';
import {readLink} from '../../web/link.js';
import {Model} from '../../web/model.js';
import {changeOfNode} from '../../web/detail.js';
import {foldedPack, makePack} from './pack.mjs';
import {done, is, ok} from './tap.mjs';

const modelOf = async (bytes) => new Model(await readPack(bytes));
const view = (pairs) => Object.entries(pairs);

// What is shown first.
const plain = await modelOf(foldedPack('a;b 3\na;c 1\n'));
is(plain.choices.map(({key, unit}) => [key, unit]), [['0', 'samples']], 'one event, one choice');
is([plain.usual.view, plain.usual.flip, plain.color(plain.usual), plain.order(plain.usual)], ['flame', false, 'kind', 'name'], 'the usual view');
const asked = await modelOf(foldedPack('a;b 3\n', {view: view({tree: 'reverse', top: 'leaf', sort: 'width', color: 'self'})}));
is([asked.usual.view, asked.usual.flip, asked.color(asked.usual)], ['reverse', true, 'self'], 'what the command line asked for');
const weighed = await modelOf(makePack({
	counts: [{stack: ['a'], weight: 4000, nr: 2}], events: [{name: 'cycles', unit: 'cycles'}], view: view({weight: 'samples'}),
}));
is(weighed.choices.map(({key}) => key), ['0', '0s'], 'weights and samples where they differ');
is(weighed.usual.event, '0s', 'samples first when that was asked for');
is(weighed.tree('flame', weighed.usual).total[0][0], 2, 'and they are what counts');
const empty = await modelOf(foldedPack('', {counts: []}));
is(empty.tree('flame', empty.usual).nr, 1, 'nothing is a tree as well');

// A link may say anything.
const hostile = '#view=evil&event=99&color=__proto__&order=x&width=&roots=constructor&transforms=toString:x,hide:b,:&range=1-2';
is(plain.checked(readLink(hostile, plain.usual)), {...plain.usual, transforms: [{op: 'hide', text: 'b'}]}, 'what is not there is not chosen');

// Steps.
const hidden = plain.tree('flame', {...plain.usual, transforms: [{op: 'hide', text: 'b'}]});
is([...hidden.self[0]], [0, 3, 1], 'a hidden function costs its caller');
ok(plain.tree('flame', plain.usual) === plain.tree('flame', {...plain.usual, color: 'self'}), 'a tree is kept while its state is the same');

// A comparison of two recordings, three runs each: b and c differ between runs, d and g between sides.
const counts = [], names = [...'abcdefgh'], nrOfRuns = 3;
for (let side = 0; side < 2; side++)
	for (let run = 1; run <= nrOfRuns; run++)
		names.forEach((name, i) => counts.push({
			stack: ['main', name], event: side, labels: side * nrOfRuns + run,
			weight: 300 + (i * 7 + run * 5) % 11 + ({b: 300 - 100 * run - 90 * side, c: 100 * run + 90 * side, d: 150 * side, g: -150 * side}[name] ?? 0),
		}));
const compared = {
	counts, events: [{name: 'before', unit: 'samples'}, {name: 'after', unit: 'samples'}], view: view({before: '0', after: '1'}),
	labelSets: [1, 2, 3, 1, 2, 3].map((run) => [{key: 'run', value: String(run)}]),
};
const several = await modelOf(makePack(compared));
const {usual} = several;
const marked = (model, tree) => [...model.noise(tree).significant].flatMap((s, i) => s ? [model.profile.words.name[tree.word[i]] + s] : []);
is([usual.event, several.color(usual)], ['diff', 'diff'], 'a comparison is shown as one');
is(marked(several, several.tree('flame', usual)), ['d1', 'g2'], 'what differs between runs is no news');
const one = await modelOf(makePack({...compared, labelSets: [], counts: counts.map((row) => ({...row, labels: 0}))
	.filter((row, i, all) => i === all.findIndex((r) => r.event === row.event && r.stack[1] === row.stack[1]))
	.map((row) => ({...row, weight: counts.reduce((n, r) => n + (r.event === row.event && r.stack[1] === row.stack[1] ? r.weight : 0), 0)}))}));
ok(marked(one, one.tree('flame', one.usual)).includes('c1'), 'though it would be one if there was a single run', marked(one, one.tree('flame', one.usual)));
const top = several.top(usual);
is([...several.topNoise(top, several.tree('flame', usual)).significant].flatMap((s, row) => s ? [several.profile.words.name[top.word[row]]] : []), ['d', 'g'],
	'in the table as well');
const word = several.profile.words.name.indexOf('d'), middle = several.tree('callees', usual, word);
is(marked(several, middle), ['d1'], 'in the sandwich a function is compared with all');
ok(changeOfNode(middle, 0) > 0.05, 'and its share is one of all', changeOfNode(middle, 0));
ok(several.noise(middle).interval(0)[0] > 0, 'with an interval that leaves out nothing having changed');

const unknown = await modelOf(makePack({...compared, events: [{name: 'before', unit: 'bytes'}, {name: 'after', unit: 'bytes'}]}));
ok(!unknown.noise(unknown.tree('flame', unknown.usual)).claim, 'no claim where samples were not counted');

done();
