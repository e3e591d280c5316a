// Several files of a side are runs of the same, told apart by the label `run`: how much they differ tells what is noise.

// By label set, which run it is of, from 0.
function runOfLabels(labelSets) {
	return labelSets.map((set) => {
		const label = set.find(({key}) => key === 'run'), run = label ? Number(label.value) : 1;
		return Number.isInteger(run) && run >= 1 && run <= 1000 ? run - 1 : 0;
	});
}

// A tree of each run, made as the whole one: [[before's…], [after's…]], or null where a side has one run.
export function runTrees(profile, columns, make) {
	const {counts} = profile, run = runOfLabels(profile.labelSets), sides = columns.map(() => []);
	if (columns.length !== 2 || !run.some((i) => i > 0))
		return null;
	for (const group of counts.groups)
		columns.forEach((column, k) => {
			if (column[group.event])
				(sides[k][run[group.labels]] ||= []).push(group);
		});
	return sides.map((side) => Array.from(side, (groups = []) => make({...profile, counts: {...counts, groups}})));
}

// Their inclusive samples by node of the whole tree, as noiseOf() takes them.
export function runSamples(trees, whole) {
	const childOf = new Map(), key = (parent, word) => parent * 2 ** 32 + word;
	for (let i = 1; i < whole.nr; i++)
		childOf.set(key(whole.parent[i], whole.word[i]), i);
	return trees.map((side, k) => side.map((tree) => {
		const samples = new Float64Array(whole.nr), at = new Int32Array(tree.nr).fill(-1);
		at[0] = 0;
		for (let i = 0; i < tree.nr; i++) {
			if (i)
				at[i] = childOf.get(key(at[tree.parent[i]], tree.word[i])) ?? -1;
			if (at[i] >= 0)
				samples[at[i]] = tree.samples[k][i];
		}
		return samples;
	}));
}
