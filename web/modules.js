// The hues of modules: those that fill most of the picture get hues that are far apart.  The same as
// src/render/color_modules.c.
const FAR_APART = [1, 4, 8, 2, 0, 5, 9, 3, 7, 6]; // of the rainbow; blue, which is the kernel's, comes last
const FRAME_OF_KERNEL = 1, FRAME_OF_LABEL = 3, FLAGS_INLINED = 2 | 4; // of the profile

// `/usr/lib/libc.so.6` is called libc.so.6.
export function moduleName(path) {
	return path.slice(path.lastIndexOf('/') + 1);
}

// The hue of a module by its position in the list; of further ones, by the hash of the name.
export function hueOf(rank, hash) {
	return FAR_APART[rank] ?? hash % FAR_APART.length;
}

// By stack: the frame whose module counts; for an inlined call without a module, its caller's.
function frameOwners({frames, stacks: {nr, caller, frame}}) {
	const owner = new Uint32Array(nr);
	for (let s = 1; s < nr; s++) {
		const f = frame[s], inlined = frames.flags[f] & FLAGS_INLINED && !frames.module[f];
		owner[s] = inlined && caller[s] ? owner[caller[s]] : f;
	}
	return owner;
}

// The samples of each stack, including those of its callees.
function stackTotals({counts, stacks: {nr, caller}}) {
	const total = new Float64Array(nr);
	for (let i = 0; i < counts.nr; i++)
		total[counts.stack[i]] += counts.nr_samples[i];
	for (let s = nr; s-- > 1;)
		total[caller[s]] += total[s];
	return total;
}

// The names of modules that occur in stacks, with their areas; without the kernel, which has its own color.
function moduleCosts(profile, names, owner) {
	const {frames} = profile, total = stackTotals(profile), cost = new Map();
	for (let s = 1; s < owner.length; s++) {
		const f = owner[s], m = frames.module[f], kind = frames.kind[f];
		if (m && kind !== FRAME_OF_KERNEL && kind !== FRAME_OF_LABEL)
			cost.set(names[m], (cost.get(names[m]) ?? 0) + total[s]);
	}
	return cost;
}

// list: {name, hue}, the heaviest first; hue by module; owner by stack.
export function rankModules(profile, hashOf) {
	const names = Array.from(profile.modules.path, path => moduleName(profile.strings[path]));
	const owner = frameOwners(profile), cost = moduleCosts(profile, names, owner);
	const list = [...cost.keys()].sort((a, b) => cost.get(b) - cost.get(a) || (a < b ? -1 : 1))
		.map((name, rank) => ({name, hue: hueOf(rank, hashOf(name))}));
	const hues = new Map(list.map(({name, hue}) => [name, hue]));
	return {list, owner, hue: Uint8Array.from(names, name => hues.get(name) ?? hueOf(-1, hashOf(name)))};
}
