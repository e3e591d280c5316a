// Distinguishes changes from the noise of sampling: docs/diff.md has the formulas.  The same steps as
// src/fold/noise.c; tests/noise tests both with the same cases.
import {noiseDigamma, noiseNormalDf, noiseTrigamma, noiseTrigammaInverse, studentQuantile} from './chance.js';
import {noiseLarge, noiseTails, noiseVariance} from './heap.js';
import {sumOf} from './times.js';

// With fewer samples in a run, chi-squared is not a good estimate.
const noiseInRun = 5;
// How much recordings of one program differ beyond sampling, if each side has one: NOISE_FLOOR_… in src/fold/noise.h.
const noiseFloorOdds = 0.05, noiseFloorShare = 0.003, noiseFloorKernel = 0.5;
// With fewer runs per side, the variation of measurements is not known well enough.
const noiseMeasuredRuns = 3;
// Below this, a variation is a rounding error: the measurements do not vary.
const noiseVaries = 1e-20;

// A family of tests: the numbers to compare, and the confidence of a claim.
// facts = {rate:bool, measured:bool, total:[before,after], time:[before,after], confidence, runs:[[size…],[size…]],
// kernel:[before,after] (the part of the total in the kernel), missed: share of the CPU time without samples}
// An item is (before, after, run, kernel, hidden) with run = [[count…],[count…]] or null: numbers of samples, or measurements.
export class Noise {
	constructor(facts) {
		this.rate = facts.rate || false;
		this.measured = facts.measured || false;
		this.least = this.measured ? 0 : 1; // dispersion
		this.total = facts.total;
		this.time = facts.time || [1, 1];
		this.confidence = facts.confidence || 0.95;
		this.runs = facts.runs || null;
		this.kernel = facts.kernel || [0, 0];
		this.missed = facts.missed || 0;
		this.size = this.rate ? this.time : this.total;
		this.spread = false;
		this.setTests(1);
	}

	// Do both sides have samples (and for rates, a time), or measurements of enough runs?
	isTestable() {
		if (this.measured && !this.runs?.every((side) => side.length >= noiseMeasuredRuns))
			return false;
		return this.total[0] > 0 && this.total[1] > 0 && this.size[0] > 0 && this.size[1] > 0;
	}

	setTests(nr) {
		this.tests = nr;
		this.level = (1 - this.confidence) / nr;
		this.z = studentQuantile(this.level / 2, 2 * noiseNormalDf);
	}

	// The smallest p-value that a frame with nr samples could have, for any split of them (Tarone 1990).
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

	// Divides the allowed error among the tests that could succeed at all; sizes: the samples of each item.
	setLevel(sizes) {
		const alpha = 1 - this.confidence, last = new Uint32Array(sizes.length + 2);
		let left = 0, nr = 1;
		for (const size of sizes) {
			// Even a small measurement counts: if it never varies, any change is significant.
			const most = this.measured ? size && sizes.length : Math.floor(alpha / this.leastChance(size));
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

	// The change if m samples of the heap were after's.
	changeAt(h, m) {
		const change = m / h.after - (h.nr - m) / h.before;
		return this.rate ? change * (h.before / this.total[0]) : change;
	}

	change(before, after) {
		return this.changeAt(this.heap(before, after), after);
	}

	// The p-value: the probability of at least such a difference by sampling only, without a change.
	chance(before, after) {
		const h = this.heap(before, after), [up, down] = noiseTails(h, h.expected);
		return Math.min(1, 2 * Math.min(up, down));
	}

	// Which sides can vary between runs: bit 0 before, bit 1 after.
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

	// Pearson's chi-squared: the deviations of runs from the expectation of their side, in units of their
	// sampling variance.  Measurements have no such variance: they vary in proportion to their size.
	squares(before, after, run) {
		let sum = 0;
		for (let k = 0; k < 2; k++) {
			const p = (k ? after : before) / this.size[k], rest = this.rate ? 1 : 1 - p;
			this.runs[k].forEach((size, i) => {
				const far = run[k][i] - size * p, unit = size * p * rest;
				if (unit > 0)
					sum += far * far / (this.measured ? unit * unit : unit);
			});
		}
		return sum;
	}

	showsSpread(before, after, run) {
		if (this.measured)
			return this.sides(before, after) === 3 && this.squares(before, after, run) > noiseVaries;
		for (let k = 0; k < 2; k++) {
			const least = noiseInRun * this.runs[k].length, count = k ? after : before;
			if (count < least || (!this.rate && this.total[k] - count < least))
				return false;
		}
		return true;
	}

	// Estimates how much runs differ (Smyth 2004).  own: dispersions of frames with enough samples; nrDisjoint:
	// how many of these share no sample.
	setSpread(own, nrDisjoint) {
		const df = this.degrees(3);
		this.spread = df > 0;
		this.typical = this.least;
		this.typicalDf = 0;
		this.mostDf = df;
		if (own.length >= 3) {
			let mean = 0, squares = 0, sum = 0, nr = 0;
			for (const s of own) {
				const l = Math.log(Math.max(s, this.least / 1e3)), d = l - mean;
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

	// Uses the spread of another family of the same runs.
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
			return Math.max(this.least, this.typical);
		const s = this.squares(before, after, run);
		return Math.max(this.least, (this.typicalDf * this.typical + s) / (this.typicalDf + df));
	}

	// The variance that time in the kernel, which depends on caches and memory, adds to a share or a rate.
	kernelFloor(count, own, k) {
		const p = count / this.size[k], part = own / this.size[k];
		const inside = part * (this.rate ? 1 : 1 - p), outside = this.rate ? 0 : (this.kernel[k] / this.size[k] - part) * p;
		return noiseFloorKernel ** 2 * (inside ** 2 + outside ** 2);
	}

	// How far from 0 a change may be without being significant: by sampling, by the spread between runs (the measured
	// one, or the floor with one run per side), by CPU time without samples and by truncated stacks (hidden: the share of a side).
	reach(before, after, run, kernel = [0, 0], hidden = 0) {
		let sampling = 0, floor = 0;
		for (let k = 0; k < 2; k++) {
			const p = (k ? after : before) / this.size[k], one = p * (this.rate ? 1 : 1 - p);
			sampling += this.measured ? sumOf(this.runs[k].map((size) => (one * size / this.size[k]) ** 2)) : one / this.size[k];
			floor += (noiseFloorOdds * one) ** 2 + (noiseFloorShare * this.total[k] / this.size[k]) ** 2 +
				this.kernelFloor(k ? after : before, kernel[k], k);
		}
		const all = Math.max(this.total[0] / this.size[0], this.total[1] / this.size[1]);
		const reach = (this.missed + hidden) * all + (this.spread ?
			this.quantiles[this.sides(before, after)] * Math.sqrt(this.dispersion(before, after, run) * sampling) :
			this.z * Math.sqrt(sampling + floor));
		return this.rate ? reach * (this.time[0] / this.total[0]) : reach;
	}

	// By the normal distribution with a wide margin: -1 noise, 1 a change, 0 too close to tell.
	judgeQuickly(h) {
		const v = noiseVariance(h, h.expected);
		if (v < 100)
			return 0;
		const z = Math.abs(h.x - h.expected) / Math.sqrt(v);
		return z < 0.8 * this.z - 0.5 ? -1 : z > 1.5 * this.z + 1 ? 1 : 0;
	}

	// The verdict: 0 noise, 1 more, 2 less.
	judge(before, after, run, kernel, hidden) {
		const h = this.heap(before, after), change = this.changeAt(h, after);
		const quick = this.measured || this.judgeQuickly(h);
		if (quick < 0 || (!quick && this.chance(before, after) > this.level))
			return 0;
		if (Math.abs(change) <= this.reach(before, after, run, kernel, hidden))
			return 0;
		return change > 0 ? 1 : 2;
	}

	// A limit of the interval: the expectation between x and an end for which the tail at x is level / 2.
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

	// Wilson's interval of one side alone, as distances from its observed share or rate: [down, up].
	wilson(count, size) {
		const zz = this.z * this.z, rest = this.rate ? 1 : 1 - count / size;
		const root = this.z * Math.sqrt(count * rest + zz / 4), all = this.rate ? 1 : 1 + zz / size;
		return [(count - (count + zz / 2 - root) / all) / size,
			((count + zz / 2 + root) / all - count) / size];
	}

	// The confidence interval [low, high] of the change; it contains 0 exactly if the verdict is noise.
	interval(before, after, run, kernel, hidden) {
		const h = this.heap(before, after), change = this.changeAt(h, after), reach = this.reach(before, after, run, kernel, hidden);
		// A share is between 0 and 1, and so is the size of its change.
		const bounded = (limits) => this.rate ? limits : limits.map((x) => Math.max(-1, Math.min(1, x)));
		if (this.measured)
			return bounded([change - reach, change + reach]);
		const unit = this.rate ? h.before / this.total[0] : 1;
		const [down0, up0] = this.wilson(before, h.before), [down1, up1] = this.wilson(after, h.after);
		let low = this.changeAt(h, this.limit(h, h.low)), high = this.changeAt(h, this.limit(h, h.high));
		const less = high < 0, more = low > 0;
		if (!more)
			low = Math.min(low, change - unit * Math.hypot(down1, up0));
		if (!less)
			high = Math.max(high, change + unit * Math.hypot(up1, down0));
		return bounded([Math.min(low, change - reach), Math.max(high, change + reach)]);
	}
}
