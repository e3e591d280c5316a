// Whether a change can be told from the noise of sampling: docs/diff.md has the formulas.  The
// same steps as src/fold/noise.c and src/base/chance.c; tests/noise holds both to one set of cases.

const noiseSteps = 300;
const noiseSeriesFrom = 12;
// Past this Student's distribution is the normal one, and its fraction would be slow.
const noiseNormalDf = 1e5;

// ln Γ(x) by Stirling's series.
function noiseLnGamma(x) {
	let below = 0;
	for (; x < noiseSeriesFrom; x++)
		below += Math.log(x);
	const y = 1 / (x * x);
	return (x - 0.5) * Math.log(x) - x + 0.918938533204672742 - below +
		(1 / 12 - y * (1 / 360 - y * (1 / 1260 - y / 1680))) / x;
}

// Its derivative.
function noiseDigamma(x) {
	let below = 0;
	for (; x < noiseSeriesFrom; x++)
		below += 1 / x;
	const y = 1 / (x * x);
	return Math.log(x) - 0.5 / x - below - y * (1 / 12 - y * (1 / 120 - y / 252));
}

// And the second one.
function noiseTrigamma(x) {
	let below = 0;
	for (; x < noiseSeriesFrom; x++)
		below += 1 / (x * x);
	const y = 1 / (x * x);
	return below + 1 / x + y / 2 + y / x * (1 / 6 - y * (1 / 30 - y / 42));
}

// The x with that trigamma: it falls, so halving the range finds it.
function noiseTrigammaInverse(y) {
	let low = 1e-9, high = 1e9;
	for (let i = 0; i < 100; i++) {
		const middle = Math.sqrt(low * high);
		if (noiseTrigamma(middle) > y)
			low = middle;
		else
			high = middle;
	}
	return low;
}

// P(Z >= z): the series of erf near 0, the continued fraction of erfc far from it.
export function normalTail(z) {
	if (z < 0)
		return 1 - normalTail(-z);
	const density = Math.exp(-z * z / 2) * 0.398942280401432678;
	if (z > 3) {
		let fraction = 0;
		for (let i = 60; i > 0; i--)
			fraction = i / (z + fraction);
		return density / (z + fraction);
	}
	let sum = z, term = z;
	for (let i = 3; term > sum * 1e-17 && i < noiseSteps; i += 2) {
		term *= z * z / i;
		sum += term;
	}
	return 0.5 - density * sum;
}

// A factor of a continued fraction must not be 0.
function noiseNotZero(x) {
	return Math.abs(x) < 1e-300 ? 1e-300 : x;
}

// The continued fraction of the incomplete beta function (Lentz).
function noiseBetaFraction(x, a, b) {
	let c = 1, d = 1 / noiseNotZero(1 - (a + b) * x / (a + 1)), h = d;
	for (let m = 1; m <= noiseSteps; m++) {
		const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / noiseNotZero(1 + even * d);
		c = noiseNotZero(1 + even / c);
		h *= d * c;
		d = 1 / noiseNotZero(1 + odd * d);
		c = noiseNotZero(1 + odd / c);
		h *= d * c;
		if (Math.abs(d * c - 1) < 1e-15)
			break;
	}
	return h;
}

// P(T >= t) of Student's distribution.
export function studentTail(t, df) {
	if (df > noiseNormalDf)
		return normalTail(t);
	if (t <= 0)
		return 0.5;
	const x = df / (df + t * t), a = df / 2;
	const front = Math.exp(noiseLnGamma(a + 0.5) - noiseLnGamma(a) - noiseLnGamma(0.5) +
		a * Math.log(x) + 0.5 * Math.log1p(-x));
	if (x < (a + 1) / (a + 2.5))
		return front * noiseBetaFraction(x, a, 0.5) / a / 2;
	return (1 - front * noiseBetaFraction(1 - x, 0.5, a) / 0.5) / 2;
}

// The t with that tail.
export function studentQuantile(tail, df) {
	let low = 0, high = 1;
	while (studentTail(high, df) > tail && high < 1e300)
		high *= 2;
	for (let i = 0; i < 100; i++) {
		const middle = (low + high) / 2;
		if (studentTail(middle, df) > tail)
			low = middle;
		else
			high = middle;
	}
	return high;
}

// The variance of after's part of a heap when m of it are expected.
function noiseVariance(h, m) {
	const rest = h.nr - m;
	if (m <= 0 || rest <= 0)
		return 0;
	if (h.rate)
		return m * rest / h.nr;
	if (h.after - m <= 0 || h.before - rest <= 0)
		return 0;
	return 1 / (1 / m + 1 / rest + 1 / (h.after - m) + 1 / (h.before - rest));
}

// Beyond this variance sums of single terms would only be slow.
const noiseLarge = 1e5;
// Past this the other side is as good as nothing.
const noiseEnough = 1e60;

// How much more likely j + 1 of the heap are than j.
function noiseStep(h, odds, j) {
	const ratio = odds * ((h.nr - j) / (j + 1));
	return h.rate ? ratio : ratio * ((h.after - j) / (h.before - h.nr + j + 1));
}

// What is above x, as a multiple of what is at x.
function noiseAbove(h, odds) {
	let sum = 0, term = 1;
	for (let j = h.x; j < h.high && sum < noiseEnough; j++) {
		const ratio = noiseStep(h, odds, j);
		term *= ratio;
		sum += term;
		if (ratio < 1 && term * ratio < (sum + 1) * 1e-16 * (1 - ratio))
			break;
	}
	return sum;
}

// What is below it.
function noiseBelow(h, odds) {
	let sum = 0, term = 1;
	for (let j = h.x; j > h.low && sum < noiseEnough; j--) {
		const ratio = 1 / noiseStep(h, odds, j - 1);
		term *= ratio;
		sum += term;
		if (ratio < 1 && term * ratio < (sum + 1) * 1e-16 * (1 - ratio))
			break;
	}
	return sum;
}

// [P(x or more), P(x or fewer)] when m are expected.
function noiseTails(h, m) {
	if (h.high <= h.low)
		return [1, 1];
	if (m <= h.low || m >= h.high)
		return [m >= h.high || h.x <= h.low ? 1 : 0, m <= h.low || h.x >= h.high ? 1 : 0];
	if (h.large) {
		const sd = Math.sqrt(noiseVariance(h, m));
		return [normalTail((h.x - m - 0.5) / sd), normalTail((m - h.x - 0.5) / sd)];
	}
	const share = h.rate ? 1 : (h.before - h.nr + m) / (h.after - m);
	const odds = m / (h.nr - m) * share;
	const above = noiseAbove(h, odds), below = noiseBelow(h, odds);
	return [(above + 1) / (above + 1 + below), (below + 1) / (above + 1 + below)];
}

// With fewer samples a run, its spread is that of few numbers.
const noiseInRun = 5;

// A family of tests: what is compared, and how sure a claim must be.
// facts = {rate:bool, total:[before,after], time:[before,after], confidence, runs:[[size…],[size…]]}
// An item is (before, after, run) with run = [[count…],[count…]] or null: numbers of samples.
export class Noise {
	constructor(facts) {
		this.rate = facts.rate || false;
		this.total = facts.total;
		this.time = facts.time || [1, 1];
		this.confidence = facts.confidence || 0.95;
		this.runs = facts.runs || null;
		this.size = this.rate ? this.time : this.total;
		this.spread = false;
		this.setTests(1);
	}

	// Is there anything to compare at all?
	canTell() {
		return this.total[0] > 0 && this.total[1] > 0 && this.size[0] > 0 && this.size[1] > 0;
	}

	setTests(nr) {
		this.tests = nr;
		this.level = (1 - this.confidence) / nr;
		this.z = studentQuantile(this.level / 2, 2 * noiseNormalDf);
	}

	// How small the chance of a frame with nr samples could come out, for any split of them (Tarone 1990).
	leastChance(nr) {
		const all = this.size[0] + this.size[1], small = Math.min(this.size[0], this.size[1]);
		if (this.rate)
			return Math.min(1, 2 * Math.pow(small / all, nr));
		const part = Math.min(nr, all - nr), nrFactors = Math.min(part, small);
		let p = 2;
		for (let j = 0; j < nrFactors && p > 1e-30; j++)
			p *= (Math.max(part, small) - j) / (all - j);
		return Math.min(1, p);
	}

	// Divides what is left of certainty among the tests that could come out at all; sizes: the heap of each.
	setLevel(sizes) {
		const alpha = 1 - this.confidence, last = new Uint32Array(sizes.length + 2);
		let left = 0, nr = 1;
		for (const size of sizes) {
			const most = Math.floor(alpha / this.leastChance(size));
			if (most < 1)
				continue;
			last[Math.min(most, sizes.length + 1)]++;
			left++;
		}
		for (; left > nr; nr++)
			left -= last[nr];
		this.setTests(nr);
	}

	heap(before, after) {
		const nr = before + after, h = {
			rate: this.rate, nr, x: after, before: this.size[0], after: this.size[1],
			low: 0, high: nr, large: false,
		};
		if (!this.rate) {
			h.low = Math.max(0, nr - h.before);
			h.high = Math.min(nr, h.after);
		}
		h.expected = nr * (h.after / (h.before + h.after));
		h.large = noiseVariance(h, h.expected) > noiseLarge;
		return h;
	}

	// The change when m of the heap are after's.
	changeAt(h, m) {
		const change = m / h.after - (h.nr - m) / h.before;
		return this.rate ? change * (h.before / this.total[0]) : change;
	}

	change(before, after) {
		return this.changeAt(this.heap(before, after), after);
	}

	// How likely a difference as large as this one is without a change, by sampling alone.
	chance(before, after) {
		const h = this.heap(before, after), [up, down] = noiseTails(h, h.expected);
		return Math.min(1, 2 * Math.min(up, down));
	}

	// Which sides can show a spread between runs: bit 0 before, bit 1 after.
	sides(before, after) {
		const can = (count, k) => count > 0 && (this.rate || count < this.total[k]);
		return (can(before, 0) ? 1 : 0) | (can(after, 1) ? 2 : 0);
	}

	degrees(sides) {
		let df = 0;
		for (let k = 0; k < 2; k++)
			if (sides & 1 << k)
				df += this.runs[k].length - 1;
		return df;
	}

	// Pearson's sum over the runs: how far each is from its side.
	squares(before, after, run) {
		let sum = 0;
		for (let k = 0; k < 2; k++) {
			const p = (k ? after : before) / this.size[k], rest = this.rate ? 1 : 1 - p;
			this.runs[k].forEach((size, i) => {
				const expected = size * p;
				if (expected * rest > 0)
					sum += (run[k][i] - expected) * (run[k][i] - expected) / (expected * rest);
			});
		}
		return sum;
	}

	tellsSpread(before, after) {
		for (let k = 0; k < 2; k++) {
			const least = noiseInRun * this.runs[k].length, count = k ? after : before;
			if (count < least || (!this.rate && this.total[k] - count < least))
				return false;
		}
		return true;
	}

	// How much runs differ (Smyth 2004).  own: dispersions of frames that tell it; nrDisjoint: how many of
	// these share no sample.
	setSpread(own, nrDisjoint) {
		const df = this.degrees(3);
		this.spread = df > 0;
		this.typical = 1;
		this.typicalDf = 0;
		this.mostDf = df;
		if (own.length >= 3) {
			let mean = 0, squares = 0, sum = 0, nr = 0;
			for (const s of own) {
				const l = Math.log(Math.max(s, 1e-3)), d = l - mean;
				mean += d / ++nr;
				squares += d * (l - mean);
				sum += s;
			}
			const excess = squares / (nr - 1) - noiseTrigamma(df / 2);
			this.mostDf = df * nrDisjoint;
			if (excess > 1e-8) {
				this.typicalDf = 2 * noiseTrigammaInverse(excess);
				this.typical = Math.exp(mean - noiseDigamma(df / 2) + Math.log(df / 2) +
					noiseDigamma(this.typicalDf / 2) - Math.log(this.typicalDf / 2));
			} else {
				this.typicalDf = Infinity;
				this.typical = sum / nr;
			}
		}
		this.setQuantiles();
	}

	// Takes the spread that another family of the same runs showed.
	setSpreadLike({spread, typical, typicalDf, mostDf}) {
		Object.assign(this, {spread, typical, typicalDf, mostDf});
		this.setQuantiles();
	}

	setQuantiles() {
		this.quantiles = [0, 1, 2, 3].map((sides) => studentQuantile(this.level / 2,
			Math.max(1, Math.min(this.mostDf, this.typicalDf + this.degrees(sides)))));
	}

	// Variance between runs / variance of sampling; runs never differ by less than samples do.
	dispersion(before, after, run) {
		const df = this.degrees(this.sides(before, after));
		if (this.typicalDf === Infinity || this.typicalDf + df <= 0)
			return Math.max(1, this.typical);
		const s = this.squares(before, after, run);
		return Math.max(1, (this.typicalDf * this.typical + s) / (this.typicalDf + df));
	}

	// How far the change may be off, as the runs differ.
	reach(before, after, run) {
		let sum = 0;
		for (let k = 0; k < 2; k++) {
			const p = (k ? after : before) / this.size[k];
			sum += p * (this.rate ? 1 : 1 - p) / this.size[k];
		}
		if (this.rate)
			sum *= (this.time[0] / this.total[0]) * (this.time[0] / this.total[0]);
		return this.quantiles[this.sides(before, after)] *
			Math.sqrt(this.dispersion(before, after, run) * sum);
	}

	// Far from where the decision is no sum is needed: -1 inside, 1 outside, 0 near it.
	judgeQuickly(h) {
		const v = noiseVariance(h, h.expected);
		if (v < 100)
			return 0;
		const z = Math.abs(h.x - h.expected) / Math.sqrt(v);
		return z < 0.8 * this.z - 0.5 ? -1 : z > 1.5 * this.z + 1 ? 1 : 0;
	}

	// 0 inside the noise, 1 more, 2 less.
	judge(before, after, run) {
		const h = this.heap(before, after), change = this.changeAt(h, after);
		const quick = this.judgeQuickly(h);
		if (quick < 0 || (!quick && this.chance(before, after) > this.level))
			return 0;
		if (this.spread && Math.abs(change) <= this.reach(before, after, run))
			return 0;
		return change > 0 ? 1 : 2;
	}

	// Where between x and an end a tail at x is what is left of certainty.
	limit(h, end) {
		const side = end < h.x ? 0 : 1;
		let inside = h.x;
		for (let i = 0; i < 60; i++) {
			const middle = (inside + end) / 2;
			if (noiseTails(h, middle)[side] > this.level / 2)
				inside = middle;
			else
				end = middle;
		}
		return inside;
	}

	// Wilson's limits of a side by itself, as distances from what was seen: [down, up].
	wilson(count, size) {
		const zz = this.z * this.z, rest = this.rate ? 1 : 1 - count / size;
		const root = this.z * Math.sqrt(count * rest + zz / 4), all = this.rate ? 1 : 1 + zz / size;
		return [(count - (count + zz / 2 - root) / all) / size,
			((count + zz / 2 + root) / all - count) / size];
	}

	// [low, high] of the change: 0 is not within exactly when it is judged a change.
	interval(before, after, run) {
		const h = this.heap(before, after), change = this.changeAt(h, after);
		const unit = this.rate ? h.before / this.total[0] : 1;
		const [down0, up0] = this.wilson(before, h.before), [down1, up1] = this.wilson(after, h.after);
		let low = this.changeAt(h, this.limit(h, h.low)), high = this.changeAt(h, this.limit(h, h.high));
		const less = high < 0, more = low > 0;
		if (!more)
			low = Math.min(low, change - unit * Math.hypot(down1, up0));
		if (!less)
			high = Math.max(high, change + unit * Math.hypot(up1, down0));
		if (!this.spread)
			return [low, high];
		const reach = this.reach(before, after, run);
		return [Math.min(low, change - reach), Math.max(high, change + reach)];
	}
}

// Is the number of samples of an event known?  Times, bytes and calls are added up, not sampled; a fraction
// of a sample is none.  The same rule as samples_known() in src/fold/diff.c.
const noiseMeasured = ['us', 'ms', 's', 'bytes', 'calls', 'count'];

export function samplesKnown(event) {
	if (event.unit === 'samples' || (event.unit === 'count' && event.name === 'samples'))
		return event.scale >= 0;
	return !noiseMeasured.includes(event.unit);
}

// The dispersions of the frames of a tree that tell the spread, and how many of these share no sample.
function noiseTreeSpread(noise, tree, runOf) {
	const [before, after] = tree.samples, covered = new Uint8Array(tree.nr), df = noise.degrees(3), own = [];
	let nrDisjoint = 0;
	for (let i = tree.nr - 1; i >= 0; i--) {
		const parent = tree.parent[i];
		const same = i > 0 && before[i] + after[i] === before[parent] + after[parent];
		const tells = !same && noise.tellsSpread(before[i], after[i]);
		if (tells) {
			own.push(noise.squares(before[i], after[i], runOf(i)) / df);
			nrDisjoint += covered[i] ? 0 : 1;
		}
		if (i > 0 && (tells || covered[i]))
			covered[parent] = 1;
	}
	noise.setSpread(own.reverse(), nrDisjoint);
}

// What can be said of every node of a tree with two columns.  options = {normalize: 'total'|'none'|'duration',
// time: [before, after] (duration), confidence, known: bool (samplesKnown of both events),
// runs: null | [[Float64Array by node…], [Float64Array by node…]] (inclusive samples of each run; runTime: the
// time of each), like: what noiseOf() said of the tree that these are the functions of: runs differ alike}.
export function noiseOf(tree, options = {}) {
	const normalize = options.normalize || 'total', [before, after] = tree.samples;
	const several = options.runs && options.runs[0].length + options.runs[1].length > 2;
	const rate = normalize !== 'total';
	const total = [before[0], after[0]];
	const time = normalize === 'duration' ? options.time : [1, 1];
	const runs = several ? options.runs.map((side, k) => side.map((run, i) => !rate ? run[0] :
		normalize === 'duration' ? options.runTime[k][i] : 1 / side.length)) : null;
	const noise = new Noise({rate, total, time, confidence: options.confidence, runs});
	const runOf = (i) => several ? options.runs.map((side) => side.map((run) => run[i])) : null;
	const significant = new Uint8Array(tree.nr), claim = options.known !== false && noise.canTell();
	const answer = {
		significant, claim, confidence: noise.confidence, tests: 0, family: noise,
		change: (i) => noise.change(before[i], after[i]),
		interval: (i) => claim ? noise.interval(before[i], after[i], runOf(i)) : null,
	};
	if (!claim)
		return answer;
	const isSame = (i) => i > 0 && before[i] + after[i] === before[tree.parent[i]] + after[tree.parent[i]];
	const sizes = [];
	for (let i = 0; i < tree.nr; i++)
		if (!isSame(i))
			sizes.push(before[i] + after[i]);
	noise.setLevel(sizes);
	if (several && options.like)
		noise.setSpreadLike(options.like.family);
	else if (several)
		noiseTreeSpread(noise, tree, runOf);
	for (let i = 0; i < tree.nr; i++)
		significant[i] = isSame(i) ? significant[tree.parent[i]]
			: noise.judge(before[i], after[i], runOf(i));
	answer.tests = noise.tests;
	return answer;
}
