// From a state to trees, and what may be said of them: the page's model.
import {readPack} from '../../web/profile.js';
import {readLink} from '../../web/link.js';
import {Model} from '../../web/model.js';
import {changeOf} from '../../web/color.js';
import {changeOfNode, changeOfRow} from '../../web/detail.js';
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
const kinds = {
	counts: [{stack: ['a'], weight: 4000, nr: 2}, {stack: ['b'], weight: 30, nr: 3, event: 1}],
	events: [{name: 'cycles', unit: 'cycles'}, {name: 'faults', unit: 'faults'}],
};
const unitsOf = async (pairs) => (await modelOf(makePack({...kinds, view: view(pairs)}))).choices.map(({key, unit}) => key + ' ' + unit);
is(await unitsOf({event: '0', unit: 'cycles'}), ['0 cycles', '0s samples', '1 faults', '1s samples'], 'every event has its own unit');
is(await unitsOf({event: '0', unit: 'pears'}), ['0 pears', '0s samples', '1 pears', '1s samples'], 'unless numbers were given a name');
const summed = await modelOf(makePack({...kinds, view: view({event: '0,1', unit: 'count'})}));
is([summed.usual.event, summed.choice(summed.usual).unit, summed.choice(summed.usual).text], ['0,1', 'count', 'cycles + faults'], 'the sum of events that was asked for');
is(summed.tree('flame', summed.usual).total[0][0], 4030, 'is what is shown');
const counted = await modelOf(makePack({...kinds, view: view({event: '0,1', weight: 'samples', unit: 'samples'})}));
is([counted.choice(counted.usual).unit, counted.tree('flame', counted.usual).total[0][0]], ['samples', 5], 'the samples of several events');
const alike = await modelOf(makePack({...kinds, events: kinds.events.map((event) => ({...event, unit: 'ns'})), view: view({event: '0,1,7'})}));
is([alike.usual.event, alike.choices.at(-2).unit], ['0', 'ns'], 'an event that is not there is none');
const rare = await modelOf(makePack({counts: kinds.counts.slice(1), events: kinds.events}));
is([rare.usual.event, rare.choices.map(({text}) => text)], ['1', ['faults', 'faults (samples)']], 'an event without samples is no choice');
const empty = await modelOf(foldedPack('', {counts: []}));
is(empty.tree('flame', empty.usual).nr, 1, 'nothing is a tree as well');

// A link may say anything.
const hostile = '#view=evil&event=99&color=__proto__&order=x&width=&roots=constructor&transforms=toString:x,hide:b,:&range=1-2';
is(plain.checked(readLink(hostile, plain.usual)), {...plain.usual, transforms: [{op: 'hide', text: 'b'}]}, 'what is not there is not chosen');

is(plain.checked(readLink('#threads=zzzz', plain.usual)).threads, null, 'nor threads that are not there');
const two = await modelOf(makePack({counts: [1, 2].map((thread) => ({stack: ['a'], weight: 1, thread})), threads: [{pid: 1, tid: 1, comm: 'x'}, {pid: 1, tid: 2, comm: 'y'}]}));
is(two.checked(readLink(`#threads=zzzz,${two.threadKey(2)}`, two.usual)).threads, [two.threadKey(2)], 'those that are stay');
is(two.checked(readLink('#threads=', two.usual)).threads, [], 'none can be chosen');

const timed = await modelOf(makePack({counts: [{stack: ['a'], weight: 2}], ticks: {rows: [{time: 100, stack: ['a']}, {time: 130, stack: ['a']}]}}));
const rangesOf = (text) => Object.values(timed.checked(readLink(text, timed.usual))).slice(-3, -1);
is(rangesOf('#range=-1000-20&range2=10-1000'), [[0, 20], [10, 31]], 'ranges of a link are clamped to the recording');
is(rangesOf('#range=0-10&range2=31-40'), [[0, 10], [31, 40]], 'a range beyond the end stays');
is(timed.tree('flame', timed.checked(readLink('#range=-9--5', timed.usual))).width[0], 0, 'and leaves no samples');
is(rangesOf('#range=9-5&range2=1-2'), [null, null], 'a second range needs the first');

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
ok(marked(one, one.tree('flame', one.usual)).includes('b2'), 'though it would be one if there was a single run', marked(one, one.tree('flame', one.usual)));
const top = several.top(usual);
is([...several.topNoise(top, several.tree('flame', usual)).significant].flatMap((s, row) => s ? [several.profile.words.name[top.word[row]]] : []), ['d', 'g'],
	'in the table as well');
const word = several.profile.words.name.indexOf('d'), middle = several.tree('callees', usual, word);
is(marked(several, middle), ['d1'], 'in the sandwich a function is compared with all');
ok(changeOfNode(middle, 0) > 0.05, 'and its share is one of all', changeOfNode(middle, 0));
ok(several.noise(middle).interval(0)[0] > 0, 'with an interval that leaves out nothing having changed');

// Not normalized: a change is one of all that before had, wherever it is told.
const sides = {
	events: compared.events, counts: [{stack: ['f', 'g'], weight: 10}, {stack: ['f'], weight: 30}, {stack: ['f', 'g'], weight: 70, event: 1}, {stack: ['f'], weight: 10, event: 1}],
};
const told = async (counts, normalize) => {
	const asIs = await modelOf(makePack({...sides, counts, view: view({before: '0', after: '1', normalize, width: 'after'})}));
	const tree = asIs.tree('flame', asIs.usual), rows = asIs.top(asIs.usual), g = asIs.profile.words.name.indexOf('g');
	return [changeOfNode(tree, tree.word.indexOf(g)), changeOfRow(rows, rows.at[g] - 1), changeOf(tree, tree.word.indexOf(g), asIs.profile.view)];
};
is(await told(sides.counts, 'none'), [1.5, 1.5, 1.5], 'a change of weights is one of all before');
is(await told(sides.counts, 'total'), [0.625, 0.625, 0.625], 'with totals made equal, a change is one of shares');
is(await told(sides.counts.slice(2), 'none'), [0.875, 0.875, 0.875], 'where nothing was before, of all after');
const slower = view({before: '0', after: '1', normalize: 'duration', times: '1,3;2', width: 'either'});
const paced = await modelOf(makePack({...sides, view: slower})), inTime = paced.tree('flame', paced.usual);
is(inTime.total.map((total) => total[0]), [20, 80], 'before in the time of after');
is([inTime.samples.map((s) => s[0]), inTime.width[0]], [[40, 80], 85], 'samples are those that were taken, and widths of what is shown');
is(paced.choice(paced.usual).text, 'before and after, in the same time', 'and it says so');
ok(Math.abs(changeOfNode(inTime, inTime.word.indexOf(paced.profile.words.name.indexOf('g'))) - 65 / 20) < 1e-12, 'a change of rates');
const single = paced.tree('flame', {...paced.usual, event: '0'});
is(single.total[0][0], 40, 'before alone is what it was');
for (const broken of ['', '1', '1;0', 'a;b', '1;2;3']) {
	const shares = await modelOf(makePack({...sides, view: view({before: '0', after: '1', normalize: 'duration', times: broken})}));
	is(shares.tree('flame', shares.usual).asItIs, false, `times ${broken}: shares`);
}
const wide = await modelOf(makePack({...sides, view: view({before: '0', after: '1', width: 'after'})}));
is([wide.usual.width, wide.tree('flame', wide.usual).width[0]], ['after', 80], 'widths of after, when they were asked for');

const unknown = await modelOf(makePack({...compared, events: [{name: 'before', unit: 'bytes'}, {name: 'after', unit: 'bytes'}]}));
ok(!unknown.noise(unknown.tree('flame', unknown.usual)).claim, 'no claim where samples were not counted');

done();
